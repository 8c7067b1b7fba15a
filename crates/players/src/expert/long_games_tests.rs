//! Two games of 400 plies with few captures, which an earlier evaluation misjudged: player 1 valued
//! seeds that could never be captured. In the first, it valued its position at +27 at ply 141 and
//! lost by 16.

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::{ColouredAwale, Position};
use pitmaster_games::{Rules, Turn};

use super::*;
use crate::{Before, Judged, Unlimited};

/// Limit of both games.
const PLIES: u32 = 400;

/// Positions of a game, each with the number of plies before it.
fn positions(game: usize) -> Vec<(u32, Position)> {
    let rules = ColouredAwale::default();
    let moves = include_str!("long_games.txt").lines().nth(game).expect("there are two");
    let mut position = rules.start();
    let mut all = vec![(0, position.clone())];
    for (ply, text) in (1..).zip(moves.split(' ')) {
        let mv = rules.parse_move(&position, text).expect(text);
        assert!(rules.is_legal(&position, &mv), "{text} at ply {ply}");
        rules.play(&mut position, &mv, &mut ());
        all.push((ply, position.clone()));
    }
    all
}

/// Value for player 1, in seeds, of every position of player 1 in a range of plies, by a search of
/// this many nodes.
fn values(game: usize, plies: std::ops::Range<u32>, nodes: u64) -> Vec<(u32, f64)> {
    let rules = ColouredAwale::default();
    let options = ExpertOptions { nodes, hash: 1 << 20, ..ExpertOptions::default() };
    let mut expert = Expert::new(rules.judge(), options);
    let asked = positions(game).into_iter().filter(|(ply, position)| {
        plies.contains(ply) && rules.turn(position) == Turn::Player(Side::One)
    });
    let value = |(ply, position): (u32, Position)| {
        Searcher::<ColouredAwale>::begin(&mut expert, Seed(1));
        let mut unlimited = Unlimited;
        let mut budget = Before::new(&mut unlimited, PLIES - ply);
        let thought = expert.choose(&rules, &position, &mut budget).thought;
        // A forced move is made without a search.
        thought.seeds.map(|seeds| (ply, seeds))
    };
    asked.filter_map(value).collect()
}

/// Number of nodes for a value: a few milliseconds.
const NODES: u64 = 5000;

/// The mean value over a range of plies.
fn mean(game: usize, plies: std::ops::Range<u32>) -> f64 {
    let values = values(game, plies, NODES);
    values.iter().map(|(_, seeds)| seeds).sum::<f64>() / values.len() as f64
}

/// The game turns between ply 141 and ply 161, and is lost by 16.
#[test]
fn the_first_game_is_never_won_and_soon_lost() {
    let highest =
        values(0, 61..161, NODES).into_iter().map(|(_, seeds)| seeds).fold(-96.0, f64::max);
    assert!(highest < 8.0, "{highest}");
    let lost = [161..181, 181..221, 221..261, 261..301].map(|plies| mean(0, plies));
    assert!(lost[0] < -3.0 && lost[1] < -6.0, "{lost:?}");
    assert!(lost[2] < -10.0 && lost[3] < -12.0, "{lost:?}");
}

/// The game is even for long, and lost by 4 at the end.
#[test]
fn the_second_game_is_even_and_then_lost() {
    let even = mean(1, 101..161);
    assert!(even.abs() < 4.0, "{even}");
    let lost = [181..241, 241..301, 301..361].map(|plies| mean(1, plies));
    assert!(lost.iter().all(|seeds| *seeds < -3.0), "{lost:?}");
}

/// In the very last plies, the value is the result.
#[test]
fn the_result_is_known_before_the_limit() {
    for (game, margin) in [(0, -16.0), (1, -4.0)] {
        let last = values(game, 397..400, 100_000);
        assert!(last.iter().all(|(_, seeds)| (seeds - margin).abs() < 1e-9), "{game}: {last:?}");
    }
}
