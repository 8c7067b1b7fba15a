//! Capture stage of a move, outermost rule first.

mod across;
mod chain;
mod extra;
mod kinds;
mod slam;
#[cfg(test)]
mod tests;

use super::params::{CaptRturn, CaptType};
use super::plan::Plan;
use super::position::Position;
use super::ring::is_store;
use super::sowing::Sowing;
use super::trace;
use crate::Observer;

impl Plan {
    /// Runs the whole stage for the hole of a lap's last seed.
    pub(super) fn capture<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let in_store = self.ends_in_store && is_store(s.end);
        if in_store && !self.store_captures && self.params.capt_type != CaptType::EndOppStoreCapt {
            return;
        }
        s.at = s.end;
        self.capture_if_allowed(pos, s, watch);
        let again = match self.params.capt_rturn {
            CaptRturn::NoRepeat => false,
            CaptRturn::Always => true,
            CaptRturn::Once => pos.repeats == 0,
        };
        if again && s.captured {
            s.repeat = true;
        }
    }

    /// Captures if the rules allow it. Without stores, a capture goes into the first existing
    /// child, or one made now. Seeds taken without a capture stay off the board, as in a store.
    fn capture_if_allowed<O: Observer>(&self, pos: &mut Position, s: &mut Sowing, watch: &mut O) {
        let single = self.params.nosinglecapt && s.hand == 1;
        if single || pos.captures_inhibited(s.side) {
            return;
        }
        if self.captures_end_hole_only && !s.captured && !self.basic(pos, s, s.end) {
            return;
        }
        if !self.captures_into_children {
            return self.capture_with_slam(pos, s, watch);
        }
        let children = pos.children[s.side];
        if children == 0 && !self.makes_child(pos, s) {
            return;
        }
        let before = pos.stores[s.side];
        self.capture_with_slam(pos, s, watch);
        if s.captured {
            let kept_in = if children == 0 { pos.children[s.side] } else { children };
            trace::keep_in_child(pos, kept_in, s.side, before, watch);
        }
    }
}
