//! Comparison of the rules with a slow reference, on played and on constructed positions.

use std::convert::Infallible;

use insta::assert_snapshot;
use pitmaster_core::{Score, Seed, Side, below};
use proptest::prelude::*;

use super::reference::Slow;
use super::{Both40, ColouredAwale, FEW, Move, Position, WON};
use crate::{GameSpec, MoveList, Named, Outcome, Rules, Spot, Step, Steps, Turn, perft};

const RULES: ColouredAwale = ColouredAwale { both_40: Both40::Score };
const LONG: ColouredAwale = ColouredAwale { both_40: Both40::Off };

fn listed(rules: ColouredAwale, position: &Position) -> Vec<Move> {
    let mut list = MoveList::<Move, Infallible>::default();
    rules.moves(position, &mut list);
    list.moves
}

/// Position after random moves.
fn played() -> impl Strategy<Value = Position> {
    (any::<u64>(), 0..150u32).prop_map(|(seed, plies)| {
        let mut rng = Seed(seed).stream("play");
        let mut position = LONG.start();
        for _ in 0..plies {
            let moves = listed(LONG, &position);
            if moves.is_empty() {
                break;
            }
            let pick = below(&mut rng, moves.len() as u64) as usize;
            LONG.play(&mut position, &moves[pick], &mut ());
        }
        position
    })
}

/// Position with 96 seeds in few holes, so that sowings go around more than once.
fn fixtures() -> impl Strategy<Value = Position> {
    let places = prop::collection::vec(0..50usize, 1..14);
    (places, prop::collection::vec(any::<prop::sample::Index>(), 96), 1..=2usize).prop_filter_map(
        "the side to move has no seeds",
        |(places, seeds, side)| {
            let mut slow = Slow { holes: [[0; 3]; 17], scores: [0; 2], side };
            for seed in seeds {
                match *seed.get(&places) {
                    place @ 0..48 => slow.holes[1 + place / 3][place % 3] += 1,
                    score => slow.scores[score - 48] += 1,
                }
            }
            LONG.parse_position(&slow.write()).ok()
        },
    )
}

fn any_position() -> impl Strategy<Value = Position> {
    prop_oneof![2 => played(), 1 => fixtures()]
}

/// Texts of all existing moves.
fn every_text() -> Vec<String> {
    (1..=16).flat_map(|hole| ["R", "B", "TR", "TB"].map(|how| format!("{hole}{how}"))).collect()
}

fn is_legal_text(position: &Position, text: &str) -> bool {
    RULES.parse_move(position, text).is_ok_and(|mv| RULES.is_legal(position, &mv))
}

/// Board after applying the steps to a position.
fn applied(position: &Position, steps: &Steps) -> Slow {
    let mut slow = Slow::read(&RULES.position_text(position));
    let mut start = None;
    for step in &steps.0 {
        match *step {
            Step::Lift { from, seeds } => start = Some((number(from), seeds)),
            Step::Sow { to, kind } => {
                let (start, left) = start.as_mut().expect("lifted before sown");
                slow.holes[*start][usize::from(kind)] -= 1;
                slow.holes[number(to)][usize::from(kind)] += 1;
                *left -= 1;
            }
            Step::Capture { from, seeds, to } | Step::Sweep { from, seeds, to } => {
                let gone: u8 = std::mem::take(&mut slow.holes[number(from)]).iter().sum();
                assert_eq!((u16::from(gone), to), (seeds, Spot::Store(position.side)));
                slow.scores[slow.side - 1] += gone;
            }
            Step::Lap { .. } => panic!("this game has no laps"),
        }
    }
    assert_eq!(start.map(|(_, left)| left), Some(0), "every lifted seed is sown");
    slow.side = 3 - slow.side;
    slow
}

fn number(spot: Spot) -> usize {
    match spot {
        Spot::Hole(hole) => usize::from(hole) + 1,
        Spot::Store(_) | Spot::Away => panic!("seeds are sown and lifted in holes only"),
    }
}

proptest! {
    #[test]
    fn moves_and_play_are_those_of_the_slow_rules(position in any_position()) {
        let text = LONG.position_text(&position);
        let slow = Slow::read(&text);
        prop_assert_eq!(slow.write(), text);
        let moves = listed(LONG, &position);
        if !moves.is_empty() {
            let texts: Vec<_> = moves.iter().map(Move::to_string).collect();
            prop_assert_eq!(texts, slow.moves());
        }
        for mv in moves {
            let (mut fast, mut slow) = (position.clone(), slow.clone());
            LONG.play(&mut fast, &mv, &mut ());
            slow.play(&mv.to_string());
            prop_assert_eq!(LONG.position_text(&fast), slow.write(), "{}", mv);
        }
    }

    #[test]
    fn the_steps_lead_where_the_move_leads(position in any_position()) {
        for mv in listed(LONG, &position) {
            let (mut unseen, mut watched, mut steps) =
                (position.clone(), position.clone(), Steps::default());
            LONG.play(&mut unseen, &mv, &mut ());
            LONG.play(&mut watched, &mv, &mut steps);
            prop_assert_eq!(&unseen, &watched);
            prop_assert_eq!(applied(&position, &steps), Slow::read(&LONG.position_text(&unseen)));
        }
    }

    #[test]
    fn a_text_is_legal_if_and_only_if_it_is_listed(
        position in any_position(),
        odd in "[0-9+TRBtrb ]{0,5}|\\PC{0,4}",
    ) {
        let texts: Vec<_> = listed(RULES, &position).iter().map(Move::to_string).collect();
        prop_assert_eq!(RULES.count_moves(&position), texts.len());
        for text in every_text() {
            let is_listed = texts.contains(&text);
            prop_assert_eq!(is_legal_text(&position, &text), is_listed, "{}", &text);
            prop_assert_eq!(is_legal_text(&position, &text.to_lowercase()), is_listed);
            for broken in [format!("0{text}"), format!("{text} "), text.replace('R', "G")] {
                let same = broken == text;
                prop_assert_eq!(is_legal_text(&position, &broken), same && is_listed);
            }
        }
        let is_listed = texts.contains(&odd.to_ascii_uppercase());
        prop_assert_eq!(is_legal_text(&position, &odd), is_listed, "{:?}", odd);
    }

    #[test]
    fn a_player_to_move_has_a_move_and_an_over_game_has_none(position in any_position()) {
        for both_40 in Both40::ALL {
            let rules = ColouredAwale { both_40 };
            let to_move = matches!(rules.turn(&position), Turn::Player(_));
            prop_assert_eq!(!listed(rules, &position).is_empty(), to_move);
            prop_assert_eq!(rules.count_moves(&position) > 0, to_move);
        }
    }

    #[test]
    fn positions_round_trip_with_all_their_seeds(position in any_position()) {
        let text = LONG.position_text(&position);
        prop_assert_eq!(LONG.parse_position(&text), Ok(position));
        let Slow { holes, scores, .. } = Slow::read(&text);
        prop_assert_eq!(holes.as_flattened().iter().chain(&scores).sum::<u8>(), 96);
    }

    #[test]
    fn even_an_illegal_move_loses_no_seed(position in any_position()) {
        for text in every_text() {
            let mv = LONG.parse_move(&position, &text).expect("a move");
            let mut next = position.clone();
            LONG.play(&mut next, &mv, &mut ());
            let Slow { holes, scores, .. } = Slow::read(&LONG.position_text(&next));
            prop_assert_eq!(holes.as_flattened().iter().chain(&scores).sum::<u8>(), 96);
        }
    }

    #[test]
    fn a_broken_position_text_is_never_taken_for_another(
        position in any_position(),
        at in any::<prop::sample::Index>(),
        with in "[0-9.,/+ -]{0,2}",
    ) {
        let mut text = LONG.position_text(&position);
        let at = at.index(text.len());
        text.replace_range(at..=at, &with);
        if let Ok(read) = LONG.parse_position(&text) {
            prop_assert_eq!(LONG.position_text(&read), text);
        }
    }
}

#[test]
fn counted_sequences_agree_with_the_slow_rules() {
    fn count(slow: &Slow, depth: u32) -> u64 {
        let [one, two] = slow.scores;
        let over = one.max(two) >= WON || one.min(two) >= 40 || 96 - one - two < FEW;
        match depth {
            _ if over => 0,
            0 => 1,
            _ => slow
                .moves()
                .iter()
                .map(|mv| {
                    let mut next = slow.clone();
                    next.play(mv);
                    count(&next, depth - 1)
                })
                .sum(),
        }
    }
    let late = "3.0.1,0.2.0,1.1.1,0.0.0,2.0.0,0.1.2,0.0.0,1.0.0,0.0.3,2.0.0,0.0.0,0.1.0,\
                1.0.0,0.0.2,0.4.0,1.0.0/35-32/2";
    let position = RULES.parse_position(late).expect("a position");
    for depth in 1..=3 {
        let slow = count(&Slow::read(late), depth);
        assert_eq!(perft(&RULES, &position, depth).leaves, slow, "depth {depth}");
    }
}

#[test]
fn options_are_named_and_read_back() {
    for text in ["coloured-awale", "coloured-awale,both_40=off", "coloured-awale,both_40=draw"] {
        let spec: GameSpec = text.parse().expect("a game");
        assert_eq!(ColouredAwale::from_spec(&spec).expect("known options").spec(), text);
    }
    let default: GameSpec = "coloured-awale,both_40=score".parse().expect("a game");
    assert_eq!(ColouredAwale::from_spec(&default), Ok(RULES));
}

#[test]
fn unknown_options_say_what_there_is() {
    let spec = "coloured-awale,both_40=OFF,seeds=4".parse().expect("a game");
    assert_snapshot!(ColouredAwale::from_spec(&spec).expect_err("two faults"), @r#"
    both_40 is score, draw or off, not "OFF"
    coloured-awale has no option "seeds"; it has both_40
    "#);
}

#[test]
fn the_fortieth_seed_of_both_does_what_the_option_says() {
    let text = "1.0.0,1.0.0,9.0.0,4.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,\
                0.0.0,0.0.0,0.0.0,0.0.0/40-41/1";
    let turn = |both_40| {
        let rules = ColouredAwale { both_40 };
        rules.turn(&rules.parse_position(text).expect("a position"))
    };
    let over = |winner| Turn::Over(Outcome { winner, score: Score::new(40, 41), clause: "40-40" });
    assert_eq!(turn(Both40::Score), over(Some(Side::Two)));
    assert_eq!(turn(Both40::Draw), over(None));
    assert_eq!(turn(Both40::Off), Turn::Player(Side::One));
}

#[test]
fn a_limit_lets_the_score_decide() {
    let mut position = RULES.start();
    let drawn = Outcome { winner: None, score: Score::new(0, 0), clause: "score" };
    assert_eq!(RULES.adjudicate(&position), drawn);
    for text in ["1R", "2R", "1B", "4B", "7TR", "6R", "9B", "16R"] {
        let mv = RULES.parse_move(&position, text).expect("a move");
        assert!(RULES.is_legal(&position, &mv), "{text}");
        RULES.play(&mut position, &mv, &mut ());
    }
    let outcome = RULES.adjudicate(&position);
    assert_eq!((outcome.winner, outcome.clause), (RULES.score(&position).leader(), "score"));
}

#[test]
fn a_text_that_is_no_move_is_told_what_a_move_is() {
    let fault = RULES.parse_move(&RULES.start(), "T3R").expect_err("no move");
    assert_snapshot!(fault, @"a move is a hole from 1 to 16 and R, B, TR or TB, like 3R or 14TB");
}

#[test]
fn faults_in_positions_say_what_to_do() {
    let fault = |text: &str| LONG.parse_position(text).expect_err(text);
    assert_snapshot!(fault("2.2.2"), @"a position is 16 holes (red.blue.transparent) with commas between, the scores and the side to move, like 2.2.2,…,2.2.2/0-0/1");
    let start = LONG.position_text(&LONG.start());
    assert_snapshot!(fault(&start.replace("0-0", "1-0")), @"board and scores hold 96 seeds together, not 97");
    let starved = "0.0.0,12.0.0".to_owned() + &",0.0.0".repeat(14) + "/44-40/1";
    assert_snapshot!(fault(&starved), @"player 1 is to move but has no seeds; one hole needs some");
}

#[test]
fn a_position_is_one_strict_line() {
    let start = LONG.position_text(&LONG.start());
    assert_eq!(start, "2.2.2,".repeat(15) + "2.2.2/0-0/1");
    for broken in [
        start.replace("/1", "/3"),
        start.replace("/1", "/01"),
        start.replace("/1", ""),
        start.replace("0-0", "0-0-0"),
        start.replace("0-0", "00-0"),
        start.replace("0-0", "+0-0"),
        start.replacen("2.2.2", "2.2.02", 1),
        start.replacen("2.2.2", "2.2.2.0", 1),
        start.replacen("2.2.2", "2.4", 1),
        start.replacen("2.2.2,", "", 1),
        start.replacen("2.2.2", "2.2.258", 1),
        format!("0.0.0,{start}"),
        format!("{start}\n"),
        format!(" {start}"),
    ] {
        assert!(LONG.parse_position(&broken).is_err(), "{broken}");
    }
}

#[test]
fn boards_as_people_see_them() {
    let late = "3.0.1,0.12.0,1.1.1,0.0.0,2.0.0,0.1.2,0.0.0,1.0.0,0.0.3,2.0.0,0.0.0,0.1.0,\
                1.0.0,0.0.2,0.4.0,1.0.0/5-52/2";
    let late = RULES.parse_position(late).expect("a position");
    assert_snapshot!(RULES.board(&RULES.start()), @r"
    hole             1    2    3    4    5    6    7    8
    owner           P1   P2   P1   P2   P1   P2   P1   P2
    R red            2    2    2    2    2    2    2    2
    B blue           2    2    2    2    2    2    2    2
    T transparent    2    2    2    2    2    2    2    2

    R red            2    2    2    2    2    2    2    2
    B blue           2    2    2    2    2    2    2    2
    T transparent    2    2    2    2    2    2    2    2
    owner           P2   P1   P2   P1   P2   P1   P2   P1
    hole            16   15   14   13   12   11   10    9

    player 1: 0   player 2: 0
    player 1 to move
    ");
    assert_snapshot!(RULES.board(&late), @r"
    hole             1    2    3    4    5    6    7    8
    owner           P1   P2   P1   P2   P1   P2   P1   P2
    R red            3    ·    1    ·    2    ·    ·    1
    B blue           ·   12    1    ·    ·    1    ·    ·
    T transparent    1    ·    1    ·    ·    2    ·    ·

    R red            1    ·    ·    1    ·    ·    2    ·
    B blue           ·    4    ·    ·    1    ·    ·    ·
    T transparent    ·    ·    2    ·    ·    ·    ·    3
    owner           P2   P1   P2   P1   P2   P1   P2   P1
    hole            16   15   14   13   12   11   10    9

    player 1: 5   player 2: 52
    over (49+): player 2 has won
    ");
}
