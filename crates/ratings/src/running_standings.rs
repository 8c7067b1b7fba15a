//! Incremental standings while games arrive, from tallies per two bots instead of single games.

use std::collections::BTreeMap;

use super::{Anchor, Game, Matches, Model, Ranking, RunningRatings, Standings, Tally};

/// Results of every two bots, counted game by game. Its size grows with the meetings, not with the
/// games.
#[derive(Debug, Clone, Default)]
pub struct Tallies {
    /// All games.
    all: Meetings,
    /// Games that were played: without those of bots that cannot play.
    played: Meetings,
    /// Fit of the games played so far, with the anchors that it was made with.
    ratings: Option<(RunningRatings, Vec<Anchor>)>,
}

/// Results by meeting and side.
type Meetings = BTreeMap<(u32, u32), [Tally; 2]>;

impl Tallies {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        let side = game.side_of_lower();
        let count = |meetings: &mut Meetings| {
            let by_side = meetings.entry(game.meeting()).or_default();
            by_side[side.index()].count(game.marks[side], game.marks[side.other()]);
        };
        count(&mut self.all);
        if !game.is_absence() {
            count(&mut self.played);
            if let Some((ratings, _)) = &mut self.ratings {
                ratings.add(game);
            }
        }
    }

    /// Standings of `bots` bots with their Elo under the default model with these anchors. Ranks,
    /// points and games equal those computed from the games. Information that requires single games
    /// is missing: how many were distinct, forfeits, and the correlation within pairs. So the Elo
    /// and its uncertainty assume distinct and independent games. A few more games than at the last
    /// call only update the Elo ([`RunningRatings`]).
    ///
    /// # Panics
    /// Panics if a game named a bot that is not below `bots`.
    pub fn standings(&mut self, bots: usize, ranking: &Ranking, anchors: &[Anchor]) -> Standings {
        let mut standings = Standings::from_matches(bots, &[], &matches(&self.all), ranking);
        let (ratings, _) = match self.ratings.take() {
            Some((mut ratings, with))
                if with == anchors
                    && ratings.ratings().bots.len() == bots
                    && !ratings.needs_whole_fit() =>
            {
                ratings.refit();
                self.ratings.insert((ratings, with))
            }
            _ => {
                let model = Model { anchors: anchors.to_vec(), ..Model::default() };
                let ratings = RunningRatings::new(bots, &matches(&self.played), &model);
                self.ratings.insert((ratings, anchors.to_vec()))
            }
        };
        standings.rate(ratings.ratings().clone());
        standings
    }
}

fn matches(meetings: &Meetings) -> Matches {
    Matches::tallied(meetings.iter().map(|(bots, tallies)| (*bots, *tallies)))
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use rand::RngExt as _;

    use super::super::matches::fixtures::game;
    use super::*;

    #[test]
    fn counted_games_rank_as_the_games_themselves_do() {
        for seed in 0..20 {
            let mut rng = Seed(seed).stream("tallies");
            let bots = rng.random_range(2..9);
            let mut one_game = |number: u32| {
                let one = rng.random_range(0..bots);
                let two = (one + rng.random_range(1..bots)) % bots;
                // Bot 0 wins all its games, and moves repeat.
                let mark = match (one, two) {
                    (0, _) => 'w',
                    (_, 0) => 'l',
                    _ => ['w', 'd', 'l', '-'][rng.random_range(0..4)],
                };
                game(one, two, mark, number / 2, rng.random_range(0..30))
            };
            let games: Vec<_> = (0..60).map(&mut one_game).collect();
            let (bots, ranking) = (bots as usize, Ranking::default());
            let mut tallies = Tallies::default();
            for game in &games {
                tallies.add(game);
                tallies.standings(bots, &ranking, &[]);
            }
            let counted = tallies.standings(bots, &ranking, &[]);
            let whole = Standings::rated(bots, &games, &ranking, &Model::default());
            for (counted, whole) in counted.rows.iter().zip(&whole.rows) {
                let seen = |row: &super::super::Row| {
                    (row.rank, row.bot, row.games, row.wins, row.draws, row.losses, row.points)
                };
                assert_eq!(seen(counted), seen(whole), "seed {seed}");
                let [counted, whole] = [counted, whole].map(|row| row.elo.map(|elo| elo.elo));
                // Repetitions count fully, and pairs are unknown.
                let is_near = |(counted, whole): (f64, f64)| {
                    (counted - whole).abs() < 60.0 + 0.1 * (whole - 1500.0).abs()
                };
                assert!(counted.zip(whole).is_none_or(is_near), "{seed}: {counted:?} {whole:?}");
                assert_eq!(counted.is_some(), whole.is_some());
            }
        }
    }

    #[test]
    fn anchors_hold_while_games_arrive() {
        let mut tallies = Tallies::default();
        for (number, mark) in (0..).zip(['w', 'w', 'l', 'w']) {
            tallies.add(&game(0, 1, mark, number, number.into()));
        }
        let anchors = [Anchor { bot: 0, elo: 1500.0 }];
        let standings = tallies.standings(2, &Ranking::default(), &anchors);
        assert_eq!(standings.rows[0].elo.map(|elo| elo.elo), Some(1500.0));
        assert!(standings.rows[1].elo.is_some_and(|elo| elo.elo < 1500.0));
    }
}
