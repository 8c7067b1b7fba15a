//! Slow reference implementation of the rules, seed by seed, to compare the fast one with.

use super::Kind;

/// A player's seeds: `a1` to `a8`, then `b1` to `b8`.
pub(super) type Row = [u8; 16];

/// Both players' seeds, player 1's first; sides are 0 and 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slow {
    pub(super) kind: Kind,
    pub(super) rows: [Row; 2],
    pub(super) side: usize,
}

/// Completed move: its text and the board after it.
pub(super) type Made = (String, Slow);

impl Slow {
    pub(super) fn write(&self) -> String {
        let half = |half: &[u8]| half.iter().map(u8::to_string).collect::<Vec<_>>().join(".");
        let [one, two] = self.rows.map(|row| format!("{},{}", half(&row[..8]), half(&row[8..])));
        format!("{one}/{two}/{}", self.side + 1)
    }

    pub(super) fn read(kind: Kind, text: &str) -> Self {
        let parts: Vec<_> = text.split('/').collect();
        let row = |text: &str| {
            let seeds: Vec<_> =
                text.split(['.', ',']).map(|seeds| seeds.parse().unwrap()).collect();
            seeds.try_into().unwrap()
        };
        let side = parts[2].parse::<usize>().unwrap() - 1;
        Self { kind, rows: [row(parts[0]), row(parts[1])], side }
    }

    /// Every legal move in order. Moves that need a layout are given without it.
    pub(super) fn moves(&self) -> Vec<Made> {
        let mut made = Vec::new();
        for hole in 0..16 {
            let mut after = self.clone();
            let hand = std::mem::take(&mut after.rows[self.side][hole]);
            if hand > 0 {
                made.extend(after.sow(hole, hand, name(hole)));
            }
        }
        for (_, after) in &mut made {
            after.side = 1 - self.side;
        }
        made
    }

    /// Lays out seeds without checking the move.
    pub(super) fn lay(&mut self, owner: usize, layout: &str) {
        for part in layout.split(',') {
            let (hole, seeds) = part.split_once(':').unwrap();
            let hole = (0..16).find(|other| name(*other) == hole).unwrap();
            self.rows[owner][hole] += seeds.parse::<u8>().unwrap();
        }
    }

    /// Sows a hand after a hole, and continues to the end of the move.
    fn sow(mut self, mut hole: usize, mut hand: u8, text: String) -> Vec<Made> {
        let own = self.side;
        for _lap in 1..=1000 {
            while hand > 0 {
                hole = forwards(hole);
                self.rows[own][hole] += 1;
                hand -= 1;
            }
            if self.rows[own][hole] == 1 {
                return self.capture(hole, text);
            }
            hand = std::mem::take(&mut self.rows[own][hole]);
        }
        Vec::new()
    }

    fn capture(mut self, hole: usize, text: String) -> Vec<Made> {
        let other = 1 - self.side;
        // Column c faces 9 - c; counted from 0, c faces 7 - c.
        if hole >= 8 || self.rows[other][7 - hole] == 0 {
            return vec![(text, self)];
        }
        let mut hand = 0;
        for facing in [7 - hole, 15 - hole] {
            hand += std::mem::take(&mut self.rows[other][facing]);
        }
        match self.kind {
            Kind::One => vec![(text, self)],
            Kind::Three => vec![(format!("{text}=*{hand}"), self)],
            Kind::TwoA | Kind::TwoB => self.sow_captured(hole, hand, &text),
        }
    }

    fn sow_captured(self, stopped: usize, hand: u8, text: &str) -> Vec<Made> {
        let own = self.rows[self.side];
        let mut hole = backwards(stopped);
        while hole != stopped {
            if own[hole] == 0 {
                return self.sow(hole, hand, text.into());
            }
            hole = backwards(hole);
        }
        let most = *own.iter().max().unwrap();
        let full: Vec<_> = (0..16).filter(|hole| own[*hole] == most).collect();
        let mut made = Vec::new();
        for hole in &full {
            let text =
                if full.len() == 1 { text.into() } else { format!("{text}@{}", name(*hole)) };
            let mut after = self.clone();
            let mut hand = hand;
            if self.kind == Kind::TwoA {
                hand += std::mem::take(&mut after.rows[self.side][*hole]);
            }
            made.extend(after.sow(*hole, hand, text));
        }
        made
    }

    /// Clause that ended the game, and the winner (0 or 1).
    pub(super) fn over(&self) -> Option<(&'static str, Option<usize>)> {
        let holes = self.rows.map(|row| row.iter().filter(|seeds| **seeds > 0).count());
        let (most, clause) = if self.kind == Kind::Three { (2, "2-holes") } else { (0, "empty") };
        let last = 1 - self.side;
        if holes[self.side] <= most {
            Some((clause, Some(last)))
        } else if holes[last] <= most {
            Some((clause, Some(self.side)))
        } else if self.moves().is_empty() {
            Some(("endless", None))
        } else {
            None
        }
    }

    pub(super) fn score(&self) -> [u32; 2] {
        [0, 1].map(|side: usize| match self.kind {
            Kind::Three => {
                16 - self.rows[1 - side].iter().filter(|seeds| **seeds > 0).count() as u32
            }
            _ => self.rows[side].iter().map(|seeds| u32::from(*seeds)).sum(),
        })
    }
}

pub(super) fn name(hole: usize) -> String {
    format!("{}{}", if hole < 8 { 'a' } else { 'b' }, hole % 8 + 1)
}

/// Next hole: along the inner row to `a1`, along the outer one from `b1`.
fn forwards(hole: usize) -> usize {
    match hole {
        0 => 8,
        1..=7 => hole - 1,
        15 => 7,
        _ => hole + 1,
    }
}

fn backwards(hole: usize) -> usize {
    (0..16).find(|before| forwards(*before) == hole).unwrap()
}
