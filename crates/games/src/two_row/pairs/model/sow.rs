//! Sowing, lap by lap.

use super::{Model, Sown};
use crate::two_row::Way;
use crate::two_row::params::{
    CaptType, CrossCapt, MlapCont, Mlaps, Presowcapt, SowRule, SowStores,
};

impl Model {
    pub(super) fn draw(&mut self, hole: usize, way: Option<Way>) -> Sown {
        let (me, seeds) = (self.mover, self.cells[hole]);
        let ccw = self.direction(hole, way);
        let before = self.cells.clone();
        let leaves = self.p.sow_start && !(self.p.move_one && seeds == 1);
        let hand = seeds - i32::from(leaves);
        self.cells[hole] -= hand;
        self.unlocked[hole] = true;
        Sown {
            me,
            ccw,
            start: hole,
            hand,
            end: hole,
            at: hole,
            next: 0,
            first: true,
            captured: false,
            repeat: false,
            endless: false,
            before,
        }
    }

    pub(super) fn take(&mut self, s: &Sown, cell: usize) {
        self.cells[2 * self.h + s.me] += std::mem::take(&mut self.cells[cell]);
    }

    pub(super) fn before_lap(&mut self, s: &mut Sown) {
        match self.p.presowcapt {
            Presowcapt::CaptOne => {
                s.hand -= 1;
                self.cells[2 * self.h + s.me] += 1;
            }
            Presowcapt::AllSingleXcapt => {
                let singles: Vec<_> =
                    self.side(s.me).into_iter().filter(|&hole| s.before[hole] == 1).collect();
                for hole in singles {
                    self.take(s, self.across(hole));
                }
            }
            Presowcapt::Draw1Xcapt if s.hand == 1 && !self.is_store(s.start) => {
                self.take(s, self.across(s.start));
            }
            Presowcapt::Draw1Xcapt | Presowcapt::None => {}
        }
    }

    pub(super) fn is_passed(&self, s: &Sown, cell: usize) -> bool {
        let full = self.own(1 - s.me, cell) && self.cells[cell] == self.p.sow_param;
        self.p.skip_start && cell == s.start || self.p.sow_rule == SowRule::NoSowOppNs && full
    }

    pub(super) fn lap(&mut self, s: &mut Sown) {
        self.before_lap(s);
        s.end = s.start;
        for _ in 0..s.hand {
            s.end = self.step(s.me, s.ccw, s.end);
            while self.is_passed(s, s.end) {
                s.end = self.step(s.me, s.ccw, s.end);
            }
            self.cells[s.end] += 1;
        }
        let mine = s.end == 2 * self.h + s.me;
        s.repeat |= self.is_store(s.end)
            && match self.p.sow_stores {
                SowStores::Own | SowStores::Both => true,
                SowStores::BothNrOpp => mine,
                SowStores::BothNrOwn => !mine,
                _ => false,
            };
    }

    pub(super) fn sow(&mut self, s: &mut Sown) {
        if self.p.mlaps == Mlaps::Off {
            return self.lap(s);
        }
        for _ in 0..75 {
            self.lap(s);
            let Some(from) = self.another_lap(s) else { return };
            s.ccw ^= self.p.sow_rule == SowRule::ChangeDirLap;
            s.hand = std::mem::take(&mut self.cells[from]);
            (s.start, s.first) = (from, false);
        }
        s.endless = true;
    }

    pub(super) fn another_lap(&self, s: &Sown) -> Option<usize> {
        let (count, ahead) = (self.cells[s.end], self.ahead(s, s.ccw, s.end));
        let theirs = self.own(1 - s.me, s.end);
        let next_lap = self.p.mlaps == Mlaps::LapperNext;
        let grown = || self.side(1 - s.me).iter().any(|&hole| self.cells[hole] > s.before[hole]);
        let stops = match self.p.mlap_cont {
            MlapCont::None => false,
            MlapCont::OnParam => count != self.p.mlap_param,
            MlapCont::GreqParam => count < self.p.mlap_param,
            MlapCont::OwnSide => theirs,
            MlapCont::OppSide => self.own(s.me, s.end),
            MlapCont::VisitOpp => s.first && !theirs && !grown(),
            MlapCont::NotFromStore if next_lap => self.is_store(ahead),
            MlapCont::StopStore | MlapCont::NotFromStore => self.is_store(s.end),
        };
        if s.repeat || stops || self.stops_to_capture(s) {
            return None;
        }
        if next_lap {
            (self.cells[ahead] > 0).then_some(ahead)
        } else {
            (count > 1).then_some(s.end)
        }
    }

    pub(super) fn stops_to_capture(&self, s: &Sown) -> bool {
        let across_ones = matches!(self.p.crosscapt, CrossCapt::OneZeros | CrossCapt::OneAny);
        if !self.forbidden {
            let (mut tried, mut sown) = (self.clone(), s.clone());
            let captures = match self.p.capt_type {
                CaptType::MatchOpp | CaptType::SandwichCapt => {
                    sown.captured = false;
                    tried.capture(&mut sown);
                    sown.captured
                }
                CaptType::None => {
                    self.counts() && self.p.crosscapt == CrossCapt::None && self.basic(s, s.end)
                }
                _ => false,
            };
            if captures {
                return true;
            }
        }
        self.p.mlaps == Mlaps::LapperNext
            && across_ones
            && !self.is_store(s.end)
            && self.cells[s.end] == 1
            && self.basic(s, self.across(s.end))
    }
}
