//! The games of two bots as pairs.

use super::{Game, Matches, Outcomes};
use crate::record::Mark;

/// What came out of the pairs of two bots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairResults {
    /// The half points of bot A in each pair (0 to 4), in the order of the pairs. A pair that
    /// repeats an earlier one, move for move and with the same results, is not there.
    pub half_points: Vec<u8>,
    /// How many pairs repeat an earlier one.
    pub repeats: u32,
    /// How many games have no partner that could be compared: their pair is not finished, or both
    /// bots forfeited a game of it, or it is not one of two games. They are not among the pairs.
    pub left_out: u32,
}

impl PairResults {
    /// Of the games between bots `a` and `b`, by their numbers. `games` are those that were
    /// gathered.
    pub fn new(games: &[Game], matches: &Matches, a: u32, b: u32) -> Self {
        let mut results = Self::default();
        let meeting = (a.min(b), a.max(b));
        for observation in matches.observations_of(meeting, games) {
            let pair: Vec<_> = matches.games_of(&observation, games).collect();
            match pair[..] {
                [one, two] if one.compares() && two.compares() => {
                    results.half_points.push(half_points(one, a) + half_points(two, a));
                    results.repeats += observation.times - 1;
                }
                _ => results.left_out += pair.len() as u32 * observation.times,
            }
        }
        results
    }

    /// How many of the pairs came to 0, 1, 2, 3 and 4 half points.
    pub fn outcomes(&self) -> Outcomes {
        let mut outcomes = Outcomes::Pairs([0; 5]);
        self.half_points.iter().for_each(|&half_points| outcomes.count(half_points));
        outcomes
    }
}

/// What a game is worth to a bot that played it.
fn half_points(game: &Game, bot: u32) -> u8 {
    let mark = if game.bots.one == bot { game.marks.one } else { game.marks.two };
    match mark {
        Mark::Win => 2,
        Mark::Draw => 1,
        Mark::Loss => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::matches::made_up::game;
    use super::*;

    fn pair(number: u32, marks: [char; 2], moves: u64) -> [Game; 2] {
        [game(0, 1, marks[0], number, moves), game(1, 0, marks[1], number, moves + 1)]
    }

    fn results(games: &[Game], a: u32, b: u32) -> PairResults {
        PairResults::new(games, &Matches::new(games), a, b)
    }

    #[test]
    fn pairs_stand_in_their_order_as_each_bot_sees_them() {
        // The fingerprints stand in another order than the pairs.
        let games = [pair(1, ['w', 'l'], 90), pair(2, ['d', 'w'], 50), pair(3, ['l', 'd'], 70)];
        let games = games.concat();
        assert_eq!(results(&games, 0, 1).half_points, [4, 1, 1]);
        assert_eq!(results(&games, 1, 0).half_points, [0, 3, 3]);
        assert_eq!(results(&games, 0, 1).outcomes(), Outcomes::Pairs([0, 2, 0, 0, 1]));
        assert_eq!(results(&games, 0, 2), PairResults::default());
    }

    #[test]
    fn a_pair_that_repeats_an_earlier_one_counts_once() {
        let [first, other] = [pair(1, ['w', 'w'], 7), pair(2, ['w', 'w'], 9)];
        let again = [pair(3, ['w', 'w'], 7), pair(4, ['w', 'w'], 7)].concat();
        let seen = results(&[&first[..], &other, &again].concat(), 0, 1);
        assert_eq!((seen.half_points, seen.repeats, seen.left_out), (vec![2, 2], 2, 0));
    }

    #[test]
    fn half_pairs_and_what_compares_nobody_are_left_out() {
        let half = [game(0, 1, 'w', 9, 100)];
        let games = [&pair(1, ['w', '-'], 7)[..], &pair(2, ['w', 'd'], 9), &half].concat();
        let seen = results(&games, 0, 1);
        assert_eq!((seen.half_points, seen.repeats, seen.left_out), (vec![3], 0, 3));
    }
}
