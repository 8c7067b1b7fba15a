//! Capture stage, from the outermost rule to the kinds of capture.

use super::{Model, Sown};
use crate::two_row::params::{
    CaptDir, CaptRturn, CaptSide, CaptType, CrossCapt, GrandSlam, Mlaps, Params, PickExtra,
    SowDirect, XcPickOwn,
};

impl Model {
    /// Whether captures require certain numbers of seeds.
    pub(super) fn counts(&self) -> bool {
        let Params { evens, capt_min, capt_max, capt_on, .. } = &self.p;
        *evens || *capt_min != 0 || *capt_max != 0 || !capt_on.is_empty()
    }

    pub(super) fn on_capture_side(&self, s: &Sown, cell: usize) -> bool {
        match self.p.capt_side {
            CaptSide::OppSide => self.own(1 - s.me, cell),
            CaptSide::OwnSide => self.own(s.me, cell),
            CaptSide::OppCont => self.own(1 - s.me, s.end),
            CaptSide::OwnCont => self.own(s.me, s.end),
            _ => true,
        }
    }

    pub(super) fn open(&self, cell: usize) -> bool {
        if self.is_store(cell) {
            return false;
        }
        let locked = self.p.moveunlock && !self.unlocked[cell];
        self.cells[cell] > 0 && !locked
    }

    pub(super) fn basic(&self, s: &Sown, cell: usize) -> bool {
        let Params { evens, capt_min, capt_max, capt_on, .. } = &self.p;
        let seeds = self.cells[cell];
        self.open(cell)
            && self.on_capture_side(s, cell)
            && !(*evens && seeds % 2 == 1)
            && (*capt_min == 0 || seeds >= *capt_min)
            && (*capt_max == 0 || seeds <= *capt_max)
            && (capt_on.is_empty() || capt_on.contains(&seeds))
    }

    pub(super) fn plain(&self, s: &Sown, cell: usize) -> bool {
        self.open(cell) && (self.p.crosscapt != CrossCapt::None || self.on_capture_side(s, cell))
    }

    pub(super) fn capture(&mut self, s: &mut Sown) {
        if self.is_store(s.end) && self.p.capt_type != CaptType::EndOppStoreCapt {
            return;
        }
        s.at = s.end;
        let too_small = self.p.nosinglecapt && s.hand == 1;
        if !self.forbidden && !too_small {
            self.capture_or_slam(s);
        }
        s.repeat |= s.captured
            && match self.p.capt_rturn {
                CaptRturn::NoRepeat => false,
                CaptRturn::Always => true,
                CaptRturn::Once => self.repeats == 0,
            };
    }

    pub(super) fn capture_or_slam(&mut self, s: &mut Sown) {
        let (cells, repeat) = (self.cells.clone(), s.repeat);
        self.capture_and_pick(s);
        let theirs = self.side(1 - s.me);
        let slam = s.captured
            && theirs.iter().all(|&hole| self.cells[hole] == 0)
            && theirs.iter().any(|&hole| s.before[hole] > 0);
        let mut occupied: Vec<_> = theirs.into_iter().filter(|&hole| cells[hole] > 0).collect();
        match self.p.grandslam {
            _ if !slam => {}
            GrandSlam::Legal | GrandSlam::NotLegal => {}
            GrandSlam::NoCapt => {
                self.cells = cells;
                (s.captured, s.repeat) = (false, repeat);
            }
            GrandSlam::OppGetsRemain => {
                let all = self.seeds_of(s.me);
                for hole in self.side(s.me) {
                    self.cells[hole] = 0;
                }
                self.cells[2 * self.h + 1 - s.me] += all;
            }
            GrandSlam::LeaveLeft | GrandSlam::LeaveRight if occupied.len() < 2 => {}
            GrandSlam::LeaveLeft | GrandSlam::LeaveRight => {
                self.cells = cells;
                s.repeat = repeat;
                if self.p.grandslam == GrandSlam::LeaveLeft {
                    occupied.reverse();
                }
                for &hole in &occupied[1..] {
                    self.take(s, hole);
                }
            }
            GrandSlam::LegalShare => s.repeat = true,
        }
    }

    pub(super) fn capture_and_pick(&mut self, s: &mut Sown) {
        self.chains(s);
        let hole = !self.is_store(s.at);
        match self.p.pickextra {
            PickExtra::PickLastSeeds => self.pick_last(s, 1, s.me),
            PickExtra::Pick2xLastSeeds => self.pick_last(s, 2, 0),
            _ if !s.captured => {}
            PickExtra::PickCross if hole => self.pick(s, self.across(s.at)),
            PickExtra::PickFinal if hole => self.pick(s, s.at),
            PickExtra::PickOppBasic => {
                for hole in self.side(1 - s.me) {
                    if self.basic(s, hole) {
                        self.take(s, hole);
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn pick(&mut self, s: &Sown, hole: usize) {
        if self.plain(s, hole) {
            self.take(s, hole);
        }
    }

    /// Player 1 starts all modeled games.
    pub(super) fn pick_last(&mut self, s: &Sown, times: i32, taker: usize) {
        let holes = 0..2 * self.h;
        let counted: i32 =
            holes.clone().filter(|&hole| self.plain(s, hole)).map(|hole| self.cells[hole]).sum();
        if (1..=times * self.p.nbr_start).contains(&counted) {
            for hole in holes {
                if self.open(hole) {
                    self.cells[2 * self.h + taker] += std::mem::take(&mut self.cells[hole]);
                }
            }
        }
    }

    pub(super) fn chains(&mut self, s: &mut Sown) {
        let next = self.p.capt_type == CaptType::Next;
        if self.p.multicapt == 0 && !next {
            return self.one(s, s.end, s.ccw, true);
        }
        let limit = match self.p.multicapt {
            0 => 1,
            -1 => 1000,
            limit => limit,
        };
        match self.p.capt_dir {
            CaptDir::Sow => self.chain(s, s.end, s.ccw, limit),
            CaptDir::OppSow => {
                let ccw = match self.p.sow_direct {
                    SowDirect::Cw => true,
                    SowDirect::Ccw => false,
                    _ => !s.ccw,
                };
                self.chain(s, s.end, ccw, limit);
            }
            CaptDir::Both => self.both(s, limit),
        }
    }

    pub(super) fn both(&mut self, s: &mut Sown, limit: i32) {
        self.chain(s, s.end, s.ccw, limit);
        let (forward, at) = (s.captured, s.at);
        if self.p.capt_type == CaptType::Next {
            s.captured = false;
            self.chain(s, s.end, !s.ccw, limit);
        } else if forward && limit > 1 {
            self.chain(s, self.ahead(s, !s.ccw, s.end), !s.ccw, limit - 1);
        }
        if forward {
            (s.captured, s.at) = (true, at);
        }
    }

    pub(super) fn chain(&mut self, s: &mut Sown, from: usize, ccw: bool, limit: i32) {
        let (mut cell, mut first, mut at) = (from, true, s.at);
        for _ in 0..limit {
            self.one(s, cell, ccw, first);
            if !s.captured {
                break;
            }
            if first {
                at = s.at;
            }
            (first, s.captured) = (false, false);
            if s.next == usize::MAX {
                break;
            }
            cell = s.next;
        }
        s.at = at;
        s.captured = !first && self.p.multicapt != 1;
    }

    pub(super) fn one(&mut self, s: &mut Sown, cell: usize, ccw: bool, first: bool) {
        s.at = cell;
        s.captured |= self.kind(s, cell, ccw, first);
        let picks = self.p.pickextra == PickExtra::PickCrossMult && !self.is_store(s.at);
        if s.captured && picks {
            self.pick(s, self.across(s.at));
        }
    }

    pub(super) fn kind(&mut self, s: &mut Sown, cell: usize, ccw: bool, first: bool) -> bool {
        let next = self.ahead(s, ccw, cell);
        let laps = self.p.mlaps != Mlaps::Off;
        let hole = !self.is_store(cell);
        match self.p.capt_type {
            CaptType::None => self.simple(s, cell, ccw, first),
            CaptType::Next => {
                let captures = if laps && first {
                    self.basic(s, cell) && self.cells[next] > 0
                } else {
                    self.basic(s, next)
                };
                captures && self.all(s, &[next], (cell, next))
            }
            CaptType::TwoOut => {
                let target = self.ahead(s, ccw, next);
                let captures = (laps || self.cells[cell] > 1)
                    && self.cells[next] == 0
                    && self.plain(s, target);
                captures && self.all(s, &[target], (target, target))
            }
            CaptType::MatchOpp => {
                let captures = hole
                    && self.cells[cell] == self.cells[self.across(cell)]
                    && self.plain(s, cell)
                    && self.plain(s, self.across(cell));
                captures && self.all(s, &[cell, self.across(cell)], (cell, next))
            }
            CaptType::Singletons => {
                let singles: Vec<_> = (0..2 * self.h)
                    .filter(|&hole| self.cells[hole] == 1 && self.plain(s, hole))
                    .collect();
                !singles.is_empty() && self.all(s, &singles, (s.end, s.next))
            }
            CaptType::CaptOpp1Ccw => {
                self.own(1 - s.me, s.end) || s.end == [self.h - 1, 2 * self.h - 1][s.me]
            }
            CaptType::PassStoreCapt => {
                let (mine, theirs) = (2 * self.h + s.me, 2 * self.h + 1 - s.me);
                if hole
                    && self.cells[cell] == 1
                    && self.cells[mine] > 0
                    && self.on_capture_side(s, cell)
                {
                    self.cells[theirs] += std::mem::take(&mut self.cells[mine]);
                    return true;
                }
                self.simple(s, cell, ccw, first)
            }
            CaptType::PullAcross => {
                let pulls = hole
                    && self.cells[cell] == i32::from(first)
                    && self.basic(s, self.across(cell));
                if pulls {
                    let across = self.across(cell);
                    self.cells[cell] += std::mem::take(&mut self.cells[across]);
                    (s.at, s.next) = (cell, next);
                }
                pulls
            }
            CaptType::EndOppStoreCapt => {
                let theirs = 2 * self.h + 1 - s.me;
                if cell == theirs {
                    return self.all(s, &[theirs], (cell, s.next));
                }
                hole && self.simple(s, cell, ccw, first)
            }
            CaptType::SandwichCapt => {
                let both = [self.ahead(s, s.ccw, cell), self.ahead(s, !s.ccw, cell)];
                let captures = hole
                    && self.cells[cell] == 1
                    && self.cells[both[0]] == self.cells[both[1]]
                    && [cell, both[0], both[1]].iter().all(|&cell| self.plain(s, cell));
                if captures {
                    return self.all(s, &[cell, both[0], both[1]], (cell, s.next));
                }
                self.simple(s, cell, ccw, first)
            }
        }
    }

    /// Takes these cells; returns them and the cell where the chain continues.
    pub(super) fn all(&mut self, s: &mut Sown, cells: &[usize], places: (usize, usize)) -> bool {
        for &cell in cells {
            self.take(s, cell);
        }
        (s.at, s.next) = places;
        true
    }

    pub(super) fn simple(&mut self, s: &mut Sown, cell: usize, ccw: bool, first: bool) -> bool {
        let next = self.ahead(s, ccw, cell);
        if self.p.crosscapt == CrossCapt::None {
            let captures = self.counts() && self.basic(s, cell);
            return captures && self.all(s, &[cell], (cell, next));
        }
        if self.is_store(cell) {
            return false;
        }
        if self.p.xc_sown && first {
            if self.cells[cell] != 1 || !self.own(s.me, cell) {
                return false;
            }
            if self.side(1 - s.me).iter().all(|&hole| self.cells[hole] == s.before[hole]) {
                (s.repeat, s.next) = (true, usize::MAX);
                return true;
            }
        }
        let fits = match self.p.crosscapt {
            CrossCapt::OneZeros => self.cells[cell] == i32::from(first),
            CrossCapt::OneAny => !first || self.cells[cell] == 1,
            _ => true,
        };
        let across = self.across(cell);
        let captured = fits && self.basic(s, across) && self.all(s, &[across], (cell, next));
        if first && self.picks_own(s, cell, captured) {
            self.pick(s, cell);
        }
        captured
    }

    pub(super) fn picks_own(&self, s: &Sown, cell: usize, captured: bool) -> bool {
        match self.p.xcpickown {
            XcPickOwn::Leave => false,
            XcPickOwn::PickOnCapt => captured || s.captured,
            XcPickOwn::AlwaysPick => {
                let side = match self.p.capt_side {
                    CaptSide::OppSide | CaptSide::OppCont => self.own(s.me, cell),
                    CaptSide::OwnSide | CaptSide::OwnCont => self.own(1 - s.me, cell),
                    _ => true,
                };
                side && self.cells[cell] == 1
            }
        }
    }
}
