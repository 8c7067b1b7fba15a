//! Standings: ranks by points and tie-breaks, with all other figures.

use pitmaster_core::Side;
use serde::{Deserialize, Serialize};

use super::interval::{Interval, wilson};
use super::tie_break::Results;
use super::{
    FORFEIT_KINDS, Game, Matches, Model, Points, PointsFor, Rating, Ratings, Tally, TieBreak,
    adjusted_by_holm,
};

/// What decides the order. Elo never does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// What a game brings for each result.
    pub points: PointsFor,
    /// Asked one after the other about bots with the same points; those who are tied after
    /// the last share a rank.
    pub tie_breaks: Vec<TieBreak>,
}

impl Default for Ranking {
    /// 1, ½ and 0 points; direct encounter, Sonneborn-Berger, wins.
    fn default() -> Self {
        Self { points: PointsFor::default(), tie_breaks: TieBreak::USUAL.to_vec() }
    }
}

/// What a format knows of bots beyond their games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// By bot: who has a lower tier stands above all who have a higher one, whatever their
    /// points (how far it came in a knockout, which stage it reached). Empty: all alike.
    pub tiers: Vec<u32>,
    /// By bot: how many games it has won without playing, as there was nobody to meet. Empty:
    /// none.
    pub byes: Vec<u32>,
}

impl Places {
    /// The tier of a bot.
    pub fn tier(&self, bot: u32) -> u32 {
        self.tiers.get(bot as usize).copied().unwrap_or(0)
    }

    /// How many games a bot has won without playing.
    pub fn byes(&self, bot: u32) -> u32 {
        self.byes.get(bot as usize).copied().unwrap_or(0)
    }
}

/// The table of a tournament.
#[derive(Debug, Clone)]
pub struct Standings {
    /// The bots in their order; those who share a rank in the order of the roster.
    pub rows: Vec<Row>,
    /// How many games count.
    pub games: u32,
    /// How many of them were distinct.
    pub distinct: u32,
    /// The joint fit, once [`Standings::rate`] has been called.
    pub ratings: Option<Ratings>,
}

/// One bot's line.
#[derive(Debug, Clone)]
pub struct Row {
    /// From 1; shared by bots that nothing tells apart.
    pub rank: u32,
    /// The bot's number in the roster.
    pub bot: u32,
    /// How many games count.
    pub games: u32,
    /// How many of them had not been played before, move for move, by the same bots on the
    /// same sides.
    pub distinct: u32,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost, those that both forfeited included.
    pub losses: u32,
    /// Points, those of byes included.
    pub points: Points,
    /// How many games it has won without playing, as there was nobody to meet.
    pub byes: u32,
    /// Games won out of all games; Wilson's interval for as many games as were distinct.
    /// `None` without games.
    pub win_rate: Option<Interval>,
    /// Its forfeits by kind, in the order of [`Fault::NAMES`](pitmaster_core::Fault::NAMES), and
    /// last those of which the kind is not known.
    pub forfeits: [u32; FORFEIT_KINDS],
    /// Its Elo. `None` if not rated, or without a game that compares it with another bot.
    pub elo: Option<Rating>,
    /// How likely an Elo difference as large as that to the next row is between equals, in
    /// either direction, corrected for as many tests as the table has (Holm). Points decide
    /// the order, so the next row's Elo may be the higher one. `None` in the last row, and
    /// where nothing compares the two.
    pub p_next: Option<f64>,
}

/// Below this p-value two rows differ significantly.
pub const SIGNIFICANT: f64 = 0.05;

impl Standings {
    /// The table of `bots` bots after these games (given in the plan's order), without Elo.
    ///
    /// # Panics
    /// If a game names a bot that is not below `bots`.
    pub fn new(bots: usize, games: &[Game], ranking: &Ranking) -> Self {
        Self::from_matches(bots, games, &Matches::new(games), ranking)
    }

    /// The same with Elo.
    pub fn rated(bots: usize, games: &[Game], ranking: &Ranking, model: &Model) -> Self {
        let matches = Matches::new(games);
        let mut standings = Self::from_matches(bots, games, &matches, ranking);
        standings.rate(Ratings::fit(bots, games, &matches, model));
        standings
    }

    /// The same from games that are already gathered.
    pub fn from_matches(bots: usize, games: &[Game], matches: &Matches, ranking: &Ranking) -> Self {
        Self::placed(bots, games, matches, ranking, &Places::default())
    }

    /// The same with what the format knows.
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
        Self { rows, games: games.len() as u32, distinct: distinct as u32, ratings: None }
    }

    /// What each tie-break says of the bot of each row, as people read it: games, or points of
    /// opponents; of the direct encounter with all who have as many points. `None` where there
    /// is nobody to tell it from.
    pub fn tie_breaks(
        &self,
        matches: &Matches,
        ranking: &Ranking,
        places: &Places,
    ) -> Vec<Vec<Option<f64>>> {
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
        self.rows.chunk_by(alike).flat_map(of_tied).collect()
    }

    /// Puts the Elo of every bot into its row.
    pub fn rate(&mut self, ratings: Ratings) {
        for row in &mut self.rows {
            row.elo = ratings.bots[row.bot as usize];
        }
        self.compare_neighbours(&ratings);
        self.ratings = Some(ratings);
    }
}

impl Standings {
    fn compare_neighbours(&mut self, ratings: &Ratings) {
        let neighbours = self.rows.windows(2);
        let tests: Vec<_> = neighbours.map(|two| ratings.p_value(two[0].bot, two[1].bot)).collect();
        let known: Vec<f64> = tests.iter().flatten().copied().collect();
        let mut adjusted = adjusted_by_holm(&known).into_iter();
        for (row, test) in self.rows.iter_mut().zip(tests) {
            row.p_next = test.and_then(|_| adjusted.next());
        }
    }
}

impl Row {
    /// Whether its Elo differs significantly from that of the next row: 95 times in a hundred
    /// no such difference is found in a table of equals. `None` where there is no test.
    pub fn differs_from_next(&self) -> Option<bool> {
        self.p_next.map(|p| p < SIGNIFICANT)
    }

    /// How many games it forfeited.
    pub fn forfeited(&self) -> u32 {
        self.forfeits.iter().sum()
    }
}

/// What is counted game by game.
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
        p_next: None,
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
        // Two with two points each, one of them by beating the other.
        let list = games(&[(0, 1, 'w'), (0, 2, 'l'), (1, 2, 'w'), (1, 3, 'w'), (0, 3, 'w')]);
        let ranking = Ranking::default();
        let standings = Standings::new(4, &list, &ranking);
        let told = standings.tie_breaks(&Matches::new(&list), &ranking, &Places::default());
        let bots: Vec<_> = standings.rows.iter().map(|row| row.bot).collect();
        assert_eq!(bots, [0, 1, 2, 3]);
        // Direct encounter, Sonneborn-Berger, wins.
        assert_eq!(told[0], [Some(1.0), Some(2.0), Some(2.0)]);
        assert_eq!(told[1], [Some(0.0), Some(1.0), Some(2.0)]);
        assert_eq!(told[2], [None, Some(2.0), Some(1.0)]);
        assert_eq!(told[3], [None, Some(0.0), Some(0.0)]);
    }

    #[test]
    fn bots_without_games_stand_there_too() {
        let standings = Standings::new(3, &games(&[(2, 0, 'w')]), &Ranking::default());
        let order: Vec<_> = standings.rows.iter().map(|row| (row.rank, row.bot)).collect();
        assert_eq!(order, [(1, 2), (2, 0), (2, 1)]);
        assert_eq!(standings.rows[2].win_rate, None);
    }

    #[test]
    fn neighbours_are_compared_by_elo_in_the_order_of_points() {
        // Bot 2 beats bot 1 by much, bot 1 and bot 0 are equals; bot 3 met nobody.
        let many = |one, two, wins: usize, of: usize| {
            (0..of).map(move |n| (one, two, if n < wins { 'w' } else { 'l' }))
        };
        let list: Vec<_> = many(2, 1, 36, 40).chain(many(0, 1, 20, 40)).collect();
        let standings = Standings::rated(4, &games(&list), &Ranking::default(), &Model::default());
        let rows: Vec<_> =
            standings.rows.iter().map(|row| (row.bot, row.differs_from_next())).collect();
        assert_eq!(rows, [(2, Some(true)), (1, Some(false)), (0, None), (3, None)]);
        let ratings = standings.ratings.as_ref().unwrap();
        let expected = 2.0 * ratings.p_value(2, 1).unwrap();
        assert!((standings.rows[0].p_next.unwrap() - expected).abs() < 1e-12);
    }
}
