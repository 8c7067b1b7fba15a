//! Removal of a person from a class and from results. Games stay under a pseudonym, so that other
//! people's results remain valid.

mod files;
mod plan;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::BotName;
use pitmaster_core::i18n::Lang;
use pitmaster_season::{Class, Member};
use pitmaster_store::{BotState, Forgetting, KnownBot, Reader};

use crate::facts::TOURNAMENT_FILE;
use crate::intake::{lock_class, read_class, read_settings, write_class};
use crate::log::{self, Deed, Draft, Entry};
use crate::results::{NewFile, Results};
use crate::{Error, Observer};

/// Options of a removal.
#[derive(Debug, Clone)]
pub struct ForgetOptions {
    /// Folder of the class.
    pub class: PathBuf,
    /// Key, id, address or full name of the person.
    pub person: String,
    /// Results folders in which the person's bot played.
    pub results: Vec<PathBuf>,
    /// Language of rewritten pages.
    pub lang: Lang,
    /// Whether to report the changes without making them.
    pub dry_run: bool,
}

/// Changes that were or would be made.
#[derive(Debug)]
pub struct Forgotten {
    /// New name of the person's games.
    pub pseudonym: BotName,
    /// Files and folders that were removed.
    pub removed: Vec<PathBuf>,
    /// Files from which the person was removed.
    pub changed: Vec<PathBuf>,
    /// Numbers of games under the pseudonym, by results folder.
    pub games: Vec<(PathBuf, usize)>,
    /// Files that still contain the person's name and that Pitmaster does not change.
    pub left: Vec<PathBuf>,
}

/// Removes a person from a class and from results folders.
///
/// # Errors
/// No person or several match, or a folder cannot be used. Changes made before the error persist;
/// the command can be repeated with the person's key.
pub fn forget(options: &ForgetOptions, observer: &dyn Observer) -> Result<Forgotten, Error> {
    // Checked before anything is created in the folder.
    read_class(&options.class)?;
    let _lock = lock_class(&options.class)?;
    let class = read_class(&options.class)?;
    let person = Person::find(&class, options)?;
    let opened = options.results.iter().map(|folder| Results::open(folder));
    let opened = opened.collect::<Result<Vec<_>, _>>()?;
    let forgetting = Forgetting {
        pseudonym: plan::pseudonym(&opened, &person.key)?,
        name: person.key,
        words: person.words,
    };
    let mut forgotten = Forgotten {
        pseudonym: forgetting.pseudonym.clone(),
        removed: Vec::new(),
        changed: Vec::new(),
        games: Vec::new(),
        left: Vec::new(),
    };
    for (folder, results) in options.results.iter().zip(opened) {
        from_results(folder, &results, &forgetting, options, observer, &mut forgotten)?;
    }
    from_class(class, &forgetting, options, &mut forgotten)?;
    if !options.dry_run {
        for folder in options.results.iter().chain([&options.class]) {
            forgotten.left.extend(files::mentions(folder, &forgetting)?);
        }
    }
    Ok(forgotten)
}

/// All names and identifiers of a person.
struct Person {
    key: BotName,
    words: Vec<String>,
}

impl Person {
    fn find(class: &Class, options: &ForgetOptions) -> Result<Self, Error> {
        let asked = options.person.trim();
        let is_called = |member: &&Member| {
            [member.key.as_str(), &member.id, &member.name, &member.email]
                .iter()
                .any(|text| !text.is_empty() && text.to_lowercase() == asked.to_lowercase())
        };
        let found: Vec<_> = class.members.iter().filter(is_called).collect();
        match found[..] {
            [member] => Ok(Self::of(member, class)),
            [] => Self::of_results(asked, options),
            _ => {
                let keys: Vec<_> = found.iter().map(|member| member.key.as_str()).collect();
                let keys = keys.join(", ");
                let what = "several people are called so; give one of the keys";
                Err(Error::invalid(format!("{what} {keys}")))
            }
        }
    }

    /// Identifiers shared with another member are excluded.
    fn of(member: &Member, class: &Class) -> Self {
        let texts = |member: &Member| [&member.id, &member.name, &member.email].map(String::clone);
        let others = class.members.iter().filter(|other| other.key != member.key);
        let others: Vec<_> = others.flat_map(texts).collect();
        let is_own = |word: &String| !word.trim().is_empty() && !others.contains(word);
        let words = texts(member).into_iter().filter(is_own).collect();
        Self { key: member.key.clone(), words }
    }

    /// A person already removed from the class, by the key in results.
    fn of_results(asked: &str, options: &ForgetOptions) -> Result<Self, Error> {
        let nobody = || {
            Error::invalid(format!(
                "nobody in {} has this key, id, address or name; class.csv lists all",
                shown_path(&options.class)
            ))
        };
        let key: BotName = asked.parse().map_err(|_| nobody())?;
        for folder in &options.results {
            if Reader::open(folder)?.bots()?.iter().any(|bot| bot.id.name == key) {
                return Ok(Self { key, words: Vec::new() });
            }
        }
        Err(nobody())
    }
}

fn from_results(
    folder: &Path,
    results: &Results,
    forgetting: &Forgetting,
    options: &ForgetOptions,
    observer: &dyn Observer,
    forgotten: &mut Forgotten,
) -> Result<(), Error> {
    let bots = Reader::open(folder)?.bots()?;
    let is_theirs = |bot: &&KnownBot| bot.id.name == forgetting.name;
    if !bots.iter().any(|bot| is_theirs(&bot)) {
        return Ok(());
    }
    let snapshots = files::snapshots(folder, &bots, &forgetting.name);
    let games = pitmaster_store::Selection::Bot(forgetting.name.clone());
    let games = Reader::open(folder)?.valid_of(&games)?.len();
    forgotten.games.push((folder.to_owned(), games));
    forgotten.removed.extend(snapshots.iter().cloned());
    if options.dry_run {
        return Ok(());
    }
    forgetting.apply(folder, &plan::order(results, forgetting))?;
    for snapshot in &snapshots {
        fs::remove_dir_all(snapshot)?;
    }
    let text = forgetting.redact(&results.facts().file);
    let file = NewFile::create(folder, TOURNAMENT_FILE, Ok)?;
    file.finish(|mut out| out.write_all(text.as_bytes()).and_then(|()| out.flush()))?;
    forgotten.changed.push(folder.join(TOURNAMENT_FILE));
    let pages = files::remove_pages(folder, forgetting)?;
    forgotten.removed.extend(pages);
    let summary = Results::open(folder)?.write_files(options.lang, observer)?;
    let draft = Draft::new(Deed::Forget, forgetting.pseudonym.as_str());
    redact_log(folder, forgetting, draft.games(summary.attempts.clone()), forgotten)
}

fn from_class(
    class: Class,
    forgetting: &Forgetting,
    options: &ForgetOptions,
    forgotten: &mut Forgotten,
) -> Result<(), Error> {
    let root = &options.class;
    let mut places = files::checked(root, &forgetting.name);
    places.extend(files::of_member(root, &forgetting.name));
    forgotten.removed.extend(places.iter().cloned());
    if options.dry_run {
        return Ok(());
    }
    for place in &places {
        if place.is_dir() { fs::remove_dir_all(place)? } else { fs::remove_file(place)? }
    }
    if class.member(&forgetting.name).is_some() {
        let mut class = class;
        class.members.retain(|member| member.key != forgetting.name);
        let lang = read_settings(root)?.language.unwrap_or_default();
        forgotten.changed.extend(write_class(root, &class, lang)?);
    }
    let (removed, changed) = files::from_grades(root, forgetting)?;
    forgotten.removed.extend(removed);
    forgotten.changed.extend(changed);
    let draft = Draft::new(Deed::Forget, forgetting.pseudonym.as_str());
    redact_log(root, forgetting, draft, forgotten)
}

/// Redacts the person in the log, recomputes its hashes, and logs the change.
fn redact_log(
    folder: &Path,
    forgetting: &Forgetting,
    draft: Draft,
    forgotten: &mut Forgotten,
) -> Result<(), Error> {
    let path = folder.join(log::FILE);
    if !path.exists() || !forgetting.is_in(&fs::read_to_string(&path)?) {
        return log::append(folder, draft);
    }
    let change = |entry: Entry| Entry {
        about: forgetting.redact(&entry.about),
        reason: forgetting.redact(&entry.reason),
        ..entry
    };
    log::rewrite(folder, change, draft)?;
    forgotten.changed.push(path);
    Ok(())
}

/// Whether a bot takes part in the plan.
fn takes_part(bot: &KnownBot) -> bool {
    bot.state == BotState::Active
}
