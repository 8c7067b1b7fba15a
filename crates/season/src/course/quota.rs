//! Quotas: limits on the number of actions within a time.

use std::time::Duration;

use super::Utc;

/// Maximum number of actions within any window of this length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Maximum number.
    pub limit: u32,
    /// Length of the window.
    pub window: Duration,
}

impl Quota {
    /// Uploads of a group in an hour.
    pub const UPLOADS_AN_HOUR: Self = Self { limit: 6, window: Duration::from_hours(1) };
    /// Uploads of a group in a day.
    pub const UPLOADS_A_DAY: Self = Self { limit: 30, window: Duration::from_hours(24) };
    /// Pairs that a group may request in a day.
    pub const ASKED_PAIRS_A_DAY: Self = Self { limit: 10, window: Duration::from_hours(24) };

    /// Attempts allowed for each one that counts.
    const ATTEMPTS: u32 = 4;

    /// Quota of attempts, so that refused attempts, which do not count, cannot flood the server.
    #[must_use]
    pub fn of_attempts(self) -> Self {
        Self { limit: self.limit.saturating_mul(Self::ATTEMPTS), ..self }
    }

    /// Waiting time until one more action is within all quotas. `None` if it is now. `past`
    /// contains all counted actions in any order.
    pub fn wait(quotas: &[Self], past: &[Utc], now: Utc) -> Option<Duration> {
        quotas.iter().filter_map(|quota| quota.wait_of_one(past, now)).max()
    }

    fn wait_of_one(&self, past: &[Utc], now: Utc) -> Option<Duration> {
        if self.limit == 0 {
            return Some(self.window);
        }
        let begin = now.minus(self.window);
        let mut recent: Vec<Utc> = past.iter().copied().filter(|&at| at > begin).collect();
        recent.sort_unstable();
        // Once this action leaves the window, one less than the limit is in it.
        let first = recent.len().checked_sub(self.limit as usize)?;
        Some(recent[first].plus(self.window).since(now).max(Duration::from_millis(1)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const QUOTA: Quota = Quota { limit: 3, window: Duration::from_millis(100) };

    #[test]
    fn the_wait_ends_when_the_oldest_leaves_the_window() {
        let past = [Utc(30), Utc(10), Utc(20)];
        assert_eq!(Quota::wait(&[QUOTA], &past[..2], Utc(31)), None);
        assert_eq!(Quota::wait(&[QUOTA], &past, Utc(31)), Some(Duration::from_millis(79)));
        assert_eq!(Quota::wait(&[QUOTA], &past, Utc(110)), None);
    }

    #[test]
    fn the_longest_wait_of_several_counts() {
        let day = Quota { limit: 4, window: Duration::from_secs(1) };
        let past = [Utc(0), Utc(1), Utc(2), Utc(3)];
        assert_eq!(Quota::wait(&[QUOTA, day], &past, Utc(4)), Some(Duration::from_millis(996)));
    }

    #[test]
    fn nothing_is_within_a_quota_of_none() {
        let none = Quota { limit: 0, window: Duration::from_secs(1) };
        assert_eq!(Quota::wait(&[none], &[], Utc(0)), Some(Duration::from_secs(1)));
    }

    proptest! {
        /// Retrying after each wait never exceeds the limit within a window.
        #[test]
        fn no_window_has_more_than_the_limit(steps in prop::collection::vec(0_i64..60, 1..40)) {
            let mut now = Utc(0);
            let mut done: Vec<Utc> = Vec::new();
            for step in steps {
                now.0 += step;
                if let Some(wait) = Quota::wait(&[QUOTA], &done, now) {
                    now = now.plus(wait);
                    prop_assert_eq!(Quota::wait(&[QUOTA], &done, now), None);
                }
                done.push(now);
                let begin = now.minus(QUOTA.window);
                prop_assert!(done.iter().filter(|&&at| at > begin).count() <= 3);
            }
        }
    }
}
