//! A bot that takes part, as the runner knows it.

use std::sync::Arc;

use crate::bot::Launch;
use crate::record::{BotId, Dialect, Fault, Limits, Seed, Side};

/// Makes a bot's command line for a game.
pub type MakeLaunch = dyn Fn(Side, Seed, &Limits) -> Launch + Send + Sync;

/// A bot that takes part.
#[derive(Clone)]
pub struct Entrant {
    /// Who it is.
    pub id: BotId,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// Whether its chatter is skipped.
    pub lenient: bool,
    /// How it is started.
    pub launch: Arc<MakeLaunch>,
    /// Why it cannot play at all: its games are forfeits, unplayed.
    pub absent: Option<Fault>,
}

impl std::fmt::Debug for Entrant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, absent, .. } = self;
        let mut shown = f.debug_struct("Entrant");
        shown.field("id", id).field("absent", absent).finish_non_exhaustive()
    }
}
