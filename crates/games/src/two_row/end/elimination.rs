//! Elimination goals: emptying a side or leaving no move.

use super::Won;
use crate::two_row::params::PlayLocs;
use crate::two_row::plan::{Family, Plan};
use crate::two_row::position::Position;
use crate::two_row::sowing::Sowing;

impl Plan {
    pub(super) fn eliminated(&self, pos: &Position, s: &Sowing) -> Option<Won> {
        let (own, opponent) = (s.side, s.side.other());
        let empty = |side| pos.occupied(self.side(side)) == 0;
        let winner = match self.family {
            Family::Seeds => None,
            Family::Clear if empty(own) => Some(own),
            Family::Clear => empty(opponent).then_some(opponent),
            Family::Deprive if empty(opponent) => Some(own),
            Family::Deprive if empty(own) => Some(opponent),
            Family::Deprive => {
                let next = if s.repeat { own } else { opponent };
                (!self.has_allowable(pos, next)).then_some(next.other())
            }
            Family::Immobilize => {
                let out_of_store =
                    self.params.play_locs == PlayLocs::BoardOnly || pos.stores[opponent] == 0;
                (out_of_store && !self.has_allowable(pos, opponent)).then_some(own)
            }
        };
        winner.map(Some)
    }
}
