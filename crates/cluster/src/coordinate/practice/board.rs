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
