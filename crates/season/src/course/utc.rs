//! Instants of a course.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// An instant: milliseconds since the beginning of 1970, UTC.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Utc(pub i64);

impl Utc {
    /// Reads a date and a time of day in UTC, as forms send them: `2026-11-20T22:59`.
    pub fn of_minute(text: &str) -> Option<Self> {
        let civil: jiff::civil::DateTime = text.parse().ok()?;
        let zoned = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Self(zoned.timestamp().as_millisecond()))
    }

    /// The instant this much later.
    #[must_use]
    pub fn plus(self, time: Duration) -> Self {
        Self(self.0.saturating_add(millis(time)))
    }

    /// The instant this much earlier.
    #[must_use]
    pub fn minus(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(millis(time)))
    }

    /// Time since an earlier instant; zero if that one is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0).try_into().unwrap_or(0))
    }
}

fn millis(time: Duration) -> i64 {
    time.as_millis().try_into().unwrap_or(i64::MAX)
}

impl fmt::Display for Utc {
    /// As in RFC 3339: `2026-11-20T22:59:00.000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(time) => write!(f, "{time:.3}"),
            Err(_) => write!(f, "{} ms", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_as_in_rfc_3339() {
        assert_eq!(Utc(1_795_215_540_000).to_string(), "2026-11-20T22:59:00.000Z");
        assert_eq!(Utc(i64::MAX).to_string(), format!("{} ms", i64::MAX));
    }

    #[test]
    fn forms_send_minutes() {
        assert_eq!(Utc::of_minute("2026-11-20T22:59"), Some(Utc(1_795_215_540_000)));
        for text in ["", "tomorrow", "2026-02-30T00:00", "2026-11-20T25:00"] {
            assert_eq!(Utc::of_minute(text), None, "{text}");
        }
    }

    #[test]
    fn sums_and_differences_stay_in_range() {
        let day = Duration::from_hours(24);
        assert_eq!(Utc(0).plus(day).since(Utc(0)), day);
        assert_eq!(Utc(0).minus(day).plus(day), Utc(0));
        assert_eq!(Utc(0).since(Utc(1)), Duration::ZERO);
        assert_eq!(Utc(5).plus(Duration::MAX), Utc(i64::MAX));
        assert_eq!(Utc(i64::MAX).since(Utc(i64::MIN)), Duration::from_millis(i64::MAX as u64));
    }
}
