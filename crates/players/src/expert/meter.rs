//! Node counter that polls the budget at intervals, on behalf of all search threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::Budget;

/// The budget is asked after so many nodes, so that asking costs nothing.
const INTERVAL: u64 = 1000;

/// What the threads of one search tell each other.
#[derive(Debug, Default)]
pub(super) struct Team {
    /// Nodes of the helpers that are not reported yet.
    nodes: AtomicU64,
    over: AtomicBool,
}

impl Team {
    /// The thread that answers has its answer.
    pub(super) fn end(&self) {
        self.over.store(true, Relaxed);
    }

    /// Nodes of the helpers that nobody has heard of yet.
    pub(super) fn unheard(&self) -> u64 {
        self.nodes.swap(0, Relaxed)
    }
}

/// A helper has no budget of its own: it goes on until the answer is there.
impl Budget for &Team {
    fn spent(&mut self, nodes: u64) -> bool {
        self.nodes.fetch_add(nodes, Relaxed);
        self.over.load(Relaxed)
    }

    fn is_nearly_spent(&self) -> bool {
        self.over.load(Relaxed)
    }
}

/// The nodes of one search.
pub(super) struct Meter<'b> {
    budget: &'b mut dyn Budget,
    helpers: &'b Team,
    /// Of the player's own limit.
    left: u64,
    /// On this thread.
    counted: u64,
    reported: u64,
    /// On all threads, as far as was heard.
    total: u64,
    ask_at: u64,
    stopped: bool,
}

impl<'b> Meter<'b> {
    /// Stops when the budget or so many nodes are spent, those of the helpers included.
    pub(super) fn new(budget: &'b mut dyn Budget, limit: u64, helpers: &'b Team) -> Self {
        let (ask_at, left) = (INTERVAL.min(limit), limit);
        Self { budget, helpers, left, counted: 0, reported: 0, total: 0, ask_at, stopped: false }
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
        self.total
    }

    fn ask(&mut self) {
        let new = self.counted - self.reported + self.helpers.unheard();
        self.reported = self.counted;
        self.total += new;
        self.left = self.left.saturating_sub(new);
        self.stopped |= self.budget.spent(new) || self.left == 0;
        self.ask_at = self.counted + INTERVAL.min(self.left).max(1);
    }
}
