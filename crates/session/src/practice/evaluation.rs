//! Evaluation of a game that a person has played.

use std::time::Duration;

use pitmaster_core::Record;
use pitmaster_report::GameAnalysis;
use pitmaster_runner::move_to;

use crate::{Analyst, Effort, Error, PlayedGame, Silent, analyze};

/// Time for a position: a long game takes less than half a minute.
const PER_POSITION: Duration = Duration::from_millis(50);

/// Evaluates every position of a game by `house:expert`, on this thread and these cores.
///
/// # Errors
/// This version does not have the rules of the game.
pub fn evaluate(record: Record, cores: &[usize]) -> Result<GameAnalysis, Error> {
    move_to(cores);
    let analyst = Analyst::new("expert", Effort::Time(PER_POSITION)).map_err(Error::invalid)?;
    analyze(&PlayedGame::of(record)?, &analyst, &Silent)
}
