//! Suspend detector: notices when this process was stopped by a signal, a debugger or a suspended
//! machine.
//!
//! Games played across such a gap do not count, because a bot's move may have waited in its pipe and
//! would be judged late.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Interval of checks.
const TICK: Duration = Duration::from_millis(500);

/// Gap between two checks above which the process must have been suspended.
const GAP: Duration = Duration::from_secs(3);

/// Detector of gaps in this process's activity.
#[derive(Debug)]
pub(super) struct SuspendDetector {
    start: Instant,
    /// Time of the last check, in milliseconds since the start.
    last_check: AtomicU64,
    /// End of the last gap, in milliseconds since the start; 0 if there was none.
    gap_ended: AtomicU64,
    /// Length of the last gap, in milliseconds.
    gap: AtomicU64,
}

impl SuspendDetector {
    /// Creates a detector with a thread that checks until the returned value is dropped.
    pub(super) fn start() -> Arc<Self> {
        let detector = Arc::new(Self::new());
        let weak = Arc::downgrade(&detector);
        // Without the thread, gaps are still noticed by queries.
        let _ = std::thread::Builder::new().name("suspend".into()).spawn(move || {
            while let Some(detector) = weak.upgrade() {
                detector.check();
                drop(detector);
                std::thread::sleep(TICK);
            }
        });
        detector
    }

    fn new() -> Self {
        let none = || AtomicU64::new(0);
        Self { start: Instant::now(), last_check: none(), gap_ended: none(), gap: none() }
    }

    fn check(&self) {
        self.check_at(self.start.elapsed());
    }

    fn check_at(&self, now: Duration) {
        let now = now.as_millis() as u64;
        let gap = now.saturating_sub(self.last_check.fetch_max(now, Ordering::SeqCst));
        if gap > GAP.as_millis() as u64 {
            self.gap.store(gap, Ordering::SeqCst);
            self.gap_ended.store(now, Ordering::SeqCst);
        }
    }

    /// Length of the last gap, if it ended after the given instant.
    pub(super) fn suspended_since(&self, since: Instant) -> Option<Duration> {
        self.check();
        let since = since.saturating_duration_since(self.start).as_millis() as u64;
        let ended = self.gap_ended.load(Ordering::SeqCst);
        (ended > since).then(|| Duration::from_millis(self.gap.load(Ordering::SeqCst)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_affects_what_started_before_its_end() {
        let detector = SuspendDetector::new();
        for tenths in [5, 10, 15, 20] {
            detector.check_at(Duration::from_millis(tenths * 100));
        }
        assert_eq!(detector.suspended_since(detector.start), None, "checks were regular");
        // Games that started before the end of the gap are affected.
        let (before, after) = (Duration::from_secs(2), Duration::from_secs(9));
        detector.check_at(Duration::from_secs(8));
        let gap = Some(Duration::from_secs(6));
        assert_eq!(detector.suspended_since(detector.start + before), gap);
        assert_eq!(detector.suspended_since(detector.start), gap);
        assert_eq!(detector.suspended_since(detector.start + after), None);
    }
}
