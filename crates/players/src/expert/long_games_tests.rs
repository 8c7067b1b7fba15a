//! Two games of 400 plies in which hardly anything is captured, and which an earlier evaluation
//! did not understand: player 1 valued seeds that could never be cashed. In the first, it valued its
//! position at +27 at ply 141 and lost by 16.

use pitmaster_core::{Seed, Side};
use pitmaster_games::coloured_awale::{ColouredAwale, Position};
use pitmaster_games::{Rules, Turn};

use super::*;
use crate::{Before, Unlimited};

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
    asked
        .map(|(ply, position)| {
            Searcher::<ColouredAwale>::begin(&mut expert, Seed(1));
            let mut budget = Unlimited;
            let mut budget = Before::new(&mut budget, PLIES - ply);
            let thought = expert.choose(&rules, &position, &mut budget).thought;
            (ply, thought.seeds.expect("it had time for a pass"))
        })
        .collect()
}

#[test]
fn print_values() {
    for game in 0..2 {
        let every = values(game, 60..400, 5000);
        for (ply, value) in every.iter().step_by(5) {
            println!("{game} {ply} {value}");
        }
    }
}
