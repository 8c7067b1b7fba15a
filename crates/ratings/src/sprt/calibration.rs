//! Calibration of the test's error rates and of its estimate. Slow: `cargo test --release --lib
//! calibration::sprt -- --ignored`.

use pitmaster_core::Seed;
use rand::Rng as _;
use rayon::prelude::*;

use super::super::comparison::elo_at;
use super::super::outcomes::{Moments, PerOutcome};
use super::*;

/// Number of tests of a hypothesis.
const TESTS: u64 = 4000;

/// Shares of the results of pairs of two equal bots: bots that rarely draw, as in games with many
/// seeds; bots that often draw; games decided mostly by the side.
const FORMS: [[f64; 5]; 3] = [
    [0.26, 0.06, 0.36, 0.06, 0.26],
    [0.06, 0.24, 0.40, 0.24, 0.06],
    [0.04, 0.03, 0.86, 0.03, 0.04],
];

/// Shares tilted to this Elo of the model.
fn tilted(form: [f64; 5], elo: f64, model: SprtModel) -> PerOutcome {
    let (mut low, mut high) = (-20.0, 20.0);
    loop {
        let tilt = f64::midpoint(low, high);
        let shares: PerOutcome = form
            .iter()
            .zip(0..)
            .map(|(share, i)| share * (tilt * f64::from(i) / 4.0).exp())
            .collect();
        let Moments { samples, mean, variance } = Moments::of(&shares);
        let seen = match model {
            SprtModel::Logistic => elo_at(mean),
            SprtModel::Normalised => (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED,
        };
        if high - low < 1e-12 {
            return shares.iter().map(|share| share / samples).collect();
        }
        if seen < elo { low = tilt } else { high = tilt }
    }
}

/// Test of bots whose pairs have results in these shares.
fn play(sprt: Sprt, shares: &[f64], seed: Seed) -> SprtRun {
    let mut rng = seed.stream("pairs");
    let mut run = sprt.start();
    while run.verdict().is_none() {
        let mut left = rng.next_u64() as f64 / 2_f64.powi(64);
        let mut outcome = 0;
        while outcome < 4 && left >= shares[usize::from(outcome)] {
            left -= shares[usize::from(outcome)];
            outcome += 1;
        }
        run.add_pair(outcome);
    }
    run
}

/// Shares of all tests.
struct Rates {
    accepted_h1: f64,
    /// Estimates below the true value.
    below: f64,
    /// Intervals that contain the true value.
    held: f64,
}

/// Tests of bots that differ by this Elo in the model.
fn rates(sprt: Sprt, form: [f64; 5], truth: f64) -> Rates {
    let shares = tilted(form, truth, sprt.model);
    let elo = elo_at(Moments::of(&shares).mean);
    let test = |n| {
        let run = play(sprt, &shares, Seed(n));
        let seen = run.estimate().unwrap().elo;
        let held =
            seen.low.is_none_or(|low| low <= elo) && seen.high.is_none_or(|high| elo <= high);
        let below = seen.value.is_some_and(|value| value < elo);
        [run.verdict() == Some(SprtVerdict::AcceptedH1), below, held].map(f64::from)
    };
    let tests: Vec<[f64; 3]> = (0..TESTS).into_par_iter().map(test).collect();
    let share = |column: usize| tests.iter().map(|test| test[column]).sum::<f64>() / TESTS as f64;
    Rates { accepted_h1: share(0), below: share(1), held: share(2) }
}

/// Checks the predicted rates. With `TESTS` tests, three standard errors are 1.1 points for a share
/// of 5 % and 2.4 for one half. In addition the rates may be off by a point, and the median by two,
/// because a walk of a few hundred pairs is not exactly Brownian motion.
fn check(model: SprtModel, hypotheses: [(f64, f64); 3]) {
    for (form, (elo0, elo1)) in FORMS.into_iter().zip(hypotheses) {
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let between = f64::midpoint(elo0, elo1);
        for truth in [elo0, between, elo1] {
            let Rates { accepted_h1, below, held } = rates(sprt, form, truth);
            println!("{model} {form:?} {truth}: H1 {accepted_h1}, below {below}, held {held}");
            let wanted = if truth < between { 0.05 } else { 0.95 };
            if (truth - between).abs() > 0.0 {
                assert!((accepted_h1 - wanted).abs() < 0.021, "{accepted_h1}, not {wanted}");
            }
            assert!((below - 0.5).abs() < 0.044, "{below}");
            assert!((0.93..=0.97).contains(&held), "{held}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn sprt_errs_as_rarely_as_it_was_asked_to_by_the_logistic_model() {
    check(SprtModel::Logistic, [(0.0, 20.0), (0.0, 15.0), (0.0, 7.0)]);
}

#[test]
#[ignore = "takes minutes"]
fn sprt_errs_as_rarely_as_it_was_asked_to_by_the_normalised_model() {
    check(SprtModel::Normalised, [(0.0, 20.0); 3]);
}
