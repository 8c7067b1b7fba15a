//! Jobs of a practice server: versions are built, checked and played as each job says.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};

use async_nats::jetstream::AckKind;
use pitmaster_core::{BotId, Limits, Requirements, Resources, Tier};
use pitmaster_games::DynGame;
use pitmaster_runner::{Batch, Entrant, move_to};
use pitmaster_sandbox::Sandbox;

use super::context::{Cannot, Stand};
use super::jobs::hand_back;
use super::lane::FromLane;
use super::lease::Held;
use super::session::{NOT_BARE, Session};
use crate::wire::{Job, PracticeTask, RunManifest, What};

/// Maximum number of jobs' contexts that are kept, so that the bots of the next pair need not be
/// prepared again.
const MOST_STANDS: usize = 64;

/// Builds and checks versions for a practice server. What it reports travels as it is.
pub trait Examiner: fmt::Debug + Send + Sync {
    /// Builds a version whose files are in the cache, unless it is built already.
    ///
    /// # Errors
    /// What is wrong with this machine.
    fn build(&self, bench: &Bench, bot: &BotId) -> Result<Built, String>;

    /// Checks a version as a whole, on this thread, and returns the report. `None` if it was stopped.
    ///
    /// # Errors
    /// The reason why there is no report.
    fn check(
        &self,
        bench: &Bench,
        bot: &BotId,
        stop: Arc<AtomicBool>,
    ) -> Result<Option<String>, String>;
}

/// Where versions are built, and for what.
#[derive(Debug, Clone)]
pub struct Bench {
    /// Folder of the snapshots.
    pub cache: PathBuf,
    /// The game.
    pub game: Arc<dyn DynGame>,
    /// The limits of its games.
    pub limits: Limits,
    /// The sandbox.
    pub sandbox: Arc<Sandbox>,
}

/// A version that was built, or could not be.
#[derive(Debug)]
pub struct Built {
    /// The version, ready to play; or the reason why it cannot.
    pub entrant: Result<Entrant, String>,
    /// The report.
    pub report: String,
}

/// What a worker keeps of the jobs of a practice server.
#[derive(Debug, Default)]
pub(super) struct Practice {
    /// Contexts of jobs, the latest last.
    stands: VecDeque<(String, Arc<Stand>)>,
    sandboxes: Vec<(Conditions, Arc<Sandbox>)>,
    /// Whether a version is being built: one at a time, beside the lanes.
    builds: Arc<AtomicBool>,
    /// Ends checks, by their jobs.
    stops: Stops,
}

type Conditions = (Option<Tier>, Requirements, Resources);

/// Switches that end running checks, by job.
#[derive(Debug, Clone, Default)]
struct Stops(Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>);

impl Stops {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, job: &str) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        self.lock().insert(job.to_owned(), Arc::clone(&stop));
        stop
    }
}

impl Practice {
    /// Ends a check.
    pub(super) fn stop(&self, job: &str) {
        if let Some(stop) = self.stops.lock().get(job) {
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// Ends all checks.
    pub(super) fn stop_all(&self) {
        self.stops.lock().values().for_each(|stop| stop.store(true, Ordering::SeqCst));
    }

    pub(super) fn is_building(&self) -> bool {
        self.builds.load(Ordering::SeqCst)
    }
}

impl Session<'_> {
    /// The context of a job: that of the contest, or of the job alone if it brings its own manifest.
    pub(super) fn stand_for(
        &mut self,
        job: &Job,
        stand: &Arc<Stand>,
    ) -> Result<Arc<Stand>, Cannot> {
        let Some(practice) = job.practice.as_deref() else { return Ok(Arc::clone(stand)) };
        let id = practice.card.contest();
        if let Some((_, known)) = self.practice.stands.iter().find(|(known, _)| *known == id) {
            return Ok(Arc::clone(known));
        }
        let made = Arc::new(self.make_stand(&practice.card, stand)?);
        if self.practice.stands.len() >= MOST_STANDS {
            self.practice.stands.pop_front();
        }
        self.practice.stands.push_back((id, Arc::clone(&made)));
        Ok(made)
    }

    fn make_stand(&mut self, card: &RunManifest, stand: &Stand) -> Result<Stand, Cannot> {
        let game = Stand::game_of(card).map_err(Cannot::Away)?;
        let sandbox = self.sandbox_for(card)?;
        let isolation = sandbox.isolation();
        if isolation.tier == Tier::Bare && !self.worker.bare && Stand::has_handed_in(card) {
            return Err(Cannot::Away(NOT_BARE.into()));
        }
        let admitted = stand.options.sandbox.isolation();
        if !isolation.is_like(admitted) {
            return Err(Cannot::Away(format!(
                "this worker was let in with {admitted}, and these games would be played under \
                 {isolation}; use the same limits of resources on all ladders of the server"
            )));
        }
        Ok(stand.of_job(card.clone(), game, &sandbox))
    }

    fn sandbox_for(&mut self, card: &RunManifest) -> Result<Arc<Sandbox>, Cannot> {
        let require = Stand::requirements_of(card).map_err(Cannot::Away)?;
        let wanted: Conditions = (card.tier, require, card.limits.resources.clone());
        let known = self.practice.sandboxes.iter().find(|(known, _)| *known == wanted);
        if let Some((_, sandbox)) = known {
            return Ok(Arc::clone(sandbox));
        }
        let chosen = (self.worker.sandbox)(wanted.0, &wanted.1, &wanted.2);
        let sandbox = chosen.map_err(|error| Cannot::Away(error.to_string()))?;
        self.practice.sandboxes.push((wanted, Arc::clone(&sandbox)));
        Ok(sandbox)
    }

    /// Gives a job back whose bots this worker has no tools for; returns whether that is so.
    pub(super) fn lacks(&self, held: &Arc<Held>, stand: &Stand) -> bool {
        if held.job.practice.is_none() || stand.missing.is_empty() {
            return false;
        }
        let lacks = What::Lacks(stand.missing.clone());
        self.answers.conclude(Arc::clone(held), Some(lacks), AckKind::Ack);
        true
    }

    /// Takes a build of a practice server, if there is one.
    pub(super) async fn take_build(&mut self, stand: &Arc<Stand>) {
        let Some(message) = stand.fetch(&stand.builds, &self.answers.post).await else { return };
        let Some(held) = self.open(message, stand).await else { return };
        match self.stand_for(&held.job, stand) {
            Ok(stand) if !self.lacks(&held, &stand) => self.build(held, stand),
            Ok(_) => {}
            Err(cannot) => hand_back(&self.answers, held, cannot, &self.broken),
        }
    }

    /// Builds a version on the cores that no lane has.
    pub(super) fn build(&self, held: Arc<Held>, stand: Arc<Stand>) {
        let (answers, broken) = (self.answers.clone(), Arc::clone(&self.broken));
        let builds = Arc::clone(&self.practice.builds);
        builds.store(true, Ordering::SeqCst);
        tokio::spawn(async move {
            let built = stand.built(held.job.bots[0], &answers.post).await;
            builds.store(false, Ordering::SeqCst);
            match built {
                Ok(Built { report, .. }) => {
                    answers.conclude(held, Some(What::Report(report)), AckKind::Ack);
                }
                Err(cannot) => hand_back(&answers, held, cannot, &broken),
            }
        });
    }

    /// Checks a version on the core of a lane, which waits meanwhile.
    pub(super) fn check(
        &self,
        held: Arc<Held>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        stand: Arc<Stand>,
    ) {
        let core = self.layout.lanes.get(lane).copied().unwrap_or(0);
        let (answers, broken) = (self.answers.clone(), Arc::clone(&self.broken));
        let stops = self.practice.stops.clone();
        let stop = stops.begin(&held.claim.job);
        tokio::spawn(async move {
            let checked = stand.checked(held.job.bots[0], &answers.post, core, stop).await;
            stops.lock().remove(&held.claim.job);
            match checked {
                Ok(report) => {
                    let what = report.map_or(What::Back, What::Report);
                    answers.conclude(held, Some(what), AckKind::Ack);
                }
                Err(cannot) => hand_back(&answers, held, cannot, &broken),
            }
            let _ = answers.wake.send(FromLane::Claim { lane, reply });
        });
    }

    /// Whether a job is a build or a check.
    pub(super) fn task_of(job: &Job) -> Option<PracticeTask> {
        job.practice.as_deref().map(|practice| practice.task)
    }
}

impl Stand {
    /// Checks a bot on a thread of its own, on this core, that outlives what it starts.
    async fn checked(
        &self,
        bot: usize,
        post: &crate::broker::Broker,
        core: usize,
        stop: Arc<AtomicBool>,
    ) -> Result<Option<String>, Cannot> {
        self.fetched(bot, post).await?;
        let (examiner, bench) = (Arc::clone(&self.examiner), self.bench());
        let id = self.card.bots[bot].id.clone();
        let on_core = move || {
            let check = std::thread::spawn(move || {
                move_to(&[core]);
                examiner.check(&bench, &id, stop)
            });
            check.join().unwrap_or_else(|_| Err("the check ended with a panic".into()))
        };
        let done = tokio::task::spawn_blocking(on_core).await;
        done.unwrap_or_else(|panic| Err(panic.to_string())).map_err(Cannot::Away)
    }
}
