//! Who comes first among bots with the same points.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Matches, Points, PointsFor, Tally};

/// A rule that tells bots with the same points apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TieBreak {
    /// Points in the games of the tied bots among themselves; asked again among those who
    /// are still tied after it.
    Direct,
    /// For each game: the opponent's points if it was won, half of them if drawn.
    SonnebornBerger,
    /// Games won.
    Wins,
}

/// No such tie-break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tie-break {0:?}; there are direct, sonneborn-berger and wins")]
pub struct TieBreakFault(pub String);

impl TieBreak {
    /// All there are, in their usual order.
    pub const ALL: [Self; 3] = [Self::Direct, Self::SonnebornBerger, Self::Wins];

    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Wins => "wins",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = TieBreakFault;

    fn from_str(text: &str) -> Result<Self, TieBreakFault> {
        let found = Self::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| TieBreakFault(text.to_owned()))
    }
}

impl TryFrom<String> for TieBreak {
    type Error = TieBreakFault;

    fn try_from(text: String) -> Result<Self, TieBreakFault> {
        text.parse()
    }
}

impl From<TieBreak> for String {
    fn from(rule: TieBreak) -> Self {
        rule.name().to_owned()
    }
}

/// What tie-breaks look at.
pub(super) struct Results<'a> {
    pub(super) matches: &'a Matches,
    pub(super) points_for: PointsFor,
    /// Of every bot, over all its games.
    pub(super) points: Vec<Points>,
    /// Of every bot, over all its games.
    pub(super) tallies: Vec<Tally>,
}

impl Results<'_> {
    /// All bots in their order: each inner list shares a rank.
    pub(super) fn ranked(&self, tie_breaks: &[TieBreak]) -> Vec<Vec<u32>> {
        let everybody = (0..self.points.len() as u32).collect();
        let by_points = split(everybody, |bot| self.points[bot as usize].in_hundredths());
        by_points.into_iter().flat_map(|tied| self.untie(tied, tie_breaks)).collect()
    }

    fn untie(&self, tied: Vec<u32>, tie_breaks: &[TieBreak]) -> Vec<Vec<u32>> {
        let [rule, later @ ..] = tie_breaks else { return vec![tied] };
        if tied.len() < 2 {
            return vec![tied];
        }
        let parts = split(tied.clone(), |bot| self.value(*rule, bot, &tied));
        let again = *rule == TieBreak::Direct && parts.len() > 1;
        let next = if again { tie_breaks } else { later };
        parts.into_iter().flat_map(|part| self.untie(part, next)).collect()
    }

    fn value(&self, rule: TieBreak, bot: u32, tied: &[u32]) -> i64 {
        match rule {
            TieBreak::Direct => self.direct(bot, tied),
            TieBreak::SonnebornBerger => self.sonneborn_berger(bot),
            TieBreak::Wins => i64::from(self.tallies[bot as usize].wins),
        }
    }

    /// In hundredths.
    fn direct(&self, bot: u32, tied: &[u32]) -> i64 {
        let opponents = tied.iter().filter(|&&opponent| opponent != bot);
        let tallies = opponents.map(|&opponent| self.matches.between(bot, opponent));
        tallies.map(|tally| self.points_for.tally(&tally)).sum::<Points>().in_hundredths()
    }

    /// In two hundredths.
    fn sonneborn_berger(&self, bot: u32) -> i64 {
        let opponents = (0..self.points.len() as u32).filter(|&opponent| opponent != bot);
        let worth = opponents.map(|opponent| {
            let tally = self.matches.between(bot, opponent);
            let weight = 2 * i64::from(tally.wins) + i64::from(tally.draws);
            weight * self.points[opponent as usize].in_hundredths()
        });
        worth.sum()
    }
}

/// Parts of equal value, the highest first; within a part the order stays.
fn split(mut bots: Vec<u32>, value: impl Fn(u32) -> i64) -> Vec<Vec<u32>> {
    bots.sort_by_cached_key(|&bot| std::cmp::Reverse(value(bot)));
    bots.chunk_by(|&a, &b| value(a) == value(b)).map(<[u32]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::super::matches::made_up::games;
    use super::super::{Ranking, Standings};
    use super::*;

    /// The order of the bots after a tie-break, those who share a rank together.
    fn ranks(bots: usize, list: &[(u32, u32, char)], rules: &[TieBreak]) -> Vec<(u32, u32)> {
        let ranking = Ranking { tie_breaks: rules.to_vec(), ..Ranking::default() };
        let standings = Standings::new(bots, &games(list), &ranking);
        standings.rows.iter().map(|row| (row.rank, row.bot)).collect()
    }

    /// 0 and 1 have two points each; 1 won their game, 0 beat the stronger opponent.
    const CYCLE: [(u32, u32, char); 6] =
        [(1, 0, 'w'), (0, 2, 'w'), (0, 3, 'w'), (2, 1, 'w'), (1, 3, 'w'), (3, 2, 'w')];

    #[test]
    fn without_tie_breaks_ranks_are_shared() {
        assert_eq!(ranks(4, &CYCLE, &[]), [(1, 0), (1, 1), (3, 2), (3, 3)]);
    }

    #[test]
    fn direct_encounter_decides() {
        let order = ranks(4, &CYCLE, &[TieBreak::Direct]);
        assert_eq!(order, [(1, 1), (2, 0), (3, 3), (4, 2)]);
    }

    #[test]
    fn sonneborn_berger_counts_the_strength_of_those_beaten() {
        // 0 beat two bots with a point each; 1 beat one with two points and one with one.
        let order = ranks(4, &CYCLE, &[TieBreak::SonnebornBerger]);
        assert_eq!(order, [(1, 1), (2, 0), (3, 2), (4, 3)]);
    }

    #[test]
    fn a_win_and_a_loss_beat_two_draws_by_wins() {
        let list = [(0, 1, 'd'), (0, 1, 'd'), (2, 3, 'w'), (2, 3, 'l')];
        let order = ranks(4, &list, &[TieBreak::Direct, TieBreak::Wins]);
        assert_eq!(order, [(1, 2), (1, 3), (3, 0), (3, 1)]);
    }

    #[test]
    fn direct_encounter_is_asked_again_among_those_still_tied() {
        // Three points each. Among all three, 0 has 2, 1 and 2 have 1.5 each, drawn by a
        // win of 1 over 2 and half a point that 2 took from 0.
        let list = [
            (0, 1, 'w'),
            (0, 1, 'd'),
            (0, 2, 'd'),
            (1, 2, 'w'),
            (2, 0, 'd'),
            (2, 1, 'd'),
            (0, 3, 'd'),
            (1, 3, 'w'),
            (2, 3, 'w'),
            (2, 3, 'd'),
        ];
        let order = ranks(4, &list, &[TieBreak::Direct]);
        assert_eq!(order[..3], [(1, 0), (2, 1), (3, 2)]);
    }

    #[test]
    fn names_round_trip() {
        for rule in TieBreak::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        let fault = "luck".parse::<TieBreak>().unwrap_err();
        assert!(fault.to_string().contains("sonneborn-berger"));
    }
}
