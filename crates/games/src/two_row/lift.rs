//! Lifting the seeds of a move.

use super::Way;
use super::params::AllowRule;
use super::plan::Plan;
use super::position::Position;
use super::ring::is_store;
use super::sowing::Sowing;

impl Plan {
    /// Lifts the seeds of a hole, or some seeds of a store, and decides the direction.
    pub(super) fn draw(
        &self,
        pos: &mut Position,
        s: &mut Sowing,
        seeds: Option<u16>,
        way: Option<Way>,
    ) {
        let from = s.origin;
        let count = pos.count(from);
        if is_store(from) {
            s.way = self.ways[0];
            s.first_way = s.way;
            s.hand = seeds.unwrap_or(count).min(count);
            *pos.cell(from) -= s.hand;
            return;
        }
        s.way = self.direction(pos, s.side, from as usize, count, way);
        s.first_way = s.way;
        let left = u16::from(self.params.sow_start && !(self.params.move_one && count == 1));
        s.hand = count.saturating_sub(left);
        *pos.cell(from) -= s.hand;
        if self.params.moveunlock || self.params.allow_rule == AllowRule::MoveAllHolesFirst {
            pos.unlocked |= 1 << from;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::two_row::testing::{after, listed, scene};

    #[test]
    fn all_seeds_of_a_hole_are_lifted() {
        assert_eq!(after("", "3 0 0 | 1 0 0", "1"), "0 1 1 | 2 0 0 | 0:0");
    }

    #[test]
    fn sow_start_leaves_a_seed() {
        let left = "sow_start=true,min_move=2";
        assert_eq!(after(left, "3 0 0 | 2 0 0", "1"), "1 1 1 | 2 0 0 | 0:0");
        assert_eq!(listed(left, "3 0 1 | 1 0 0"), "1");
    }

    #[test]
    fn move_one_lets_a_single_seed_go() {
        let one = "sow_start=true,move_one=true";
        assert_eq!(after(one, "1 0 1 | 1 0 0", "1"), "0 1 1 | 1 0 0 | 0:0");
        assert_eq!(after(one, "2 0 1 | 1 0 0", "1"), "1 1 1 | 1 0 0 | 0:0");
    }

    #[test]
    fn a_store_gives_as_many_seeds_as_the_move_says() {
        let choose = "play_locs=BRD_OWN_STR_CHS";
        assert_eq!(after(choose, "1 0 0 | 1 0 0 | 3:0", "s2"), "1 0 0 | 2 1 0 | 1:0");
        let all = "play_locs=BRD_OWN_STR_ALL";
        assert_eq!(after(all, "1 0 0 | 1 0 0 | 3:0", "s3"), "1 0 0 | 2 1 1 | 0:0");
    }

    #[test]
    fn a_hole_that_is_moved_is_unlocked() {
        for locks in ["moveunlock=true,evens=true", "allow_rule=MOVE_ALL_HOLES_FIRST"] {
            let moved = scene(locks, "1 0 1 | 1 0 0").play("1");
            assert_eq!(moved.part("unlocked"), "100000", "{locks}");
        }
        assert_eq!(scene("evens=true", "1 0 1 | 1 0 0").play("1").part("unlocked"), "");
    }
}
