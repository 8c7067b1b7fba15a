//! Thinking budgets.

/// What a search may spend. Nodes are moves that were made on a board while searching.
pub trait Budget {
    /// So many nodes more were visited; whether that was all, and the search must answer with
    /// what it has.
    fn spent(&mut self, nodes: u64) -> bool;

    /// Whether so much is spent that another pass, several times as long as all before, could
    /// hardly be finished.
    fn is_nearly_spent(&self) -> bool;
}

/// So many nodes for each move. The same search on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nodes {
    left: u64,
}

impl Nodes {
    /// At most so many.
    pub fn new(nodes: u64) -> Self {
        Self { left: nodes }
    }
}

impl Budget for Nodes {
    fn spent(&mut self, nodes: u64) -> bool {
        self.left = self.left.saturating_sub(nodes);
        self.left == 0
    }

    /// What is left is worth trying: a search keeps what an unfinished pass found.
    fn is_nearly_spent(&self) -> bool {
        self.left == 0
    }
}

/// As much as it takes: for players that stop by themselves.
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
