//! Kinds of capture: a single hole, or a hole with related ones.

use super::chain::Link;
use crate::Observer;
use crate::two_row::params::{CaptType, CrossCapt, Mlaps, PickExtra};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{Cell, is_store, store};
use crate::two_row::sides::{self, members};
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// Makes a capture. A bug that games rely on: after an earlier capture, this one counts as a
    /// capture too, and extra seeds are picked.
    pub(super) fn capture_one<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) {
        s.at = link.cell;
        s.captured |= self.capture_kind(pos, s, link, watch);
        if s.captured && self.params.pickextra == PickExtra::PickCrossMult && !is_store(s.at) {
            let across = self.across(s.at as usize) as Cell;
            self.pick(pos, s, across, watch);
        }
    }

    fn capture_kind<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        match self.params.capt_type {
            CaptType::None => self.capture_simple(pos, s, link, watch),
            CaptType::Next => self.capture_next(pos, s, link, watch),
            CaptType::TwoOut => self.capture_two_out(pos, s, link, watch),
            CaptType::MatchOpp => self.capture_matching(pos, s, link, watch),
            CaptType::Singletons => self.capture_singles(pos, s, watch),
            CaptType::CaptOpp1Ccw => self.reaches_opponent(s),
            CaptType::PassStoreCapt => {
                self.pass_store(pos, s, watch) || self.capture_simple(pos, s, link, watch)
            }
            CaptType::PullAcross => self.pull_across(pos, s, link, watch),
            CaptType::EndOppStoreCapt => {
                let theirs = store(s.side.other());
                if s.end == theirs {
                    trace::take(pos, s, theirs, watch);
                    return true;
                }
                !is_store(s.end) && self.capture_simple(pos, s, link, watch)
            }
            CaptType::SandwichCapt => {
                self.capture_sandwich(pos, s, link.cell, watch)
                    || self.capture_simple(pos, s, link, watch)
            }
        }
    }

    /// Across, or by the basic test, or nothing.
    fn capture_simple<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        if self.params.crosscapt != CrossCapt::None {
            return self.capture_across(pos, s, link, watch);
        }
        if !self.criteria.any || !self.basic(pos, s, link.cell) {
            return false;
        }
        trace::take(pos, s, link.cell, watch);
        self.captured_at(pos, s, link);
        true
    }

    /// Stores the cell of a capture, and the start of the next one in its chain.
    pub(super) fn captured_at(&self, pos: &Position, s: &mut Sowing, link: Link) {
        s.at = link.cell;
        s.next = self.step_plain(pos, s.side, link.way, link.cell);
    }

    /// `NEXT`. In games with laps the last hole is tested first, and the next cell only needs
    /// seeds, even if it is a child, a locked hole or a store.
    fn capture_next<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, way, first } = link;
        let next = self.step_plain(pos, s.side, way, cell);
        let captures = if self.params.mlaps != Mlaps::Off && first {
            self.basic(pos, s, cell) && pos.count(next) > 0
        } else {
            self.basic(pos, s, next)
        };
        if captures {
            trace::take(pos, s, next, watch);
            (s.at, s.next) = (cell, next);
        }
        captures
    }

    /// `TWO_OUT`: over an empty hole.
    fn capture_two_out<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, way, .. } = link;
        let gap = self.step_plain(pos, s.side, way, cell);
        let target = self.step_plain(pos, s.side, way, gap);
        let occupied = self.params.mlaps != Mlaps::Off || pos.count(cell) > 1;
        let captures = occupied && pos.count(gap) == 0 && self.plain(pos, s, target);
        if captures {
            trace::take(pos, s, target, watch);
            (s.at, s.next) = (target, target);
        }
        captures
    }

    /// `MATCH_OPP`: two opposite holes with the same number of seeds.
    fn capture_matching<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, .. } = link;
        if is_store(cell) {
            return false;
        }
        let across = self.across(cell as usize) as Cell;
        let captures = pos.count(cell) == pos.count(across)
            && self.plain(pos, s, cell)
            && self.plain(pos, s, across);
        if captures {
            trace::take(pos, s, cell, watch);
            trace::take(pos, s, across, watch);
            self.captured_at(pos, s, link);
        }
        captures
    }

    /// `SINGLETONS`: every single seed, wherever the sowing ended.
    fn capture_singles<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) -> bool {
        let mut captured = false;
        for hole in members(self.board) {
            if pos.seeds[hole] == 1 && self.plain(pos, s, hole as Cell) {
                trace::take(pos, s, hole as Cell, watch);
                captured = true;
            }
        }
        s.at = s.end;
        captured
    }

    /// `CAPT_OPP_1CCW`: counts as a capture without taking seeds.
    fn reaches_opponent(&self, s: &mut Sowing) -> bool {
        let half = if sides::halves(&self.params) { self.h / 2 } else { 0 };
        let rightmost = [self.h - 1 + half, self.n - 1][s.side.index()];
        s.at = s.end;
        self.on_side(s.side.other(), s.end) || s.end as usize == rightmost
    }

    /// `PASS_STORE_CAPT`: a single last seed gives the mover's store to the opponent.
    fn pass_store<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) -> bool {
        let passes = !is_store(s.end)
            && pos.count(s.end) == 1
            && pos.stores[s.side] > 0
            && self.side_allows(pos, s, s.end);
        if passes {
            trace::capture(pos, store(s.side), store(s.side.other()), watch);
            s.at = s.end;
        }
        passes
    }

    /// `PULL_ACROSS`: the seeds across are moved to the last seed, and no store changes.
    fn pull_across<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, first, .. } = link;
        if is_store(cell) || pos.count(cell) != u16::from(first) {
            return false;
        }
        let across = self.across(cell as usize) as Cell;
        let pulls = self.basic(pos, s, across);
        if pulls {
            trace::capture(pos, across, cell, watch);
            self.captured_at(pos, s, link);
        }
        pulls
    }

    /// `SANDWICH_CAPT`: a single last seed between two equal neighbors, all three.
    fn capture_sandwich<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        cell: Cell,
        watch: &mut O,
    ) -> bool {
        if is_store(cell) || pos.count(cell) != 1 {
            return false;
        }
        let ahead = self.step_plain(pos, s.side, s.way, cell);
        let behind = self.step_plain(pos, s.side, s.way.opposite(), cell);
        let all = [behind, cell, ahead];
        let captures = pos.count(ahead) == pos.count(behind)
            && all.iter().all(|cell| self.plain(pos, s, *cell));
        if captures {
            for cell in all {
                trace::take(pos, s, cell, watch);
            }
            s.at = cell;
        }
        captures
    }
}
