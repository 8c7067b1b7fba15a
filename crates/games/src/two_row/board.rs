//! Board drawing for people: two rows between the stores, the far one from right to left.

use std::fmt::Write as _;

use pitmaster_core::Side;

use super::plan::Plan;
use super::position::Position;
use crate::{Contents, HoleMark, HoleShape, ONE_KIND, Shape};

/// Columns of a hole.
const WIDTH: usize = 5;

/// Lines with hole numbers, the rows, the stores at their ends, and the legend.
pub(super) fn draw(plan: &Plan, pos: &Position) -> String {
    let h = plan.h;
    let far: Vec<_> = (h..plan.n).rev().collect();
    let near: Vec<_> = (0..h).collect();
    let line = format!("       +{}\n", "-----+".repeat(h));
    let mut text = String::new();
    numbers(&mut text, &far);
    text.push_str(&line);
    row(&mut text, plan, pos, &far, "");
    let (one, two) = (pos.stores.one, pos.stores.two);
    let _ = writeln!(text, "  {two:>4} +{} {one:>4}", "-----+".repeat(h));
    row(&mut text, plan, pos, &near, "");
    text.push_str(&line);
    numbers(&mut text, &near);
    legend(&mut text, plan, pos);
    text
}

fn numbers(text: &mut String, holes: &[usize]) {
    text.push_str("        ");
    for hole in holes {
        let _ = write!(text, "{:^WIDTH$} ", hole + 1);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn row(text: &mut String, plan: &Plan, pos: &Position, holes: &[usize], end: &str) {
    text.push_str("       |");
    for &hole in holes {
        let _ = write!(text, "{:^WIDTH$}|", cell(plan, pos, hole));
    }
    text.push_str(end);
    text.push('\n');
}

/// The seeds of a hole with its mark: `x` closed, `4a` a child of player 1, `4b` of player 2,
/// `4r` a ram, `(4)` locked, `4'` owned by the other side.
fn cell(plan: &Plan, pos: &Position, hole: usize) -> String {
    let seeds = pos.seeds[hole];
    match mark(plan, pos, hole) {
        Some(HoleMark::Closed) => "x".into(),
        Some(HoleMark::Child(Side::One)) => format!("{seeds}a"),
        Some(HoleMark::Child(Side::Two)) => format!("{seeds}b"),
        Some(HoleMark::Ram) => format!("{seeds}r"),
        Some(HoleMark::Locked) => format!("({seeds})"),
        Some(HoleMark::Owned(_)) => format!("{seeds}'"),
        None => seeds.to_string(),
    }
}

/// Mark of a hole; if it has several, the most important one.
fn mark(plan: &Plan, pos: &Position, hole: usize) -> Option<HoleMark> {
    let is = |set: u64| set >> hole & 1 != 0;
    let side = side_of(plan, hole);
    let marks = [
        (is(pos.blocked), HoleMark::Closed),
        (is(pos.children.one), HoleMark::Child(Side::One)),
        (is(pos.children.two), HoleMark::Child(Side::Two)),
        (is(pos.rams), HoleMark::Ram),
        (plan.params.moveunlock && !is(pos.unlocked), HoleMark::Locked),
        (plan.territory && !is(pos.owned_by(side, plan.board)), HoleMark::Owned(side.other())),
    ];
    marks.into_iter().find(|(is, _)| *is).map(|(_, mark)| mark)
}

fn side_of(plan: &Plan, hole: usize) -> Side {
    if plan.side(Side::Two) >> hole & 1 != 0 { Side::Two } else { Side::One }
}

/// Two rows, as [`draw`] has them.
pub(super) fn shape(plan: &Plan) -> Shape {
    let hole = |hole: usize| {
        let (row, column) = if hole < plan.h { (1, hole) } else { (0, plan.n - 1 - hole) };
        let label = (hole + 1).to_string();
        HoleShape { label, owner: side_of(plan, hole), row, column: column as u8 }
    };
    Shape {
        rows: 2,
        columns: plan.h as u8,
        kinds: ONE_KIND,
        stores: true,
        holes: (0..plan.n).map(hole).collect(),
    }
}

pub(super) fn contents(plan: &Plan, pos: &Position) -> Contents {
    let marks = (0..plan.n).filter_map(|hole| Some((hole as u8, mark(plan, pos, hole)?)));
    Contents { seeds: pos.seeds[..plan.n].to_vec(), stores: pos.stores, marks: marks.collect() }
}

/// Legend of the marks on the board, if there are any.
fn legend(text: &mut String, plan: &Plan, pos: &Position) {
    let locked = plan.params.moveunlock && plan.board & !pos.unlocked != 0;
    let strange = plan.territory && pos.owned != plan.side(Side::Two);
    let marks = [
        (pos.blocked != 0, "x closed"),
        (pos.children.one != 0, "a child of player 1"),
        (pos.children.two != 0, "b child of player 2"),
        (pos.rams != 0, "r ram"),
        (locked, "( ) locked"),
        (strange, "' owned by the player of the other side"),
    ];
    let shown: Vec<_> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
    if !shown.is_empty() {
        let _ = writeln!(text, "       {}", shown.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use crate::Rules;
    use crate::two_row::testing::scene;

    fn drawn(options: &str, position: &str) -> String {
        let scene = scene(options, position);
        scene.game.board(&scene.pos)
    }

    /// Line with the legend of the marks, and the two rows.
    fn marked(options: &str, position: &str) -> [String; 3] {
        let text = drawn(options, position);
        let mut rows = text.lines().filter(|line| line.contains('|'));
        let mut row = || rows.next().unwrap().replace(' ', "");
        let (far, near) = (row(), row());
        let marks = text.lines().nth(7).unwrap_or_default().trim().to_owned();
        [marks, far, near]
    }

    #[test]
    fn the_far_row_runs_the_other_way_and_stores_are_at_the_ends() {
        insta::assert_snapshot!(drawn("", "1 20 3 | 4 0 6 | 7:18"), @r"
            6     5     4
         +-----+-----+-----+
         |  6  |  0  |  4  |
      18 +-----+-----+-----+    7
         |  1  | 20  |  3  |
         +-----+-----+-----+
            1     2     3
        ");
    }

    #[test]
    fn what_is_special_of_a_hole_is_marked_and_explained() {
        let children = "child_type=NORMAL,child_cvt=9";
        let position = "1 2 3 | 4 5 6; 1; children=100020";
        assert_eq!(
            marked(children, position),
            ["a child of player 1, b child of player 2", "|6|5b|4|", "|1a|2|3|"]
        );
        assert_eq!(
            marked("child_type=RAM", "1 2 9 | 4 5 6; 1; children=00r000"),
            ["r ram", "|6|5|4|", "|1|2|9r|"]
        );
        assert_eq!(
            marked("", "0 2 3 | 4 5 6; 1; blocked=100000"),
            ["x closed", "|6|5|4|", "|x|2|3|"]
        );
        assert_eq!(
            marked("moveunlock=true,evens=true", "1 2 3 | 4 5 6; 1; unlocked=111110"),
            ["( ) locked", "|(6)|5|4|", "|1|2|3|"]
        );
        assert_eq!(
            marked("goal=TERRITORY,goal_param=5", "1 2 3 | 4 5 6; 1; owned=001111"),
            ["' owned by the player of the other side", "|6|5|4|", "|1|2|3'|"]
        );
        assert_eq!(marked("", "1 2 3 | 4 5 6"), ["", "|6|5|4|", "|1|2|3|"]);
    }
}
