//! Comparability of bots: groups that never met, divided into blocks of bots that have all scored
//! against each other.

use super::cells::Cell;
use super::model::{Anchor, Model, Tie};

/// Bots grouped by their games.
#[derive(Debug)]
pub(super) struct Blocks {
    /// Block of every bot.
    pub(super) of: Vec<usize>,
    /// Bots of every block, in order.
    pub(super) members: Vec<Vec<usize>>,
    /// Group of every bot, numbered by the first bots of the groups; `None` for a bot that cannot
    /// be compared with any other.
    pub(super) group: Vec<Option<u32>>,
    /// Number of groups.
    pub(super) groups: u32,
    /// Whether a bot's rating is given.
    pub(super) anchored: Vec<bool>,
    anchored_groups: Vec<bool>,
}

impl Blocks {
    /// Anchors count as if they had met and drawn, because their difference is known.
    pub(super) fn new(bots: usize, cells: &[Cell], anchors: &[Anchor]) -> Self {
        let takes = Takes::new(bots, cells, anchors);
        Self::grouped(takes.components(), &takes.met(), anchors)
    }

    /// Groups as blocks, for fits with finite ratings where all bots that met or are tied can be
    /// compared. Also returns the blocks of the games alone.
    pub(super) fn connected(bots: usize, cells: &[Cell], model: &Model) -> [Self; 2] {
        let Model { anchors, ties, .. } = model;
        let takes = Takes::new(bots, cells, anchors);
        let mut met = takes.met();
        link(&mut met, anchors, ties);
        [components(&met, &met), takes.components()].map(|of| Self::grouped(of, &met, anchors))
    }

    /// Creates blocks and the groups of bots that met.
    fn grouped(of: Vec<usize>, met: &[Vec<usize>], anchors: &[Anchor]) -> Self {
        let mut anchored = vec![false; of.len()];
        for anchor in anchors {
            anchored[anchor.bot as usize] = true;
        }
        let mut members = vec![Vec::new(); of.iter().map(|block| block + 1).max().unwrap_or(0)];
        for (bot, &block) in of.iter().enumerate() {
            members[block].push(bot);
        }
        let (group, groups) = groups(met, &anchored);
        let mut anchored_groups = vec![false; groups as usize];
        for (group, _) in group.iter().zip(&anchored).filter(|(_, anchored)| **anchored) {
            if let Some(group) = group {
                anchored_groups[*group as usize] = true;
            }
        }
        Self { of, members, group, groups, anchored, anchored_groups }
    }

    /// Whether a group has an anchor.
    pub(super) fn is_anchored(&self, group: u32) -> bool {
        self.anchored_groups[group as usize]
    }
}

/// Graph of scores between bots, in both directions.
struct Takes {
    from: Vec<Vec<usize>>,
    by: Vec<Vec<usize>>,
}

impl Takes {
    fn new(bots: usize, cells: &[Cell], anchors: &[Anchor]) -> Self {
        let mut takes = Self { from: vec![Vec::new(); bots], by: vec![Vec::new(); bots] };
        for cell in cells {
            if cell.wins + cell.draws > 0.0 {
                takes.add(cell.one, cell.two);
            }
            if cell.losses + cell.draws > 0.0 {
                takes.add(cell.two, cell.one);
            }
        }
        for two in anchors.windows(2) {
            takes.add(two[0].bot as usize, two[1].bot as usize);
            takes.add(two[1].bot as usize, two[0].bot as usize);
        }
        takes
    }

    /// Adds an edge. Cells of the same two bots are adjacent, so most duplicates are detected at
    /// once.
    fn add(&mut self, taker: usize, giver: usize) {
        if self.from[taker].last() != Some(&giver) {
            self.from[taker].push(giver);
            self.by[giver].push(taker);
        }
    }

    /// Opponents of every bot.
    fn met(&self) -> Vec<Vec<usize>> {
        let both = |(from, by): (&Vec<usize>, &Vec<usize>)| [&from[..], &by[..]].concat();
        self.from.iter().zip(&self.by).map(both).collect()
    }

    fn components(&self) -> Vec<usize> {
        components(&self.from, &self.by)
    }
}

/// Links the two players of every tie, unless neither can be compared with any other bot.
fn link(met: &mut [Vec<usize>], anchors: &[Anchor], ties: &[Tie]) {
    let mut is_compared: Vec<bool> = met.iter().map(|opponents| !opponents.is_empty()).collect();
    for anchor in anchors {
        is_compared[anchor.bot as usize] = true;
    }
    let mut left: Vec<[usize; 2]> =
        ties.iter().map(|tie| [tie.older, tie.newer].map(|bot| bot as usize)).collect();
    loop {
        let before = left.len();
        left.retain(|&[older, newer]| {
            let is_linked = is_compared[older] || is_compared[newer];
            if is_linked {
                met[older].push(newer);
                met[newer].push(older);
                (is_compared[older], is_compared[newer]) = (true, true);
            }
            !is_linked
        });
        if left.len() == before {
            break;
        }
    }
}

/// Strongly connected component of every node (Kosaraju), numbered by their first nodes. `back`
/// contains the edges reversed.
fn components(edges: &[Vec<usize>], back: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for node in 0..edges.len() {
        visit(edges, node, &mut seen, &mut finished);
    }
    let mut first = vec![usize::MAX; edges.len()];
    let mut seen = vec![false; edges.len()];
    for &node in finished.iter().rev() {
        let mut component = Vec::new();
        visit(back, node, &mut seen, &mut component);
        let lowest = component.iter().min().copied().unwrap_or(node);
        for member in component {
            first[member] = lowest;
        }
    }
    numbered(&first)
}

/// Group of every bot that is anchored or comparable with another, and their number.
fn groups(met: &[Vec<usize>], anchored: &[bool]) -> (Vec<Option<u32>>, u32) {
    let mut group = vec![None; met.len()];
    let mut seen = vec![false; met.len()];
    let mut groups = 0;
    for (bot, &anchored) in anchored.iter().enumerate() {
        let mut members = Vec::new();
        visit(met, bot, &mut seen, &mut members);
        if members.len() > 1 || (members.len() == 1 && anchored) {
            for member in members {
                group[member] = Some(groups);
            }
            groups += 1;
        }
    }
    (group, groups)
}

/// Unseen bots reachable from `start`, in postorder. Not recursive, because a chain of bots may be
/// long.
fn visit(edges: &[Vec<usize>], start: usize, seen: &mut [bool], finished: &mut Vec<usize>) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.last_mut() {
        if let Some(&neighbour) = edges[*node].get(*next) {
            *next += 1;
            if !seen[neighbour] {
                seen[neighbour] = true;
                path.push((neighbour, 0));
            }
        } else {
            finished.push(*node);
            path.pop();
        }
    }
}

/// Renumbers the classes in the order in which they first occur.
fn numbered(first: &[usize]) -> Vec<usize> {
    let mut number = vec![usize::MAX; first.len()];
    let mut count = 0;
    for (bot, &lowest) in first.iter().enumerate() {
        if bot == lowest {
            number[bot] = count;
            count += 1;
        }
    }
    first.iter().map(|&lowest| number[lowest]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn won(one: usize, two: usize) -> Cell {
        Cell { one, two, wins: 1.0, draws: 0.0, losses: 0.0 }
    }

    #[test]
    fn a_cycle_is_a_block_and_a_chain_is_not() {
        let cells = [won(0, 1), won(1, 2), won(2, 0), won(2, 3), won(3, 4)];
        let blocks = Blocks::new(7, &cells, &[]);
        assert_eq!(blocks.of, [0, 0, 0, 1, 2, 3, 4]);
        assert_eq!(blocks.group[..5], [Some(0); 5]);
        assert_eq!(blocks.group[5..], [None, None]);
    }

    #[test]
    fn anchors_are_connected() {
        let anchors = [Anchor { bot: 0, elo: 0.0 }, Anchor { bot: 2, elo: 9.0 }];
        let blocks = Blocks::new(4, &[won(0, 1), won(1, 2)], &anchors);
        assert_eq!(blocks.of, [0, 0, 0, 1]);
        assert_eq!(Blocks::new(3, &[won(0, 1), won(1, 2)], &[]).members.len(), 3);
    }

    #[test]
    fn groups_never_met() {
        let blocks = Blocks::new(5, &[won(0, 3), won(1, 4)], &[]);
        assert_eq!(blocks.group, [Some(0), Some(1), None, Some(0), Some(1)]);
        assert_eq!(blocks.groups, 2);
    }
}
