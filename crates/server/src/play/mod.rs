//! Games of people against bots, in this process and in memory: none of them counts, none is stored,
//! and a restart ends them all.
//!
//! No ladder's lane plays them, because a person may think for minutes and a lane is a core that
//! games of the ladder wait for. Each game has a thread and a process of its own on the cores that no
//! lane has, where the process is stopped while the person thinks. What it can take of them is
//! bounded by the number of games at once and by the clock of its moves.

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

/// Running games of a person.
pub(crate) const OF_A_PERSON: usize = 2;

/// Running games of all guests together: they are not told apart.
pub(crate) const OF_GUESTS: usize = 4;

/// Running games in all, each of which has a process.
pub(crate) const AT_ONCE: usize = 8;

/// Games that are kept, those that are over included. The oldest make room.
pub(crate) const KEPT: usize = 200;

/// Longest wait for the games to end when the server stops. A bot may be thinking, and its process
/// ends with the server in any case.
const STOPPING: Duration = Duration::from_secs(8);

/// Where opponents come from.
pub(crate) trait Dealer: fmt::Debug + Send + Sync {
    /// The bots of a course that play now, each with its game.
    fn offers(&self, course: CourseId) -> Vec<Offer>;

    /// A bot for a game.
    ///
    /// # Errors
    /// Why it cannot play it, for the person.
    fn opponent(&self, course: CourseId, bot: &str, game: &str) -> Result<Opponent, Message>;

    /// The cores on which it runs.
    fn cores(&self) -> Vec<usize>;
}

/// A bot of a course against which people may play.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Offer {
    /// The only game that it plays.
    pub game: String,
    /// Its name.
    pub bot: String,
}

/// Whose a game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A person's.
    Person(PersonId),
    /// A guest's. Its address, which nobody can guess, is what opens it.
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

/// A game that somebody asks for.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    /// Name of the bot; house bots begin with `house:`.
    pub bot: String,
    /// The game with its options.
    pub game: String,
    /// Side of the person.
    pub person: pitmaster_core::Side,
    /// Time of the bot for a move.
    pub per_move: Duration,
    /// Steps that are played before.
    pub opening: String,
}

/// Reason why a game does not begin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NotBegun {
    /// What was asked for cannot be played.
    Refused(Message),
    /// The person has as many games as they may.
    TooMany,
    /// The server has as many as it can, plays a final, or stops.
    Full,
}

/// All games of people. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct HumanGames(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    kept: Mutex<Kept>,
    /// Threads that play.
    threads: Arc<AtomicUsize>,
    /// Whether a game is being evaluated.
    evaluates: AtomicBool,
}

/// The evaluation of a game, which ends when it is dropped.
struct Evaluated(Arc<Shared>);

impl Drop for Evaluated {
    fn drop(&mut self) {
        self.0.evaluates.store(false, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct Kept {
    dealer: Option<Arc<dyn Dealer>>,
    /// The oldest first.
    tables: Vec<Arc<HumanTable>>,
    /// Whether everybody waits for a final.
    is_held: bool,
}

impl HumanGames {
    /// Lets games begin, with opponents from there.
    pub(crate) fn open(&self, dealer: Arc<dyn Dealer>) {
        self.kept().dealer = Some(dealer);
    }

    /// The bots of a course that play now.
    pub(crate) fn offers(&self, course: CourseId) -> Vec<Offer> {
        let dealer = self.kept().dealer.clone();
        dealer.map(|dealer| dealer.offers(course)).unwrap_or_default()
    }

    /// Begins a game.
    ///
    /// # Errors
    /// Why it does not begin.
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
        // Others may have begun one meanwhile.
        kept.dealer_for(owner)?;
        let id = BASE32_DNSSEC.encode(&random.0);
        let threads = Arc::clone(&self.0.threads);
        let table = Arc::new(HumanTable::new((id, bot), owner, course, game, now, threads));
        kept.add(Arc::clone(&table));
        drop(kept);
        table.start();
        Ok(table)
    }

    /// The game of somebody with this id.
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

    /// The games of somebody in a course, the latest first.
    pub(crate) fn of(&self, owner: Owner, course: CourseId) -> Vec<Arc<HumanTable>> {
        let kept = self.kept();
        let own = |table: &&Arc<HumanTable>| table.owner() == owner && table.course() == course;
        kept.tables.iter().rev().filter(own).cloned().collect()
    }

    /// Lets `house:expert` evaluate a game that is over, on the cores that no lane has, one game after
    /// another. Returns whether it may: not while another game is evaluated, or a final is played.
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
            // It may be asked for again.
            table.end_evaluation(None);
        }
        spawned.is_ok()
    }

    /// Ends all games and lets none begin while a final is played, or goes on.
    pub(crate) fn hold(&self, held: bool) {
        let mut kept = self.kept();
        kept.is_held = held;
        if held {
            kept.leave_all();
        }
    }

    /// Ends all games, and lets none begin any more.
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
    /// The dealer, if somebody may begin a game now.
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

/// Bytes of an id and of a seed.
fn random() -> ([u8; 12], [u8; 8]) {
    let (mut id, mut seed) = ([0; 12], [0; 8]);
    // Without random numbers there is no session either.
    getrandom::fill(&mut id).expect("the system has random numbers");
    getrandom::fill(&mut seed).expect("the system has random numbers");
    (id, seed)
}

/// What a person reads whose game does not begin.
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
