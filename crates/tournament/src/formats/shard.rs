//! Shard of a tournament that is played on several machines.

use crate::format::Expected;
use crate::{Format, Next};

/// Every n-th pairing of a format that does not depend on results. The shards together are the
/// whole plan, and are about equal in size.
#[derive(Debug)]
pub(crate) struct Share {
    whole: Box<dyn Format>,
    /// Index of the shard, from 0.
    part: u64,
    of: u64,
    number: u64,
}

impl Share {
    /// Creates the shard with this number, from 1, of `of` shards.
    ///
    /// # Panics
    /// Panics if there is no such shard.
    pub(crate) fn new(whole: Box<dyn Format>, part: u32, of: u32) -> Self {
        assert!((1..=of).contains(&part), "share {part} of {of}");
        Self { whole, part: u64::from(part - 1), of: of.into(), number: 0 }
    }
}

impl Format for Share {
    fn next(&mut self) -> Next {
        loop {
            let next = self.whole.next();
            if !matches!(next, Next::Pairing(_)) {
                return next;
            }
            self.number += 1;
            if (self.number - 1) % self.of == self.part {
                return next;
            }
        }
    }

    fn expected(&self) -> Expected {
        let Expected { pairs, bound } = self.whole.expected();
        Expected { pairs: (pairs + self.of - 1 - self.part) / self.of, bound }
    }
}

#[cfg(test)]
mod tests {
    use super::super::RoundRobin;
    use super::super::fixtures::all;
    use super::*;

    #[test]
    fn shares_are_the_whole_together() {
        let whole = all(RoundRobin::new(5, 3));
        let shares: Vec<_> = (1..=4)
            .map(|part| {
                let share = || Share::new(Box::new(RoundRobin::new(5, 3)), part, 4);
                let pairings = all(share());
                assert_eq!(pairings.len() as u64, share().expected().pairs);
                pairings
            })
            .collect();
        assert!(shares.iter().all(|share| share.len() == 7 || share.len() == 8));
        for (number, pairing) in whole.iter().enumerate() {
            assert_eq!(shares[number % 4][number / 4], *pairing);
        }
    }
}
