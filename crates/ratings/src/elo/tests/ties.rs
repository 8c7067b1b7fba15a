//! Ties between a version of a bot and its predecessor.

use super::*;

/// `count` games with this share of wins for the first, with alternating sides, each in its own
/// pair.
fn played(one: u32, two: u32, count: u32, wins: u32) -> Vec<(u32, u32, char)> {
    let game = |n: u32| {
        let has_won = n * wins / count != (n + 1) * wins / count;
        match (n % 2, has_won) {
            (0, true) => (one, two, 'w'),
            (0, false) => (one, two, 'l'),
            (_, true) => (two, one, 'l'),
            (_, false) => (two, one, 'w'),
        }
    };
    (0..count).map(game).collect()
}

fn tie(older: u32, newer: u32, within: Elo) -> Tie {
    Tie { older, newer, within }
}

/// Density of the strengths of two versions on a grid, integrated numerically.
struct Grid {
    /// Lowest rating, distance, and number of points.
    from: Elo,
    step: Elo,
    count: usize,
    /// Density by the rating of the first and of the second version.
    cells: Vec<f64>,
}

impl Grid {
    fn new(log_density: impl Fn(Elo, Elo) -> f64) -> Self {
        let (from, step, count) = (1100.0, 2.0, 451);
        let at = |place: usize| from + step * place as f64;
        let points = (0..count).flat_map(|one| (0..count).map(move |two| (at(one), at(two))));
        let logs: Vec<f64> = points.map(|(one, two)| log_density(one, two)).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let cells = logs.into_iter().map(|log| (log - most).exp()).collect();
        Self { from, step, count, cells }
    }

    /// Ratings of both versions at the maximum of the density.
    fn mode(&self) -> [Elo; 2] {
        let best = (0..self.cells.len()).max_by(|&a, &b| self.cells[a].total_cmp(&self.cells[b]));
        let best = best.unwrap();
        [best / self.count, best % self.count].map(|place| self.from + self.step * place as f64)
    }

    /// Rating below which this share of a version's distribution lies.
    fn quantile(&self, version: usize, share: f64) -> Elo {
        let mut marginal = vec![0.0; self.count];
        for (place, cell) in self.cells.iter().enumerate() {
            marginal[[place / self.count, place % self.count][version]] += cell;
        }
        let total: f64 = marginal.iter().sum();
        let mut sum = 0.0;
        let place = marginal.iter().position(|cell| {
            sum += cell;
            sum >= share * total
        });
        self.from + self.step * place.unwrap() as f64
    }
}

/// Two versions after an anchored bot, which met only anchors: only games and ties matter.
#[test]
fn estimates_and_intervals_are_those_of_a_numeric_integration() {
    let (bot, other) = (0, 3);
    let list = [played(1, other, 30, 20), played(2, bot, 12, 9), played(2, other, 6, 3)].concat();
    let model = Model {
        draws: Draws::Davidson { between_equals: Some(0.0) },
        first_move: FirstMove::Given(0.0),
        anchors: vec![Anchor { bot, elo: 1500.0 }, Anchor { bot: other, elo: 1400.0 }],
        ties: vec![tie(0, 1, 150.0), tie(1, 2, 80.0)],
        ..Model::default()
    };
    let ratings = fit(4, &games(&list), &model);
    let win = |difference: Elo| -(1.0 + 10_f64.powf(-difference / 400.0)).ln();
    let grid = Grid::new(|one, two| {
        let score = |own: Elo, other: Elo, wins: f64, losses: f64| {
            wins * win(own - other) + losses * win(other - own)
        };
        let near = |difference: Elo, within: Elo| -(difference / within).powi(2) / 2.0;
        score(one, 1400.0, 20.0, 10.0)
            + score(two, 1500.0, 9.0, 3.0)
            + score(two, 1400.0, 3.0, 3.0)
            + near(one - 1500.0, 150.0)
            + near(two - one, 80.0)
    });
    for (version, mode) in grid.mode().into_iter().enumerate() {
        let seen = ratings.of(version as u32 + 1).unwrap();
        assert!((seen.elo - mode).abs() < 2.0, "{seen:?} {mode}");
        let ends = [0.025, 0.975].map(|share| grid.quantile(version, share));
        let width = ends[1] - ends[0];
        assert!((100.0..350.0).contains(&width), "{ends:?}");
        for (seen, end) in [seen.low.unwrap(), seen.high.unwrap()].into_iter().zip(ends) {
            assert!((seen - end).abs() < 0.03 * width, "{seen} {end}");
        }
    }
}

#[test]
fn a_version_without_games_is_expected_to_be_like_its_predecessor() {
    let list = [played(0, 1, 40, 26), played(1, 2, 40, 20), played(0, 2, 40, 22)].concat();
    let with = |ties| Model { ties, ..Model::default() };
    let before = fit(3, &games(&list), &with(vec![]));
    let after =
        fit(6, &games(&list), &with(vec![tie(4, 5, 90.0), tie(0, 3, 150.0), tie(3, 4, 90.0)]));
    let error = |ratings: &Ratings, bot: usize| ratings.covariance.of_bot(bot) * ratings.scale;
    // Neither the population nor the scale depends on it.
    for bot in 0..3 {
        assert!((elo(&before, bot) - elo(&after, bot)).abs() < 0.01);
        assert!((error(&before, bot as usize) - error(&after, bot as usize)).abs() < 0.01);
    }
    assert_eq!(after.groups, 1);
    let mut variance = error(&after, 0).powi(2);
    for (version, within) in [(3, 150.0_f64), (4, 90.0), (5, 90.0)] {
        variance += within.powi(2);
        assert!((elo(&after, version) - elo(&after, 0)).abs() < 0.01);
        assert!((error(&after, version as usize) - variance.sqrt()).abs() < 0.5);
    }
}

#[test]
fn many_games_outweigh_a_tie() {
    let list = |times: u32| {
        [played(0, 1, 100 * times, 50 * times), played(2, 1, 100 * times, 80 * times)].concat()
    };
    let change = |times: u32, within: Elo| {
        let first_move = FirstMove::Given(0.0);
        let model = Model { first_move, ties: vec![tie(0, 2, within)], ..Model::default() };
        let ratings = fit(3, &games(&list(times)), &model);
        elo(&ratings, 2) - elo(&ratings, 0)
    };
    let real = -400.0 * (0.25_f64).log10();
    assert!((change(60, 150.0) - real).abs() < 4.0, "{} {real}", change(60, 150.0));
    assert!(change(1, 30.0) < 0.6 * real && change(1, 1.0) < 1.0);
}

#[test]
fn players_that_nobody_met_are_not_rated_by_a_tie_alone() {
    let list = [(0, 1, 'w'), (1, 0, 'w')];
    let model = Model { ties: vec![tie(2, 3, 100.0)], ..Model::default() };
    let ratings = fit(4, &games(&list), &model);
    assert!(ratings.of(2).is_none() && ratings.of(3).is_none());
    assert_eq!(ratings.groups, 1);
    // A new version met bots that its predecessor never met, so they can be compared.
    let list = [(0, 1, 'w'), (1, 0, 'w'), (2, 0, 'l'), (4, 3, 'w')];
    let ratings = fit(5, &games(&list), &model);
    assert_eq!(ratings.groups, 1);
    assert!(elo(&ratings, 4) > elo(&ratings, 3));
}
