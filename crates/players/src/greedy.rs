//! Greedy player: the move that gains most seeds at once, ties broken uniformly at random.

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::{MoveList, Rules, Turn};
use rand_chacha::ChaCha8Rng;

use super::candidates::candidates;
use super::{Budget, Chosen, Searcher, Thought};

/// Number of layouts tried for each template.
const LAYOUTS: usize = 8;

/// Greedy player: maximizes the immediate gain.
#[derive(Debug)]
pub(super) struct Greedy<R: Rules> {
    rng: ChaCha8Rng,
    list: MoveList<R::Move, R::Template>,
}

impl<R: Rules> Greedy<R> {
    pub(super) fn new() -> Self {
        Self { rng: Seed(0).stream("greedy"), list: MoveList::default() }
    }
}

impl<R: Rules> Searcher<R> for Greedy<R> {
    fn begin(&mut self, seed: Seed) {
        self.rng = seed.stream("greedy");
    }

    fn choose(&mut self, rules: &R, position: &R::Position, _: &mut dyn Budget) -> Chosen<R::Move> {
        let Turn::Player(side) = rules.turn(position) else {
            unreachable!("a player is asked on a player's turn only")
        };
        candidates(rules, position, LAYOUTS, &mut self.rng, &mut self.list);
        let lead = lead(rules, position, side);
        let (mut best, mut equals) = (Vec::new(), i64::MIN);
        for (at, mv) in self.list.moves.iter().enumerate() {
            let mut after = position.clone();
            rules.play(&mut after, mv, &mut ());
            let gain = gain(rules, &after, side, lead);
            if gain > equals {
                (best, equals) = (Vec::new(), gain);
            }
            if gain == equals {
                best.push(at);
            }
        }
        let pick = best[below(&mut self.rng, best.len() as u64) as usize];
        let nodes = self.list.moves.len() as u64;
        let thought = Thought { nodes, depth: Some(1), ..Thought::default() };
        Chosen { mv: self.list.moves[pick].clone(), thought }
    }
}

/// Gain of a won game, above any number of seeds.
const WON: i64 = 1 << 40;

/// Gain of a move. A won game exceeds any number of seeds.
fn gain<R: Rules>(rules: &R, after: &R::Position, side: Side, before: i64) -> i64 {
    let decided = match rules.turn(after) {
        Turn::Over(outcome) => outcome.winner.map_or(0, |won| if won == side { WON } else { -WON }),
        Turn::Player(_) | Turn::Chance => 0,
    };
    decided + lead(rules, after, side) - before
}

/// Lead of a side in seeds.
fn lead<R: Rules>(rules: &R, position: &R::Position, side: Side) -> i64 {
    let score = rules.score(position);
    i64::from(score[side]) - i64::from(score[side.other()])
}
