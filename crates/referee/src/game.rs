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

/// Setup of a game.
#[derive(Debug)]
pub struct Setup {
    /// Key of the game.
    pub key: GameKey,
    /// Rules of the game.
    pub game: Arc<dyn DynGame>,
    /// Seed of the game.
    pub seed: Seed,
    /// Communication settings of each side.
    pub seats: BySide<SeatSetup>,
    /// Starting position, if not the start of the rules.
    pub position: Option<String>,
}

/// Error for a game that cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The starting position is invalid.
    #[error("the position to begin from cannot be read: {0}")]
    Position(String),
    /// A move of the opening is not legal.
    #[error("the opening cannot be played: {text} is not legal there")]
    Opening {
        /// Text of the move.
        text: String,
    },
}

/// Next action that the driver has to carry out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Start the process of a side.
    Start(Side),
    /// Send [`Referee::outbox`] to a side.
    Send(Side),
    /// Wait for a line of a side until the deadline has passed.
    Listen {
        /// Side to listen to.
        side: Side,
        /// Last instant that is still in time; `None`: no deadline.
        until: Option<At>,
    },
    /// The game has ended.
    End,
}

/// State of a side's process after the game.
#[derive(Debug, Default)]
pub struct Leftovers {
    /// Last part of its standard error.
    pub stderr: Untrusted,
    /// Exit of the process, if it ended by itself.
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
    /// The next step has yet to be determined.
    Between,
    Starting(Side),
    Sending(Side, Asked),
    Listening(Side, Asked),
}

/// Referee of one game.
#[derive(Debug)]
pub struct Referee {
    pub(super) setup: Setup,
    pub(super) table: Box<dyn GameState>,
    pub(super) chance: ChaCha8Rng,
    pub(super) seats: BySide<Seat>,
    pub(super) stage: Stage,
    pub(super) mover: Side,
    pub(super) clock: TurnClock,
    /// Instant at which the first turn was sent.
    pub(super) began: Option<At>,
    /// Latest instant seen.
    pub(super) now: At,
    pub(super) plies: Vec<Ply>,
    pub(super) notes: Notes,
    pub(super) ending: Option<Ending>,
    pub(super) text: Text,
}

/// Notes in the record on the bots' behavior besides their moves.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) remarks: Vec<Remark>,
    /// Info line that goes with the next move.
    pub(super) info: Option<Untrusted>,
    pub(super) wrong_claims: Vec<Claim>,
    pub(super) evidence: BySide<Option<Evidence>>,
}

/// Buffers of the text for the bots.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) outbox: Vec<u8>,
    pub(super) moves: String,
    /// Moves of the opening, each after a space.
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
            gives_back: false,
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
            plies: Vec::with_capacity(128),
            notes: Notes::default(),
            ending: None,
            text: Text {
                outbox: Vec::with_capacity(1024),
                moves: String::new(),
                opening: String::new(),
            },
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
        // Dialects with a handshake get the opening in `newgame`; the others cannot.
        let bank = self.setup.key.limits.bank.map_or(Duration::ZERO, |bank| bank.initial);
        for side in Side::BOTH {
            self.seats[side] = Seat::new(self.setup.seats[side], bank);
        }
        self.text.opening = self.plies.iter().map(|ply| format!(" {}", ply.text)).collect();
        Ok(())
    }
}
