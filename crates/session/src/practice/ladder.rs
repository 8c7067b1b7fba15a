//! Ladder of a practice server: a results folder whose bots change while games are played.
//!
//! The folder is as `pitmaster run` would leave it, so that `standings`, `replay`, `export` and
//! `report` work on it, also while the server plays. Every pair is stored as a decision before it is
//! played, and its two games are stored together.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use pitmaster_bots::submission::{Options, shown_path};
use pitmaster_check::Settings;
use pitmaster_core::{BotId, BotName, Isolation, Limits, RefereeFault};
use pitmaster_games::{DynGame, GameSpec};
use pitmaster_runner::{
    Batch, Entrant, Layout, Machine, Played, STARVED, ScheduledGame, Stopping, Table,
};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{
    Attempt, AttemptState, Counts, LocalRun, Outcome, Readers, Store, host_name, probe,
};
use pitmaster_tournament::{
    self as tournament, Decision, KeptDecision, Meeting, Pairing, PlannedBot, Tournament,
};

use super::validation::Validation;
use super::workers::Workers;
use super::workshop::{Elsewhere, PracticeBot, Workshop};
use crate::bots::Source;
use crate::lineup::{self, Preparation};
use crate::log::{self, Deed, Draft, Games};
use crate::{
    Contest, Error, IsolationOptions, NamedGame, Observer, changes, check, cores, facts, helper,
    isolation, openings,
};

/// A ladder that is open for playing.
#[derive(Debug)]
pub struct PracticeLadder {
    contest: Contest,
    store: Store,
    /// The store's number of the isolation in this process; `None` if workers play, each under its
    /// own.
    isolation: Option<u32>,
    workers: Option<Arc<dyn Workers>>,
    workshop: Workshop,
    house: Vec<PracticeBot>,
    anchors: Vec<(BotName, f64)>,
    field: Field,
    /// Number of stored decisions.
    decisions: usize,
    /// Highest number of a pair, by the names of its bots in order.
    met: HashMap<[BotName; 2], u32>,
}

/// A ladder whose games were not read yet.
#[derive(Debug)]
pub struct UnreadLadder(PracticeLadder);

/// The bots that play now.
#[derive(Debug)]
struct Field {
    table: Arc<Table>,
    planned: Vec<PlannedBot>,
    number: BTreeMap<BotId, usize>,
}

/// What became of the games of a pair.
#[derive(Debug)]
pub struct Kept {
    /// Games that count.
    pub counted: Vec<Played>,
    /// Games to be played again.
    pub again: Vec<ScheduledGame>,
    /// The referee's fault, if one made a game void.
    pub fault: Option<RefereeFault>,
}

impl PracticeLadder {
    /// Opens the ladder of a folder with its `tournament.toml`, whose bots are the house bots that
    /// serve as marks. `bots` is the folder of all snapshots. Its games have to be read before
    /// others are played. If there are `workers`, this process starts no bot.
    ///
    /// # Errors
    /// The file has errors or differs from what was played before, a guarantee is missing on this
    /// machine, or another program writes to the folder.
    pub fn open(
        folder: &Path,
        bots: &Path,
        layout: &Layout,
        wanted: &IsolationOptions,
        workers: Option<&Arc<dyn Workers>>,
        observer: &dyn Observer,
    ) -> Result<UnreadLadder, Error> {
        helper::require()?;
        let mut contest = Contest::read(&folder.join(facts::TOURNAMENT_FILE), observer)?;
        probe(folder, Readers::Owner)?;
        let store = Store::open(folder, contest.tournament.durability)?;
        store.index_lists()?;
        let reader = store.reader()?;
        let kept = reader.facts()?.map(|facts| facts.openings);
        openings::deal(&mut contest, kept.as_ref(), observer)?;
        changes::refuse(&store, &contest.tournament)?;
        let sandbox = if workers.is_some() {
            for_workers(&mut contest)?;
            // Nothing is ever started in it.
            Sandbox::open(&contest.tournament.limits.resources)
        } else {
            let Tournament { isolation, require, limits, .. } = &contest.tournament;
            let require = wanted.required(|| require.clone());
            isolation::choose(wanted.tier(*isolation), &require, &limits.resources, observer)?
        };
        let options = Options::of_this_machine(&sandbox);
        let lineup = lineup::prepare(
            &contest,
            &folder.join("bots"),
            &options,
            Preparation::Build,
            observer,
        )?;
        require_anchors(&contest, &lineup.entrants)?;
        let (lanes, shared) = (layout.lanes.clone(), layout.shared.clone());
        let run = LocalRun { lanes, shared, load: cores::load(observer) };
        let run = workers.is_none().then_some(run);
        facts::keep_rules(&store, &contest, &lineup, run, facts::of_this_host(layout))?;
        let Tournament { game, limits, seed, .. } = &contest.tournament;
        let elsewhere = workers.map(|workers| Elsewhere {
            workers: Arc::clone(workers),
            limits: limits.clone(),
            seed: *seed,
        });
        let workshop = Workshop::here(bots, game.clone(), &sandbox)?.with_workers(elsewhere);
        let house = lineup.entrants.into_iter().zip(lineup.known);
        let house = house.map(|(entrant, known)| PracticeBot {
            entrant,
            known,
            language: None,
            tools: Vec::new(),
        });
        let house: Vec<_> = house.collect();
        let field = Field::new(&contest.tournament, house.iter().map(|bot| bot.entrant.clone()));
        let ladder = Self {
            isolation: match workers {
                Some(_) => None,
                None => Some(store.put_isolation(sandbox.isolation())?),
            },
            workers: workers.cloned(),
            decisions: reader.last_decision()?,
            anchors: lineup.anchors,
            met: HashMap::new(),
            contest,
            store,
            workshop,
            house,
            field,
        };
        Ok(UnreadLadder(ladder))
    }

    /// Where versions are built for this ladder.
    pub fn workshop(&self) -> &Workshop {
        &self.workshop
    }

    /// The house bots with their fixed ratings.
    pub fn marks(&self) -> impl Iterator<Item = (&BotId, f64)> {
        let elo = |name: &BotName| self.anchors.iter().find(|(known, _)| known == name);
        self.house.iter().filter_map(move |bot| Some((bot.id(), elo(&bot.id().name)?.1)))
    }

    /// Number of a seed for choices about pairs, from the ladder's own.
    pub fn seed(&self) -> pitmaster_core::Seed {
        self.contest.tournament.seed
    }

    /// Isolation of the bots.
    ///
    /// # Errors
    /// Those of the store.
    pub fn isolation(&self) -> Result<Option<Isolation>, Error> {
        let all = self.store.reader()?.isolations()?;
        Ok(all.into_iter().find(|it| Some(it.number) == self.isolation).map(|it| it.isolation))
    }

    /// The validation games of a version.
    ///
    /// # Errors
    /// `house:random` cannot play the game.
    pub fn validation(&self, bot: &PracticeBot) -> Result<Validation, Error> {
        let Tournament { game, limits, seed, .. } = &self.contest.tournament;
        Validation::new(&self.workshop, bot, game, limits, *seed)
    }

    /// The game, as `--game` takes it, and the time limit of a move, if there is one.
    pub fn rules(&self) -> (String, Option<Duration>) {
        let Tournament { game, limits, .. } = &self.contest.tournament;
        (game.spec(), limits.per_move)
    }

    pub(super) fn game(&self) -> &Arc<dyn DynGame> {
        &self.contest.tournament.game
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.contest.tournament.limits
    }

    pub(super) fn house_bot(&self, id: &BotId) -> Option<&PracticeBot> {
        self.house.iter().find(|bot| bot.id() == id)
    }

    /// Number of pairs of two bots so far.
    pub fn pairs_of(&self, names: [&BotName; 2]) -> u32 {
        self.met.get(&names_of(names)).copied().unwrap_or(0)
    }

    /// Settings of the whole check of a version, at the ladder's clock.
    pub fn check_settings(&self) -> Settings {
        let Tournament { game, limits, .. } = &self.contest.tournament;
        check_settings(game, limits)
    }

    /// Sets the versions that play from now on, beside the house bots. Versions that are gone keep
    /// their games, which do not count in the standings any more.
    ///
    /// # Errors
    /// Those of the store.
    pub fn set_bots(&mut self, versions: &[PracticeBot]) -> Result<(), Error> {
        let all = || self.house.iter().chain(versions);
        let known: Vec<_> = all().map(|bot| bot.known.clone()).collect();
        facts::keep_bots(&self.store, &known)?;
        let tournament = &self.contest.tournament;
        self.field = Field::new(tournament, all().map(|bot| bot.entrant.clone()));
        Ok(())
    }

    /// Decides that two bots play their next pair, stores that, and returns its games; `None` if one
    /// of them does not play any more. The round is that of the games' keys; games of requests have
    /// one, those of the ladder have 0. `number` is the batch's.
    ///
    /// # Errors
    /// Those of the store.
    pub fn pair(
        &mut self,
        bots: [&BotId; 2],
        round: u32,
        number: u64,
    ) -> Result<Option<Batch>, Error> {
        let place = |bot: &BotId| self.field.number.get(bot).copied();
        let (Some(one), Some(other)) = (place(bots[0]), place(bots[1])) else { return Ok(None) };
        let names = names_of(bots.map(|bot| &bot.name));
        let first_pair = self.met.get(&names).copied().unwrap_or(0) + 1;
        let meeting = Meeting { one, other: Some(other), first_pair, pairs: 1 };
        let batch = tournament::Batch { round, meetings: vec![meeting] };
        let decision = KeptDecision::new(&Decision::Batch { stage: 1, batch }, &self.field.planned);
        self.store.put_decision(self.decisions + 1, &decision)?;
        self.decisions += 1;
        self.met.insert(names, first_pair);
        let pairing = Pairing { stage: 1, round, bots: [one, other], pair: first_pair };
        Ok(Some(self.batch(&pairing, number)))
    }

    fn batch(&self, pairing: &Pairing, number: u64) -> Batch {
        let [one, other] = pairing.bots;
        let seats = [[one, other], [other, one]];
        let keys = self.contest.tournament.game_keys(self.field.planned.clone()).of(pairing);
        let task = |(key, [one, two]): (_, [usize; 2])| ScheduledGame {
            number: self.decisions as u64,
            key,
            bots: pitmaster_core::BySide::new(one, two),
        };
        let tasks = keys.into_iter().zip(seats).map(task).collect();
        Batch { number, table: Arc::clone(&self.field.table), tasks }
    }

    /// Stores played games together, and returns when they are safe. Games that do not count because
    /// of the machine are stored as void.
    ///
    /// # Errors
    /// Those of the store. Nothing is stored then.
    pub fn keep(&self, batch: &Batch, played: Vec<Played>) -> Result<Kept, Error> {
        let mut attempts = Vec::new();
        let mut kept = Kept { counted: Vec::new(), again: Vec::new(), fault: None };
        for played in played {
            let attempt = self.attempt(batch, &played)?;
            if let pitmaster_core::Ending::RefereeError { fault } = &played.record.ending {
                kept.fault = Some(fault.clone());
            }
            match attempt.state {
                AttemptState::Valid => kept.counted.push(played),
                _ => kept.again.push(played.task),
            }
            attempts.push(attempt);
        }
        self.store.commit_together(attempts)?;
        Ok(kept)
    }

    fn attempt(&self, batch: &Batch, played: &Played) -> Result<Attempt, Error> {
        let Played { task, record, place, started_at, .. } = played;
        let since_1970 = started_at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let most = self.contest.tournament.starved_replays;
        let is_starved =
            record.ending.is_starved() && self.store.reader()?.starved(&record.id())? < most;
        let starved = is_starved.then(|| AttemptState::Void { reason: STARVED.to_owned() });
        Ok(Attempt {
            state: starved.unwrap_or_else(|| AttemptState::of(record)),
            record: record.clone(),
            dialects: task.bots.map(|bot| batch.table.entrants[bot].dialect),
            host: place.machine.as_ref().map_or_else(host_name, |machine| machine.name.clone()),
            lane: place.lane as u32,
            started_at: since_1970.as_millis() as u64,
            isolation: match &place.machine {
                Some(machine) => self.isolation_on(machine)?,
                None => self.isolation,
            },
        })
    }

    /// The store's number of the isolation on a worker.
    fn isolation_on(&self, machine: &Machine) -> Result<Option<u32>, Error> {
        let number = machine.isolation.zip(self.workers.as_ref());
        let Some(known) = number.and_then(|(number, workers)| workers.isolation(number)) else {
            return Ok(None);
        };
        Ok(Some(self.store.keep_isolation(known)?))
    }

    /// What is stored, for reading beside the games that are played.
    ///
    /// # Errors
    /// Those of the store.
    pub fn reader(&self) -> Result<pitmaster_store::Reader, Error> {
        Ok(self.store.reader()?)
    }

    /// Closes the ladder, after its last game.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn close(self) -> Result<(), Error> {
        log::append(self.store.folder(), Draft::new(Deed::RunEnded, "the server stopped"))
    }
}

/// Settings of the whole check of a version, at this clock.
pub(super) fn check_settings(game: &Arc<dyn DynGame>, limits: &Limits) -> Settings {
    let game = NamedGame { game: Arc::clone(game), player: None };
    let per_move = limits.per_move.unwrap_or(check::LONGEST_MOVE);
    let settings = check::settings(&game, per_move, limits.first_move, limits.start_up);
    Settings { limits: limits.clone(), ..settings }
}

/// Makes the bots of the file play without processes of this machine.
fn for_workers(contest: &mut Contest) -> Result<(), Error> {
    let file = contest.path.as_deref().unwrap_or(Path::new(facts::TOURNAMENT_FILE));
    let file = shown_path(file);
    if contest.tournament.game.spec().parse::<GameSpec>().is_ok_and(|spec| spec.is_file()) {
        return Err(Error::invalid(format!(
            "{file}: its game is a file of this machine, which workers do not have; choose a game \
             of the catalogue, or serve without --cluster"
        )));
    }
    for bot in &mut contest.found {
        match &mut bot.source {
            Source::House(house) if house.has_table() || house.takes_cores() => {
                return Err(Error::invalid(format!(
                    "{file}: {} needs a file or cores of this machine, which workers may not have; \
                     leave its options tables and threads out, or serve without --cluster",
                    house.name()
                )));
            }
            Source::House(house) => house.set_in_process(),
            Source::Path(path) => {
                return Err(Error::invalid(format!(
                    "{file}: {} would run in the server's process; a ladder that workers play has \
                     house bots only in its file",
                    shown_path(path)
                )));
            }
        }
    }
    Ok(())
}

impl UnreadLadder {
    /// The house bots with their fixed ratings.
    pub fn marks(&self) -> impl Iterator<Item = (&BotId, f64)> {
        self.0.marks()
    }

    /// Number of a seed for choices about pairs, from the ladder's own.
    pub fn seed(&self) -> pitmaster_core::Seed {
        self.0.seed()
    }

    /// Reads all games, once, and checks that their records are unchanged. Calls `each` with the
    /// outcome of every game that counts, in the order of commits, those of former versions included.
    ///
    /// # Errors
    /// A record was altered, and those of the store and the log.
    pub fn read(self, mut each: impl FnMut(Outcome)) -> Result<PracticeLadder, Error> {
        let Self(mut ladder) = self;
        let met = &mut ladder.met;
        ladder.store.reader()?.for_each_intact_outcome(|outcome| {
            note_pair(met, &outcome);
            each(outcome);
        })?;
        log_start(&ladder.store)?;
        Ok(ladder)
    }
}

impl Field {
    fn new(tournament: &Tournament, entrants: impl Iterator<Item = Entrant>) -> Self {
        let entrants: Vec<_> = entrants.collect();
        let planned: Vec<_> = entrants.iter().map(Entrant::planned).collect();
        let number = planned.iter().zip(0..).map(|(bot, at)| (bot.id.clone(), at)).collect();
        let (game, seed, stopping) = (tournament.game.clone(), tournament.seed, Stopping::Adaptive);
        Self { table: Arc::new(Table { game, seed, stopping, entrants }), planned, number }
    }
}

/// Ratings of a ladder stay comparable over the months only if those of its marks are fixed.
fn require_anchors(contest: &Contest, entrants: &[Entrant]) -> Result<(), Error> {
    let Some(bot) = entrants.iter().find(|entrant| entrant.anchor.is_none()) else { return Ok(()) };
    let file = contest.path.as_deref().unwrap_or(Path::new(facts::TOURNAMENT_FILE));
    Err(Error::invalid(format!(
        "{}: {} has no fixed rating; write anchor = 1500 or the like into its [[bot]]",
        shown_path(file),
        bot.id.name
    )))
}

fn names_of(names: [&BotName; 2]) -> [BotName; 2] {
    let mut names = names.map(BotName::clone);
    names.sort();
    names
}

fn note_pair(met: &mut HashMap<[BotName; 2], u32>, outcome: &Outcome) {
    let bots = &outcome.key.bots;
    let highest = met.entry(names_of([&bots.one.name, &bots.two.name])).or_default();
    *highest = outcome.key.pair.max(*highest);
}

/// Logs that playing begins.
fn log_start(store: &Store) -> Result<(), Error> {
    let Counts { valid, void, surplus } = store.reader()?.counts()?;
    let games = Games { valid, void, surplus, digest: None };
    let what = if games.attempts() == 0 { Deed::RunStarted } else { Deed::RunResumed };
    log::append(store.folder(), Draft::new(what, "practice").games(games))
}
