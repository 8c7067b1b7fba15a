//! Tests of every choice in worked positions, and that every legal choice can occur.

use std::collections::BTreeSet;

use pitmaster_core::{BySide, Seed};

use super::*;
use crate::two_row::params::{Goal, Prescribed};
use crate::two_row::start;

/// A second round on two rows of `h` that waits for a choice by player 1.
fn waiting(params: &Params, seeds: &[u16], stores: [u16; 2]) -> Position {
    let mut position = start::fresh(params, Side::Two);
    position.seeds[..seeds.len()].copy_from_slice(seeds);
    position.stores = BySide::new(stores[0], stores[1]);
    Position { round: 2, phase: Phase::Layout(Side::One), ..position }
}

fn params(holes: i32, round_fill: RoundFill) -> Params {
    Params { holes, nbr_start: 4, round_fill, stores: true, ..Params::default() }
}

fn fill(layout: &[(u8, u16)]) -> Move {
    Move::Fill(layout.iter().copied().collect())
}

/// Legal layouts of at most four seeds a hole, and all results of random completion.
fn layouts(params: &Params, position: &Position) -> [BTreeSet<Vec<u16>>; 2] {
    let h = holes(params);
    let row = |number: usize| -> Vec<u16> {
        (0..h).map(|hole| (number / 5usize.pow(hole as u32) % 5) as u16).collect()
    };
    let legal = (0..5usize.pow(h as u32)).map(row).filter(|row| {
        let layout = start::layout(row.iter().copied());
        is_legal(params, position, &Move::Fill(layout))
    });
    let mut rng = Seed(5).stream("layouts");
    let come = (0..2000).map(|_| {
        let Move::Fill(layout) = complete(params, position, &mut rng) else { unreachable!() };
        let mut row = vec![0; h];
        layout.iter().for_each(|&(hole, seeds)| row[usize::from(hole)] = seeds);
        row
    });
    [legal.collect(), come.collect()]
}

#[test]
fn the_starter_arranges_both_rows_or_gives_up_captures() {
    let params = Params { prescribed: Prescribed::ArngeLimit, ..params(3, RoundFill::UMove) };
    let position = start::deal(&params, Side::Two);
    assert_eq!(template(&params, &position), Some(Template::Fill(12)));
    let mv = fill(&[(3, 7), (5, 5)]);
    assert!(is_legal(&params, &position, &mv));
    assert!(!is_legal(&params, &position, &fill(&[(3, 7), (5, 4)])), "a seed is missing");
    assert!(!is_legal(&params, &position, &fill(&[(0, 7), (2, 5)])), "the other row");
    let mut arranged = position.clone();
    apply(&params, &mut arranged, &mv);
    assert_eq!(arranged.seeds[..6], [7, 0, 5, 7, 0, 5]);
    assert_eq!((arranged.side, arranged.starter), (Side::One, Side::Two));
    assert_eq!((arranged.moves, arranged.inhibited), (1, Inhibited::default()));
    let mut declined = position;
    assert!(is_legal(&params, &declined, &Move::Pass));
    apply(&params, &mut declined, &Move::Pass);
    let barred = Inhibited { side: Some(Side::Two), captures: true, children: true };
    assert_eq!((declined.side, declined.inhibited), (Side::Two, barred));
}

#[test]
fn unlike_rows_cannot_be_arranged() {
    let params = Params { prescribed: Prescribed::ArngeLimit, ..params(2, RoundFill::UMove) };
    let mut position = start::deal(&params, Side::One);
    position.seeds[0] = 5;
    assert_eq!(template(&params, &position), None);
    assert!(!is_legal(&params, &position, &fill(&[(0, 5), (1, 4)])));
    assert!(is_legal(&params, &position, &Move::Pass));
}

#[test]
fn filled_holes_are_moved_whole_and_take_their_blocks_along() {
    let params = Params { blocks: true, ..params(4, RoundFill::UChoose) };
    let mut position = waiting(&params, &[4, 0, 0, 4, 4, 4, 4, 4], [3, 5]);
    position.blocked = 0b0110;
    assert_eq!(template(&params, &position), Some(Template::Fill(8)));
    assert!(!is_legal(&params, &position, &fill(&[(0, 3), (1, 5)])));
    let mv = fill(&[(1, 4), (2, 4)]);
    assert!(is_legal(&params, &position, &mv));
    let [legal, come] = layouts(&params, &position);
    assert_eq!(legal.len(), 6);
    assert_eq!(legal, come);
    apply(&params, &mut position, &mv);
    assert_eq!((position.seeds[..4].to_vec(), position.blocked), (vec![0, 4, 4, 0], 0b1001));
}

#[test]
fn seeds_are_spread_over_row_and_store_and_the_other_row_follows() {
    let params = params(3, RoundFill::UMove);
    let mut position = waiting(&params, &[2, 2, 2, 2, 2, 2], [1, 11]);
    assert_eq!(template(&params, &position), Some(Template::Fill(7)));
    assert!(!is_legal(&params, &position, &fill(&[(0, 3), (2, 3)])), "an empty hole");
    assert!(!is_legal(&params, &position, &fill(&[(0, 4), (1, 2), (2, 2)])), "too many");
    let mv = fill(&[(0, 1), (1, 1), (2, 3)]);
    assert!(is_legal(&params, &position, &mv));
    apply(&params, &mut position, &mv);
    assert_eq!(position.seeds[..6], [1, 1, 3, 1, 1, 3]);
    assert_eq!(position.stores, BySide::new(2, 12));
}

#[test]
fn every_spread_that_can_be_moved_can_come() {
    for min_move in 1..=3 {
        let params = Params { min_move, ..params(2, RoundFill::UMove) };
        let [legal, come] = layouts(&params, &waiting(&params, &[2, 2, 2, 2], [1, 3]));
        assert!(legal.len() > 1 && legal.iter().flatten().max() >= Some(&(min_move as u16)));
        assert_eq!(legal, come, "{min_move}");
    }
}

#[test]
fn a_choice_is_offered_where_there_is_one() {
    let offered = |params: &Params, seeds: &[u16], stores, winner| {
        after_fill(params, &waiting(params, seeds, stores), winner)
    };
    let choose = params(2, RoundFill::UChoose);
    let loser = |winner| offered(&choose, &[4, 0, 4, 0], [2, 6], winner);
    assert_eq!(loser(Some(Side::Two)), Phase::Layout(Side::One));
    assert_eq!(loser(None), Phase::Layout(Side::Two));
    assert_eq!(offered(&choose, &[4, 4, 4, 0], [1, 3], Some(Side::Two)), Phase::Move);
    let spread = params(2, RoundFill::UMove);
    assert_eq!(offered(&spread, &[1, 1, 1, 1], [0, 12], None), Phase::Move);
    assert_eq!(offered(&spread, &[1, 1, 1, 1], [12, 1], None), Phase::Layout(Side::Two));
    assert_eq!(offered(&spread, &[2, 2, 2, 2], [4, 4], None), Phase::Layout(Side::One));
    let twos = Params { min_move: 2, ..spread };
    assert_eq!(offered(&twos, &[2, 1, 2, 1], [0, 10], None), Phase::Layout(Side::One));
    assert_eq!(offered(&params(2, RoundFill::LeftFill), &[4, 0], [0, 0], None), Phase::Move);
}

#[test]
fn the_larger_player_says_which_holes_of_the_mixed_row_are_its_own() {
    let params = Params { goal: Goal::Territory, ..params(3, RoundFill::UChown) };
    let mut position = waiting(&params, &[4; 6], [0, 0]);
    assert_eq!(after_fill(&params, &position, None), Phase::Move);
    position.owned = 0b10_0000;
    assert_eq!(after_fill(&params, &position, None), Phase::Layout(Side::One));
    assert_eq!(template(&params, &position), Some(Template::Own(2)));
    assert!(!is_legal(&params, &position, &Move::Own(0b1000)), "too few");
    assert!(!is_legal(&params, &position, &Move::Own(0b1100)), "another row");
    let mut rng = Seed(1).stream("own");
    let come: BTreeSet<_> = (0..100)
        .map(|_| match complete(&params, &position, &mut rng) {
            Move::Own(set) => set,
            other => unreachable!("{other:?}"),
        })
        .collect();
    assert_eq!(come.into_iter().collect::<Vec<_>>(), [0b01_1000, 0b10_1000, 0b11_0000]);
    apply(&params, &mut position, &Move::Own(0b11_0000));
    assert_eq!(position.owned, 0b00_1000);
}
