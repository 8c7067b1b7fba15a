//! Sentence about a game's outcome.

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Record, Side, ending_label};

/// Sentence with the winner and the reason.
pub(super) fn outcome(record: &Record) -> Message {
    let ending = &record.ending;
    let why = ending_label(&ending.name());
    let both_lost = Side::BOTH.into_iter().all(|side| ending.fault_of(side).is_some());
    match ending.winner() {
        Some(side) => said!("{} won: {}", record.key.bots[side].name.as_str(), why),
        None if both_lost => said!("both lost: {}", why),
        None => said!("draw: {}", why),
    }
}
