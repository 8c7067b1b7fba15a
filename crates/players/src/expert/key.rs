//! Hash key of a position for the transposition table: a hash of its plain data, the same in every
//! run.
//!
//! Chess programs use Zobrist hashing: a random number for each piece on each square, and a key
//! updated by the few that a move touches. A sowing touches most of the board, so that would gain
//! little. Instead the whole position is folded, with one multiplication per eight bytes.

use std::hash::Hasher;

use pitmaster_games::Rules;

/// The key of a position.
pub(super) fn key_of<R: Rules>(rules: &R, position: &R::Position) -> u64 {
    let mut fold = Fold::default();
    rules.hash_future(position, &mut fold);
    fold.finish()
}

/// The part of a key that depends on the plies left.
pub(super) fn key_of_plies(left: u32) -> u64 {
    let mut fold = Fold::default();
    fold.write_u32(left);
    fold.finish()
}

/// Hasher that multiplies its input into 128 bits and adds up the halves. Not resistant to
/// malicious input.
pub(super) struct Fold(u64);

/// Odd constant with irregular bits, from the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Default for Fold {
    fn default() -> Self {
        Self(0x243f_6a88_85a3_08d3)
    }
}

impl Fold {
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(FACTOR);
        self.0 = (product >> 64) as u64 ^ (product as u64).rotate_left(23);
    }
}

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        let mut last = Self(self.0);
        last.fold(0);
        last.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.fold(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.fold(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.fold(number as u64);
        self.fold((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
