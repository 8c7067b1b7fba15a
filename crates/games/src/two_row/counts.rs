//! Per-player counts of a two-row position. The module does not weigh them.

use pitmaster_core::Side;

use super::check::facts;
use super::params::{Class, Mlaps};
use super::plan::Plan;
use super::position::{HoleSet, Phase, Position};
use super::ring::is_store;
use super::sides::members;
use super::sowing::Sowing;
use super::{TwoRow, Way};
use crate::{Count, Counting};

impl Counting for TwoRow {
    fn lacks(&self, what: Count) -> Option<&'static str> {
        let params = &self.plan.params;
        match what {
            Count::Stores if !params.stores && !self.plan.real_children => {
                Some("the game has neither stores nor children")
            }
            Count::Children if !self.plan.real_children => Some("the game has no children"),
            Count::Reach if params.mlaps != Mlaps::Off => Some("the game is sown in laps"),
            Count::Reach if facts::chooses_way(params) => Some("the mover chooses the direction"),
            Count::Reach if facts::names_row(params) => {
                Some("no side of the board is one player's")
            }
            _ => None,
        }
    }

    fn count(&self, pos: &Position, what: Count, side: Side) -> u32 {
        let own = pos.owned_by(side, self.plan.board) & !pos.any_children();
        match what {
            Count::Stores => self.plan.kept(pos, side),
            Count::Children => pos.children[side].count_ones(),
            Count::Seeds => pos.sum(own),
            Count::Empties => (own & !pos.occupied(own)).count_ones(),
            Count::Evens => members(pos.occupied(own))
                .map(|hole| u32::from(pos.seeds[hole].is_multiple_of(2)))
                .sum(),
            Count::Reach => self.plan.reach(pos, side).count_ones(),
        }
    }

    fn on_turn(&self, pos: &Position) -> Side {
        match pos.phase {
            Phase::Layout(side) => side,
            _ => pos.side,
        }
    }

    fn grants_turns(&self) -> bool {
        facts::repeats(&self.plan.params)
    }

    fn granted_turn(&self, pos: &Position) -> bool {
        pos.repeats > 0 && pos.phase == Phase::Move && pos.last.is_some_and(|l| l.side == pos.side)
    }

    fn breaks_alternation(&self) -> Option<&'static str> {
        let params = &self.plan.params;
        if facts::repeats(params) {
            return Some("a move can give another turn");
        }
        match params.game_class {
            Class::ShareOne => Some("who shares a seed moves again"),
            _ if facts::gives_away(params) => {
                Some("who captures places the seeds before the turn passes")
            }
            _ => None,
        }
    }

    fn round_won(&self, pos: &Position) -> Option<Option<Side>> {
        match pos.phase {
            Phase::RoundOver(won) => Some(won),
            _ => None,
        }
    }
}

impl Plan {
    /// Seeds that a player has permanently. Without stores, seeds that are out of play for both are
    /// kept in the place of a store.
    fn kept(&self, pos: &Position, side: Side) -> u32 {
        let stored = if self.params.stores { pos.stores[side].into() } else { 0 };
        stored + pos.sum(pos.children[side])
    }

    /// Holes of the opponent's side in which a lap from any hole of a player's side ends,
    /// regardless of whether it may be moved.
    fn reach(&self, pos: &Position, side: Side) -> HoleSet {
        let from = members(pos.occupied(self.side(side)));
        let ends = from.map(|hole| self.end_of_lap(pos, side, hole));
        ends.fold(0, |ends, end| ends | end) & self.side(side.other())
    }

    /// End of a lap from a hole, as a set; empty for a store.
    fn end_of_lap(&self, pos: &Position, side: Side, hole: usize) -> HoleSet {
        let mut after = pos.clone();
        let mut s = Sowing::new(pos, side, Way::Ccw, hole as u8);
        self.draw(&mut after, &mut s, None, None);
        self.sow(&mut after, &mut s, &mut ());
        if is_store(s.end) { 0 } else { 1 << s.end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::two_row::testing::{game, scene};

    fn counts(options: &str, position: &str, what: Count) -> [u32; 2] {
        let scene = scene(options, position);
        Side::BOTH.map(|side| scene.game.count(&scene.pos, what, side))
    }

    #[test]
    fn holes_are_counted_by_owner_without_children() {
        let (options, position) =
            ("child_type=NORMAL,child_cvt=9", "1 2 0 | 4 0 6 | 7:8; 1; children=100020");
        let counts = |what| counts(options, position, what);
        assert_eq!(counts(Count::Stores), [8, 8]);
        assert_eq!(counts(Count::Children), [1, 1]);
        assert_eq!(counts(Count::Seeds), [2, 10]);
        assert_eq!(counts(Count::Empties), [1, 0]);
        assert_eq!(counts(Count::Evens), [1, 2]);
    }

    #[test]
    fn owners_decide_where_there_is_territory() {
        let strange = "1 2 3 | 4 5 6; 1; owned=001111";
        assert_eq!(counts("goal=TERRITORY,goal_param=5", strange, Count::Seeds), [3, 18]);
    }

    #[test]
    fn ends_of_sowings_on_the_other_side_are_counted_once() {
        // Holes 2 and 3 end in 4, hole 1 on the own side; of the other row 4 and 5 stay, 6 ends
        // in 3.
        assert_eq!(counts("", "1 2 1 | 1 1 3", Count::Reach), [1, 1]);
        assert_eq!(counts("sow_stores=OWN", "1 2 1 | 1 1 3", Count::Reach), [0, 1]);
    }

    #[test]
    fn what_says_nothing_is_refused() {
        let lacks = |options, what| game(3, options).lacks(what);
        assert_eq!(lacks("", Count::Children), Some("the game has no children"));
        assert_eq!(lacks("", Count::Stores), None);
        assert_eq!(lacks("mlaps=LAPPER", Count::Reach), Some("the game is sown in laps"));
        assert_eq!(lacks("udir_holes=1", Count::Reach), Some("the mover chooses the direction"));
    }

    #[test]
    fn another_turn_is_seen_until_the_turn_passes() {
        let own = "sow_stores=OWN";
        let granted = |moves| {
            let scene = scene(own, "1 0 1 | 1 0 0").play(moves);
            scene.game.granted_turn(&scene.pos)
        };
        assert_eq!([granted(""), granted("3"), granted("3 1")], [false, true, false]);
        assert!(game(3, own).grants_turns() && game(3, own).breaks_alternation().is_some());
        assert_eq!(game(3, "").breaks_alternation(), None);
    }
}
