//! Coordinator: dispatches the games of a run to workers and receives the results.
//!
//! Must not depend on the plan or on how a game is played. Like a lane, it claims games from the run's
//! dispatcher. All its state can be rebuilt from the store.

mod dispatch;
mod in_flight;
mod practice;
mod reaper;
mod results;
mod state;
mod subscriptions;
mod ticket;
mod validate;
mod worker_registry;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::runtime::Runtime;

use self::dispatch::RemoteExecutor;
pub use self::practice::{JobError, JobOutput, JobRequest, PracticeCoordinator, Task};
pub use self::state::CoordinatorHooks;
use self::state::{CoordinatorState, Setup};
pub(super) use self::worker_registry::RegisteredWorker;
use super::broker::{Broker, BrokerError, runtime};
use super::connect::Access;
use super::status::status;
pub use super::wire::{Body, TrialOutcome};
use pitmaster_build_info::Build;
use pitmaster_core::{BotHash, Isolation, Limits, Requirements, Seed, Tier};
use pitmaster_games::DynGame;
use pitmaster_runner::{Executor, Stopping};

use super::wire::{
    BROADCAST, BotEntry, Broadcast, Job, PATIENCE_S, RunManifest, VERSION, decode, encode, id_of,
};
use super::{ClusterError, bundle_name, manifest_name};

/// Time limit for cleaning up.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(20);

/// Polling interval for new messages.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// A contest to be played by workers.
#[derive(Debug)]
pub struct Contest {
    /// Rules of the game.
    pub game: Arc<dyn DynGame>,
    /// Limits of all games.
    pub limits: Limits,
    /// Seed of the tournament.
    pub seed: Seed,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// Requested isolation tier.
    pub tier: Option<Tier>,
    /// Required guarantees.
    pub require: Requirements,
    /// Time of silence after which jobs go to other workers.
    pub patience: Duration,
    /// Generation of the run. Results of an earlier generation are not accepted.
    pub generation: String,
    /// Participating bots.
    pub bots: Vec<ContestBot>,
}

/// A participating bot.
#[derive(Debug, Clone)]
pub struct ContestBot {
    /// The bot's entry in the run manifest.
    pub entry: BotEntry,
    /// Path of its bundle, unless it is a house bot.
    pub bundle: Option<PathBuf>,
}

/// Outcomes of the trials of all bots.
#[derive(Debug, Default)]
pub struct Trials {
    /// Outcomes by the bots' numbers.
    pub outcomes: HashMap<usize, TrialOutcome>,
    /// Bots for which no worker has all tools, with the missing tools.
    pub unplayable: Vec<(usize, Vec<String>)>,
}

/// A running coordinator. After it is dropped, workers wait for another one.
#[derive(Debug)]
pub struct Coordinator {
    state: Arc<CoordinatorState>,
    // Dropped last, because its tasks use the state.
    runtime: Runtime,
}

impl Coordinator {
    /// Starts the coordinator of a contest. A server can have only one coordinator.
    ///
    /// # Errors
    /// The server cannot be used, or it already has a coordinator.
    pub fn start(
        contest: Contest,
        access: &Access,
        hooks: CoordinatorHooks,
    ) -> Result<Self, ClusterError> {
        // Two threads, so that decoding results does not delay heartbeats.
        let runtime = runtime(2).map_err(|error| ClusterError::Server(error.to_string()))?;
        let broker = runtime.block_on(Broker::connect(access, "coordinator"))?;
        if let Some(other) = runtime.block_on(status(&broker)) {
            return Err(already_coordinated(&other));
        }
        let game = Arc::clone(&contest.game);
        let (manifest, bundles) = contest.into_manifest();
        let runtime_of = runtime.handle().clone();
        let setup = Setup { broker, manifest, game, bundles, hooks, runtime: runtime_of };
        let state = Arc::new(CoordinatorState::new(setup));
        runtime.block_on(async {
            state.set_up_server().await.map_err(server)?;
            adopt_jobs(&state).await.map_err(server)
        })?;
        runtime.spawn(Arc::clone(&state).serve_subscriptions());
        runtime.spawn(Arc::clone(&state).process_results());
        runtime.spawn(Arc::clone(&state).run_reaper());
        Ok(Self { state, runtime })
    }

    /// Waits for a number of workers. Reports the command that starts a worker, and workers that join.
    ///
    /// # Errors
    /// Errors of `check`, which is called regularly.
    pub fn wait_for_workers<E>(
        &self,
        count: usize,
        command: &str,
        report: &dyn Fn(&str),
        mut check: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut has_reported = false;
        while self.state.registry.count() < count {
            check()?;
            self.state.notes().iter().for_each(|note| report(note));
            if !std::mem::replace(&mut has_reported, true) {
                let workers =
                    if count == 1 { "a worker".into() } else { format!("{count} workers") };
                report(&format!("waiting for {workers}: `{command}` on any machine"));
            }
            self.state.wait(self.state.in_flight(), POLL_INTERVAL);
        }
        self.state.notes().iter().for_each(|note| report(note));
        Ok(())
    }

    /// Status of all workers.
    pub fn workers(&self) -> Vec<super::status::WorkerStatus> {
        self.state.registry.all().iter().map(super::status::WorkerStatus::of).collect()
    }

    /// Has every bot built and tried once, by a worker with its tools.
    pub fn try_bots(&self, report: &dyn Fn(&str), progress: &dyn Fn(usize)) -> Trials {
        let state = &self.state;
        let mut untried: BTreeSet<usize> = (0..state.manifest.bots.len()).collect();
        let mut published = BTreeSet::new();
        loop {
            let outcomes = state.trials();
            untried.retain(|bot| !outcomes.contains_key(bot));
            progress(outcomes.len());
            state.notes().iter().for_each(|note| report(note));
            for &bot in &untried {
                let is_playable = state.registry.any_has_tools(&state.manifest.tools_of(&[bot]));
                if is_playable && published.insert(bot) {
                    self.runtime.block_on(state.publish_job(state.trial_job(bot), Vec::new()));
                }
            }
            let is_waiting = untried.iter().any(|bot| published.contains(bot));
            if !is_waiting {
                let missing = |&bot: &usize| (bot, self.missing_everywhere(bot));
                return Trials { outcomes, unplayable: untried.iter().map(missing).collect() };
            }
            state.wait(state.in_flight(), POLL_INTERVAL);
        }
    }

    /// Tools of a bot that no worker has. If workers have each tool but none has all, all tools.
    fn missing_everywhere(&self, bot: usize) -> Vec<String> {
        let tools = self.state.manifest.tools_of(&[bot]);
        let is_missing = |tool: &&str| !self.state.registry.any_has_tools(&BTreeSet::from([*tool]));
        let missing: Vec<String> =
            tools.iter().copied().filter(|tool| is_missing(tool)).map(str::to_owned).collect();
        if missing.is_empty() { tools.into_iter().map(str::to_owned).collect() } else { missing }
    }

    /// Executor that runs games on all workers.
    pub fn executor(&self) -> Box<dyn Executor> {
        Box::new(RemoteExecutor(Arc::clone(&self.state)))
    }

    /// Stops the coordinator. After a complete run it also deletes the run's data on the server.
    pub fn shut_down(self, complete: bool) {
        self.state.ended.store(true, Ordering::SeqCst);
        let state = &self.state;
        let clean_up = async {
            if complete {
                state
                    .broker
                    .notify(BROADCAST, encode(&Broadcast::ContestEnded(state.contest.clone())))
                    .await;
                let classes: Vec<_> = state.classes.keys().cloned().collect();
                state.broker.delete_contest(&state.contest, &classes).await;
                state.broker.delete_object(&manifest_name(&state.contest)).await;
                for (hash, _) in &state.bundles {
                    state.broker.delete_object(&bundle_name(hash)).await;
                }
            }
            let _ = state.broker.client.flush().await;
        };
        // Cleaning up is optional, so an unreachable server is not waited for.
        let _ =
            self.runtime.block_on(async { tokio::time::timeout(CLEANUP_TIMEOUT, clean_up).await });
        self.runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "used with map_err")]
fn server(error: BrokerError) -> ClusterError {
    ClusterError::Server(format!("{error}; is this a nats-server with JetStream (-js)?"))
}

fn already_coordinated(other: &super::status::Status) -> ClusterError {
    ClusterError::Refused(format!(
        "this server already runs a tournament ({} of {} games); wait for its end or use another \
         server; `pitmaster cluster status` shows its progress",
        other.done, other.games
    ))
}

/// Adopts the jobs that an earlier coordinator of this contest has published, and deletes its trials.
async fn adopt_jobs(state: &CoordinatorState) -> Result<(), BrokerError> {
    for (sequence, bytes) in state.broker.list_jobs(&state.contest).await? {
        match decode::<Job>(&bytes) {
            Ok(job) if state.manifest.validate_job(&job).is_ok() && !job.games.is_empty() => {
                let id = |game| state.manifest.key(&job, game).id();
                let games: Vec<_> = job.games.iter().map(id).collect();
                let mut tickets = job.games.iter().zip(&games);
                // Without valid tickets, the job was not published by a coordinator of this contest.
                if tickets.all(|(game, id)| state.tickets.verify(&game.ticket, id)) {
                    state.in_flight().adopt(id_of(&job), job, sequence, games);
                } else {
                    state.broker.delete_job(sequence).await;
                }
            }
            _ => state.broker.delete_job(sequence).await,
        }
    }
    Ok(())
}

impl Contest {
    fn into_manifest(self) -> (RunManifest, Vec<(BotHash, PathBuf)>) {
        let bundle = |bot: &ContestBot| Some((bot.entry.id.hash.clone(), bot.bundle.clone()?));
        let bundles = self.bots.iter().filter_map(bundle).collect();
        let mut manifest = RunManifest {
            version: VERSION,
            program: Build::own().to_string(),
            game: self.game.spec(),
            rules: self.game.id(),
            limits: self.limits,
            seed: self.seed,
            stopping: self.stopping,
            tier: self.tier,
            require: self.require.to_string(),
            patience_s: self.patience.as_secs().clamp(*PATIENCE_S.start(), *PATIENCE_S.end()),
            generation: self.generation,
            bots: self.bots.into_iter().map(|bot| bot.entry).collect(),
            practice: false,
        };
        manifest.merge_rare_tool_sets();
        (manifest, bundles)
    }
}

/// Describes the differences between the guarantees of two machines; empty if there are none.
pub fn differing_promises(one: &Isolation, other: &Isolation) -> String {
    let differs =
        |promise: &&pitmaster_core::Promise| one.level(**promise) != other.level(**promise);
    let all = pitmaster_core::Promise::ALL.iter().filter(differs);
    all.map(|promise| promise.name()).collect::<Vec<_>>().join(", ")
}
