//! Player: builds and validates versions, checks them, and plays the ladders: in this process, or by
//! workers, so that this process runs no bot but house bots.
//!
//! | thread | in this process | with workers |
//! |---|---|---|
//! | builder | leases build jobs: unpacks uploads, takes snapshots, builds them in the sandbox | the same, but a worker builds |
//! | keeper | follows the database: which versions play, which jobs wait; extends leases | the same |
//! | finals | plays the finals that the staff asks for, on all lanes, while everything else waits | is not there: finals are played by hand |
//! | tables | computes and publishes tables of ladders whose results have changed | the same |
//! | remote | pairs the clients in the lobby, and plays their games on threads of their own | the same; house bots have no process |
//! | lanes | play validation games and pairs, and check versions when nothing is more urgent | are not there |
//! | workers | is not there | starts a far lane for each lane of a worker, and reports who comes and goes |
//! | far lanes | are not there | claim what lanes claim, and wait until a worker has done it |
//!
//! Everything that is found out is committed by the database, which decides what follows. A player
//! that was killed leaves leases, which the next one gives back when it starts.

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
use self::ladders::Ladders;
use self::lane_queue::LaneQueue;

/// Settings of a player.
#[derive(Clone)]
pub struct PlayerSettings {
    /// The course's folder.
    pub folder: PathBuf,
    /// Cores and number of lanes.
    pub cores: Wish,
    /// Isolation of the bots; by default that of each ladder's tournament file.
    pub isolation: IsolationOptions,
    /// Those who build, check and play in place of this process.
    pub workers: Option<StartWorkers>,
    /// The clock.
    pub now: fn() -> Utc,
    /// Takes lines for the person who runs the server.
    pub log: Log,
}

/// Begins to wait for workers. It gets the tournament file of the ladder whose guarantees they have to
/// give.
pub type StartWorkers =
    Arc<dyn Fn(&Path, &dyn Observer) -> Result<Arc<dyn Workers>, session::Error> + Send + Sync>;

impl std::fmt::Debug for PlayerSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlayerSettings").field("folder", &self.folder).finish_non_exhaustive()
    }
}

/// Reason why a player cannot start or go on.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// A ladder, the machine or a folder.
    #[error(transparent)]
    Session(#[from] session::Error),
    /// The database of the course.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// Workers cannot be admitted, because nothing says what they have to promise.
    #[error(
        "this folder has no ladder that workers could play; `pitmaster new course` creates one"
    )]
    NoLadder,
    /// A panic in one of its steps.
    #[error("a fault of Pitmaster (a panic; see the lines before); please report it")]
    Panicked,
}

/// A running player. [`Player::stop`] ends it; a player that is dropped goes on until the process
/// ends.
#[derive(Debug)]
pub struct Player {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
    lanes: usize,
    /// Kills bots that this process leaves behind.
    _guard: Option<Guard>,
}

/// What all threads share.
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
    /// There may be something to play, or the player stops.
    changed: Condvar,
}

/// Longest line in the log, in characters.
const LOG_LINE: usize = 500;

/// Name of this player in leases. There is one for each folder.
const WORKER: &str = "serve";

/// How long a lease lasts without being extended: as long as it takes until another player goes on
/// with the jobs of one that is gone.
const LEASE: Duration = Duration::from_mins(2);

/// What a thread of the player does.
type Body = fn(&Arc<Shared>);

impl Player {
    /// Starts playing the ladders of the courses of a database.
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
        let observer = Notes(Arc::clone(&settings.log));
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
        shared.follow()?;
        let (mut threads, own): (_, (&str, Body)) = match shared.workers {
            Some(_) => (Vec::new(), ("workers", workers::run)),
            None => {
                let queue = || Box::new(LaneQueue::new(Arc::clone(&shared))) as Box<dyn Queue>;
                (start_lanes(&layout, queue), ("finals", |shared| finals::run(shared)))
            }
        };
        let common: [(&str, Body); 4] = [
            ("keeper", |shared| keeper::run(shared)),
            ("builder", |shared| builder::run(shared)),
            ("tables", |shared| tables::run(shared)),
            ("remote", remote::run),
        ];
        for (name, body) in common.into_iter().chain([own]) {
            let shared = Arc::clone(&shared);
            let thread = std::thread::Builder::new().name(name.into());
            let thread = thread.spawn(move || body(&shared));
            // Without threads there is no server; the machine is out of something.
            threads.push(thread.expect("a thread can be started"));
        }
        shared.exchange.people.open(Arc::clone(&shared) as Arc<_>);
        Ok(Self { shared, threads, lanes, _guard: guard })
    }

    /// Number of games that this process plays at once; `None` if workers play.
    pub fn lanes(&self) -> Option<usize> {
        self.shared.workers.is_none().then_some(self.lanes)
    }

    /// The command that starts a worker, if workers play.
    pub fn worker_command(&self) -> Option<String> {
        self.shared.workers.as_ref().map(|workers| workers.command())
    }

    /// What reads how many lanes are busy.
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

    /// What tells this player to begin nothing new, from another thread.
    pub fn stopper(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move || shared.begin_to_stop()
    }

    /// Begins nothing new, waits for the games and builds that are running, and closes the ladders.
    pub fn stop(self) {
        self.shared.begin_to_stop();
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
        // Whatever a panic interrupted is put right by what the database says.
        self.ladders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Utc {
        (self.settings.now)()
    }

    fn begin_to_stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.lock().interrupt_checks();
        self.changed.notify_all();
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Writes one line to the log, whatever a bot or its build had to say.
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

/// Begins to wait for workers, if they are to play.
fn start_workers(
    database: &Database,
    settings: &PlayerSettings,
    observer: &Notes,
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

/// Takes a step. A panic in it is an error, so that its thread goes on: students write what is
/// unpacked, built and played here.
fn caught<T>(step: impl FnOnce() -> Result<T, PlayerError>) -> Result<T, PlayerError> {
    // Whatever it interrupted is put right by what the database says.
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(step));
    done.unwrap_or(Err(PlayerError::Panicked))
}

/// The server itself, which sees everything.
pub(crate) fn server() -> Actor {
    Actor { is_admin: true, ..Actor::default() }
}

/// Takes the notes of preparations to the log.
struct Notes(Log);

impl Observer for Notes {
    fn note(&self, text: &str) {
        (self.0)(text);
    }

    fn warn(&self, text: &str) {
        (self.0)(text);
    }
}
