//! Node counter that polls the budget at intervals, on behalf of all search threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::Budget;

/// Number of nodes between polls of the budget, so that polling is cheap.
const INTERVAL: u64 = 1000;

/// State shared by the threads of one search.
#[derive(Debug, Default)]
pub(super) struct Team {
    /// Nodes of the helpers that have not been reported yet.
    nodes: AtomicU64,
    over: AtomicBool,
}

impl Team {
    /// Reports that the answering thread has finished.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// Takes the unreported nodes of the helpers.
    pub(super) fn take_unreported(&self) -> u64 {
        self.nodes.swap(0, Relaxed)
    }
}

/// A helper has no budget of its own: it continues until the answer is found.
impl Budget for &Team {
    fn spent(&mut self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Relaxed);
        self.over.load(Relaxed)
    }

    fn is_nearly_spent(&self) -> bool {
        self.over.load(Relaxed)
    }
}

/// Node counter of one search.
pub(super) struct Meter<'b> {
    budget: &'b mut dyn Budget,
    helpers: &'b Team,
    /// Rest of the player's own limit.
    left: u64,
    /// Nodes on this thread.
    counted: u64,
    reported: u64,
    /// Nodes on all threads, as far as reported.
    total: u64,
    ask_at: u64,
    stopped: bool,
}

impl<'b> Meter<'b> {
    /// Makes a meter that stops when the budget or the limit is spent, including the helpers'
    /// nodes.
    pub(super) fn new(budget: &'b mut dyn Budget, limit: u64, helpers: &'b Team) -> Self {
        let (ask_at, left) = (INTERVAL.min(limit), limit);
        Self { budget, helpers, left, counted: 0, reported: 0, total: 0, ask_at, stopped: false }
    }

    /// Counts a move made on a board.
    pub(super) fn count(&mut self) {
        self.counted += 1;
        if self.counted >= self.ask_at {
            self.ask();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether another pass would probably not finish.
    pub(super) fn is_nearly_spent(&mut self) -> bool {
        self.ask();
        self.stopped || self.budget.is_nearly_spent()
    }

    /// Reports all unreported nodes and returns the total.
    pub(super) fn close(mut self) -> u64 {
        self.ask();
        self.total
    }

    fn ask(&mut self) {
        let new = self.counted - self.reported + self.helpers.take_unreported();
        self.reported = self.counted;
        self.total += new;
        self.left = self.left.saturating_sub(new);
        self.stopped |= self.budget.spent(new) || self.left == 0;
        self.ask_at = self.counted + INTERVAL.min(self.left).max(1);
    }
}
