//! Comparison with Ordo and BayesElo on games rated by them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
pub(super) struct Oracle {
    beta: f64,
    cross_table: Vec<(String, String, usize, usize, usize)>,
    fixed_points: BTreeMap<String, FixedPoint>,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct FixedPoint {
    ratings: BTreeMap<String, f64>,
    white_advantage: f64,
}

#[derive(Deserialize)]
struct Run {
    tag: String,
    white_advantage: f64,
    draw_rate_percent: f64,
    ratings: BTreeMap<String, OrdoRating>,
}

#[derive(Deserialize)]
struct OrdoRating {
    rating: f64,
    error: Option<f64>,
}

impl Oracle {
    pub(super) fn read() -> Self {
        let text = include_str!("../../../../../tests/golden/stats/ordo.json");
        serde_json::from_str(text).unwrap()
    }

    /// The bots' names in alphabetical order, indexed by a bot's number.
    pub(super) fn names(&self) -> Vec<&str> {
        let both = self.cross_table.iter().flat_map(|row| [&*row.0, &*row.1]);
        both.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    pub(super) fn games(&self) -> Vec<Game> {
        let names = self.names();
        let number = |name: &str| names.binary_search(&name).unwrap() as u32;
        let mut list = Vec::new();
        for (white, black, wins, draws, losses) in &self.cross_table {
            for (mark, times) in [('w', wins), ('d', draws), ('l', losses)] {
                let one = (number(white), number(black), mark);
                list.extend(std::iter::repeat_n(one, *times));
            }
        }
        games(&list)
    }

    fn run(&self, tag: &str) -> &Run {
        self.runs.iter().find(|run| run.tag == tag).unwrap()
    }

    /// Ordo's model without flags.
    pub(super) fn model(&self) -> Model {
        Model {
            draws: Draws::HalfWins { between_equals: Some(0.5) },
            first_move: FirstMove::Given(0.0),
            scale: 1.0 / self.beta,
            mean: 2300.0,
            ..Model::maximum_likelihood()
        }
    }

    /// With the flags `-A Anchor -a 2500`.
    pub(super) fn anchored(&self) -> Model {
        let anchor = self.names().binary_search(&"Anchor").unwrap() as u32;
        Model { anchors: vec![Anchor { bot: anchor, elo: 2500.0 }], ..self.model() }
    }

    /// With the flags `-W -D`.
    pub(super) fn estimated(model: Model) -> Model {
        let draws = Draws::HalfWins { between_equals: None };
        Model { draws, first_move: FirstMove::Estimated { within: 1e6 }, ..model }
    }

    pub(super) fn fit(&self, model: &Model) -> Ratings {
        fit(self.names().len(), &self.games(), model)
    }

    /// Checks every rating of a run with this tolerance.
    fn compare(&self, tag: &str, ratings: &Ratings, tolerance: f64) {
        for (number, name) in self.names().iter().enumerate() {
            if let Some(row) = self.run(tag).ratings.get(*name) {
                let seen = elo(ratings, number as u32);
                assert!((seen - row.rating).abs() < tolerance, "{tag} {name}: {seen}");
            }
        }
        if let Some(point) = self.fixed_points.get(tag) {
            for (name, rating) in &point.ratings {
                let number = self.names().binary_search(&&**name).unwrap() as u32;
                let seen = elo(ratings, number);
                assert!((seen - rating).abs() < 0.01, "{tag} {name}: {seen}, not {rating}");
            }
            assert!((ratings.first_move.value - point.white_advantage).abs() < 0.01, "{tag}");
        }
    }

    fn bounds(&self, ratings: &Ratings) -> Vec<(&str, Bound)> {
        let names = self.names().into_iter().zip(&ratings.bots);
        let bounds = names.map(|(name, rating)| (name, rating.unwrap().bound));
        bounds.filter(|(_, bound)| *bound != Bound::Both).collect()
    }
}

#[test]
fn ratings_agree_with_ordo() {
    let oracle = Oracle::read();
    for (tag, model) in [
        ("default_avg2300", oracle.model()),
        ("ML_avg2300", oracle.model()),
        ("anchor2500", oracle.anchored()),
    ] {
        let ratings = oracle.fit(&model);
        oracle.compare(tag, &ratings, 0.01);
        let bounds = [("Hopeless", Bound::Below), ("Perfect", Bound::Above)];
        assert_eq!(oracle.bounds(&ratings), bounds);
    }
}

#[test]
fn first_move_and_draws_agree_with_ordo() {
    let oracle = Oracle::read();
    let tag = "anchor2500_autoWD";
    let ratings = oracle.fit(&Oracle::estimated(oracle.anchored()));
    oracle.compare(tag, &ratings, 0.01);
    let run = oracle.run(tag);
    assert!((ratings.first_move.value - run.white_advantage).abs() < 0.01);
    assert!((ratings.draw_rate * 100.0 - run.draw_rate_percent).abs() < 0.01);
}

/// Ordo's errors are simulated; these are computed from the games.
#[test]
fn errors_are_about_those_that_ordo_simulates() {
    let oracle = Oracle::read();
    for (tag, model) in [
        ("avg2300_autoWD_sim2000_poolrel", oracle.model()),
        ("anchor2500_autoWD_sim2000", oracle.anchored()),
    ] {
        let ratings = oracle.fit(&Oracle::estimated(model));
        for (number, name) in oracle.names().iter().enumerate() {
            let row = oracle.run(tag).ratings.get(*name);
            let Some(error) = row.and_then(|row| row.error) else { continue };
            let seen = ratings.of(number as u32).unwrap();
            let half = (seen.high.unwrap() - seen.low.unwrap()) / 2.0;
            assert!((0.75..1.25).contains(&(half / error)), "{tag} {name}: {half}, not {error}");
        }
        assert!((ratings.first_move.error / 14.74 - 1.0).abs() < 0.25);
    }
}

/// The reference run of the program: 524 games, `advantage 1`, `drawelo 1`.
#[test]
fn advantage_and_draws_agree_with_bayes_elo() {
    let oracle = Oracle::read();
    let model = Model {
        method: Method::BayesElo { prior: 2.0 },
        first_move: FirstMove::Estimated { within: 1e5 },
        ..Model::default()
    };
    let ratings = oracle.fit(&model);
    assert!((ratings.first_move.value - 40.26).abs() < 0.2, "{:?}", ratings.first_move);
    // Equals draw (θ - 1)/(θ + 1) of their games, with θ = 10^(128.65/400).
    let theta = 10_f64.powf(128.65 / 400.0);
    let expected = (theta - 1.0) / (theta + 1.0);
    assert!((ratings.draw_rate - expected).abs() < 1e-3, "{} {expected}", ratings.draw_rate);
    assert!(ratings.bots.iter().flatten().all(|rating| rating.high.is_some()));
}
