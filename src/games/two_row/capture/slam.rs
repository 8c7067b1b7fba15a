//! Grand slams: captures of all that the opponent has.

use crate::games::two_row::params::GrandSlam;
use crate::games::two_row::plan::Plan;
use crate::games::two_row::position::Position;
use crate::games::two_row::ring::{Cell, store};
use crate::games::two_row::sides::members;
use crate::games::two_row::sowing::Sowing;
use crate::games::two_row::watch;
use crate::games::{Observer, Steps};

impl Plan {
    /// `grandslam`, around all that captures or picks.
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
        // Children go with no rule that undoes captures, so seeds are all that changes.
        let sown = (pos.seeds, pos.stores);
        let earlier = (s.captured, s.changed);
        let mut told = Steps::default();
        if O::ACTIVE {
            self.capture_with_picks(pos, s, &mut told);
        } else {
            self.capture_with_picks(pos, s, &mut ());
        }
        let slam = self.is_slam(pos, s);
        let undone =
            matches!(rule, GrandSlam::NoCapt | GrandSlam::LeaveLeft | GrandSlam::LeaveRight);
        if !(slam && undone) {
            told.0.into_iter().for_each(|step| watch.step(step));
        }
        if !slam {
            return;
        }
        match rule {
            GrandSlam::Legal | GrandSlam::NotLegal => {}
            GrandSlam::NoCapt => {
                (pos.seeds, pos.stores) = sown;
                (s.captured, s.changed) = earlier;
            }
            GrandSlam::LeaveLeft | GrandSlam::LeaveRight => {
                (pos.seeds, pos.stores) = sown;
                self.leave_one(pos, s, rule == GrandSlam::LeaveLeft, watch);
            }
            GrandSlam::OppGetsRemain => {
                watch::sweep(pos, self.side(s.side), store(s.side.other()), watch);
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

    /// Of the opponent's holes one keeps its seeds, the others are captured. Left is left for
    /// the mover, who looks at the far row.
    fn leave_one<O: Observer>(&self, pos: &mut Position, s: &Sowing, left: bool, watch: &mut O) {
        let occupied = pos.occupied(self.side(s.side.other()));
        // The far row runs against the mover's: its highest hole is the mover's leftmost.
        let kept = match occupied.count_ones() {
            0 | 1 => 0,
            _ if left => 1 << occupied.ilog2(),
            _ => 1 << occupied.trailing_zeros(),
        };
        for hole in members(occupied & !kept) {
            watch::take(pos, s, hole as Cell, watch);
        }
    }
}
