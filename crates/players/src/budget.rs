//! Thinking budgets.

use super::NO_LIMIT;

/// Limit on a search. Nodes are moves made on a board while searching.
pub trait Budget {
    /// Reports that this many more nodes were visited. Returns whether the budget is spent, so that
    /// the search must answer now.
    fn spent(&mut self, nodes: u64) -> bool;

    /// Whether too little is left for another pass, which takes several times as long as all
    /// earlier ones.
    fn is_nearly_spent(&self) -> bool;

    /// Number of plies until the referee adjudicates the game, this one included; [`NO_LIMIT`] if
    /// unknown or never.
    fn plies_left(&self) -> u32 {
        NO_LIMIT
    }
}

/// Fixed number of nodes per move. The search is the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nodes {
    left: u64,
}

impl Nodes {
    /// Makes a budget of this many nodes.
    pub fn new(nodes: u64) -> Self {
        Self { left: nodes }
    }
}

impl Budget for Nodes {
    fn spent(&mut self, nodes: u64) -> bool {
        self.left = self.left.saturating_sub(nodes);
        self.left == 0
    }

    /// Never, because a search keeps the results of an unfinished pass.
    fn is_nearly_spent(&self) -> bool {
        self.left == 0
    }
}

/// Unlimited budget, for players that stop by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unlimited;

impl Budget for Unlimited {
    fn spent(&mut self, _: u64) -> bool {
        false
    }

    fn is_nearly_spent(&self) -> bool {
        false
    }
}

/// Budget of a move in a game that is adjudicated after a number of plies.
pub struct Before<'b> {
    budget: &'b mut dyn Budget,
    plies_left: u32,
}

impl std::fmt::Debug for Before<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Before").field("plies_left", &self.plies_left).finish_non_exhaustive()
    }
}

impl<'b> Before<'b> {
    /// Adds the number of plies left, this one included, to a budget.
    pub fn new(budget: &'b mut dyn Budget, plies_left: u32) -> Self {
        Self { budget, plies_left }
    }
}

impl Budget for Before<'_> {
    fn spent(&mut self, nodes: u64) -> bool {
        self.budget.spent(nodes)
    }

    fn is_nearly_spent(&self) -> bool {
        self.budget.is_nearly_spent()
    }

    fn plies_left(&self) -> u32 {
        self.plies_left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_spent_when_so_many_were_visited() {
        let mut nodes = Nodes::new(10);
        assert!(!nodes.spent(9));
        assert!(!nodes.is_nearly_spent());
        assert!(nodes.spent(1));
        assert!(nodes.spent(5));
        assert!(!Unlimited.spent(u64::MAX));
    }
}
