//! Games of people against bots. They are played in this process and kept in memory only. They do
//! not count, are not stored, and end with the process.
//!
//! The ladders' lanes do not play them, because a person may think for minutes and a lane is a core
//! that ladder games wait for. Each game has its own thread and bot process on the cores without a
//! lane. The process is stopped while the person thinks. The number of concurrent games and the
//! clock bound its CPU use.

mod hosted;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::BASE32_DNSSEC;
use pitmaster_core::Seed;
use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::{CourseId, GroupId, PersonId, Utc};
use pitmaster_session::practice::{HumanGame, Opponent, WantedGame, evaluate};

pub(crate) use hosted::{Evaluation, HostedGame, MoveError, Snapshot};

/// Maximum number of running games of a person.
pub(crate) const MAX_PER_PERSON: usize = 2;

/// Maximum number of running games of all guests together, because guests cannot be distinguished.
pub(crate) const MAX_GUESTS: usize = 4;

/// Maximum number of running games, each of which has a process.
pub(crate) const MAX_RUNNING: usize = 8;

/// Maximum number of games in memory, finished ones included. The oldest are evicted.
pub(crate) const MAX_GAMES: usize = 200;

/// Timeout for running games when the server stops. A bot may be thinking; its process ends with
/// the server anyway.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);

/// Source of opponents.
pub(crate) trait OpponentSource: fmt::Debug + Send + Sync {
    /// Active bots of a course, each with its game, that a member of a group may play against.
    fn offers(&self, course: CourseId, group: Option<GroupId>) -> Vec<Offer>;

    /// Creates a bot for a game of a member of a course and of a group.
    ///
    /// # Errors
    /// The reason why the bot cannot play the game, for the person.
    fn opponent(
        &self,
        of: (CourseId, Option<GroupId>),
        bot: &str,
        game: &str,
    ) -> Result<Opponent, Message>;

    /// Cores for the bots.
    fn cores(&self) -> Vec<usize>;
}

/// Bot of a course that people may play against.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offer {
    /// The only game of the bot.
    pub game: String,
    /// Name of the bot.
    pub bot: String,
}

/// Owner of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A logged-in person.
    Person(PersonId),
    /// A guest. Anyone with the game's unguessable URL can open it.
    Guest,
}

impl Owner {
    fn most(self) -> usize {
        match self {
            Self::Person(_) => MAX_PER_PERSON,
            Self::Guest => MAX_GUESTS,
        }
    }
}

/// Settings of a new game.
#[derive(Debug, Clone)]
pub(crate) struct GameSettings {
    /// The person's group.
    pub group: Option<GroupId>,
    /// Name of the bot; house bots begin with `house:`.
    pub bot: String,
    /// Game with its options.
    pub game: String,
    /// The person's side.
    pub person: pitmaster_core::Side,
    /// The bot's time limit per move.
    pub per_move: Duration,
    /// Steps of the opening, played before the game begins.
    pub opening: String,
}

/// Reason why a game does not begin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StartError {
    /// The requested game cannot be played.
    Refused(Message),
    /// The person has the maximum number of games.
    TooMany,
    /// The server has the maximum number of games, plays a final, or stops.
    Full,
}

/// All games of people. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct HumanGames(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    games: Mutex<Games>,
    /// Number of game threads.
    threads: Arc<AtomicUsize>,
    /// Whether a game is being evaluated.
    is_evaluating: AtomicBool,
}

/// Guard of a running evaluation.
struct EvaluationGuard(Arc<Shared>);

impl Drop for EvaluationGuard {
    fn drop(&mut self) {
        self.0.is_evaluating.store(false, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct Games {
    opponents: Option<Arc<dyn OpponentSource>>,
    /// Oldest first.
    hosted: Vec<Arc<HostedGame>>,
    /// Whether games are on hold because of a final.
    is_on_hold: bool,
}

impl HumanGames {
    /// Enables games, with opponents from a source.
    pub(crate) fn open(&self, opponents: Arc<dyn OpponentSource>) {
        self.games().opponents = Some(opponents);
    }

    /// Active bots of a course that a member of a group may play against.
    pub(crate) fn offers(&self, course: CourseId, group: Option<GroupId>) -> Vec<Offer> {
        let opponents = self.games().opponents.clone();
        opponents.map(|opponents| opponents.offers(course, group)).unwrap_or_default()
    }

    /// Begins a game.
    ///
    /// # Errors
    /// The reason why the game does not begin.
    pub(crate) fn begin(
        &self,
        (owner, course): (Owner, CourseId),
        settings: GameSettings,
        now: Utc,
    ) -> Result<Arc<HostedGame>, StartError> {
        let opponents = self.games().opponents_for(owner)?;
        let GameSettings { group, bot, game, person, per_move, opening } = settings;
        let of = (course, group);
        let opponent = opponents.opponent(of, &bot, &game).map_err(StartError::Refused)?;
        let (random, cores) = (random(), opponents.cores());
        let seed = Seed(u64::from_le_bytes(random.1) >> 11);
        let game = WantedGame { person, per_move, opening, seed, cores };
        let game = HumanGame::new(opponent, game).map_err(StartError::Refused)?;
        let mut games = self.games();
        // Another thread may have begun a game in the meantime.
        games.opponents_for(owner)?;
        let id = BASE32_DNSSEC.encode(&random.0);
        let threads = Arc::clone(&self.0.threads);
        let hosted = Arc::new(HostedGame::new((id, bot), owner, course, game, now, threads));
        games.add(Arc::clone(&hosted));
        drop(games);
        hosted.start();
        Ok(hosted)
    }

    /// Looks up a game of an owner by its id.
    pub(crate) fn get(
        &self,
        (owner, course): (Owner, CourseId),
        id: &str,
    ) -> Option<Arc<HostedGame>> {
        let games = self.games();
        let is_it = |hosted: &&Arc<HostedGame>| {
            hosted.id() == id && hosted.owner() == owner && hosted.course() == course
        };
        games.hosted.iter().find(is_it).cloned()
    }

    /// Games of an owner in a course, latest first.
    pub(crate) fn of(&self, owner: Owner, course: CourseId) -> Vec<Arc<HostedGame>> {
        let games = self.games();
        let own = |hosted: &&Arc<HostedGame>| hosted.owner() == owner && hosted.course() == course;
        games.hosted.iter().rev().filter(own).cloned().collect()
    }

    /// Evaluates a finished game by `house:expert`, on the cores without a lane. Returns whether
    /// the evaluation started. It does not while another one runs or a final is played.
    pub(crate) fn evaluate(&self, hosted: &Arc<HostedGame>) -> bool {
        let games = self.games();
        let Some(opponents) = games.opponents.clone().filter(|_| !games.is_on_hold) else {
            return false;
        };
        if matches!(hosted.snapshot().evaluation, Evaluation::Running | Evaluation::Done(_)) {
            return true;
        }
        if self.0.is_evaluating.swap(true, Ordering::Relaxed) {
            return false;
        }
        let evaluated = EvaluationGuard(Arc::clone(&self.0));
        let Some(record) = hosted.begin_evaluation() else { return true };
        let own = Arc::clone(hosted);
        let thread = std::thread::Builder::new().name("evaluation".into());
        let spawned = thread.spawn(move || {
            own.end_evaluation(evaluate(record, &opponents.cores()).ok());
            drop(evaluated);
        });
        if spawned.is_err() {
            // The evaluation may be requested again.
            hosted.end_evaluation(None);
        }
        spawned.is_ok()
    }

    /// Ends all games and prevents new ones while a final is played; or allows them again.
    pub(crate) fn hold(&self, is_on_hold: bool) {
        let mut games = self.games();
        games.is_on_hold = is_on_hold;
        if is_on_hold {
            games.leave_all();
        }
    }

    /// Ends all games, and prevents new ones.
    pub(crate) fn close(&self) {
        let mut games = self.games();
        games.opponents = None;
        games.leave_all();
        drop(games);
        let began = Instant::now();
        while self.0.threads.load(Ordering::Relaxed) > 0 && began.elapsed() < STOP_TIMEOUT {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Games {
    /// Returns the source of opponents, if an owner may begin a game now.
    fn opponents_for(&self, owner: Owner) -> Result<Arc<dyn OpponentSource>, StartError> {
        let running = || self.hosted.iter().filter(|hosted| hosted.is_running());
        if running().filter(|hosted| hosted.owner() == owner).count() >= owner.most() {
            return Err(StartError::TooMany);
        }
        if self.is_on_hold || running().count() >= MAX_RUNNING {
            return Err(StartError::Full);
        }
        self.opponents.clone().ok_or(StartError::Full)
    }

    fn add(&mut self, hosted: Arc<HostedGame>) {
        self.hosted.push(hosted);
        while self.hosted.len() > MAX_GAMES {
            let Some(oldest) = self.hosted.iter().position(|hosted| !hosted.is_running()) else {
                return;
            };
            self.hosted.remove(oldest);
        }
    }

    fn leave_all(&self) {
        self.hosted.iter().for_each(|hosted| hosted.leave());
    }
}

/// Random bytes of an id and of a seed.
fn random() -> ([u8; 12], [u8; 8]) {
    let (mut id, mut seed) = ([0; 12], [0; 8]);
    // Without random numbers, sessions could not work either.
    getrandom::fill(&mut id).expect("the system has random numbers");
    getrandom::fill(&mut seed).expect("the system has random numbers");
    (id, seed)
}

/// Message for a person whose game does not begin.
pub(crate) fn message(start_error: &StartError) -> Message {
    match start_error {
        StartError::Refused(message) => message.clone(),
        StartError::TooMany => {
            said!("You play {} games already; end one of them first.", MAX_PER_PERSON)
        }
        StartError::Full => {
            said!("The server cannot play more games against people now; try again later.")
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
