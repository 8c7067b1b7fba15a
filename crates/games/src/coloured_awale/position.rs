//! Position and move execution: sowing, capturing, sweeping. The module does not know when a game
//! is over.

use pitmaster_core::{BySide, Side};

use super::moves::{Kind, Move, Moves};
use super::sowing::Way;
use crate::holes::{HOLES, Holes};
use crate::{Observer, Spot, Step};

/// Position: seeds in every hole, captured seeds of each side, and the side to move.
///
/// Board and scores always hold 96 seeds together. Until the game is over, the side to move has a
/// seed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Seeds by kind.
    pub(super) seeds: [Holes; 3],
    pub(super) score: BySide<u8>,
    pub(super) side: Side,
}

impl Position {
    /// Two seeds of each kind in every hole, player 1 to move.
    pub(super) fn start() -> Self {
        Self { seeds: [Holes::all(2); 3], score: BySide::new(0, 0), side: Side::One }
    }

    /// Number of seeds of a kind in a hole, counted from 0. Panics if there is no such hole.
    pub fn seeds(&self, hole: u8, kind: Kind) -> u8 {
        assert!(usize::from(hole) < HOLES, "holes are 0 to 15, not {hole}");
        self.seeds[kind as usize].get(usize::from(hole))
    }

    /// Number of seeds of each kind in every hole, in the order of [`Kind::ALL`].
    #[inline]
    pub fn board(&self) -> [[u8; HOLES]; 3] {
        self.seeds.map(Holes::numbers)
    }

    /// Side to move, or the one that would be to move if the game were not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Number of seeds of a kind in the holes of each side.
    #[inline]
    pub fn seeds_by_side(&self, kind: Kind) -> BySide<u8> {
        self.seeds[kind as usize].by_side()
    }

    /// Number of holes of each side that contain seeds of a kind.
    #[inline]
    pub fn holes_by_side(&self, kind: Kind) -> BySide<u8> {
        self.seeds[kind as usize].occupied().by_side()
    }

    /// Number of holes of each side that contain this many seeds, of all kinds together.
    #[inline]
    pub fn holes_holding(&self, seeds: u8) -> BySide<u8> {
        self.all_seeds().equal(seeds).by_side()
    }

    /// Moves whose hole is the mover's own and has the seeds they name.
    pub(super) fn moves(&self) -> Moves {
        let [red, blue, transparent] = self.seeds.map(Holes::occupied);
        // Bits 0 to 3 of a hole are the moves R, B, TR and TB.
        let all = red + blue * 0b10 + transparent * 0b1100;
        Moves((all & Holes::of(self.side)).bits())
    }

    /// Number of these moves.
    pub(super) fn count_moves(&self) -> usize {
        let [red, blue, transparent] = self.seeds.map(Holes::occupied);
        let moves = red + blue + transparent * 2;
        usize::from((moves & Holes::of(self.side)).total())
    }

    /// Whether a side has no seed in its holes.
    pub(super) fn is_starved(&self, side: Side) -> bool {
        (self.all_seeds() & Holes::of(side)).is_empty()
    }

    pub(super) fn play<O: Observer>(&mut self, mv: Move, observer: &mut O) {
        let last = self.sow(mv, observer);
        self.capture(last, observer);
        if self.is_starved(self.side.other()) {
            self.sweep(observer);
        }
        self.side = self.side.other();
    }

    /// Sows and returns the hole of the last seed.
    fn sow<O: Observer>(&mut self, mv: Move, observer: &mut O) -> usize {
        let (start, colour) = (usize::from(mv.hole()), mv.colour());
        let transparent =
            if mv.transparent() { self.seeds[Kind::Transparent as usize].get(start) } else { 0 };
        let seeds = transparent + self.seeds[colour as usize].get(start);

        // The transparent seeds are the first on the way, the coloured ones are the rest.
        let way = Way::of(colour, start);
        let first = way.moved(transparent);
        self.seeds[Kind::Transparent as usize] += first;
        self.seeds[colour as usize] += way.moved(seeds) - first;

        if O::ACTIVE {
            observer.step(Step::Lift { from: Spot::Hole(mv.hole()), seeds: seeds.into() });
            for seed in 1..=seeds {
                let kind = if seed <= transparent { Kind::Transparent } else { colour };
                let to = Spot::Hole(way.hole(seed) as u8);
                observer.step(Step::Sow { to, kind: kind as u8 });
            }
        }
        way.hole(seeds)
    }

    /// Captures the twos and threes from the last seed's hole backwards.
    fn capture<O: Observer>(&mut self, last: usize, observer: &mut O) {
        let seeds = self.all_seeds();
        // Fast path: most moves capture nothing.
        if !matches!(seeds.get(last), 2 | 3) {
            return;
        }
        let captured = self.gain(seeds.twos_and_threes_back_from(last));
        if O::ACTIVE {
            let back = (0..HOLES).map(|back| (last + HOLES - back) % HOLES);
            let to = Spot::Store(self.side);
            for (from, seeds) in filled(captured, back) {
                observer.step(Step::Capture { from, seeds, to });
            }
        }
    }

    /// Gives every seed on the board to the mover.
    fn sweep<O: Observer>(&mut self, observer: &mut O) {
        let swept = self.gain(!Holes::NONE);
        if O::ACTIVE {
            let to = Spot::Store(self.side);
            for (from, seeds) in filled(swept, 0..HOLES) {
                observer.step(Step::Sweep { from, seeds, to });
            }
        }
    }

    /// Gives the mover the seeds of the holes in the mask; returns the number of seeds of each.
    #[inline]
    fn gain(&mut self, mask: Holes) -> Holes {
        let gained = self.all_seeds() & mask;
        self.seeds = self.seeds.map(|seeds| seeds & !mask);
        self.score[self.side] += gained.total();
        gained
    }

    pub(super) fn all_seeds(&self) -> Holes {
        let [red, blue, transparent] = self.seeds;
        red + blue + transparent
    }
}

/// Holes with seeds and their seeds, in the order given.
fn filled(seeds: Holes, order: impl Iterator<Item = usize>) -> impl Iterator<Item = (Spot, u16)> {
    let hole = move |hole| (Spot::Hole(hole as u8), u16::from(seeds.get(hole)));
    order.map(hole).filter(|&(_, seeds)| seeds > 0)
}
