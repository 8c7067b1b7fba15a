//! The `pitmaster` dialect of house bots: a handshake, then any number of games.

use std::fmt;
use std::time::{Duration, Instant};

use pitmaster_core::{Dialect, Seed, Side};
use pitmaster_games::Turn;
use pitmaster_players::{PREFIX, PlayerSpec};
use pitmaster_referee::protocol::{self, RefereeMessage, Remaining};

use super::board::Board;
use super::conversation::{TalkError, Then};

/// A conversation in this dialect.
pub(super) struct Long {
    player: PlayerSpec,
    /// Board, kept for the next game of the same rules.
    board: Option<Board>,
    opened: Opened,
    left: Remaining,
    /// Error in following the moves: the start position may follow later.
    astray: Option<TalkError>,
}

/// Settings received for the game that is being opened.
#[derive(Debug, Default)]
struct Opened {
    game: Option<String>,
    side: Option<Side>,
    seed: Option<Seed>,
    opening: String,
    increment: Duration,
    plies: Option<u32>,
}

impl Long {
    pub(super) fn new(player: PlayerSpec) -> Self {
        Self {
            player,
            board: None,
            opened: Opened::default(),
            left: Remaining::default(),
            astray: None,
        }
    }

    /// Makes a conversation with an existing board.
    #[cfg(test)]
    pub(super) fn at(player: PlayerSpec, board: Board) -> Self {
        Self { board: Some(board), ..Self::new(player) }
    }

    pub(super) fn handle_line(
        &mut self,
        line: &[u8],
        at: Instant,
        out: &mut Vec<u8>,
    ) -> Result<Then, TalkError> {
        match protocol::hear_referee(line) {
            RefereeMessage::Greeting => {
                protocol::greet_back(out, &format!("{PREFIX}{}", self.player));
            }
            RefereeMessage::Game(game) => {
                self.opened = Opened { game: Some(game.to_owned()), ..Opened::default() };
            }
            RefereeMessage::Side(side) => self.opened.side = Some(side),
            RefereeMessage::Increment(increment) => self.opened.increment = increment,
            RefereeMessage::Plies(plies) => self.opened.plies = Some(plies),
            RefereeMessage::Seed(seed) => self.opened.seed = Some(seed),
            RefereeMessage::Opening(moves) => moves.clone_into(&mut self.opened.opening),
            RefereeMessage::NewGame => {
                self.begin()?;
                protocol::ready(out);
            }
            RefereeMessage::Played(steps) => self.follow(steps)?,
            RefereeMessage::Position(position) => self.stand_at(position)?,
            RefereeMessage::Time(left) => self.left = left,
            RefereeMessage::Go => self.answer(at, out)?,
            RefereeMessage::Quit => return Ok(Then::End),
            RefereeMessage::Other => {}
        }
        Ok(Then::Listen)
    }

    fn seed(&self) -> Seed {
        self.opened.seed.unwrap_or(Seed(0))
    }

    fn board(&mut self) -> Result<&mut Board, TalkError> {
        self.board.as_mut().ok_or(TalkError::NotBegun)
    }

    fn begin(&mut self) -> Result<(), TalkError> {
        let game = self.opened.game.take().ok_or(TalkError::NoGame)?;
        if !self.board.as_ref().is_some_and(|board| board.is_of(&game)) {
            self.board = None;
            self.board = Some(Board::new(&game, &self.player)?);
        }
        let (seed, opening) = (self.seed(), std::mem::take(&mut self.opened.opening));
        (self.left, self.astray) = (Remaining::default(), None);
        let plies = self.opened.plies;
        let board = self.board()?;
        board.begin(seed);
        board.limit_plies(plies);
        self.follow(&opening)
    }

    fn follow(&mut self, steps: &str) -> Result<(), TalkError> {
        if self.astray.is_none() {
            self.astray = self.board()?.follow(steps).err();
        }
        Ok(())
    }

    fn stand_at(&mut self, position: &str) -> Result<(), TalkError> {
        let seed = self.seed();
        self.board()?.stand_at(position, seed)?;
        self.astray = None;
        Ok(())
    }

    fn answer(&mut self, at: Instant, out: &mut Vec<u8>) -> Result<(), TalkError> {
        if let Some(fault) = self.astray.take() {
            return Err(fault);
        }
        let (left, increment) = (std::mem::take(&mut self.left), self.opened.increment);
        let side = self.opened.side;
        let board = self.board()?;
        match board.turn() {
            Turn::Player(mover) if side.is_none_or(|side| side == mover) => {
                board.answer(Dialect::Pitmaster, at, left, increment, out)
            }
            turn => Err(TalkError::not_to_move(turn, "was something played that was not told?")),
        }
    }
}

impl fmt::Debug for Long {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, opened, .. } = self;
        let mut shown = f.debug_struct("Long");
        shown.field("player", player).field("opened", opened).finish_non_exhaustive()
    }
}
