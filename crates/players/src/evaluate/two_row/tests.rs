//! Tests of the networks of Oware and Kalah.

use pitmaster_core::{BySide, Seed};
use pitmaster_games::{AnyRules, MoveList, Turn, look_up};
use rand::Rng as _;

use super::*;
use crate::NO_LIMIT;

fn game(name: &str) -> TwoRow {
    match look_up(&name.parse().expect("a name")).expect(name).rules {
        AnyRules::TwoRow(rules) => rules,
        _ => panic!("{name} has not two rows"),
    }
}

/// Positions of random games.
fn positions(rules: &TwoRow) -> Vec<Position> {
    let (mut rng, mut list, mut all) = (Seed(1).stream("games"), MoveList::default(), vec![]);
    for _ in 0..20 {
        let mut position = rules.start();
        while let Turn::Player(_) = rules.turn(&position) {
            all.push(position.clone());
            rules.moves(&position, &mut list);
            let at = (rng.next_u64() % list.moves.len() as u64) as usize;
            rules.play(&mut position, &list.moves[at], &mut ());
        }
    }
    all
}

/// The board turned by half, with the players swapped.
fn turned(position: &Position) -> Position {
    let mut turned = position.clone();
    turned.seeds[..12].rotate_left(6);
    turned.stores = BySide::new(position.stores.two, position.stores.one);
    turned.side = position.side.other();
    turned
}

#[test]
fn a_turned_board_has_the_opposite_value() {
    for name in ["oware", "kalah", "kalah_empty"] {
        let rules = game(name);
        for position in positions(&rules) {
            let value = |position| rules.judge().value(&rules, position, NO_LIMIT);
            assert_eq!(value(&position), -value(&turned(&position)), "{name}");
        }
    }
}

#[test]
fn every_position_has_as_many_features() {
    for position in positions(&game("oware")) {
        let rows = OwareNetwork::rows(&position);
        assert_eq!(rows.len(), oware::ACTIVE);
        assert!(rows.iter().all(|row| *row < OwareNetwork::ROWS));
    }
    for position in positions(&game("kalah")) {
        let rows = KalahNetwork::rows(&position);
        assert_eq!(rows.len(), kalah::ACTIVE);
        assert!(rows.iter().all(|row| *row < KalahNetwork::ROWS));
    }
}

#[test]
fn a_position_with_all_seeds_in_a_hole_has_features() {
    for name in ["oware", "kalah"] {
        let mut position = game(name).start();
        for hole in 0..12 {
            position.seeds[..12].fill(0);
            position.seeds[hole] = 48;
            let rows = if name == "oware" {
                OwareNetwork::rows(&position).iter().all(|row| *row < OwareNetwork::ROWS)
            } else {
                KalahNetwork::rows(&position).iter().all(|row| *row < KalahNetwork::ROWS)
            };
            assert!(rows, "{name} {hole}");
        }
    }
}

#[test]
fn captures_and_moves_into_the_store_are_seen() {
    // Hole 6 ends in the store, hole 1 in the empty hole 4 across from five seeds.
    let mut position = game("kalah").start();
    let rows = |position: &mut Position, seeds: [u16; 12]| {
        position.seeds[..12].copy_from_slice(&seeds);
        KalahNetwork::rows(position)
    };
    let with = rows(&mut position, [3, 2, 1, 0, 4, 1, 2, 3, 5, 4, 4, 4]);
    let more = rows(&mut position, [3, 2, 1, 0, 4, 1, 2, 3, 9, 4, 4, 4]);
    let without = rows(&mut position, [3, 2, 1, 1, 4, 1, 2, 3, 5, 4, 4, 4]);
    let beyond = rows(&mut position, [3, 2, 1, 0, 4, 2, 2, 3, 5, 4, 4, 4]);
    let differ = |other: &[usize]| with.iter().zip(other).filter(|(a, b)| a != b).count();
    // The contents of hole 9, and the captures of three moves into hole 4.
    assert_eq!(differ(&more), 1 + 3);
    // The contents of hole 4 with the set of empty holes, the set of moves into the store, and three
    // captures less.
    assert_eq!(differ(&without), 2 + 3);
    // The contents of hole 6 and the set of moves into the store.
    assert_eq!(differ(&beyond), 2);
}

#[test]
fn only_the_games_that_were_fitted_have_a_network() {
    let judge = |name: &str| game(name).judge();
    assert!(matches!(judge("oware"), TwoRowJudge::Oware(_)));
    assert!(matches!(judge("kalah"), TwoRowJudge::Kalah(_)));
    assert!(matches!(judge("kalah_empty"), TwoRowJudge::Kalah(_)));
    for name in ["oware::6x5", "kalah::6x6", "oware,holes=5", "oware,grandslam=LEGAL", "wari"] {
        assert!(matches!(judge(name), TwoRowJudge::Weights(_)), "{name}");
    }
}

/// Values of positions with either side to move, computed by a separate program from the network
/// files. The same on every platform.
#[test]
fn values_are_exact() {
    let value = |name: &str, seeds: [u16; 12], stores: [u16; 2], side: Side| {
        let rules = game(name);
        let mut position = rules.start();
        position.seeds[..12].copy_from_slice(&seeds);
        (position.stores, position.side) = (BySide::new(stores[0], stores[1]), side);
        rules.judge().value(&rules, &position, NO_LIMIT)
    };
    let both = |name, seeds, stores| Side::BOTH.map(|side| value(name, seeds, stores, side));
    let (early, middle) = ([4; 12], [0, 1, 7, 2, 0, 5, 3, 1, 0, 8, 2, 1]);
    let (late, laps) =
        ([1, 0, 0, 3, 1, 2, 0, 0, 2, 4, 0, 1], [13, 0, 2, 1, 0, 1, 0, 3, 0, 1, 9, 0]);
    assert_eq!(both("oware", early, [0, 0]), [-111, 111]);
    assert_eq!(both("oware", middle, [10, 8]), [-10, -19]);
    assert_eq!(both("oware", late, [19, 15]), [328, 209]);
    assert_eq!(both("oware", laps, [7, 11]), [-144, -216]);
    assert_eq!(both("kalah", early, [0, 0]), [143, -143]);
    assert_eq!(both("kalah", middle, [10, 8]), [-360, -685]);
    assert_eq!(both("kalah", late, [19, 15]), [836, 777]);
    assert_eq!(both("kalah", laps, [7, 11]), [204, -543]);
}
