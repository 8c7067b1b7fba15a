//! Coloured Awale: the board, its legal moves, and playing one.
//!
//! Holes are 0 to 15 in here and 1 to 16 in the text of a move. Player 1 owns the odd
//! numbers, player 2 the even ones; the hole after 16 is 1.

const RED: usize = 0;
const BLUE: usize = 1;
const CLEAR: usize = 2;

#[derive(Clone)]
pub struct Board {
    holes: [[u32; 3]; 16], // red, blue, transparent
    scores: [u32; 2],
    mover: usize, // 0 is player 1, whose holes are 0, 2, 4, ...
}

impl Board {
    pub fn new() -> Self {
        Self { holes: [[2; 3]; 16], scores: [0; 2], mover: 0 }
    }

    /// The texts of all legal moves: `3R`, `3B`, `3TR`, `3TB`.
    pub fn moves(&self) -> Vec<String> {
        let kinds = [("R", RED), ("B", BLUE), ("TR", CLEAR), ("TB", CLEAR)];
        let mut texts = Vec::new();
        for hole in (self.mover..16).step_by(2) {
            for (text, colour) in kinds {
                if self.holes[hole][colour] > 0 {
                    texts.push(format!("{}{text}", hole + 1));
                }
            }
        }
        texts
    }

    /// Plays a legal move and says how many seeds it took.
    pub fn play(&mut self, text: &str) -> u32 {
        let number = text.trim_end_matches(['T', 'R', 'B']);
        let start = number.parse::<usize>().expect("a move starts with a hole") - 1;
        let blue = text.ends_with('B');
        let mut last = start;
        // The transparent seeds go first, the coloured ones go on where they stopped.
        if text.contains('T') {
            last = self.sow(start, last, CLEAR, blue);
        }
        last = self.sow(start, last, if blue { BLUE } else { RED }, blue);
        let mut taken = self.capture(last);
        if self.seeds_of(1 - self.mover) == 0 {
            // The opponent has nothing left: the rest is taken too.
            taken += (0..16).map(|hole| self.take(hole)).sum::<u32>();
        }
        self.scores[self.mover] += taken;
        self.mover = 1 - self.mover;
        taken
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        let [one, two] = self.scores;
        let on_board = self.seeds_of(0) + self.seeds_of(1);
        one.max(two) >= 49 || (one.min(two) >= 40 && ends_at_40()) || on_board < 10
    }

    /// Sows the seeds of one colour on from `last` and says where the last one fell.
    fn sow(&mut self, start: usize, mut last: usize, colour: usize, blue: bool) -> usize {
        let mut seeds = std::mem::take(&mut self.holes[start][colour]);
        while seeds > 0 {
            last = (last + 1) % 16;
            // Never into the start; seeds played as blue only into the opponent's holes.
            if last == start || (blue && last % 2 == start % 2) {
                continue;
            }
            self.holes[last][colour] += 1;
            seeds -= 1;
        }
        last
    }

    /// Takes holes of two or three seeds, from the last one sown backwards.
    fn capture(&mut self, mut hole: usize) -> u32 {
        let mut taken = 0;
        while matches!(self.seeds_in(hole), 2 | 3) {
            taken += self.take(hole);
            hole = (hole + 15) % 16;
        }
        taken
    }

    /// Empties a hole and says how many seeds were in it.
    fn take(&mut self, hole: usize) -> u32 {
        std::mem::take(&mut self.holes[hole]).iter().sum()
    }

    fn seeds_in(&self, hole: usize) -> u32 {
        self.holes[hole].iter().sum()
    }

    fn seeds_of(&self, side: usize) -> u32 {
        (side..16).step_by(2).map(|hole| self.seeds_in(hole)).sum()
    }
}

/// Whether 40 seeds each end the game: they do, unless its options say otherwise.
fn ends_at_40() -> bool {
    std::env::var("PITMASTER_GAME").map_or(true, |game| !game.contains("both_40=off"))
}
