//! A run: a tournament, who plays it, where it is kept, and what is known of it already.

use std::collections::HashMap;
use std::time::SystemTime;

use super::cores::Layout;
use super::entrant::Entrant;
use super::game::Stopping;
use super::ledger::Verdict;
use crate::record::{BotId, BySide, Fault, GameId, Isolation, Record, Side};
use crate::store::{AttemptState, Store, StoreError};
use crate::tournament::{KeptDecision, Tournament};

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
    /// What contains the bots.
    pub isolation: &'a Isolation,
    /// How the side not to move is kept from thinking.
    pub stopping: Stopping,
    /// When to begin no further cycle.
    pub until: Option<SystemTime>,
    /// What the format has decided by results in earlier runs.
    pub kept: Vec<KeptDecision>,
}

impl Run<'_> {
    /// What the store holds, by game. Forfeits of bots that could not play then but can now
    /// are set aside on the way.
    pub(super) fn known(&self) -> Result<HashMap<GameId, Verdict>, StoreError> {
        let mut known = HashMap::new();
        let mut outdated = Vec::new();
        self.store.reader()?.for_each_valid(|attempt| {
            let record = attempt.record;
            if self.is_outdated(&record) {
                outdated.push(record.id());
            } else if let Some(bots) = self.planned_bots(&record) {
                known.insert(record.id(), Verdict::of(&record, bots));
            }
        })?;
        let reason = "the bot could not play then and can now".to_owned();
        self.store.set_aside(outdated, AttemptState::Void { reason })?;
        Ok(known)
    }

    /// The numbers of its bots, if it can belong to the plan: games of bots that are gone stay in
    /// the store, and so do pairs beyond a number that was lowered, and those of other openings.
    fn planned_bots(&self, record: &Record) -> Option<BySide<usize>> {
        let Tournament { format, openings, .. } = self.tournament;
        let key = &record.key;
        let find = |bot: &BotId| self.entrants.iter().position(|entrant| entrant.id == *bot);
        let bots = BySide::new(find(&key.bots.one)?, find(&key.bots.two)?);
        let dialects = [bots.one, bots.two].map(|bot| self.entrants[bot].dialect);
        let is_planned = key.pair <= format.highest_pair()
            && openings.between(dialects, key.pair) == key.opening;
        is_planned.then_some(bots)
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

#[cfg(test)]
mod tests;
