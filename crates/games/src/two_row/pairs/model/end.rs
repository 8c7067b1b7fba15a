//! Complete move with its end test and the division of the remaining seeds.

use super::{End, Model, Sown, Won};
use crate::two_row::Move;
use crate::two_row::params::{EndCond, Goal, Unclaimed};
use crate::two_row::rounds::limits::min_needed;

impl Model {
    pub(in super::super) fn play(&mut self, mv: &Move) {
        let Move::Sow { hole, way } = *mv else {
            self.turns += 1;
            self.mover = 1 - self.mover;
            return;
        };
        let mut s = self.draw(hole.into(), way);
        self.sow_and_capture(&mut s);
        if s.endless {
            self.end = Some(End::Endless);
            return;
        }
        if !s.repeat {
            self.turns += 1;
            self.forbidden &= self.turns < self.p.nocaptmoves;
        }
        self.end = self.ended(&s).map(End::Won);
        self.repeats = if s.repeat { self.repeats + 1 } else { 0 };
        if !s.repeat {
            self.mover = 1 - s.me;
        }
        let stuck = !self.p.mustpass && self.end.is_none() && self.moves_of(self.mover).is_empty();
        if stuck {
            self.end = Some(End::Endless);
        }
    }

    pub(super) fn ended(&mut self, s: &Sown) -> Option<Won> {
        let (me, other) = (s.me, 1 - s.me);
        let next = if s.repeat { me } else { other };
        match self.p.goal {
            Goal::Clear if self.seeds_of(me) == 0 => Some(Some(me)),
            Goal::Clear => (self.seeds_of(other) == 0).then_some(Some(other)),
            Goal::Deprive if self.seeds_of(other) == 0 => Some(Some(me)),
            Goal::Deprive if self.seeds_of(me) == 0 => Some(Some(other)),
            Goal::Deprive => self.moves_of(next).is_empty().then_some(Some(1 - next)),
            _ => self.ended_by_seeds(s, next),
        }
    }

    pub(super) fn ended_by_seeds(&mut self, s: &Sown, next: usize) -> Option<Won> {
        let holes = &self.cells[..2 * self.h];
        let board: i32 = holes.iter().sum();
        let limit = match self.p.end_cond {
            EndCond::None => false,
            EndCond::SeedsLimit => board <= self.p.end_param,
            EndCond::ClearedOwn => self.seeds_of(s.me) == 0,
            EndCond::ClearedOpp => self.seeds_of(1 - s.me) == 0,
            EndCond::HoleSeedLimit => holes.iter().all(|&seeds| seeds <= self.p.end_param),
        };
        let stores = [self.cells[2 * self.h], self.cells[2 * self.h + 1]];
        let half = (board + stores[0] + stores[1] + 1) / 2;
        if !limit && stores.iter().any(|&store| store > half) {
            return Some(Some(usize::from(stores[1] > half)));
        }
        if !limit && stores == [half, half] {
            return Some(None);
        }
        let dead = holes.iter().all(|&seeds| seeds < self.p.min_move);
        let needed = min_needed(&self.p).map_or(0, u32::cast_signed);
        let ended = limit
            || dead
            || self.cannot_feed(s, next)
            || self.nobody_moves(next)
            || (1..needed).contains(&board);
        ended.then(|| {
            self.settle(s);
            let [one, two] = [self.cells[2 * self.h], self.cells[2 * self.h + 1]];
            (one != two).then(|| usize::from(two > one))
        })
    }

    pub(super) fn cannot_feed(&self, _: &Sown, next: usize) -> bool {
        let playable = |who| self.side(who).iter().any(|&hole| self.cells[hole] >= self.p.min_move);
        self.p.mustshare
            && !self.p.mustpass
            && playable(next)
            && !playable(1 - next)
            && self.moves_of(next).is_empty()
    }

    pub(super) fn nobody_moves(&self, next: usize) -> bool {
        let passes = self.p.mustpass && !self.moves_of(1 - next).is_empty();
        self.moves_of(next).is_empty() && !passes
    }

    pub(super) fn settle(&mut self, s: &Sown) {
        let board: i32 = self.cells[..2 * self.h].iter().sum();
        let [one, two] = [self.cells[2 * self.h], self.cells[2 * self.h + 1]];
        let gains = match self.p.unclaimed {
            _ if self.p.no_sides => [0, 0],
            Unclaimed::HoleOwner => [self.seeds_of(0), self.seeds_of(1)],
            Unclaimed::LastMover if s.me == 0 => [board, 0],
            Unclaimed::LastMover => [0, board],
            Unclaimed::Divvied if one < two => [(board + 1) / 2, board / 2],
            Unclaimed::Divvied => [board / 2, (board + 1) / 2],
            _ => [0, 0],
        };
        self.cells[..2 * self.h].fill(0);
        self.cells[2 * self.h] += gains[0];
        self.cells[2 * self.h + 1] += gains[1];
    }
}
