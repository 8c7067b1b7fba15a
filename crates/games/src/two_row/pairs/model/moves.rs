//! Movable holes.

use super::{Model, Sown};
use crate::two_row::params::{AllowRule, GrandSlam};
use crate::two_row::{Move, Way};

impl Model {
    /// Board after the sowing and captures of a move.
    pub(super) fn tried(&self, who: usize, hole: usize, way: Option<Way>) -> Self {
        let mut tried = Self { mover: who, ..self.clone() };
        let mut s = tried.draw(hole, way);
        tried.sow_and_capture(&mut s);
        tried
    }

    pub(super) fn sow_and_capture(&mut self, s: &mut Sown) {
        self.sow(s);
        if !s.repeat && !s.endless {
            self.capture(s);
        }
    }

    pub(super) fn moves_of(&self, who: usize) -> Vec<Move> {
        let base = (0..2 * self.h)
            .filter(|&hole| self.p.no_sides || self.own(who, hole))
            .filter(|&hole| self.cells[hole] >= self.p.min_move);
        let base: Vec<_> = base.collect();
        let holes: Vec<_> =
            base.iter().copied().filter(|&hole| self.allows(who, hole, &base)).collect();
        let mut moves = Vec::new();
        for hole in holes {
            let ways = if self.names_direction(hole) {
                vec![Some(Way::Ccw), Some(Way::Cw)]
            } else {
                vec![None]
            };
            moves.extend(ways.into_iter().map(|way| (hole, way)));
        }
        self.fed_and_spared(who, moves)
            .into_iter()
            .map(|(hole, way)| Move::Sow { hole: hole as u8, way })
            .collect()
    }

    pub(super) fn fed_and_spared(
        &self,
        who: usize,
        mut moves: Vec<(usize, Option<Way>)>,
    ) -> Vec<(usize, Option<Way>)> {
        let hungry = self.seeds_of(1 - who) == 0;
        let leaves =
            |&(hole, way): &(usize, Option<Way>)| self.tried(who, hole, way).seeds_of(1 - who) > 0;
        if self.p.mustshare && hungry {
            let fed: Vec<_> = moves.iter().copied().filter(leaves).collect();
            if !(self.p.mustpass && fed.is_empty()) {
                moves = fed;
            }
        }
        if self.p.grandslam == GrandSlam::NotLegal && !hungry {
            moves.retain(leaves);
        }
        moves
    }

    pub(super) fn allows(&self, who: usize, hole: usize, base: &[usize]) -> bool {
        let all = |count| base.iter().all(|&hole| self.cells[hole] == count);
        let (seeds, column) = (self.cells[hole], hole % self.h);
        let single_lap = || {
            let mut after = Self { mover: who, ..self.clone() };
            let mut s = after.draw(hole, None);
            after.lap(&mut s);
            (after, s.end)
        };
        let to_zero = || {
            let mut after = Self { mover: who, ..self.clone() };
            let s = after.draw(hole, None);
            let next = self.ahead(&s, s.ccw, hole);
            !self.is_store(next) && (seeds != 1 || self.cells[next] == 0)
        };
        match self.p.allow_rule {
            AllowRule::OppOrEmpty if seeds > self.p.holes => true,
            AllowRule::OppOrEmpty => {
                let (_, end) = single_lap();
                self.is_store(end) || self.own(1 - who, end) || self.cells[end] == 0
            }
            AllowRule::SingleToZero => to_zero(),
            AllowRule::SingleOnlyAll => seeds != 1 || all(1),
            AllowRule::SingleAllToZero => (seeds != 1 || all(1)) && to_zero(),
            AllowRule::TwoOnlyAll => seeds != 2 || all(2),
            AllowRule::MoveAllHolesFirst => {
                let asked = (0..2 * self.h).filter(|&hole| self.p.no_sides || self.own(who, hole));
                let all_moved = asked.into_iter().all(|hole| self.unlocked[hole]);
                all_moved || !self.unlocked[hole]
            }
            AllowRule::NotXfrom1s => self.cells[self.across(hole)] != 1,
            AllowRule::Occupied => {
                let (after, end) = single_lap();
                self.is_store(end) || after.cells[end] != 1
            }
            AllowRule::RightHalfFirsts => self.turns >= 2 || column >= self.h.div_ceil(2),
            _ => true,
        }
    }

    pub(in super::super) fn moves(&self) -> Vec<Move> {
        let moves = self.moves_of(self.mover);
        if moves.is_empty() && self.p.mustpass { vec![Move::Pass] } else { moves }
    }
}
