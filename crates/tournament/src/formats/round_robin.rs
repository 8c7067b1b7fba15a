//! Round-robin format: every bot meets every other, interleaved.

use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::Standings;

use super::groups::first_of_groups;
use super::{Groups, numbered};
use crate::format::{Batch, Expected};
use crate::kind::{Entrants, Kind, Settings, in_order};
use crate::read::StageKeys;
use crate::write::line;
use crate::{Format, Next, Pairing};

/// Round-robin in cycles. Every two bots meet once per cycle, so at any time all bots have played
/// about the same number of games. Within a cycle the circle method sets the order: one bot is
/// fixed and the others rotate.
///
/// The plan is computed from the number of the pairing and takes no memory.
///
/// The rounds of the circle are not rounds of the format, and the round is always 0. They shift
/// when a bot is added or removed. If they were part of the game keys, all other games would be
/// lost with them.
#[derive(Debug, Clone)]
pub struct RoundRobin {
    bots: u64,
    pairs: u32,
    next: u64,
}

impl RoundRobin {
    /// Makes a round-robin of this many bots, every two of which meet `pairs` times.
    pub fn new(bots: usize, pairs: u32) -> Self {
        Self { bots: bots as u64, pairs, next: 0 }
    }

    /// Pairings in a cycle.
    fn cycle(&self) -> u64 {
        self.bots * self.bots.saturating_sub(1) / 2
    }

    fn count(&self) -> u64 {
        self.cycle().saturating_mul(u64::from(self.pairs))
    }

    fn pairing(&self, number: u64) -> Pairing {
        let cycle = number / self.cycle();
        let [a, b] = self.meeting(number % self.cycle());
        // The first player alternates, so that an early stop within a pair favors no bot.
        let bots = if cycle.is_multiple_of(2) { [a, b] } else { [b, a] };
        Pairing { stage: 1, round: 0, bots, pair: cycle as u32 + 1 }
    }

    /// Bots that meet at a point of a cycle.
    fn meeting(&self, number: u64) -> [usize; 2] {
        let odd = self.bots % 2;
        // Number of rotating bots. With an odd number of bots, the fixed position is empty, and its
        // opponent has a bye.
        let turning = self.bots - 1 + odd;
        let per_round = self.bots / 2;
        let (round, slot) = (number / per_round, number % per_round + odd);
        let one = (round + slot) % turning;
        let other = if slot == 0 { turning } else { (round + turning - slot) % turning };
        // Every bot is equally often first and second, regardless of its slot.
        if number.is_multiple_of(2) {
            [one as usize, other as usize]
        } else {
            [other as usize, one as usize]
        }
    }
}

impl Format for RoundRobin {
    fn next(&mut self) -> Next {
        let count = self.count();
        let number = numbered(&mut self.next, count);
        number.map_or(Next::Done, |number| Next::Pairing(self.pairing(number)))
    }

    fn expected(&self) -> Expected {
        Expected::exactly(self.count())
    }
}

/// Settings of a round-robin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRobinPlan {
    /// The number of groups.
    pub groups: u32,
}

impl Default for RoundRobinPlan {
    fn default() -> Self {
        Self { groups: 1 }
    }
}

impl Settings for RoundRobinPlan {
    const KEYS: &'static [&'static str] = &["pairs", "groups", "seeding"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        Self { groups: keys.integer("groups", 1, 1000, 1, diagnostics) as u32 }
    }
}

impl Kind for RoundRobinPlan {
    fn write(&self, out: &mut String) {
        if self.groups > 1 {
            line(out, "groups", &self.groups.to_string());
        }
    }

    fn describe(&self, pairs: &str, _: usize) -> String {
        match self.groups {
            1 => format!("round-robin, {pairs} each"),
            groups => format!("{groups} groups, {pairs} each"),
        }
    }

    fn start(&self, stage: &Entrants<'_>, _: Vec<Batch>) -> Box<dyn Format> {
        match self.groups {
            1 => Box::new(RoundRobin::new(stage.count(), stage.pairs)),
            groups => Box::new(Groups::new(stage.count(), groups as usize, stage.pairs)),
        }
    }

    fn misfit(&self, bots: usize) -> Option<String> {
        let groups = self.groups;
        (groups as usize * 2 > bots)
            .then(|| format!("{groups} groups of {bots} bots are too many: each needs two bots"))
    }

    fn is_seeded(&self) -> bool {
        self.groups > 1
    }

    fn going_on(&self, limit: usize, bots: usize) -> usize {
        limit.saturating_mul(self.groups as usize).min(bots)
    }

    fn choose(&self, standings: &Standings, limit: usize, _: &Entrants<'_>) -> Vec<usize> {
        match self.groups {
            1 => in_order(standings).take(limit).collect(),
            groups => first_of_groups(in_order(standings), groups as usize, limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::fixtures;
    use super::*;

    fn all(bots: usize, pairs: u32) -> Vec<Pairing> {
        fixtures::all(RoundRobin::new(bots, pairs))
    }

    #[test]
    fn the_order_is_pinned_because_files_stand_in_it() {
        let text = |bots| {
            let shown = all(bots, 2).into_iter().map(|p| format!("{}-{}", p.bots[0], p.bots[1]));
            shown.collect::<Vec<_>>().join(" ")
        };
        insta::assert_snapshot!(text(4), @"0-3 2-1 1-3 0-2 2-3 1-0 3-0 1-2 3-1 2-0 3-2 0-1");
        insta::assert_snapshot!(text(3), @"1-2 0-2 0-1 2-1 2-0 1-0");
    }

    #[test]
    fn nobody_and_one_alone_are_done_at_once() {
        assert_eq!(all(0, 5), []);
        assert_eq!(all(1, 5), []);
    }

    #[test]
    fn two_million_pairings_are_only_counted() {
        let mut format = RoundRobin::new(2001, 1_000_000);
        assert_eq!(format.expected().pairs, 2_001_000 * 1_000_000);
        format.next = 2_001_000 * 1_000_000 - 1;
        assert!(matches!(format.next(), Next::Pairing(_)));
        assert_eq!(format.next(), Next::Done);
    }

    proptest! {
        #[test]
        fn every_two_meet_as_often_as_asked(bots in 2_usize..40, pairs in 1_u32..4) {
            let mut met: HashMap<(usize, usize), Vec<u32>> = HashMap::new();
            for Pairing { bots: [a, b], pair, .. } in all(bots, pairs) {
                prop_assert!(a != b && a < bots && b < bots);
                met.entry((a.min(b), a.max(b))).or_default().push(pair);
            }
            prop_assert_eq!(met.len(), bots * (bots - 1) / 2);
            prop_assert!(met.values().all(|numbers| numbers.iter().copied().eq(1..=pairs)));
        }

        #[test]
        fn at_any_time_all_have_played_about_as_much(bots in 2_usize..40, pairs in 1_u32..4) {
            let mut played = vec![0_u32; bots];
            for pairing in all(bots, pairs) {
                for bot in pairing.bots {
                    played[bot] += 1;
                }
                let (least, most) = (played.iter().min(), played.iter().max());
                prop_assert!(most.unwrap() - least.unwrap() <= 2, "{:?}", played);
            }
        }

        #[test]
        fn over_two_cycles_all_begin_equally_often(bots in 2_usize..40) {
            let mut first = vec![0_i64; bots];
            for pairing in all(bots, 2) {
                first[pairing.bots[0]] += 1;
                first[pairing.bots[1]] -= 1;
            }
            prop_assert!(first.iter().all(|balance| *balance == 0), "{:?}", first);
        }
    }
}
