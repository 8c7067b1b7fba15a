//! Clock budget: a search budget that is spent at a point in time.

use std::time::{Duration, Instant};

use pitmaster_players::Budget;

/// A budget that is spent at a point in time. It reads the clock at every query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockBudget {
    began: Instant,
    /// `None`: no end.
    share: Option<Duration>,
    last_look: Instant,
    longest_gap: Duration,
}

impl ClockBudget {
    /// Creates a budget of that duration from an instant on, or an endless one without a share.
    pub fn new(began: Instant, share: Option<Duration>) -> Self {
        Self { began, share, last_look: Instant::now(), longest_gap: Duration::ZERO }
    }

    /// Longest time between two clock readings, by which the end may be missed. On a busy machine
    /// it includes time used by other programs.
    pub fn longest_gap(&self) -> Duration {
        self.longest_gap
    }

    fn has_used(&self, now: Instant, part: u32) -> bool {
        let elapsed = now.saturating_duration_since(self.began);
        self.share.is_some_and(|whole| elapsed >= whole / part)
    }
}

impl Budget for ClockBudget {
    fn spent(&mut self, _: u64) -> bool {
        let now = Instant::now();
        self.longest_gap = self.longest_gap.max(now.saturating_duration_since(self.last_look));
        self.last_look = now;
        self.has_used(now, 1)
    }

    /// A pass takes at least as long as all earlier ones together.
    fn is_nearly_spent(&self) -> bool {
        self.has_used(Instant::now(), 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    #[test]
    fn it_is_spent_when_its_time_has_come() {
        let budget = |ago, share| {
            let began = Instant::now().checked_sub(ago).expect("the machine runs longer");
            let mut budget = ClockBudget::new(began, share);
            (budget.is_nearly_spent(), budget.spent(1))
        };
        let moment = Duration::from_mins(1);
        assert_eq!(budget(Duration::ZERO, Some(HOUR)), (false, false));
        assert_eq!(budget(2 * moment, Some(3 * moment)), (true, false));
        assert_eq!(budget(2 * moment, Some(moment)), (true, true));
        assert_eq!(budget(Duration::ZERO, Some(Duration::ZERO)), (true, true));
        assert_eq!(budget(2 * moment, None), (false, false));
    }
}
