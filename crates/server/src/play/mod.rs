//! Games of people against bots. They are played in this process and kept in memory only. They do
//! not count, are not stored, and end with the process.
//!
//! The ladders' lanes do not play them, because a person may think for minutes and a lane is a core
//! that ladder games wait for. Each game has its own thread and bot process on the cores without a
//! lane. The process is stopped while the person thinks. The number of concurrent games and the
//! clock bound its CPU use.

mod table;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use data_encoding::BASE32_DNSSEC;
use pitmaster_core::Seed;
use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::{CourseId, PersonId, Utc};
use pitmaster_session::practice::{HumanGame, Opponent, WantedGame, evaluate};

pub(crate) use table::{Evaluation, HumanTable, NotPlayed, Snapshot};

/// Maximum number of running games of a person.
pub(crate) const OF_A_PERSON: usize = 2;

/// Maximum number of running games of all guests together, because guests cannot be distinguished.
pub(crate) const OF_GUESTS: usize = 4;

/// Maximum number of running games, each of which has a process.
pub(crate) const AT_ONCE: usize = 8;

/// Maximum number of games in memory, finished ones included. The oldest are evicted.
pub(crate) const KEPT: usize = 200;

/// Timeout for running games when the server stops. A bot may be thinking; its process ends with
/// the server anyway.
const STOPPING: Duration = Duration::from_secs(8);

/// Source of opponents.
pub(crate) trait Dealer: fmt::Debug + Send + Sync {
    /// Active bots of a course, each with its game.
    fn offers(&self, course: CourseId) -> Vec<Offer>;

    /// Creates a bot for a game.
    ///
    /// # Errors
    /// The reason why the bot cannot play the game, for the person.
    fn opponent(&self, course: CourseId, bot: &str, game: &str) -> Result<Opponent, Message>;

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
            Self::Person(_) => OF_A_PERSON,
            Self::Guest => OF_GUESTS,
        }
    }
}

/// Settings of a new game.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
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
pub(crate) enum NotBegun {
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
    kept: Mutex<Kept>,
    /// Number of game threads.
    threads: Arc<AtomicUsize>,
    /// Whether a game is being evaluated.
    evaluates: AtomicBool,
}

/// Guard of a running evaluation.
struct Evaluated(Arc<Shared>);

impl Drop for Evaluated {
    fn drop(&mut self) {
        self.0.evaluates.store(false, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct Kept {
    dealer: Option<Arc<dyn Dealer>>,
    /// Oldest first.
    tables: Vec<Arc<HumanTable>>,
    /// Whether games are on hold because of a final.
    is_held: bool,
}

impl HumanGames {
    /// Enables games, with opponents from a dealer.
    pub(crate) fn open(&self, dealer: Arc<dyn Dealer>) {
        self.kept().dealer = Some(dealer);
    }

    /// Active bots of a course.
    pub(crate) fn offers(&self, course: CourseId) -> Vec<Offer> {
        let dealer = self.kept().dealer.clone();
        dealer.map(|dealer| dealer.offers(course)).unwrap_or_default()
    }

    /// Begins a game.
    ///
    /// # Errors
    /// The reason why the game does not begin.
    pub(crate) fn begin(
        &self,
        (owner, course): (Owner, CourseId),
        wanted: Wanted,
        now: Utc,
    ) -> Result<Arc<HumanTable>, NotBegun> {
        let dealer = self.kept().dealer_for(owner)?;
        let Wanted { bot, game, person, per_move, opening } = wanted;
        let opponent = dealer.opponent(course, &bot, &game).map_err(NotBegun::Refused)?;
        let (random, cores) = (random(), dealer.cores());
        let seed = Seed(u64::from_le_bytes(random.1) >> 11);
        let game = WantedGame { person, per_move, opening, seed, cores };
        let game = HumanGame::new(opponent, game).map_err(NotBegun::Refused)?;
        let mut kept = self.kept();
        // Another thread may have begun a game in the meantime.
        kept.dealer_for(owner)?;
        let id = BASE32_DNSSEC.encode(&random.0);
        let threads = Arc::clone(&self.0.threads);
        let table = Arc::new(HumanTable::new((id, bot), owner, course, game, now, threads));
        kept.add(Arc::clone(&table));
        drop(kept);
        table.start();
        Ok(table)
    }

    /// Looks up a game of an owner by its id.
    pub(crate) fn get(
        &self,
        (owner, course): (Owner, CourseId),
        id: &str,
    ) -> Option<Arc<HumanTable>> {
        let kept = self.kept();
        let is_it = |table: &&Arc<HumanTable>| {
            table.id() == id && table.owner() == owner && table.course() == course
        };
        kept.tables.iter().find(is_it).cloned()
    }

    /// Games of an owner in a course, latest first.
    pub(crate) fn of(&self, owner: Owner, course: CourseId) -> Vec<Arc<HumanTable>> {
        let kept = self.kept();
        let own = |table: &&Arc<HumanTable>| table.owner() == owner && table.course() == course;
        kept.tables.iter().rev().filter(own).cloned().collect()
    }

    /// Evaluates a finished game by `house:expert`, on the cores without a lane. Returns whether
    /// the evaluation started. It does not while another one runs or a final is played.
    pub(crate) fn evaluate(&self, table: &Arc<HumanTable>) -> bool {
        let kept = self.kept();
        let Some(dealer) = kept.dealer.clone().filter(|_| !kept.is_held) else { return false };
        if matches!(table.snapshot().evaluation, Evaluation::Running | Evaluation::Done(_)) {
            return true;
        }
        if self.0.evaluates.swap(true, Ordering::Relaxed) {
            return false;
        }
        let evaluated = Evaluated(Arc::clone(&self.0));
        let Some(record) = table.begin_evaluation() else { return true };
        let own = Arc::clone(table);
        let thread = std::thread::Builder::new().name("evaluation".into());
        let spawned = thread.spawn(move || {
            own.end_evaluation(evaluate(record, &dealer.cores()).ok());
            drop(evaluated);
        });
        if spawned.is_err() {
            // The evaluation may be requested again.
            table.end_evaluation(None);
        }
        spawned.is_ok()
    }

    /// Ends all games and prevents new ones while a final is played; or allows them again.
    pub(crate) fn hold(&self, held: bool) {
        let mut kept = self.kept();
        kept.is_held = held;
        if held {
            kept.leave_all();
        }
    }

    /// Ends all games, and prevents new ones.
    pub(crate) fn close(&self) {
        let mut kept = self.kept();
        kept.dealer = None;
        kept.leave_all();
        drop(kept);
        let began = Instant::now();
        while self.0.threads.load(Ordering::Relaxed) > 0 && began.elapsed() < STOPPING {
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    /// Returns the dealer, if an owner may begin a game now.
    fn dealer_for(&self, owner: Owner) -> Result<Arc<dyn Dealer>, NotBegun> {
        let running = || self.tables.iter().filter(|table| table.is_running());
        if running().filter(|table| table.owner() == owner).count() >= owner.most() {
            return Err(NotBegun::TooMany);
        }
        if self.is_held || running().count() >= AT_ONCE {
            return Err(NotBegun::Full);
        }
        self.dealer.clone().ok_or(NotBegun::Full)
    }

    fn add(&mut self, table: Arc<HumanTable>) {
        self.tables.push(table);
        while self.tables.len() > KEPT {
            let Some(oldest) = self.tables.iter().position(|table| !table.is_running()) else {
                return;
            };
            self.tables.remove(oldest);
        }
    }

    fn leave_all(&self) {
        self.tables.iter().for_each(|table| table.leave());
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
pub(crate) fn why(not_begun: &NotBegun) -> Message {
    match not_begun {
        NotBegun::Refused(why) => why.clone(),
        NotBegun::TooMany => {
            said!("You play {} games already; end one of them first.", OF_A_PERSON)
        }
        NotBegun::Full => {
            said!("The server cannot play more games against people now; try again later.")
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
