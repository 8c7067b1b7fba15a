//! Search tree of Monte Carlo tree search: counts per node, without positions or moves.

use std::ops::Range;

use pitmaster_core::{Side, below};
use rand::Rng;

/// Root: the position that is searched.
pub(super) const ROOT: usize = 0;

/// Tree as an array of nodes.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// Possible move with its results. Children of a node are in the order of its moves.
#[derive(Debug, Clone)]
struct Node {
    /// Player who made the move.
    mover: Side,
    /// Number of games tried from here.
    visits: u32,
    /// Half points of the mover in them.
    halves: u32,
    /// Children; empty until the node is open.
    children: Range<u32>,
    /// Proven winner.
    won: Option<Side>,
}

impl Node {
    fn new(mover: Side) -> Self {
        Self { mover, visits: 0, halves: 0, children: 0..0, won: None }
    }
}

impl Tree {
    /// Removes all nodes except the root.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(Side::One));
    }

    /// Adds children to a node, with the player who moves to them, and returns their range.
    pub(super) fn open(&mut self, node: usize, mover: Side, children: usize) -> Range<usize> {
        let first = self.nodes.len();
        self.nodes.resize(first + children, Node::new(mover));
        self.nodes[node].children = first as u32..self.nodes.len() as u32;
        first..self.nodes.len()
    }

    /// Children of a node.
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        let Range { start, end } = self.nodes[node].children;
        start as usize..end as usize
    }

    /// Whether a node has children.
    pub(super) fn is_open(&self, node: usize) -> bool {
        !self.nodes[node].children.is_empty()
    }

    /// Proven winner from a node, if known.
    pub(super) fn won(&self, node: usize) -> Option<Side> {
        self.nodes[node].won
    }

    /// Marks a node as the end of a game, won by a side.
    pub(super) fn end(&mut self, node: usize, won: Side) {
        self.nodes[node].won = Some(won);
    }

    /// Uniformly random child that is untried and undecided.
    pub(super) fn untried(&self, node: usize, rng: &mut dyn Rng) -> Option<usize> {
        let untried = || self.undecided(node).filter(|&child| self.nodes[child].visits == 0);
        let count = untried().count() as u64;
        if count == 0 { None } else { untried().nth(below(rng, count) as usize) }
    }

    /// Undecided child with the best upper confidence bound (UCB1): its share of points plus an
    /// exploration term. `bias` is the weight of the latter, in thousandths.
    pub(super) fn most_promising(&self, node: usize, bias: u32) -> usize {
        let tries = (2.0 * f64::from(self.nodes[node].visits.max(1)).ln()).sqrt();
        let weight = f64::from(bias) / 1000.0 * tries;
        let promise = |child: usize| {
            let Node { visits, halves, .. } = self.nodes[child];
            let visits = f64::from(visits.max(1));
            f64::from(halves) / 2.0 / visits + weight / visits.sqrt()
        };
        let best = self.undecided(node).max_by(|&a, &b| promise(a).total_cmp(&promise(b)));
        best.unwrap_or(self.children(node).start)
    }

    fn undecided(&self, node: usize) -> impl Iterator<Item = usize> {
        self.children(node).filter(|&child| self.nodes[child].won.is_none())
    }

    /// Counts a game that passed through these nodes.
    pub(super) fn count(&mut self, path: &[usize], won: Option<Side>) {
        for &node in path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.halves += won.map_or(1, |won| 2 * u32::from(won == node.mover));
        }
    }

    /// Decides the nodes of a path, from its end backwards, as far as their children decide them.
    pub(super) fn decide(&mut self, path: &[usize]) {
        for &node in path.iter().rev() {
            if self.is_open(node) {
                self.nodes[node].won = self.decided(node);
            }
            if self.nodes[node].won.is_none() {
                return;
            }
        }
    }

    /// Winner by the children: the player to move if any child is won, the other if all are lost.
    fn decided(&self, node: usize) -> Option<Side> {
        let children = &self.nodes[self.children(node)];
        let mover = children.first()?.mover;
        if children.iter().any(|child| child.won == Some(mover)) {
            return Some(mover);
        }
        children.iter().all(|child| child.won.is_some()).then_some(mover.other())
    }

    /// Index of the root's best move: a winning one, or else the most visited of those that do not
    /// lose.
    pub(super) fn best(&self) -> usize {
        let worth = |node: &Node| {
            let sure = node.won.map_or(0, |won| if won == node.mover { 1 } else { -1 });
            (sure, node.visits, node.halves)
        };
        let children = self.nodes[self.children(ROOT)].iter().enumerate();
        children.max_by_key(|(_, node)| worth(node)).map_or(0, |(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;

    use super::*;

    /// A root of player 1 with two moves, the first of which has two replies.
    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.clear();
        assert_eq!(tree.open(ROOT, Side::One, 2), 1..3);
        assert_eq!(tree.open(1, Side::Two, 2), 3..5);
        tree
    }

    #[test]
    fn whoever_moved_gets_the_points() {
        let mut tree = tree();
        tree.count(&[ROOT, 1, 3], Some(Side::Two));
        tree.count(&[ROOT, 1, 4], Some(Side::One));
        tree.count(&[ROOT, 2], None);
        let halves = |node: usize| (tree.nodes[node].visits, tree.nodes[node].halves);
        assert_eq!([1, 2, 3, 4].map(halves), [(2, 2), (1, 1), (1, 2), (1, 0)]);
        // With nothing tried out, player 2 follows the reply that won for player 2.
        assert_eq!(tree.most_promising(1, 0), 3);
    }

    #[test]
    fn what_was_tried_less_is_tried_if_the_bias_says_so() {
        let mut tree = tree();
        (0..9).for_each(|_| tree.count(&[ROOT, 1], Some(Side::One)));
        tree.count(&[ROOT, 2], Some(Side::Two));
        assert_eq!(tree.most_promising(ROOT, 0), 1);
        // 1 + b √(2 ln 10 / 9) against b √(2 ln 10): equal at 0.699.
        assert_eq!(tree.most_promising(ROOT, 690), 1);
        assert_eq!(tree.most_promising(ROOT, 710), 2);
    }

    #[test]
    fn one_winning_reply_decides_and_only_all_losing_ones_do() {
        let mut tree = tree();
        tree.end(3, Side::One);
        tree.decide(&[ROOT, 1]);
        assert_eq!([tree.won(1), tree.won(ROOT)], [None, None]);
        assert_eq!(tree.untried(1, &mut Seed(1).stream("untried")), Some(4));
        tree.end(4, Side::One);
        tree.decide(&[ROOT, 1]);
        assert_eq!([tree.won(1), tree.won(ROOT)], [Some(Side::One); 2]);
        assert_eq!(tree.best(), 0);
    }

    #[test]
    fn a_lost_move_is_not_chosen_however_often_it_was_tried() {
        let mut tree = tree();
        (0..9).for_each(|_| tree.count(&[ROOT, 1], Some(Side::One)));
        tree.count(&[ROOT, 2], Some(Side::Two));
        assert_eq!(tree.best(), 0);
        tree.end(4, Side::Two);
        tree.decide(&[ROOT, 1]);
        assert_eq!((tree.won(1), tree.won(ROOT), tree.best()), (Some(Side::Two), None, 1));
        tree.end(2, Side::Two);
        tree.decide(&[ROOT, 2]);
        assert_eq!(tree.won(ROOT), Some(Side::Two));
    }
}
