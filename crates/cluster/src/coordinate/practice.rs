//! Coordinator of a practice server: assigns single jobs to workers and waits for the results.
//!
//! Unlike in a contest, each job has its own bots and games, and the requester waits for it. Nothing
//! is recovered after a crash, because the requester schedules its jobs again.

mod collect;
mod pending_jobs;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use pitmaster_core::{Limits, Seed};
use pitmaster_games::DynGame;
use pitmaster_runner::{Played, ScheduledGame, Stopping};
use pitmaster_tournament::worst_duration;
use tokio::runtime::Runtime;

use self::pending_jobs::{JobEnd, PendingJob, PendingJobs};
use super::state::{CoordinatorHooks, CoordinatorState, Setup};
use super::{CLEANUP_TIMEOUT, Contest, ContestBot, POLL_INTERVAL, already_coordinated, server};
use crate::broker::{Broker, runtime};
use crate::connect::Access;
use crate::status::{WorkerStatus, status};
use crate::wire::{
    BROADCAST, Broadcast, Job, JobGame, NEW_JOBS, PracticeJob, PracticeTask, RunManifest,
    class_of_builds, class_of_lanes, encode, id_of, jobs_of,
};
use crate::{ClusterError, bundle_name, manifest_name};

/// Maximum number of workers that a job is assigned to, one after the other.
const MAX_ATTEMPTS: u32 = 3;

/// Time after which a build is considered lost.
const BUILD_TIMEOUT: Duration = Duration::from_mins(15);

/// Time after which a check is considered lost.
const CHECK_TIMEOUT: Duration = Duration::from_hours(2);

/// A job for a worker.
#[derive(Debug, Clone)]
pub struct JobRequest {
    /// The rules.
    pub game: Arc<dyn DynGame>,
    /// The limits of its games.
    pub limits: Limits,
    /// The seed.
    pub seed: Seed,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// The bot to build or check, or the two bots to play.
    pub bots: Vec<ContestBot>,
    /// The task.
    pub task: Task,
}

/// Task of a job.
#[derive(Debug, Clone)]
pub enum Task {
    /// Build the bot and report its properties.
    Build,
    /// Build the bot and run all checks.
    Check,
    /// Play games of the two bots.
    Play(Vec<ScheduledGame>),
}

/// Output of a job.
#[derive(Debug)]
pub enum JobOutput {
    /// Games in the order of arrival.
    Games(Vec<Played>),
    /// Report of a build or a check, from the worker's [`Examiner`](crate::Examiner). Untrusted.
    Report(String),
}

/// Reason why a job has no output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// There are no workers.
    #[error("no worker is there")]
    NoWorker,
    /// No worker has all tools.
    #[error("no worker has {}", .0.join(", "))]
    NoTools(Vec<String>),
    /// All attempts failed. The field is the reason of the last failure.
    #[error("{0}")]
    Lost(String),
    /// The requester canceled the job.
    #[error("the job was canceled")]
    Stopped,
}

/// A running coordinator of a practice server.
#[derive(Debug)]
pub struct PracticeCoordinator {
    state: Arc<CoordinatorState>,
    pending: Arc<PendingJobs>,
    // Dropped last, because its tasks use the other fields.
    runtime: Runtime,
}

impl PracticeCoordinator {
    /// Starts the coordinator of a practice server. A NATS server can have only one coordinator. The
    /// contest has no bots; workers are admitted according to its limits, tier and guarantees.
    ///
    /// # Errors
    /// The server cannot be used, or it already has a coordinator.
    pub fn start(
        contest: Contest,
        access: &Access,
        hooks: CoordinatorHooks,
    ) -> Result<Self, ClusterError> {
        let runtime = runtime(2).map_err(|error| ClusterError::Server(error.to_string()))?;
        let broker = runtime.block_on(Broker::connect(access, "practice"))?;
        if let Some(other) = runtime.block_on(status(&broker)) {
            return Err(already_coordinated(&other));
        }
        let game = Arc::clone(&contest.game);
        let (manifest, bundles) = contest.into_manifest();
        let manifest = RunManifest { practice: true, ..manifest };
        let runtime_of = runtime.handle().clone();
        let setup = Setup { broker, manifest, game, bundles, hooks, runtime: runtime_of };
        let state = Arc::new(CoordinatorState::new(setup));
        runtime.block_on(async {
            state.broker.create_streams().await.map_err(server)?;
            // Jobs of an earlier coordinator no longer have a requester.
            state.broker.delete_contest(&state.contest, &[]).await;
            state.set_up_server().await.map_err(server)
        })?;
        let pending = Arc::new(PendingJobs::default());
        runtime.spawn(Arc::clone(&state).serve_subscriptions());
        runtime.spawn(Arc::clone(&pending).process_results(Arc::clone(&state)));
        runtime.spawn(Arc::clone(&state).run_reaper());
        Ok(Self { state, pending, runtime })
    }

    /// Number of games that the workers play at once.
    pub fn lanes(&self) -> usize {
        self.state.registry.lanes()
    }

    /// Status of all workers.
    pub fn workers(&self) -> Vec<WorkerStatus> {
        self.state.registry.all().iter().map(WorkerStatus::of).collect()
    }

    /// Returns and removes the notes since the last call.
    pub fn notes(&self) -> Vec<String> {
        self.state.notes()
    }

    /// Runs a job on a worker and waits for its output while `keep_waiting` returns true. If the worker
    /// fails, another one gets the job.
    ///
    /// # Errors
    /// The reason why there is no output.
    pub fn run(
        &self,
        request: &JobRequest,
        keep_waiting: &dyn Fn() -> bool,
    ) -> Result<JobOutput, JobError> {
        let mut last_failure = None;
        for _ in 0..MAX_ATTEMPTS {
            let worker = match self.choose_worker(request) {
                Ok(worker) => worker,
                Err(error) => return Err(last_failure.map_or(error, JobError::Lost)),
            };
            match self.run_on(&worker, request, keep_waiting) {
                JobEnd::Done(output) => return Ok(output),
                JobEnd::Stopped => return Err(JobError::Stopped),
                JobEnd::Lost(reason) => last_failure = Some(reason),
                // The registry excludes this worker from the next choice.
                JobEnd::MissingTools => {}
            }
        }
        Err(JobError::Lost(last_failure.unwrap_or_else(|| "no worker completed the job".into())))
    }

    /// Chooses the worker that has all tools and the fewest jobs per lane.
    fn choose_worker(&self, request: &JobRequest) -> Result<String, JobError> {
        let tools: BTreeSet<&str> = request
            .bots
            .iter()
            .flat_map(|bot| bot.entry.tools.iter().map(String::as_str))
            .collect();
        let counts = self.pending.counts();
        let load = |instance: &String, lanes: u32| {
            let jobs = counts.get(instance).copied().unwrap_or(0);
            (jobs * 1000) / lanes.max(1) as usize
        };
        let able = self.state.registry.with_tools(&tools);
        let least_loaded = able.into_iter().min_by_key(|(instance, lanes)| load(instance, *lanes));
        match least_loaded {
            Some((instance, _)) => Ok(instance),
            None if self.state.registry.lanes() == 0 => Err(JobError::NoWorker),
            None => {
                let has = |tool: &&str| self.state.registry.any_has_tools(&BTreeSet::from([*tool]));
                let nowhere: Vec<_> = tools.iter().copied().filter(|tool| !has(tool)).collect();
                let missing =
                    if nowhere.is_empty() { tools.into_iter().collect() } else { nowhere };
                Err(JobError::NoTools(missing.into_iter().map(str::to_owned).collect()))
            }
        }
    }

    fn run_on(
        &self,
        worker: &str,
        request: &JobRequest,
        keep_waiting: &dyn Fn() -> bool,
    ) -> JobEnd {
        let job = self.create_job(request);
        let id = id_of(&job);
        // Added first, because the result may arrive before the server's acknowledgment.
        self.pending.insert(&id, PendingJob::new(worker, request, &job));
        let published = self.runtime.block_on(self.publish(worker, request, &job, &id));
        let end = match published {
            Ok(sequence) => self.wait(worker, request, &id, sequence, keep_waiting),
            Err(error) => JobEnd::Lost(error.to_string()),
        };
        self.pending.remove(&id);
        end
    }

    async fn publish(
        &self,
        worker: &str,
        request: &JobRequest,
        job: &Job,
        id: &str,
    ) -> Result<u64, crate::broker::BrokerError> {
        let broker = &self.state.broker;
        for bot in &request.bots {
            let Some(path) = &bot.bundle else { continue };
            let bytes = std::fs::read(path).map_err(crate::broker::cannot("read a bundle"))?;
            broker.put_object(&bundle_name(&bot.entry.id.hash), &bytes).await?;
            self.pending.add_bundle(&bot.entry.id.hash);
        }
        let class = match request.task {
            Task::Build => class_of_builds(worker),
            Task::Check | Task::Play(_) => class_of_lanes(worker),
        };
        let sequence =
            broker.publish(jobs_of(&self.state.contest, &class), id, encode(job)).await?;
        broker.notify(NEW_JOBS, Vec::new()).await;
        Ok(sequence)
    }

    /// Waits until a job has ended, is lost or is canceled.
    fn wait(
        &self,
        worker: &str,
        request: &JobRequest,
        id: &str,
        sequence: u64,
        keep_waiting: &dyn Fn() -> bool,
    ) -> JobEnd {
        let (start, timeout) = (Instant::now(), self.timeout(request));
        let mut last_busy = Instant::now();
        loop {
            if let Some(end) = self.pending.wait(id, POLL_INTERVAL) {
                return end;
            }
            let is_busy = match self.state.registry.jobs_held_by(worker) {
                None => {
                    self.cancel(id, sequence);
                    return JobEnd::Lost("its worker has left".into());
                }
                Some((held, lanes)) => held.contains_key(id) || held.len() >= lanes as usize,
            };
            if is_busy {
                last_busy = Instant::now();
            }
            if !keep_waiting() {
                self.cancel(id, sequence);
                return JobEnd::Stopped;
            }
            if last_busy.elapsed() > self.state.patience * 3 || start.elapsed() > timeout {
                self.cancel(id, sequence);
                return JobEnd::Lost("its worker makes no progress".into());
            }
        }
    }

    /// Time after which a job is considered lost. It includes waiting for a check on the same worker.
    fn timeout(&self, request: &JobRequest) -> Duration {
        let own = match &request.task {
            Task::Build => BUILD_TIMEOUT,
            Task::Check => CHECK_TIMEOUT,
            Task::Play(games) => worst_duration(games.len() as u64, &request.limits, 1),
        };
        own.saturating_add(CHECK_TIMEOUT).saturating_add(self.state.patience * 4)
    }

    /// Cancels a job without a requester.
    fn cancel(&self, id: &str, sequence: u64) {
        self.runtime.block_on(async {
            self.state.broker.notify(BROADCAST, encode(&Broadcast::CancelJob(id.to_owned()))).await;
            self.state.broker.delete_job(sequence).await;
        });
    }

    fn create_job(&self, request: &JobRequest) -> Job {
        let contest = &self.state.manifest;
        let manifest = RunManifest {
            game: request.game.spec(),
            rules: request.game.id(),
            limits: request.limits.clone(),
            seed: request.seed,
            stopping: request.stopping,
            bots: request.bots.iter().map(|bot| bot.entry.clone()).collect(),
            practice: false,
            ..contest.clone()
        };
        let (task, games) = match &request.task {
            Task::Build => (PracticeTask::Build, Vec::new()),
            Task::Check => (PracticeTask::Check, Vec::new()),
            Task::Play(games) => {
                (PracticeTask::Play, games.iter().map(|game| job_game(game, games)).collect())
            }
        };
        Job {
            contest: self.state.contest.clone(),
            attempt: self.state.next_attempt(),
            bots: (0..request.bots.len()).collect(),
            games,
            practice: Some(Box::new(PracticeJob { manifest, task })),
        }
    }

    /// Stops the coordinator and deletes its data on the server. Workers wait for the next one.
    pub fn shut_down(&self) {
        let state = &self.state;
        state.ended.store(true, Ordering::SeqCst);
        let clean_up = async {
            state
                .broker
                .notify(BROADCAST, encode(&Broadcast::ContestEnded(state.contest.clone())))
                .await;
            state.broker.delete_contest(&state.contest, &[]).await;
            state.broker.delete_object(&manifest_name(&state.contest)).await;
            for hash in self.pending.bundles() {
                state.broker.delete_object(&bundle_name(&hash)).await;
            }
            let _ = state.broker.client.flush().await;
        };
        // Cleaning up is optional, so an unreachable server is not waited for.
        let _ =
            self.runtime.block_on(async { tokio::time::timeout(CLEANUP_TIMEOUT, clean_up).await });
    }
}

fn job_game(task: &ScheduledGame, games: &[ScheduledGame]) -> JobGame {
    JobGame {
        stage: task.key.stage,
        round: task.key.round,
        pair: task.key.pair,
        opening: task.key.opening.clone(),
        swapped: games.first().is_some_and(|first| task.bots != first.bots),
        ticket: String::new(),
    }
}
