//! Grand slams: captures of all of the opponent's seeds.

use crate::two_row::params::GrandSlam;
use crate::two_row::plan::Plan;
use crate::two_row::position::{HoleSet, Position};
use crate::two_row::ring::{Cell, store};
use crate::two_row::sides::members;
use crate::two_row::sowing::Sowing;
use crate::two_row::trace;
use crate::{Observer, Steps};

impl Plan {
    /// `grandslam`, applied to all captures and picks.
    pub(super) fn capture_with_slam<O: Observer>(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        watch: &mut O,
    ) {
        let rule = self.params.grandslam;
        if matches!(rule, GrandSlam::Legal | GrandSlam::NotLegal) {
            return self.capture_with_picks(pos, s, watch);
        }
        // Rules that undo captures exclude children, so only seeds change.
        let sown = (pos.seeds, pos.stores);
        let earlier = (s.captured, s.changed);
        let repeat = s.repeat;
        let kept = self.kept_by_slam(pos, s, rule);
        let mut steps = Steps::default();
        if O::ACTIVE {
            self.capture_with_picks(pos, s, &mut steps);
        } else {
            self.capture_with_picks(pos, s, &mut ());
        }
        let slam = self.is_slam(pos, s);
        let undone = slam && (rule == GrandSlam::NoCapt || kept != 0);
        if undone {
            (pos.seeds, pos.stores) = sown;
            // Between laps, a granted extra turn is kept.
            s.repeat &= repeat || s.between_laps;
        } else {
            steps.0.into_iter().for_each(|step| watch.step(step));
        }
        if !slam {
            return;
        }
        match rule {
            GrandSlam::Legal | GrandSlam::NotLegal => {}
            GrandSlam::NoCapt => (s.captured, s.changed) = earlier,
            GrandSlam::LeaveLeft | GrandSlam::LeaveRight if kept == 0 => {}
            GrandSlam::LeaveLeft | GrandSlam::LeaveRight => {
                let others = pos.occupied(self.side(s.side.other())) & !kept;
                for hole in members(others) {
                    trace::take(pos, s, hole as Cell, watch);
                }
            }
            GrandSlam::OppGetsRemain => {
                trace::sweep(pos, self.side(s.side), store(s.side.other()), watch);
            }
            GrandSlam::LegalShare => s.repeat = true,
        }
    }

    fn is_slam(&self, pos: &Position, s: &Sowing) -> bool {
        let opponent = self.side(s.side.other());
        s.captured
            && pos.occupied(opponent) == 0
            && members(opponent).any(|hole| s.before[hole] > 0)
    }

    /// The opponent's hole that keeps its seeds under `LEAVE_…` if all are captured. None if at
    /// most one has seeds. Left is from the mover's view of the far row.
    fn kept_by_slam(&self, pos: &Position, s: &Sowing, rule: GrandSlam) -> HoleSet {
        if !matches!(rule, GrandSlam::LeaveLeft | GrandSlam::LeaveRight) {
            return 0;
        }
        let occupied = pos.occupied(self.side(s.side.other()));
        // The far row is reversed from the mover's view: its highest hole is the mover's leftmost.
        match occupied.count_ones() {
            0 | 1 => 0,
            _ if rule == GrandSlam::LeaveLeft => 1 << occupied.ilog2(),
            _ => 1 << occupied.trailing_zeros(),
        }
    }
}
