//! Tests of rounds in worked positions, and invariants of every fill.

use pitmaster_core::{BySide, Seed};
use proptest::prelude::*;

use super::*;
use crate::two_row::params::{ChildLocs, Goal, Rounds};
use crate::two_row::position::{Clause, Inhibited, LastMove, Tally};
use crate::two_row::sides::{board, holes, sum};

/// Game in rounds on two rows of `holes`.
fn params(holes: i32, nbr_start: i32, round_fill: RoundFill) -> Params {
    Params {
        holes,
        nbr_start,
        round_fill,
        rounds: Rounds::NoMoves,
        stores: true,
        ..Params::default()
    }
}

/// A first round that player 1 started and won, with these seeds on the board and in the
/// stores; player 2 would be to move.
fn won(params: &Params, seeds: &[u16], stores: [u16; 2]) -> Position {
    let mut position = start::fresh(params, Side::One);
    position.seeds[..seeds.len()].copy_from_slice(seeds);
    position.stores = BySide::new(stores[0], stores[1]);
    position.side = Side::Two;
    ended(position, Some(Side::One))
}

fn ended(mut position: Position, winner: Option<Side>) -> Position {
    position.phase = Phase::RoundOver(winner);
    position.last =
        Some(LastMove { side: Side::One, start: 0, end: 0, hand: 1, captured: false, winner });
    position
}

fn next(params: &Params, before: &Position) -> Position {
    next_round(params, before, None, &|_| true)
}

/// The board of a round as text: player 1's row, player 2's, both from the left, closed holes
/// as `x`, and the stores.
fn shown(params: &Params, round: &Position) -> String {
    let hole = |hole: usize| match round.blocked >> hole & 1 {
        1 => "x".to_owned(),
        _ => round.seeds[hole].to_string(),
    };
    let h = holes(params);
    let [one, two] = [0, h].map(|from| (from..from + h).map(hole).collect::<Vec<_>>().join(" "));
    format!("{one} | {two} | {}:{}", round.stores.one, round.stores.two)
}

fn filled(params: &Params, seeds: &[u16], stores: [u16; 2]) -> String {
    shown(params, &next(params, &won(params, seeds, stores)))
}

#[test]
fn each_player_fills_what_it_can() {
    let with = |fill, blocks| {
        let params = Params { blocks, ..params(5, 3, fill) };
        filled(&params, &[0, 0, 1, 0, 0, 0, 2, 0, 0, 0], [19, 8])
    };
    assert_eq!(with(RoundFill::LeftFill, false), "3 3 3 3 3 | 3 3 3 0 0 | 5:1");
    assert_eq!(with(RoundFill::RightFill, false), "3 3 3 3 3 | 0 0 3 3 3 | 5:1");
    assert_eq!(with(RoundFill::OutsideFill, false), "3 3 3 3 3 | 3 0 0 3 3 | 5:1");
    assert_eq!(with(RoundFill::NotApplicable, true), "3 3 3 3 3 | 3 x x 3 3 | 5:1");
    assert_eq!(with(RoundFill::UChoose, true), "3 3 3 3 3 | 3 x x 3 3 | 5:1");
}

#[test]
fn player_1_fills_the_outside_from_its_left() {
    let params = params(5, 3, RoundFill::OutsideFill);
    let before = ended(won(&params, &[], [11, 19]), Some(Side::Two));
    assert_eq!(shown(&params, &next(&params, &before)), "3 3 0 0 3 | 3 3 3 3 3 | 2:4");
}

#[test]
fn children_count_for_their_owner() {
    let params = params(3, 4, RoundFill::LeftFill);
    let mut before = won(&params, &[0, 0, 0, 3, 5, 0], [8, 8]);
    before.children.one = 1 << 4;
    let round = next(&params, &before);
    assert_eq!(shown(&params, &round), "4 4 4 | 4 4 0 | 1:3");
    assert_eq!(round.children, BySide::default());
}

#[test]
fn a_shortened_board_is_closed_on_both_sides() {
    let params = Params { blocks: true, ..params(5, 3, RoundFill::Shorten) };
    let mut before = won(&params, &[], [19, 11]);
    assert_eq!(filled(&params, &[], [19, 11]), "3 3 3 x x | x x 3 3 3 | 10:2");
    assert!(next(&params, &before).inhibited.children, "three holes are too few for children");
    before.stores = BySide::new(18, 12);
    let four = Inhibited::default();
    assert_eq!(next(&params, &before).inhibited, four);
}

#[test]
fn all_of_the_losers_seeds_go_into_a_shortened_board() {
    let params = Params { blocks: true, ..params(5, 3, RoundFill::ShortenAll) };
    assert_eq!(filled(&params, &[], [20, 10]), "x 1 3 3 3 | 3 3 3 1 x | 10:0");
    let before = ended(won(&params, &[], [10, 20]), Some(Side::Two));
    assert_eq!(shown(&params, &next(&params, &before)), "3 3 3 1 x | x 1 3 3 3 | 0:10");
}

#[test]
fn more_seeds_than_fill_the_board_stay_with_their_players() {
    let params = Params {
        start_pattern: StartPattern::RightmostPlusOne,
        ..params(3, 2, RoundFill::ShortenAll)
    };
    assert_eq!(filled(&params, &[], [7, 7]), "2 2 2 | 2 2 2 | 1:1");
}

#[test]
fn the_losers_seeds_are_spread_evenly() {
    let with = |min_move, stores| {
        filled(&Params { min_move, ..params(4, 4, RoundFill::EvenFill) }, &[], stores)
    };
    assert_eq!(with(1, [18, 14]), "3 3 3 3 | 3 3 3 3 | 6:2");
    assert_eq!(with(2, [26, 6]), "3 1 1 1 | 3 1 1 1 | 20:0");
    assert_eq!(with(2, [28, 4]), "4 0 0 0 | 4 0 0 0 | 24:0");
    assert_eq!(with(1, [29, 3]), "3 0 0 0 | 3 0 0 0 | 26:0");
}

#[test]
fn an_even_fill_never_takes_more_than_there_is() {
    let params = params(3, 4, RoundFill::EvenFill);
    let mut before = won(&params, &[0, 0, 0, 14, 0, 0], [5, 5]);
    before.children.one = 1 << 3;
    assert_eq!(shown(&params, &next(&params, &before)), "1 1 1 | 1 1 1 | 2:16");
}

#[test]
fn only_the_losers_row_is_refilled() {
    let params = Params { blocks: true, ..params(4, 3, RoundFill::LoserOnly) };
    let mut before = won(&params, &[1, 0, 5, 0, 0, 2, 0, 0], [10, 6]);
    before.blocked = 0b1010_1000;
    before.moves = 9;
    before.bearing_off = true;
    let round = next(&params, &before);
    assert_eq!(shown(&params, &round), "1 0 5 x | x x 3 3 | 10:2");
    assert_eq!((round.moves, round.turns, round.round), (1, 0, 2));
    assert!(!round.bearing_off);
    assert_eq!(round.phase, Phase::Layout(Side::Two));
}

/// The owners after a territory round of three holes a side: `1` and `2` by hole.
fn owners(round_fill: RoundFill, nbr_start: i32, stores: [u16; 2], lot: Option<Side>) -> String {
    let params =
        Params { goal: Goal::Territory, goal_param: 5, ..params(3, nbr_start, round_fill) };
    let mut before = won(&params, &[], stores);
    before.side = Side::Two;
    assert_eq!(contested(&params, &before), lot.is_some());
    let round = next_round(&params, &before, lot, &|_| true);
    assert_eq!(round.seeds[..6], [nbr_start as u16; 6]);
    (0..6).map(|hole| if round.owned >> hole & 1 == 1 { '2' } else { '1' }).collect()
}

#[test]
fn seeds_buy_holes() {
    assert_eq!(owners(RoundFill::NotApplicable, 4, [18, 6], None), "111122");
    assert_eq!(owners(RoundFill::NotApplicable, 4, [19, 5], None), "111112");
    assert_eq!(owners(RoundFill::UChown, 4, [5, 19], None), "221222");
    assert_eq!(owners(RoundFill::TerrExLoser, 4, [19, 5], None), "111122");
    assert_eq!(owners(RoundFill::NotApplicable, 4, [12, 12], None), "111222");
    assert_eq!(owners(RoundFill::TerrExRandom, 4, [18, 6], Some(Side::One)), "111112");
    assert_eq!(owners(RoundFill::TerrExRandom, 4, [18, 6], Some(Side::Two)), "111122");
    assert_eq!(owners(RoundFill::TerrExRandom, 3, [11, 7], None), "111122");
}

#[test]
fn a_hole_that_nobody_fills_is_empty() {
    let params =
        Params { goal: Goal::Territory, goal_param: 5, ..params(3, 4, RoundFill::TerrExEmpty) };
    let round = next(&params, &won(&params, &[], [17, 7]));
    assert_eq!((shown(&params, &round).as_str(), round.owned), ("4 4 4 | 4 0 4 | 1:3", 0b11_0000));
    let even = next(&params, &won(&params, &[], [16, 8]));
    assert_eq!(shown(&params, &even), "4 4 4 | 4 4 4 | 0:0");
}

#[test]
fn a_territory_round_that_cannot_start_is_a_new_game() {
    let params =
        Params { goal: Goal::Territory, goal_param: 5, ..params(3, 4, RoundFill::NotApplicable) };
    let round = next_round(&params, &won(&params, &[], [19, 5]), None, &|_| false);
    assert_eq!((round.round, round.owned, round.phase), (1, 0b11_1000, Phase::Move));
    assert_eq!(round.starter, Side::Two);
}

#[test]
fn the_starter_follows_from_the_last_round() {
    let with = |round_starter, winner, goal| {
        let params = Params { goal, round_starter, ..params(3, 4, RoundFill::NotApplicable) };
        let round = next(&params, &ended(won(&params, &[], [12, 12]), winner));
        assert_eq!(round.side, round.starter);
        round.starter.number()
    };
    let starters =
        |rule, goal| [Some(Side::One), Some(Side::Two), None].map(|w| with(rule, w, goal));
    assert_eq!(starters(RoundStarter::Alternate, Goal::MaxSeeds), [2, 2, 2]);
    assert_eq!(starters(RoundStarter::Loser, Goal::MaxSeeds), [2, 1, 1]);
    assert_eq!(starters(RoundStarter::Winner, Goal::MaxSeeds), [1, 2, 2]);
    assert_eq!(starters(RoundStarter::LastMover, Goal::MaxSeeds), [1, 1, 1]);
    assert_eq!(starters(RoundStarter::LastMover, Goal::RoundWins), [1, 1, 2]);
}

#[test]
fn a_tallied_round_is_dealt_anew_for_the_alternating_starter() {
    let params = Params {
        goal: Goal::RoundWins,
        goal_param: 3,
        start_pattern: StartPattern::AltsSplit,
        round_starter: RoundStarter::Winner,
        child_locs: ChildLocs::FixedOneRight,
        ..params(4, 4, RoundFill::NotApplicable)
    };
    let mut before = won(&params, &[], [10, 6]);
    before.tally.wins = BySide::new(1, 0);
    let round = next(&params, &before);
    assert_eq!(shown(&params, &round), "0 4 0 3 | 1 4 0 4 | 0:0");
    assert_eq!((round.starter, round.round, round.tally), (Side::One, 2, before.tally));
    assert_eq!(round.children, BySide::new(1 << 3, 1 << 7));
}

#[test]
fn chance_deals_a_tallied_round_in_one_step() {
    let params = Params {
        goal: Goal::RoundWins,
        goal_param: 3,
        start_pattern: StartPattern::Random,
        ..params(3, 30, RoundFill::NotApplicable)
    };
    let before = won(&params, &[], [20, 10]);
    let step = draw(&params, &before, &mut Seed(1).stream("round"));
    assert!(matches!(step, Move::Deal(_)) && can_be_drawn(&params, &before, &step));
    assert!(!can_be_drawn(&params, &before, &Move::Round(None)));
    let round = play(&params, &before, &step, &|_| true);
    assert_eq!((round.phase, round.round, round.side), (Phase::Move, 2, Side::Two));
    assert_eq!(sum(&round, board(&params)), 30);
}

#[test]
fn an_opening_by_chance_leaves_the_turn_with_the_starter_of_the_round() {
    let random = Params {
        start_pattern: StartPattern::MoveRandom,
        ..params(3, 4, RoundFill::NotApplicable)
    };
    let opened = |params: &Params, position: Position| {
        assert_eq!((position.phase, position.side), (Phase::Opening, position.starter));
        let side = position.side.other();
        after_opening(params, Position { side, ..position }, &|_| true)
    };
    let first = opened(&random, start::deal(&random, Side::One));
    assert_eq!((first.phase, first.side), (Phase::Move, Side::Two));
    let tallied = Params { goal: Goal::RoundWins, goal_param: 3, ..random };
    let first = opened(&tallied, start::deal(&tallied, Side::One));
    assert_eq!(first.side, Side::One);
    let later = opened(&tallied, next(&tallied, &won(&tallied, &[], [13, 11])));
    assert_eq!((later.phase, later.side, later.round), (Phase::Move, Side::Two, 2));
}

#[test]
fn a_round_is_added_to_the_tally() {
    let params =
        Params { goal: Goal::RoundPoints, goal_param: 3, ..params(3, 4, RoundFill::NotApplicable) };
    let mut position = won(&params, &[], [18, 6]);
    let phase = tally::conclude(&params, &mut position, Some(Side::One), &|_| true);
    let expected = Tally {
        wins: BySide::new(1, 0),
        seeds: BySide::new(18, 6),
        extra: BySide::new(12, 0),
        points: BySide::new(2, 0),
    };
    assert_eq!((phase, position.tally), (Phase::RoundOver(Some(Side::One)), expected));
    position.stores = BySide::new(12, 12);
    let phase = tally::conclude(&params, &mut position, None, &|_| true);
    let tied = Tally { seeds: BySide::new(30, 18), ..expected };
    assert_eq!((phase, position.tally), (Phase::RoundOver(None), tied));
    position.stores = BySide::new(13, 11);
    let phase = tally::conclude(&params, &mut position, Some(Side::One), &|_| true);
    assert_eq!(phase, Phase::Over(Some(Side::One), Clause::Goal));
}

#[test]
fn both_players_may_reach_the_goal_of_a_tally_at_once() {
    let params =
        Params { goal: Goal::RoundSeeds, goal_param: 20, ..params(3, 4, RoundFill::NotApplicable) };
    let after = |seeds: [u32; 2], stores, winner| {
        let mut position = won(&params, &[], stores);
        position.tally.seeds = BySide::new(seeds[0], seeds[1]);
        tally::conclude(&params, &mut position, winner, &|_| true)
    };
    let over = |winner| Phase::Over(winner, Clause::Goal);
    assert_eq!(after([10, 14], [14, 10], Some(Side::One)), over(None));
    assert_eq!(after([10, 14], [12, 12], None), over(Some(Side::Two)));
}

#[test]
fn a_tally_of_eliminations_counts_what_is_left_on_the_board() {
    let params = Params {
        goal: Goal::RoundWinsDeprive,
        goal_param: 3,
        ..params(3, 4, RoundFill::NotApplicable)
    };
    let mut position = won(&params, &[0, 1, 2, 0, 0, 0], [10, 11]);
    tally::conclude(&params, &mut position, Some(Side::One), &|_| true);
    assert_eq!(position.tally.seeds, BySide::new(3, 0));
    assert_eq!(tally::break_off(&params, &mut position, None), Some(Side::One));
}

#[test]
fn the_game_is_over_when_a_player_cannot_fill_what_it_must() {
    let over = |params: &Params, stores| {
        let mut position = won(params, &[], stores);
        let phase = tally::conclude(params, &mut position, Some(Side::One), &|_| true);
        matches!(phase, Phase::Over(Some(Side::One), Clause::Goal))
    };
    let with = |fill| params(3, 4, fill);
    assert_eq!([[21, 3], [20, 4]].map(|s| over(&with(RoundFill::LeftFill), s)), [true, false]);
    assert_eq!([[22, 2], [21, 3]].map(|s| over(&with(RoundFill::UMove), s)), [true, false]);
    assert_eq!([[24, 0], [23, 1]].map(|s| over(&with(RoundFill::EvenFill), s)), [true, false]);
    let two_holes = Params { goal_param: 2, ..with(RoundFill::LeftFill) };
    assert_eq!([[17, 7], [16, 8]].map(|s| over(&two_holes, s)), [true, false]);
}

#[test]
fn a_refilled_loser_needs_an_opponent_that_can_move() {
    let params = params(3, 4, RoundFill::LoserOnly);
    let ends = |winner, can_move: bool| {
        let mut position = won(&params, &[4, 0, 0, 0, 0, 1], [15, 4]);
        tally::conclude(&params, &mut position, winner, &|asked| {
            assert_eq!(Some(asked.side), winner);
            can_move
        })
    };
    assert_eq!(ends(Some(Side::One), true), Phase::RoundOver(Some(Side::One)));
    assert_eq!(ends(Some(Side::One), false), Phase::Over(Some(Side::One), Clause::Goal));
    assert_eq!(ends(None, true), Phase::Over(None, Clause::Goal));
}

/// A round's end with all seeds in play anywhere, and children of both players.
fn any_end() -> impl Strategy<Value = (Params, Position)> {
    let fills = RoundFill::ALL[..11].to_vec();
    let shape = (2..=8i32, 1..=6i32, 1..=2i32, any::<bool>(), proptest::sample::select(fills));
    shape.prop_flat_map(|(h, n, min_move, blocks, fill)| {
        let params = Params { blocks, min_move, ..params(h, n, fill) };
        let seeds = proptest::collection::vec(0..2 * h as usize + 2, (2 * h * n) as usize);
        let winner =
            proptest::option::of(any::<bool>().prop_map(|one| Side::BOTH[usize::from(one)]));
        (Just(params), seeds, any::<[u64; 2]>(), winner).prop_map(
            |(params, seeds, children, winner)| scattered(params, &seeds, children, winner),
        )
    })
}

fn scattered(
    params: Params,
    seeds: &[usize],
    children: [u64; 2],
    winner: Option<Side>,
) -> (Params, Position) {
    let mut position = won(&params, &[], [0, 0]);
    let cells = 2 * holes(&params);
    for &place in seeds {
        match place.checked_sub(cells) {
            None => position.seeds[place] += 1,
            Some(0) => position.stores.one += 1,
            Some(_) => position.stores.two += 1,
        }
    }
    if params.round_fill != RoundFill::LoserOnly {
        let [one, two] = children.map(|set| set & board(&params));
        position.children = BySide::new(one, two & !one);
    }
    (params, ended(position, winner))
}

fn in_play(params: &Params, position: &Position) -> u32 {
    let stores = u32::from(position.stores.one) + u32::from(position.stores.two);
    stores + sum(position, board(params))
}

proptest! {
    #[test]
    fn no_fill_makes_or_loses_seeds((params, before) in any_end(), seed: u64) {
        let mut round = next(&params, &before);
        prop_assert_eq!(in_play(&params, &round), in_play(&params, &before));
        let closed_are_empty = sum(&round, round.blocked) == 0;
        prop_assert!(closed_are_empty);
        if let Phase::Layout(_) = round.phase {
            let mv = layouts::complete(&params, &round, &mut Seed(seed).stream("fill"));
            prop_assert!(layouts::is_legal(&params, &round, &mv), "{mv:?}");
            layouts::apply(&params, &mut round, &mv);
            prop_assert_eq!(in_play(&params, &round), in_play(&params, &before));
            prop_assert_eq!(round.phase, Phase::Move);
            prop_assert_eq!(sum(&round, round.blocked), 0);
        }
    }
}
