//! Tests of single outcomes: the programs fishtest and fastchess, limits, properties.

use proptest::prelude::*;

use super::super::golden::{Golden, GoldenRatio, outcomes};
use super::*;

const LOGISTIC: Sprt =
    Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };

/// Tolerance for another program's ratio. fishtest solves its equations to full precision.
/// fastchess stops at 0.001 in θ, so its logistic ratio is off by up to 0.0025 (for 140 000 pairs),
/// and ends the normalized model once shares change by less than 0.0001.
fn tolerance(case: &GoldenRatio) -> f64 {
    match (&*case.program, case.sprt().model) {
        ("fishtest", _) => 1e-11 * case.ratio.abs().max(1.0),
        ("fastchess", SprtModel::Logistic) => 0.0025,
        ("fastchess", SprtModel::Normalised) => 5e-6,
        _ => 0.0051,
    }
}

#[test]
fn ratios_agree_with_established_programs() {
    let golden = Golden::read().ratios;
    assert_eq!(golden.len(), 94);
    for case in &golden {
        let seen = case.sprt().ratio(&outcomes(&case.outcomes));
        assert!((seen - case.ratio).abs() <= tolerance(case), "{case:?}: {seen}");
    }
}

#[test]
fn estimates_agree_with_fishtest() {
    for case in &Golden::read().estimates {
        let (sprt, outcomes) = (case.sprt(), outcomes(&case.outcomes));
        let (low, high) = sprt.bounds();
        let seen = sprt.estimate(&outcomes).unwrap();
        let pairs = [
            (sprt.ratio(&outcomes), case.ratio),
            (low, case.bounds[0]),
            (high, case.bounds[1]),
            (seen.elo.value.unwrap(), case.elo),
            (seen.elo.low.unwrap(), case.low),
            (seen.elo.high.unwrap(), case.high),
            (seen.superiority, case.superiority),
        ];
        for (ours, theirs) in pairs {
            assert!((ours - theirs).abs() < 1e-8, "{case:?}: {ours}, not {theirs}");
        }
    }
}

#[test]
fn bounds_are_walds() {
    let sprt = Sprt { alpha: 0.05, beta: 0.1, ..LOGISTIC };
    let (low, high) = sprt.bounds();
    assert!((low + 2.251_292).abs() < 1e-6 && (high - 2.890_372).abs() < 1e-6);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let wrong = |sprt: Sprt| sprt.checked().unwrap_err().to_string();
    let limit = "the bounds of a test are two numbers from -1000 to 1000, the lower one first, not";
    assert_eq!(wrong(Sprt { elo0: 5.0, ..LOGISTIC }), format!("{limit} 5 and 5"));
    assert_eq!(wrong(Sprt { elo1: f64::NAN, ..LOGISTIC }), format!("{limit} 0 and NaN"));
    assert_eq!(wrong(Sprt { elo1: 2000.0, ..LOGISTIC }), format!("{limit} 0 and 2000"));
    let wide = Sprt { elo1: 300.0, model: SprtModel::Normalised, ..LOGISTIC };
    assert!(wrong(wide).contains("from -200 to 200"));
    let rate = "beta is above 0 and below 0.5, such as 0.05, not 0.5";
    assert_eq!(wrong(Sprt { beta: 0.5, ..LOGISTIC }), rate);
    assert!(LOGISTIC.checked().is_ok());
    assert_eq!("normalised".parse(), Ok(SprtModel::Normalised));
    assert!("bayesian".parse::<SprtModel>().is_err());
}

#[test]
fn a_run_stops_and_stays_stopped() {
    let mut run = Sprt { elo1: 50.0, ..LOGISTIC }.start();
    assert_eq!((run.verdict(), run.ratio(), run.estimate()), (None, 0.0, None));
    let mut pairs = 0;
    while run.verdict().is_none() {
        run.add_pair([4, 3, 1, 4, 2][pairs % 5]);
        pairs += 1;
    }
    assert_eq!(run.verdict(), Some(SprtVerdict::AcceptedH1));
    let (_, high) = run.bounds();
    assert!(run.ratio() >= high && high < run.sprt().bounds().1, "{run:?}");
    let stopped = run.clone();
    run.add_pair(0);
    assert_eq!(run, stopped);
    assert_eq!(run.outcomes().samples(), pairs as u64);
}

/// A single game counts as half a pair in which both games had its result.
#[test]
fn games_can_come_alone() {
    let mut games = Sprt { elo1: 50.0, ..LOGISTIC }.start_games();
    (0..30).for_each(|n| games.add_game([2, 0, 1][n % 3]));
    assert_eq!(games.outcomes(), Outcomes::Games([10, 10, 10]));
    assert!(games.ratio() < 0.0 && games.verdict().is_none());
}

fn any_outcomes() -> impl Strategy<Value = Outcomes> {
    let count = || prop_oneof![Just(0), 0..5_u64, 0..1000_u64, 0..10_000_000_u64];
    let games = prop::array::uniform3(count()).prop_map(Outcomes::Games);
    let pairs = prop::array::uniform5(count()).prop_map(Outcomes::Pairs);
    prop_oneof![games, pairs]
}

fn any_sprt() -> impl Strategy<Value = Sprt> {
    let elo = || -200.0..200.0_f64;
    let rate = || 0.001..0.499_f64;
    let model = prop::sample::select(&SprtModel::ALL[..]);
    (elo(), 0.1..1.0_f64, rate(), rate(), model).prop_map(|(elo0, part, alpha, beta, model)| Sprt {
        elo0,
        elo1: elo0 + part * (200.0 - elo0),
        alpha,
        beta,
        model,
    })
}

proptest! {
    #[test]
    fn every_number_is_one(outcomes in any_outcomes(), sprt in any_sprt()) {
        prop_assert!(sprt.ratio(&outcomes).is_finite());
        let length = sprt.length(&outcomes);
        prop_assert!(length.is_none_or(|l| [l.at_elo0, l.between, l.at_elo1]
            .iter().all(|length| length.is_finite() && *length > 0.0)), "{length:?}");
        if let Some(seen) = sprt.estimate(&outcomes) {
            for of in [seen.elo, seen.normalised] {
                let known: Vec<_> = [of.low, of.value, of.high].into_iter().flatten().collect();
                prop_assert!(known.iter().all(|end| end.is_finite()) && known.is_sorted(), "{seen:?}");
            }
            prop_assert!((0.0..=1.0).contains(&seen.superiority), "{seen:?}");
        }
    }

    #[test]
    fn the_other_bot_sees_the_opposite_ratio(
        outcomes in any_outcomes(),
        elo in 0.5..200.0_f64,
        model in prop::sample::select(&SprtModel::ALL[..]),
    ) {
        let sprt = Sprt { elo0: -elo, elo1: elo, model, ..LOGISTIC };
        let (one, other) = (sprt.ratio(&outcomes), sprt.ratio(&outcomes.turned()));
        // The normalized model's iteration ends when no probability changes by more than 1e-9: the
        // remaining error counts for each sample.
        let tolerance = 1e-6 * one.abs().max(1.0) + 1e-9 * outcomes.samples() as f64;
        prop_assert!((one + other).abs() <= tolerance, "{one} {other}");
    }

    /// A walk between two bounds, from both sides, at any time.
    #[test]
    fn brownian_motion_is_symmetric(
        drift in -3.0..3.0_f64, high in 0.1..5.0_f64, low in -5.0..-0.1_f64,
        time in 0.001..100.0_f64, part in 0.0..1.0_f64,
    ) {
        let place = low + part * (high - low);
        let [up, down] = [drift, -drift].map(|drift| Brownian { drift, variance: 1.0 });
        let below = up.below((low, high), time, place);
        let above = down.below((-high, -low), time, -place);
        prop_assert!((below + above - 1.0).abs() < 1e-7, "{below} {above}");
        // A walk that reached a bound reached the lower or the upper one.
        let late = up.below((low, high), 1e6, place);
        prop_assert!((late - up.meets_low((low, high))).abs() < 1e-9);
        let first = up.below((low, high), time, low);
        prop_assert!(first <= below + 1e-9 && first <= late + 1e-9);
    }
}
