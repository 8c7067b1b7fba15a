//! Which limit has passed, and which of them rules.

use std::time::Duration;

use crate::record::{At, Limits};

/// The clock of one turn: everything that can run out while a side thinks.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnClock {
    /// When it was asked.
    pub(super) sent: At,
    /// The limit on this move.
    pub(super) per_move: Option<Duration>,
    /// What was left in its time account.
    pub(super) bank: Option<Duration>,
    /// When the game's time is over.
    pub(super) game_over: Option<At>,
    /// What limits on a move are extended by.
    pub(super) margin: Duration,
    /// What the other side has used of the core meanwhile: it is given back.
    pub(super) credit: Duration,
}

/// What ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Out {
    /// The time of the game; first, because it goes before the others at a tie.
    Game,
    /// The limit on the move.
    Move(Duration),
    /// The time account.
    Bank,
}

impl TurnClock {
    /// The last instants that are still in time, each with what runs out after it.
    fn deadlines(&self) -> impl Iterator<Item = (At, Out)> {
        let game = self.game_over.map(|at| (at, Out::Game));
        let after = |limit| self.sent + limit + self.margin + self.credit;
        let per_move = self.per_move.map(|limit| (after(limit), Out::Move(limit)));
        let bank = self.bank.map(|left| (after(left), Out::Bank));
        [game, per_move, bank].into_iter().flatten()
    }

    /// The last instant at which an answer is still in time.
    pub(super) fn until(&self) -> Option<At> {
        self.deadlines().map(|(at, _)| at).min()
    }

    /// What had run out at an instant: the earliest limit that was exceeded. Exactly at a
    /// limit is in time.
    pub(super) fn judge(&self, at: At) -> Option<Out> {
        self.deadlines().filter(|&(deadline, _)| at > deadline).min().map(|(_, out)| out)
    }
}

/// The limit on a side's next move: the first one of a process without handshake has its
/// own.
pub(super) fn move_limit(limits: &Limits, first_of_a_cold_start: bool) -> Option<Duration> {
    if first_of_a_cold_start { limits.first_move.or(limits.per_move) } else { limits.per_move }
}
