//! Move notation: `5`, `5+`, `s3`, `pass`, `swap`, `fill=1:4,2:4`, `own=3,5`, and the steps of
//! chance. Holes are counted from 1.

use std::fmt::Write as _;

use pitmaster_core::Side;

use super::moves::{Layout, Move, Template, Way};
use super::plan::Plan;
use super::position::{HoleSet, Position};
use super::sides::members;
use crate::TextError;

/// Writes the text of a move.
pub(super) fn write(mv: &Move, text: &mut String) {
    let _ = match mv {
        Move::Sow { hole, way } => {
            sowing(*hole, *way, text);
            Ok(())
        }
        Move::Place(hole) => write!(text, "{}", hole + 1),
        Move::Store(seeds) => write!(text, "s{seeds}"),
        Move::Pass => write!(text, "pass"),
        Move::Swap => write!(text, "swap"),
        Move::Fill(layout) => write!(text, "fill={}", layout_text(layout)),
        Move::Deal(layout) => write!(text, "deal={}", layout_text(layout)),
        Move::Own(holes) => write!(text, "own={}", set_text(*holes)),
        Move::Round(None) => write!(text, "round"),
        Move::Round(Some(side)) => write!(text, "round={side}"),
    };
}

/// Writes a hole and its direction. Formatted manually, because the referee writes every move and
/// `format!` took a tenth of a random game. A board has fewer than a hundred holes.
fn sowing(hole: u8, way: Option<Way>, text: &mut String) {
    let number = hole + 1;
    if number >= 10 {
        text.push(char::from(b'0' + number / 10));
    }
    text.push(char::from(b'0' + number % 10));
    text.push_str(match way {
        None => "",
        Some(Way::Ccw) => "+",
        Some(Way::Cw) => "-",
    });
}

/// Text of a template.
pub(super) fn template(template: &Template) -> String {
    match template {
        Template::Fill(seeds) => format!("fill=*{seeds}"),
        Template::Own(holes) => format!("own=*{holes}"),
    }
}

fn layout_text(layout: &Layout) -> String {
    let holes: Vec<_> =
        layout.iter().map(|(hole, seeds)| format!("{}:{seeds}", hole + 1)).collect();
    holes.join(",")
}

fn set_text(holes: HoleSet) -> String {
    let holes: Vec<_> = members(holes).map(|hole| (hole + 1).to_string()).collect();
    holes.join(",")
}

impl Plan {
    /// Reads a move, in either case, layouts in any order.
    pub(super) fn parse(&self, pos: &Position, text: &str) -> Result<Move, TextError> {
        let lower = text.to_ascii_lowercase();
        self.parse_lower(pos, &lower).ok_or_else(|| TextError(self.form()))
    }

    /// Notation of moves in this game.
    fn form(&self) -> String {
        let way = if self.has_directions() { "; 3+ counter-clockwise, 3- clockwise" } else { "" };
        format!(
            "a move is a hole from 1 to {}{way}, or one of the words that are listed (pass, swap, \
             fill=1:4,2:4, own=3,5, s2)",
            self.n
        )
    }

    fn parse_lower(&self, pos: &Position, text: &str) -> Option<Move> {
        match text {
            "pass" => return Some(Move::Pass),
            "swap" => return Some(Move::Swap),
            "round" => return Some(Move::Round(None)),
            _ => {}
        }
        if let Some((word, rest)) = text.split_once('=') {
            return match word {
                "fill" => self.parse_layout(rest).map(Move::Fill),
                "deal" => self.parse_layout(rest).map(Move::Deal),
                "own" => self.parse_set(rest).map(Move::Own),
                "round" => number(rest)
                    .and_then(|side| Side::from_number(u8::try_from(side).ok()?))
                    .map(|side| Move::Round(Some(side))),
                _ => None,
            };
        }
        if let Some(seeds) = text.strip_prefix('s') {
            return number(seeds).map(Move::Store);
        }
        let (hole, way) = match text.strip_suffix('+') {
            Some(hole) => (hole, Some(Way::Ccw)),
            None => match text.strip_suffix('-') {
                Some(hole) => (hole, Some(Way::Cw)),
                None => (text, None),
            },
        };
        let hole = self.parse_hole(hole)?;
        let places = pos.placing && way.is_none();
        Some(if places { Move::Place(hole) } else { Move::Sow { hole, way } })
    }

    fn parse_hole(&self, text: &str) -> Option<u8> {
        let hole = number(text)?;
        (1..=self.n as u16).contains(&hole).then(|| hole as u8 - 1)
    }

    fn parse_layout(&self, text: &str) -> Option<Layout> {
        let mut layout = Vec::new();
        for part in text.split(',') {
            let (hole, seeds) = part.split_once(':')?;
            layout.push((self.parse_hole(hole)?, number(seeds).filter(|seeds| *seeds > 0)?));
        }
        layout.sort_unstable();
        layout.windows(2).all(|pair| pair[0].0 != pair[1].0).then(|| layout.into_iter().collect())
    }

    fn parse_set(&self, text: &str) -> Option<HoleSet> {
        let mut set = 0;
        for hole in text.split(',') {
            let bit = 1 << self.parse_hole(hole)?;
            if set & bit != 0 {
                return None;
            }
            set |= bit;
        }
        Some(set)
    }
}

/// A number without sign, blanks or leading zeros.
pub(super) fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text == "0" || !text.starts_with('0');
    if digits && plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Side;

    use crate::Rules;
    use crate::two_row::testing::{Scene, scene};
    use crate::two_row::{Move, Template, Way};

    fn usual() -> Scene {
        scene("", "1 0 1 | 1 0 0")
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        let scene = usual();
        let sow = |hole, way| Move::Sow { hole, way };
        let table = [
            (sow(4, None), "5"),
            (sow(4, Some(Way::Ccw)), "5+"),
            (sow(4, Some(Way::Cw)), "5-"),
            (Move::Store(3), "s3"),
            (Move::Pass, "pass"),
            (Move::Swap, "swap"),
            (Move::Fill([(0, 4), (2, 12)].into_iter().collect()), "fill=1:4,3:12"),
            (Move::Own(0b1_0100), "own=3,5"),
            (Move::Round(None), "round"),
            (Move::Round(Some(Side::Two)), "round=2"),
            (Move::Deal([(1, 5)].into_iter().collect()), "deal=2:5"),
        ];
        for (mv, text) in table {
            assert_eq!(scene.game.move_text(&scene.pos, &mv), text);
            assert_eq!(scene.parsed(text), mv, "{text}");
            assert_eq!(scene.parsed(&text.to_uppercase()), mv, "{text}");
        }
    }

    #[test]
    fn layouts_are_read_in_any_order() {
        let scene = usual();
        assert_eq!(scene.parsed("fill=3:1,1:4"), scene.parsed("fill=1:4,3:1"));
        assert_eq!(scene.parsed("own=5,3"), scene.parsed("own=3,5"));
    }

    #[test]
    fn a_hole_that_captures_are_put_into_is_another_move() {
        let away = "game_class=NSGratuitous,goal=CLEAR,capt_side=OWN_SIDE,evens=true";
        let placing = scene(away, "1 0 3 | 1 0 1 | 2:0; 1; placing=1");
        assert_eq!(placing.parsed("5"), Move::Place(4));
        assert_eq!(placing.game.move_text(&placing.pos, &Move::Place(4)), "5");
    }

    #[test]
    fn templates_name_what_may_be_laid_out() {
        let scene = usual();
        let text = |template| scene.game.template_text(&scene.pos, &template);
        assert_eq!(text(Template::Fill(24)), "fill=*24");
        assert_eq!(text(Template::Own(2)), "own=*2");
    }

    #[test]
    fn what_is_no_move_is_refused_with_the_form_of_moves() {
        let scene = usual();
        for text in [
            "",
            "0",
            "7",
            "01",
            "+",
            "1++",
            "+1",
            " 1",
            "1 ",
            "s",
            "s-1",
            "s01",
            "x",
            "fill=",
            "fill=1",
            "fill=1:0",
            "fill=7:1",
            "fill=1:4,1:4",
            "own=",
            "own=0",
            "own=2,2",
            "round=0",
            "round=3",
            "deal=1",
            "five=1",
            "99999",
        ] {
            assert!(scene.game.parse_move(&scene.pos, text).is_err(), "{text}");
        }
        let fault = |options: &str| {
            let scene = scene_of(options);
            scene.game.parse_move(&scene.pos, "?").unwrap_err().to_string()
        };
        assert_eq!(
            fault(""),
            "a move is a hole from 1 to 6, or one of the words that are listed (pass, swap, \
             fill=1:4,2:4, own=3,5, s2)"
        );
        assert!(fault("udir_holes=1").contains("from 1 to 6; 3+ counter-clockwise, 3- clockwise"));
    }

    fn scene_of(options: &str) -> Scene {
        scene(options, "1 0 1 | 1 0 0")
    }
}
