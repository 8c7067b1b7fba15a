//! Referee state of one side.

use std::time::Duration;

use pitmaster_core::{Dialect, Fault};

use crate::protocol::Want;

/// Communication settings of a side.
#[derive(Debug, Clone, Copy)]
pub struct SeatSetup {
    /// Dialect of the bot.
    pub dialect: Dialect,
    /// Whether chatter is skipped.
    pub lenient: bool,
    /// Wanted lines, if the process is already running and has answered the greeting.
    pub greeted: Option<Want>,
    /// Limit of each of its moves in place of that of the game, such as for a person.
    pub per_move: Option<Duration>,
}

/// Action for a side's process after the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessFate {
    /// There is no process.
    None,
    /// Close its input and let it exit, by force if necessary.
    Close,
    /// Keep it for another game; pass the value in its next [`SeatSetup`].
    Keep(Want),
}

/// Progress of a side in getting ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Progress {
    /// No process yet.
    Cold,
    /// The process is running.
    Running,
    /// The bot has answered the greeting.
    Greeted,
    /// The bot has answered `newgame`.
    Ready,
}

#[derive(Debug)]
pub(super) struct Seat {
    pub(super) dialect: Dialect,
    pub(super) lenient: bool,
    /// Limit of its moves in place of that of the game.
    pub(super) per_move: Option<Duration>,
    pub(super) progress: Progress,
    pub(super) want: Want,
    /// Moves played since the side was last informed, each preceded by a space.
    pub(super) pending_moves: String,
    /// Number of moves made.
    pub(super) moves: u32,
    /// Index of its last move among the plies.
    pub(super) last_ply: Option<usize>,
    /// Time account.
    pub(super) bank: Duration,
    pub(super) skipped: u32,
    /// Whether the bot wrote part of a line before it was asked; the line is judged once complete.
    pub(super) early: bool,
    /// Fault before the game began.
    pub(super) failed: Option<Fault>,
    /// CPU time used during the opponent's turns.
    pub(super) stolen: Duration,
    /// CPU time used during the opponent's turns since its last move.
    pub(super) stolen_since_move: Duration,
    /// CPU time used for its own moves.
    pub(super) cpu: Duration,
    /// Time it waited for a core in its moves, beyond what was credited.
    pub(super) waited: Duration,
    /// Whether the time that it waits is given back.
    pub(super) gives_back: bool,
}

impl Seat {
    pub(super) fn new(setup: SeatSetup, bank: Duration) -> Self {
        Self {
            dialect: setup.dialect,
            lenient: setup.lenient,
            per_move: setup.per_move,
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
            gives_back: false,
        }
    }

    /// Whether the bot still has to answer the greeting or `newgame`.
    pub(super) fn must_shake(&self) -> bool {
        self.dialect.has_handshake() && self.failed.is_none() && self.progress < Progress::Ready
    }
}
