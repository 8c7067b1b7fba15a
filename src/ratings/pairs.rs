//! The games of two bots as pairs.

use super::{Matches, Outcomes};

/// What came out of the pairs of two bots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PairResults {
    /// The half points of bot A in each pair (0 to 4). A pair that
    /// repeats an earlier one, move for move and with the same results, is not there.
    pub half_points: Vec<u8>,
    /// How many pairs repeat an earlier one.
    pub repeats: u32,
    /// How many games have no partner that could be compared: their pair is not finished, or both
    /// bots forfeited a game of it, or it is not one of two games. They are not among the pairs.
    pub left_out: u32,
}

impl PairResults {
    /// Of the games between bots `a` and `b`, by their numbers.
    pub fn new(matches: &Matches, a: u32, b: u32) -> Self {
        let mut results = Self::default();
        for observation in matches.observations_of((a.min(b), a.max(b))) {
            let [one, two] = observation.by_side;
            let lower = one.plus(two);
            let own = if a < b { lower } else { lower.turned() };
            if own.games() == 2 && own.both_lost == 0 {
                results.half_points.push((2 * own.wins + own.draws) as u8);
                results.repeats += observation.times - 1;
            } else {
                results.left_out += own.games() * observation.times;
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
