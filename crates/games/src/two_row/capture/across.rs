//! Cross captures: `crosscapt`, `xc_sown` and `xcpickown`.

use super::chain::Link;
use crate::Observer;
use crate::two_row::params::{CaptSide, CrossCapt, XcPickOwn};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;
use crate::two_row::ring::{Cell, NOWHERE, is_store};
use crate::two_row::sides::members;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;

impl Plan {
    /// Captures the hole across, if the game and the opponent's side allow it.
    pub(super) fn capture_across<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, first, .. } = link;
        if is_store(cell) {
            return false;
        }
        if self.params.xc_sown && first {
            if pos.seeds[cell as usize] != 1 || !self.on_side(s.side, cell) {
                return false;
            }
            if !self.changed_opponent(pos, s) {
                s.repeat = true;
                s.next = NOWHERE;
                return true;
            }
        }
        let captured = self.take_across_from(pos, s, link, watch);
        if first {
            self.pick_own(pos, s, cell, captured, watch);
        }
        captured
    }

    fn changed_opponent(&self, pos: &Position, s: &Sowing) -> bool {
        members(self.side(s.side.other())).any(|hole| pos.seeds[hole] != s.before[hole])
    }

    fn take_across_from<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        link: Link,
        watch: &mut O,
    ) -> bool {
        let Link { cell, first, .. } = link;
        let own = pos.seeds[cell as usize];
        let fits = match (self.params.crosscapt, first) {
            (CrossCapt::OneZeros, false) => own == 0,
            (CrossCapt::OneZeros | CrossCapt::OneAny, true) => own == 1,
            _ => true,
        };
        let across = self.across(cell as usize) as Cell;
        if !fits || !self.basic(pos, s, across) {
            return false;
        }
        trace::take(pos, s, across, watch);
        self.captured_at(pos, s, link);
        true
    }

    /// `xcpickown`: the seed that captured across is taken too.
    fn pick_own<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        cell: Cell,
        captured: bool,
        watch: &mut O,
    ) {
        let picks = match self.params.xcpickown {
            XcPickOwn::Leave => false,
            XcPickOwn::PickOnCapt => s.captured || captured,
            XcPickOwn::AlwaysPick => pos.count(cell) == 1 && self.own_side_inverted(s, cell),
        };
        if picks && self.plain(pos, s, cell) {
            trace::take(pos, s, cell, watch);
            s.changed = true;
        }
    }

    /// `capt_side` refers to the hole across, so it is inverted for the own seed.
    fn own_side_inverted(&self, s: &Sowing, cell: Cell) -> bool {
        match self.params.capt_side {
            CaptSide::OppSide | CaptSide::OppCont => self.on_side(s.side, cell),
            CaptSide::OwnSide | CaptSide::OwnCont => self.on_side(s.side.other(), cell),
            CaptSide::Both | CaptSide::OppTerr | CaptSide::OwnTerr => true,
        }
    }
}
