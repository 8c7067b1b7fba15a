//! The dialects `arena` and `course`: bare moves, one game per process.

use std::fmt;
use std::time::{Duration, Instant};

use pitmaster_core::{Dialect, Seed, Side};
use pitmaster_games::Turn;
use pitmaster_players::PlayerSpec;
use pitmaster_referee::protocol::Remaining;

use super::board::Board;
use super::conversation::{TalkError, Then};

/// Time reserved from the limit on the first move for the program's start, before it can read a
/// clock.
const START: Duration = Duration::from_millis(10);

/// Facts that a bot in these dialects does not receive over the wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareGame {
    /// `arena` or `course`.
    pub dialect: Dialect,
    /// The game, with options.
    pub game: String,
    /// The bot's side.
    pub side: Side,
    /// Seed of its randomness.
    pub seed: Seed,
    /// The limits.
    pub times: Times,
    /// Start of the process, whose startup counts toward its first move.
    pub began: Instant,
}

/// Limits of a game, as far as a bot in these dialects knows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Times {
    /// Limit per move.
    pub per_move: Option<Duration>,
    /// Limit for the whole game.
    pub per_game: Option<Duration>,
}

/// A conversation in these dialects.
pub(super) struct Bare {
    game: BareGame,
    board: Board,
    has_moved: bool,
}

impl Bare {
    pub(super) fn new(game: BareGame, player: &PlayerSpec) -> Result<Self, TalkError> {
        let board = Board::new(&game.game, player)?;
        Self::at(game, board)
    }

    /// Makes a conversation with an existing board.
    pub(super) fn at(game: BareGame, mut board: Board) -> Result<Self, TalkError> {
        board.begin(game.seed);
        if board.turn() == Turn::Chance {
            return Err(TalkError::Untold { game: game.game, dialect: game.dialect });
        }
        Ok(Self { game, board, has_moved: false })
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.game.dialect
    }

    /// A line is a step, except for two keywords. The bot answers if the board says that it is its
    /// turn.
    pub(super) fn handle_line(
        &mut self,
        line: &[u8],
        at: Instant,
        out: &mut Vec<u8>,
    ) -> Result<Then, TalkError> {
        let text = String::from_utf8_lossy(line);
        let is_asked = match text.trim_ascii() {
            "" => return Ok(Then::Listen),
            "END" => return Ok(Then::End),
            "START" => true,
            steps => {
                self.board.follow(steps)?;
                false
            }
        };
        match self.board.turn() {
            Turn::Player(side) if side == self.game.side => self.answer(at, out)?,
            turn if is_asked => {
                return Err(TalkError::not_to_move(
                    turn,
                    "is it the right player, the right game?",
                ));
            }
            _ => {}
        }
        Ok(Then::Listen)
    }

    fn answer(&mut self, at: Instant, out: &mut Vec<u8>) -> Result<(), TalkError> {
        let Times { mut per_move, per_game } = self.game.times;
        let elapsed = at.saturating_duration_since(self.game.began);
        if !std::mem::replace(&mut self.has_moved, true) {
            per_move = per_move.map(|limit| limit.saturating_sub(elapsed + START));
        }
        let per_game = per_game.map(|limit| limit.saturating_sub(elapsed));
        let left = Remaining { per_move, per_game, banks: None };
        self.board.answer(self.game.dialect, at, left, Duration::ZERO, out)
    }
}

impl fmt::Debug for Bare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bare").field("game", &self.game).finish_non_exhaustive()
    }
}
