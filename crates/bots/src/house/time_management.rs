//! Time management: the share of the remaining time that a move may use.
//!
//! Must not depend on clocks: durations in, a duration out.

use std::time::Duration;

use pitmaster_referee::protocol::Remaining;

/// Time reserved from every limit on a move: for the pipe, and one time slice of another program.
const RESERVE: Duration = Duration::from_millis(8);

/// Fraction of a longer limit that is reserved, as a divisor.
const RESERVED_PART: u32 = 25;

/// Number of longest observed pauses that are reserved.
const PAUSES: u32 = 2;

/// Number of own moves that a game or a time account is planned for. Every move uses that fraction
/// of the remaining time, so it never runs out.
const MOVES: u32 = 30;

/// Limits of the clock, and knowledge about the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Clocks {
    /// The remaining time of each limit that exists.
    pub(super) left: Remaining,
    /// Time added to the account after each move.
    pub(super) increment: Duration,
    /// Longest recent gap between two clock readings.
    pub(super) pause: Duration,
}

impl Clocks {
    /// Time that a move may use; `None` if nothing is limited.
    pub(super) fn share(&self) -> Option<Duration> {
        let Remaining { per_move, per_game, banks } = self.left;
        let per_move = per_move.map(|limit| limit.saturating_sub(self.reserve(limit)));
        let per_game = per_game.map(|left| left / MOVES);
        let bank = banks.map(|(own, _)| self.of_bank(own));
        [per_move, per_game, bank].into_iter().flatten().min()
    }

    /// Time reserved from a limit: the largest of the constant, the part and the pauses, but at
    /// most half of it.
    fn reserve(&self, limit: Duration) -> Duration {
        let pauses = self.pause.saturating_mul(PAUSES);
        RESERVE.max(limit / RESERVED_PART).max(pauses).min(limit / 2)
    }

    /// Part of the account and most of the increment, at most the account itself.
    fn of_bank(&self, own: Duration) -> Duration {
        let planned = own / MOVES + self.increment * 3 / 4;
        planned.min(own.saturating_sub(self.reserve(own)))
    }
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
        let clocks = Clocks { left, increment, pause: Duration::ZERO };
        clocks.share().map(|share| share.as_millis())
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

    #[test]
    fn on_a_busy_machine_more_is_kept_back() {
        let share = |limit, pause| {
            let left = Remaining { per_move: Some(limit * MS), ..Remaining::default() };
            let clocks = Clocks { left, increment: MS, pause: pause * MS };
            clocks.share().map(|share| share.as_millis())
        };
        let shares = [(50, 1), (50, 8), (50, 100), (1000, 8), (1000, 100)];
        let shares = shares.map(|(limit, pause)| share(limit, pause));
        assert_eq!(shares, [Some(42), Some(34), Some(25), Some(960), Some(800)]);
    }

    proptest! {
        #[test]
        fn an_account_is_never_emptied(
            initial in 1..100_000u32, increment in 0..5000u32, pause in 0..200u32
        ) {
            let (mut own, increment) = (initial * MS, increment * MS);
            for _ in 0..500 {
                let left = Remaining { banks: Some((own, MS)), ..Remaining::default() };
                let clocks = Clocks { left, increment, pause: pause * MS };
                let share = clocks.share().expect("an account limits");
                prop_assert!(share < own);
                own = own.saturating_sub(share) + increment;
            }
        }
    }
}
