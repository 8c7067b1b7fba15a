//! Series of games between two players, in pairs with the sides swapped, on all cores. The same
//! seed gives the same result on any number of threads.

use std::collections::HashSet;

use pitmaster_core::{BySide, Seed, Side};
use pitmaster_games::{DynGame, GameSpec, find};
use rayon::prelude::*;

use super::bout::{Bout, Conditions, play_bout};
use super::{Budget, BuildError, Player, PlayerSpec, Unlimited, build};

/// Settings of a series.
#[derive(Debug, Clone)]
pub struct Series {
    /// Game to play.
    pub game: GameSpec,
    /// Player A and player B.
    pub players: [PlayerSpec; 2],
    /// Pairs of games; A is player 1 in the first game of each.
    pub pairs: u32,
    /// Number of plies after which a game is adjudicated.
    pub plies: u32,
    /// Number of random plies at the start of each pair, the same in both games.
    pub random_plies: u32,
    /// Seed of all randomness.
    pub seed: Seed,
}

/// Results of a series. Sums are over games; scores are over the distinct pairs, by the number of
/// half points that a pair of games gave: 0 to 4.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of pairs played.
    pub pairs: u64,
    /// Number of pairs that do not repeat an earlier one.
    pub distinct: u64,
    /// Scores of the player who moved first.
    pub first: [u64; 5],
    /// Scores of player A.
    pub a: [u64; 5],
    /// Number of drawn games.
    pub draws: u64,
    /// Number of games ended by the limit of plies.
    pub cut: u64,
    /// Number of plies.
    pub plies: u64,
    /// Number of available moves, summed over all plies.
    pub choices: u64,
    /// Number of moves that the players made on a board while searching.
    pub nodes: u64,
}

impl Series {
    /// Plays the series on the threads of rayon's pool; `progress` is called after each pair.
    ///
    /// # Errors
    /// Fails if the game does not exist or a player cannot play it.
    pub fn play(&self, progress: impl Fn() + Sync) -> Result<Tally, BuildError> {
        self.play_within(|| Unlimited, progress)
    }

    /// Plays the series with a new `budget` for each move, which must not depend on a clock.
    ///
    /// # Errors
    /// Fails if the game does not exist or a player cannot play it.
    pub fn play_within<B: Budget>(
        &self,
        budget: impl Fn() -> B + Sync,
        progress: impl Fn() + Sync,
    ) -> Result<Tally, BuildError> {
        let game = find(&self.game)?;
        self.seats()?;
        let seats = || self.seats().expect("they could be seated once");
        let pairs: Vec<_> = (1..=self.pairs)
            .into_par_iter()
            .map_init(seats, |seats, number| {
                let pair = self.pair(&*game, seats, number, &budget);
                progress();
                pair
            })
            .collect();
        Ok(tally(&pairs))
    }

    fn seats(&self) -> Result<[Box<dyn Player>; 2], BuildError> {
        let [a, b] = &self.players;
        Ok([build(&self.game, a)?, build(&self.game, b)?])
    }

    /// The first game with A as player 1, the second with B.
    fn pair<B: Budget>(
        &self,
        game: &dyn DynGame,
        seats: &mut [Box<dyn Player>; 2],
        number: u32,
        budget: impl Fn() -> B,
    ) -> [Bout; 2] {
        let seed = self.seed.derive(&format!("pair {number}"));
        Side::BOTH.map(|a| {
            let [one, two] = seats;
            let one: &mut dyn Player = &mut **one;
            let two: &mut dyn Player = &mut **two;
            let players = match a {
                Side::One => BySide::new(one, two),
                Side::Two => BySide::new(two, one),
            };
            let conditions = Conditions {
                plies: self.plies,
                random_plies: self.random_plies,
                deal: seed,
                dice: seed.derive(&format!("dice {a}")),
            };
            play_bout(game, players, conditions, &budget)
        })
    }
}

fn tally(pairs: &[[Bout; 2]]) -> Tally {
    let mut tally = Tally { pairs: pairs.len() as u64, ..Tally::default() };
    let mut seen = HashSet::new();
    for pair in pairs {
        for bout in pair {
            tally.draws += u64::from(bout.outcome.winner.is_none());
            tally.cut += u64::from(bout.was_cut);
            tally.plies += u64::from(bout.plies);
            tally.choices += bout.choices;
            tally.nodes += bout.nodes;
        }
        if seen.insert(pair.map(|bout| bout.fingerprint)) {
            let [one, two] = pair;
            tally.distinct += 1;
            tally.first[half_points(one, one.first) + half_points(two, two.first)] += 1;
            tally.a[half_points(one, Side::One) + half_points(two, Side::Two)] += 1;
        }
    }
    tally
}

fn half_points(bout: &Bout, side: Side) -> usize {
    match bout.outcome.winner {
        None => 1,
        Some(winner) if winner == side => 2,
        Some(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(game: &str, players: [&str; 2], pairs: u32) -> Series {
        Series {
            game: game.parse().expect(game),
            players: players.map(|player| player.parse().expect(player)),
            pairs,
            plies: 400,
            random_plies: 0,
            seed: Seed(1),
        }
    }

    fn on_threads(threads: usize, series: &Series) -> Tally {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| series.play(|| ())).expect("players of this game")
    }

    #[test]
    fn the_result_is_the_same_on_any_number_of_threads() {
        for game in ["coloured-awale", "oware", "weg"] {
            let series = series(game, ["random", "greedy"], 20);
            let tally = on_threads(1, &series);
            assert_eq!(tally, on_threads(3, &series), "{game}");
            assert_eq!(tally.distinct, 20);
            assert_eq!(tally.a.iter().sum::<u64>(), 20);
        }
    }

    #[test]
    fn greed_beats_chance() {
        let tally = on_threads(2, &series("coloured-awale", ["greedy", "random"], 50));
        let points = (0..5).map(|half| half as u64 * tally.a[half]).sum::<u64>();
        assert!(points > 180, "{points} of 200 half points");
    }

    #[test]
    fn a_limit_of_plies_cuts() {
        let series = Series { plies: 3, ..series("oware", ["random", "random"], 5) };
        let tally = on_threads(1, &series);
        assert_eq!((tally.cut, tally.plies), (10, 30));
    }

    /// If all plies are random, both games of a pair are equal except for the sides.
    #[test]
    fn the_random_plies_of_a_pair_are_the_same() {
        let series =
            Series { random_plies: 400, ..series("coloured-awale", ["random", "random"], 10) };
        let tally = on_threads(1, &series);
        assert_eq!(tally.a, [0, 0, 10, 0, 0]);
        assert!(tally.first[2] < 10);
    }
}
