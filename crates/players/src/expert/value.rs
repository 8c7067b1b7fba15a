//! Search values: estimates in hundredths of a seed, and decided games beyond any estimate. The
//! module does not know games.
//!
//! Decided games are ordered by their winner, then by the difference of the scores, then by length:
//! a sooner win is better. A draw is 0. All values are from one side's view; the other side's have
//! the opposite sign.

use pitmaster_core::Side;
use pitmaster_games::Outcome;

/// Minimum value of a decided game for its winner.
pub(super) const WON: i32 = 1 << 24;
/// Bound above all values.
pub(super) const INFINITE: i32 = 1 << 27;
/// Number above the maximum depth of a search.
const PLIES: i32 = 1 << 10;
/// Largest distinguished score difference.
const MARGIN: i32 = (1 << 14) - 1;

/// Value for player 1 of a position `ply` plies from the root whose final score difference is known.
pub(super) fn settled(lead: i32, ply: u32) -> i32 {
    lead.signum() * won(lead.abs(), ply)
}

/// Value of a won game for its winner; 0 plies from the root is the most.
fn won(margin: i32, ply: u32) -> i32 {
    WON + (margin + MARGIN + 1) * PLIES - ply.cast_signed()
}

/// Value, for a side, of a game that ended `ply` plies from the root.
pub(super) fn decided(outcome: &Outcome, side: Side, ply: u32) -> i32 {
    let Some(winner) = outcome.winner else { return 0 };
    let score = outcome.score;
    let margin = i64::from(score[winner]) - i64::from(score[winner.other()]);
    let margin = margin.clamp(-i64::from(MARGIN), i64::from(MARGIN)) as i32;
    let value = won(margin, ply);
    if winner == side { value } else { -value }
}

/// Whether a value is that of a won or lost game.
pub(super) fn is_decided(value: i32) -> bool {
    value.abs() >= WON
}

/// An estimate, kept out of the range of decided games.
pub(super) fn estimate(value: i32) -> i32 {
    value.clamp(1 - WON, WON - 1)
}

/// The value as stored in the table, with ends counted from the position instead of the root.
pub(super) fn from_here(value: i32, ply: u32) -> i32 {
    if is_decided(value) { value + value.signum() * ply.cast_signed() } else { value }
}

/// The value as used in the search, the inverse of [`from_here`].
pub(super) fn from_root(value: i32, ply: u32) -> i32 {
    if is_decided(value) { value - value.signum() * ply.cast_signed() } else { value }
}

/// A value in seeds: the difference of the scores of a decided game, exactly, or the estimate.
pub(super) fn seeds(value: i32) -> f64 {
    match margin(value) {
        Some(margin) => f64::from(value.signum() * margin),
        None => f64::from(value) / 100.0,
    }
}

/// Margin of the winner, if the value is that of a won game.
pub(super) fn margin(value: i32) -> Option<i32> {
    is_decided(value).then(|| {
        let plies_are_left_out = value.abs() - WON + PLIES - 1;
        plies_are_left_out / PLIES - MARGIN - 1
    })
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Score;
    use proptest::prelude::*;

    use super::*;

    fn outcome(winner: Option<Side>, one: u32, two: u32) -> Outcome {
        Outcome { winner, score: Score::new(one, two), clause: "seeds" }
    }

    #[test]
    fn winner_then_margin_then_plies() {
        let value = |winner, one, two, ply| decided(&outcome(winner, one, two), Side::One, ply);
        let (won, lost) = (Some(Side::One), Some(Side::Two));
        let in_order = [
            value(lost, 1, 90, 1),
            value(lost, 1, 9, 1),
            value(lost, 1, 9, 30),
            // The player who clears the own side wins, regardless of the score.
            value(lost, 9, 1, 2),
            estimate(i32::MIN),
            value(None, 5, 5, 3),
            estimate(i32::MAX),
            value(won, 1, 9, 1),
            value(won, 9, 1, 128),
            value(won, 9, 1, 1),
            value(won, 90, 1, 128),
        ];
        assert!(in_order.is_sorted_by(|a, b| a < b), "{in_order:?}");
        assert!(in_order.iter().all(|value| value.abs() < INFINITE));
    }

    proptest! {
        #[test]
        fn winner_and_margin_come_back(one in 0..9000_u32, two in 0..9000_u32, ply in 0..128_u32) {
            for side in Side::BOTH {
                let won = outcome(Some(side), one, two);
                let value = decided(&won, Side::One, ply);
                let margin_of_one = one.cast_signed() - two.cast_signed();
                let sign = if side == Side::One { 1 } else { -1 };
                prop_assert_eq!(value.signum(), sign);
                prop_assert_eq!(margin(value), Some(sign * margin_of_one));
                prop_assert!((seeds(value) - f64::from(margin_of_one)).abs() < 1e-9);
                prop_assert_eq!(decided(&won, Side::Two, ply), -value);
                prop_assert_eq!(from_root(from_here(value, ply), ply), value);
                prop_assert_eq!(from_here(value, ply), decided(&won, Side::One, 0));
            }
        }
    }

    #[test]
    fn a_known_difference_is_worth_as_much_as_the_end_of_the_game() {
        let ended = |winner, one, two| decided(&outcome(winner, one, two), Side::One, 7);
        assert_eq!(settled(5, 7), ended(Some(Side::One), 25, 20));
        assert_eq!(settled(-5, 7), ended(Some(Side::Two), 20, 25));
        assert_eq!(settled(0, 7), ended(None, 24, 24));
    }

    #[test]
    fn an_estimate_has_no_margin() {
        assert_eq!((margin(250), seeds(250)), (None, 2.5));
        assert_eq!((margin(0), seeds(0)), (None, 0.0));
        assert_eq!(from_here(250, 9), 250);
    }
}
