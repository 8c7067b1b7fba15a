//! From what a tournament says about its bots to bots that can play.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::Failure;
use crate::bot::Launch;
use crate::bot::disk::{self, Naming, PrepareFault, Prepared, Unfit, shown_path};
use crate::record::{BotHash, BotId, BotName, Untrusted};
use crate::runner::Entrant;
use crate::store::{BotState, KnownBot};
use crate::tournament::{Absent, BotEntry, Bots, Fault, Place, Placed};

/// A bot that was found on disk.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// Where.
    pub(super) path: PathBuf,
    /// Where the tournament names it.
    pub(super) place: Place,
    /// What its own entry says.
    pub(super) entry: Option<BotEntry>,
}

/// Bots that were prepared, by name.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// Who takes part, in the order of the plan.
    pub(super) entrants: Vec<Entrant>,
    /// The same for the store.
    pub(super) known: Vec<KnownBot>,
    /// Whose Elo is held.
    pub(super) anchors: Vec<(BotName, f64)>,
    /// Who cannot play, and where the tournament names it.
    pub(super) unfit: Vec<(Place, Unfit)>,
}

/// Finds the bots that a file names; its patterns and paths start at `base`.
pub(super) fn find(bots: &Bots, base: &Path) -> (Vec<Found>, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut found: BTreeMap<PathBuf, Found> = BTreeMap::new();
    let excluded: Vec<PathBuf> = bots
        .exclude
        .iter()
        .flat_map(|pattern| expand(pattern, "bots.exclude", base, &mut faults))
        .collect();
    for pattern in &bots.include {
        let paths = expand(pattern, "bots.include", base, &mut faults);
        if paths.is_empty() {
            let message = format!("nothing is there for {:?}; check the path", pattern.value);
            faults.push(Fault { place: pattern.place, key: "bots.include".into(), message });
        }
        for path in paths.into_iter().filter(|path| !excluded.contains(path)) {
            if may_be_a_bot(&path) {
                let place = pattern.place;
                found.insert(path.clone(), Found { path, place, entry: None });
            }
        }
    }
    for entry in &bots.entries {
        match find_entry(entry, base) {
            Ok(path) => {
                let (place, entry) = (entry.place, Some(entry.clone()));
                found.insert(path.clone(), Found { path, place, entry });
            }
            Err(message) => {
                faults.push(Fault { place: entry.path.place, key: "bot.path".into(), message });
            }
        }
    }
    (found.into_values().collect(), faults)
}

fn find_entry(entry: &BotEntry, base: &Path) -> Result<PathBuf, String> {
    let path = &entry.path.value;
    if path.starts_with("house:") {
        return Err("there are no house bots in this version; write the path of a bot".into());
    }
    let path = base.join(path);
    path.canonicalize()
        .map_err(|error| format!("{} cannot be read ({error}); check the path", shown_path(&path)))
}

fn expand(
    pattern: &Placed<String>,
    key: &str,
    base: &Path,
    faults: &mut Vec<Fault>,
) -> Vec<PathBuf> {
    let base = glob::Pattern::escape(&base.to_string_lossy());
    let whole = if Path::new(&pattern.value).is_absolute() || base.is_empty() {
        pattern.value.clone()
    } else {
        format!("{base}/{}", pattern.value)
    };
    match glob::glob(&whole) {
        Ok(paths) => paths.filter_map(|path| path.ok()?.canonicalize().ok()).collect(),
        Err(error) => {
            let message = format!("{:?} is no pattern: {error}", pattern.value);
            faults.push(Fault { place: pattern.place, key: key.into(), message });
            Vec::new()
        }
    }
}

/// What a pattern meets beside bots (a README, a licence, hidden files) is passed over.
fn may_be_a_bot(path: &Path) -> bool {
    const ENDINGS: [&str; 8] = ["py", "jar", "js", "c", "cpp", "cc", "rs", "java"];
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let Ok(facts) = fs::metadata(path) else { return false };
    let known = path.extension().is_some_and(|ext| ENDINGS.iter().any(|&known| ext == known));
    let executable = facts.permissions().mode() & 0o111 != 0;
    !hidden && (facts.is_dir() || known || executable)
}

/// Takes snapshots and builds, several at once; `progress` is called after each.
///
/// # Errors
/// When the results' folder cannot be used, or two bots have one name.
pub(super) fn prepare(
    found: &[Found],
    game: &str,
    store: &Path,
    absent: Absent,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Gathered, Failure> {
    let options = disk::Options::of_this_machine();
    let prepared: Vec<_> = found
        .par_iter()
        .map(|bot| {
            let prepared = disk::prepare(&bot.path, naming(bot), store, game, &options);
            progress(&shown_path(Path::new(bot.path.file_name().unwrap_or_default())));
            prepared
        })
        .collect();
    let mut bots: Vec<(&Found, Result<Prepared, Unfit>)> = Vec::new();
    for (bot, prepared) in found.iter().zip(prepared) {
        bots.push(match prepared {
            Ok(prepared) => (bot, Ok(prepared)),
            Err(PrepareFault::Bot(unfit)) => (bot, Err(*unfit)),
            Err(PrepareFault::Store(fault)) => return Err(Failure::stopped(fault)),
        });
    }
    bots.sort_by(|a, b| name_of(&a.1).cmp(name_of(&b.1)));
    refuse_shared_names(&bots)?;
    let mut gathered = Gathered::default();
    for (bot, prepared) in bots {
        gathered.add(bot, prepared, absent);
    }
    Ok(gathered)
}

/// Looks at what the bots say about themselves, to tell their faults together with those of
/// the file that names them. Copies and runs nothing.
pub(super) fn inspect(found: &[Found]) -> Vec<(Place, Unfit)> {
    let limits = disk::TreeLimits::default();
    let unfit = |bot: &Found| match disk::inspect(&bot.path, limits) {
        Err(PrepareFault::Bot(unfit)) => Some((bot.place, *unfit)),
        Ok(_) | Err(PrepareFault::Store(_)) => None,
    };
    found.iter().filter_map(unfit).collect()
}

fn naming(bot: &Found) -> Naming {
    let entry = bot.entry.as_ref();
    Naming {
        name: entry.and_then(|entry| Some(entry.name.as_ref()?.value.clone())),
        display: entry.and_then(|entry| Some(Untrusted::new(entry.display.clone()?))),
    }
}

fn name_of(prepared: &Result<Prepared, Unfit>) -> &BotName {
    match prepared {
        Ok(prepared) => &prepared.command.id.name,
        Err(unfit) => &unfit.name,
    }
}

fn refuse_shared_names(bots: &[(&Found, Result<Prepared, Unfit>)]) -> Result<(), Failure> {
    let shared = disk::shared_names(bots.iter().map(|(_, prepared)| name_of(prepared)));
    let message = |(name, positions): (&BotName, Vec<usize>)| {
        let paths: Vec<_> = positions.iter().map(|&at| shown_path(&bots[at].0.path)).collect();
        format!(
            "{} bots are called {name}: {}; give all but one another name, by `name` in a [[bot]] \
             of the tournament file or in its bot.toml",
            paths.len(),
            paths.join(", ")
        )
    };
    let messages: Vec<_> = shared.into_iter().map(message).collect();
    if messages.is_empty() { Ok(()) } else { Err(Failure::wrong(messages.join("\n"))) }
}

impl Gathered {
    fn add(&mut self, bot: &Found, prepared: Result<Prepared, Unfit>, absent: Absent) {
        let entrant = match prepared {
            Ok(prepared) => {
                self.known.push(known(bot, &prepared));
                entrant(prepared)
            }
            Err(unfit) => {
                let entrant = (absent == Absent::Forfeit).then(|| absent_entrant(&unfit));
                if entrant.is_some() {
                    self.known.push(known_absent(bot, &unfit));
                }
                self.unfit.push((bot.place, unfit));
                let Some(entrant) = entrant else { return };
                entrant
            }
        };
        let anchor = bot.entry.as_ref().and_then(|entry| entry.anchor);
        self.anchors.extend(anchor.map(|elo| (entrant.id.name.clone(), elo)));
        self.entrants.push(entrant);
    }
}

/// How a prepared bot is started by the runner.
pub(super) fn entrant(prepared: Prepared) -> Entrant {
    let command = prepared.command;
    Entrant {
        id: command.id.clone(),
        dialect: command.dialect,
        lenient: command.lenient,
        launch: Arc::new(move |side, seed, limits| Launch {
            program: command.program.clone(),
            name: command.arg0.clone(),
            args: command.args(side, seed, limits),
            environment: command.environment(side, seed, limits),
            dir: command.folder.clone(),
        }),
        absent: None,
    }
}

/// A bot that takes part by its forfeits only.
fn absent_entrant(unfit: &Unfit) -> Entrant {
    Entrant {
        id: absent_id(unfit),
        dialect: crate::record::Dialect::default(),
        lenient: false,
        launch: Arc::new(|_, _, _| unreachable!("who is absent is never started")),
        absent: Some(unfit.fault.as_forfeit()),
    }
}

fn absent_id(unfit: &Unfit) -> BotId {
    // What could not even be copied has no content to be known by.
    let hash = unfit.hash.clone().unwrap_or_else(|| BotHash::of(b""));
    BotId { name: unfit.name.clone(), hash }
}

fn known(bot: &Found, prepared: &Prepared) -> KnownBot {
    let versions = fs::read(prepared.snapshot.versions()).unwrap_or_default();
    KnownBot {
        id: prepared.command.id.clone(),
        display: prepared.command.display.clone(),
        path: shown_path(&bot.path),
        dialect: prepared.command.dialect.to_string(),
        build: serde_json::from_slice(&versions).unwrap_or_default(),
        state: BotState::Active,
    }
}

fn known_absent(bot: &Found, unfit: &Unfit) -> KnownBot {
    KnownBot {
        id: absent_id(unfit),
        display: Untrusted::new(unfit.name.as_str()),
        path: shown_path(&bot.path),
        dialect: crate::record::Dialect::default().to_string(),
        build: serde_json::Value::Null,
        state: BotState::Active,
    }
}
