//! The board as people see it: two rows, the far one from the right to the left, between the
//! stores.

use std::fmt::Write as _;

use super::plan::Plan;
use super::position::Position;
use crate::record::Side;

/// Columns of a hole.
const WIDTH: usize = 5;

/// A few lines: numbers of holes, the rows, the stores at their ends, and what marks mean.
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
    let is = |set: u64| set >> hole & 1 != 0;
    let side = if is(plan.side(Side::Two)) { Side::Two } else { Side::One };
    let stranger = plan.territory && !is(pos.owned_by(side, plan.board));
    if is(pos.blocked) {
        "x".into()
    } else if is(pos.children.one) {
        format!("{seeds}a")
    } else if is(pos.children.two) {
        format!("{seeds}b")
    } else if is(pos.rams) {
        format!("{seeds}r")
    } else if plan.params.moveunlock && !is(pos.unlocked) {
        format!("({seeds})")
    } else if stranger {
        format!("{seeds}'")
    } else {
        seeds.to_string()
    }
}

/// What the marks on the board mean, if there are any.
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
    use crate::games::Rules;
    use crate::games::two_row::testing::scene;

    fn drawn(options: &str, position: &str) -> String {
        let scene = scene(options, position);
        scene.game.board(&scene.pos)
    }

    /// The line that says what the marks mean, and the two rows.
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
