//! Slow reference implementation of the rules, seed by seed, to compare the fast one with.

use std::fmt::Write as _;

/// A board of numbers, sides as 1 and 2, holes as 1 to 16.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slow {
    /// Red, blue and transparent seeds by hole; hole 0 is not used.
    pub(super) holes: [[u8; 3]; 17],
    pub(super) scores: [u8; 2],
    pub(super) side: usize,
}

impl Slow {
    pub(super) fn read(text: &str) -> Self {
        let (board, rest) = text.split_once('/').unwrap();
        let (scores, side) = rest.split_once('/').unwrap();
        let (one, two) = scores.split_once('-').unwrap();
        let mut holes = [[0; 3]; 17];
        for (hole, seeds) in (1..).zip(board.split(',')) {
            for (kind, number) in seeds.split('.').enumerate() {
                holes[hole][kind] = number.parse().unwrap();
            }
        }
        let scores = [one.parse().unwrap(), two.parse().unwrap()];
        Self { holes, scores, side: side.parse().unwrap() }
    }

    pub(super) fn write(&self) -> String {
        let mut text = String::new();
        for (hole, [red, blue, transparent]) in self.holes.iter().enumerate().skip(1) {
            let separator = if hole == 1 { "" } else { "," };
            write!(text, "{separator}{red}.{blue}.{transparent}").unwrap();
        }
        let [one, two] = self.scores;
        write!(text, "/{one}-{two}/{}", self.side).unwrap();
        text
    }

    /// Every legal move's text, in order.
    pub(super) fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for hole in (1..=16).filter(|hole| owner(*hole) == self.side) {
            for (kind, names) in [(0, &["R"][..]), (1, &["B"]), (2, &["TR", "TB"])] {
                if self.holes[hole][kind] > 0 {
                    moves.extend(names.iter().map(|name| format!("{hole}{name}")));
                }
            }
        }
        moves
    }

    pub(super) fn play(&mut self, mv: &str) {
        let hole: usize = mv.trim_end_matches(char::is_alphabetic).parse().unwrap();
        let colour = usize::from(mv.ends_with('B'));
        let mut last = hole;
        if mv.contains('T') {
            last = self.sow(hole, last, 2, colour);
        }
        last = self.sow(hole, last, colour, colour);
        self.capture(last);
        if (1..=16).all(|hole| owner(hole) == self.side || self.in_hole(hole) == 0) {
            (1..=16).for_each(|hole| self.gain(hole));
        }
        self.side = 3 - self.side;
    }

    fn sow(&mut self, start: usize, last: usize, kind: usize, as_colour: usize) -> usize {
        let mut hole = last;
        for _ in 0..std::mem::take(&mut self.holes[start][kind]) {
            hole = after(hole);
            while hole == start || (as_colour == 1 && owner(hole) == self.side) {
                hole = after(hole);
            }
            self.holes[hole][kind] += 1;
        }
        hole
    }

    fn capture(&mut self, last: usize) {
        let mut hole = last;
        while matches!(self.in_hole(hole), 2 | 3) {
            self.gain(hole);
            hole = if hole == 1 { 16 } else { hole - 1 };
        }
    }

    fn gain(&mut self, hole: usize) {
        self.scores[self.side - 1] += self.in_hole(hole);
        self.holes[hole] = [0; 3];
    }

    fn in_hole(&self, hole: usize) -> u8 {
        self.holes[hole].iter().sum()
    }
}

fn owner(hole: usize) -> usize {
    if hole % 2 == 1 { 1 } else { 2 }
}

fn after(hole: usize) -> usize {
    if hole == 16 { 1 } else { hole + 1 }
}
