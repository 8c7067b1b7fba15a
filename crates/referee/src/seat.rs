//! Referee state of one side.

use std::time::Duration;

use pitmaster_core::{Dialect, Fault};

use crate::protocol::Want;

/// How a side is spoken to.
#[derive(Debug, Clone, Copy)]
pub struct SeatSetup {
    /// Its dialect.
    pub dialect: Dialect,
    /// Whether chatter is skipped.
    pub lenient: bool,
    /// What the process wants, when it runs already and has answered the greeting.
    pub greeted: Option<Want>,
}

/// How to part from a side's process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessFate {
    /// It was never started.
    None,
    /// Close its input and let it go, by force if need be.
    Close,
    /// It can serve another game; what it wants goes into its next [`SeatSetup`].
    Keep(Want),
}

/// How far a side has come in getting ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Progress {
    /// No process yet.
    Cold,
    /// Its process runs.
    Running,
    /// It has answered the greeting.
    Greeted,
    /// It has answered `newgame`.
    Ready,
}

#[derive(Debug)]
pub(super) struct Seat {
    pub(super) dialect: Dialect,
    pub(super) lenient: bool,
    pub(super) progress: Progress,
    pub(super) want: Want,
    /// What was played since it was last told, each move after a space.
    pub(super) pending_moves: String,
    /// How many moves it has made.
    pub(super) moves: u32,
    /// Where its last move stands among the plies.
    pub(super) last_ply: Option<usize>,
    /// Its time account.
    pub(super) bank: Duration,
    pub(super) skipped: u32,
    /// It wrote part of a line before it was asked; the line is judged when it is whole.
    pub(super) early: bool,
    /// Why it failed before the game began.
    pub(super) failed: Option<Fault>,
    /// CPU time while the other was to move.
    pub(super) stolen: Duration,
    /// The part of it since its last move.
    pub(super) stolen_since_move: Duration,
    /// CPU time for its own moves.
    pub(super) cpu: Duration,
    /// How long it waited for a core in its moves, beyond what was given back.
    pub(super) waited: Duration,
}

impl Seat {
    pub(super) fn new(setup: SeatSetup, bank: Duration) -> Self {
        Self {
            dialect: setup.dialect,
            lenient: setup.lenient,
            progress: if setup.greeted.is_some() { Progress::Greeted } else { Progress::Cold },
            want: setup.greeted.unwrap_or_default(),
            pending_moves: String::new(),
            moves: 0,
            last_ply: None,
            bank,
            skipped: 0,
            early: false,
            failed: None,
            stolen: Duration::ZERO,
            stolen_since_move: Duration::ZERO,
            cpu: Duration::ZERO,
            waited: Duration::ZERO,
        }
    }

    /// Whether it still has to answer the greeting or `newgame`.
    pub(super) fn must_shake(&self) -> bool {
        self.dialect.has_handshake() && self.failed.is_none() && self.progress < Progress::Ready
    }
}
