//! Coordinator state, shared by its threads and tasks.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use pitmaster_core::{BotHash, BotId, Ending, GameId, Isolation, Record, RefereeFault};
use pitmaster_games::DynGame;
use pitmaster_runner::{LocalQueue, Machine, Place, Played, ScheduledGame};
use tokio::runtime::Handle;

use super::in_flight::{InFlight, InFlightJob, ReceivedPair, ResultMessage};
use super::subscriptions::shown;
use super::ticket::Tickets;
use super::worker_registry::WorkerRegistry;
use crate::broker::{Broker, BrokerResult};
use crate::wire::{
    Job, JobGame, NEW_JOBS, RunManifest, TrialOutcome, WireGame, WorkerInfo, encode, id_of, jobs_of,
};

/// Callbacks of a coordinator: admission of workers and queries of the store.
pub struct CoordinatorHooks {
    /// Admits a worker. Returns its machine, as stored with its games, or the reason for refusal.
    pub admit: Box<Admit>,
    /// Finds the machine of a worker that an earlier coordinator admitted, by instance.
    pub find_worker: Box<FindWorker>,
    /// Returns whether a valid record of a game is stored.
    pub has_record: Box<HasRecord>,
    /// Bans a worker that sent invalid results, by instance, with the reason. `find_worker` no longer
    /// finds it.
    pub ban: Box<Ban>,
    /// Secret key of the contest's tickets, shared by all coordinators of the contest.
    pub ticket_key: [u8; 32],
}

type Admit = dyn Fn(&WorkerInfo, &Isolation) -> Result<Machine, String> + Send + Sync;
type FindWorker = dyn Fn(&str) -> Option<Machine> + Send + Sync;
type HasRecord = dyn Fn(&GameId) -> bool + Send + Sync;
type Ban = dyn Fn(&str, &str) + Send + Sync;

impl std::fmt::Debug for CoordinatorHooks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CoordinatorHooks")
    }
}

/// Maximum number of refused messages that are reported individually.
const MAX_REPORTED_REFUSALS: u64 = 10;

/// State of a coordinator.
#[derive(Debug)]
pub(super) struct CoordinatorState {
    pub(super) broker: Broker,
    pub(super) manifest: RunManifest,
    /// Rules named in the manifest.
    pub(super) game: Arc<dyn DynGame>,
    pub(super) contest: String,
    pub(super) tickets: Tickets,
    pub(super) instance: String,
    /// All possible job classes, with their tools.
    pub(super) classes: BTreeMap<String, BTreeSet<String>>,
    pub(super) bundles: Vec<(BotHash, PathBuf)>,
    pub(super) patience: Duration,
    pub(super) registry: WorkerRegistry,
    pub(super) hooks: CoordinatorHooks,
    pub(super) runtime: Handle,
    queue: Mutex<Weak<LocalQueue>>,
    /// Number of the next job.
    next_attempt: AtomicU32,
    in_flight: Mutex<InFlight>,
    /// Notified after results and changes of workers.
    pub(super) changed: Condvar,
    trials: Mutex<HashMap<usize, TrialOutcome>>,
    notices: Notices,
    /// Number of games received by this coordinator.
    pub(super) games: AtomicU64,
    pub(super) started_at: SystemTime,
    /// Whether the coordinator is shutting down.
    pub(super) ended: AtomicBool,
}

/// Notes for observers of the run.
#[derive(Debug, Default)]
struct Notices {
    /// Notes from before the run.
    waiting: Mutex<Vec<String>>,
    /// Topics that were reported already.
    reported: Mutex<HashSet<String>>,
    /// Number of refused messages.
    refused: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of a coordinator's state.
pub(super) struct Setup {
    pub(super) broker: Broker,
    pub(super) manifest: RunManifest,
    pub(super) game: Arc<dyn DynGame>,
    pub(super) bundles: Vec<(BotHash, PathBuf)>,
    pub(super) hooks: CoordinatorHooks,
    pub(super) runtime: Handle,
}

impl CoordinatorState {
    pub(super) fn new(setup: Setup) -> Self {
        let Setup { broker, manifest, game, bundles, hooks, runtime } = setup;
        let instance = crate::new_instance_id();
        let first = u32::from_str_radix(&instance[..7], 16).unwrap_or(1);
        Self {
            broker,
            game,
            tickets: Tickets::new(hooks.ticket_key, manifest.contest()),
            contest: manifest.contest(),
            instance,
            classes: manifest.classes(),
            bundles,
            patience: Duration::from_secs(manifest.patience_s),
            manifest,
            registry: WorkerRegistry::default(),
            hooks,
            runtime,
            queue: Mutex::default(),
            next_attempt: AtomicU32::new(first),
            in_flight: Mutex::default(),
            changed: Condvar::new(),
            trials: Mutex::default(),
            notices: Notices::default(),
            games: AtomicU64::new(0),
            started_at: SystemTime::now(),
            ended: AtomicBool::new(false),
        }
    }

    pub(super) fn in_flight(&self) -> MutexGuard<'_, InFlight> {
        lock(&self.in_flight)
    }

    /// Sets the queue of the run. The dispatch thread keeps it alive.
    pub(super) fn set_queue(&self, queue: &Arc<LocalQueue>) {
        *lock(&self.queue) = Arc::downgrade(queue);
    }

    /// Queue of the current run.
    pub(super) fn queue(&self) -> Option<Arc<LocalQueue>> {
        lock(&self.queue).upgrade()
    }

    /// Waits for a change, at most for the given time.
    pub(super) fn wait(&self, in_flight: MutexGuard<'_, InFlight>, max: Duration) {
        drop(self.changed.wait_timeout(in_flight, max));
    }

    /// Reports a note.
    pub(super) fn note(&self, text: impl Into<String>) {
        match self.queue() {
            Some(queue) => queue.note(text.into()),
            None => lock(&self.notices.waiting).push(text.into()),
        }
    }

    /// Reports a refused message. Only some of many refusals are reported, because every client of the
    /// server can send messages.
    pub(super) fn note_refusal(&self, text: &str) {
        let count = self.notices.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if count <= MAX_REPORTED_REFUSALS {
            self.note(text);
        } else if count.is_power_of_two() {
            self.note(format!("{count} messages were refused so far; the last one: {text}"));
        }
    }

    /// Marks a topic as reported. Returns whether it was not reported before.
    pub(super) fn is_first_report(&self, topic: &str) -> bool {
        lock(&self.notices.reported).insert(topic.to_owned())
    }

    /// Removes and returns the notes from before the run.
    pub(super) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notices.waiting))
    }

    /// Outcomes of the trials, by the bots' numbers in the manifest.
    pub(super) fn trials(&self) -> HashMap<usize, TrialOutcome> {
        lock(&self.trials).clone()
    }

    pub(super) fn set_trial(&self, bot: usize, outcome: TrialOutcome) {
        lock(&self.trials).insert(bot, outcome);
        self.changed.notify_all();
    }

    /// Publishes a job and notifies workers. Returns its stream sequence.
    async fn publish(&self, job: &Job) -> BrokerResult<u64> {
        let (id, class) = (id_of(job), self.manifest.class(&job.bots));
        let sequence =
            self.broker.publish(jobs_of(&self.contest, &class), &id, encode(job)).await?;
        self.broker.notify(NEW_JOBS, Vec::new()).await;
        Ok(sequence)
    }

    /// Returns whether no more jobs are published.
    fn is_ending(&self) -> bool {
        self.ended.load(Ordering::SeqCst) || self.queue().is_some_and(|queue| queue.is_halted())
    }

    /// Adds a job to those in flight and publishes it. Retries until the server accepts it or the run
    /// ends.
    pub(super) async fn publish_job(&self, job: Job, tasks: Vec<ScheduledGame>) {
        let id = id_of(&job);
        // Added first, because results may arrive before the server's acknowledgment.
        self.in_flight().insert(id.clone(), job.clone(), 0, tasks);
        while !self.is_ending() {
            match self.publish(&job).await {
                Ok(sequence) => return self.in_flight().set_sequence(&id, sequence),
                Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
            }
        }
    }

    /// Returns a new job number. It makes each job unique, because the server drops duplicates. The
    /// first number is random, so that two coordinators publish different jobs.
    pub(super) fn next_attempt(&self) -> u32 {
        self.next_attempt.fetch_add(1, Ordering::Relaxed)
    }

    /// Creates the job for the trial of a bot.
    pub(super) fn trial_job(&self, bot: usize) -> Job {
        let (contest, attempt) = (self.contest.clone(), self.next_attempt());
        Job { contest, attempt, bots: vec![bot], games: Vec::new(), practice: None }
    }

    /// Creates the job for games of the same two bots.
    pub(super) fn games_job(&self, tasks: &[ScheduledGame]) -> Option<Job> {
        let first = tasks.first()?;
        let number = |id: &BotId| self.manifest.bots.iter().position(|bot| bot.id == *id);
        let bots = vec![number(&first.key.bots.one)?, number(&first.key.bots.two)?];
        let game = |task: &ScheduledGame| JobGame {
            stage: task.key.stage,
            round: task.key.round,
            pair: task.key.pair,
            opening: task.key.opening.clone(),
            swapped: task.bots != first.bots,
            ticket: self.tickets.ticket(&task.key.id()),
        };
        let games = tasks.iter().map(game).collect();
        let (contest, attempt) = (self.contest.clone(), self.next_attempt());
        Some(Job { contest, attempt, bots, games, practice: None })
    }

    /// Publishes the pending games of a job again, unless the run ends.
    pub(super) async fn republish(&self, job: InFlightJob) {
        if self.is_ending() {
            return self.changed.notify_all();
        }
        if let [bot] = job.job.bots[..] {
            return self.publish_job(self.trial_job(bot), Vec::new()).await;
        }
        let tasks: Vec<ScheduledGame> = job.pending.into_values().collect();
        if let Some(job) = self.games_job(&tasks) {
            self.publish_job(job, tasks).await;
        }
    }

    /// Removes a received pair from the games in flight.
    pub(super) fn receive(&self, pair: ReceivedPair) -> PairStatus {
        let ids: Vec<GameId> = pair.games.iter().map(|game| game.record.id()).collect();
        let mut taken = self.in_flight().take(&ids);
        if taken.is_none() {
            let is_stored = ids.iter().any(|id| (self.hooks.has_record)(id));
            let mut in_flight = self.in_flight();
            // The games may have been dispatched during the query of the store.
            taken = in_flight.take(&ids);
            if taken.is_none() && (is_stored || ids.iter().any(|id| in_flight.contains(id))) {
                return PairStatus::Duplicate(pair);
            }
            if taken.is_none() {
                in_flight.keep_early(pair);
                return PairStatus::Early;
            }
        }
        let Some(tasks) = taken else { return PairStatus::Early };
        self.changed.notify_all();
        self.games.fetch_add(tasks.len() as u64, Ordering::Relaxed);
        let machine = self.machine(&pair.instance);
        let played = merge_pair(pair.games, tasks, machine.as_ref());
        PairStatus::Played(played, pair.message)
    }

    /// Bans a worker that sent invalid results, and reports it. Returns whether it was not banned
    /// before.
    pub(super) fn ban(&self, instance: &str, reason: &str) -> bool {
        let Some(machine) = self.machine(instance) else { return false };
        if !self.registry.ban(instance, reason) {
            return false;
        }
        (self.hooks.ban)(instance, reason);
        let name = shown(&machine.name);
        self.note(format!(
            "the worker {name} is dismissed for an invalid result ({}); its jobs go to others; to void \
             its earlier games, run `pitmaster void --worker {name}`",
            shown(reason)
        ));
        true
    }

    /// Machine of a worker that is or was admitted and is not banned.
    pub(super) fn machine(&self, instance: &str) -> Option<Machine> {
        if self.registry.ban_reason(instance).is_some() {
            return None;
        }
        self.registry.machine(instance).or_else(|| (self.hooks.find_worker)(instance))
    }

    /// Void records for games that no worker could play.
    pub(super) fn void_games(&self, tasks: Vec<ScheduledGame>, reason: &str) -> Vec<Played> {
        let fault = || RefereeFault::System { error: reason.to_owned() };
        let played = |task: ScheduledGame| Played {
            record: Record::unplayed(
                task.key.clone(),
                self.manifest.seed,
                Ending::RefereeError { fault: fault() },
            ),
            task,
            place: Place::default(),
            started_at: SystemTime::now(),
            took: Duration::ZERO,
            void: None,
        };
        tasks.into_iter().map(played).collect()
    }
}

/// Combines received games with their tasks. If one game of a pair is void, so is the other.
fn merge_pair(
    games: Vec<WireGame>,
    mut tasks: Vec<ScheduledGame>,
    machine: Option<&Machine>,
) -> Vec<Played> {
    let is_void = games.iter().any(|game| game.record.ending.is_void());
    let one = |game: WireGame| {
        let id = game.record.id();
        let task = tasks.swap_remove(tasks.iter().position(|task| task.key.id() == id)?);
        let is_void_with_pair = is_void && !game.record.ending.is_void();
        Some(Played {
            task,
            place: Place { lane: game.lane as usize, machine: machine.cloned() },
            started_at: started_at(game.started_at_ms),
            took: Duration::from_nanos(game.took_ns),
            void: is_void_with_pair.then(|| VOID_WITH_PAIR.to_owned()),
            record: game.record,
        })
    };
    games.into_iter().filter_map(one).collect()
}

/// Converts the start time of a game. Times in the future are clamped, because the worker's clock may
/// be wrong.
pub(super) fn started_at(started_at_ms: u64) -> SystemTime {
    let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(started_at_ms));
    let now = SystemTime::now();
    at.map_or(now, |at| at.min(now))
}

const VOID_WITH_PAIR: &str = "the other game of its pair is void, and a pair is played as a whole";

/// Status of a received pair.
pub(super) enum PairStatus {
    /// New: the games are ready for the dispatcher.
    Played(Vec<Played>, Arc<ResultMessage>),
    /// Received before.
    Duplicate(ReceivedPair),
    /// Kept, because its games have not been dispatched yet.
    Early,
}
