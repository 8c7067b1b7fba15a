//! Conversation with a referee: takes lines and instants, returns lines.

use std::time::Instant;

use pitmaster_core::Dialect;
use pitmaster_games::Turn;
use pitmaster_players::PlayerSpec;

use super::PlayerSetupError;
use super::handshake_dialect::Long;
use super::plain_dialects::{Bare, BareGame};

/// A house bot's side of a conversation.
#[derive(Debug)]
pub struct Talk(pub(super) Kind);

#[derive(Debug)]
pub(super) enum Kind {
    Long(Box<Long>),
    Bare(Box<Bare>),
}

/// Next step of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Listen for more lines.
    Listen,
    /// End: the referee has ended the conversation.
    End,
}

/// Reason why a conversation cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TalkError {
    /// The player cannot be set up for the game.
    #[error(transparent)]
    Setup(#[from] PlayerSetupError),
    /// A step received from the referee is illegal.
    #[error("{step:?} cannot be followed in {game}: {why}; is that the game that is played?")]
    Step {
        /// The received step.
        step: String,
        /// The game on the board.
        game: String,
        /// The error in the step.
        why: String,
    },
    /// A received position is invalid.
    #[error("the position cannot be read: {0}")]
    Position(String),
    /// `newgame` without a `game`.
    #[error("newgame came without the line that says which game")]
    NoGame,
    /// `go` before `newgame`.
    #[error("asked for a move before any game began")]
    NotBegun,
    /// The game begins with a step of chance, which the dialect does not report.
    #[error(
        "{game} begins with a step of chance, and {dialect} does not tell which; use --dialect pitmaster"
    )]
    Untold {
        /// The game.
        game: String,
        /// The dialect.
        dialect: Dialect,
    },
    /// The bot was asked for a move when it is not its turn.
    #[error("asked for a move, but on the board {turn}; {hint}")]
    NotToMove {
        /// The player to move.
        turn: String,
        /// Hint on what to check.
        hint: &'static str,
    },
}

impl TalkError {
    pub(super) fn not_to_move(turn: Turn, hint: &'static str) -> Self {
        let turn = match turn {
            Turn::Player(side) => format!("player {side} is to move"),
            Turn::Chance => "a step of chance is missing".to_owned(),
            Turn::Over(_) => "the game is over".to_owned(),
        };
        Self::NotToMove { turn, hint }
    }
}

impl Talk {
    /// A conversation in the dialect with a handshake.
    pub fn pitmaster(player: PlayerSpec) -> Self {
        Self(Kind::Long(Box::new(Long::new(player))))
    }

    /// A conversation in a dialect of bare moves.
    ///
    /// # Errors
    /// The player cannot play the game, or the game cannot be played with bare moves.
    pub fn bare(game: BareGame, player: &PlayerSpec) -> Result<Self, TalkError> {
        Ok(Self(Kind::Bare(Box::new(Bare::new(game, player)?))))
    }

    /// The dialect of the conversation.
    pub fn dialect(&self) -> Dialect {
        match &self.0 {
            Kind::Long(_) => Dialect::Pitmaster,
            Kind::Bare(bare) => bare.dialect(),
        }
    }

    /// Processes a line without its line ending that arrived at that instant, and appends the
    /// answer.
    ///
    /// # Errors
    /// The line is invalid at this point. No further lines should be passed.
    pub fn handle_line(
        &mut self,
        line: &[u8],
        at: Instant,
        out: &mut Vec<u8>,
    ) -> Result<Then, TalkError> {
        match &mut self.0 {
            Kind::Long(long) => long.handle_line(line, at, out),
            Kind::Bare(bare) => bare.handle_line(line, at, out),
        }
    }
}
