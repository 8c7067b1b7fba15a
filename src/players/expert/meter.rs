//! Counts nodes, and asks the budget now and then whether there are to be more.

use crate::players::Budget;

/// The budget is asked after so many nodes, so that asking costs nothing.
const INTERVAL: u64 = 1000;

/// The nodes of one search.
pub(super) struct Meter<'b> {
    budget: &'b mut dyn Budget,
    /// Of the player's own limit.
    left: u64,
    counted: u64,
    reported: u64,
    ask_at: u64,
    stopped: bool,
}

impl<'b> Meter<'b> {
    /// Stops when the budget or so many nodes are spent.
    pub(super) fn new(budget: &'b mut dyn Budget, limit: u64) -> Self {
        let ask_at = INTERVAL.min(limit);
        Self { budget, left: limit, counted: 0, reported: 0, ask_at, stopped: false }
    }

    /// A move was made on a board.
    pub(super) fn count(&mut self) {
        self.counted += 1;
        if self.counted >= self.ask_at {
            self.ask();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether another pass could hardly be finished.
    pub(super) fn is_nearly_spent(&mut self) -> bool {
        self.ask();
        self.stopped || self.budget.is_nearly_spent()
    }

    /// Reports what was not reported yet, and says how many nodes there were.
    pub(super) fn close(mut self) -> u64 {
        self.ask();
        self.counted
    }

    fn ask(&mut self) {
        let new = self.counted - self.reported;
        self.reported = self.counted;
        self.left = self.left.saturating_sub(new);
        self.stopped |= self.budget.spent(new) || self.left == 0;
        self.ask_at = self.counted + INTERVAL.min(self.left).max(1);
    }
}
