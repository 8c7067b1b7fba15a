//! Speed and estimated time left of a run.
//!
//! The estimate averages over all games played so far, so that it changes slowly.

use std::time::{Duration, Instant};

use pitmaster_tournament::show_duration;

/// Minimum number of games for an estimate.
const FEW: u64 = 4;

/// Progress of a run since its start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    began: Instant,
    /// Number of games stored before the start.
    known: u64,
}

impl Pace {
    /// Starts now, with this number of stored games.
    pub(super) fn from(known: u64) -> Self {
        Self { began: Instant::now(), known }
    }

    /// Speed and time left, such as `12.3 games/s, about 4m left`.
    pub(super) fn text(&self, done: u64, games: u64) -> String {
        let played = done.saturating_sub(self.known);
        text(played, games.saturating_sub(done), self.began.elapsed())
    }
}

fn text(played: u64, left: u64, took: Duration) -> String {
    let rate = rate(played, took);
    if played < FEW {
        return format!("{rate}, time left unknown");
    }
    let seconds = took.as_secs_f64() / played as f64 * left as f64;
    format!("{rate}, about {} left", show_duration(rounded(seconds)))
}

/// Rounds an estimate up to about two digits: `1h20m`, `4m10s`, `25s`.
fn rounded(seconds: f64) -> Duration {
    let step = match seconds {
        seconds if seconds < 60.0 => 1.0,
        seconds if seconds < 600.0 => 10.0,
        seconds if seconds < 3600.0 => 60.0,
        seconds if seconds < 36_000.0 => 600.0,
        _ => 3600.0,
    };
    Duration::from_secs_f64(((seconds / step).ceil() * step).clamp(1.0, 1e9))
}

/// Speed per second, minute or hour, whichever first has at least one game.
pub(super) fn rate(games: u64, took: Duration) -> String {
    let second = games as f64 / took.as_secs_f64().max(1e-3);
    match second {
        _ if games == 0 => "no games yet".into(),
        second if second >= 1.0 => format!("{second:.1} games/s"),
        second if second * 60.0 >= 1.0 => format!("{:.1} games/min", second * 60.0),
        second => format!("{:.1} games/h", (second * 3600.0).max(0.1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(played: u64, left: u64, seconds: u64) -> String {
        text(played, left, Duration::from_secs(seconds))
    }

    #[test]
    fn a_rate_is_never_nothing() {
        assert_eq!(after(0, 100, 10), "no games yet, time left unknown");
        assert_eq!(after(30, 0, 10), "3.0 games/s, about 1s left");
        assert_eq!(after(3, 97, 300), "36.0 games/h, time left unknown");
        assert_eq!(after(4, 96, 300), "48.0 games/h, about 2h left");
        assert_eq!(after(10, 90, 100), "6.0 games/min, about 15m left");
        assert_eq!(after(50, 50, 100_000_000), "0.1 games/h, about 27778h left");
    }

    #[test]
    fn the_time_left_does_not_leap() {
        // Games of 2 s, then one of 20 s: the mean moves by a tenth at most.
        let left = |played: u64, seconds: u64| {
            rounded(seconds as f64 / played as f64 * (1000 - played) as f64).as_secs_f64()
        };
        let (before, after) = (left(200, 400), left(201, 420));
        assert!((after - before).abs() / before < 0.1, "{before} {after}");
    }
}
