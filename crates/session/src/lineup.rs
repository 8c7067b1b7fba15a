//! Lineup: bots that were copied, built and named, ready to take part.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pitmaster_bots::submission::{
    Manifest, Naming, Options, PrepareError, Prepared, Snapshot, Unfit, shown_path,
};
use pitmaster_core::{BotHash, BotId, BotName, Dialect, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_report::LeftOut;
use pitmaster_runner::{Entrant, Start};
use pitmaster_store::{BotState, KnownBot};
use pitmaster_tournament::{Absent, Location};
use rayon::prelude::*;

use crate::bots::{Found, Source};
use crate::contest::Contest;
use crate::observer::Steps;
use crate::run::Absentees;
use crate::{Error, Observer, Task, dialect_trial, naming};

/// A bot that can play.
#[derive(Debug)]
struct Ready {
    entrant: Entrant,
    known: KnownBot,
    authors: Vec<Untrusted>,
    handed_in: Option<HandedIn>,
    note: Option<String>,
}

/// A submission that another machine can build.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "bots are built here only"))]
pub(crate) struct HandedIn {
    /// Tools that building and running the submission needs.
    pub(crate) tools: Vec<String>,
    /// The submission's snapshot.
    pub(crate) snapshot: Snapshot,
}

impl HandedIn {
    fn of(manifest: &Manifest, snapshot: Snapshot) -> Self {
        Self { tools: manifest.tools().into_iter().map(str::to_owned).collect(), snapshot }
    }
}

/// Bots that take part or were left out.
#[derive(Debug, Default)]
pub(crate) struct Lineup {
    /// Entrants, in the order of the plan.
    pub(crate) entrants: Vec<Entrant>,
    /// The bots in stored form.
    pub(crate) known: Vec<KnownBot>,
    /// Bots with a fixed Elo.
    pub(crate) anchors: Vec<(BotName, f64)>,
    /// Authors by bot, from the manifests.
    pub(crate) authors: Vec<(BotName, Vec<Untrusted>)>,
    /// Submissions by bot; house bots have none.
    pub(crate) handed_in: Vec<(BotName, HandedIn)>,
    /// Bots that cannot play, with their locations in the tournament file.
    pub(crate) unfit: Vec<(Location, Unfit)>,
    /// Remarks about names and about bots without a manifest.
    pub(crate) notes: Vec<String>,
}

/// Preparation of bots.
#[derive(Clone, Copy)]
pub(crate) enum Preparation {
    /// This machine copies and builds them.
    Build,
    /// This machine copies them; workers build them.
    #[cfg(feature = "cluster")]
    Copy,
}

/// Takes snapshots of all bots of a contest and builds several at once, unless workers do that.
///
/// # Errors
/// The results folder cannot be used, or two bots have the same name.
pub(crate) fn prepare(
    contest: &Contest,
    store: &Path,
    options: &Options,
    how: Preparation,
    observer: &dyn Observer,
) -> Result<Lineup, Error> {
    let (found, absent) = (&contest.found, contest.tournament.bots.absent);
    let game = &contest.tournament.game;
    let steps = Steps::new(observer, how.task(), found.len() as u64);
    let (names, notes) = naming::name_all(found)?;
    let prepared: Vec<_> = found
        .par_iter()
        .zip(names)
        .map(|(bot, naming)| {
            let prepared = how.prepare(bot, naming, store, game, options);
            steps.step(&short_name(bot));
            prepared
        })
        .collect();
    let mut bots: Vec<(&Found, Result<Ready, Unfit>)> = Vec::new();
    for (bot, prepared) in found.iter().zip(prepared) {
        bots.push((bot, prepared?));
    }
    bots.sort_by(|a, b| name_of(&a.1).cmp(name_of(&b.1)));
    let mut lineup = Lineup { notes, ..Lineup::default() };
    for (bot, prepared) in bots {
        lineup.add(bot, prepared, absent);
    }
    Ok(lineup)
}

impl Preparation {
    fn task(self) -> Task {
        match self {
            Self::Build => Task::PrepareBots,
            #[cfg(feature = "cluster")]
            Self::Copy => Task::CopyBots,
        }
    }

    fn prepare(
        self,
        bot: &Found,
        naming: Naming,
        store: &Path,
        game: &Arc<dyn DynGame>,
        options: &Options,
    ) -> Result<Result<Ready, Unfit>, Error> {
        match self {
            Self::Build => prepare_one(bot, naming, store, game, options),
            #[cfg(feature = "cluster")]
            Self::Copy => copy_one(bot, naming, store, game, options),
        }
    }
}

fn prepare_one(
    bot: &Found,
    naming: Naming,
    store: &Path,
    game: &Arc<dyn DynGame>,
    options: &Options,
) -> Result<Result<Ready, Unfit>, Error> {
    match &bot.source {
        Source::Path(path) => {
            let prepared = dialect_trial::prepare(path, naming, store, game, options);
            Ok(unfit_apart(prepared)?.map(|(prepared, note)| {
                let known = known(bot.shown(), &prepared);
                let Prepared { command, manifest, snapshot, .. } = prepared;
                let handed_in = Some(HandedIn::of(&manifest, snapshot));
                let entrant = Entrant::process(command);
                Ready { known, authors: manifest.authors, entrant, handed_in, note }
            }))
        }
        Source::House(house) => {
            let command = house.command(naming, options).map_err(Error::invalid)?;
            let (known, authors) = (house.known(&command), Vec::new());
            let entrant = house.entrant(command);
            Ok(Ok(Ready { known, authors, entrant, handed_in: None, note: None }))
        }
    }
}

/// Separates errors of a bot, which do not affect others, from errors of the machine.
fn unfit_apart<T>(prepared: Result<T, PrepareError>) -> Result<Result<T, Unfit>, Error> {
    match prepared {
        Ok(prepared) => Ok(Ok(prepared)),
        Err(PrepareError::Bot(unfit)) => Ok(Err(*unfit)),
        Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
    }
}

#[cfg(feature = "cluster")]
fn copy_one(
    bot: &Found,
    naming: Naming,
    store: &Path,
    game: &Arc<dyn DynGame>,
    options: &Options,
) -> Result<Result<Ready, Unfit>, Error> {
    let Source::Path(path) = &bot.source else {
        return prepare_one(bot, naming, store, game, options);
    };
    let name = crate::game::name_of(&**game);
    let admitted = pitmaster_bots::submission::admit(path, naming, store, &name, options.limits);
    let pitmaster_bots::submission::Admitted { id, display, manifest, snapshot, guess, .. } =
        match unfit_apart(admitted)? {
            Ok(admitted) => admitted,
            Err(unfit) => return Ok(Err(unfit)),
        };
    let note = guess.map(|guess| dialect_trial::untried(&id.name, &guess));
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
    Ok(Ok(Ready { entrant, known, authors: manifest.authors, handed_in, note }))
}

fn short_name(bot: &Found) -> String {
    match &bot.source {
        Source::Path(path) => shown_path(Path::new(path.file_name().unwrap_or_default())),
        Source::House(_) => bot.shown(),
    }
}

fn name_of(prepared: &Result<Ready, Unfit>) -> &BotName {
    match prepared {
        Ok(ready) => &ready.entrant.id.name,
        Err(unfit) => &unfit.name,
    }
}

impl Lineup {
    /// Removes a bot that turned out to be unable to play.
    pub(crate) fn leave_out(&mut self, id: &BotId, reason: &str) {
        self.entrants.retain(|entrant| entrant.id != *id);
        self.authors.retain(|(name, _)| *name != id.name);
        self.anchors.retain(|(name, _)| *name != id.name);
        for known in self.known.iter_mut().filter(|known| known.id == *id) {
            known.state = BotState::LeftOut { reason: reason.to_owned() };
        }
    }

    /// Bots that take no part, with the reasons.
    pub(crate) fn left_out(&self) -> Vec<LeftOut> {
        self.known.iter().filter_map(left_out).collect()
    }

    /// Bots that cannot play.
    pub(crate) fn absentees(&self, absent: Absent) -> Absentees {
        let left_out: Vec<_> = self.left_out().into_iter().map(|bot| bot.id.name).collect();
        let of = self.entrants.len() + left_out.len();
        let forfeiting = self.entrants.iter().filter(|entrant| entrant.absent.is_some());
        let mut names = left_out;
        names.extend(forfeiting.map(|entrant| entrant.id.name.clone()));
        names.sort();
        Absentees { names, of, left_out: absent == Absent::LeaveOut }
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

/// Returns a bot's entry in reports if it was left out.
pub(crate) fn left_out(bot: &KnownBot) -> Option<LeftOut> {
    let BotState::LeftOut { reason } = &bot.state else { return None };
    Some(LeftOut { id: bot.id.clone(), why: reason.clone() })
}

/// An entrant that forfeits all of its games.
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
    let hash = unfit.hash.clone().unwrap_or_else(BotHash::unknown);
    BotId { name: unfit.name.clone(), hash }
}

/// Stored form of a bot with this path.
pub(crate) fn known(path: String, prepared: &Prepared) -> KnownBot {
    let versions = fs::read(prepared.snapshot.versions()).unwrap_or_default();
    KnownBot {
        id: prepared.command.id.clone(),
        display: prepared.command.display.clone(),
        path,
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

/// Makes a bot that workers could not build forfeit all of its games.
#[cfg(feature = "cluster")]
pub(crate) fn set_absent(lineup: &mut Lineup, id: &BotId, fault: &pitmaster_core::Fault) {
    let (display, dialect) = (Untrusted::new(id.name.as_str()), pitmaster_core::Dialect::default());
    for entrant in lineup.entrants.iter_mut().filter(|entrant| entrant.id == *id) {
        entrant.absent = Some(fault.clone());
        (entrant.dialect, entrant.lenient) = (dialect, false);
    }
    for known in lineup.known.iter_mut().filter(|known| known.id == *id) {
        (known.display, known.dialect) = (display.clone(), dialect);
    }
    lineup.authors.retain(|(name, _)| *name != id.name);
}
