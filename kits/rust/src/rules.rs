//! The rules of coloured Awale: a board, its legal moves, playing one, the end.
//!
//! Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd numbers,
//! player 2 the even ones; the hole after 16 is 1.

use std::fmt;

pub const HOLES: usize = 16;
pub const RED: usize = 0;
pub const BLUE: usize = 1;
pub const CLEAR: usize = 2;

/// A hole, sown as red or as blue, the transparent seeds too or not: 3R, 3B, 3TR and 3TB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    pub hole: usize,
    pub clear: bool,
    pub as_blue: bool,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let clear = if self.clear { "T" } else { "" };
        let colour = if self.as_blue { "B" } else { "R" };
        write!(f, "{}{clear}{colour}", self.hole + 1)
    }
}

#[derive(Clone)]
pub struct Board {
    pub seeds: [[u8; 3]; HOLES], // red, blue, transparent
    pub scores: [i32; 2],
    pub mover: usize,  // 0 is player 1, whose holes are 0, 2, 4, ...
    pub both_40: bool, // whether 40 seeds each end the game
}

impl Board {
    /// The board at the start of a game.
    pub fn new(both_40: bool) -> Self {
        Self {
            seeds: [[2; 3]; HOLES],
            scores: [0; 2],
            mover: 0,
            both_40,
        }
    }

    /// A new board for a game as the referee names it; none if its rules are not these.
    ///
    /// A referee that names no game plays this one without options.
    pub fn of(game: &str) -> Option<Self> {
        let (name, options) = game.split_once(',').unwrap_or((game, ""));
        let both_40 = !options.split(',').any(|option| option == "both_40=off");
        match name {
            "" | "coloured-awale" => Some(Self::new(both_40)),
            _ => None,
        }
    }

    /// All legal moves of the player to move.
    pub fn moves(&self) -> Vec<Move> {
        let kinds = [
            (RED, false, false),
            (BLUE, false, true),
            (CLEAR, true, false),
            (CLEAR, true, true),
        ];
        let mut moves = Vec::with_capacity(32);
        for hole in (self.mover..HOLES).step_by(2) {
            for (colour, clear, as_blue) in kinds {
                if self.seeds[hole][colour] > 0 {
                    moves.push(Move {
                        hole,
                        clear,
                        as_blue,
                    });
                }
            }
        }
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, played: Move) {
        let mut last = played.hole;
        // The transparent seeds go first, the coloured ones go on where they stopped.
        if played.clear {
            last = self.sow(played, last, CLEAR);
        }
        last = self.sow(played, last, if played.as_blue { BLUE } else { RED });
        self.scores[self.mover] += self.capture(last);
        if self.seeds_of(1 - self.mover) == 0 {
            // The opponent has nothing left: the rest is taken too.
            for hole in 0..HOLES {
                self.scores[self.mover] += self.take(hole);
            }
        }
        self.mover = 1 - self.mover;
    }

    /// Whether the game is over; who has more seeds has won it.
    pub fn is_over(&self) -> bool {
        let [one, two] = self.scores;
        let on_board = self.seeds_of(0) + self.seeds_of(1);
        one.max(two) >= 49 || on_board < 10 || (self.both_40 && one.min(two) >= 40)
    }

    pub fn seeds_in(&self, hole: usize) -> i32 {
        self.seeds[hole].iter().map(|&count| i32::from(count)).sum()
    }

    pub fn seeds_of(&self, side: usize) -> i32 {
        (side..HOLES)
            .step_by(2)
            .map(|hole| self.seeds_in(hole))
            .sum()
    }

    /// Sows one colour of the move on from `last` and says where the last seed fell.
    fn sow(&mut self, played: Move, mut last: usize, colour: usize) -> usize {
        let mut count = std::mem::take(&mut self.seeds[played.hole][colour]);
        while count > 0 {
            last = (last + 1) % HOLES;
            // Never into the start; seeds played as blue only into the opponent's holes.
            if last == played.hole || (played.as_blue && last % 2 == played.hole % 2) {
                continue;
            }
            self.seeds[last][colour] += 1;
            count -= 1;
        }
        last
    }

    /// Takes holes of two or three seeds, from the last one sown backwards.
    fn capture(&mut self, mut hole: usize) -> i32 {
        let mut taken = 0;
        while matches!(self.seeds_in(hole), 2 | 3) {
            taken += self.take(hole);
            hole = (hole + HOLES - 1) % HOLES;
        }
        taken
    }

    /// Empties a hole and says how many seeds were in it.
    fn take(&mut self, hole: usize) -> i32 {
        let taken = self.seeds_in(hole);
        self.seeds[hole] = [0; 3];
        taken
    }
}
