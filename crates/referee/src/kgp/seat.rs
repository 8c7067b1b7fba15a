//! KGP client as a player of a game: converts positions to boards, and answers to moves.

use std::sync::Arc;

use pitmaster_core::{Seed, Side};
use pitmaster_games::{DynGame, KgpBoard, TextError, kgp_move, kgp_size};
use rand_chacha::ChaCha8Rng;

use super::{MISSED_TURNS, TEXT_LIMIT};

/// Client that plays one side of a game.
#[derive(Debug)]
pub struct KgpSeat {
    game: Arc<dyn DynGame>,
    size: u8,
    side: Side,
    /// Random source for moves in place of missing ones.
    chance: ChaCha8Rng,
    /// Turns in a row without a move.
    missed: u32,
}

/// Error for a game that KGP does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("KGP clients know Kalah with any number of holes and seeds, and not {0}")]
pub struct SeatError(pub String);

/// Answer to the referee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Plays a move.
    Move {
        /// Its text, and a comment after `#` if there is one.
        text: String,
        /// Note for the record, on one line.
        note: Option<String>,
    },
    /// Leaves the game, and so loses it.
    Leave {
        /// Note for the record, on one line.
        note: String,
    },
}

impl KgpSeat {
    /// Seat on a side of a game with this seed.
    ///
    /// # Errors
    /// Fails if the game is not Kalah.
    pub fn new(game: &Arc<dyn DynGame>, side: Side, seed: Seed) -> Result<Self, SeatError> {
        let spec = game.spec();
        let size = spec.parse().ok().and_then(|spec| kgp_size(&spec)).ok_or(SeatError(spec))?;
        let stream = if side == Side::One { "kgp player 1" } else { "kgp player 2" };
        let (game, chance) = (Arc::clone(game), seed.stream(stream));
        Ok(Self { game, size, side, chance, missed: 0 })
    }

    /// The board of a position, as the client sees it.
    ///
    /// # Errors
    /// Fails if the text is not a position of the game.
    pub fn board(&self, position: &str) -> Result<KgpBoard, TextError> {
        Ok(KgpBoard::of(&self.game.resume(position)?.contents(), self.side))
    }

    /// Text of the move from a hole. A hole outside the board is an illegal move, and the judged
    /// line contains it.
    fn move_text(&self, pit: i64) -> String {
        if (1..=i64::from(self.size)).contains(&pit) {
            return kgp_move(pit, self.size, self.side);
        }
        let of_opponent = kgp_move(1, self.size, self.side.other());
        format!("{of_opponent} # hole {pit} is not on the board")
    }

    /// Result of the client's turn in a position: a move from its last hole, or a random one.
    ///
    /// # Errors
    /// Fails if the text is not a position of the game.
    pub fn answer(
        &mut self,
        position: &str,
        pit: Option<i64>,
        comment: Option<&str>,
    ) -> Result<Answer, TextError> {
        let comment = comment.map(one_line).filter(|comment| !comment.is_empty());
        if let Some(pit) = pit {
            self.missed = 0;
            return Ok(Answer::Move { text: self.move_text(pit), note: comment });
        }
        self.missed += 1;
        if self.missed >= MISSED_TURNS {
            let note = format!("no move in time, {MISSED_TURNS} times in a row");
            return Ok(Answer::Leave { note });
        }
        let drawn = self.game.resume(position)?.play_random(&mut self.chance);
        let text = drawn.unwrap_or_default();
        let note = match comment {
            Some(comment) => format!("no move in time: random move; {comment}"),
            None => "no move in time: random move".to_owned(),
        };
        Ok(Answer::Move { text, note: Some(note) })
    }
}

/// A client's text on one line and within its limit.
fn one_line(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(TEXT_LIMIT)];
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}
