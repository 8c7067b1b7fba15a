//! Rate limiter of a client.

use std::time::Duration;

use pitmaster_core::At;

use super::LINE_LIMIT;

/// Sustained rate in bytes and lines per second.
const BYTES: f64 = 16.0 * 1024.0;
const LINES: f64 = 50.0;

/// Burst size in seconds of the sustained rate. The longest line fits.
const SAVED: f64 = 2.0;

/// Token bucket of a client.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    bytes: f64,
    lines: f64,
    seen: At,
}

impl Pace {
    pub(super) fn new(now: At) -> Self {
        debug_assert!(LINE_LIMIT as f64 <= SAVED * BYTES, "a line fits");
        Self { bytes: SAVED * BYTES, lines: SAVED * LINES, seen: now }
    }

    /// Counts received bytes and lines. Returns whether they are within the rate.
    pub(super) fn count(&mut self, bytes: usize, lines: usize, now: At) -> bool {
        let passed: Duration = now.since(self.seen);
        self.seen = self.seen.max(now);
        let passed = passed.as_secs_f64();
        self.bytes = (self.bytes + passed * BYTES).min(SAVED * BYTES) - bytes as f64;
        self.lines = (self.lines + passed * LINES).min(SAVED * LINES) - lines as f64;
        self.bytes >= 0.0 && self.lines >= 0.0
    }
}
