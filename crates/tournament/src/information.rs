//! Information rule of ladders: selects the most informative pair, given the current estimates.
//!
//! Strengths are in natural units: a difference of 1 is odds of e to one, which is
//! [`Model::scale`](pitmaster_ratings::Model::scale) rating points. A player's uncertainty is the
//! variance of its strength. Covariances are ignored.

/// Estimated strengths of numbered players.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Knowledge {
    strength: Vec<f64>,
    variance: Vec<f64>,
}

impl Knowledge {
    /// Variance of an unknown rating, in natural units: a standard deviation of 246 Elo.
    pub const UNKNOWN: f64 = 2.0;

    /// Adds a player with the next number.
    pub fn add(&mut self, strength: f64, variance: f64) {
        self.strength.push(strength);
        self.variance.push(variance);
    }

    /// Replaces the estimate of a player.
    ///
    /// # Panics
    /// Panics if there is no such player, as all methods do.
    pub fn set(&mut self, player: usize, strength: f64, variance: f64) {
        self.strength[player] = strength;
        self.variance[player] = variance;
    }

    /// Strength of a player, in natural units.
    pub fn strength(&self, player: usize) -> f64 {
        self.strength[player]
    }

    /// Variance of a player's strength, in natural units squared; 0 if it is given.
    pub fn variance(&self, player: usize) -> f64 {
        self.variance[player]
    }

    /// Selects the most informative pair and counts it as played: the player with the largest
    /// variance, and the opponent with the largest gain.
    ///
    /// # Panics
    /// Panics if there are fewer than two players.
    pub fn next_pair(&mut self) -> [usize; 2] {
        let all = 0..self.variance.len();
        let first = most(all.clone(), |player| self.variance[player]).expect("two players");
        let others = all.filter(|&player| player != first);
        let second = most(others, |other| self.gain(first, other)).expect("two players");
        self.expect(first, second);
        [first, second]
    }

    /// Counts a pair with a pending result as played.
    pub fn expect(&mut self, one: usize, two: usize) {
        let gained = pair_information(self.strength[one] - self.strength[two]);
        let [a, b] = [self.variance[one], self.variance[two]];
        // A pair is equally informative about both.
        self.variance[one] = after(a, gained / (1.0 + gained * b));
        self.variance[two] = after(b, gained / (1.0 + gained * a));
    }

    /// Reduction of the variance of two players' difference by one pair.
    pub fn gain(&self, one: usize, two: usize) -> f64 {
        let variance = self.variance[one] + self.variance[two];
        let gained = pair_information(self.strength[one] - self.strength[two]);
        variance * variance * gained / (1.0 + variance * gained)
    }
}

/// Variance after this information.
fn after(variance: f64, gained: f64) -> f64 {
    1.0 / (1.0 / variance + gained)
}

/// Information of the two games of a pair about a difference in strength, in natural units: twice
/// the Fisher information of the logistic curve.
pub fn pair_information(difference: f64) -> f64 {
    let chance = 1.0 / (1.0 + difference.abs().exp());
    2.0 * chance * (1.0 - chance)
}

/// First of the players with the greatest value; `None` if there are none.
pub fn most(
    players: impl IntoIterator<Item = usize>,
    value: impl Fn(usize) -> f64,
) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for player in players {
        let own = value(player);
        if best.is_none_or(|(_, most)| own > most) {
            best = Some((player, own));
        }
    }
    best.map(|(player, _)| player)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knowledge(players: &[(f64, f64)]) -> Knowledge {
        let mut known = Knowledge::default();
        for &(strength, variance) in players {
            known.add(strength, variance);
        }
        known
    }

    #[test]
    fn the_least_known_meets_an_equal_that_is_unknown_too() {
        let mut known = knowledge(&[(0.0, 1.0), (0.0, 2.0), (3.0, 1.9), (0.1, 1.5)]);
        assert_eq!(known.next_pair(), [1, 3]);
        // Both variances have decreased.
        assert!(known.variance(1) < 1.3 && known.variance(3) < 1.1, "{known:?}");
        assert_eq!(known.next_pair()[0], 2);
    }

    #[test]
    fn a_pair_with_a_given_strength_tells_the_whole_information() {
        let mut known = knowledge(&[(0.0, 2.0), (0.0, 0.0)]);
        known.expect(0, 1);
        assert!((known.variance(0) - 1.0).abs() < 1e-12 && known.variance(1) == 0.0, "{known:?}");
        known.set(0, 1.0, 0.5);
        assert_eq!((known.strength(0), known.variance(0)), (1.0, 0.5));
    }

    #[test]
    fn equals_tell_most() {
        assert!((pair_information(0.0) - 0.5).abs() < 1e-12);
        assert!(pair_information(2.0) < pair_information(-1.0));
        assert_eq!(most([], |_| 0.0), None);
    }
}
