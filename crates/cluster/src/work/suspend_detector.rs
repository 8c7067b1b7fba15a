//! Suspend detector: whether this process was stopped for a while by a signal, a debugger or a
//! closed lid.
//!
//! Such time must not be charged to anybody: a bot's answer was in its pipe meanwhile and would
//! look late. Games played across such a gap do not count.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Interval of checks.
const TICK: Duration = Duration::from_millis(500);

/// Gap between two checks above which the process must have been suspended.
const GAP: Duration = Duration::from_secs(3);

/// Records gaps in this process's activity.
#[derive(Debug)]
pub(super) struct Alive {
    start: Instant,
    /// Time of the last check, in milliseconds since the start.
    looked: AtomicU64,
    /// End of the last gap; 0 if there was none.
    gap_ended: AtomicU64,
    /// Length of the last gap.
    gap: AtomicU64,
}

impl Alive {
    /// Starts to watch, until all other holders of the returned value are gone.
    pub(super) fn watch() -> Arc<Self> {
        let alive = Arc::new(Self::begin());
        let watching = Arc::downgrade(&alive);
        // Without it, what claims a game after a gap still notices the gap.
        let _ = std::thread::Builder::new().name("alive".into()).spawn(move || {
            while let Some(alive) = watching.upgrade() {
                alive.look();
                drop(alive);
                std::thread::sleep(TICK);
            }
        });
        alive
    }

    fn begin() -> Self {
        let none = || AtomicU64::new(0);
        Self { start: Instant::now(), looked: none(), gap_ended: none(), gap: none() }
    }

    fn look(&self) {
        self.look_at(self.start.elapsed());
    }

    fn look_at(&self, now: Duration) {
        let now = now.as_millis() as u64;
        let gap = now.saturating_sub(self.looked.fetch_max(now, Ordering::SeqCst));
        if gap > GAP.as_millis() as u64 {
            self.gap.store(gap, Ordering::SeqCst);
            self.gap_ended.store(now, Ordering::SeqCst);
        }
    }

    /// Time for which the process was stopped, if it was since that instant.
    pub(super) fn stopped_since(&self, since: Instant) -> Option<Duration> {
        self.look();
        let since = since.saturating_duration_since(self.start).as_millis() as u64;
        let ended = self.gap_ended.load(Ordering::SeqCst);
        (ended > since).then(|| Duration::from_millis(self.gap.load(Ordering::SeqCst)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_spoils_what_began_before_its_end() {
        let alive = Alive::begin();
        for tenths in [5, 10, 15, 20] {
            alive.look_at(Duration::from_millis(tenths * 100));
        }
        assert_eq!(alive.stopped_since(alive.start), None, "looks were regular");
        // Games begun before the gap are spoiled, later ones are not.
        let (before, after) = (Duration::from_secs(2), Duration::from_secs(9));
        alive.look_at(Duration::from_secs(8));
        let gap = Some(Duration::from_secs(6));
        assert_eq!(alive.stopped_since(alive.start + before), gap);
        assert_eq!(alive.stopped_since(alive.start), gap);
        assert_eq!(alive.stopped_since(alive.start + after), None);
    }
}
