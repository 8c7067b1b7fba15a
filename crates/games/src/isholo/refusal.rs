//! Reasons why a move is not legal on a board. The module does not know the side to move.

use pitmaster_core::i18n::{Message, said};

use super::Kind;
use super::listing::unseen;
use super::moves::Move;
use super::play::{Board, Rest};

impl Board {
    /// Rule that forbids a move; `None` if none can be named.
    pub(super) fn refusal(mut self, kind: Kind, mv: &Move) -> Option<Message> {
        let hole = mv.hole().to_string();
        if self.own.get(mv.hole().place()) == 0 {
            return Some(said!("hole {} has no seeds", hole));
        }
        let rest = self.begin(kind, mv.hole(), &mut unseen(&mut ()));
        Some(match (rest, mv) {
            (Rest::Endless, _) => said!("the sowing of hole {} never ends", hole),
            (Rest::Lay(seeds), Move::Lay { layout, .. }) => {
                said!("hole {} captures {} seeds, and {} are laid out", hole, seeds, layout.total())
            }
            (Rest::Lay(seeds), Move::Sow { .. }) => {
                said!("hole {} captures {} seeds, which are to be laid out", hole, seeds)
            }
            (Rest::Done | Rest::Choose(_), Move::Lay { .. }) => {
                said!("hole {} captures nothing that is laid out", hole)
            }
            (Rest::Choose(_), Move::Sow { choices, .. }) if choices.is_empty() => {
                let choice = self.choices().next()?.to_string();
                said!("several holes have the most seeds: choose one, like {}@{}", hole, choice)
            }
            (Rest::Choose(_), Move::Sow { .. }) => return None,
            (Rest::Done, Move::Sow { .. }) => said!("hole {} leaves nothing to choose", hole),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::game_of;
    use crate::isholo::{Isholo, Kind};

    fn why(kind: Kind, position: Option<&str>, text: &str) -> String {
        let game = game_of(Isholo { kind });
        let mut table = position.map_or_else(|| game.begin(), |at| game.resume(at).unwrap());
        table.why_illegal(text).map_or("legal".into(), |why| why.to_string())
    }

    #[test]
    fn the_rule_that_forbids_a_move_is_named() {
        let mut table = game_of(Isholo { kind: Kind::One }).begin();
        table.play("a1", &mut String::new()).unwrap();
        table.play("a1", &mut String::new()).unwrap();
        let position = table.position();
        let holes = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"];
        let empty = |hole: &&str| {
            why(Kind::One, Some(&position), hole) == format!("hole {hole} has no seeds")
        };
        let empty: Vec<_> = holes.into_iter().filter(empty).collect();
        assert!(!empty.is_empty() && empty.len() < holes.len(), "{position}: {empty:?}");
        assert_eq!(why(Kind::One, None, "a1@b1"), "hole a1 leaves nothing to choose");
        assert_eq!(why(Kind::One, None, "a1=b1:2"), "hole a1 captures nothing that is laid out");
        assert_eq!(why(Kind::One, None, "a1"), "legal");
        assert_eq!(why(Kind::One, None, "c1"), "legal", "that is no move at all");
    }
}
