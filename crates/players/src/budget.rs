//! Thinking budgets.

/// Limit on a search. Nodes are moves made on a board while searching.
pub trait Budget {
    /// Reports that this many more nodes were visited. Returns whether the budget is spent, so that
    /// the search must answer with what it has.
    fn spent(&mut self, nodes: u64) -> bool;

    /// Whether the budget is too far spent to finish another pass, which takes several times as
    /// long as all before.
    fn is_nearly_spent(&self) -> bool;
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

    /// Always uses the remaining nodes: a search keeps what an unfinished pass found.
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
