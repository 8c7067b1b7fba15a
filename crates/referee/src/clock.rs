//! Turn clock: detects the limit that expired first.

use std::time::Duration;

use pitmaster_core::{At, Limits};

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
    /// How long the mover has waited for a core in this turn, as far as that was looked up.
    pub(super) waited: Duration,
    /// How long it has waited in its turns before, beyond what was given back.
    pub(super) waited_before: Duration,
}

/// A limit, as an instant.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    /// The last instant that is in time.
    at: At,
    out: Out,
    /// A bot that waited for a core is heard for so long after that, to find out whether it is
    /// late only because of that.
    grace: Duration,
}

/// What ran out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Out {
    /// The time of the game; first, because it goes before the others at a tie.
    Game,
    /// The limit on the move.
    Move(Duration),
    /// The time account, with what was left in it.
    Bank(Duration),
}

impl TurnClock {
    /// Everything that can run out.
    fn deadlines(&self) -> impl Iterator<Item = Deadline> {
        let game = self.game_over.map(|at| Deadline { at, out: Out::Game, grace: Duration::ZERO });
        let after = |limit: Duration, out, waited: Duration| Deadline {
            at: self.sent + limit + self.margin + self.credit,
            out,
            // What the opponent took from it is part of what it waited, and given back already.
            grace: waited.saturating_sub(self.credit),
        };
        let per_move = self.per_move.map(|limit| after(limit, Out::Move(limit), self.waited));
        let waited = self.waited + self.waited_before;
        let bank = self.bank.map(|left| after(left, Out::Bank(left), waited));
        [game, per_move, bank].into_iter().flatten()
    }

    /// The last instant at which an answer can still be in time, or late only because its bot
    /// waited for a core.
    pub(super) fn until(&self) -> Option<At> {
        self.deadlines().map(|deadline| self.heard_until(deadline.at, deadline.grace)).min()
    }

    /// The same for any limit.
    pub(super) fn heard_until(&self, at: At, grace: Duration) -> At {
        at + grace.min(at.since(self.sent) * LONGEST_GRACE)
    }

    /// What had run out at an instant: the earliest limit that was exceeded, and whether only
    /// because the bot waited for a core. Exactly at a limit is in time.
    pub(super) fn judge(&self, at: At) -> Option<(Out, bool)> {
        let passed = self.deadlines().filter(|deadline| at > deadline.at);
        let first = passed.min_by_key(|deadline| (deadline.at, deadline.out))?;
        Some((first.out, at <= first.at + first.grace))
    }
}

/// A bot that waits for a core is heard for so many times its limit longer at most: if it has not
/// got a fifth of a core by then, nothing more is to be learned.
const LONGEST_GRACE: u32 = 4;

/// The limit on a side's next move: the first one of a process without handshake has its
/// own.
pub(super) fn move_limit(limits: &Limits, first_of_a_cold_start: bool) -> Option<Duration> {
    if first_of_a_cold_start { limits.first_move.or(limits.per_move) } else { limits.per_move }
}
