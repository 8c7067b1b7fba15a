//! A run: a tournament, who plays it, where it is kept, and what is known of it already.

use std::collections::HashMap;
use std::time::SystemTime;

use tokio::sync::mpsc::unbounded_channel;

use super::cores::Layout;
use super::events::{Event, Finish};
use super::game::{Stopping, failed_without_a_move};
use super::lane::Entrant;
use super::ledger::Verdict;
use super::owner::Owner;
use crate::record::{BotId, BySide, Fault, GameId, Record, Side};
use crate::store::{AttemptState, Store, StoreError};
use crate::tournament::Tournament;

/// A run to be.
#[derive(Debug)]
pub struct Run<'a> {
    /// What is played.
    pub tournament: &'a Tournament,
    /// By whom, in the order of the plan.
    pub entrants: Vec<Entrant>,
    /// Where it is kept.
    pub store: &'a Store,
    /// On which cores.
    pub layout: Layout,
    /// How the side not to move is kept from thinking.
    pub stopping: Stopping,
    /// When to begin no further cycle.
    pub until: Option<SystemTime>,
}
impl Run<'_> {
    /// Plays what is missing. Returns when every lane has come to rest.
    ///
    /// # Errors
    /// What is wrong with the store; what was told of in events is safe all the same.
    pub fn play(self, watch: &mut dyn FnMut(&Event<'_>)) -> Result<Finish, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| StoreError::Folder {
            folder: self.store.folder().to_owned(),
            error: format!("the runtime cannot be started: {error}"),
        })?;
        let known = self.known()?;
        let (tell, hear) = unbounded_channel();
        let mut owner = Owner::new(self, known, &tell);
        runtime.block_on(owner.serve(hear, &tell, watch))
    }

    /// What the store holds, by game. Forfeits of bots that could not play then but can now
    /// are set aside on the way.
    fn known(&self) -> Result<HashMap<GameId, Verdict>, StoreError> {
        let mut known = HashMap::new();
        let mut outdated = Vec::new();
        self.store.reader()?.for_each_valid(|attempt| {
            let record = attempt.record;
            if self.is_outdated(&record) {
                outdated.push(record.id());
            } else if self.is_planned(&record) {
                known.insert(record.id(), verdict(&record));
            }
        })?;
        let reason = "the bot could not play then and can now".to_owned();
        self.store.set_aside(outdated, AttemptState::Void { reason })?;
        Ok(known)
    }

    /// Whether it belongs to the plan: games of bots that are gone stay in the store, and so
    /// do pairs beyond a number that was lowered.
    fn is_planned(&self, record: &Record) -> bool {
        let takes_part = |bot: &BotId| self.entrants.iter().any(|entrant| entrant.id == *bot);
        record.key.pair <= self.tournament.format.pairs && record.key.bots.iter().all(takes_part)
    }

    /// Whether it is a forfeit of a bot that could not play then and can now.
    fn is_outdated(&self, record: &Record) -> bool {
        let can_play = |bot: &BotId| {
            self.entrants.iter().any(|entrant| entrant.id == *bot && entrant.absent.is_none())
        };
        Side::BOTH.into_iter().any(|side| {
            record.is_unplayed_by(side)
                && record.ending.fault_of(side) != Some(&Fault::Suspended)
                && can_play(&record.key.bots[side])
        })
    }
}
/// What is known of a record.
pub(super) fn verdict(record: &Record) -> Verdict {
    Verdict {
        failed: BySide::from_fn(|side| failed_without_a_move(record, side)),
        unplayed: Side::BOTH.into_iter().any(|side| record.is_unplayed_by(side)),
    }
}
#[cfg(test)]
mod tests;
