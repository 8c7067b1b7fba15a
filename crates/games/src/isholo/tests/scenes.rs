//! Every sentence of the rules, in a position worked out by hand.

use pitmaster_core::{Score, Side};

use super::{after, is_legal, listed, scene, shown};
use crate::isholo::reference::Slow;
use crate::isholo::{Isholo, Kind};
use crate::{Outcome, Rules, Turn};

/// Both players' seeds after a legal move.
fn played(kind: Kind, one: &str, two: &str, mv: &str) -> [String; 2] {
    let position = after(kind, &scene(kind, one, two), mv);
    Side::BOTH.map(|side| shown(&position, side))
}

/// Player 1's seeds after a move; the opponent's stay as they are.
fn sown(one: &str, mv: &str) -> String {
    let [one, two] = played(Kind::One, one, "b5:1", mv);
    assert_eq!(two, "b5:1");
    one
}

#[test]
fn seeds_go_along_the_inner_row_and_back_along_the_outer_one() {
    assert_eq!(sown("a3:4", "a3"), "a1:1 a2:1 b1:1 b2:1");
    assert_eq!(sown("b7:3", "b7"), "a7:1 a8:1 b8:1");
    assert_eq!(sown("a8:1", "a8"), "a7:1");
}

#[test]
fn a_last_seed_in_a_filled_hole_is_picked_up_with_all_that_lie_there() {
    assert_eq!(sown("a3:2 a1:1", "a3"), "a2:1 b1:1 b2:1");
    // Four laps: a3, a2, a1, b2.
    assert_eq!(sown("a3:1 a2:1 a1:1 b2:2", "a3"), "a1:2 b1:1 b2:2");
    assert_eq!(sown("b1:1 b2:2 b5:4", "b1"), "a7:1 a8:1 b3:1 b4:1 b6:1 b7:1 b8:1");
}

#[test]
fn the_start_is_an_ordinary_hole_when_the_hand_comes_round() {
    let all = "a1:1 a2:1 a3:1 a4:1 a5:1 a6:1 a7:1 a8:1 b1:1 b2:1 b3:1 b4:1 b5:1 b6:1 b7:1 b8:1";
    assert_eq!(sown("b3:16", "b3"), all);
    // The last one falls on the first: a new lap of two.
    let again = "a2:2 a4:2 a6:2 a8:2 b1:2 b3:2 b4:1 b5:2 b7:2";
    assert_eq!(sown("b3:17", "b3"), again);
}

#[test]
fn both_holes_of_the_facing_column_are_captured() {
    assert_eq!(played(Kind::One, "a3:2", "a8:3 b8:2 b1:1", "a3"), ["a1:1 a2:1", "b1:1"]);
    assert_eq!(played(Kind::One, "a5:1", "a5:3 b5:2 b1:1", "a5"), ["a4:1", "b1:1"]);
    assert_eq!(played(Kind::One, "b8:1", "a1:1 b1:9 b2:1", "b8"), ["a8:1", "b2:1"]);
}

#[test]
fn nothing_is_captured_behind_an_empty_hole_or_from_the_outer_row() {
    assert_eq!(played(Kind::One, "a3:2", "b8:2", "a3"), ["a1:1 a2:1", "b8:2"]);
    assert_eq!(played(Kind::One, "a1:1", "a8:1 b8:1", "a1"), ["b1:1", "a8:1 b8:1"]);
    assert_eq!(played(Kind::One, "a1:1", "a1:1 b1:1", "a1"), ["b1:1", "a1:1 b1:1"]);
}

/// The sowing stops in a1 with five captured. a2 is occupied and a3 empty, so five are sown from
/// there.
#[test]
fn captures_are_sown_on_out_of_the_first_empty_hole_backwards() {
    for kind in [Kind::TwoA, Kind::TwoB] {
        let [one, two] = played(kind, "a3:2", "a8:3 b8:2 b5:1", "a3");
        assert_eq!((one.as_str(), two.as_str()), ("a1:2 a2:2 b1:1 b2:1 b3:1", "b5:1"));
        // Backwards of a8 is b8, then b7: one to b8, two on to a8 and a7.
        let [one, two] = played(kind, "b7:2", "a1:1 b5:1", "b7");
        assert_eq!((one.as_str(), two.as_str()), ("a7:1 a8:2", "b5:1"));
    }
}

/// a4 captures one, which is sown out of a5: two on to a3 and a2; that captures three, which are
/// sown out of a4.
#[test]
fn a_sowing_of_captures_may_capture_again() {
    for kind in [Kind::TwoA, Kind::TwoB] {
        let [one, two] = played(kind, "a5:1", "a5:1 a7:3 b1:1", "a5");
        assert_eq!((one.as_str(), two.as_str()), ("a1:1 a2:2 a3:2", "b1:1"));
    }
}

/// After sixteen from a3, every own hole has one, so all tie for the most.
const FULL: &str = "a3:16";

#[test]
fn without_an_empty_hole_the_mover_chooses_among_those_with_the_most() {
    for kind in [Kind::TwoA, Kind::TwoB] {
        let position = scene(kind, FULL, "a6:2 b6:1 b5:1");
        let moves = listed(kind, &position);
        assert_eq!(moves.len(), 16, "{moves:?}");
        assert_eq!((moves[0].as_str(), moves[2].as_str()), ("a3@a1", "a3@a3"));
        for text in ["a3", "a3@a1@a2", "a3=a1:3"] {
            assert!(!is_legal(kind, &position, text), "{text}");
        }
    }
}

#[test]
fn game_2a_sows_the_whole_hole_and_2b_the_hand_alone() {
    let [one, _] = played(Kind::TwoA, FULL, "a6:2 b6:1 b5:1", "a3@b8");
    assert_eq!(one, "a2:2 a4:2 a6:2 a7:2 a8:2 b1:2 b3:2 b5:2 b7:2 b8:1");
    let [one, _] = played(Kind::TwoB, FULL, "a6:2 b6:1 b5:1", "a3@b8");
    assert_eq!(one, "a1:2 a2:1 a3:3 a4:1 a6:1 a7:3 b2:2 b4:2 b6:2 b8:2");
}

#[test]
fn the_hole_where_the_sowing_stopped_may_be_chosen() {
    let [one, two] = played(Kind::TwoA, FULL, "a6:2 b6:1 b5:1", "a3@a3");
    assert_eq!(two, "b5:1");
    assert_eq!(one, "a1:2 a2:2 a3:1 a4:2 a6:2 a8:2 b1:2 b3:2 b5:2 b7:2");
}

#[test]
fn one_hole_with_the_most_leaves_nothing_to_choose() {
    for kind in [Kind::TwoA, Kind::TwoB] {
        let position = scene(kind, "a3:16 b5:1", "a6:2 b6:1 b5:1");
        assert!(is_legal(kind, &position, "a3"));
        assert!(!is_legal(kind, &position, "a3@b5"));
    }
}

#[test]
fn captured_seeds_are_laid_out_anywhere_on_the_opponents_side() {
    let (one, two) = ("a3:2 b1:1 b5:1", "a8:3 b8:2 b4:1 b6:1");
    let position = scene(Kind::Three, one, two);
    assert_eq!(listed(Kind::Three, &position), ["b1", "b5", "a3=*5"]);
    let laid = |mv: &str| played(Kind::Three, one, two, mv)[1].clone();
    assert_eq!(laid("a3=a8:5"), "a8:5 b4:1 b6:1");
    assert_eq!(laid("a3=b8:1,a1:3,b4:1"), "a1:3 b4:2 b6:1 b8:1");
    for text in ["a3", "a3=a8:4", "a3=a8:6", "b1=a8:1", "b1=a8:5", "a3@a1", "b2=a8:5"] {
        assert!(!is_legal(Kind::Three, &position, text), "{text}");
    }
}

fn turn(kind: Kind, one: &str, two: &str, mv: &str) -> Turn {
    Isholo { kind }.turn(&after(kind, &scene(kind, one, two), mv))
}

fn over(winner: Option<Side>, score: (u32, u32), clause: &'static str) -> Turn {
    Turn::Over(Outcome { winner, score: Score::new(score.0, score.1), clause })
}

#[test]
fn a_player_without_seeds_has_lost() {
    let won = |score| over(Some(Side::One), score, "empty");
    assert_eq!(turn(Kind::One, "a3:2", "a8:3 b8:2", "a3"), won((2, 0)));
    assert_eq!(turn(Kind::TwoA, "a3:2", "a8:3 b8:2", "a3"), won((7, 0)));
    assert_eq!(turn(Kind::TwoB, "a3:2", "a8:3 b8:2", "a3"), won((7, 0)));
    assert_eq!(turn(Kind::One, "a3:2", "a8:3 b7:1", "a3"), Turn::Player(Side::Two));
}

/// a5 to a4, two on to a3 and a2, which captures one: a3 and a2 are left.
#[test]
fn whose_seeds_stand_in_two_holes_has_lost_and_the_mover_never_where_both_do() {
    let (one, two) = ("a3:1 a4:1 a5:1", "a1:1 a2:1 a7:1");
    assert_eq!(turn(Kind::Three, one, two, "a5=a1:1"), over(Some(Side::One), (14, 14), "2-holes"));
    assert_eq!(turn(Kind::Three, one, two, "a5=b1:1"), over(Some(Side::Two), (13, 14), "2-holes"));
    let more = format!("{one} b4:1");
    let won = over(Some(Side::One), (14, 13), "2-holes");
    assert_eq!(turn(Kind::Three, &more, two, "a5=a2:1"), won);
    assert_eq!(turn(Kind::Three, &more, two, "a5=a7:1"), Turn::Player(Side::Two));
}

/// Each of them takes one lap less than the one before.
#[test]
fn a_thousand_laps_are_a_move_and_one_more_is_none() {
    let two = "b1:1 b2:1 b3:1";
    let longer = "a1:5 a2:2 a3:1 a5:1 a6:4 a7:2 a8:3 b2:1 b3:5 b5:3 b6:2 b7:3";
    let long = "a1:5 a2:2 a3:1 a5:2 a6:5 a8:3 b2:1 b3:5 b5:3 b6:2 b7:3";
    for kind in Kind::ALL {
        assert!(!is_legal(kind, &scene(kind, longer, two), "a7"));
        assert!(is_legal(kind, &scene(kind, long, two), "a5"));
    }
}

#[test]
fn a_limit_lets_the_score_decide() {
    let settled = |kind, one, two| {
        let outcome = Isholo { kind }.adjudicate(&scene(kind, one, two));
        assert_eq!(outcome.clause, "score");
        (outcome.winner, outcome.score)
    };
    let (one, two) = ("a1:1 b1:1 b2:7", "a1:2 a2:2 b3:2 b4:2");
    for kind in [Kind::One, Kind::TwoA, Kind::TwoB] {
        assert_eq!(settled(kind, one, two), (Some(Side::One), Score::new(9, 8)));
        assert_eq!(settled(kind, one, "b1:9"), (None, Score::new(9, 9)));
    }
    assert_eq!(settled(Kind::Three, one, two), (Some(Side::Two), Score::new(12, 13)));
    assert_eq!(settled(Kind::Three, one, "a1:1 a2:1 a3:1"), (None, Score::new(13, 13)));
}

#[test]
fn a_game_that_is_over_is_not_settled_again() {
    let won =
        after(Kind::Three, &scene(Kind::Three, "a3:1 a4:1 a5:1", "a1:1 a2:1 a7:1"), "a5=a1:1");
    let outcome = Isholo { kind: Kind::Three }.adjudicate(&won);
    assert_eq!((outcome.winner, outcome.clause), (Some(Side::One), "2-holes"));
    assert!(listed(Kind::Three, &won).is_empty());
    assert!(!is_legal(Kind::Three, &won, "a1"));
}

/// Found by random search; the slow rules give the same result.
#[test]
fn a_chain_of_choices_is_one_move() {
    let two_a = "2.2.1.16.1.1.2.2,1.2.1.2.2.2.1.1/4.1.2.3.2.5.4.4,0.0.0.0.0.0.0.0/1";
    let two_b = "1.1.1.16.1.1.1.2,2.1.1.2.1.2.1.1/5.1.4.2.6.3.3.5,0.0.0.0.0.0.0.0/1";
    let after_a = "3.7.3.0.1.0.6.4,0.7.9.0.4.3.1.5/4.0.2.0.0.5.0.0,0.0.0.0.0.0.0.0/2";
    let after_b = "0.4.8.2.4.0.2.0,5.3.1.5.9.8.1.7/0.0.0.2.0.3.0.0,0.0.0.0.0.0.0.0/2";
    for (kind, before, mv, expected) in
        [(Kind::TwoA, two_a, "a4@a7@a5", after_a), (Kind::TwoB, two_b, "a4@a8@a3", after_b)]
    {
        let position = Isholo { kind }.parse_position(before).expect("a position");
        let next = after(kind, &position, mv);
        assert_eq!(Isholo { kind }.position_text(&next), expected);
        let slow = Slow::read(kind, before).moves();
        let (_, slow) = slow.iter().find(|(text, _)| text == mv).expect("it is legal");
        assert_eq!(slow.write(), expected);
        for other in [&mv[..5], &mv[..2], &format!("{mv}@a1")] {
            assert!(!is_legal(kind, &position, other), "{other}");
        }
    }
}
