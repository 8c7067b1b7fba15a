//! Knockout format: the loser of a match is eliminated.

use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_ratings::{Game, PointsFor};

use super::{PairingRule, Rounds, UNSTATED_ROUNDS};
use crate::Format;
use crate::format::{Batch, Bound, Expected, Meeting};
use crate::kind::{Entrants, Kind, Settings};
use crate::read::StageKeys;
use crate::write::line;

/// Knockout of bots that are numbered by their seeding, the strongest first.
///
/// The bracket is the standard one: if the higher seed always wins, the first meets the second in
/// the final, and the last seeds get no byes while others lack an opponent. A match consists of
/// pairs. If it is tied, additional pairs are played, one at a time, up to a maximum; then the
/// higher seed advances.
#[derive(Debug, Clone)]
pub(super) struct Knockout {
    pub(super) bots: usize,
    pub(super) pairs: u32,
    /// Maximum number of additional pairs of a tied match.
    pub(super) extra: u32,
    /// Whether the losers of the semifinals meet.
    pub(super) third_place: bool,
    pub(super) points: PointsFor,
}

/// Round as decided so far: its main batch, and the additional pairs.
struct Round<'a> {
    number: u32,
    meetings: &'a [Meeting],
    /// Number of its meetings that decide who advances: all except the match for third place.
    main: usize,
    /// Number of additional pairs.
    added: u32,
}

impl Knockout {
    fn first_round(&self) -> Batch {
        let bracket = bracket(self.bots.next_power_of_two());
        let meetings = bracket.chunks_exact(2).map(|pair| {
            let other = Some(pair[1]).filter(|&seed| seed < self.bots);
            self.meeting(1, pair[0], other)
        });
        Batch { round: 1, meetings: meetings.collect() }
    }

    fn meeting(&self, round: u32, one: usize, other: Option<usize>) -> Meeting {
        // Every round has its own openings, also for additional pairs.
        let first_pair = (round - 1) * (self.pairs + self.extra) + 1;
        Meeting { one, other, first_pair, pairs: self.pairs }
    }

    /// Additional pairs of tied matches.
    fn extension(&self, round: &Round<'_>, games: &[Game]) -> Option<Batch> {
        if round.added >= self.extra {
            return None;
        }
        let tied =
            round.meetings.iter().filter(|meeting| self.lead(meeting, round.number, games) == 0);
        let meetings: Vec<_> = tied
            .filter(|meeting| meeting.other.is_some())
            .map(|meeting| {
                let first_pair = meeting.first_pair + meeting.pairs + round.added;
                Meeting { first_pair, pairs: 1, ..meeting.clone() }
            })
            .collect();
        (!meetings.is_empty()).then_some(Batch { round: round.number, meetings })
    }

    /// Lead of the first bot of a meeting, in hundredths of a point.
    fn lead(&self, meeting: &Meeting, round: u32, games: &[Game]) -> i64 {
        let Some([one, other]) = meeting.bots().map(|bots| bots.map(|bot| bot as u32)) else {
            return 1;
        };
        let of_match = games.iter().filter(|game| game.pair.round == round);
        let points = |game: &Game, bot: u32| {
            let side = if game.bots.one == bot { game.marks.one } else { game.marks.two };
            self.points.mark(side).in_hundredths()
        };
        let is_here =
            |game: &&Game| [one, other].iter().all(|bot| game.bots.iter().any(|seat| seat == bot));
        of_match.filter(is_here).map(|game| points(game, one) - points(game, other)).sum()
    }

    /// Winner and loser of a meeting.
    fn outcome(&self, meeting: &Meeting, round: u32, games: &[Game]) -> (usize, Option<usize>) {
        let Some(other) = meeting.other else { return (meeting.one, None) };
        let one = meeting.one;
        let first = match self.lead(meeting, round, games) {
            0 => one < other,
            lead => lead > 0,
        };
        if first { (one, Some(other)) } else { (other, Some(one)) }
    }

    fn next_round(&self, last: &Round<'_>, games: &[Game]) -> Option<Batch> {
        if last.main < 2 {
            return None;
        }
        let round = last.number + 1;
        let outcomes: Vec<_> = last.meetings[..last.main]
            .iter()
            .map(|meeting| self.outcome(meeting, last.number, games))
            .collect();
        let meets = |pair: &[usize]| {
            let (one, other) = (pair[0], pair.get(1).copied());
            let (high, low) =
                (other.map_or(one, |other| one.min(other)), other.map(|other| one.max(other)));
            self.meeting(round, high, low)
        };
        let winners: Vec<_> = outcomes.iter().map(|&(winner, _)| winner).collect();
        let mut meetings: Vec<_> = winners.chunks(2).map(meets).collect();
        let losers: Vec<_> = outcomes.iter().filter_map(|&(_, loser)| loser).collect();
        if self.third_place && last.main == 2 && losers.len() == 2 {
            meetings.push(meets(&losers));
        }
        Some(Batch { round, meetings })
    }
}

impl PairingRule for Knockout {
    fn pair(&self, batches: &[Batch], games: &[Game]) -> Option<Vec<Batch>> {
        if self.bots < 2 {
            return None;
        }
        let rounds = rounds(batches);
        let Some(last) = rounds.last() else { return Some(vec![self.first_round()]) };
        let batch = self.extension(last, games).or_else(|| self.next_round(last, games))?;
        Some(vec![batch])
    }

    fn expected(&self) -> Expected {
        let matches = self.bots.saturating_sub(1) + usize::from(self.third_place && self.bots > 3);
        let bound = if self.extra > 0 { Bound::AtLeast } else { Bound::Exact };
        Expected { pairs: matches as u64 * u64::from(self.pairs), bound }
    }

    /// Tiers: the winner, the loser of the final, the third and the fourth; then bots by the round
    /// they reached, the latest first.
    fn tiers(&self, batches: &[Batch], games: &[Game]) -> Vec<u32> {
        let rounds = rounds(batches);
        let count = rounds.len() as u32;
        let mut tiers = vec![0; self.bots];
        for round in &rounds {
            for (place, meeting) in round.meetings.iter().enumerate() {
                let (winner, loser) = self.outcome(meeting, round.number, games);
                let is_decided = self.lead(meeting, round.number, games) != 0
                    || meeting.other.is_none()
                    || round.added >= self.extra;
                if !is_decided {
                    continue;
                }
                if place >= round.main {
                    tiers[winner] = 2;
                    if let Some(loser) = loser {
                        tiers[loser] = 3;
                    }
                } else if let Some(loser) = loser {
                    let is_final = round.main == 1;
                    tiers[loser] = if is_final { 1 } else { 3 + count - round.number };
                }
            }
        }
        tiers
    }
}

/// Rounds so far.
fn rounds(batches: &[Batch]) -> Vec<Round<'_>> {
    let mut rounds: Vec<Round<'_>> = Vec::new();
    for batch in batches {
        if let Some(last) = rounds.last_mut().filter(|last| last.number == batch.round) {
            last.added += 1;
            continue;
        }
        let meetings = &batch.meetings[..];
        let after_semifinal = rounds.last().is_some_and(|last| last.main == 2);
        let main = if after_semifinal { 1.min(meetings.len()) } else { meetings.len() };
        rounds.push(Round { number: batch.round, meetings, main, added: 0 });
    }
    rounds
}

/// Seeds from 0 in bracket order: neighbors meet first.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let sum = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
    }
    seeds
}

/// Settings of a knockout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnockoutPlan {
    /// Whether the losers of the semifinals meet.
    pub third_place: bool,
    /// Maximum number of additional pairs of a tied match.
    pub extra: u32,
}

impl Settings for KnockoutPlan {
    const KEYS: &'static [&'static str] = &["pairs", "third_place", "extra", "seeding"];

    fn read(keys: &StageKeys<'_>, diagnostics: &mut Diagnostics<'_>) -> Self {
        let third_place = keys.truth("third_place", true, diagnostics);
        Self { third_place, extra: keys.integer("extra", 0, 1000, 5, diagnostics) as u32 }
    }
}

impl Kind for KnockoutPlan {
    fn write(&self, out: &mut String) {
        line(out, "third_place", &self.third_place.to_string());
        line(out, "extra", &self.extra.to_string());
    }

    fn describe(&self, pairs: &str, _: usize) -> String {
        format!("knockout, matches of {pairs}, at most {} more where they are tied", self.extra)
    }

    fn start(&self, stage: &Entrants<'_>, kept: Vec<Batch>) -> Box<dyn Format> {
        let (bots, pairs, points) = (stage.count(), stage.pairs, stage.points);
        let Self { third_place, extra } = *self;
        Box::new(Rounds::new(Knockout { bots, pairs, extra, third_place, points }, bots, kept))
    }

    fn depends_on_results(&self) -> bool {
        true
    }

    fn pairs_by_results(&self) -> bool {
        true
    }

    fn is_seeded(&self) -> bool {
        true
    }

    fn highest_pair(&self, pairs: u32) -> u32 {
        UNSTATED_ROUNDS.saturating_mul(pairs + self.extra)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BySide, Mark};
    use proptest::prelude::*;

    use super::super::fixtures::{Played, play, play_by};
    use super::super::rounds::Rounds;
    use super::*;

    fn cup(bots: usize, pairs: u32, extra: u32) -> Rounds<Knockout> {
        let points = PointsFor::default();
        Rounds::new(Knockout { bots, pairs, extra, third_place: true, points }, bots, Vec::new())
    }

    fn shown(played: &Played<Rounds<Knockout>>) -> String {
        let pairing =
            |p: &crate::Pairing| format!("{}:{}-{}#{}", p.round, p.bots[0], p.bots[1], p.pair);
        played.pairings.iter().map(pairing).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_bracket_keeps_the_best_apart() {
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let played = play(cup(8, 1, 0), 0);
        insta::assert_snapshot!(shown(&played), @"1:0-7#1 1:3-4#1 1:1-6#1 1:2-5#1 2:0-3#2 2:1-2#2 3:0-1#3 3:2-3#3");
        assert_eq!(played.format.places().tiers, [0, 1, 2, 3, 5, 5, 5, 5]);
    }

    #[test]
    fn the_first_seeds_have_the_byes() {
        let played = play(cup(5, 1, 0), 0);
        insta::assert_snapshot!(shown(&played), @"1:3-4#1 2:0-3#2 2:1-2#2 3:0-1#3 3:2-3#3");
        assert_eq!(played.format.places().byes, [2, 2, 2, 0, 0]);
    }

    #[test]
    fn a_tied_match_is_played_on_and_then_the_higher_seed_goes_on() {
        let drawn = |_: &Game| BySide::new(Mark::Draw, Mark::Draw);
        let played = play_by(cup(4, 2, 2), drawn);
        insta::assert_snapshot!(shown(&played), @"1:0-3#1 1:1-2#1 1:0-3#2 1:1-2#2 1:0-3#3 1:1-2#3 1:0-3#4 1:1-2#4 2:0-1#5 2:2-3#5 2:0-1#6 2:2-3#6 2:0-1#7 2:2-3#7 2:0-1#8 2:2-3#8");
        assert_eq!(played.format.places().tiers, [0, 1, 2, 3]);
    }

    #[test]
    fn an_extra_pair_ends_when_somebody_leads() {
        let first_extra = |game: &Game| {
            let lower_wins = game.bots.one < game.bots.two;
            let marks = [Mark::Win, Mark::Loss];
            match (game.pair.number, lower_wins) {
                (2, true) => BySide::new(marks[1], marks[0]),
                (2, false) => BySide::new(marks[0], marks[1]),
                _ => BySide::new(Mark::Draw, Mark::Draw),
            }
        };
        let played = play_by(cup(2, 1, 5), first_extra);
        insta::assert_snapshot!(shown(&played), @"1:0-1#1 1:0-1#2");
        assert_eq!(played.format.places().tiers, [1, 0]);
    }

    proptest! {
        #[test]
        fn there_is_one_winner(bots in 2_usize..40, extra in 0_u32..3, seed in 1_u64..500) {
            let played = play(cup(bots, 1, extra), seed);
            let tiers = played.format.places().tiers;
            prop_assert_eq!(tiers.iter().filter(|&&tier| tier == 0).count(), 1);
            prop_assert_eq!(tiers.iter().filter(|&&tier| tier == 1).count(), 1);
            let least = bots - 1;
            prop_assert!(played.pairings.len() >= least);
        }
    }
}
