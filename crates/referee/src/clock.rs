//! Turn clock: detects the limit that expired first.

use std::time::Duration;

use pitmaster_core::{At, Limits};

/// Clock of one turn, with all limits that can expire while a side thinks.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnClock {
    /// Instant of the request.
    pub(super) sent: At,
    /// Limit of this move.
    pub(super) per_move: Option<Duration>,
    /// Rest of the side's time account.
    pub(super) bank: Option<Duration>,
    /// Instant at which the game's time ends.
    pub(super) game_over: Option<At>,
    /// Grace period added to limits on a move.
    pub(super) margin: Duration,
    /// CPU time that the other side has used meanwhile; it is given back.
    pub(super) credit: Duration,
    /// Time the mover has waited for a core in this turn, as far as it was measured.
    pub(super) waited: Duration,
    /// Time it has waited in its earlier turns, beyond what was given back.
    pub(super) waited_before: Duration,
    /// Whether its waiting is given back: see [`super::Referee::accept_waiting`].
    pub(super) gives_back: bool,
}

/// Limit as an instant.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    /// Last instant in time on a free core.
    at: At,
    out: Out,
    /// Time that the bot has waited for a core. An answer within that time after the limit is late
    /// only because of it.
    waited: Duration,
}

/// Expired limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Out {
    /// Time of the game; listed first, because it takes precedence in a tie.
    Game,
    /// Limit of the move.
    Move(Duration),
    /// Time account, with its rest.
    Bank(Duration),
}

impl TurnClock {
    /// All deadlines.
    fn deadlines(&self) -> impl Iterator<Item = Deadline> {
        let game = self.game_over.map(|at| Deadline { at, out: Out::Game, waited: Duration::ZERO });
        let after = |limit: Duration, out, waited: Duration| Deadline {
            at: self.sent + limit + self.margin + self.credit,
            out,
            // Time taken by the opponent is part of its waiting time and already credited.
            waited: waited.saturating_sub(self.credit),
        };
        let per_move = self.per_move.map(|limit| after(limit, Out::Move(limit), self.waited));
        let waited = self.waited + self.waited_before;
        let bank = self.bank.map(|left| after(left, Out::Bank(left), waited));
        [game, per_move, bank].into_iter().flatten()
    }

    /// Last instant at which an answer can still be in time, or late only because its bot waited
    /// for a core.
    pub(super) fn until(&self) -> Option<At> {
        self.deadlines().map(|deadline| self.listen_until(deadline.at, deadline.waited)).min()
    }

    /// Last listening instant for a limit, if the bot has waited this long.
    pub(super) fn listen_until(&self, at: At, waited: Duration) -> At {
        at + waited.min(at.since(self.sent) * LONGEST_GRACE)
    }

    /// Last instant in time for a limit, if the bot has waited this long.
    pub(super) fn in_time_until(&self, at: At, waited: Duration) -> At {
        if self.gives_back { self.listen_until(at, waited) } else { at }
    }

    /// Waiting in this turn that is given back, as far as it was measured.
    pub(super) fn given_back(&self) -> Duration {
        if self.gives_back { self.waited.saturating_sub(self.credit) } else { Duration::ZERO }
    }

    /// Limit that had expired at an instant: the earliest limit exceeded, and whether the bot
    /// exceeded it only because it waited for a core. Exactly at a limit is in time.
    pub(super) fn judge(&self, at: At) -> Option<(Out, bool)> {
        let ends = |deadline: &Deadline| self.in_time_until(deadline.at, deadline.waited);
        let passed = self.deadlines().filter(|deadline| at > ends(deadline));
        let first = passed.min_by_key(|deadline| (ends(deadline), deadline.out))?;
        Some((first.out, at <= first.at + first.waited))
    }
}

/// Maximum additional listening time for a bot that waits for a core, as a multiple of its limit. A
/// bot with less than a fifth of a core by then is starved in any case.
const LONGEST_GRACE: u32 = 4;

/// Limit of a side's next move. The first move of a process without handshake has its own limit.
pub(super) fn move_limit(limits: &Limits, first_of_a_cold_start: bool) -> Option<Duration> {
    if first_of_a_cold_start { limits.first_move.or(limits.per_move) } else { limits.per_move }
}
