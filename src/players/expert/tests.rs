//! The expert as a whole: against an exhaustive search, on solved games, under budgets.

use super::*;
use crate::games::toy::Toy;
use crate::games::{AnyRules, MoveList, look_up};
use crate::players::evaluate::{Judged, Lead};
use crate::players::{Nodes, Unlimited};
use crate::record::{Side, below};

/// What a position is to player 1: every line to so many plies, nothing left out.
fn exhaustive<R: Rules, E: Evaluate<R>>(
    rules: &R,
    judge: &E,
    position: &R::Position,
    depth: u32,
    ply: u32,
) -> i32 {
    let side = match rules.turn(position) {
        Turn::Over(outcome) => return value::decided(&outcome, Side::One, ply),
        Turn::Player(side) if depth > 0 => side,
        Turn::Player(_) | Turn::Chance => {
            return value::estimate(judge.value(rules, position));
        }
    };
    let mut list = MoveList::default();
    rules.moves(position, &mut list);
    let values = list.moves.iter().map(|mv| {
        let mut after = position.clone();
        rules.play(&mut after, mv, &mut ());
        exhaustive(rules, judge, &after, depth - 1, ply + 1)
    });
    let best = if side == Side::One { values.max() } else { values.min() };
    best.expect("a player can move")
}

fn options(hash: u64, depth: u32) -> ExpertOptions {
    ExpertOptions { depth, hash, reduces: false, ..ExpertOptions::default() }
}

/// Positions of random games, some plies apart, in which a player is to choose among moves.
fn positions<R: Rules>(rules: &R, games: u64, step: usize) -> Vec<R::Position> {
    let (mut met, mut list) = (Vec::new(), MoveList::default());
    for game in 0..games {
        let (mut rng, mut position) = (Seed(game).stream("positions"), rules.start());
        for ply in 0..60 {
            let mv = match rules.turn(&position) {
                Turn::Over(_) => break,
                Turn::Chance => rules.draw(&position, &mut rng),
                Turn::Player(_) => {
                    rules.moves(&position, &mut list);
                    if ply % step == 0 && list.moves.len() > 1 && list.templates.is_empty() {
                        met.push(position.clone());
                    }
                    match list.moves.len() {
                        0 => rules.complete(&position, &list.templates[0], &mut rng),
                        moves => list.moves[below(&mut rng, moves as u64) as usize].clone(),
                    }
                }
            };
            rules.play(&mut position, &mv, &mut ());
        }
    }
    met
}

fn value_for_one(found: Option<Found>, side: Turn) -> i32 {
    let value = found.expect("a pass was finished").value;
    if side == Turn::Player(Side::One) { value } else { -value }
}

/// Every position of some random games has the value of an exhaustive search to that depth.
fn agrees_to_a_depth<R: Judged>(name: &str, rules: &R, depth: u32) {
    let met = positions(rules, 3, 7);
    assert!(met.len() > 3, "{name}: {}", met.len());
    for position in met {
        let mut expert = Expert::new(rules.judge(), options(0, depth));
        let thinking = expert.think(rules, &position, &mut Unlimited);
        let expected = exhaustive(rules, &rules.judge(), &position, depth, 0);
        let turn = rules.turn(&position);
        let text = rules.position_text(&position);
        assert_eq!(value_for_one(thinking.found, turn), expected, "{name} {text}");
        // The move has that value.
        let mut after = position.clone();
        rules.play(&mut after, &thinking.mv, &mut ());
        assert_eq!(
            exhaustive(rules, &rules.judge(), &after, depth - 1, 1),
            expected,
            "{name} {text}"
        );
    }
}

fn any(spec: &str) -> AnyRules {
    look_up(&spec.parse().expect(spec)).expect(spec).rules
}

/// A kind of game each; small boards, so that many games end within the depth.
const KINDS: &[&str] = &[
    "kalah,holes=3,nbr_start=2",
    "oware,holes=3,nbr_start=3",
    "ayoayo,holes=3,nbr_start=2",
    "nosides,holes=3,nbr_start=2",
    "depouiller,holes=3,nbr_start=2",
    "ba_awa,holes=3,nbr_start=2,goal_param=4",
    "goempty_one,holes=3,nbr_start=2",
    "deka,holes=3",
    "qelat,holes=3,nbr_start=2",
    "giuthi,holes=3,nbr_start=2",
    "zigzag,holes=4,nbr_start=2",
    "dakon,holes=3,nbr_start=2",
    "diffusion",
];

#[test]
fn values_are_those_of_an_exhaustive_search() {
    for spec in KINDS {
        match any(spec) {
            AnyRules::ColouredAwale(rules) => agrees_to_a_depth(spec, &rules, 3),
            AnyRules::TwoRow(rules) => agrees_to_a_depth(spec, &*rules, 5),
        }
    }
    match any("coloured-awale") {
        AnyRules::ColouredAwale(rules) => agrees_to_a_depth("coloured-awale", &rules, 3),
        AnyRules::TwoRow(_) => unreachable!(),
    }
}
