//! Lapses of attention: a searcher some of whose moves are random. It weakens the lower levels of a
//! game in small steps, which depths alone cannot provide.

use pitmaster_core::{Seed, below};
use pitmaster_games::Rules;
use rand_chacha::ChaCha8Rng;

use super::random::Random;
use super::{Budget, Chosen, Searcher};

/// Searcher with lapses.
#[derive(Debug)]
pub(super) struct Lapses<R: Rules, S> {
    searcher: S,
    random: Random<R>,
    /// Percentage of moves that are random.
    percent: u32,
    rng: ChaCha8Rng,
}

impl<R: Rules, S> Lapses<R, S> {
    pub(super) fn new(searcher: S, percent: u32) -> Self {
        Self { searcher, random: Random::new(), percent, rng: Seed(0).stream(STREAM) }
    }
}

/// Random stream that decides which moves are random.
const STREAM: &str = "lapses";

impl<R: Rules, S: Searcher<R>> Searcher<R> for Lapses<R, S> {
    fn begin(&mut self, seed: Seed) {
        self.rng = seed.stream(STREAM);
        self.random.begin(seed);
        self.searcher.begin(seed);
    }

    fn choose(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &mut dyn Budget,
    ) -> Chosen<R::Move> {
        if below(&mut self.rng, 100) < u64::from(self.percent) {
            return self.random.choose(rules, position, budget);
        }
        self.searcher.choose(rules, position, budget)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_games::toy::Toy;

    use super::*;
    use crate::{Thought, Unlimited};

    /// Always plays the first move, with a mark.
    struct First;

    impl Searcher<Toy> for First {
        fn begin(&mut self, _: Seed) {}

        fn choose(
            &mut self,
            rules: &Toy,
            position: &<Toy as Rules>::Position,
            _: &mut dyn Budget,
        ) -> Chosen<<Toy as Rules>::Move> {
            let mut list = pitmaster_games::MoveList::default();
            crate::candidates::candidates(
                rules,
                position,
                1,
                &mut Seed(0).stream("any"),
                &mut list,
            );
            let thought = Thought { nodes: 7, ..Thought::default() };
            Chosen { mv: list.moves.swap_remove(0), thought }
        }
    }

    /// Number of moves out of 1000 that are not the searcher's.
    fn lapses(percent: u32) -> usize {
        let mut searcher = Lapses::new(First, percent);
        searcher.begin(Seed(1));
        let choose =
            |_: &u32| searcher.choose(&Toy, &Toy.start(), &mut Unlimited).thought.nodes == 0;
        (0..1000).filter(choose).count()
    }

    #[test]
    fn so_many_moves_are_random() {
        assert_eq!((lapses(0), lapses(100)), (0, 1000));
        assert!((170..230).contains(&lapses(20)), "{}", lapses(20));
    }
}
