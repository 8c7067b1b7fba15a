//! Player: builds, validates and checks versions, and plays the ladders. The work is done in this
//! process, or by workers so that this process runs only house bots.
//!
//! | thread | in this process | with workers |
//! |---|---|---|
//! | builder | leases build jobs: unpacks uploads, takes snapshots, builds them in the sandbox |
//! the same, but a worker builds |
//! | keeper | synchronizes with the database: active versions, waiting jobs; extends leases | the
//! same |
//! | finals | plays the finals that the staff requests, on all lanes, while other work is on hold |
//! absent: finals are played by hand |
//! | tables | computes and publishes tables of ladders with new results | the same |
//! | remote | pairs the clients in the lobby, and plays their games on separate threads | the same;
//! house bots have no process |
//! | lanes | play validation games and pairs, and check versions when idle | absent |
//! | workers | absent | starts a remote lane for each lane of a worker, and logs joining and
//! leaving workers |
//! | remote lanes | absent | claim batches like lanes, and wait until a worker has played them |
//!
//! All results are committed to the database, which decides the next step. A killed player leaves
//! leases behind, which the next one releases when it starts.

mod builder;
mod checks;
mod finals;
mod history;
mod keeper;
mod ladders;
mod lane_queue;
mod live_pair;
mod opponents;
mod remote;
mod requests;
mod tables;
mod validations;
mod workers;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use pitmaster_core::Untrusted;
use pitmaster_runner::{Layout, Queue, Wish, start_lanes};
use pitmaster_season::course::{Actor, Utc};
use pitmaster_session::practice::Workers;
use pitmaster_session::{self as session, Guard, IsolationOptions, Observer, cores};

use crate::database::{Database, DatabaseError};
use crate::exchange::Exchange;
use crate::http::{LaneUse, Log, ReadLanes};
use crate::uploads::Uploads;

pub(crate) use self::builder::clear_staging;
pub use self::keeper::ladder_folder;
pub(crate) use self::keeper::relative_ladder_folder;
use self::ladders::Ladders;
use self::lane_queue::LaneQueue;
pub use self::requests::requested_folder;

/// Settings of a player.
#[derive(Clone)]
pub struct PlayerSettings {
    /// The course's folder.
    pub folder: PathBuf,
    /// Cores and number of lanes.
    pub cores: Wish,
    /// Isolation of the bots; by default that in each ladder's tournament file.
    pub isolation: IsolationOptions,
    /// Starts accepting workers, which then build, check and play instead of this process.
    pub workers: Option<StartWorkers>,
    /// Clock.
    pub now: fn() -> Utc,
    /// Log sink for the operator of the server.
    pub log: Log,
}

/// Starts accepting workers. The argument is the tournament file of the ladder that determines the
/// required guarantees.
pub type StartWorkers =
    Arc<dyn Fn(&Path, &dyn Observer) -> Result<Arc<dyn Workers>, session::Error> + Send + Sync>;

impl std::fmt::Debug for PlayerSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlayerSettings").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Reason why a player cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// Error of a ladder, the machine or a folder.
    #[error(transparent)]
    Session(#[from] session::Error),
    /// Error of the course's database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Workers cannot be accepted without a ladder, which determines the required guarantees.
    #[error(
        "this folder has no ladder that workers could play; `pitmaster new course` creates one"
    )]
    NoLadder,
    /// A step panicked.
    #[error("a fault of Pitmaster (a panic; see the lines before); please report it")]
    Panicked,
}

/// Running player. [`Player::stop`] ends it. A dropped player runs until the process ends.
#[derive(Debug)]
pub struct Player {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    lanes: usize,
    /// Kills the bots that this process leaves behind.
    _guard: Option<Guard>,
}

/// State that all threads share.
#[derive(Debug)]
struct Shared {
    database: Database,
    uploads: Uploads,
    exchange: Exchange,
    settings: PlayerSettings,
    layout: Layout,
    workers: Option<Arc<dyn Workers>>,
    is_stopping: AtomicBool,
    ladders: Mutex<Ladders>,
    /// Notified when there may be something to play, or the player stops.
    changed: Condvar,
}

/// Maximum length of a line in the log, in characters.
const LOG_LINE: usize = 500;

/// Name of this player in leases. A folder has only one player.
const WORKER: &str = "serve";

/// Duration of a lease: the time after which another player takes over the jobs of a dead one.
const LEASE: Duration = Duration::from_mins(2);

/// Main function of a thread.
type ThreadMain = fn(&Arc<Shared>);

impl Player {
    /// Starts playing the ladders of a database's courses.
    ///
    /// # Errors
    /// Cores cannot be reserved, a ladder cannot be opened, or the database fails.
    pub fn start(
        database: Database,
        uploads: Uploads,
        exchange: Exchange,
        settings: PlayerSettings,
    ) -> Result<Self, PlayerError> {
        let guard = session::start_guard();
        let observer = LogObserver(Arc::clone(&settings.log));
        database.release_jobs(WORKER, (settings.now)()).wait()?;
        let workers = start_workers(&database, &settings, &observer)?;
        let layout = match &workers {
            Some(_) => Layout::without_lanes(),
            None => cores::reserve(&settings.cores, &observer)?,
        };
        for warning in &layout.warnings {
            observer.note(&format!("warning: {warning}"));
        }
        let lanes = layout.lanes.len();
        let shared = Arc::new(Shared {
            ladders: Mutex::new(Ladders::new(lanes)),
            database,
            uploads,
            exchange,
            settings,
            layout: layout.clone(),
            workers,
            is_stopping: AtomicBool::new(false),
            changed: Condvar::new(),
        });
        shared.sync_ladders()?;
        let threads = start_threads(&shared, &layout);
        shared.exchange.people.open(Arc::clone(&shared) as Arc<_>);
        Ok(Self { shared, threads, lanes, _guard: guard })
    }

    /// Number of games that this process plays at once; `None` if workers play.
    pub fn lanes(&self) -> Option<usize> {
        self.shared.workers.is_none().then_some(self.lanes)
    }

    /// Command that starts a worker, if workers play.
    pub fn worker_command(&self) -> Option<String> {
        self.shared.workers.as_ref().map(|workers| workers.command())
    }

    /// Function that reports the use of the lanes.
    pub fn lane_use(&self) -> ReadLanes {
        let shared = Arc::clone(&self.shared);
        Arc::new(move || {
            let ladders = shared.lock();
            let lanes = ladders.lanes;
            let is_final = shared.exchange.standings.playing().is_some();
            let busy = ladders.running.len() + ladders.checks.len();
            LaneUse { lanes, busy: if is_final { lanes } else { busy.min(lanes) } }
        })
    }

    /// Function that makes this player begin nothing new, callable from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move || shared.signal_stop()
    }

    /// Begins nothing new, waits for running games and builds, and closes the ladders.
    pub fn stop(self) {
        self.shared.signal_stop();
        self.shared.exchange.people.close();
        for thread in self.threads {
            // A thread that panicked has nothing to close.
            let _ = thread.join();
        }
        if let Some(workers) = &self.shared.workers {
            workers.end();
        }
        let now = self.shared.now();
        if let Err(error) = self.shared.database.release_jobs(WORKER, now).wait() {
            self.shared.log(&error.to_string());
        }
        for error in self.shared.lock().close() {
            self.shared.log(&error);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Ladders> {
        // The keeper repairs an interrupted state from the database.
        self.ladders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Utc {
        (self.settings.now)()
    }

    fn signal_stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.lock().interrupt_checks();
        self.changed.notify_all();
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Writes one line to the log, with the output of bots and builds escaped and truncated.
    fn log(&self, text: &str) {
        (self.settings.log)(&Untrusted::new(text).shown(LOG_LINE));
    }

    /// Sleeps for a time, or until the player stops.
    fn pause(&self, time: Duration) {
        const STEP: Duration = Duration::from_millis(100);
        let mut left = time;
        while !self.is_stopping() && !left.is_zero() {
            let step = left.min(STEP);
            std::thread::sleep(step);
            left -= step;
        }
    }
}

/// Starts the lanes and the other threads of a player.
fn start_threads(shared: &Arc<Shared>, layout: &Layout) -> Vec<JoinHandle<()>> {
    let (mut threads, last): (_, (&str, ThreadMain)) = match shared.workers {
        Some(_) => (Vec::new(), ("workers", workers::run)),
        None => {
            let queue = || Box::new(LaneQueue::new(Arc::clone(shared))) as Box<dyn Queue>;
            (start_lanes(layout, queue), ("finals", |shared| finals::run(shared)))
        }
    };
    let common: [(&str, ThreadMain); 4] = [
        ("keeper", |shared| keeper::run(shared)),
        ("builder", |shared| builder::run(shared)),
        ("tables", |shared| tables::run(shared)),
        ("remote", remote::run),
    ];
    for (name, main) in common.into_iter().chain([last]) {
        let shared = Arc::clone(shared);
        let thread = std::thread::Builder::new().name(name.into());
        let thread = thread.spawn(move || main(&shared));
        // The server cannot run without threads: the machine is out of resources.
        threads.push(thread.expect("a thread can be started"));
    }
    threads
}

/// Starts accepting workers, if they are enabled.
fn start_workers(
    database: &Database,
    settings: &PlayerSettings,
    observer: &LogObserver,
) -> Result<Option<Arc<dyn Workers>>, PlayerError> {
    let Some(start) = &settings.workers else { return Ok(None) };
    let file = keeper::first_file(database, &settings.folder)?.ok_or(PlayerError::NoLadder)?;
    if let Some(wanted) = database.next_final().wait()? {
        let name = &wanted.name;
        observer.note(&format!(
            "the final {name} is asked for; with --cluster it is played by hand, as the page \
             Administration says"
        ));
    }
    Ok(Some(start(&file, observer)?))
}

/// Runs a step and converts a panic into an error, so that the thread continues: students control
/// what is unpacked, built and played here.
fn catch_panic<T>(step: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    // The keeper repairs an interrupted state from the database.
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(step));
    done.unwrap_or(Err(PlayerError::Panicked))
}

/// Actor of the server itself, with all permissions.
pub(crate) fn server() -> Actor {
    Actor { is_admin: true, ..Actor::default() }
}

/// Forwards messages of preparations to the log.
struct LogObserver(Log);

impl Observer for LogObserver {
    fn note(&self, text: &str) {
        (self.0)(text);
    }

    fn warn(&self, text: &str) {
        (self.0)(text);
    }
}
