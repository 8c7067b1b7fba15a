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
