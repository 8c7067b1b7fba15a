//! From what a tournament says about its bots to bots that can play.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pitmaster_bots::submission::{
    self, Manifest, Naming, PrepareFault, Prepared, Snapshot, TreeLimits, Unfit, shown_path,
};
use pitmaster_core::{BotHash, BotId, BotName, Dialect, Untrusted};
use pitmaster_games::Game;
use pitmaster_report::LeftOut;
use pitmaster_runner::{Entrant, Start};
use pitmaster_store::{BotState, KnownBot};
use pitmaster_tournament::{Absent, BotEntry, Bots, Fault, Place, Placed};
use rayon::prelude::*;

use super::game::{self, Asked};
use super::house::{self, HouseBot};
use super::{Failure, naming, ways};

/// A bot that was found.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// What.
    pub(super) source: Source,
    /// Where the tournament names it.
    pub(super) place: Place,
    /// What its own entry says.
    pub(super) entry: Option<BotEntry>,
}

/// What plays.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// What was handed in: a folder or a file.
    Path(PathBuf),
    /// A house bot.
    House(HouseBot),
}

impl Found {
    /// Whether it is somebody's program, and not a part of this one.
    pub(super) fn was_handed_in(&self) -> bool {
        matches!(self.source, Source::Path(_))
    }

    /// Whether it thinks on more cores than that of its lane.
    pub(super) fn takes_cores(&self) -> bool {
        matches!(&self.source, Source::House(house) if house.takes_cores())
    }

    /// How it is spoken to, as far as that can be said without building it.
    ///
    /// # Errors
    /// Why it cannot play the game.
    pub(super) fn inspected(&self, game: &Arc<dyn Game>) -> Result<Dialect, Box<Unfit>> {
        let Source::Path(path) = &self.source else { return Ok(Dialect::Pitmaster) };
        match submission::inspect(path, Some(&game::name_of(&**game)), TreeLimits::default()) {
            Ok(manifest) => Ok(manifest.dialect),
            Err(PrepareFault::Bot(unfit)) => Err(unfit),
            Err(PrepareFault::Store(_)) => Ok(Dialect::default()),
        }
    }

    /// How it is named, for people.
    pub(super) fn shown(&self) -> String {
        match &self.source {
            Source::Path(path) => shown_path(path),
            Source::House(bot) => bot.shown(),
        }
    }
}

/// A bot that can play: as the runner knows it, and as the store does.
#[derive(Debug)]
struct Ready {
    entrant: Entrant,
    known: KnownBot,
    authors: Vec<Untrusted>,
    handed_in: Option<HandedIn>,
    note: Option<String>,
}

/// What it takes to build a bot elsewhere.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "bots are built here only"))]
pub(super) struct HandedIn {
    /// The commands that it is built and run with.
    pub(super) tools: Vec<String>,
    /// Its copy.
    pub(super) snapshot: Snapshot,
}

impl HandedIn {
    fn of(manifest: &Manifest, snapshot: Snapshot) -> Self {
        Self { tools: manifest.tools().into_iter().map(str::to_owned).collect(), snapshot }
    }
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
    /// Who wrote them, where their manifests say so.
    pub(super) authors: Vec<(BotName, Vec<Untrusted>)>,
    /// What was handed in of those who are not of the house.
    pub(super) handed_in: Vec<(BotName, HandedIn)>,
    /// Who cannot play, and where the tournament names it.
    pub(super) unfit: Vec<(Place, Unfit)>,
    /// What is to be said about names, and about those who have no manifest.
    pub(super) notes: Vec<String>,
}

/// Finds the bots that a file names; its patterns and paths start at `base`.
pub(super) fn find(bots: &Bots, base: &Path) -> (Vec<Found>, Vec<Fault>) {
    let mut faults = Vec::new();
    let mut found: BTreeMap<PathBuf, Found> = BTreeMap::new();
    let mut house = Vec::new();
    let excluded: Vec<PathBuf> = bots
        .exclude
        .iter()
        .flat_map(|pattern| expand(pattern, "bots.exclude", base, &mut faults))
        .collect();
    for pattern in &bots.include {
        if let Some(name) = house::name_in(Path::new(&pattern.value)) {
            let place = pattern.place;
            match HouseBot::named(name, false) {
                Ok(bot) => house.push(Found { source: Source::House(bot), place, entry: None }),
                Err(message) => {
                    faults.push(Fault { place, key: "bots.include".into(), message });
                }
            }
            continue;
        }
        let paths = expand(pattern, "bots.include", base, &mut faults);
        if paths.is_empty() {
            let message = format!("nothing is there for {:?}; check the path", pattern.value);
            faults.push(Fault { place: pattern.place, key: "bots.include".into(), message });
        }
        for path in paths.into_iter().filter(|path| !excluded.contains(path)) {
            if may_be_a_bot(&path) {
                let (place, source) = (pattern.place, Source::Path(path.clone()));
                found.insert(path, Found { source, place, entry: None });
            }
        }
    }
    for entry in &bots.entries {
        let bot = |source| Found { source, place: entry.place, entry: Some(entry.clone()) };
        match find_entry(entry, base) {
            Ok(Source::Path(path)) => {
                found.insert(path.clone(), bot(Source::Path(path)));
            }
            // Two of one name are two bots: a program may meet itself.
            Ok(source) => house.push(bot(source)),
            Err(message) => {
                faults.push(Fault { place: entry.path.place, key: "bot.path".into(), message });
            }
        }
    }
    (found.into_values().chain(house).collect(), faults)
}

fn find_entry(entry: &BotEntry, base: &Path) -> Result<Source, String> {
    if let Some(name) = house::name_in(Path::new(&entry.path.value)) {
        return HouseBot::named(name, entry.in_process).map(Source::House);
    }
    let path = base.join(&entry.path.value);
    let found = path.canonicalize().map_err(|error| {
        format!("{} cannot be read ({error}); check the path", shown_path(&path))
    })?;
    Ok(Source::Path(found))
}

/// Seats the house bots before a game, and says which of them cannot play it.
pub(super) fn seat_house_bots(found: &mut [Found], asked: &Asked) -> Vec<Fault> {
    let fault = |bot: &mut Found| {
        let Source::House(house) = &mut bot.source else { return None };
        let message = house.take_seat(asked).err()?;
        let entry = bot.entry.as_ref();
        let place = entry.map_or(bot.place, |entry| entry.path.place);
        let key = if entry.is_some() { "bot.path" } else { "bots.include" };
        Some(Fault { place, key: key.into(), message })
    };
    found.iter_mut().filter_map(fault).collect()
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
    const ENDINGS: [&str; 9] = ["py", "jar", "js", "c", "cpp", "cc", "rs", "java", "go"];
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let Ok(facts) = fs::metadata(path) else { return false };
    let known = path.extension().is_some_and(|ext| ENDINGS.iter().any(|&known| ext == known));
    let executable = facts.permissions().mode() & 0o111 != 0;
    !hidden && (facts.is_dir() || known || executable)
}

/// Makes bots that can play of those that were found: [`prepare`], or `admit` where others build.
pub(super) type Gathering = fn(
    &[Found],
    &Arc<dyn Game>,
    &Path,
    Absent,
    &submission::Options,
    &(dyn Fn(&str) + Sync),
) -> Result<Gathered, Failure>;

/// Takes snapshots and builds, several at once; `progress` is called after each.
///
/// # Errors
/// When the results' folder cannot be used, or two bots have one name.
pub(super) fn prepare(
    found: &[Found],
    game: &Arc<dyn Game>,
    store: &Path,
    absent: Absent,
    options: &submission::Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Gathered, Failure> {
    gather(found, absent, progress, |bot, naming| prepare_one(bot, naming, store, game, options))
}

fn gather(
    found: &[Found],
    absent: Absent,
    progress: &(dyn Fn(&str) + Sync),
    one: impl Fn(&Found, Naming) -> Result<Ready, PrepareFault> + Sync,
) -> Result<Gathered, Failure> {
    let (names, notes) = naming::name_all(found)?;
    let prepared: Vec<_> = found
        .par_iter()
        .zip(names)
        .map(|(bot, naming)| {
            let prepared = one(bot, naming);
            progress(&short_name(bot));
            prepared
        })
        .collect();
    let mut bots: Vec<(&Found, Result<Ready, Unfit>)> = Vec::new();
    for (bot, prepared) in found.iter().zip(prepared) {
        bots.push(match prepared {
            Ok(prepared) => (bot, Ok(prepared)),
            Err(PrepareFault::Bot(unfit)) => (bot, Err(*unfit)),
            Err(PrepareFault::Store(fault)) => return Err(Failure::stopped(fault)),
        });
    }
    bots.sort_by(|a, b| name_of(&a.1).cmp(name_of(&b.1)));
    let mut gathered = Gathered { notes, ..Gathered::default() };
    for (bot, prepared) in bots {
        gathered.add(bot, prepared, absent);
    }
    Ok(gathered)
}

fn prepare_one(
    bot: &Found,
    naming: Naming,
    store: &Path,
    game: &Arc<dyn Game>,
    options: &submission::Options,
) -> Result<Ready, PrepareFault> {
    match &bot.source {
        Source::Path(path) => {
            let (prepared, note) = ways::prepare(path, naming, store, game, options)?;
            let known = known(bot, &prepared);
            let Prepared { command, manifest, snapshot, .. } = prepared;
            let handed_in = Some(HandedIn::of(&manifest, snapshot));
            let entrant = Entrant::process(command);
            Ok(Ready { known, authors: manifest.authors, entrant, handed_in, note })
        }
        Source::House(house) => {
            let command = house.command(naming, options);
            let (known, authors) = (house.known(&command), Vec::new());
            let entrant = house.entrant(command);
            Ok(Ready { known, authors, entrant, handed_in: None, note: None })
        }
    }
}

/// The same, but builds nothing: others will.
///
/// # Errors
/// When the results' folder cannot be used, or two bots have one name.
#[cfg(feature = "cluster")]
pub(super) fn admit(
    found: &[Found],
    game: &Arc<dyn Game>,
    store: &Path,
    absent: Absent,
    options: &submission::Options,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Gathered, Failure> {
    gather(found, absent, progress, |bot, naming| admit_one(bot, naming, store, game, options))
}

#[cfg(feature = "cluster")]
fn admit_one(
    bot: &Found,
    naming: Naming,
    store: &Path,
    game: &Arc<dyn Game>,
    options: &submission::Options,
) -> Result<Ready, PrepareFault> {
    let Source::Path(path) = &bot.source else {
        return prepare_one(bot, naming, store, game, options);
    };
    let name = game::name_of(&**game);
    let admitted = submission::admit(path, naming, store, &name, options.limits)?;
    let submission::Admitted { id, display, manifest, snapshot, guess, .. } = admitted;
    let note = guess.map(|guess| ways::untried(&id.name, &guess));
    let entrant = Entrant {
        id: id.clone(),
        dialect: manifest.dialect,
        lenient: manifest.lenient,
        start: Start::Elsewhere,
        absent: None,
        anchor: None,
    };
    let known = KnownBot {
        id,
        display,
        path: bot.shown(),
        dialect: manifest.dialect,
        build: serde_json::Value::Null,
        state: BotState::Active,
    };
    let handed_in = Some(HandedIn::of(&manifest, snapshot));
    Ok(Ready { entrant, known, authors: manifest.authors, handed_in, note })
}

fn short_name(bot: &Found) -> String {
    match &bot.source {
        Source::Path(path) => shown_path(Path::new(path.file_name().unwrap_or_default())),
        Source::House(_) => bot.shown(),
    }
}

/// Looks at what the bots say about themselves, to tell their faults together with those of
/// the file that names them. Copies and runs nothing.
pub(super) fn inspect(found: &[Found]) -> Vec<(Place, Unfit)> {
    let limits = TreeLimits::default();
    let unfit = |bot: &Found| {
        let Source::Path(path) = &bot.source else { return None };
        match submission::inspect(path, None, limits) {
            Err(PrepareFault::Bot(unfit)) => Some((bot.place, *unfit)),
            Ok(_) | Err(PrepareFault::Store(_)) => None,
        }
    };
    found.iter().filter_map(unfit).collect()
}

fn name_of(prepared: &Result<Ready, Unfit>) -> &BotName {
    match prepared {
        Ok(ready) => &ready.entrant.id.name,
        Err(unfit) => &unfit.name,
    }
}

impl Gathered {
    /// Takes a bot that turned out to be unable to play out of the tournament.
    pub(super) fn leave_out(&mut self, id: &BotId, reason: &str) {
        self.entrants.retain(|entrant| entrant.id != *id);
        self.authors.retain(|(name, _)| *name != id.name);
        self.anchors.retain(|(name, _)| *name != id.name);
        for known in self.known.iter_mut().filter(|known| known.id == *id) {
            known.state = BotState::LeftOut { reason: reason.to_owned() };
        }
    }

    /// Who takes no part, with the reason.
    pub(super) fn left_out(&self) -> Vec<LeftOut> {
        self.known.iter().filter_map(left_out).collect()
    }

    fn add(&mut self, bot: &Found, prepared: Result<Ready, Unfit>, absent: Absent) {
        let mut entrant = match prepared {
            Ok(Ready { entrant, known, authors, handed_in, note }) => {
                self.known.push(known);
                self.notes.extend(note);
                let name = &entrant.id.name;
                self.handed_in.extend(handed_in.map(|handed_in| (name.clone(), handed_in)));
                self.authors.push((entrant.id.name.clone(), authors));
                entrant
            }
            Err(unfit) => {
                let entrant = (absent == Absent::Forfeit).then(|| absent_entrant(&unfit));
                let state = match absent {
                    Absent::Forfeit => BotState::Active,
                    Absent::LeaveOut => BotState::LeftOut { reason: unfit.fault.to_string() },
                };
                self.known.push(known_absent(bot, &unfit, state));
                self.unfit.push((bot.place, unfit));
                let Some(entrant) = entrant else { return };
                entrant
            }
        };
        entrant.anchor = bot.entry.as_ref().and_then(|entry| entry.anchor);
        self.anchors.extend(entrant.anchor.map(|elo| (entrant.id.name.clone(), elo)));
        self.entrants.push(entrant);
    }
}

/// A bot as reports tell of it, if it was left out.
pub(super) fn left_out(bot: &KnownBot) -> Option<LeftOut> {
    let BotState::LeftOut { reason } = &bot.state else { return None };
    Some(LeftOut { id: bot.id.clone(), why: reason.clone() })
}

/// A bot that takes part by its forfeits only.
fn absent_entrant(unfit: &Unfit) -> Entrant {
    Entrant {
        id: absent_id(unfit),
        dialect: pitmaster_core::Dialect::default(),
        lenient: false,
        start: Start::Elsewhere,
        absent: Some(unfit.fault.as_forfeit()),
        anchor: None,
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
        path: bot.shown(),
        dialect: prepared.command.dialect,
        build: serde_json::from_slice(&versions).unwrap_or_default(),
        state: BotState::Active,
    }
}

fn known_absent(bot: &Found, unfit: &Unfit, state: BotState) -> KnownBot {
    KnownBot {
        id: absent_id(unfit),
        display: Untrusted::new(unfit.name.as_str()),
        path: bot.shown(),
        dialect: Dialect::default(),
        build: serde_json::Value::Null,
        state,
    }
}

/// Makes a bot that workers found unfit one that takes part by its forfeits only, as one that is
/// found unfit here.
#[cfg(feature = "cluster")]
pub(super) fn set_absent(gathered: &mut Gathered, id: &BotId, fault: &pitmaster_core::Fault) {
    let (display, dialect) = (Untrusted::new(id.name.as_str()), pitmaster_core::Dialect::default());
    for entrant in gathered.entrants.iter_mut().filter(|entrant| entrant.id == *id) {
        entrant.absent = Some(fault.clone());
        (entrant.dialect, entrant.lenient) = (dialect, false);
    }
    for known in gathered.known.iter_mut().filter(|known| known.id == *id) {
        (known.display, known.dialect) = (display.clone(), dialect);
    }
    gathered.authors.retain(|(name, _)| *name != id.name);
}
