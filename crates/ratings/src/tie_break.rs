//! Tie-breaks among bots with the same points.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Matches, Places, Points, PointsFor, Tally};

/// Tie-break: a rule that ranks bots with the same points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TieBreak {
    /// Direct encounter: points in the games of the tied bots among themselves, applied again to
    /// those still tied.
    Direct,
    /// Buchholz: the opponent's points for each game. A bye counts as games against an opponent
    /// with the bot's own points (FIDE, Tie-Break Regulations 2024, article 16: the dummy
    /// opponent).
    Buchholz,
    /// Buchholz without the opponent with the fewest points, byes included.
    BuchholzCut1,
    /// Sonneborn-Berger: for each game the opponent's points if it was won, half of them if drawn.
    SonnebornBerger,
    /// Number of wins.
    Wins,
}

/// Error for an unknown tie-break.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no tie-break {0:?}; there are {names}", names = names())]
pub struct TieBreakError(pub String);

impl TieBreak {
    /// All tie-breaks.
    pub const ALL: [Self; 5] =
        [Self::Direct, Self::Buchholz, Self::BuchholzCut1, Self::SonnebornBerger, Self::Wins];

    /// Default tie-breaks, in order, for formats in which every bot meets every other.
    pub const USUAL: &[Self] = &[Self::Direct, Self::SonnebornBerger, Self::Wins];

    /// Default tie-breaks, in order, for formats in which not all bots meet.
    pub const OF_SWISS: &[Self] =
        &[Self::Buchholz, Self::BuchholzCut1, Self::SonnebornBerger, Self::Direct, Self::Wins];

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Buchholz => "buchholz",
            Self::BuchholzCut1 => "buchholz-cut-1",
            Self::SonnebornBerger => "sonneborn-berger",
            Self::Wins => "wins",
        }
    }
}

/// Names, for people.
fn names() -> String {
    let [others @ .., last] = TieBreak::ALL.map(TieBreak::name);
    format!("{} and {last}", others.join(", "))
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = TieBreakError;

    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        let found = Self::ALL.into_iter().find(|rule| rule.name() == text);
        found.ok_or_else(|| TieBreakError(text.to_owned()))
    }
}

impl TryFrom<String> for TieBreak {
    type Error = TieBreakError;

    fn try_from(text: String) -> Result<Self, TieBreakError> {
        text.parse()
    }
}

impl From<TieBreak> for String {
    fn from(rule: TieBreak) -> Self {
        rule.name().to_owned()
    }
}

/// Input of tie-breaks.
pub(super) struct Results<'a> {
    pub(super) matches: &'a Matches,
    pub(super) points_for: PointsFor,
    /// Points of every bot, over all its games.
    pub(super) points: Vec<Points>,
    /// Tally of every bot, over all its games.
    pub(super) tallies: Vec<Tally>,
    /// Tiers and byes from the format.
    pub(super) places: &'a Places,
}

impl Results<'_> {
    /// All bots in rank order: each inner list shares a rank.
    pub(super) fn ranked(&self, tie_breaks: &[TieBreak]) -> Vec<Vec<u32>> {
        let everybody = (0..self.points.len() as u32).collect();
        let by_tier = split(everybody, |bot| -i64::from(self.places.tier(bot)));
        let points = |bot: u32| self.points[bot as usize].in_hundredths();
        let by_points = by_tier.into_iter().flat_map(|alike| split(alike, points));
        by_points.flat_map(|tied| self.untie(tied, tie_breaks)).collect()
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

    /// Value of a tie-break for a bot, for people: games, or points of opponents. `None` for the
    /// direct encounter of a bot that is tied with no other.
    pub(super) fn shown(&self, rule: TieBreak, bot: u32, tied: &[u32]) -> Option<f64> {
        let one = match rule {
            TieBreak::Wins => 1.0,
            TieBreak::SonnebornBerger => 200.0,
            TieBreak::Direct | TieBreak::Buchholz | TieBreak::BuchholzCut1 => 100.0,
        };
        let is_told = rule != TieBreak::Direct || tied.len() > 1;
        is_told.then(|| self.value(rule, bot, tied) as f64 / one)
    }

    fn value(&self, rule: TieBreak, bot: u32, tied: &[u32]) -> i64 {
        match rule {
            TieBreak::Direct => self.direct(bot, tied),
            TieBreak::Buchholz => self.opponents(bot).map(|(sum, _)| sum).sum(),
            TieBreak::BuchholzCut1 => self.buchholz_cut(bot),
            TieBreak::SonnebornBerger => self.sonneborn_berger(bot),
            TieBreak::Wins => i64::from(self.tallies[bot as usize].wins),
        }
    }

    /// Points of the direct encounter, in hundredths.
    fn direct(&self, bot: u32, tied: &[u32]) -> i64 {
        let opponents = tied.iter().filter(|&&opponent| opponent != bot);
        let tallies = opponents.map(|&opponent| self.matches.between(bot, opponent));
        tallies.map(|tally| self.points_for.tally(&tally)).sum::<Points>().in_hundredths()
    }

    /// Opponents and byes, each with its points in hundredths for each game, and its points.
    fn opponents(&self, bot: u32) -> impl Iterator<Item = (i64, i64)> {
        let worth = |games: u32, opponent: u32| {
            let points = self.points[opponent as usize].in_hundredths();
            (i64::from(games) * points, points)
        };
        let met = self.matches.of(bot).map(move |(opponent, tally)| worth(tally.games(), opponent));
        let byes = self.places.byes(bot);
        met.chain((byes > 0).then(|| worth(byes, bot)))
    }

    /// Value in hundredths.
    fn buchholz_cut(&self, bot: u32) -> i64 {
        let (mut sum, mut weakest) = (0, None::<(i64, i64)>);
        for (worth, points) in self.opponents(bot) {
            sum += worth;
            if weakest.is_none_or(|(_, least)| points < least) {
                weakest = Some((worth, points));
            }
        }
        sum - weakest.map_or(0, |(worth, _)| worth)
    }

    /// Value in two-hundredths. A bye is won against an opponent with the bot's own points.
    fn sonneborn_berger(&self, bot: u32) -> i64 {
        let points = |bot: u32| self.points[bot as usize].in_hundredths();
        let worth = self.matches.of(bot).map(|(opponent, tally)| {
            let weight = 2 * i64::from(tally.wins) + i64::from(tally.draws);
            weight * points(opponent)
        });
        worth.sum::<i64>() + 2 * i64::from(self.places.byes(bot)) * points(bot)
    }
}

/// Parts of equal value, the highest first. The order within a part is kept.
fn split(mut bots: Vec<u32>, value: impl Fn(u32) -> i64) -> Vec<Vec<u32>> {
    bots.sort_by_cached_key(|&bot| std::cmp::Reverse(value(bot)));
    bots.chunk_by(|&a, &b| value(a) == value(b)).map(<[u32]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::super::matches::fixtures::games;
    use super::super::{Ranking, Standings};
    use super::*;

    /// Order of the bots after a tie-break, with those that share a rank together.
    fn ranks(bots: usize, list: &[(u32, u32, char)], rules: &[TieBreak]) -> Vec<(u32, u32)> {
        let ranking = Ranking { tie_breaks: rules.to_vec(), ..Ranking::default() };
        let standings = Standings::new(bots, &games(list), &ranking);
        standings.rows.iter().map(|row| (row.rank, row.bot)).collect()
    }

    /// 0 and 1 have two points each. Bot 1 won their game; bot 0 beat the stronger opponent.
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
    fn buchholz_counts_the_points_of_all_opponents() {
        // 0 and 1 won once each and met different opponents: 2 won twice, 3 once, 4 never.
        let list = [(0, 4, 'w'), (0, 2, 'l'), (1, 4, 'w'), (1, 3, 'l'), (2, 4, 'w')];
        let order = ranks(5, &list, &[TieBreak::Buchholz]);
        assert_eq!(order, [(1, 2), (2, 0), (3, 1), (3, 3), (5, 4)]);
    }

    #[test]
    fn buchholz_cut_one_forgets_the_weakest_opponent() {
        // Both have a point and two opponents with two points together: 0 two and none, 1 one
        // and one.
        let list = [(0, 2, 'l'), (0, 3, 'w'), (1, 4, 'l'), (1, 5, 'w'), (2, 6, 'w'), (5, 7, 'w')];
        let whole = ranks(8, &list, &[TieBreak::Buchholz]);
        assert!(whole.contains(&(2, 0)) && whole.contains(&(2, 1)), "{whole:?}");
        let cut = ranks(8, &list, &[TieBreak::BuchholzCut1]);
        assert_eq!(cut[..2], [(1, 2), (2, 0)]);
    }

    #[test]
    fn a_bye_is_won_against_an_opponent_like_oneself() {
        let places = Places { tiers: Vec::new(), byes: vec![0, 1, 0] };
        let games = games(&[(0, 2, 'w')]);
        let ranking = Ranking { tie_breaks: vec![TieBreak::Buchholz], ..Ranking::default() };
        let standings = Standings::placed(3, &games, &Matches::new(&games), &ranking, &places);
        let order: Vec<_> = standings.rows.iter().map(|row| (row.rank, row.bot)).collect();
        assert_eq!(order, [(1, 1), (2, 0), (3, 2)]);
        assert_eq!(standings.rows[0].points, Points::hundredths(100));
    }

    #[test]
    fn tiers_come_before_points() {
        let places = Places { tiers: vec![1, 0, 0], byes: Vec::new() };
        let games = games(&[(0, 2, 'w')]);
        let (matches, ranking) = (Matches::new(&games), Ranking::default());
        let standings = Standings::placed(3, &games, &matches, &ranking, &places);
        let order: Vec<_> = standings.rows.iter().map(|row| (row.rank, row.bot)).collect();
        assert_eq!(order, [(1, 1), (1, 2), (3, 0)]);
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
