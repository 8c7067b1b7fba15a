//! Game pairs of two bots.

use super::{Matches, Outcomes};

/// Pair results of two bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairResults {
    /// Numbers of pairs with 0, 1, 2, 3 and 4 half points of bot A. Pairs that repeat an earlier
    /// one, with the same moves and results, are excluded.
    pub outcomes: Outcomes,
    /// Number of pairs that repeat an earlier one.
    pub repeats: u32,
    /// Number of games without a comparable partner: the pair is not finished, both bots forfeited
    /// a game of it, or it does not have two games. They are not among the pairs.
    pub left_out: u32,
}

impl Default for PairResults {
    fn default() -> Self {
        Self { outcomes: Outcomes::Pairs([0; 5]), repeats: 0, left_out: 0 }
    }
}

impl PairResults {
    /// Computes the pair results of the games between bots `a` and `b`, given by their numbers.
    pub fn new(matches: &Matches, a: u32, b: u32) -> Self {
        let mut results = Self::default();
        for observation in matches.observations_of((a.min(b), a.max(b))) {
            let [one, two] = observation.by_side;
            let lower = one.plus(two);
            let own = if a < b { lower } else { lower.turned() };
            if own.games() == 2 && own.both_lost == 0 {
                results.outcomes.count((2 * own.wins + own.draws) as u8);
                results.repeats += observation.times - 1;
            } else {
                results.left_out += own.games() * observation.times;
            }
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::super::matches::fixtures::game;
    use super::*;

    fn pair(number: u32, marks: [char; 2], moves: u64) -> [Game; 2] {
        [game(0, 1, marks[0], number, moves), game(1, 0, marks[1], number, moves + 1)]
    }

    fn results(games: &[Game], a: u32, b: u32) -> PairResults {
        PairResults::new(&Matches::new(games), a, b)
    }

    #[test]
    fn each_bot_sees_its_own_points() {
        let games = [pair(1, ['w', 'l'], 90), pair(2, ['d', 'w'], 50), pair(3, ['l', 'd'], 70)];
        let games = games.concat();
        assert_eq!(results(&games, 0, 1).outcomes, Outcomes::Pairs([0, 2, 0, 0, 1]));
        assert_eq!(results(&games, 1, 0).outcomes, Outcomes::Pairs([1, 0, 0, 2, 0]));
        assert_eq!(results(&games, 0, 2), PairResults::default());
    }

    #[test]
    fn a_pair_that_repeats_an_earlier_one_counts_once() {
        let [first, other] = [pair(1, ['w', 'w'], 7), pair(2, ['w', 'w'], 9)];
        let again = [pair(3, ['w', 'w'], 7), pair(4, ['w', 'w'], 7)].concat();
        let seen = results(&[&first[..], &other, &again].concat(), 0, 1);
        assert_eq!(seen.outcomes, Outcomes::Pairs([0, 0, 2, 0, 0]));
        assert_eq!((seen.repeats, seen.left_out), (2, 0));
    }

    #[test]
    fn half_pairs_and_what_compares_nobody_are_left_out() {
        let half = [game(0, 1, 'w', 9, 100)];
        let games = [&pair(1, ['w', '-'], 7)[..], &pair(2, ['w', 'd'], 9), &half].concat();
        let seen = results(&games, 0, 1);
        assert_eq!(seen.outcomes, Outcomes::Pairs([0, 0, 0, 1, 0]));
        assert_eq!((seen.repeats, seen.left_out), (0, 3));
    }
}
