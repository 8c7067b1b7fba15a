//! Aggregated input of the fit: the two bots, their sides and the result.

use crate::{Match, Matches, Tally};

/// Games of two bots with the same one as player 1, from its point of view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) one: usize,
    pub(super) two: usize,
    pub(super) wins: f64,
    pub(super) draws: f64,
    pub(super) losses: f64,
}

impl Cell {
    /// All cells: two for every two bots, with `prior` virtual games of every bot.
    pub(super) fn all(matches: &Matches, prior: f64) -> Vec<Self> {
        let mut games: Vec<f64> = Vec::new();
        for each in matches.iter() {
            games.resize(games.len().max(each.higher as usize + 1), 0.0);
            for bot in [each.lower, each.higher] {
                games[bot as usize] += comparing(&each.tally());
            }
        }
        let share = |each: &Match| {
            let inverse = 1.0 / games[each.lower as usize] + 1.0 / games[each.higher as usize];
            prior.max(0.0) / 2.0 * comparing(&each.tally()) * inverse
        };
        let compared = matches.iter().filter(|each| comparing(&each.tally()) > 0.0);
        compared.flat_map(|each| Self::both(each, share(each) / 4.0)).collect()
    }

    fn both(each: &Match, virtual_games: f64) -> [Self; 2] {
        let (lower, higher) = (each.lower as usize, each.higher as usize);
        let turned = each.by_side[1].turned();
        [(lower, higher, each.by_side[0]), (higher, lower, turned)].map(|(one, two, tally)| Self {
            one,
            two,
            wins: f64::from(tally.wins) + virtual_games,
            draws: f64::from(tally.draws),
            losses: f64::from(tally.losses) + virtual_games,
        })
    }

    /// Cells of the distinct games: two for every two bots that such a game compares.
    pub(super) fn distinct(matches: &Matches) -> Vec<Self> {
        let of = |(each, by_side): (&Match, [Tally; 2])| {
            let compares = by_side.iter().any(|side| comparing(side) > 0.0);
            compares.then(|| Self::both(&Match { by_side, ..*each }, 0.0))
        };
        matches.iter().zip(matches.distinct_by_side()).filter_map(of).flatten().collect()
    }

    /// Adds virtual draws: `prior` / 2 for every bot, distributed over its opponents like its games,
    /// half of them as either player.
    pub(super) fn add_draws(cells: &mut [Self], prior: f64) {
        let mut games: Vec<f64> = Vec::new();
        for cell in cells.iter() {
            games.resize(games.len().max(cell.one.max(cell.two) + 1), 0.0);
            games[cell.one] += cell.games();
            games[cell.two] += cell.games();
        }
        for both in cells.chunks_exact_mut(2) {
            let played = both[0].games() + both[1].games();
            let inverse = 1.0 / games[both[0].one] + 1.0 / games[both[0].two];
            for cell in both {
                cell.draws += prior.max(0.0) / 4.0 * played * inverse;
            }
        }
    }

    /// Cell of two bots without games, the first of them as player 1.
    pub(super) fn empty((one, two): (usize, usize)) -> Self {
        Self { one, two, wins: 0.0, draws: 0.0, losses: 0.0 }
    }

    /// Adds wins, draws and losses.
    pub(super) fn add(&mut self, [wins, draws, losses]: [f64; 3]) {
        self.wins += wins;
        self.draws += draws;
        self.losses += losses;
    }

    /// Returns the cell with its games weighted.
    pub(super) fn times(self, weight: f64) -> Self {
        let [wins, draws, losses] = self.results().map(|count| count * weight);
        Self { wins, draws, losses, ..self }
    }

    pub(super) fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    /// Numbers of wins, draws and losses.
    pub(super) fn results(&self) -> [f64; 3] {
        [self.wins, self.draws, self.losses]
    }

    /// Returns the cell with every draw as half a win and half a loss.
    pub(super) fn halved(self) -> Self {
        let half = self.draws / 2.0;
        Self { wins: self.wins + half, draws: 0.0, losses: self.losses + half, ..self }
    }
}

/// Number of games of a tally that compare the two bots.
pub(super) fn comparing(tally: &Tally) -> f64 {
    f64::from(tally.games() - tally.both_lost)
}

/// Numbers of wins, draws and losses; with `halves`, every draw is half a win and half a loss.
pub(super) fn results(tally: Tally, halves: bool) -> [f64; 3] {
    let [wins, draws, losses] = [tally.wins, tally.draws, tally.losses].map(f64::from);
    if halves { [wins + draws / 2.0, 0.0, losses + draws / 2.0] } else { [wins, draws, losses] }
}
