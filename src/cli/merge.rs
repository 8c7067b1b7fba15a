//! `pitmaster merge`: shares of one tournament, played apart, become one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_store::{
    self as store, BotState, Facts, KnownBot, Merged, Reader, Store, StoreError,
};
use pitmaster_tournament::Tournament;

use super::contest;
use super::results::Results;
use super::{Exit, Failure, Outcome, lang, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster merge results/cup part-1/cup part-2/cup part-3/cup
  pitmaster merge results/cup /media/usb/cup   what another machine has played

The shares are results' folders of one tournament: the same rules, limits, openings, seed, format
and bots. They are only read, also while they are being played. Merging again takes what is new.
What is missing then is played by `pitmaster run` of the tournament's file, if the folder has its
name. Formats that pair by results cannot be played in shares.";

/// Joins results' folders that hold shares of one tournament
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The results' folder of the whole: a new one, or one that was begun by merge or run
    out: PathBuf,
    /// Let others read the results, as far as the umask does; without this a new folder of results
    /// is for its owner alone
    #[arg(long)]
    shared: bool,
    /// The results' folders of its shares
    #[arg(required = true, value_name = "SHARE")]
    shares: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let shares = args.shares.iter().map(|folder| Share::open(folder, &args.out));
    let shares = shares.collect::<Result<Vec<_>, _>>()?;
    let whole = Share::of_whole(&args.out)?;
    let all: Vec<&Share> = whole.iter().chain(&shares).collect();
    refuse_others(&all)?;
    let store = open_whole(args, &all[0].tournament).map_err(unusable)?;
    keep_facts(&store, &all)?;
    drop(whole);
    let mut merged = Vec::new();
    for share in &shares {
        merged.push(store.merge(&share.reader, &share.shown())?);
    }
    drop(store);
    let results = Results::open(&args.out)?;
    let summary = results.write_files(lang::of_environment(), false)?;
    writeln!(out, "Merged into {}", shown_path(&args.out))?;
    for (share, merged) in shares.iter().zip(merged) {
        writeln!(out, "  {}: {}", share.shown(), told(merged))?;
    }
    write!(out, "\n{}", summary.table(terminal_width()))?;
    tell_missing(&results, &args.out)
}

fn open_whole(args: &Args, tournament: &Tournament) -> Result<Store, StoreError> {
    let cannot = |error: io::Error| StoreError::Folder {
        folder: args.out.clone(),
        error: error.to_string(),
    };
    store::make_folder(&args.out, contest::readers(args.shared)).map_err(cannot)?;
    Store::open(&args.out, tournament.durability)
}

/// Here the folder is no option.
fn unusable(error: StoreError) -> Failure {
    match error {
        StoreError::Folder { folder, error } => Failure::wrong(format!(
            "cannot use the folder {}: {error}; choose another, or look who may write there",
            shown_path(&folder)
        )),
        StoreError::Orphaned { folder, files, what } => Failure::wrong(format!(
            "{} holds results ({}), but {what}: put the database back from a copy, or merge into \
             another folder",
            shown_path(&folder),
            files.join(", ")
        )),
        other => other.into(),
    }
}

/// A share, or the whole as it is so far.
struct Share {
    folder: PathBuf,
    reader: Reader,
    facts: Facts,
    tournament: Tournament,
    bots: Vec<KnownBot>,
}

impl Share {
    fn open(folder: &Path, whole: &Path) -> Result<Self, Failure> {
        let same = |path: &Path| path.canonicalize().ok();
        let shown = shown_path(folder);
        if same(folder).is_some_and(|folder| same(whole) == Some(folder)) {
            let message = format!("{shown} cannot be a share of itself; leave it out once");
            return Err(Failure::wrong(message));
        }
        Self::of(folder)
    }

    /// What the folder of the whole holds already.
    fn of_whole(folder: &Path) -> Result<Option<Self>, Failure> {
        if !store::exists(folder) {
            return Ok(None);
        }
        // One whose beginning was cut short holds nothing yet.
        let is_begun = match Reader::open(folder) {
            Ok(reader) => reader.facts()?.is_some(),
            Err(StoreError::Missing { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        is_begun.then(|| Self::of(folder)).transpose()
    }

    fn of(folder: &Path) -> Result<Self, Failure> {
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

/// Refuses what is no share of one tournament.
fn refuse_others(all: &[&Share]) -> Result<(), Failure> {
    let (first, others) = (all[0], &all[1..]);
    if first.tournament.format.depends_on_results() {
        return Err(Failure::wrong(format!(
            "who meets whom in {} follows from its results, so that no share of it can be played \
             without the others; play it in one place",
            first.shown()
        )));
    }
    let refusals = others.iter().map(|other| difference(first, other));
    let refusals = refusals.collect::<Result<Vec<_>, _>>()?;
    let refusals: Vec<_> = refusals.into_iter().flatten().collect();
    if refusals.is_empty() { Ok(()) } else { Err(Failure::wrong(refusals.join("\n"))) }
}

/// Why two are no shares of one tournament.
fn difference(first: &Share, other: &Share) -> Result<Option<String>, Failure> {
    let mut changed = contest::changes(&first.reader, &other.tournament)?;
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

/// Two versions of a bot cannot both take part under one name.
fn other_version(bot: &KnownBot, others: &[KnownBot]) -> Option<String> {
    let active = |bot: &KnownBot| bot.state == BotState::Active;
    let is_other =
        |other: &&KnownBot| active(other) && other.id.name == bot.id.name && other.id != bot.id;
    let other = others.iter().find(is_other).filter(|_| active(bot))?;
    let (name, there, here) = (&bot.id.name, bot.id.hash.short(), other.id.hash.short());
    Some(format!("bot {name} (version {there} there, {here} now)"))
}

/// Keeps who plays what where; last what says that it is begun.
fn keep_facts(store: &Store, all: &[&Share]) -> Result<(), Failure> {
    let mut facts = all[0].facts.clone();
    let Facts { anchors, authors, hosts, runs, .. } = &mut facts;
    let mut bots = Vec::new();
    for share in all {
        let more = share.facts.clone();
        add_new(anchors, more.anchors, |a, b| a.0 == b.0);
        add_new(hosts, more.hosts, |a, b| a == b);
        add_new(authors, more.authors, |a, b| a.0 == b.0);
        // What takes part anywhere does.
        let (active, former): (Vec<_>, Vec<_>) =
            share.bots.iter().cloned().partition(|bot| bot.state == BotState::Active);
        bots.retain(|known: &KnownBot| {
            known.state == BotState::Active || active.iter().all(|bot| bot.id != known.id)
        });
        add_new(&mut bots, [active, former].concat(), |a, b| a.id == b.id);
    }
    *runs = all.iter().flat_map(|share| share.facts.runs.clone()).collect();
    store.put_bots(bots)?;
    let path = &store.folder().join("tournament.toml");
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

/// `12 games`, `0 games, 12 were there already, 1 of them played otherwise`.
fn told(merged: Merged) -> String {
    let Merged { games, known, otherwise } = merged;
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    let known = match known {
        0 => String::new(),
        1 => ", 1 that was there already".into(),
        known => format!(", {known} that were there already"),
    };
    let otherwise = match otherwise {
        0 => String::new(),
        n => format!(", {n} of them played otherwise: kept, but what was there counts"),
    };
    games + &known + &otherwise
}

fn tell_missing(results: &Results, whole: &Path) -> Outcome {
    let (missing, all) = results.missing()?;
    if missing == 0 {
        return Ok(Exit::Done);
    }
    let name = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parent = whole.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = shown_path(parent.unwrap_or(Path::new(".")));
    Err(Failure::stopped(format!(
        "{missing} of {all} games are missing; merge the shares that hold them, or play them: \
         `pitmaster run {name}.toml --out {parent}` goes on here, {name}.toml being the \
         tournament's file"
    )))
}
