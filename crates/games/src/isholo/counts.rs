//! Per-player counts of an Isholo position. The module does not weigh them.

use pitmaster_core::Side;

use super::{Isholo, Position};
use crate::holes::HOLES;
use crate::{Count, Counting};

impl Counting for Isholo {
    fn lacks(&self, what: Count) -> Option<&'static str> {
        match what {
            Count::Stores => Some("there are no stores in this game"),
            Count::Children => Some("there are no children in this game"),
            Count::Reach => Some("players sow on their own holes only"),
            Count::Seeds | Count::Empties | Count::Evens => None,
        }
    }

    fn count(&self, position: &Position, what: Count, side: Side) -> u32 {
        match what {
            Count::Stores | Count::Children | Count::Reach => 0,
            Count::Seeds => position.total(side),
            Count::Empties => HOLES as u32 - position.filled(side),
            Count::Evens => {
                let seeds = position.seeds[side].numbers().into_iter();
                seeds.filter(|seeds| *seeds > 0 && seeds.is_multiple_of(2)).count() as u32
            }
        }
    }

    fn on_turn(&self, position: &Position) -> Side {
        position.side
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use crate::isholo::Kind;

    #[test]
    fn holes_and_seeds_are_counted_by_owner() {
        let rules = Isholo { kind: Kind::One };
        let mut position = rules.start();
        let counts = |position: &Position| {
            [Count::Seeds, Count::Empties, Count::Evens]
                .map(|what| Side::BOTH.map(|side| rules.count(position, what, side)))
        };
        assert_eq!(counts(&position), [[32, 32], [0, 0], [16, 16]]);
        // 3 3 1 4 4 1 0 1 / 0 3 3 0 3 3 0 3 against 2 2 2 2 2 0 2 2 / 2 2 2 2 2 0 2 2.
        let mv = rules.parse_move(&position, "a8").expect("a move");
        rules.play(&mut position, &mv, &mut ());
        assert_eq!(counts(&position), [[32, 28], [4, 2], [2, 14]]);
    }
}
