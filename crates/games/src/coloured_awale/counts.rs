//! Per-player counts of a Coloured Awale position. The module does not weigh them.

use pitmaster_core::Side;

use super::moves::Kind;
use super::position::Position;
use super::sowing::Way;
use super::{ColouredAwale, Move};
use crate::holes::{HOLES, Holes};
use crate::{Count, Counting};

impl Counting for ColouredAwale {
    fn lacks(&self, what: Count) -> Option<&'static str> {
        (what == Count::Children).then_some("there are no children in this game")
    }

    fn count(&self, position: &Position, what: Count, side: Side) -> u32 {
        match what {
            Count::Stores => position.score[side].into(),
            Count::Children => 0,
            Count::Seeds => position.seeds_of(side).total().into(),
            Count::Empties => position.holes_of(side, |seeds| seeds == 0),
            Count::Evens => position.holes_of(side, |seeds| seeds > 0 && seeds.is_multiple_of(2)),
            Count::Reach => position.reach(side),
        }
    }

    fn on_turn(&self, position: &Position) -> Side {
        position.side
    }
}

impl Position {
    /// Number of a side's holes whose number of seeds matches.
    fn holes_of(&self, side: Side, such: impl Fn(u8) -> bool) -> u32 {
        let seeds = self.seeds_of(side).numbers();
        let own = seeds.iter().skip(side.index()).step_by(2);
        own.filter(|seeds| such(**seeds)).count() as u32
    }

    fn seeds_of(&self, side: Side) -> Holes {
        self.all_seeds() & Holes::of(side)
    }

    /// Number of the opponent's holes in which moves of a side end.
    fn reach(&self, side: Side) -> u32 {
        let ends = (side.index()..HOLES).step_by(2).fold(0_u16, |ends, hole| {
            let moves =
                [(false, Kind::Red), (false, Kind::Blue), (true, Kind::Red), (true, Kind::Blue)];
            let moves = moves
                .into_iter()
                .filter_map(|(transparent, colour)| Move::new(hole as u8, transparent, colour));
            moves.fold(ends, |ends, mv| ends | self.end(mv))
        });
        let strange = ends >> side.other().index() & 0x5555;
        strange.count_ones()
    }

    /// The hole in which a move ends, as a bit; none without seeds.
    fn end(&self, mv: Move) -> u16 {
        let transparent =
            if mv.transparent() { self.seeds(mv.hole(), Kind::Transparent) } else { 0 };
        let seeds = transparent + self.seeds(mv.hole(), mv.colour());
        let named = if mv.transparent() { transparent } else { seeds };
        if named == 0 {
            return 0;
        }
        1 << Way::of(mv.colour(), mv.hole().into()).hole(seeds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;

    fn counts(position: &str, what: Count) -> [u32; 2] {
        let rules = ColouredAwale::default();
        let position = rules.parse_position(position).expect(position);
        Side::BOTH.map(|side| rules.count(&position, what, side))
    }

    #[test]
    fn holes_and_seeds_are_counted_by_owner() {
        let position = format!("1.2.1,0.0.2,0.0.3,1.0.0{}/40-46/1", ",0.0.0".repeat(12));
        let counts = |what| counts(&position, what);
        assert_eq!(counts(Count::Stores), [40, 46]);
        assert_eq!(counts(Count::Seeds), [7, 3]);
        assert_eq!(counts(Count::Empties), [6, 6]);
        assert_eq!(counts(Count::Evens), [1, 1]);
        // 1R, 1TR, 1B and 1TB end in holes 2, 3, 4 and 6, 3TR in 6 and 3TB in 8; 2TR ends in 4,
        // 2TB in 5, 4R in 5.
        assert_eq!(counts(Count::Reach), [4, 1]);
    }

    #[test]
    fn a_game_begins_equal() {
        let start = ColouredAwale::default().position_text(&Position::start());
        for what in [Count::Stores, Count::Seeds, Count::Empties, Count::Evens, Count::Reach] {
            let [one, two] = counts(&start, what);
            assert_eq!(one, two, "{what:?}");
        }
    }
}
