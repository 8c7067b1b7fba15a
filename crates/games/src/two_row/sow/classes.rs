//! Sowing of single game classes: `ShareOne`, `BearOff`, `Diffusion`.

use pitmaster_core::Side;

use crate::Observer;
use crate::two_row::params::Class;
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::store;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

/// Maximum number of seeds in a hole of a diffusion game.
const DIFFUSION_FULL: u16 = 5;

impl Plan {
    /// Whether the opponent has no seed at all, so that a seed must be shared. The moved hole
    /// belongs to the mover and has no influence.
    pub(in crate::two_row) fn must_share_one(&self, pos: &Position, mover: Side) -> bool {
        pos.occupied(self.side(mover.other())) == 0
    }

    /// Puts one seed into the opponent's leftmost hole and the others back; the mover moves again.
    pub(super) fn share_one<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let to = self.side(s.side.other()).trailing_zeros() as u8;
        *pos.cell(s.start) += s.hand - 1;
        trace::dropped(watch, s.start, s.hand - 1);
        *pos.cell(to) += 1;
        trace::sown(watch, to);
        s.end = to;
        s.hand = 1;
        s.repeat = true;
    }

    /// The seeds that would reach the opponent's side are borne off, which is a capture.
    pub(super) fn bear_off<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let mut cell = s.start;
        for left in (1..=s.hand).rev() {
            let next = self.step_plain(pos, s.side, s.way, cell);
            if self.on_side(s.side.other(), next) {
                pos.stores[s.side] += left;
                trace::dropped(watch, store(s.side), left);
                s.captured = true;
                break;
            }
            cell = next;
            *pos.cell(cell) += 1;
            trace::sown(watch, cell);
        }
        s.end = cell;
    }

    pub(super) fn diffuses(&self) -> bool {
        matches!(self.params.game_class, Class::Diffusion | Class::DiffusionV2)
    }

    /// Sows one seed into each hole around the start. Seeds without a place leave play.
    pub(super) fn diffuse<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let places = self.around(s.start as usize);
        for seed in 0..s.hand as usize {
            match places.get(seed).copied().flatten() {
                Some(hole) if pos.seeds[hole] < DIFFUSION_FULL => {
                    pos.seeds[hole] += 1;
                    s.end = hole as u8;
                    trace::sown(watch, hole as u8);
                }
                _ => {
                    pos.stores[Side::One] += 1;
                    trace::sown(watch, store(Side::One));
                }
            }
        }
    }

    /// The five places around a hole, in the order of sowing; `None` is beyond the board.
    fn around(&self, hole: usize) -> [Option<usize>; 5] {
        let (row, board) = (self.h, self.n);
        let across = board - 1 - hole;
        if hole == 0 || hole == row {
            [Some(hole + 1), Some(across - 1), Some(across), None, None]
        } else if hole == row - 1 || hole == board - 1 {
            [None, None, Some(across), Some(across + 1), Some(hole - 1)]
        } else {
            [hole + 1, across - 1, across, across + 1, hole - 1].map(Some)
        }
    }
}
