//! Coordinator state, and the rules for who may communicate with it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use pitmaster_core::{BotHash, BotId, Ending, GameId, Isolation, Record, RefereeFault};
use pitmaster_games::DynGame;
use pitmaster_runner::{LocalQueue, Machine, Place, Played, ScheduledGame};
use tokio::runtime::Handle;

use super::in_flight::{Book, Early, Message, Posted};
use super::subscriptions::shown;
use super::ticket::Tickets;
use super::worker_registry::Roster;
use crate::broker::{Broker, Tried as Sent};
use crate::wire::{
    About, BELL, Job, JobGame, RunManifest, Tried, WireGame, encode, id_of, jobs_of,
};

/// Admission of workers, and the numbers of their isolation.
pub struct Gate {
    /// Admits a worker: returns the machine as attempts name it, or the reason for refusal.
    pub admit: Box<Admit>,
    /// Finds a worker that an earlier coordinator admitted, by its instance.
    pub known: Box<Find>,
    /// Returns whether a game counts already.
    pub has: Box<Has>,
    /// Bans a worker that sent false results, by its instance, with the reason. The worker is no
    /// longer known.
    pub dismiss: Box<Dismiss>,
    /// Key of this contest's tickets: secret, and the same for all its coordinators.
    pub key: [u8; 32],
}

type Admit = dyn Fn(&About, &Isolation) -> Result<Machine, String> + Send + Sync;
type Find = dyn Fn(&str) -> Option<Machine> + Send + Sync;
type Has = dyn Fn(&GameId) -> bool + Send + Sync;
type Dismiss = dyn Fn(&str, &str) + Send + Sync;

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Gate")
    }
}

/// Number of refused messages that are reported individually.
const REFUSALS: u64 = 10;

/// State shared by the coordinator's threads and tasks.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) post: Broker,
    pub(super) card: RunManifest,
    /// The rules that the card names.
    pub(super) game: Arc<dyn DynGame>,
    pub(super) contest: String,
    pub(super) tickets: Tickets,
    pub(super) instance: String,
    /// Every class of jobs that there can be, with its tools.
    pub(super) classes: BTreeMap<String, BTreeSet<String>>,
    pub(super) bundles: Vec<(BotHash, PathBuf)>,
    pub(super) patience: Duration,
    pub(super) roster: Roster,
    pub(super) gate: Gate,
    pub(super) runtime: Handle,
    queue: Mutex<Weak<LocalQueue>>,
    /// The number of the next job.
    attempts: AtomicU32,
    book: Mutex<Book>,
    /// Notified whenever a result has arrived.
    pub(super) moved: Condvar,
    tried: Mutex<HashMap<usize, Tried>>,
    notices: Notices,
    /// Number of games that have arrived, for the rate.
    pub(super) games: AtomicU64,
    pub(super) began: SystemTime,
    pub(super) over: AtomicBool,
}

/// Messages for observers of the run.
#[derive(Debug, Default)]
struct Notices {
    /// Messages from before the run.
    waiting: Mutex<Vec<String>>,
    /// Notes that were reported already.
    told: Mutex<HashSet<String>>,
    /// Number of refused messages.
    refused: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of a coordinator's state.
pub(super) struct Setup {
    pub(super) post: Broker,
    pub(super) card: RunManifest,
    pub(super) game: Arc<dyn DynGame>,
    pub(super) bundles: Vec<(BotHash, PathBuf)>,
    pub(super) gate: Gate,
    pub(super) runtime: Handle,
}

impl Desk {
    pub(super) fn new(setup: Setup) -> Self {
        let Setup { post, card, game, bundles, gate, runtime } = setup;
        let instance = crate::instance();
        let first = u32::from_str_radix(&instance[..7], 16).unwrap_or(1);
        let attempts = AtomicU32::new(first);
        Self {
            post,
            game,
            tickets: Tickets::new(gate.key, card.contest()),
            contest: card.contest(),
            instance,
            classes: card.classes(),
            bundles,
            patience: Duration::from_secs(card.patience_s),
            card,
            roster: Roster::default(),
            gate,
            runtime,
            queue: Mutex::default(),
            attempts,
            book: Mutex::default(),
            moved: Condvar::new(),
            tried: Mutex::default(),
            notices: Notices::default(),
            games: AtomicU64::new(0),
            began: SystemTime::now(),
            over: AtomicBool::new(false),
        }
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        lock(&self.book)
    }

    /// Takes the queue of a run that begins; it is held by whoever feeds.
    pub(super) fn set_queue(&self, queue: &Arc<LocalQueue>) {
        *lock(&self.queue) = Arc::downgrade(queue);
    }

    /// Queue of the current run.
    pub(super) fn queue(&self) -> Option<Arc<LocalQueue>> {
        lock(&self.queue).upgrade()
    }

    /// Waits a moment for results.
    pub(super) fn wait(&self, book: MutexGuard<'_, Book>, most: Duration) {
        drop(self.moved.wait_timeout(book, most));
    }

    /// Reports a note to the observers of the run.
    pub(super) fn note(&self, text: impl Into<String>) {
        match self.queue() {
            Some(queue) => queue.note(text.into()),
            None => lock(&self.notices.waiting).push(text.into()),
        }
    }

    /// Reports that a message was refused, unless that was reported too often: strangers may send
    /// many.
    pub(super) fn note_refusal(&self, text: &str) {
        let count = self.notices.refused.fetch_add(1, Ordering::Relaxed) + 1;
        if count <= REFUSALS {
            self.note(text);
        } else if count.is_power_of_two() {
            self.note(format!("{count} messages were refused so far; the last one: {text}"));
        }
    }

    /// Whether something has not been reported yet; marks it as reported.
    pub(super) fn is_news(&self, of: &str) -> bool {
        lock(&self.notices.told).insert(of.to_owned())
    }

    /// Notes that were made while nobody watched.
    pub(super) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.notices.waiting))
    }

    /// Results of the trials of bots, by their numbers in the manifest.
    pub(super) fn tried(&self) -> HashMap<usize, Tried> {
        lock(&self.tried).clone()
    }

    pub(super) fn set_tried(&self, bot: usize, tried: Tried) {
        lock(&self.tried).insert(bot, tried);
        self.moved.notify_all();
    }

    /// Publishes a job; its place in the stream.
    async fn publish(&self, job: &Job) -> Sent<u64> {
        let (id, class) = (id_of(job), self.card.class(&job.bots));
        let place = self.post.publish(jobs_of(&self.contest, &class), &id, encode(job)).await?;
        self.post.say(BELL, Vec::new()).await;
        Ok(place)
    }

    /// Whether nothing more is to be published.
    fn is_ending(&self) -> bool {
        self.over.load(Ordering::SeqCst) || self.queue().is_some_and(|queue| queue.is_halted())
    }

    /// Enters a job and publishes it, however often the server goes away meanwhile.
    pub(super) async fn enter(&self, job: Job, tasks: Vec<ScheduledGame>) {
        let id = id_of(&job);
        // Results may arrive before the server's acknowledgement.
        self.book().enter(id.clone(), job.clone(), 0, tasks);
        while !self.is_ending() {
            match self.publish(&job).await {
                Ok(place) => return self.book().set_place(&id, place),
                Err(_) => tokio::time::sleep(Duration::from_secs(1)).await,
            }
        }
    }

    /// No two jobs of a coordinator are alike, nor those of two coordinators: what the server has
    /// seen before it would not take.
    pub(super) fn attempt(&self) -> u32 {
        self.attempts.fetch_add(1, Ordering::Relaxed)
    }

    /// The job of trying a bot.
    pub(super) fn trial(&self, bot: usize) -> Job {
        let (contest, attempt) = (self.contest.clone(), self.attempt());
        Job { contest, attempt, bots: vec![bot], games: Vec::new(), practice: None }
    }

    /// The job of some games of the same two bots.
    pub(super) fn job(&self, tasks: &[ScheduledGame]) -> Option<Job> {
        let first = tasks.first()?;
        let seat = |id: &BotId| self.card.bots.iter().position(|bot| bot.id == *id);
        let bots = vec![seat(&first.key.bots.one)?, seat(&first.key.bots.two)?];
        let game = |task: &ScheduledGame| JobGame {
            stage: task.key.stage,
            round: task.key.round,
            pair: task.key.pair,
            opening: task.key.opening.clone(),
            swapped: task.bots != first.bots,
            ticket: self.tickets.of(&task.key.id()),
        };
        let games = tasks.iter().map(game).collect();
        let (contest, attempt) = (self.contest.clone(), self.attempt());
        Some(Job { contest, attempt, bots, games, practice: None })
    }

    /// Publishes the rest of a job again, unless the run ends.
    pub(super) async fn post_again(&self, posted: Posted) {
        if self.is_ending() {
            return self.moved.notify_all();
        }
        if let [bot] = posted.job.bots[..] {
            return self.enter(self.trial(bot), Vec::new()).await;
        }
        let tasks: Vec<ScheduledGame> = posted.left.into_values().collect();
        if let Some(job) = self.job(&tasks) {
            self.enter(job, tasks).await;
        }
    }

    /// Removes an arrived pair from the jobs in flight.
    pub(super) fn receive(&self, early: Early) -> Received {
        let ids: Vec<GameId> = early.games.iter().map(|game| game.record.id()).collect();
        let mut taken = self.book().take(&ids);
        if taken.is_none() {
            let is_stored = ids.iter().any(|id| (self.gate.has)(id));
            let mut book = self.book();
            // The games may have been dispatched during the query of the store.
            taken = book.take(&ids);
            if taken.is_none() && (is_stored || ids.iter().any(|id| book.has(id))) {
                return Received::Known(early);
            }
            if taken.is_none() {
                book.keep_early(early);
                return Received::Early;
            }
        }
        let Some(tasks) = taken else { return Received::Early };
        self.moved.notify_all();
        self.games.fetch_add(tasks.len() as u64, Ordering::Relaxed);
        let machine = self.machine(&early.instance);
        let played = played(early.games, tasks, machine.as_ref());
        Received::Played(played, early.message)
    }

    /// Bans a worker that sent false results, and reports it; returns whether that is new.
    pub(super) fn ban(&self, instance: &str, why: &str) -> bool {
        let Some(machine) = self.machine(instance) else { return false };
        if !self.roster.ban(instance, why) {
            return false;
        }
        (self.gate.dismiss)(instance, why);
        let name = shown(&machine.name);
        self.note(format!(
            "the worker {name} is dismissed, because it sent a result that cannot be true ({}); \
             what it holds goes to others; take out what it has played before with \
             `pitmaster void --worker {name}`",
            shown(why)
        ));
        true
    }

    /// The machine of a worker, whether it is here or was let in before; not of one that lies.
    pub(super) fn machine(&self, instance: &str) -> Option<Machine> {
        if self.roster.dismissed(instance).is_some() {
            return None;
        }
        self.roster.machine(instance).or_else(|| (self.gate.known)(instance))
    }

    /// A pair that nobody could play: void, by a fault of the referee's.
    pub(super) fn given_up(&self, tasks: Vec<ScheduledGame>, why: &str) -> Vec<Played> {
        let fault = || RefereeFault::System { error: why.to_owned() };
        let played = |task: ScheduledGame| Played {
            record: Record::unplayed(
                task.key.clone(),
                self.card.seed,
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

/// Games as they are handed over: the two of a pair count together or not at all.
fn played(
    games: Vec<WireGame>,
    mut tasks: Vec<ScheduledGame>,
    machine: Option<&Machine>,
) -> Vec<Played> {
    let is_void = games.iter().any(|game| game.record.ending.is_void());
    let one = |game: WireGame| {
        let id = game.record.id();
        let task = tasks.swap_remove(tasks.iter().position(|task| task.key.id() == id)?);
        let spoiled = is_void && !game.record.ending.is_void();
        Some(Played {
            task,
            place: Place { lane: game.lane as usize, machine: machine.cloned() },
            started_at: began(game.started_at_ms),
            took: Duration::from_nanos(game.took_ns),
            void: spoiled.then(|| OTHER_IS_VOID.to_owned()),
            record: game.record,
        })
    };
    games.into_iter().filter_map(one).collect()
}

/// Start of a game, by a clock that may be wrong.
pub(super) fn began(started_at_ms: u64) -> SystemTime {
    let at = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(started_at_ms));
    let now = SystemTime::now();
    at.map_or(now, |at| at.min(now))
}

const OTHER_IS_VOID: &str = "the other game of its pair is void, and a pair is played as a whole";

/// Fate of a received pair.
pub(super) enum Received {
    /// New: it is handed over.
    Played(Vec<Played>, Arc<Message>),
    /// Received before.
    Known(Early),
    /// Its games have not been dispatched yet: it is kept.
    Early,
}
