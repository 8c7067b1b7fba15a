//! Practice format: pairs chosen one by one by a practice server, for a changing set of bots.

use std::collections::VecDeque;

use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Game, Places};

use super::ladder::tiers_by_elo;
use super::numbered_pairings;
use crate::format::{Batch, Expected};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::{Format, Next, Pairing};

/// Stored pairings in order. Bots are placed by Elo, because their opponents are not equally
/// strong.
///
/// Games of a replaced version do not belong to the current version, so results have gaps.
#[derive(Debug)]
struct Practice {
    bots: usize,
    pairs: u64,
    queue: VecDeque<Pairing>,
    games: Vec<Game>,
}

impl Format for Practice {
    fn next(&mut self) -> Next {
        self.queue.pop_front().map_or(Next::Done, Next::Pairing)
    }

    fn expected(&self) -> Expected {
        Expected::exactly(self.pairs)
    }

    fn looks_at_results(&self) -> bool {
        true
    }

    fn accepts_gaps(&self) -> bool {
        true
    }

    fn on_result(&mut self, game: &Game) {
        self.games.push(*game);
    }

    fn places(&self) -> Places {
        Places { tiers: tiers_by_elo(self.bots, &self.games), ..Places::default() }
    }
}

/// Settings of a practice ladder: none, because the server decides.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PracticePlan {}

impl Settings for PracticePlan {
    const KEYS: &'static [&'static str] = &[];

    fn read(_: &StageKeys<'_>, _: &mut Diagnostics<'_>) -> Self {
        Self {}
    }
}

impl Kind for PracticePlan {
    fn write(&self, _: &mut String) {}

    fn describe(&self, _: &str, _: usize) -> String {
        "practice ladder".into()
    }

    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format> {
        let queue: VecDeque<_> = kept.iter().flat_map(numbered_pairings).collect();
        let (bots, pairs) = (stage.count(), queue.len() as u64);
        Box::new(Practice { bots, pairs, queue, games: Vec::new() })
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn pairs_by_results(&self) -> bool {
        true
    }

    fn can_be_followed(&self) -> bool {
        false
    }

    fn highest_pair(&self, _: u32) -> u32 {
        u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BotId, BySide, Mark};
    use pitmaster_ratings::PairId;

    use super::*;
    use crate::format::{Decision, KeptDecision, Meeting};
    use crate::{FormatKind, FormatPlan, PlannedBot, StagePlan};

    fn bot(name: &str, hash: &str) -> PlannedBot {
        let id = BotId { name: name.parse().unwrap(), hash: BotHash::of(hash.as_bytes()) };
        PlannedBot { id, dialect: pitmaster_core::Dialect::default(), anchor: None }
    }

    fn decided(bots: &[PlannedBot], pairs: &[[usize; 2]]) -> Vec<KeptDecision> {
        let decision = |(&[one, other], number): (&[usize; 2], u32)| {
            let meeting = Meeting { one, other: Some(other), first_pair: number, pairs: 1 };
            let batch = Batch { round: 0, meetings: vec![meeting] };
            KeptDecision::new(&Decision::Batch { stage: 1, batch }, bots)
        };
        pairs.iter().zip(1..).map(decision).collect()
    }

    fn started(bots: &[PlannedBot], kept: &[KeptDecision]) -> Box<dyn Format> {
        let kind = FormatKind::Practice(PracticePlan {});
        let plan = FormatPlan {
            stages: vec![StagePlan { kind, ..StagePlan::default() }],
            ..FormatPlan::default()
        };
        let start = super::super::Start { plan: &plan, seed: pitmaster_core::Seed(1), bots };
        super::super::start(&start, kept)
    }

    #[test]
    fn pairs_are_given_as_they_were_decided_and_no_others() {
        let bots = ["a", "b", "c"].map(|name| bot(name, name));
        let kept = decided(&bots, &[[0, 1], [2, 0], [1, 2]]);
        let mut format = started(&bots, &kept);
        assert_eq!(format.expected(), Expected::exactly(3));
        for wanted in [[0, 1], [2, 0], [1, 2]] {
            let Next::Pairing(pairing) = format.next() else { panic!("a pairing") };
            assert_eq!((pairing.bots, pairing.stage, pairing.round), (wanted, 1, 0));
        }
        assert_eq!(format.next(), Next::Done);
    }

    #[test]
    fn a_bot_that_is_gone_gives_nobody_a_bye() {
        let bots = ["a", "b", "c"].map(|name| bot(name, name));
        let kept = decided(&bots, &[[0, 1], [2, 0], [1, 2]]);
        let mut format = started(&bots[..2], &kept);
        assert!(matches!(format.next(), Next::Pairing(pairing) if pairing.bots == [0, 1]));
        assert_eq!(format.next(), Next::Done);
        assert_eq!(format.places().byes(0), 0);
    }

    #[test]
    fn bots_are_placed_by_elo_and_gaps_do_no_harm() {
        let bots = ["a", "b"].map(|name| bot(name, name));
        let mut format = started(&bots, &decided(&bots, &[[0, 1], [0, 1]]));
        assert!(format.accepts_gaps());
        for number in 1..=4 {
            let marks = BySide::new(Mark::Loss, Mark::Win);
            let pair = PairId { stage: 1, round: 0, number };
            let bots = BySide::new(0, 1);
            let (fingerprint, faults) = (number.into(), BySide::default());
            format.on_result(&Game { fingerprint, bots, pair, marks, faults });
        }
        assert_eq!((format.places().tier(0), format.places().tier(1)), (1, 0));
    }
}
