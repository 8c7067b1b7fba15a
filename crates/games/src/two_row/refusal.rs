//! Reasons why a move is not legal. The module does not know how the move would be played.

use pitmaster_core::i18n::{Message, said};

use super::Move;
use super::plan::Plan;
use super::position::{Phase, Position};

impl Plan {
    /// Rule that forbids a move; `None` if none can be named.
    pub(super) fn refusal(&self, pos: &Position, mv: &Move) -> Option<Message> {
        match *mv {
            _ if pos.phase != Phase::Move || pos.placing => None,
            Move::Sow { hole, way } if usize::from(hole) < self.n => {
                let allowed = self.allowable(pos, pos.side, self.survey(pos)).holes();
                let stays_at_home = allowed & !self.side(pos.side) == 0;
                let named = usize::from(hole) + 1;
                if stays_at_home && !self.on_side(pos.side, hole) {
                    return Some(said!(
                        "hole {} is not on player {}'s side",
                        named,
                        pos.side.number()
                    ));
                }
                if pos.seeds[usize::from(hole)] == 0 {
                    return Some(said!("hole {} has no seeds", named));
                }
                match (self.names_direction(pos, hole.into()), way) {
                    (true, None) => {
                        Some(said!("hole {} is sown as {}+ or {}-", named, named, named))
                    }
                    (false, Some(_)) => Some(said!("hole {} is sown without a direction", named)),
                    _ => None,
                }
            }
            Move::Pass => Some(said!("pass is legal only if there is no other move")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Rules;
    use crate::two_row::testing::scene;

    fn why(options: &str, position: &str, text: &str) -> Option<String> {
        let scene = scene(options, position);
        let mv = scene.parsed(text);
        assert!(!scene.game.is_legal(&scene.pos, &mv), "{text}");
        scene.game.why_illegal(&scene.pos, &mv).map(|why| why.to_string())
    }

    #[test]
    fn the_rule_that_forbids_a_move_is_named() {
        let position = "1 0 4 | 2 0 5";
        let why = |text| why("", position, text);
        assert_eq!(why("2").as_deref(), Some("hole 2 has no seeds"));
        assert_eq!(why("4").as_deref(), Some("hole 4 is not on player 1's side"));
        assert_eq!(why("1+").as_deref(), Some("hole 1 is sown without a direction"));
        assert_eq!(why("pass").as_deref(), Some("pass is legal only if there is no other move"));
    }

    #[test]
    fn a_hole_with_a_direction_of_its_own_needs_one() {
        let why = why("udir_holes=1", "1 1 1 | 1 0 0", "2");
        assert_eq!(why.as_deref(), Some("hole 2 is sown as 2+ or 2-"));
    }

    #[test]
    fn a_rule_without_a_name_is_no_reason() {
        assert_eq!(why("min_move=2", "1 2 3 | 2 0 5", "1"), None);
    }
}
