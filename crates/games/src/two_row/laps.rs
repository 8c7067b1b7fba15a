//! Multi-lap sowing: whether a sowing continues, and from which hole.

#[cfg(test)]
mod tests;

use super::params::{CaptType, CrossCapt, MlapCont, Mlaps, SowRule, SowStores};
use super::plan::Plan;
use super::position::Position;
use super::ring::{Cell, is_store};
use super::sowing::Sowing;
use super::trace;
use crate::Observer;

/// Maximum number of laps: a move that needs more ends the game.
pub(super) const MAX_LAPS: u32 = 75;

/// Result of a test for another lap.
enum Verdict {
    /// No other lap.
    Stop,
    /// The lap continues from this cell.
    From(Cell),
}

impl Plan {
    /// Sows all laps of a move. At the limit of laps the seeds just lifted leave play, so they are
    /// missing from the final totals.
    pub(super) fn sow_laps<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        if self.params.mlaps == Mlaps::Off {
            return self.sow_lap(pos, s, watch);
        }
        for _ in 0..MAX_LAPS {
            self.sow_lap(pos, s, watch);
            let Verdict::From(cell) = self.another_lap(pos, s, watch) else {
                return;
            };
            self.between_laps(pos, s, cell);
            s.hand = pos.lift(cell);
            s.start = cell;
            s.first_lap = false;
            trace::lap(watch, cell, s.hand);
        }
        s.endless = true;
    }

    /// Actions before another lap begins.
    fn between_laps(&self, pos: &mut Position, s: &mut Sowing, cell: Cell) {
        if self.params.sow_rule == SowRule::ChangeDirLap {
            s.way = s.way.opposite();
        }
        if !is_store(cell) && self.closes(pos, s, cell) {
            pos.blocked |= 1 << cell;
        }
    }

    /// Runs the tests in order; the first that decides is final.
    fn another_lap<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) -> Verdict {
        if s.repeat && self.params.sow_stores != SowStores::Neither {
            return Verdict::Stop;
        }
        let ahead = self.step_plain(pos, s.side, s.way, s.end);
        if self.stops_by_condition(pos, s, ahead) || self.stops_at_child(pos, s, ahead) {
            return Verdict::Stop;
        }
        if let Some(verdict) = self.capture_between(pos, s, watch) {
            return verdict;
        }
        if self.stops_for_capture(pos, s) || self.makes_child(pos, s) && self.real_children {
            return Verdict::Stop;
        }
        self.goes_on(pos, s, ahead)
    }

    /// `mlap_cont`.
    fn stops_by_condition(&self, pos: &Position, s: &Sowing, ahead: Cell) -> bool {
        let count = i32::from(pos.count(s.end));
        match self.params.mlap_cont {
            MlapCont::None => false,
            MlapCont::OnParam => count != self.params.mlap_param,
            MlapCont::GreqParam => count < self.params.mlap_param,
            MlapCont::OwnSide => self.on_side(s.side.other(), s.end),
            MlapCont::OppSide => self.on_side(s.side, s.end),
            MlapCont::VisitOpp => {
                let visits = self.on_side(s.side.other(), s.end) || self.enlarged_opponent(pos, s);
                s.first_lap && !visits
            }
            MlapCont::NotFromStore if self.params.mlaps == Mlaps::LapperNext => is_store(ahead),
            MlapCont::StopStore | MlapCont::NotFromStore => is_store(s.end),
        }
    }

    fn enlarged_opponent(&self, pos: &Position, s: &Sowing) -> bool {
        super::sides::members(self.side(s.side.other()))
            .any(|hole| pos.seeds[hole] > s.before[hole])
    }

    /// Whether the lap stops at a child. No lap begins in a child, except behind a store. A bug
    /// that games rely on: looking ahead at a store, one of the last two holes is examined.
    fn stops_at_child(&self, pos: &Position, s: &Sowing, ahead: Cell) -> bool {
        let from = match self.params.mlaps {
            Mlaps::LapperNext if is_store(s.end) => return false,
            Mlaps::LapperNext => self.hole_behind(ahead),
            _ => s.end as usize,
        };
        self.real_children && pos.any_children() >> from & 1 != 0
    }

    /// `LAP_CAPT…`: captures between laps, which decide where the next one begins.
    fn capture_between<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) -> Option<Verdict> {
        let rule = self.params.sow_rule;
        let captures =
            matches!(rule, SowRule::LapCapt | SowRule::LapCaptOppGets | SowRule::LapCaptSeeds);
        if !captures || self.params.mlaps != Mlaps::Lapper {
            return None;
        }
        if !self.params.stores && pos.occupied(self.side(s.side.other())) == 0 {
            return Some(Verdict::Stop);
        }
        if rule == SowRule::LapCaptSeeds {
            return self.capture_to_sow_on(pos, s, watch);
        }
        if self.params.crosscapt == CrossCapt::OneZeros {
            if pos.count(s.end) != 1 {
                return None;
            }
            return self.capture_of_lap(pos, s, watch).then_some(Verdict::From(s.end));
        }
        match self.params.capt_type {
            CaptType::Next | CaptType::TwoOut => (pos.count(s.end) > 1).then(|| {
                self.capture_again(pos, s, watch);
                Verdict::From(s.end)
            }),
            _ => self.basic(pos, s, s.end).then(|| {
                self.capture_again(pos, s, watch);
                Verdict::From(self.step_plain(pos, s.side, s.way, s.end))
            }),
        }
    }

    /// Capture stage of a lap. A bug that games rely on: a capture of an earlier lap is not
    /// forgotten, so this lap may count as a capture although it takes nothing.
    fn capture_again<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        s.between_laps = true;
        self.capture(pos, s, watch);
        s.between_laps = false;
    }

    /// Capture stage of a lap on its own; returns whether it captured.
    fn capture_of_lap<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) -> bool {
        let earlier = std::mem::take(&mut s.captured);
        self.capture_again(pos, s, watch);
        let captured = s.captured;
        s.captured |= earlier;
        captured
    }

    /// `LAP_CAPT_SEEDS`: captured seeds are sown on with the contents of the last hole.
    fn capture_to_sow_on<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) -> Option<Verdict> {
        self.capture_of_lap(pos, s, watch).then(|| {
            trace::sow_store(pos, s.side, s.end, watch);
            Verdict::From(s.end)
        })
    }

    /// Whether laps stop because the last seed captures.
    fn stops_for_capture(&self, pos: &Position, s: &Sowing) -> bool {
        if !pos.captures_inhibited(s.side) && self.captures_at_end(pos, s) {
            return true;
        }
        self.params.mlaps == Mlaps::LapperNext
            && matches!(self.params.crosscapt, CrossCapt::OneZeros | CrossCapt::OneAny)
            && !is_store(s.end)
            && pos.count(s.end) == 1
            && self.basic(pos, s, self.across(s.end as usize) as Cell)
    }

    fn captures_at_end(&self, pos: &Position, s: &Sowing) -> bool {
        match self.params.capt_type {
            CaptType::MatchOpp | CaptType::SandwichCapt => {
                let (mut tried, mut sowing) = (pos.clone(), s.clone());
                sowing.captured = false;
                self.capture(&mut tried, &mut sowing, &mut ());
                sowing.captured
            }
            CaptType::None => {
                self.criteria.any
                    && self.params.crosscapt == CrossCapt::None
                    && self.basic(pos, s, s.end)
            }
            _ => false,
        }
    }

    fn goes_on(&self, pos: &Position, s: &Sowing, ahead: Cell) -> Verdict {
        let from = match self.params.mlaps {
            Mlaps::LapperNext => (pos.count(ahead) > 0).then_some(ahead),
            _ => (pos.count(s.end) > 1 && pos.blocked >> s.end & 1 == 0).then_some(s.end),
        };
        from.map_or(Verdict::Stop, Verdict::From)
    }
}
