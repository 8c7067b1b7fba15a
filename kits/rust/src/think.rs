//! The thinking: which move to play. This is the file to change.
//!
//! It looks one move ahead, then two, and so on, up to DEPTH moves or until the time is over,
//! and plays what leads to the best board that it can be sure of (negamax with alpha-beta).

use crate::rules::{Board, Move};
use std::time::{Duration, Instant};

const DEPTH: u32 = 4;
const INFINITY: i32 = 1000;

/// The time for this move is over.
struct OutOfTime;

/// One player in one game; every game gets a new one.
pub struct Player {
    board: Option<Board>, // none: a game whose rules are not known
    side: usize,
    deadline: Instant,
}

impl Player {
    pub fn new(game: &str, side: usize) -> Self {
        Self {
            board: Board::of(game),
            side: side - 1,
            deadline: Instant::now(),
        }
    }

    /// A move was played, by this player or by the other.
    pub fn played(&mut self, text: &str) {
        let Some(board) = &mut self.board else { return };
        match board.moves().iter().find(|legal| legal.to_string() == text) {
            Some(&legal) => board.play(legal),
            None => eprintln!("{text} is not legal by rules.rs"),
        }
    }

    /// The move to play; none if the game is over, or it is the other's turn.
    ///
    /// `listed` are the legal moves, if the referee lists them: in arena it does not.
    pub fn choose(&mut self, listed: &[String], time: Duration) -> Option<String> {
        let Some(board) = &self.board else {
            return Some(listed[0].replace('*', "a1:")); // a layout: all seeds on one hole
        };
        if board.is_over() || board.mover != self.side {
            return None;
        }
        self.deadline = Instant::now() + time;
        let mut best = board.moves()[0];
        for depth in 1..=DEPTH {
            match self.best_move(board, depth) {
                Ok(found) => best = found,
                Err(OutOfTime) => break, // the best of the depth before stands
            }
        }
        Some(best.to_string())
    }

    fn best_move(&self, board: &Board, depth: u32) -> Result<Move, OutOfTime> {
        let moves = board.moves();
        let (mut best, mut most) = (moves[0], -INFINITY);
        for legal in moves {
            let value = self.value_of(board, legal, depth, most, INFINITY)?;
            if value > most {
                (best, most) = (legal, value);
            }
        }
        Ok(best)
    }

    /// What a move is worth to the player who makes it.
    fn value_of(
        &self,
        board: &Board,
        legal: Move,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, OutOfTime> {
        let mut after = board.clone();
        after.play(legal);
        Ok(-self.search(&after, depth - 1, -beta, -alpha)?)
    }

    /// What a board is worth to the player to move, if that is between the two.
    fn search(
        &self,
        board: &Board,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> Result<i32, OutOfTime> {
        if depth == 0 || board.is_over() {
            return Ok(evaluate(board));
        }
        if Instant::now() > self.deadline {
            return Err(OutOfTime);
        }
        for legal in board.moves() {
            alpha = alpha.max(self.value_of(board, legal, depth, alpha, beta)?);
            if alpha >= beta {
                break; // the opponent will not let it come to this
            }
        }
        Ok(alpha)
    }
}

/// A guess at what a board is worth to the player to move.
fn evaluate(board: &Board) -> i32 {
    board.scores[board.mover] - board.scores[1 - board.mover]
}
