//! Tests of the fit: against Ordo, by hand, and on arbitrary games.

use std::collections::BTreeMap;

use pitmaster_core::{BySide, Seed};
use proptest::prelude::*;
use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::*;
use crate::interval::z;
use crate::matches::fixtures::{game, games};

fn fit(bots: usize, games: &[Game], model: &Model) -> Ratings {
    Ratings::fit(bots, games, &Matches::new(games), model)
}

fn elo(ratings: &Ratings, bot: u32) -> Elo {
    ratings.of(bot).unwrap().elo
}

// Ordo

#[derive(Deserialize)]
struct Oracle {
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
    fn read() -> Self {
        let text = include_str!("../../../../tests/golden/stats/ordo.json");
        serde_json::from_str(text).unwrap()
    }

    /// The bots' names in alphabetical order: a bot's number is its place.
    fn names(&self) -> Vec<&str> {
        let both = self.cross_table.iter().flat_map(|row| [&*row.0, &*row.1]);
        both.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
    }

    fn games(&self) -> Vec<Game> {
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

    /// Ordo's model, as far as no flag changes it.
    fn model(&self) -> Model {
        Model {
            draws: Draws::HalfWins { between_equals: Some(0.5) },
            first_move: FirstMove::Given(0.0),
            scale: 1.0 / self.beta,
            mean: 2300.0,
            ..Model::maximum_likelihood()
        }
    }

    /// With the flags `-A Anchor -a 2500`.
    fn anchored(&self) -> Model {
        let anchor = self.names().binary_search(&"Anchor").unwrap() as u32;
        Model { anchors: vec![Anchor { bot: anchor, elo: 2500.0 }], ..self.model() }
    }

    /// With the flags `-W -D`.
    fn estimated(model: Model) -> Model {
        let draws = Draws::HalfWins { between_equals: None };
        Model { draws, first_move: FirstMove::Estimated { within: 1e6 }, ..model }
    }

    fn fit(&self, model: &Model) -> Ratings {
        fit(self.names().len(), &self.games(), model)
    }

    /// Whether every rating of a run is met to within `tolerance`.
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

/// Ordo's errors are simulated; ours come from the games themselves.
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

// By hand

#[test]
fn three_wins_to_one_are_their_odds() {
    let list = [(0, 1, 'w'), (1, 0, 'l'), (0, 1, 'w'), (1, 0, 'w')];
    let ratings = fit(
        2,
        &games(&list),
        &Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() },
    );
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((difference - 400.0 * 3.0_f64.log10()).abs() < 1e-6, "{difference}");
    assert!((elo(&ratings, 0) + elo(&ratings, 1) - 3000.0).abs() < 1e-6);
}

#[test]
fn davidson_has_its_closed_form() {
    // Of two bots with W wins, D draws and L losses: odds W : L, ν = D / √(W L).
    let list = [vec![(0, 1, 'w'); 8], vec![(0, 1, 'd'); 6], vec![(0, 1, 'l'); 2]].concat();
    let model = Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() };
    let ratings = fit(2, &games(&list), &model);
    let difference = elo(&ratings, 0) - elo(&ratings, 1);
    assert!((difference - 400.0 * 4.0_f64.log10()).abs() < 0.1, "{difference}");
    let nu = 6.0 / 16.0_f64.sqrt();
    assert!((ratings.draw_rate - nu / (2.0 + nu)).abs() < 0.001);
}

#[test]
fn the_first_move_is_told_from_strength() {
    // Equals; player 1 wins three games in four.
    let half = |one, two| [vec![(one, two, 'w'); 30], vec![(one, two, 'l'); 10]].concat();
    let ratings = fit(2, &games(&[half(0, 1), half(1, 0)].concat()), &Model::maximum_likelihood());
    assert!((elo(&ratings, 0) - 1500.0).abs() < 1e-6);
    assert!((ratings.first_move.value - 400.0 * 3.0_f64.log10()).abs() < 3.0);
}

#[test]
fn when_player_1_always_wins_everything_stays_finite() {
    let ratings = fit(2, &games(&[(0, 1, 'w'), (1, 0, 'w')]), &Model::maximum_likelihood());
    let first = ratings.of(0).unwrap();
    assert!((first.elo - 1500.0).abs() < 1e-6);
    assert_eq!(first.bound, Bound::Both);
    assert!(ratings.first_move.value > 100.0);
}

#[test]
fn perfect_scores_are_bounded_where_such_a_row_has_a_chance_of_one_half() {
    let ratings = fit(2, &games(&[(0, 1, 'w'); 3]), &Model::maximum_likelihood());
    let [first, second] = [0, 1].map(|bot| *ratings.of(bot).unwrap());
    let chance = 0.5_f64.powf(1.0 / 3.0);
    let expected = 400.0 * (chance / (1.0 - chance)).log10();
    assert!((first.elo - second.elo - expected).abs() < 1e-6);
    assert!((first.elo + second.elo - 3000.0).abs() < 1e-6);
    assert_eq!((first.bound, first.high), (Bound::Above, None));
    assert_eq!((second.bound, second.low), (Bound::Below, None));
    assert!(first.low.unwrap() < first.elo && second.high.unwrap() > second.elo);
}

#[test]
fn a_chain_is_peeled_again_and_again() {
    let list = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let list: Vec<_> = list.iter().flat_map(|&(a, b)| [(a, b, 'w'), (b, a, 'l')]).collect();
    let ratings = fit(5, &games(&list), &Model::maximum_likelihood());
    let bounds: Vec<_> = ratings.bots.iter().map(|rating| rating.unwrap().bound.mark()).collect();
    assert_eq!(bounds, [">", ">", "", "<", "<"]);
    assert!((0..4).all(|bot| elo(&ratings, bot) > elo(&ratings, bot + 1) + 100.0));
    assert!((elo(&ratings, 2) - 1500.0).abs() < 1e-6);
}

#[test]
fn a_block_that_beat_everybody_is_bounded_as_one() {
    let within = [(0, 1, 'w'), (1, 0, 'w'), (2, 3, 'w'), (3, 4, 'w'), (4, 2, 'w')];
    let across = [(0, 2, 'w'), (1, 3, 'w')];
    let ratings = fit(5, &games(&[&within[..], &across].concat()), &Model::maximum_likelihood());
    let bounds: Vec<_> = ratings.bots.iter().map(|rating| rating.unwrap().bound.mark()).collect();
    assert_eq!(bounds, [">", ">", "", "", ""]);
}

#[test]
fn groups_that_never_met_are_centred_apart() {
    let list = [(0, 1, 'w'), (1, 0, 'w'), (2, 3, 'd'), (2, 3, 'w')];
    let ratings = fit(5, &games(&list), &Model::maximum_likelihood());
    assert_eq!(ratings.groups, 2);
    assert_eq!(ratings.of(3).unwrap().group, 1);
    for (a, b) in [(0, 1), (2, 3)] {
        assert!((elo(&ratings, a) + elo(&ratings, b) - 3000.0).abs() < 1e-6);
    }
    assert_eq!(ratings.of(4), None);
}

#[test]
fn several_anchors_hold() {
    let anchors = vec![Anchor { bot: 0, elo: 1800.0 }, Anchor { bot: 2, elo: 1200.0 }];
    let list = [(0, 1, 'w'), (1, 2, 'w'), (1, 0, 'l'), (2, 1, 'l')];
    let ratings = fit(3, &games(&list), &Model { anchors, ..Model::maximum_likelihood() });
    assert!((elo(&ratings, 0) - 1800.0).abs() < 1e-9);
    assert!((elo(&ratings, 1) - 1500.0).abs() < 1e-6);
    let between = ratings.of(1).unwrap();
    assert_eq!(between.bound, Bound::Both);
    assert!(between.low.unwrap() < 1400.0 && between.high.unwrap() > 1600.0);
    assert_eq!(ratings.of(2).unwrap().low, Some(1200.0));
}

#[test]
fn games_that_both_forfeited_change_nothing() {
    let list = [(0, 1, 'w'), (1, 0, 'w'), (0, 1, 'd')];
    let with = [&list[..], &[(0, 1, '-'), (0, 2, '-')]].concat();
    let (without, with) = (
        fit(3, &games(&list), &Model::maximum_likelihood()),
        fit(3, &games(&with), &Model::maximum_likelihood()),
    );
    assert_eq!(without.bots, with.bots);
    assert_eq!(with.of(2), None);
}

#[test]
fn repeated_pairs_narrow_no_interval() {
    let pairs = |times: u32, moves: &dyn Fn(u32) -> u64| -> Vec<Game> {
        let pair = |n: u32| {
            let mark = |lost| if n % 6 == lost { 'l' } else { 'w' };
            let [one, two] = [mark(0), mark(1)];
            let turned = if two == 'w' { 'l' } else { 'w' };
            [game(0, 1, one, n, moves(n)), game(1, 0, turned, n, moves(n) + 1000)]
        };
        (0..12 * times).flat_map(pair).collect()
    };
    let width = |games: &[Game]| {
        let rating = fit(2, games, &Model::maximum_likelihood()).bots[0].unwrap();
        rating.high.unwrap() - rating.low.unwrap()
    };
    let once = width(&pairs(1, &u64::from));
    let repeated = width(&pairs(9, &|n| u64::from(n % 12)));
    let fresh = width(&pairs(9, &u64::from));
    assert!((repeated / once - 1.0).abs() < 0.01, "{repeated} {once}");
    assert!(fresh < once / 2.5, "{fresh} {once}");
}

#[test]
fn a_prior_of_virtual_games_rates_perfect_scores_too() {
    let method = Method::MaximumLikelihood { prior: 2.0, intervals: Intervals::Information };
    let model = Model { method, ..Model::default() };
    let ratings = fit(2, &games(&[(0, 1, 'w'), (1, 0, 'l')]), &model);
    let first = ratings.of(0).unwrap();
    assert_eq!(first.bound, Bound::Both);
    assert!(first.elo > 1550.0 && first.elo < 1800.0, "{first:?}");
}

// Random effects

#[test]
fn every_rating_is_finite_and_a_mark_says_what_the_games_alone_bound() {
    // Bot 3 won everything, bot 4 lost everything, and bots 5 and 6 met nobody else.
    let list = [
        (0, 1, 'w'),
        (1, 0, 'w'),
        (1, 2, 'w'),
        (2, 1, 'w'),
        (3, 0, 'w'),
        (0, 3, 'l'),
        (4, 2, 'l'),
        (2, 4, 'w'),
        (5, 6, 'w'),
        (6, 5, 'l'),
    ];
    let ratings = fit(7, &games(&list), &Model::default());
    let all: Vec<_> = ratings.bots.iter().flatten().collect();
    assert_eq!(all.len(), 7);
    for rating in &all {
        let (low, high) = (rating.low.unwrap(), rating.high.unwrap());
        assert!(low < rating.elo && rating.elo < high && high - low < 2500.0, "{rating:?}");
    }
    let bounds: Vec<_> = all.iter().map(|rating| rating.bound).collect();
    let both = Bound::Both;
    assert_eq!(bounds[..5], [both, both, both, Bound::Above, Bound::Below]);
    assert_eq!(ratings.groups, 2);
    assert!(all[3].elo > all[0].elo && all[4].elo < all[2].elo && all[5].elo > all[6].elo);
    // More is known of how weak the best can be than of how strong.
    assert!(all[3].high.unwrap() - all[3].elo > all[3].elo - all[3].low.unwrap());
}

#[test]
fn many_games_outweigh_the_population() {
    let rating = |pairs: u32, model: &Model| {
        let won = |n| (0..n).flat_map(|_| [(0, 1, 'w'), (1, 0, 'l')]);
        let lost = |n| (0..n).flat_map(|_| [(0, 1, 'l'), (1, 0, 'w')]);
        let list: Vec<_> = won(3 * pairs).chain(lost(pairs)).collect();
        fit(2, &games(&list), model).of(0).unwrap().elo
    };
    let both = |pairs: u32| {
        [Model::default(), Model::maximum_likelihood()].map(|model| rating(pairs, &model))
    };
    let [random, likely] = both(1000);
    assert!((random - likely).abs() < 1.0, "{random} {likely}");
    let [random, likely] = both(1);
    assert!(random > 1500.0 && random < likely - 5.0, "{random} {likely}");
}

#[test]
fn anchors_hold_in_a_population() {
    let list = [(0, 1, 'w'), (1, 0, 'l'), (2, 1, 'w'), (1, 2, 'l')];
    let anchors = vec![Anchor { bot: 1, elo: 900.0 }];
    let ratings = fit(3, &games(&list), &Model { anchors, ..Model::default() });
    let anchor = ratings.of(1).unwrap();
    assert!((anchor.elo - 900.0).abs() < 1e-9, "{anchor:?}");
    assert_eq!((anchor.low, anchor.high), (Some(anchor.elo), Some(anchor.elo)));
    assert!(elo(&ratings, 0) > 950.0 && (elo(&ratings, 0) - elo(&ratings, 2)).abs() < 1e-6);
}

/// The strengths are about as far apart as they were drawn.
#[test]
fn a_population_is_as_wide_as_its_games_say() {
    let spread = |odds: usize| {
        let meetings = (0..8_u32).flat_map(|b| (0..b).map(move |a| (a, b)));
        let list: Vec<_> = meetings
            .flat_map(|(a, b)| (0..40).map(move |n| (b, a, if n % 10 < odds { 'w' } else { 'l' })))
            .collect();
        let ratings = fit(8, &games(&list), &Model::default());
        elo(&ratings, 7) - elo(&ratings, 0)
    };
    assert!(spread(9) > 2.0 * spread(6) && spread(5).abs() < 60.0);
}

// BayesElo

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

// Intervals

/// Maximum likelihood with intervals of this kind.
fn by(intervals: Intervals) -> Method {
    Method::MaximumLikelihood { prior: 0.0, intervals }
}

fn bootstrap(samples: u32, seed: u64) -> Intervals {
    Intervals::Bootstrap { samples, seed: Seed(seed) }
}

/// Bot 0 wins `wins` of `of` single games against bot 1, all different.
fn row_of_games(wins: usize, of: usize) -> Vec<Game> {
    games(&(0..of).map(|n| (0, 1, if n < wins { 'w' } else { 'l' })).collect::<Vec<_>>())
}

/// Everything about two bots can be written down: p = W/n, the information of the difference
/// is n p (1 - p), and the profile is the likelihood itself.
#[test]
fn the_profile_ends_where_the_likelihood_has_dropped() {
    let (wins, of) = (15.0, 20.0);
    let given =
        Model { first_move: FirstMove::Given(0.0), scale: 1.0, ..Model::maximum_likelihood() };
    let list = row_of_games(15, 20);
    let plain = *fit(2, &list, &given).of(0).unwrap();
    let model = Model { method: by(Intervals::Profile), ..given };
    let seen = *fit(2, &list, &model).of(0).unwrap();
    assert!((seen.elo - plain.elo).abs() < 1e-9);

    let p: f64 = wins / of;
    let half = plain.high.unwrap() - plain.elo;
    let allowed = (2.0 * half).powi(2) * of * p * (1.0 - p);
    let height = |difference: f64| {
        let p = 1.0 / (1.0 + (-difference).exp());
        wins * p.ln() + (of - wins) * (1.0 - p).ln()
    };
    for end in [seen.low, seen.high] {
        let drop = 2.0 * (height((p / (1.0 - p)).ln()) - height(2.0 * (end.unwrap() - 1500.0)));
        assert!((drop / allowed - 1.0).abs() < 1e-3, "{drop} {allowed}");
    }
    let (below, above) = (seen.elo - seen.low.unwrap(), seen.high.unwrap() - seen.elo);
    assert!(above > below * 1.05, "{below} {above}");
}

#[test]
fn the_kinds_of_interval_agree_where_there_are_many_games() {
    let list = [row_of_games(2200, 4000), row_of_games(1500, 4000)].concat();
    let list: Vec<Game> = list
        .into_iter()
        .enumerate()
        .map(|(n, game)| Game {
            bots: if n < 4000 { game.bots } else { game.bots.map(|bot| bot + 1) },
            fingerprint: n as u64,
            ..game
        })
        .collect();
    let width = |intervals| {
        let rating =
            *fit(3, &list, &Model { method: by(intervals), ..Model::maximum_likelihood() })
                .of(2)
                .unwrap();
        rating.high.unwrap() - rating.low.unwrap()
    };
    let plain = width(Intervals::Information);
    assert!((width(Intervals::Profile) / plain - 1.0).abs() < 0.01);
    assert!((width(bootstrap(1000, 1)) / plain - 1.0).abs() < 0.08);
}

#[test]
fn a_bootstrap_is_the_same_on_any_number_of_threads() {
    let list = Oracle::read().games();
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let model = Model { method: by(bootstrap(20, seed)), ..Model::maximum_likelihood() };
        pool.install(|| fit(15, &list, &model).bots)
    };
    let one = on(1, 5);
    assert_eq!(one, on(3, 5));
    assert_ne!(one, on(3, 6));
}

// Who is stronger

#[test]
fn superiority_is_the_normal_chance_of_the_difference() {
    let ratings = fit(2, &row_of_games(12, 20), &Model::maximum_likelihood());
    let rating = ratings.of(0).unwrap();
    // Of two bots around their mean the difference is twice the distance from it.
    let errors = (rating.elo - 1500.0) / ((rating.high.unwrap() - rating.elo) / z());
    let expected = Normal::standard().cdf(errors);
    let seen = ratings.superiority(0, 1).unwrap();
    assert!((seen - expected).abs() < 1e-9, "{seen} {expected}");
    assert!((ratings.superiority(1, 0).unwrap() + seen - 1.0).abs() < 1e-9);
    assert!((ratings.p_value(0, 1).unwrap() - 2.0 * (1.0 - expected)).abs() < 1e-9);
}

#[test]
fn superiority_over_bots_that_one_has_not_met() {
    let perfect = [vec![(0, 1, 'w'); 6], vec![(1, 2, 'w'); 3], vec![(2, 1, 'w'); 3]].concat();
    let apart = [&perfect[..], &[(3, 4, 'd')]].concat();
    let model = Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() };
    let ratings = fit(5, &games(&apart), &model);
    let sure = ratings.superiority(0, 1).unwrap();
    assert!((0.85..1.0).contains(&sure), "{sure}");
    assert!((ratings.superiority(1, 0).unwrap() + sure - 1.0).abs() < 1e-9);
    assert_eq!(ratings.superiority(3, 4), Some(0.5));
    assert_eq!(ratings.superiority(0, 3), None);
    assert_eq!(ratings.superiority(0, 9), None);
    // Two that won everything: neither has an upper end.
    let both = [&perfect[..], &[(3, 1, 'w')]].concat();
    assert_eq!(fit(4, &games(&both), &model).superiority(0, 3), None);
}

// What is given, and what is left out

#[test]
fn a_rate_of_draws_can_be_given() {
    let list = [vec![(0, 1, 'w'); 8], vec![(0, 1, 'd'); 6], vec![(0, 1, 'l'); 2]].concat();
    let given = |rate| {
        let draws = Draws::Davidson { between_equals: Some(rate) };
        fit(2, &games(&list), &Model { draws, ..Model::maximum_likelihood() })
    };
    assert!((given(0.2).draw_rate - 0.2).abs() < 1e-12);
    let estimated = fit(2, &games(&list), &Model::maximum_likelihood());
    let same = given(estimated.draw_rate);
    assert!((elo(&same, 0) - elo(&estimated, 0)).abs() < 1e-6);
    // Without draws the model counts each as half a win.
    let halves = Draws::HalfWins { between_equals: Some(0.0) };
    let halved = fit(2, &games(&list), &Model { draws: halves, ..Model::maximum_likelihood() });
    assert!((elo(&given(0.0), 0) - elo(&halved, 0)).abs() < 1e-6);
}

#[test]
fn forfeits_can_be_left_out_of_the_fit() {
    let mut list = games(&[(0, 1, 'w'), (1, 0, 'w'), (0, 1, 'd'), (1, 2, 'w'), (2, 1, 'w')]);
    let without = fit(3, &list, &Model::maximum_likelihood());
    let forfeit = game(0, 1, 'w', 99, 99);
    list.push(Game { faults: BySide::new(None, Some(3)), ..forfeit });
    let model = Model { without_forfeits: true, ..Model::maximum_likelihood() };
    assert_eq!(fit(3, &list, &model).bots, without.bots);
    assert_ne!(fit(3, &list, &Model::maximum_likelihood()).bots, without.bots);
}

// On anything at all

fn any_games() -> impl Strategy<Value = (usize, Vec<Game>)> {
    (2_u32..9).prop_flat_map(|bots| {
        let one = (0..bots, 1..bots, 0_usize..16, 0_u32..4, 0_u64..3);
        let games = proptest::collection::vec(one, 0..40).prop_map(move |list| {
            let mark = |dice: usize| b"wwwwwwwlllllldd-"[dice] as char;
            let to_game = |(a, step, dice, pair, moves): (u32, u32, usize, u32, u64)| {
                game(a, (a + step) % bots, mark(dice), pair, moves)
            };
            list.into_iter().map(to_game).collect()
        });
        (Just(bots as usize), games)
    })
}

fn any_model() -> impl Strategy<Value = Model> {
    let halves = |rate: f64| Draws::HalfWins { between_equals: Some(rate) };
    let draws = prop_oneof![
        Just(Draws::Davidson { between_equals: None }),
        (0.0..=1.0).prop_map(|rate| Draws::Davidson { between_equals: Some(rate) }),
        Just(Draws::HalfWins { between_equals: None }),
        (0.0..=1.0).prop_map(halves),
    ];
    let first_move = prop_oneof![
        Just(FirstMove::Estimated { within: 400.0 }),
        Just(FirstMove::Estimated { within: 1e5 }),
        (-3000.0..3000.0).prop_map(FirstMove::Given),
    ];
    let anchor = (0_u32..2, -1e6..1e6).prop_map(|(bot, elo)| Anchor { bot, elo });
    let anchors = proptest::collection::vec(anchor, 0..3);
    let prior = prop_oneof![Just(0.0), Just(2.0)];
    let intervals =
        prop_oneof![Just(Intervals::Information), Just(Intervals::Profile), Just(bootstrap(5, 1))];
    let likelihood = (prior, intervals)
        .prop_map(|(prior, intervals)| Method::MaximumLikelihood { prior, intervals });
    let method = prop_oneof![
        2 => Just(Method::RandomEffects),
        2 => likelihood,
        1 => Just(Method::BayesElo { prior: 2.0 }),
    ];
    let all = (draws, first_move, anchors, method);
    all.prop_map(|(draws, first_move, anchors, method)| Model {
        draws,
        first_move,
        method,
        anchors,
        ..Model::default()
    })
}

proptest! {
    #[test]
    fn every_number_is_finite_and_in_order((bots, games) in any_games(), model in any_model()) {
        let ratings = fit(bots, &games, &model);
        for rating in ratings.bots.iter().flatten() {
            prop_assert!(rating.elo.is_finite(), "{rating:?}");
            prop_assert!(rating.low.is_none_or(|low| low.is_finite() && low <= rating.elo));
            prop_assert!(rating.high.is_none_or(|high| high.is_finite() && high >= rating.elo));
        }
        prop_assert!(ratings.first_move.value.is_finite() && ratings.first_move.error.is_finite());
        prop_assert!((0.0..=1.0).contains(&ratings.draw_rate));
    }

    /// The law of the maximum: everybody has the points that are expected of it.
    #[test]
    fn expected_points_are_points((bots, games) in any_games()) {
        let model = Model::maximum_likelihood();
        let matches = Matches::new(&games);
        let cells = Cell::all(&matches, 0.0);
        let blocks = Blocks::new(bots, &cells, &[]);
        let fit = Fit::new(&cells, &blocks, &model);
        let mut surplus = vec![0.0; bots];
        for cell in cells.iter().filter(|cell| blocks.of[cell.one] == blocks.of[cell.two]) {
            let chances = fit.chances(cell.one, cell.two);
            let games = cell.wins + cell.draws + cell.losses;
            let points = cell.wins + cell.draws / 2.0 - games * (chances.win + chances.draw / 2.0);
            surplus[cell.one] += points;
            surplus[cell.two] -= points;
        }
        prop_assert!(surplus.iter().all(|points| points.abs() < 1e-6), "{surplus:?}");
    }

    /// Mirrored results: a bot that loses each game that another wins has the mirrored rating.
    #[test]
    fn mirrored_results_mirror_ratings((bots, games) in any_games()) {
        let mirrored: Vec<Game> =
            games.iter().map(|game| Game { marks: game.marks.swapped(), ..*game }).collect();
        let model = Model { first_move: FirstMove::Given(0.0), ..Model::maximum_likelihood() };
        let (plain, mirrored) = (fit(bots, &games, &model), fit(bots, &mirrored, &model));
        for (a, b) in plain.bots.iter().zip(&mirrored.bots) {
            let (Some(a), Some(b)) = (a, b) else {
                prop_assert_eq!(a, b);
                continue;
            };
            prop_assert!((a.elo + b.elo - 3000.0).abs() < 1e-4, "{a:?} {b:?}");
            prop_assert_eq!((a.low.is_some(), a.high.is_some()), (b.high.is_some(), b.low.is_some()));
        }
    }

    /// Order by Elo and order by points agree in a round-robin.
    #[test]
    fn elo_goes_with_points(marks in proptest::collection::vec(0_usize..3, 30)) {
        let meetings = (0..6).flat_map(|a| (0..6).filter(move |&b| a != b).map(move |b| (a, b)));
        let list: Vec<_> =
            meetings.zip(marks).map(|((a, b), mark)| (a, b, b"wdl"[mark] as char)).collect();
        let ranking = crate::Ranking::default();
        let standings =
            crate::Standings::rated(6, &games(&list), &ranking, &Model::maximum_likelihood());
        let all = standings.rows.iter().map(|row| row.elo.unwrap().elo);
        for (above, below) in all.clone().zip(all.skip(1)) {
            prop_assert!(above > below - 1e-4, "{:?}", standings.rows);
        }
    }
}
