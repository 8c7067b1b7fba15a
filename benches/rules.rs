//! How fast the rules are: counted sequences, random games. On one core.

use std::convert::Infallible;

use divan::Bencher;
use divan::counter::ItemsCount;
use pitmaster::core::Seed;
use pitmaster::games::coloured_awale::ColouredAwale;
use pitmaster::games::{MoveList, Rules, perft};
use rand::Rng;

fn main() {
    divan::main();
}

/// Items are sequences.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn perft_6_coloured_awale(bencher: Bencher) {
    const LEAVES: u64 = 756_267_936;
    let rules = ColouredAwale::default();
    bencher.counter(ItemsCount::new(LEAVES)).bench_local(|| {
        assert_eq!(perft(&rules, &rules.start(), 6).leaves, LEAVES);
    });
}

/// Items are games.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn random_games_coloured_awale(bencher: Bencher) {
    const GAMES: u32 = 10_000;
    let rules = ColouredAwale::default();
    let mut rng = Seed(1).stream("bench");
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| (0..GAMES).map(|_| random_game(&rules, &mut rng)).sum::<usize>());
}

/// Plays a game to its end and says how many plies it had.
fn random_game<R: Rules<Template = Infallible>>(rules: &R, rng: &mut impl Rng) -> usize {
    let mut position = rules.start();
    let mut list = MoveList::default();
    let mut plies = 0;
    loop {
        rules.moves(&position, &mut list);
        if list.moves.is_empty() {
            return plies;
        }
        // Uneven by less than one in a million, which changes no speed.
        let pick = (u64::from(rng.next_u32()) * list.moves.len() as u64) >> 32;
        rules.play(&mut position, &list.moves[pick as usize], &mut ());
        plies += 1;
    }
}
