//! Merge of shards that were played separately.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_store::{
    self as store, BotState, Facts, KnownBot, Merged, Reader, Readers, Store, StoreError,
};
use pitmaster_tournament::Tournament;

use crate::facts::TOURNAMENT_FILE;
use crate::log::{self, Deed, Draft};
use crate::results::{Results, Summary};
use crate::{Error, Observer, changes};

/// Result of a merge.
#[derive(Debug)]
pub struct Merge {
    /// Games merged, by shard.
    pub shards: Vec<(PathBuf, Merged)>,
    /// Results of the merged tournament.
    pub summary: Summary,
    /// Number of games that are still missing.
    pub missing: u64,
    /// Number of games in the plan.
    pub games: u64,
}

/// Merges shards of one tournament into the folder `whole`, which may exist, and writes its files.
///
/// # Errors
/// The shards belong to different tournaments or pair by results, or a folder cannot be used.
pub fn merge(
    whole: &Path,
    shards: &[PathBuf],
    readers: Readers,
    lang: Lang,
    observer: &dyn Observer,
) -> Result<Merge, Error> {
    let opened = shards.iter().map(|folder| Shard::open(folder, whole));
    let opened = opened.collect::<Result<Vec<_>, _>>()?;
    let begun = Shard::of_whole(whole)?;
    let all: Vec<&Shard> = begun.iter().chain(&opened).collect();
    refuse_others(&all)?;
    let store = open_whole(whole, readers, &all[0].tournament).map_err(unusable)?;
    keep_facts(&store, &all)?;
    drop(begun);
    let mut merged = Vec::new();
    for shard in &opened {
        merged.push((shard.folder.clone(), store.merge(&shard.reader, &shard.shown())?));
    }
    drop(store);
    let results = Results::open(whole)?;
    let summary = results.write_files(lang, observer)?;
    let (missing, games) = results.missing()?;
    let names: Vec<_> = opened.iter().map(Shard::shown).collect();
    let draft = Draft::new(Deed::Merge, names.join(", "));
    log::append(whole, draft.games(summary.attempts.clone()))?;
    Ok(Merge { shards: merged, summary, missing, games })
}

fn open_whole(
    whole: &Path,
    readers: Readers,
    tournament: &Tournament,
) -> Result<Store, StoreError> {
    let cannot = |error: io::Error| StoreError::Folder {
        folder: whole.to_owned(),
        error: error.to_string(),
    };
    store::make_folder(whole, readers).map_err(cannot)?;
    Store::open(whole, tournament.durability)
}

/// Messages for a folder that was named directly, without `--out`.
fn unusable(error: StoreError) -> Error {
    match error {
        StoreError::Folder { folder, error } => Error::invalid(format!(
            "cannot use the folder {}: {error}; choose another, or look who may write there",
            shown_path(&folder)
        )),
        StoreError::Orphaned { folder, files, what } => Error::invalid(format!(
            "{} holds results ({}), but {what}: put the database back from a copy, or merge into \
             another folder",
            shown_path(&folder),
            files.join(", ")
        )),
        other => other.into(),
    }
}

/// A shard, or the existing merged results.
struct Shard {
    folder: PathBuf,
    reader: Reader,
    facts: Facts,
    tournament: Tournament,
    bots: Vec<KnownBot>,
}

impl Shard {
    fn open(folder: &Path, whole: &Path) -> Result<Self, Error> {
        let same = |path: &Path| path.canonicalize().ok();
        let shown = shown_path(folder);
        if same(folder).is_some_and(|folder| same(whole) == Some(folder)) {
            let message = format!("{shown} cannot be a share of itself; leave it out once");
            return Err(Error::invalid(message));
        }
        Self::of(folder)
    }

    /// Reads the contents of the merged folder.
    fn of_whole(folder: &Path) -> Result<Option<Self>, Error> {
        if !store::exists(folder) {
            return Ok(None);
        }
        // A folder whose creation was interrupted is still empty.
        let is_begun = match Reader::open(folder) {
            Ok(reader) => reader.facts()?.is_some(),
            Err(StoreError::Missing { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        is_begun.then(|| Self::of(folder)).transpose()
    }

    fn of(folder: &Path) -> Result<Self, Error> {
        let results = Results::open(folder)?;
        let reader = Reader::open(folder)?;
        let (tournament, bots) = (results.tournament().clone(), reader.bots()?);
        let facts = results.facts().clone();
        Ok(Self { folder: folder.to_owned(), reader, facts, tournament, bots })
    }

    fn shown(&self) -> String {
        shown_path(&self.folder)
    }
}

/// Checks that the folders are shards of one tournament.
fn refuse_others(all: &[&Shard]) -> Result<(), Error> {
    let (first, others) = (all[0], &all[1..]);
    if first.tournament.format.depends_on_results() {
        return Err(Error::invalid(format!(
            "who meets whom in {} follows from its results, so that no share of it can be played \
             without the others; play it in one place",
            first.shown()
        )));
    }
    let refusals = others.iter().map(|other| difference(first, other));
    let refusals = refusals.collect::<Result<Vec<_>, _>>()?;
    let refusals: Vec<_> = refusals.into_iter().flatten().collect();
    if refusals.is_empty() { Ok(()) } else { Err(Error::invalid(refusals.join("\n"))) }
}

/// Returns why two folders are not shards of one tournament, if they are not.
fn difference(first: &Shard, other: &Shard) -> Result<Option<String>, Error> {
    let mut changed = changes::changes(&first.reader, &other.tournament)?;
    if first.tournament.format != other.tournament.format {
        changed.push("format".into());
    }
    changed.extend(first.bots.iter().filter_map(|bot| other_version(bot, &other.bots)));
    for (name, elo) in &first.facts.anchors {
        let anchors = &other.facts.anchors;
        let there =
            anchors.iter().find(|(other, there)| other == name && there.total_cmp(elo).is_ne());
        changed
            .extend(there.map(|(_, there)| format!("anchor of {name} ({elo} there, {there} now)")));
    }
    Ok((!changed.is_empty()).then(|| {
        format!(
            "{} is another tournament than {}: {}; only shares of one tournament can be merged",
            other.shown(),
            first.shown(),
            changed.join(", ")
        )
    }))
}

/// Finds another version of a bot: two versions cannot both take part under one name.
fn other_version(bot: &KnownBot, others: &[KnownBot]) -> Option<String> {
    let active = |bot: &KnownBot| bot.state == BotState::Active;
    let is_other =
        |other: &&KnownBot| active(other) && other.id.name == bot.id.name && other.id != bot.id;
    let other = others.iter().find(is_other).filter(|_| active(bot))?;
    let (name, there, here) = (&bot.id.name, bot.id.hash.short(), other.id.hash.short());
    Some(format!("bot {name} (version {there} there, {here} now)"))
}

/// Stores the facts of the merged tournament. They come last because they mark the folder as begun.
fn keep_facts(store: &Store, all: &[&Shard]) -> Result<(), Error> {
    let mut facts = all[0].facts.clone();
    let Facts { anchors, authors, hosts, runs, .. } = &mut facts;
    let mut bots = Vec::new();
    for shard in all {
        let more = shard.facts.clone();
        add_new(anchors, more.anchors, |a, b| a.0 == b.0);
        add_new(hosts, more.hosts, |a, b| a == b);
        add_new(authors, more.authors, |a, b| a.0 == b.0);
        // A bot that takes part in any shard takes part.
        let (active, former): (Vec<_>, Vec<_>) =
            shard.bots.iter().cloned().partition(|bot| bot.state == BotState::Active);
        bots.retain(|known: &KnownBot| {
            known.state == BotState::Active || active.iter().all(|bot| bot.id != known.id)
        });
        add_new(&mut bots, [active, former].concat(), |a, b| a.id == b.id);
    }
    *runs = all.iter().flat_map(|shard| shard.facts.runs.clone()).collect();
    store.put_bots(bots)?;
    let path = &store.folder().join(TOURNAMENT_FILE);
    store::create_file(path)?.write_all(facts.file.as_bytes())?;
    Ok(store.put_facts(&facts)?)
}

fn add_new<T>(known: &mut Vec<T>, new: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
    for item in new {
        if !known.iter().any(|known| is_same(known, &item)) {
            known.push(item);
        }
    }
}
