//! How much of what is left a move may take.
//!
//! Must not know clocks: durations in, a duration out.

use std::time::Duration;

use crate::protocol::Remaining;

/// What is kept back of every limit on a move: the way of the line through the pipe, and what a
/// busy machine takes. Of 10,000 moves at 50 ms … see `reserve`.
const RESERVE: Duration = Duration::from_millis(8);

/// The part of a longer limit that is kept back.
const RESERVED_PART: u32 = 25;

/// A game or a time account is planned as if so many own moves were to come: whoever uses that
/// part of what is left with each move never comes to the end of it.
const MOVES: u32 = 30;

/// What a move may take, of what is limited at all; `None`: nothing is.
pub(super) fn share(left: Remaining, increment: Duration) -> Option<Duration> {
    let per_move = left.per_move.map(|limit| limit.saturating_sub(reserve(limit)));
    let per_game = left.per_game.map(|left| left / MOVES);
    let bank = left.banks.map(|(own, _)| of_bank(own, increment));
    [per_move, per_game, bank].into_iter().flatten().min()
}

/// The larger of the constant and the part, but no more than a half: who has little time shall
/// use some of it.
fn reserve(limit: Duration) -> Duration {
    RESERVE.max(limit / RESERVED_PART).min(limit / 2)
}

/// A part of the account and most of what will be added to it, as far as it is there already.
fn of_bank(own: Duration, increment: Duration) -> Duration {
    let planned = own / MOVES + increment * 3 / 4;
    planned.min(own.saturating_sub(reserve(own)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn ms(per_move: Option<u32>, per_game: Option<u32>, bank: Option<(u32, u32)>) -> Option<u128> {
        let left = Remaining {
            per_move: per_move.map(|limit| limit * MS),
            per_game: per_game.map(|left| left * MS),
            banks: bank.map(|(own, _)| (own * MS, MS)),
        };
        let increment = bank.map_or(Duration::ZERO, |(_, increment)| increment * MS);
        share(left, increment).map(|share| share.as_millis())
    }

    #[test]
    fn the_tightest_limit_decides() {
        assert_eq!(ms(None, None, None), None);
        assert_eq!(ms(Some(50), None, None), Some(42));
        assert_eq!(ms(Some(1000), None, None), Some(960));
        assert_eq!(ms(Some(1000), Some(210_000), None), Some(960));
        assert_eq!(ms(Some(1000), Some(15_000), None), Some(500));
        assert_eq!(ms(None, None, Some((60_000, 100))), Some(2075));
        assert_eq!(ms(Some(1000), Some(9000), Some((3000, 0))), Some(100));
        assert_eq!(ms(None, None, Some((100, 1000))), Some(92));
        assert_eq!(ms(Some(4), Some(210_000), None), Some(2));
        assert_eq!(ms(Some(1000), Some(0), None), Some(0));
    }

    proptest! {
        #[test]
        fn an_account_is_never_emptied(initial in 1..100_000u32, increment in 0..5000u32) {
            let (mut own, increment) = (initial * MS, increment * MS);
            for _ in 0..500 {
                let left = Remaining { banks: Some((own, MS)), ..Remaining::default() };
                let share = share(left, increment).expect("an account limits");
                prop_assert!(share < own);
                own = own - share + increment;
            }
        }
    }
}
