//! Clock of one game: real time as [`At`].

use std::time::{Duration, Instant};

use pitmaster_core::At;

/// Monotonic clock that counts from the start of a game.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    epoch: Instant,
}

impl Clock {
    /// Starts the clock now.
    pub fn start() -> Self {
        Self { epoch: Instant::now() }
    }

    /// The current instant of the game.
    pub fn now(&self) -> At {
        self.at(Instant::now())
    }

    /// Converts a real instant to one of this game.
    pub fn at(&self, instant: Instant) -> At {
        At::START + instant.saturating_duration_since(self.epoch)
    }

    /// Duration until an instant has passed. It is one nanosecond longer than until the instant
    /// itself, because an event exactly at a limit is in time.
    pub fn until_passed(&self, at: At) -> Duration {
        at.since(self.now()) + Duration::from_nanos(1)
    }
}
