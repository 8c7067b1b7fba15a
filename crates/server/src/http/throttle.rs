//! Request rate limiter by account or IP address.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use pitmaster_season::course::Utc;

/// Rate limit of a token bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rate {
    /// Long-term rate, in requests per second.
    pub per_second: f64,
    /// Size of the bucket: requests at once after a pause.
    pub burst: f64,
}

impl Rate {
    /// Rate limit of an account.
    pub(super) const PER_ACCOUNT: Self = Self { per_second: 20.0, burst: 60.0 };
    /// Rate limit of an IP address for guests. Members are not counted by address, because a whole
    /// school may share one.
    pub(super) const PER_ADDRESS: Self = Self { per_second: 100.0, burst: 300.0 };
}

/// Rate limiter with a token bucket for each key. A bucket starts full and is refilled steadily; a
/// request costs one token.
#[derive(Debug)]
pub(super) struct Throttle<K> {
    rate: Rate,
    buckets: HashMap<K, Bucket>,
    /// Number of buckets from which full ones are dropped.
    max_buckets: usize,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    at: Utc,
}

/// Minimum number of keys to keep.
const MIN_BUCKETS: usize = 1024;

impl<K: Hash + Eq> Throttle<K> {
    /// Creates a limiter without buckets.
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, buckets: HashMap::new(), max_buckets: MIN_BUCKETS }
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time until the next request is allowed. The refused request does not count.
    pub(super) fn count(&mut self, key: K, now: Utc) -> Result<(), Duration> {
        self.forget_if_many(now);
        let rate = self.rate;
        let bucket = self.buckets.entry(key).or_insert(Bucket { tokens: rate.burst, at: now });
        bucket.tokens = bucket.filled(rate, now);
        bucket.at = bucket.at.max(now);
        if bucket.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.tokens) / rate.per_second));
        }
        bucket.tokens -= 1.0;
        Ok(())
    }

    /// Drops full buckets once there are many, since a new bucket is full too. Memory is therefore
    /// bounded by the number of active keys.
    fn forget_if_many(&mut self, now: Utc) {
        if self.buckets.len() >= self.max_buckets {
            let rate = self.rate;
            self.buckets.retain(|_, bucket| bucket.filled(rate, now) < rate.burst);
            self.max_buckets = MIN_BUCKETS.max(2 * self.buckets.len());
        }
    }
}

impl Bucket {
    fn filled(&self, rate: Rate, now: Utc) -> f64 {
        let more = now.since(self.at).as_secs_f64() * rate.per_second;
        (self.tokens + more).min(rate.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { per_second: 10.0, burst: 3.0 };

    #[test]
    fn a_burst_and_then_a_steady_rate() {
        let mut throttle = Throttle::new(RATE);
        for _ in 0..3 {
            assert_eq!(throttle.count("ada", Utc(0)), Ok(()));
        }
        assert_eq!(throttle.count("ada", Utc(0)), Err(Duration::from_millis(100)));
        // Others are not affected.
        assert_eq!(throttle.count("bob", Utc(0)), Ok(()));
        assert_eq!(throttle.count("ada", Utc(50)), Err(Duration::from_millis(50)));
        assert_eq!(throttle.count("ada", Utc(100)), Ok(()));
        assert!(throttle.count("ada", Utc(100)).is_err());
        // A pause fills the bucket, and no more.
        let allowed = (0..10).filter(|_| throttle.count("ada", Utc(60_000)).is_ok()).count();
        assert_eq!(allowed, 3);
    }

    #[test]
    fn a_clock_that_goes_back_gives_nothing() {
        let mut throttle = Throttle::new(RATE);
        for _ in 0..3 {
            assert_eq!(throttle.count(1, Utc(1000)), Ok(()));
        }
        assert!(throttle.count(1, Utc(0)).is_err());
        assert!(throttle.count(1, Utc(1000)).is_err());
    }

    #[test]
    fn a_million_addresses_take_bounded_memory() {
        let mut throttle = Throttle::new(RATE);
        for n in 0..1_000_000_i64 {
            assert_eq!(throttle.count(n, Utc(n)), Ok(()));
        }
        assert!(throttle.buckets.len() <= MIN_BUCKETS, "{}", throttle.buckets.len());
    }
}
