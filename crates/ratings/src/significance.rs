//! Significant differences between all pairs of bots of a list.
//!
//! Pairwise equal neighbors do not imply an equal group: with 100 points between neighbors, the
//! first and the last may differ clearly. So every two bots are compared, and in a group no two
//! differ (a compact letter display, Piepho 2004). The p-values are corrected for all these tests
//! together (Holm 1979).

use std::ops::Range;

use super::{Ratings, adjusted_by_holm};

/// Significance level of a difference.
pub const SIGNIFICANT: f64 = 0.05;

/// Corrected p-values of every two bots of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Significance {
    bots: usize,
    /// For the second bot with the first, the third with the first and the second, and so on.
    /// `None` if the two cannot be compared.
    p_values: Vec<Option<f64>>,
}

impl Significance {
    /// Compares every two of these bots.
    pub fn new(ratings: &Ratings, bots: &[u32]) -> Self {
        let pairs = (0..bots.len()).flat_map(|two| (0..two).map(move |one| (one, two)));
        let tests: Vec<_> = pairs.map(|(one, two)| ratings.p_value(bots[one], bots[two])).collect();
        let known: Vec<f64> = tests.iter().copied().flatten().collect();
        let mut adjusted = adjusted_by_holm(&known).into_iter();
        let p_values = tests.into_iter().map(|test| test.and_then(|_| adjusted.next())).collect();
        Self { bots: bots.len(), p_values }
    }

    /// Two-sided p-value of the difference between two different bots, given by their places in the
    /// list and corrected for the number of tests. `None` if they cannot be compared.
    pub fn p_value(&self, one: usize, two: usize) -> Option<f64> {
        let (low, high) = (one.min(two), one.max(two));
        self.p_values[high * (high - 1) / 2 + low]
    }

    /// Whether the Elo of two different bots differs significantly. Among equals, a list has no
    /// such difference in 95 % of cases. `None` if they cannot be compared.
    pub fn differ(&self, one: usize, two: usize) -> Option<bool> {
        self.p_value(one, two).map(|p| p < SIGNIFICANT)
    }

    /// Whether any two bots were compared.
    pub fn is_known(&self) -> bool {
        self.p_values.iter().any(Option::is_some)
    }

    /// Runs of two or more neighbors in which no two bots differ, each as long as possible. Two
    /// runs may overlap.
    pub fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        let mut first = 0;
        for last in 1..self.bots {
            let split = (first..last).rev().find(|&other| !self.are_alike(other, last));
            first = split.map_or(first, |other| other + 1);
            match runs.last_mut() {
                _ if first == last => {}
                Some(run) if run.start == first => run.end = last + 1,
                _ => runs.push(first..last + 1),
            }
        }
        runs
    }

    /// Contiguous range around a bot in which no bot differs from it.
    pub fn around(&self, bot: usize) -> Range<usize> {
        let before = (0..bot).rev().take_while(|&other| self.are_alike(other, bot)).count();
        let after = (bot + 1..self.bots).take_while(|&other| self.are_alike(bot, other)).count();
        bot - before..bot + after + 1
    }

    /// Rank of every bot of a list that has the strongest first: one more than the number of
    /// stronger bots that differ from it.
    pub fn ranks(&self) -> Vec<u32> {
        let stronger =
            |bot: usize| (0..bot).filter(move |&other| self.differ(other, bot) == Some(true));
        (0..self.bots).map(|bot| 1 + stronger(bot).count() as u32).collect()
    }

    fn are_alike(&self, one: usize, two: usize) -> bool {
        self.differ(one, two) == Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only this run.
    fn only(run: Range<usize>) -> Vec<Range<usize>> {
        std::iter::once(run).collect()
    }

    /// Bots at these positions. Those further apart than `near` differ; a bot at a negative
    /// position has met no other.
    fn example(places: &[i32], near: i32) -> Significance {
        let p_value = |one: i32, two: i32| {
            let met = one >= 0 && two >= 0;
            met.then(|| if one.abs_diff(two) > near as u32 { 0.01 } else { 0.3 })
        };
        let pairs = (0..places.len()).flat_map(|two| (0..two).map(move |one| (one, two)));
        let p_values = pairs.map(|(one, two)| p_value(places[one], places[two])).collect();
        Significance { bots: places.len(), p_values }
    }

    #[test]
    fn a_chain_of_neighbors_is_no_group() {
        let chain = example(&[1, 2, 3, 4, 9], 1);
        assert_eq!(chain.runs(), [0..2, 1..3, 2..4]);
        assert_eq!(chain.around(1), 0..3);
        assert_eq!(chain.ranks(), [1, 1, 2, 3, 5]);
        assert_eq!(example(&[1, 2, 3, 4, 9], 3).runs(), only(0..4));
    }

    #[test]
    fn who_met_nobody_is_in_no_group() {
        let gap = example(&[1, 2, -1, 3], 5);
        assert_eq!(gap.runs(), only(0..2));
        assert_eq!((gap.around(2), gap.ranks()), (2..3, vec![1, 1, 1, 1]));
        assert!(gap.is_known() && !example(&[1, -1], 5).is_known());
        assert!(example(&[], 1).runs().is_empty() && example(&[1], 1).runs().is_empty());
    }

    #[test]
    fn a_pair_that_differs_within_a_run_ends_it() {
        // The second and the third differ although the first differs from neither.
        let mut odd = example(&[2, 1, 3], 1);
        odd.p_values = vec![Some(0.3), Some(0.3), Some(0.01)];
        assert_eq!(odd.runs(), only(0..2));
    }
}
