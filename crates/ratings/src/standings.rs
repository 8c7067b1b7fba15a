//! Standings: ranks by points and tie-breaks, with all other figures.

use pitmaster_core::Side;
use serde::{Deserialize, Serialize};

use super::interval::{Interval, wilson};
use super::tie_break::Results;
use super::{
    FORFEIT_KINDS, Game, Matches, Model, Points, PointsFor, Rating, Ratings, Significance, Tally,
    TieBreak,
};

/// Rules that decide the order. Elo never does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// Points for each result of a game.
    pub points: PointsFor,
    /// Tie-breaks, applied in sequence to bots with the same points; bots still tied after the last
    /// one share a rank.
    pub tie_breaks: Vec<TieBreak>,
}

impl Default for Ranking {
    /// 1, ½ and 0 points; direct encounter, Sonneborn-Berger, wins.
    fn default() -> Self {
        Self { points: PointsFor::default(), tie_breaks: TieBreak::USUAL.to_vec() }
    }
}

/// Facts from the format about bots beyond their games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Tier of each bot. A lower tier ranks above all higher ones, regardless of points (progress
    /// in a knockout, or the stage reached). Empty: all equal.
    pub tiers: Vec<u32>,
    /// Number of byes of each bot: games won without an opponent. Empty: none.
    pub byes: Vec<u32>,
}

impl Places {
    /// Tier of a bot.
    pub fn tier(&self, bot: u32) -> u32 {
        self.tiers.get(bot as usize).copied().unwrap_or(0)
    }

    /// Number of byes of a bot.
    pub fn byes(&self, bot: u32) -> u32 {
        self.byes.get(bot as usize).copied().unwrap_or(0)
    }
}

/// Standings of a tournament.
#[derive(Debug, Clone)]
pub struct Standings {
    /// Bots in rank order; those who share a rank in roster order.
    pub rows: Vec<Row>,
    /// Number of games that count.
    pub games: u32,
    /// Number of distinct games.
    pub distinct: u32,
    /// Number of games that were not played because a bot could not play at all.
    pub absences: u32,
    /// Joint fit, once [`Standings::rate`] has been called.
    pub ratings: Option<Ratings>,
}

/// Values of the tie-breaks, for people.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TieBreakValues {
    /// For every row, one value for each tie-break: games, or points of opponents.
    pub of_rows: Vec<Vec<Option<f64>>>,
    /// For each tie-break, whether it separated two rows.
    pub decided: Vec<bool>,
}

/// Row of one bot.
#[derive(Debug, Clone)]
pub struct Row {
    /// Rank, from 1; shared by bots that no rule separates.
    pub rank: u32,
    /// Number of the bot in the roster.
    pub bot: u32,
    /// Number of games that count.
    pub games: u32,
    /// Number of games that do not repeat, with the same moves, an earlier game of the same bots on
    /// the same sides.
    pub distinct: u32,
    /// Number of wins.
    pub wins: u32,
    /// Number of draws.
    pub draws: u32,
    /// Number of losses, including games that both forfeited.
    pub losses: u32,
    /// Points, including those of byes.
    pub points: Points,
    /// Number of byes: games won without an opponent.
    pub byes: u32,
    /// Wins divided by games, with Wilson's interval for the number of distinct games. `None`
    /// without games.
    pub win_rate: Option<Interval>,
    /// Number of forfeits by kind, in the order of [`Fault::NAMES`](pitmaster_core::Fault::NAMES),
    /// and last those of unknown kind.
    pub forfeits: [u32; FORFEIT_KINDS],
    /// Elo. `None` if not rated, or without a game that compares the bot with another.
    pub elo: Option<Rating>,
}

impl Standings {
    /// Standings of `bots` bots after these games (given in the plan's order), without Elo.
    ///
    /// # Panics
    /// Panics if a game names a bot that is not below `bots`.
    pub fn new(bots: usize, games: &[Game], ranking: &Ranking) -> Self {
        Self::from_matches(bots, games, &Matches::new(games), ranking)
    }

    /// Standings with Elo.
    pub fn rated(bots: usize, games: &[Game], ranking: &Ranking, model: &Model) -> Self {
        let matches = Matches::new(games);
        let mut standings = Self::from_matches(bots, games, &matches, ranking);
        standings.rate(Ratings::fit(bots, games, &matches, model));
        standings
    }

    /// Standings without Elo, from games that are already grouped.
    pub fn from_matches(bots: usize, games: &[Game], matches: &Matches, ranking: &Ranking) -> Self {
        Self::placed(bots, games, matches, ranking, &Places::default())
    }

    /// Standings with the format's tiers and byes.
    pub fn placed(
        bots: usize,
        games: &[Game],
        matches: &Matches,
        ranking: &Ranking,
        places: &Places,
    ) -> Self {
        let counts = Counts::new(bots, games, matches);
        let tallies = tallies(bots, matches);
        let points_for = ranking.points;
        let played = tallies.iter().map(|tally| points_for.tally(tally)).zip(0..);
        let points = played.map(|(played, bot)| played + points_for.win * places.byes(bot));
        let points = points.collect();
        let results = Results { matches, points_for, points, tallies, places };
        let mut rows = Vec::with_capacity(bots);
        for tied in results.ranked(&ranking.tie_breaks) {
            let rank = rows.len() as u32 + 1;
            rows.extend(tied.into_iter().map(|bot| row(rank, bot, &results, &counts)));
        }
        let distinct = matches.distinct().iter().filter(|&&distinct| distinct).count();
        let absences = games.iter().filter(|game| game.is_absence()).count() as u32;
        let (games, distinct) = (games.len() as u32, distinct as u32);
        Self { rows, games, distinct, absences, ratings: None }
    }

    /// Values of each tie-break for the bot of each row. The direct encounter is among all bots with
    /// the same points, and `None` if no other bot is tied.
    pub fn tie_breaks(
        &self,
        matches: &Matches,
        ranking: &Ranking,
        places: &Places,
    ) -> TieBreakValues {
        let mut points = vec![Points::default(); self.rows.len()];
        self.rows.iter().for_each(|row| points[row.bot as usize] = row.points);
        let tallies = tallies(self.rows.len(), matches);
        let results = Results { matches, points_for: ranking.points, points, tallies, places };
        let alike =
            |a: &Row, b: &Row| (places.tier(a.bot), a.points) == (places.tier(b.bot), b.points);
        let of_tied = |rows: &[Row]| -> Vec<_> {
            let tied: Vec<_> = rows.iter().map(|row| row.bot).collect();
            let shown = |bot: &u32| {
                let rules = ranking.tie_breaks.iter();
                rules.map(|rule| results.shown(*rule, *bot, &tied)).collect()
            };
            tied.iter().map(shown).collect()
        };
        let mut all = TieBreakValues::default();
        all.decided.resize(ranking.tie_breaks.len(), false);
        for tied in self.rows.chunk_by(alike) {
            let values: Vec<Vec<_>> = of_tied(tied);
            for two in values.windows(2) {
                if let Some(rule) = two[0].iter().zip(&two[1]).position(|(a, b)| a != b) {
                    all.decided[rule] = true;
                }
            }
            all.of_rows.extend(values);
        }
        all
    }

    /// Writes the Elo of every bot into its row.
    pub fn rate(&mut self, ratings: Ratings) {
        for row in &mut self.rows {
            row.elo = ratings.bots[row.bot as usize];
        }
        self.ratings = Some(ratings);
    }

    /// Significant Elo differences between rows. `None` if they are not rated. Compares every two
    /// rows, so it is too slow for tables of a running tournament.
    pub fn significance(&self) -> Option<Significance> {
        let bots: Vec<_> = self.rows.iter().map(|row| row.bot).collect();
        self.ratings.as_ref().map(|ratings| Significance::new(ratings, &bots))
    }
}

impl Row {
    /// Number of forfeited games.
    pub fn forfeited(&self) -> u32 {
        self.forfeits.iter().sum()
    }
}

/// Counts kept game by game.
struct Counts {
    distinct: Vec<u32>,
    forfeits: Vec<[u32; FORFEIT_KINDS]>,
}

impl Counts {
    fn new(bots: usize, games: &[Game], matches: &Matches) -> Self {
        let mut counts = Self { distinct: vec![0; bots], forfeits: vec![[0; FORFEIT_KINDS]; bots] };
        for (game, &distinct) in games.iter().zip(matches.distinct()) {
            for side in Side::BOTH {
                let bot = game.bots[side] as usize;
                counts.distinct[bot] += u32::from(distinct);
                if let Some(fault) = game.faults[side] {
                    counts.forfeits[bot][usize::from(fault)] += 1;
                }
            }
        }
        counts
    }
}

fn tallies(bots: usize, matches: &Matches) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); bots];
    for each in matches.iter() {
        let tally = each.tally();
        for (bot, tally) in [(each.lower, tally), (each.higher, tally.turned())] {
            let sum = &mut tallies[bot as usize];
            *sum = sum.plus(tally);
        }
    }
    tallies
}

fn row(rank: u32, bot: u32, results: &Results<'_>, counts: &Counts) -> Row {
    let place = bot as usize;
    let tally = results.tallies[place];
    let rate = f64::from(tally.wins) / f64::from(tally.games());
    Row {
        rank,
        bot,
        games: tally.games(),
        distinct: counts.distinct[place],
        wins: tally.wins,
        draws: tally.draws,
        losses: tally.losses + tally.both_lost,
        points: results.points[place],
        byes: results.places.byes(bot),
        win_rate: wilson(rate, counts.distinct[place]),
        forfeits: counts.forfeits[place],
        elo: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::matches::fixtures::{game, games};
    use super::*;

    #[test]
    fn a_game_that_both_forfeited_is_lost_by_both() {
        let standings = Standings::new(2, &games(&[(0, 1, '-')]), &Ranking::default());
        for row in &standings.rows {
            assert_eq!((row.rank, row.games, row.losses, row.forfeited()), (1, 1, 1, 1));
            assert_eq!(row.points, Points::default());
        }
    }

    #[test]
    fn games_of_the_absent_count_in_the_points_alone() {
        let fault = pitmaster_core::Fault::NAMES.iter().position(|name| *name == "did-not-build");
        let absent = |mut game: Game, side| {
            game.faults[side] = fault.map(|fault| fault as u8);
            game
        };
        let played: Vec<_> = (0..20).map(|n| (0, 1, if n % 3 == 0 { 'l' } else { 'w' })).collect();
        let played = games(&played);
        let mut all = played.clone();
        for (n, bot) in [(100, 0), (101, 1), (102, 0)] {
            all.push(absent(game(2, bot, 'l', n, n.into()), Side::One));
        }
        all.push(absent(game(2, 3, '-', 103, 103), Side::One));
        let ranking = Ranking::default();
        let without = Standings::rated(4, &played, &ranking, &Model::default());
        let with = Standings::rated(4, &all, &ranking, &Model::default());
        let row = |standings: &Standings, bot| {
            standings.rows.iter().find(|row| row.bot == bot).unwrap().clone()
        };
        for bot in 0..4 {
            assert_eq!(row(&with, bot).elo, row(&without, bot).elo, "bot {bot}");
            assert_eq!(row(&with, bot).distinct, row(&without, bot).distinct, "bot {bot}");
        }
        assert_eq!((row(&with, 0).wins, row(&without, 0).wins), (15, 13));
        assert_eq!(row(&with, 2).elo, None);
        assert_eq!((with.games, with.distinct, with.absences), (24, 20, 4));
        let mut tallies = super::super::Tallies::default();
        for game in &all {
            tallies.add(game);
        }
        let live = tallies.standings(4, &ranking, &[]);
        assert_eq!((row(&live, 2).elo, row(&live, 0).wins), (None, 15));
    }

    #[test]
    fn played_again_is_counted_but_proves_nothing() {
        let repeated: Vec<_> = (1..=10).map(|pair| game(0, 1, 'w', pair, 7)).collect();
        let standings = Standings::new(2, &repeated, &Ranking::default());
        let first = &standings.rows[0];
        assert_eq!((first.games, first.distinct, first.wins), (10, 1, 10));
        assert_eq!(first.points, Points::hundredths(1000));
        assert_eq!(first.win_rate, wilson(1.0, 1));
        assert_eq!((standings.games, standings.distinct), (10, 1));
    }

    #[test]
    fn tie_breaks_are_told_as_people_count() {
        // Two bots with two points each; one of them has beaten the other.
        let list = games(&[(0, 1, 'w'), (0, 2, 'l'), (1, 2, 'w'), (1, 3, 'w'), (0, 3, 'w')]);
        let ranking = Ranking::default();
        let standings = Standings::new(4, &list, &ranking);
        let values = standings.tie_breaks(&Matches::new(&list), &ranking, &Places::default());
        assert_eq!(values.decided, [true, false, false]);
        let rows = values.of_rows;
        let bots: Vec<_> = standings.rows.iter().map(|row| row.bot).collect();
        assert_eq!(bots, [0, 1, 2, 3]);
        // Direct encounter, Sonneborn-Berger, wins.
        assert_eq!(rows[0], [Some(1.0), Some(2.0), Some(2.0)]);
        assert_eq!(rows[1], [Some(0.0), Some(1.0), Some(2.0)]);
        assert_eq!(rows[2], [None, Some(2.0), Some(1.0)]);
        assert_eq!(rows[3], [None, Some(0.0), Some(0.0)]);
    }

    #[test]
    fn bots_without_games_stand_there_too() {
        let standings = Standings::new(3, &games(&[(2, 0, 'w')]), &Ranking::default());
        let order: Vec<_> = standings.rows.iter().map(|row| (row.rank, row.bot)).collect();
        assert_eq!(order, [(1, 2), (2, 0), (2, 1)]);
        assert_eq!(standings.rows[2].win_rate, None);
    }

    #[test]
    fn rows_are_compared_by_elo_in_the_order_of_points() {
        // Bot 2 beats bot 1 by much, bot 1 and bot 0 are equals; bot 3 met nobody.
        let many = |one, two, wins: usize, of: usize| {
            (0..of).map(move |n| match (n % 2, n < wins) {
                (0, true) => (one, two, 'w'),
                (0, false) => (one, two, 'l'),
                (_, true) => (two, one, 'l'),
                (_, false) => (two, one, 'w'),
            })
        };
        let list: Vec<_> = many(2, 1, 36, 40).chain(many(0, 1, 20, 40)).collect();
        let standings = Standings::rated(4, &games(&list), &Ranking::default(), &Model::default());
        let bots: Vec<_> = standings.rows.iter().map(|row| row.bot).collect();
        assert_eq!(bots, [2, 1, 0, 3]);
        let significance = standings.significance().unwrap();
        assert_eq!(significance.runs().first(), Some(&(1..3)));
        assert_eq!([significance.differ(0, 1), significance.differ(0, 3)], [Some(true), None]);
        let ratings = standings.ratings.as_ref().unwrap();
        let tests = [(2, 1), (2, 0), (1, 0)].map(|(a, b)| ratings.p_value(a, b).unwrap());
        let least = tests.iter().copied().fold(1.0, f64::min);
        let seen = [(0, 1), (0, 2)].map(|(a, b)| significance.p_value(a, b).unwrap());
        assert!(seen.iter().any(|p| (p - 3.0 * least).abs() < 1e-12), "{seen:?} {tests:?}");
    }
}
