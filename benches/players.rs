//! How fast house bots are, on one core: nodes a second of `expert`, every move counted that is
//! made on a board.

use divan::Bencher;
use divan::counter::ItemsCount;
use pitmaster::core::Seed;
use pitmaster::games::{look_up, with_rules};
use pitmaster::players::{Expert, ExpertOptions, Judged, Searcher, Unlimited};

fn main() {
    divan::main();
}

/// For each move.
const NODES: u64 = 1_000_000;
/// From the start of the game, in each sample.
const MOVES: u64 = 4;

/// Items are nodes.
#[divan::bench(args = ["coloured-awale", "oware", "kalah", "isholo-1"], sample_count = 5, sample_size = 1)]
fn expert(bencher: Bencher, game: &str) {
    let game = game.parse().expect("a game's name");
    with_rules!(look_up(&game).expect("a game").rules, rules => opening(bencher, &rules));
}

fn opening<R: Judged>(bencher: Bencher, rules: &R) {
    let options = ExpertOptions { nodes: NODES, ..ExpertOptions::default() };
    let mut expert = Expert::new(rules.judge(), options);
    bencher.counter(ItemsCount::new(NODES * MOVES)).bench_local(|| {
        Searcher::<R>::begin(&mut expert, Seed(1));
        let mut position = rules.start();
        for _ in 0..MOVES {
            let chosen = expert.choose(rules, &position, &mut Unlimited);
            rules.play(&mut position, &chosen.mv, &mut ());
        }
    });
}
