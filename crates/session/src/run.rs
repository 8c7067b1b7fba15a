//! Local run: plays a contest, or its pending games, on this machine.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use pitmaster_bots::submission::{Options, shown_path};
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotId, BotName, Isolation, Requirements};
use pitmaster_ratings::Anchor;
use pitmaster_report::LeftOut;
use pitmaster_runner::{Entrant, Event, Executor, Finish, Layout, Run, Stopper, Stopping, Wish};
use pitmaster_sandbox::Sandbox;
use pitmaster_store::{self as store, Counts, LocalRun, Readers, Store};
use pitmaster_tournament::{FormatKind, Tournament};

use crate::bots::Found;
use crate::contest::Contest;
use crate::isolation::{self, IsolationOptions};
use crate::lineup::{self, Lineup, Preparation};
use crate::log::{self, Deed, Draft, Games};
use crate::preflight::{Pace, announcement, try_all};
use crate::results::{Outdated, Results, Summary};
use crate::{Error, Observer, changes, cores, facts, guard, helper, isolation_mismatch, openings};

/// Options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The results folder.
    pub folder: PathBuf,
    /// Users who may read a results folder that is created.
    pub readers: Readers,
    /// Lanes and cores of this machine.
    pub cores: Wish,
    /// Lanes that this process has already reserved. If set, `cores` is ignored.
    pub layout: Option<Layout>,
    /// Time after which no cycle of pairs begins.
    pub until: Option<SystemTime>,
    /// Stops the run from another thread.
    pub stopper: Stopper,
    /// Condition under which the side not to move is suspended.
    pub stopping: Stopping,
    /// Isolation of the bots.
    pub isolation: IsolationOptions,
    /// Whether games may be added to games that were played under different isolation.
    pub mix_isolation: bool,
    /// The language of the page.
    pub lang: Lang,
}

impl RunOptions {
    /// Default options with that results folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            readers: Readers::Owner,
            cores: Wish::default(),
            layout: None,
            until: None,
            stopper: Stopper::default(),
            stopping: Stopping::Adaptive,
            isolation: IsolationOptions::default(),
            mix_isolation: false,
            lang: Lang::English,
        }
    }
}

/// Returns the first of `out/name`, `out/name-2`… that holds no results.
pub fn fresh_folder(out: &Path, name: &str) -> PathBuf {
    let first = out.join(name);
    let numbered = (2..).map(|number| out.join(format!("{name}-{number}")));
    let all = std::iter::once(first.clone()).chain(numbered);
    all.into_iter().find(|folder| !store::is_taken(folder)).unwrap_or(first)
}

/// End of a run. Finished games are stored in any case.
#[derive(Debug)]
pub struct Ended {
    /// Reason for the end.
    pub finish: Result<Finish, Error>,
    /// The results so far. Their files have been written.
    pub summary: Result<Summary, Error>,
    /// Names of the bots that cannot play, and the number of all bots.
    pub absentees: Absentees,
}

/// Bots that cannot play.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Absentees {
    /// Their names.
    pub names: Vec<BotName>,
    /// Number of all bots, including those that can play.
    pub of: usize,
    /// Whether they were left out; otherwise they forfeit all games.
    pub left_out: bool,
}

/// Input of a run, on this machine or on workers.
pub(crate) struct Participants {
    pub(crate) lineup: Lineup,
    pub(crate) crew: Box<dyn Executor>,
    /// Cores and load of this machine; `None` if workers play.
    pub(crate) run: Option<LocalRun>,
    /// Number of games played at once, as far as it is known.
    pub(crate) lanes: usize,
    pub(crate) isolation: Isolation,
    /// Expected duration, measured by the trials.
    pub(crate) pace: Pace,
    /// Bots that no worker can run: their games stay pending.
    pub(crate) left_open: Vec<BotId>,
    /// Facts about the machine or the machines.
    pub(crate) host: serde_json::Value,
}

/// The store of a run with its options and its observer.
pub(crate) struct RunContext<'a> {
    pub(crate) options: &'a RunOptions,
    pub(crate) observer: &'a dyn Observer,
    pub(crate) store: Arc<Store>,
}

/// Plays a contest, or its pending games, on this machine and writes its files.
///
/// # Errors
/// An error before the first game. Later errors are in [`Ended`].
pub fn play(
    mut contest: Contest,
    options: &RunOptions,
    observer: &dyn Observer,
) -> Result<Ended, Error> {
    let context = RunContext::open(&mut contest, options, observer)?;
    // Started first, because orphans of builds become children of this process. A caller with
    // reserved lanes already has a guard.
    let _guard = options.layout.is_none().then(guard::start);
    let participants = context.local_participants(&contest)?;
    let absentees = participants.lineup.absentees(contest.tournament.bots.absent);
    let finish = context.play(&contest, participants)?;
    Ok(context.conclude(finish, absentees))
}

/// Refuses a practice ladder, whose pairs only a practice server chooses.
fn refuse_practice(contest: &Contest) -> Result<(), Error> {
    let mut stages = contest.tournament.format.stages.iter();
    if stages.all(|stage| !matches!(stage.kind, FormatKind::Practice(_))) {
        return Ok(());
    }
    let file = contest.path.as_deref().unwrap_or(Path::new(facts::TOURNAMENT_FILE));
    Err(Error::invalid(format!(
        "{}: format.kind = \"practice\" is a practice ladder, which `pitmaster serve` plays with the \
         folder of its course; for a tournament, choose another kind, such as \"round-robin\"",
        shown_path(file)
    )))
}

impl<'a> RunContext<'a> {
    /// Opens the results folder, and refuses a contest that does not match what it holds.
    pub(crate) fn open(
        contest: &mut Contest,
        options: &'a RunOptions,
        observer: &'a dyn Observer,
    ) -> Result<Self, Error> {
        refuse_practice(contest)?;
        helper::require()?;
        store::probe(&options.folder, options.readers)?;
        let store = Store::open(&options.folder, contest.tournament.durability)?;
        let reader = store.reader()?;
        reader.require_intact()?;
        let kept = reader.facts()?.map(|facts| facts.openings);
        openings::deal(contest, kept.as_ref(), observer)?;
        changes::refuse(&store, &contest.tournament)?;
        Ok(Self { options, observer, store: Arc::new(store) })
    }

    /// Prepares and tries the bots, and reserves the lanes of this machine.
    fn local_participants(&self, contest: &Contest) -> Result<Participants, Error> {
        let (options, observer) = (self.options, self.observer);
        let load = cores::load(observer);
        let layout = match &options.layout {
            Some(layout) => layout.clone(),
            None => cores::reserve(&options.cores, observer)?,
        };
        let sandbox = self.choose_sandbox(contest)?;
        let mut lineup = self.prepare(contest, &sandbox, Preparation::Build)?;
        self.report_unfit(contest, &lineup)?;
        if !options.mix_isolation {
            let bots = lineup.entrants.iter().map(Entrant::planned).collect();
            let isolation = sandbox.isolation();
            isolation_mismatch::refuse(&self.store, &contest.tournament, bots, isolation)?;
        }
        for warning in &layout.warnings {
            observer.note(&format!("warning: {warning}"));
        }
        if layout.lanes.len() > 1 && contest.found.iter().any(Found::takes_cores) {
            observer.note(
                "warning: a house bot with threads takes the cores of other lanes; use --lanes 1",
            );
        }
        let pace = try_all(&mut lineup, contest, &layout, observer);
        let (lanes, shared) = (layout.lanes.clone(), layout.shared.clone());
        Ok(Participants {
            lineup,
            lanes: lanes.len(),
            host: facts::of_this_host(&layout),
            run: Some(LocalRun { lanes, shared, load }),
            crew: Box::new(layout),
            isolation: sandbox.isolation().clone(),
            pace,
            left_open: Vec::new(),
        })
    }

    /// House bots need no sandbox, but play under the same conditions as other bots.
    fn choose_sandbox(&self, contest: &Contest) -> Result<Arc<Sandbox>, Error> {
        let Tournament { isolation, require, limits, .. } = &contest.tournament;
        let wanted = self.options.isolation.tier(*isolation);
        if contest.found.iter().any(Found::was_handed_in) {
            let require = self.options.isolation.required(|| require.clone());
            isolation::choose(wanted, &require, &limits.resources, self.observer)
        } else {
            let require = Requirements::default();
            isolation::choose(wanted, &require, &limits.resources, &crate::Silent)
        }
    }

    pub(crate) fn prepare(
        &self,
        contest: &Contest,
        sandbox: &Arc<Sandbox>,
        how: Preparation,
    ) -> Result<Lineup, Error> {
        let options = Options::of_this_machine(sandbox);
        let bots = self.options.folder.join("bots");
        lineup::prepare(contest, &bots, &options, how, self.observer)
    }

    /// Reports bots that cannot play; fails if fewer than two can.
    pub(crate) fn report_unfit(&self, contest: &Contest, lineup: &Lineup) -> Result<(), Error> {
        for note in &lineup.notes {
            self.observer.note(note);
        }
        for line in contest.unfit(&lineup.unfit) {
            self.observer.warn(&line);
        }
        require_two(lineup)
    }

    /// Plays with these participants. The inner result is the end of the run. Finished games are
    /// stored in any case.
    pub(crate) fn play(
        &self,
        contest: &Contest,
        participants: Participants,
    ) -> Result<Result<Finish, Error>, Error> {
        require_two(&participants.lineup)?;
        contest.judge_format(&participants.lineup.entrants)?;
        let leaving = facts::keep(&self.store, contest, &participants)?;
        self.log_start(&leaving)?;
        let Participants { lineup: Lineup { entrants, .. }, lanes, pace, .. } = &participants;
        self.observer.note(&announcement(contest, entrants, *lanes, pace));
        for note in openings::notes(&contest.tournament, entrants) {
            self.observer.note(&note);
        }
        Ok(self.run(contest, participants))
    }

    /// Logs the start of the run, and the bots whose games no longer count.
    fn log_start(&self, leaving: &[BotName]) -> Result<(), Error> {
        let folder = self.store.folder();
        if !leaving.is_empty() {
            let names: Vec<_> = leaving.iter().map(BotName::as_str).collect();
            log::append(folder, Draft::new(Deed::BotsRemoved, names.join(", ")))?;
        }
        let Counts { valid, void, surplus } = self.store.reader()?.counts()?;
        let games = Games { valid, void, surplus, digest: None };
        let what = if games.attempts() == 0 { Deed::RunStarted } else { Deed::RunResumed };
        log::append(folder, Draft::new(what, "").games(games))
    }

    fn run(&self, contest: &Contest, participants: Participants) -> Result<Finish, Error> {
        let (store, observer) = (&*self.store, self.observer);
        let left_out = participants.lineup.left_out();
        let entrants = participants.lineup.entrants;
        let ids: Vec<BotId> = entrants.iter().map(|entrant| entrant.id.clone()).collect();
        let left_open = &participants.left_open;
        let left_open = (0..ids.len()).filter(|&bot| left_open.contains(&ids[bot])).collect();
        let anchors = (0..)
            .zip(&entrants)
            .filter_map(|(bot, entrant)| Some(Anchor { bot, elo: entrant.anchor? }));
        observer.lineup(&ids, &contest.tournament.format.ranking, &anchors.collect::<Vec<_>>());
        store.reader()?.for_each_outcome(|outcome| observer.stored(&outcome))?;
        let run = Run {
            tournament: &contest.tournament,
            entrants,
            store,
            crew: participants.crew,
            isolation: &participants.isolation,
            stopping: self.options.stopping,
            until: self.options.until,
            stopper: self.options.stopper.clone(),
            left_open,
            kept: store.reader()?.decisions()?,
        };
        let outdated = Outdated::of(store.folder());
        let finish = run.play(&mut |event| {
            if matches!(event, Event::Game { .. } | Event::Superseded { .. }) {
                outdated.set();
            }
            observer.event(event);
            if matches!(event, Event::Started { .. }) {
                for LeftOut { id, why } in &left_out {
                    observer.event(&Event::LeftOut { bot: &id.name, why });
                }
            }
        });
        observer.run_ended();
        Ok(finish?)
    }

    /// Closes the store and writes the files.
    pub(crate) fn conclude(self, finish: Result<Finish, Error>, absentees: Absentees) -> Ended {
        let Self { options, observer, store } = self;
        drop(store);
        let results = Results::open(&options.folder);
        let summary = results.and_then(|results| results.write_files(options.lang, observer));
        let summary = summary.and_then(|summary| {
            let draft = Draft::new(Deed::RunEnded, how(&finish));
            log::append(&options.folder, draft.games(summary.attempts.clone()))?;
            Ok(summary)
        });
        Ended { finish, summary, absentees }
    }
}

/// End of a run for the log.
fn how(finish: &Result<Finish, Error>) -> &'static str {
    match finish {
        Ok(Finish::Complete) => "complete",
        Ok(Finish::Interrupted) => "interrupted",
        Ok(Finish::TimeOver) => "time over",
        Ok(Finish::Incomplete(_)) => "incomplete",
        Ok(Finish::RefereeFailed(_)) => "the referee failed",
        Err(_) => "failed",
    }
}

fn require_two(lineup: &Lineup) -> Result<(), Error> {
    match lineup.entrants.len() {
        playing @ (0 | 1) => Err(Error::TooFewBots { playing }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;

    #[test]
    fn a_practice_ladder_is_left_to_its_server() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tournament.toml");
        let read = |kind: &str| {
            let bots = "[[bot]]\npath = 'house:random'\n[[bot]]\npath = 'house:greedy'\n";
            let text = format!(
                "version = 1\n[game]\nname = 'coloured-awale'\n[format]\nkind = '{kind}'\n{bots}"
            );
            std::fs::write(&file, text).unwrap();
            Contest::read(&file, &Silent).unwrap()
        };
        let options = RunOptions::new(folder.path().join("results"));
        let refused = play(read("practice"), &options, &Silent).unwrap_err().to_string();
        assert!(refused.contains("which `pitmaster serve` plays"), "{refused}");
        assert!(!options.folder.exists());
        assert!(refuse_practice(&read("round-robin")).is_ok());
    }
}
