//! Board: the jobs that somebody waits for, and what has come back of them.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_games::DynGame;
use pitmaster_runner::{Machine, Place, Played, ScheduledGame};

use super::super::judge;
use super::{Done, Order, Task};
use crate::wire::{Job, RunManifest, What, WireGame};

/// Maximum size of a report, in bytes.
const MOST_REPORT: usize = 4 << 20;

/// All jobs that somebody waits for.
#[derive(Debug, Default)]
pub(super) struct Board {
    jobs: Mutex<HashMap<String, Posted>>,
    /// Bundles that were put on the server.
    bundles: Mutex<BTreeSet<BotHash>>,
    moved: Condvar,
}

/// End of an attempt at a job.
#[derive(Debug)]
pub(super) enum End {
    Done(Done),
    /// Another worker may do it.
    Lost(String),
    /// Its worker lacks tools, and is known to from now on.
    Lacks,
    /// Whoever asked for it does not wait any more.
    Stopped,
}

/// A job that was given to a worker.
#[derive(Debug)]
pub(super) struct Posted {
    /// The worker, by its instance.
    worker: String,
    card: RunManifest,
    game: Arc<dyn DynGame>,
    /// Games that have not come back.
    left: Vec<ScheduledGame>,
    played: Vec<Played>,
    is_play: bool,
    end: Option<End>,
}

/// What the signer of a result has to do with its job.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It was counted.
    Taken,
    /// Nobody waits for it, or it was given to another worker.
    Ignored,
    /// Its worker has signed something that cannot be true.
    Lie(String),
}

impl Posted {
    pub(super) fn new(worker: &str, order: &Order, job: &Job) -> Self {
        let left = match &order.task {
            Task::Play(games) => games.clone(),
            Task::Build | Task::Check => Vec::new(),
        };
        let card = job.practice.as_deref().map(|practice| practice.card.clone());
        Self {
            worker: worker.to_owned(),
            // Every job of this module has one.
            card: card.expect("a job of a practice server"),
            game: Arc::clone(&order.game),
            is_play: !left.is_empty(),
            left,
            played: Vec::new(),
            end: None,
        }
    }

    fn hear(&mut self, what: What, machine: &Machine) -> Result<(), String> {
        let end = match what {
            What::Pairs(pairs) if self.is_play => {
                for game in pairs.into_iter().flatten() {
                    self.take(game, machine)?;
                }
                if !self.left.is_empty() {
                    return Ok(());
                }
                End::Done(Done::Games(std::mem::take(&mut self.played)))
            }
            What::Report(report) if !self.is_play => {
                if report.len() > MOST_REPORT {
                    return Err("a report that is longer than any".into());
                }
                End::Done(Done::Report(report))
            }
            What::Back => End::Lost("its worker gave it back".into()),
            What::GivenUp => End::Lost("its worker fell silent with it".into()),
            What::Unable { why } => End::Lost(format!(
                "its worker cannot do it: {}",
                super::super::subscriptions::shown(&why)
            )),
            What::Lacks(_) => End::Lacks,
            What::Pairs(_) | What::Report(_) | What::Tried(_) | What::Object(_) => {
                return Err("an answer to something else".into());
            }
        };
        self.end.get_or_insert(end);
        Ok(())
    }

    /// Takes a game that was asked for. One that came before is ignored.
    fn take(&mut self, game: WireGame, machine: &Machine) -> Result<(), String> {
        judge::check_record(&game, &self.card, &*self.game)?;
        let is_it = |task: &ScheduledGame| task.key == game.record.key;
        let Some(at) = self.left.iter().position(is_it) else {
            let is_known = self.played.iter().any(|played| played.task.key == game.record.key);
            return if is_known { Ok(()) } else { Err("a game that was not asked for".into()) };
        };
        self.played.push(Played {
            task: self.left.remove(at),
            place: Place { lane: game.lane as usize, machine: Some(machine.clone()) },
            started_at: super::super::state::began(game.started_at_ms),
            took: Duration::from_nanos(game.took_ns),
            void: None,
            record: game.record,
        });
        Ok(())
    }
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Posted>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn enter(&self, id: &str, posted: Posted) {
        self.lock().insert(id.to_owned(), posted);
    }

    pub(super) fn strike(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Number of jobs that each worker has, by instance.
    pub(super) fn given(&self) -> HashMap<String, usize> {
        let mut given = HashMap::new();
        for posted in self.lock().values() {
            *given.entry(posted.worker.clone()).or_default() += 1;
        }
        given
    }

    /// Waits a moment for the end of a job, and takes it.
    pub(super) fn wait(&self, id: &str, most: Duration) -> Option<End> {
        let is_open = |jobs: &mut HashMap<String, Posted>| {
            jobs.get(id).is_some_and(|posted| posted.end.is_none())
        };
        let waited = self.moved.wait_timeout_while(self.lock(), most, is_open);
        let mut jobs = waited.unwrap_or_else(PoisonError::into_inner).0;
        jobs.get_mut(id)?.end.take()
    }

    /// Whether a job was given to this worker.
    pub(super) fn is_with(&self, id: &str, worker: &str) -> bool {
        self.lock().get(id).is_some_and(|posted| posted.worker == worker)
    }

    /// Hears a result of a worker. This takes time, because its games are replayed.
    pub(super) fn hear(&self, id: &str, worker: &str, what: What, machine: &Machine) -> Heard {
        let mut jobs = self.lock();
        let Some(posted) = jobs.get_mut(id).filter(|posted| posted.worker == worker) else {
            return Heard::Ignored;
        };
        let heard = posted.hear(what, machine);
        if let Err(why) = &heard {
            posted.end.get_or_insert(End::Lost(format!("its worker sent something false: {why}")));
        }
        drop(jobs);
        self.moved.notify_all();
        heard.map_or_else(Heard::Lie, |()| Heard::Taken)
    }

    pub(super) fn note_bundle(&self, hash: &BotHash) {
        let mut bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner);
        bundles.insert(hash.clone());
    }

    pub(super) fn bundles(&self) -> Vec<BotHash> {
        let bundles = self.bundles.lock().unwrap_or_else(PoisonError::into_inner);
        bundles.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Dialect, Record, Seed, Untrusted};
    use pitmaster_games::GameSpec;
    use pitmaster_referee::fixtures::random_game;
    use pitmaster_runner::Stopping;

    use super::*;
    use crate::coordinate::ContestBot;
    use crate::wire::{Body, CardBot, PracticeJob, PracticeTask, VERSION};

    fn bots(record: &Record) -> Vec<ContestBot> {
        let card = |id| CardBot {
            id,
            display: Untrusted::new("x"),
            dialect: Dialect::default(),
            lenient: false,
            tools: Vec::new(),
            body: Body::Bundle,
        };
        let bots = record.key.bots.clone();
        [bots.one, bots.two].map(|id| ContestBot { card: card(id), bundle: None }).to_vec()
    }

    /// A game that is asked for, and the game that comes.
    fn asked(task: impl FnOnce(Vec<ScheduledGame>) -> Task) -> (Board, WireGame) {
        let record = random_game(20);
        let key = record.key.clone();
        let scheduled = ScheduledGame { number: 0, key: key.clone(), bots: BySide::new(0, 1) };
        let game = pitmaster_games::find(&GameSpec::plain("coloured-awale")).unwrap();
        let order = Order {
            game: Arc::clone(&game),
            limits: key.limits,
            seed: Seed(1),
            stopping: Stopping::Adaptive,
            bots: bots(&record),
            task: task(vec![scheduled]),
        };
        let card = RunManifest {
            version: VERSION,
            program: String::new(),
            game: game.spec(),
            rules: game.id(),
            limits: order.limits.clone(),
            seed: order.seed,
            stopping: order.stopping,
            tier: None,
            require: String::new(),
            patience_s: 30,
            generation: String::new(),
            bots: Vec::new(),
            practice: false,
        };
        let practice = Some(Box::new(PracticeJob { card, task: PracticeTask::Play }));
        let (contest, bots, games) = (String::new(), vec![0, 1], Vec::new());
        let job = Job { contest, attempt: 1, bots, games, practice };
        let board = Board::default();
        board.enter("j", Posted::new("w", &order, &job));
        let wire =
            WireGame { record, lane: 3, started_at_ms: 1, took_ns: 5, ticket: String::new() };
        (board, wire)
    }

    fn hear(board: &Board, worker: &str, what: What) -> Heard {
        let machine = Machine { name: "pc".into(), isolation: Some(7) };
        board.hear("j", worker, what, &machine)
    }

    fn end(board: &Board) -> Option<End> {
        board.wait("j", Duration::ZERO)
    }

    #[test]
    fn games_come_back_from_the_worker_that_has_them_and_no_other() {
        let (board, game) = asked(Task::Play);
        let pairs = || What::Pairs(vec![vec![game.clone()]]);
        assert_eq!(hear(&board, "another", pairs()), Heard::Ignored);
        assert!(end(&board).is_none() && board.is_with("j", "w") && !board.is_with("j", "v"));
        assert_eq!(board.given()["w"], 1);
        assert_eq!(hear(&board, "w", pairs()), Heard::Taken);
        let Some(End::Done(Done::Games(games))) = end(&board) else { panic!("they are done") };
        let machine = games[0].place.machine.clone().unwrap();
        assert_eq!((games.len(), games[0].place.lane, machine.isolation), (1, 3, Some(7)));
        board.strike("j");
        assert_eq!(hear(&board, "w", pairs()), Heard::Ignored, "nobody waits");
    }

    #[test]
    fn a_game_that_was_not_asked_for_or_was_not_played_like_that_is_a_lie() {
        let change: [fn(&mut Record); 4] = [
            |record| record.key.pair += 1,
            |record| drop(record.plies.pop()),
            |record| record.seed = Seed(2),
            |record| record.duration = Duration::from_secs(1 << 60),
        ];
        for change in change {
            let (board, mut game) = asked(Task::Play);
            change(&mut game.record);
            let heard = hear(&board, "w", What::Pairs(vec![vec![game]]));
            assert!(matches!(heard, Heard::Lie(_)), "{heard:?}");
            assert!(matches!(end(&board), Some(End::Lost(_))));
        }
    }

    #[test]
    fn a_report_is_for_who_asked_for_one() {
        let (board, game) = asked(|_| Task::Build);
        assert!(matches!(hear(&board, "w", What::Pairs(vec![vec![game]])), Heard::Lie(_)));
        let (board, _) = asked(|_| Task::Build);
        assert_eq!(hear(&board, "w", What::Report("{}".into())), Heard::Taken);
        assert!(matches!(end(&board), Some(End::Done(Done::Report(report))) if report == "{}"));
        let (board, _) = asked(|_| Task::Check);
        let endless = What::Report("x".repeat(MOST_REPORT + 1));
        assert!(matches!(hear(&board, "w", endless), Heard::Lie(_)));
        let (board, _) = asked(Task::Play);
        assert!(matches!(hear(&board, "w", What::Report("{}".into())), Heard::Lie(_)));
    }

    #[test]
    fn a_job_that_is_given_back_is_for_another_worker() {
        for what in [What::Back, What::GivenUp, What::Unable { why: "no memory".into() }] {
            let (board, _) = asked(Task::Play);
            assert_eq!(hear(&board, "w", what), Heard::Taken);
            assert!(matches!(end(&board), Some(End::Lost(_))));
        }
        let (board, _) = asked(Task::Play);
        assert_eq!(hear(&board, "w", What::Lacks(vec!["java".into()])), Heard::Taken);
        assert!(matches!(end(&board), Some(End::Lacks)));
    }
}
