//! Jobs of a practice server: builds, checks, and games with their own manifests.

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

use super::context::{ContestContext, PlayError};
use super::jobs::return_job;
use super::lane::LaneEvent;
use super::lease::Lease;
use super::session::{BARE_REFUSED, WorkerSession};
use crate::wire::{Content, Job, PracticeTask, RunManifest};

/// Maximum number of cached contexts. They keep bots prepared for the next job.
const MAX_CONTEXTS: usize = 64;

/// Builder and checker of versions for a practice server. Its reports are passed on unchanged.
pub trait Examiner: fmt::Debug + Send + Sync {
    /// Builds a version whose files are in the cache, unless it is built already.
    ///
    /// # Errors
    /// This machine is broken.
    fn build(&self, environment: &BuildEnvironment, bot: &BotId) -> Result<BuildResult, String>;

    /// Runs all checks of a version on this thread. Returns the report, or `None` if it was stopped.
    ///
    /// # Errors
    /// The reason why there is no report.
    fn check(
        &self,
        environment: &BuildEnvironment,
        bot: &BotId,
        stop: Arc<AtomicBool>,
    ) -> Result<Option<String>, String>;
}

/// Environment in which a version is built or checked.
#[derive(Debug, Clone)]
pub struct BuildEnvironment {
    /// Folder of the bots' snapshots.
    pub cache: PathBuf,
    /// Rules of the game.
    pub game: Arc<dyn DynGame>,
    /// Limits of the games.
    pub limits: Limits,
    /// Sandbox for builds and bots.
    pub sandbox: Arc<Sandbox>,
}

/// Result of building a version.
#[derive(Debug)]
pub struct BuildResult {
    /// The version, ready to play, or the reason why it cannot play.
    pub entrant: Result<Entrant, String>,
    /// Report for the practice server.
    pub report: String,
}

/// State of a worker's practice jobs.
#[derive(Debug, Default)]
pub(super) struct PracticeJobs {
    /// Cached contexts by contest id, oldest first.
    contexts: VecDeque<(String, Arc<ContestContext>)>,
    sandboxes: Vec<(SandboxRequest, Arc<Sandbox>)>,
    /// Whether a build is running. Builds run one at a time.
    is_building: Arc<AtomicBool>,
    /// Stop flags of running checks.
    stops: StopFlags,
}

type SandboxRequest = (Option<Tier>, Requirements, Resources);

/// Stop flags of running checks, by job.
#[derive(Debug, Clone, Default)]
struct StopFlags(Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>);

impl StopFlags {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn create(&self, job: &str) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        self.lock().insert(job.to_owned(), Arc::clone(&stop));
        stop
    }
}

impl PracticeJobs {
    /// Stops the check of a job, if it is running.
    pub(super) fn stop(&self, job: &str) {
        if let Some(stop) = self.stops.lock().get(job) {
            stop.store(true, Ordering::SeqCst);
        }
    }

    /// Stops all checks.
    pub(super) fn stop_all(&self) {
        self.stops.lock().values().for_each(|stop| stop.store(true, Ordering::SeqCst));
    }

    pub(super) fn is_building(&self) -> bool {
        self.is_building.load(Ordering::SeqCst)
    }
}

impl WorkerSession<'_> {
    /// Returns the context of a job: that of its own manifest, or else that of the contest.
    pub(super) fn context_for(
        &mut self,
        job: &Job,
        context: &Arc<ContestContext>,
    ) -> Result<Arc<ContestContext>, PlayError> {
        let Some(practice) = job.practice.as_deref() else { return Ok(Arc::clone(context)) };
        let id = practice.manifest.contest();
        if let Some((_, known)) = self.practice.contexts.iter().find(|(known, _)| *known == id) {
            return Ok(Arc::clone(known));
        }
        let created = Arc::new(self.create_context(&practice.manifest, context)?);
        if self.practice.contexts.len() >= MAX_CONTEXTS {
            self.practice.contexts.pop_front();
        }
        self.practice.contexts.push_back((id, Arc::clone(&created)));
        Ok(created)
    }

    fn create_context(
        &mut self,
        manifest: &RunManifest,
        context: &ContestContext,
    ) -> Result<ContestContext, PlayError> {
        let game = ContestContext::game_of(manifest).map_err(PlayError::Unavailable)?;
        let sandbox = self.sandbox_for(manifest)?;
        let isolation = sandbox.isolation();
        if isolation.tier == Tier::Bare
            && !self.worker.bare
            && ContestContext::has_submissions(manifest)
        {
            return Err(PlayError::Unavailable(BARE_REFUSED.into()));
        }
        let admitted = context.options.sandbox.isolation();
        if !isolation.is_like(admitted) {
            return Err(PlayError::Unavailable(format!(
                "this worker was admitted with {admitted}, and these games would be played under \
                 {isolation}; use the same resource limits on all ladders of the server"
            )));
        }
        Ok(context.for_job(manifest.clone(), game, &sandbox))
    }

    fn sandbox_for(&mut self, manifest: &RunManifest) -> Result<Arc<Sandbox>, PlayError> {
        let require = ContestContext::requirements_of(manifest).map_err(PlayError::Unavailable)?;
        let request: SandboxRequest = (manifest.tier, require, manifest.limits.resources.clone());
        let known = self.practice.sandboxes.iter().find(|(known, _)| *known == request);
        if let Some((_, sandbox)) = known {
            return Ok(Arc::clone(sandbox));
        }
        let chosen = (self.worker.sandbox)(request.0, &request.1, &request.2);
        let sandbox = chosen.map_err(|error| PlayError::Unavailable(error.to_string()))?;
        self.practice.sandboxes.push((request, Arc::clone(&sandbox)));
        Ok(sandbox)
    }

    /// Returns a practice job if this worker lacks tools of its bots. Returns whether it does.
    pub(super) fn return_if_tools_missing(
        &self,
        lease: &Arc<Lease>,
        context: &ContestContext,
    ) -> bool {
        if lease.job.practice.is_none() || context.missing.is_empty() {
            return false;
        }
        let content = Content::MissingTools(context.missing.clone());
        self.sender.conclude(Arc::clone(lease), Some(content), AckKind::Ack);
        true
    }

    /// Fetches and starts a build, if there is one.
    pub(super) async fn take_build(&mut self, context: &Arc<ContestContext>) {
        let Some(message) = context.fetch(&context.builds, &self.sender.broker).await else {
            return;
        };
        let Some(lease) = self.accept(message, context).await else { return };
        match self.context_for(&lease.job, context) {
            Ok(context) if !self.return_if_tools_missing(&lease, &context) => {
                self.build(lease, context);
            }
            Ok(_) => {}
            Err(error) => return_job(&self.sender, lease, error, &self.broken),
        }
    }

    /// Starts a build outside the lanes.
    pub(super) fn build(&self, lease: Arc<Lease>, context: Arc<ContestContext>) {
        let (sender, broken) = (self.sender.clone(), Arc::clone(&self.broken));
        let is_building = Arc::clone(&self.practice.is_building);
        is_building.store(true, Ordering::SeqCst);
        tokio::spawn(async move {
            let result = context.build(lease.job.bots[0], &sender.broker).await;
            is_building.store(false, Ordering::SeqCst);
            match result {
                Ok(BuildResult { report, .. }) => {
                    sender.conclude(lease, Some(Content::Report(report)), AckKind::Ack);
                }
                Err(error) => return_job(&sender, lease, error, &broken),
            }
        });
    }

    /// Starts a check on the core of a lane, which waits meanwhile.
    pub(super) fn check(
        &self,
        lease: Arc<Lease>,
        lane: usize,
        reply: mpsc::Sender<Option<Batch>>,
        context: Arc<ContestContext>,
    ) {
        let core = self.layout.lanes.get(lane).copied().unwrap_or(0);
        let (sender, broken) = (self.sender.clone(), Arc::clone(&self.broken));
        let stops = self.practice.stops.clone();
        let stop = stops.create(&lease.claim.job);
        tokio::spawn(async move {
            let result = context.check(lease.job.bots[0], &sender.broker, core, stop).await;
            stops.lock().remove(&lease.claim.job);
            match result {
                Ok(report) => {
                    let content = report.map_or(Content::Returned, Content::Report);
                    sender.conclude(lease, Some(content), AckKind::Ack);
                }
                Err(error) => return_job(&sender, lease, error, &broken),
            }
            let _ = sender.events.send(LaneEvent::Claim { lane, reply });
        });
    }

    /// Task of a practice job.
    pub(super) fn practice_task(job: &Job) -> Option<PracticeTask> {
        job.practice.as_deref().map(|practice| practice.task)
    }
}

impl ContestContext {
    /// Runs the checks of a bot on a new thread, which is pinned to a core and outlives the bot's
    /// processes.
    async fn check(
        &self,
        bot: usize,
        broker: &crate::broker::Broker,
        core: usize,
        stop: Arc<AtomicBool>,
    ) -> Result<Option<String>, PlayError> {
        self.fetch_snapshot(bot, broker).await?;
        let (examiner, environment) = (Arc::clone(&self.examiner), self.environment());
        let id = self.manifest.bots[bot].id.clone();
        let on_core = move || {
            let check = std::thread::spawn(move || {
                move_to(&[core]);
                examiner.check(&environment, &id, stop)
            });
            check.join().unwrap_or_else(|_| Err("the check ended with a panic".into()))
        };
        let done = tokio::task::spawn_blocking(on_core).await;
        done.unwrap_or_else(|panic| Err(panic.to_string())).map_err(PlayError::Unavailable)
    }
}
