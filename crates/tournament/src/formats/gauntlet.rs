//! Gauntlet format: one or several bots against the field.

use pitmaster_core::BotName;
use pitmaster_core::diagnostics::Diagnostics;

use super::numbered;
use crate::format::{Batch, Expected};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::{line, names};
use crate::{Format, Located, Next, Pairing};

/// Gauntlet in cycles. In each cycle every head meets every bot of the field once. Heads do not
/// meet each other.
///
/// The plan is computed from the number of the pairing and takes no memory.
#[derive(Debug, Clone)]
pub(super) struct Gauntlet {
    heads: Vec<usize>,
    field: Vec<usize>,
    pairs: u32,
    next: u64,
}

impl Gauntlet {
    /// Makes a gauntlet of these heads against all others of this many bots.
    pub(super) fn new(heads: Vec<usize>, bots: usize, pairs: u32) -> Self {
        let field = (0..bots).filter(|bot| !heads.contains(bot)).collect();
        Self { heads, field, pairs, next: 0 }
    }

    fn cycle(&self) -> u64 {
        (self.heads.len() * self.field.len()) as u64
    }

    fn count(&self) -> u64 {
        self.cycle().saturating_mul(u64::from(self.pairs))
    }

    fn pairing(&self, number: u64) -> Pairing {
        let (cycle, place) = (number / self.cycle(), (number % self.cycle()) as usize);
        let head = self.heads[place % self.heads.len()];
        let other = self.field[place / self.heads.len()];
        // The first player alternates, so that an early stop within a pair favors no bot.
        let begins = (cycle + place as u64).is_multiple_of(2);
        let bots = if begins { [head, other] } else { [other, head] };
        Pairing { stage: 1, round: 0, bots, pair: cycle as u32 + 1 }
    }
}

impl Format for Gauntlet {
    fn next(&mut self) -> Next {
        let count = self.count();
        let number = numbered(&mut self.next, count);
        number.map_or(Next::Done, |number| Next::Pairing(self.pairing(number)))
    }

    fn expected(&self) -> Expected {
        Expected::exactly(self.count())
    }
}

/// Settings of a gauntlet.
#[derive(Debug, Clone, PartialEq)]
pub struct GauntletPlan {
    /// Bots that meet all others.
    pub against: Vec<Located<BotName>>,
}

impl Settings for GauntletPlan {
    const KEYS: &'static [&'static str] = &["pairs", "against"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        Self { against: keys.some_against(diagnostics) }
    }
}

impl Kind for GauntletPlan {
    fn write(&self, out: &mut String) {
        line(out, "against", &names(&self.against));
    }

    fn describe(&self, pairs: &str, _: usize) -> String {
        format!("gauntlet, {pairs} each")
    }

    fn start(&self, stage: &Entrants<'_>, _: Vec<Batch>) -> Box<dyn Format> {
        let heads = stage.places(&self.against);
        Box::new(Gauntlet::new(heads, stage.count(), stage.pairs))
    }

    fn against(&self) -> &[Located<BotName>] {
        &self.against
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::fixtures::all;
    use super::*;

    #[test]
    fn heads_meet_the_field_and_not_each_other() {
        let mut met: HashMap<[usize; 2], Vec<u32>> = HashMap::new();
        for Pairing { mut bots, pair, .. } in all(Gauntlet::new(vec![1, 3], 5, 3)) {
            bots.sort_unstable();
            met.entry(bots).or_default().push(pair);
        }
        let mut pairs: Vec<_> = met.keys().copied().collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [[0, 1], [0, 3], [1, 2], [1, 4], [2, 3], [3, 4]]);
        assert!(met.values().all(|numbers| *numbers == [1, 2, 3]));
    }

    #[test]
    fn nobody_to_meet_is_done_at_once() {
        assert_eq!(all(Gauntlet::new(vec![0], 1, 3)), []);
        assert_eq!(all(Gauntlet::new(vec![], 3, 3)), []);
    }

    #[test]
    fn both_begin_about_equally_often() {
        let pairings = all(Gauntlet::new(vec![0], 8, 2));
        let first = pairings.iter().filter(|pairing| pairing.bots[0] == 0).count();
        assert_eq!((first, pairings.len()), (7, 14));
    }
}
