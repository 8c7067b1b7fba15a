//! Intervals by information, profile and bootstrap, and comparisons of two bots.

use super::references::Oracle;
use super::*;

/// Maximum likelihood with intervals of this kind.
fn by(intervals: Intervals) -> Method {
    Method::MaximumLikelihood { prior: 0.0, intervals }
}

pub(super) fn bootstrap(samples: u32, seed: u64) -> Intervals {
    Intervals::Bootstrap { samples, seed: Seed(seed) }
}

/// Bot 0 wins `wins` of `of` single games against bot 1, all different.
fn row_of_games(wins: usize, of: usize) -> Vec<Game> {
    games(&(0..of).map(|n| (0, 1, if n < wins { 'w' } else { 'l' })).collect::<Vec<_>>())
}

/// Closed formulas for two bots: p = W/n, the information of the difference is n p (1 - p), and the
/// profile is the likelihood itself.
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

#[test]
fn superiority_is_the_normal_chance_of_the_difference() {
    let ratings = fit(2, &row_of_games(12, 20), &Model::maximum_likelihood());
    let rating = ratings.of(0).unwrap();
    // For two bots the difference is twice the distance from their mean.
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
