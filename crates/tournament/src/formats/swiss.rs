//! Swiss format: each round pairs bots with similar points and avoids rematches.

use pitmaster_core::Side;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Game, PointsFor, TieBreak};

use super::matching::{Field, pair_field};
use super::rounds::{Past, byes};
use super::{PairingRule, Rounds, UNSTATED_ROUNDS};
use crate::Format;
use crate::format::{Batch, Expected, Meeting};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::maybe;

/// Swiss tournament of bots that are numbered by their seeding, the strongest first.
///
/// A meeting consists of pairs, so both bots play both sides equally often. The bot that has begun
/// less often is player 1 in the first game. With an odd number of bots, the last in the order
/// among those with the fewest byes gets a bye, which counts as won games.
#[derive(Debug, Clone)]
pub(super) struct Swiss {
    pub(super) bots: usize,
    pub(super) rounds: u32,
    pub(super) pairs: u32,
    pub(super) points: PointsFor,
}

impl Swiss {
    /// Default number of rounds: one more than needed to find a winner if the better bot always
    /// wins.
    pub(super) fn usual_rounds(bots: usize) -> u32 {
        let round_robin = bots.next_multiple_of(2).saturating_sub(1) as u32;
        (bots.next_power_of_two().trailing_zeros() + 1).min(round_robin)
    }

    /// Points of all bots, in hundredths.
    fn points(&self, batches: &[Batch], games: &[Game]) -> Vec<i64> {
        let win = self.points.win.in_hundredths();
        let byes = byes(self.bots, batches).into_iter();
        let mut points: Vec<i64> = byes.map(|byes| i64::from(byes) * win).collect();
        for game in games {
            for side in Side::BOTH {
                let worth = self.points.mark(game.marks[side]).in_hundredths();
                points[game.bots[side] as usize] += worth;
            }
        }
        points
    }

    fn meetings(&self, round: u32, batches: &[Batch], games: &[Game]) -> Vec<Meeting> {
        let points = self.points(batches, games);
        let mut order: Vec<usize> = (0..self.bots).collect();
        order.sort_by_key(|&bot| std::cmp::Reverse(points[bot]));
        let level = levels(&order, &points);
        let past = Past::of(self.bots, batches);
        let free = (self.bots % 2 == 1).then(|| next_bye(&order, batches));
        order.retain(|&bot| Some(bot) != free);
        let met = |a: usize, b: usize| past.met(a, b);
        let pairs = pair_field(&Field { order: &order, level: &level, met: &met });
        let meeting = |one: usize, other: Option<usize>| {
            let first_pair = (round - 1) * self.pairs + 1;
            Meeting { one, other, first_pair, pairs: self.pairs }
        };
        let paired = pairs.into_iter().zip(0..).map(|(pair, board)| {
            let [one, other] = past.beginner_first(pair, (round + board).is_multiple_of(2));
            meeting(one, Some(other))
        });
        paired.chain(free.map(|bot| meeting(bot, None))).collect()
    }
}

impl PairingRule for Swiss {
    fn pair(&self, batches: &[Batch], games: &[Game]) -> Option<Vec<Batch>> {
        let round = batches.len() as u32 + 1;
        if round > self.rounds || self.bots < 2 {
            return None;
        }
        Some(vec![Batch { round, meetings: self.meetings(round, batches, games) }])
    }

    fn expected(&self) -> Expected {
        let a_round = (self.bots / 2) as u64 * u64::from(self.pairs);
        Expected::exactly(a_round * u64::from(self.rounds))
    }
}

/// Level of each bot: 0 for the highest score, 1 for the next one, and so on.
fn levels(order: &[usize], points: &[i64]) -> Vec<u32> {
    let mut level = vec![0; points.len()];
    let groups = order.chunk_by(|&a, &b| points[a] == points[b]);
    for (number, group) in (0..).zip(groups) {
        for &bot in group {
            level[bot] = number;
        }
    }
    level
}

/// Last of the bots with the fewest byes.
fn next_bye(order: &[usize], batches: &[Batch]) -> usize {
    let byes = byes(order.len(), batches);
    *order.iter().rev().min_by_key(|bot| byes[**bot]).expect("a field has bots")
}

/// Settings of a Swiss tournament.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwissPlan {
    /// Number of rounds; `None`: the default for the number of bots.
    pub rounds: Option<u32>,
}

impl Settings for SwissPlan {
    const KEYS: &'static [&'static str] = &["pairs", "rounds", "seeding"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let rounds = keys.maybe_integer("rounds", 1, 1000, diagnostics);
        Self { rounds: rounds.map(|rounds| rounds as u32) }
    }
}

impl SwissPlan {
    fn rounds(&self, bots: usize) -> u32 {
        self.rounds.unwrap_or_else(|| Swiss::usual_rounds(bots))
    }
}

impl Kind for SwissPlan {
    fn write(&self, out: &mut String) {
        maybe(out, "rounds", self.rounds);
    }

    fn describe(&self, pairs: &str, bots: usize) -> String {
        format!("swiss, {} rounds of {pairs}", self.rounds(bots))
    }

    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format> {
        let (bots, pairs, points) = (stage.count(), stage.pairs, stage.points);
        let swiss = Swiss { bots, rounds: self.rounds(bots), pairs, points };
        Box::new(Rounds::new(swiss, bots, kept))
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn pairs_by_results(&self) -> bool {
        true
    }

    fn is_seeded(&self) -> bool {
        true
    }

    fn highest_pair(&self, pairs: u32) -> u32 {
        self.rounds.unwrap_or(UNSTATED_ROUNDS).saturating_mul(pairs)
    }

    fn tie_breaks(&self) -> Option<&'static [TieBreak]> {
        Some(TieBreak::OF_SWISS)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::super::fixtures::{self, play};
    use super::super::rounds::Rounds;
    use super::*;
    use crate::Pairing;

    type Played = fixtures::Played<Rounds<Swiss>>;

    fn swiss(bots: usize, rounds: u32, pairs: u32) -> Swiss {
        Swiss { bots, rounds, pairs, points: PointsFor::default() }
    }

    fn played(bots: usize, rounds: u32, pairs: u32, seed: u64) -> Played {
        play(Rounds::new(swiss(bots, rounds, pairs), bots, Vec::new()), seed)
    }

    #[test]
    fn as_many_rounds_as_find_a_winner_and_one_more() {
        let rounds = [2, 3, 4, 5, 8, 9, 2000].map(Swiss::usual_rounds);
        assert_eq!(rounds, [1, 3, 3, 4, 4, 5, 12]);
    }

    #[test]
    fn the_better_half_meets_the_better_half() {
        // The higher seed wins: after two rounds of eight there is one group of two winners.
        let Played { pairings, .. } = played(8, 3, 1, 0);
        let of = |round: u32| -> Vec<[usize; 2]> {
            let mut bots: Vec<_> =
                pairings.iter().filter(|p| p.round == round).map(|p| p.bots).collect();
            for pair in &mut bots {
                pair.sort_unstable();
            }
            bots
        };
        assert_eq!(of(1), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(of(2), [[0, 2], [1, 3], [4, 6], [5, 7]]);
        assert_eq!(of(3)[0], [0, 1]);
    }

    #[test]
    fn rounds_have_openings_of_their_own() {
        let Played { pairings, .. } = played(4, 3, 2, 1);
        let pairs = |round| -> HashSet<u32> {
            pairings.iter().filter(|p| p.round == round).map(|p| p.pair).collect()
        };
        assert_eq!(pairs(1), [1, 2].into());
        assert_eq!(pairs(3), [5, 6].into());
    }

    #[test]
    fn a_round_of_two_thousand_is_planned() {
        let played = played(2000, 4, 1, 3);
        let met: HashSet<_> = played.pairings.iter().map(sorted).collect();
        assert_eq!(met.len(), 4 * 1000, "nobody meets twice");
    }

    fn sorted(pairing: &Pairing) -> [usize; 2] {
        let [a, b] = pairing.bots;
        [a.min(b), a.max(b)]
    }

    proptest! {
        #[test]
        fn nobody_meets_twice_and_all_play(bots in 2_usize..30, seed in 1_u64..1000) {
            let rounds = Swiss::usual_rounds(bots);
            let Played { pairings, format } = played(bots, rounds, 1, seed);
            let met: HashSet<_> = pairings.iter().map(sorted).collect();
            // With more rounds, a round may have no complete pairing without a rematch.
            if rounds as usize <= bots / 2 {
                prop_assert_eq!(met.len(), pairings.len());
            }
            prop_assert_eq!(pairings.len(), rounds as usize * (bots / 2));
            let byes = format.places().byes;
            prop_assert!(byes.iter().all(|&byes| byes <= 2));
            for round in 1..=rounds {
                let here = pairings.iter().filter(|p| p.round == round).flat_map(|p| p.bots);
                let here: Vec<_> = here.collect();
                prop_assert_eq!(here.iter().collect::<HashSet<_>>().len(), here.len());
            }
        }

        #[test]
        fn sides_are_balanced(bots in 2_usize..30, seed in 1_u64..1000) {
            let rounds = Swiss::usual_rounds(bots);
            let Played { pairings, .. } = played(bots, rounds, 1, seed);
            for bot in 0..bots {
                let as_one = pairings.iter().filter(|p| p.bots[0] == bot).count();
                let as_other = pairings.iter().filter(|p| p.bots[1] == bot).count();
                prop_assert!(as_one.abs_diff(as_other) <= 3, "{} {}", as_one, as_other);
            }
        }
    }
}
