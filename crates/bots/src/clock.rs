//! Clock of one game: real time as [`At`].

use std::time::{Duration, Instant};

use pitmaster_core::At;

/// Counts from the start of a game on the monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    epoch: Instant,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self { epoch: Instant::now() }
    }

    /// The present instant.
    pub fn now(&self) -> At {
        self.at(Instant::now())
    }

    /// A real instant as one of this game.
    pub fn at(&self, instant: Instant) -> At {
        At::START + instant.saturating_duration_since(self.epoch)
    }

    /// How long it is until an instant has passed: one nanosecond longer than until it
    /// comes, because exactly at a limit is in time.
    pub fn until_passed(&self, at: At) -> Duration {
        at.since(self.now()) + Duration::from_nanos(1)
    }
}
