//! Numbering of boards with a given number of seeds: a combinatorial number system.
//!
//! Boards are ordered by the seeds of the first hole, then of the second, and so on. The module does
//! not know games.

/// Largest number of holes on a board.
pub(super) const MAX_HOLES: usize = 42;

/// Seeds by hole; 0 beyond the board.
pub(super) type Board = [u8; MAX_HOLES];

/// Numbering of the boards with up to a certain number of seeds.
#[derive(Debug, Clone)]
pub(super) struct Numbering {
    holes: usize,
    most: usize,
    /// Number of ways to put `seeds` seeds into `holes` holes, at `holes * (most + 1) + seeds`;
    /// saturated.
    ways: Vec<u64>,
}

impl Numbering {
    pub(super) fn new(holes: usize, most: usize) -> Self {
        let row = most + 1;
        let mut ways = vec![0_u64; (holes + 1) * row];
        ways[0] = 1;
        for count in 1..=holes {
            for seeds in 0..=most {
                let fewer = if seeds == 0 { 0 } else { ways[count * row + seeds - 1] };
                ways[count * row + seeds] = ways[(count - 1) * row + seeds].saturating_add(fewer);
            }
        }
        Self { holes, most, ways }
    }

    /// Number of holes.
    pub(super) fn holes(&self) -> usize {
        self.holes
    }

    /// Largest number of seeds.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Number of boards with this many seeds.
    pub(super) fn boards(&self, seeds: usize) -> u64 {
        self.ways(self.holes, seeds)
    }

    fn ways(&self, holes: usize, seeds: usize) -> u64 {
        self.ways[holes * (self.most + 1) + seeds]
    }

    /// Number of a board with `seeds` seeds.
    pub(super) fn number(&self, board: &Board, seeds: usize) -> u64 {
        let mut left = seeds;
        let mut number = 0;
        for (hole, here) in board[..self.holes - 1].iter().enumerate() {
            if left == 0 {
                break;
            }
            // The sum of the boards with fewer seeds in this hole, in closed form.
            let rest = left - usize::from(*here);
            number += self.ways(self.holes - hole, left) - self.ways(self.holes - hole, rest);
            left = rest;
        }
        number
    }

    /// The board with this number and `seeds` seeds.
    pub(super) fn board(&self, mut number: u64, seeds: usize) -> Board {
        let (mut board, mut left) = ([0; MAX_HOLES], seeds);
        for (hole, here) in board[..self.holes - 1].iter_mut().enumerate() {
            let after = self.holes - hole - 1;
            while number >= self.ways(after, left) {
                number -= self.ways(after, left);
                left -= 1;
                *here += 1;
            }
        }
        board[self.holes - 1] = left as u8;
        board
    }

    /// Turns a board into the one with the next number. The last board stays.
    pub(super) fn advance(&self, board: &mut Board) {
        let last = self.holes - 1;
        let Some(from) = (1..=last).rev().find(|&hole| board[hole] > 0) else { return };
        let seeds = std::mem::take(&mut board[from]);
        board[from - 1] += 1;
        board[last] = seeds - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_boards_correspond() {
        for (holes, most) in [(2, 9), (4, 6), (12, 4)] {
            let numbering = Numbering::new(holes, most);
            for seeds in 0..=most {
                let mut board = numbering.board(0, seeds);
                for number in 0..numbering.boards(seeds) {
                    assert_eq!(numbering.board(number, seeds), board, "{holes} {seeds} {number}");
                    assert_eq!(numbering.number(&board, seeds), number);
                    assert_eq!(board.iter().map(|&one| usize::from(one)).sum::<usize>(), seeds);
                    numbering.advance(&mut board);
                }
            }
        }
    }

    #[test]
    fn counts_are_binomial_coefficients() {
        let numbering = Numbering::new(12, 24);
        assert_eq!(numbering.boards(1), 12);
        assert_eq!(numbering.boards(4), 1365);
        // 23 choose 12 and 35 choose 24.
        assert_eq!(numbering.boards(12), 1_352_078);
        assert_eq!(numbering.boards(24), 417_225_900);
        // Overflow saturates.
        assert_eq!(Numbering::new(42, 120).boards(120), u64::MAX);
    }
}
