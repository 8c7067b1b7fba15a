//! Round-robin format in groups.

use super::RoundRobin;
use crate::format::Expected;
use crate::{Format, Next, Pairing};

/// Parallel round-robins. Bots are numbered by their seeding and dealt to the groups in a
/// serpentine, so that the groups are equally strong.
#[derive(Debug)]
pub(super) struct Groups(Vec<Group>);

#[derive(Debug)]
struct Group {
    members: Vec<usize>,
    round_robin: RoundRobin,
    given: u64,
}

impl Groups {
    /// Makes the groups; every two bots of a group meet `pairs` times.
    pub(super) fn new(bots: usize, groups: usize, pairs: u32) -> Self {
        let group = |number: usize| {
            let members: Vec<_> =
                (0..bots).filter(|&bot| group_of(bot, groups) == number).collect();
            let round_robin = RoundRobin::new(members.len(), pairs);
            Group { members, round_robin, given: 0 }
        };
        Self((0..groups).map(group).collect())
    }
}

/// Group of a bot, from 0.
pub(super) fn group_of(bot: usize, groups: usize) -> usize {
    let (row, column) = (bot / groups, bot % groups);
    if row.is_multiple_of(2) { column } else { groups - 1 - column }
}

impl Group {
    fn count(&self) -> u64 {
        self.round_robin.expected().pairs
    }

    fn next(&mut self) -> Option<Pairing> {
        let Next::Pairing(pairing) = self.round_robin.next() else { return None };
        self.given += 1;
        Some(Pairing { bots: pairing.bots.map(|bot| self.members[bot]), ..pairing })
    }
}

impl Format for Groups {
    /// Takes the next pairing from the group with the least progress, so that all groups end
    /// together.
    fn next(&mut self) -> Next {
        let open = self.0.iter_mut().filter(|group| group.given < group.count());
        let behind = |a: &&mut Group, b: &&mut Group| {
            let share = |x: &Group, y: &Group| u128::from(x.given) * u128::from(y.count());
            share(a, b).cmp(&share(b, a))
        };
        match open.min_by(behind).and_then(Group::next) {
            Some(pairing) => Next::Pairing(pairing),
            None => Next::Done,
        }
    }

    fn expected(&self) -> Expected {
        Expected::exactly(self.0.iter().map(Group::count).sum())
    }
}

/// First bots of each group: the first of all groups before the second of any.
pub(super) fn first_of_groups(
    order: impl Iterator<Item = usize>,
    groups: usize,
    limit: usize,
) -> Vec<usize> {
    let mut taken = vec![0; groups];
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for bot in order {
        let rank = &mut taken[group_of(bot, groups)];
        if *rank < limit {
            chosen.push((*rank, bot));
        }
        *rank += 1;
    }
    chosen.sort_by_key(|&(rank, _)| rank);
    chosen.into_iter().map(|(_, bot)| bot).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::fixtures::all;
    use super::*;

    #[test]
    fn strong_ones_are_dealt_to_all_groups() {
        let groups: Vec<_> = (0..8).map(|bot| group_of(bot, 3)).collect();
        assert_eq!(groups, [0, 1, 2, 2, 1, 0, 0, 1]);
    }

    #[test]
    fn everybody_meets_its_group_and_nobody_else() {
        let pairings = all(Groups::new(7, 2, 3));
        assert_eq!(pairings.len() as u64, Groups::new(7, 2, 3).expected().pairs);
        let met: HashSet<_> = pairings.iter().map(|p| p.bots).collect();
        assert!(met.iter().all(|bots| group_of(bots[0], 2) == group_of(bots[1], 2)));
        assert_eq!(pairings.len(), 3 * (6 + 3));
    }

    #[test]
    fn groups_come_to_their_end_together() {
        let pairings = all(Groups::new(7, 2, 4));
        let last = pairings.len() - 4;
        let ending: HashSet<_> = pairings[last..].iter().map(|p| group_of(p.bots[0], 2)).collect();
        assert_eq!(ending.len(), 2);
    }
}
