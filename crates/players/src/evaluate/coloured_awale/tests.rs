//! Tests of the network of Coloured Awale.

use pitmaster_core::Seed;
use pitmaster_games::coloured_awale::Both40;
use pitmaster_games::{MoveList, Turn};
use rand::Rng as _;

use super::*;

const RULES: ColouredAwale = ColouredAwale { both_40: Both40::Score };

/// Positions of random games.
fn positions() -> Vec<Position> {
    let (mut rng, mut list, mut all) = (Seed(1).stream("games"), MoveList::default(), vec![]);
    for _ in 0..20 {
        let mut position = RULES.start();
        while let Turn::Player(_) = RULES.turn(&position) {
            all.push(position.clone());
            RULES.moves(&position, &mut list);
            let at = (rng.next_u64() % list.moves.len() as u64) as usize;
            RULES.play(&mut position, &list.moves[at], &mut ());
        }
    }
    all
}

/// The board turned by a hole, with the players swapped.
fn turned(position: &Position) -> Position {
    let text = RULES.position_text(position);
    let [holes, score, side]: [&str; 3] =
        text.split('/').collect::<Vec<_>>().try_into().expect("three parts");
    let mut holes: Vec<&str> = holes.split(',').collect();
    holes.rotate_right(1);
    let (one, two) = score.split_once('-').expect("two scores");
    let side = if side == "1" { 2 } else { 1 };
    let text = format!("{}/{two}-{one}/{side}", holes.join(","));
    RULES.parse_position(&text).expect("a position")
}

#[test]
fn a_turned_board_has_the_same_value() {
    for position in positions() {
        let network = AwaleNetwork::built_in();
        let [value, other] =
            [&position, &turned(&position)].map(|position| network.estimate(RULES, position, 99));
        assert_eq!(value, other);
    }
}

#[test]
fn every_position_has_as_many_features() {
    for position in positions() {
        let rows = AwaleNetwork::rows(RULES, &position, 400);
        assert_eq!(rows.len(), ACTIVE);
        assert!(rows.iter().all(|row| *row < ROWS));
    }
}

/// The same on every platform.
#[test]
fn values_are_exact() {
    let network = AwaleNetwork::built_in();
    let values: Vec<i32> =
        positions().iter().step_by(200).map(|one| network.estimate(RULES, one, 300)).collect();
    assert_eq!(values, [-41, 1223, 261, -404, 669, 509, -482, 688, 573, -41]);
}
