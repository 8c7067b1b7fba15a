//! Conversation with a referee: takes lines and instants, returns lines.

use std::time::Instant;

use pitmaster_core::Dialect;
use pitmaster_games::Turn;
use pitmaster_players::{BuildError, PlayerSpec};

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

/// How a conversation goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// By listening.
    Listen,
    /// Not at all: it was said to be over.
    End,
}

/// Why a conversation cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TalkError {
    /// There is no such game, or no such player for it.
    #[error(transparent)]
    Seat(#[from] BuildError),
    /// A step that was told cannot be made.
    #[error("{step:?} cannot be followed in {game}: {why}; is that the game that is played?")]
    Step {
        /// What was told.
        step: String,
        /// What is played on the board.
        game: String,
        /// What is wrong with the step.
        why: String,
    },
    /// A position that was told is none.
    #[error("the position cannot be read: {0}")]
    Position(String),
    /// `newgame` without a `game`.
    #[error("newgame came without the line that says which game")]
    NoGame,
    /// `go` before `newgame`.
    #[error("asked for a move before any game began")]
    NotBegun,
    /// A game that begins with a step of chance, in a dialect that does not tell it.
    #[error(
        "{game} begins with a step of chance, and {dialect} does not tell which; use --dialect pitmaster"
    )]
    Untold {
        /// The game.
        game: String,
        /// The dialect.
        dialect: Dialect,
    },
    /// Asked for a move when the board says that it is not this player's turn.
    #[error("asked for a move, but on the board {turn}; {hint}")]
    NotToMove {
        /// Whose turn it is.
        turn: String,
        /// What to look at.
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
    /// In the dialect with a handshake.
    pub fn pitmaster(player: PlayerSpec) -> Self {
        Self(Kind::Long(Box::new(Long::new(player))))
    }

    /// In a dialect of bare moves.
    ///
    /// # Errors
    /// The player cannot play the game, or the game cannot be played with bare moves.
    pub fn bare(game: BareGame, player: &PlayerSpec) -> Result<Self, TalkError> {
        Ok(Self(Kind::Bare(Box::new(Bare::new(game, player)?))))
    }

    /// Which dialect it is in.
    pub fn dialect(&self) -> Dialect {
        match &self.0 {
            Kind::Long(_) => Dialect::Pitmaster,
            Kind::Bare(bare) => bare.dialect(),
        }
    }

    /// Hears a line without its end, which came at that instant, and appends what is to be
    /// said to it.
    ///
    /// # Errors
    /// The line makes no sense after those before it; nothing more should be heard.
    pub fn hear(&mut self, line: &[u8], at: Instant, out: &mut Vec<u8>) -> Result<Then, TalkError> {
        match &mut self.0 {
            Kind::Long(long) => long.hear(line, at, out),
            Kind::Bare(bare) => bare.hear(line, at, out),
        }
    }
}
