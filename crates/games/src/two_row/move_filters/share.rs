//! Filter for `mustshare` and for illegal grand slams.

use pitmaster_core::Side;

use super::{Allowed, Survey};
use crate::two_row::plan::Plan;
use crate::two_row::position::Position;

impl Plan {
    /// Keeps the moves that give the opponent seeds, if it has none. If there are none, a player
    /// that could pass may make any move.
    pub(super) fn that_share(&self, pos: &Position, side: Side, allowed: Allowed) -> Allowed {
        let fed = |after: &Position| {
            self.survey(after).seeds & after.owned_by(side.other(), self.board) != 0
        };
        let kept = self.keep(pos, side, allowed, fed);
        if self.params.mustpass && kept.holes() == 0 { allowed } else { kept }
    }

    /// The moves that do not empty the opponent's side, if there is a seed on it.
    pub(super) fn that_spare(
        &self,
        pos: &Position,
        side: Side,
        seen: Survey,
        allowed: Allowed,
    ) -> Allowed {
        let opponent = self.side(side.other());
        if seen.seeds & opponent == 0 {
            return allowed;
        }
        self.keep(pos, side, allowed, |after| self.survey(after).seeds & opponent != 0)
    }
}
