//! Referee state machine: its parts and setup.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::{
    At, BySide, Claim, Ending, Evidence, Exit, GameKey, Ply, Remark, Seed, Side, Untrusted,
};
use pitmaster_games::{DynGame, GameState};
use rand_chacha::ChaCha8Rng;

use super::clock::TurnClock;
use super::seat::{Seat, SeatSetup};

/// What a game needs.
#[derive(Debug)]
pub struct Setup {
    /// Which game it is.
    pub key: GameKey,
    /// Its rules.
    pub game: Arc<dyn DynGame>,
    /// Its seed.
    pub seed: Seed,
    /// How each side is spoken to.
    pub seats: BySide<SeatSetup>,
    /// Where it begins, if not at the start of the rules.
    pub position: Option<String>,
}

/// A game that cannot be begun.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Its position is none.
    #[error("the position to begin from cannot be read: {0}")]
    Position(String),
    /// A move of its opening is not legal.
    #[error("the opening cannot be played: {text} is not legal there")]
    Opening {
        /// Which.
        text: String,
    },
}

/// What whoever drives the referee has to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Start the process of a side.
    Start(Side),
    /// Send [`Referee::outbox`] to a side.
    Send(Side),
    /// Wait for a line of a side, until that instant has passed.
    Listen {
        /// Whose.
        side: Side,
        /// The last instant that is still in time; `None`: for ever.
        until: Option<At>,
    },
    /// The game is over.
    End,
}

/// What is left of a side's process after the game.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// The end of its standard error.
    pub stderr: Untrusted,
    /// How it ended, if it did by itself.
    pub exit: Option<Exit>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Greeting,
    NewGame,
    Turn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// What comes next is to be found out.
    Between,
    Starting(Side),
    Sending(Side, Asked),
    Listening(Side, Asked),
}

/// One game, refereed.
#[derive(Debug)]
pub struct Referee {
    pub(super) setup: Setup,
    pub(super) table: Box<dyn GameState>,
    pub(super) chance: ChaCha8Rng,
    pub(super) seats: BySide<Seat>,
    pub(super) stage: Stage,
    pub(super) mover: Side,
    pub(super) clock: TurnClock,
    /// When the first turn was sent.
    pub(super) began: Option<At>,
    /// The last instant that was heard of.
    pub(super) now: At,
    pub(super) outbox: Vec<u8>,
    pub(super) moves: String,
    pub(super) plies: Vec<Ply>,
    pub(super) remarks: Vec<Remark>,
    pub(super) info: Option<Untrusted>,
    pub(super) wrong_claims: Vec<Claim>,
    pub(super) evidence: BySide<Option<Evidence>>,
    pub(super) ending: Option<Ending>,
    pub(super) opening: String,
}

impl Referee {
    /// Sets up the board and plays the opening.
    pub fn new(setup: Setup) -> Result<Self, SetupError> {
        let table = match &setup.position {
            Some(text) => {
                setup.game.resume(text).map_err(|fault| SetupError::Position(fault.to_string()))?
            }
            None => setup.game.begin(),
        };
        let limits = &setup.key.limits;
        let bank = limits.bank.map_or(Duration::ZERO, |bank| bank.initial);
        let clock = TurnClock {
            sent: At::START,
            per_move: None,
            bank: None,
            game_over: None,
            margin: limits.margin,
            credit: Duration::ZERO,
            waited: Duration::ZERO,
            waited_before: Duration::ZERO,
        };
        let mut referee = Self {
            table,
            chance: setup.seed.stream("chance"),
            seats: BySide::from_fn(|side| Seat::new(setup.seats[side], bank)),
            stage: Stage::Between,
            mover: Side::One,
            clock,
            began: None,
            now: At::START,
            outbox: Vec::with_capacity(1024),
            moves: String::new(),
            plies: Vec::with_capacity(128),
            remarks: Vec::new(),
            info: None,
            wrong_claims: Vec::new(),
            evidence: BySide::default(),
            ending: None,
            opening: String::new(),
            setup,
        };
        referee.play_opening()?;
        Ok(referee)
    }

    fn play_opening(&mut self) -> Result<(), SetupError> {
        let opening = self.setup.key.opening.clone();
        for text in opening.split_ascii_whitespace() {
            let fault = || SetupError::Opening { text: text.to_owned() };
            self.stop_at_the_ply_limit();
            if self.ending.is_some() {
                return Err(fault());
            }
            self.follow(text).map_err(|_| fault())?;
        }
        self.advance();
        // Whoever has a handshake hears the opening in `newgame`; the others cannot.
        let bank = self.setup.key.limits.bank.map_or(Duration::ZERO, |bank| bank.initial);
        for side in Side::BOTH {
            self.seats[side] = Seat::new(self.setup.seats[side], bank);
        }
        self.opening = self.plies.iter().map(|ply| format!(" {}", ply.text)).collect();
        Ok(())
    }
}
