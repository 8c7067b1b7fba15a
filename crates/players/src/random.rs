//! Random player: every move is equally likely, and so is every layout of a template.

use pitmaster_core::{Seed, below};
use pitmaster_games::{MoveList, Rules};
use rand_chacha::ChaCha8Rng;

use super::candidates::candidates;
use super::{Budget, Chosen, Searcher};

/// Plays at random.
#[derive(Debug)]
pub(super) struct Random<R: Rules> {
    rng: ChaCha8Rng,
    list: MoveList<R::Move, R::Template>,
}

impl<R: Rules> Random<R> {
    pub(super) fn new() -> Self {
        Self { rng: Seed(0).stream("random"), list: MoveList::default() }
    }
}

impl<R: Rules> Searcher<R> for Random<R> {
    fn begin(&mut self, seed: Seed) {
        self.rng = seed.stream("random");
    }

    fn choose(&mut self, rules: &R, position: &R::Position, _: &mut dyn Budget) -> Chosen<R::Move> {
        candidates(rules, position, 1, &mut self.rng, &mut self.list);
        let pick = below(&mut self.rng, self.list.moves.len() as u64) as usize;
        Chosen::unthought(self.list.moves[pick].clone())
    }
}
