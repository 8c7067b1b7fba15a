//! Run: a tournament with its executors, its store and its earlier results.

use std::time::SystemTime;

use pitmaster_core::{BotId, BySide, Fault, GameKey, Isolation, Record, Side};
use pitmaster_store::{AttemptState, Reader, Store, StoreError};
use pitmaster_tournament::{KeptDecision, Tournament};

use super::entrant::Entrant;
use super::game::Stopping;
use super::lane::Executor;
use super::queue::ScheduledGame;
use super::schedule::{Known, Verdict};

/// A run to be.
#[derive(Debug)]
pub struct Run<'a> {
    /// What is played.
    pub tournament: &'a Tournament,
    /// By whom, in the order of the plan.
    pub entrants: Vec<Entrant>,
    /// Where it is kept.
    pub store: &'a Store,
    /// Who plays: the lanes of this machine, or others.
    pub crew: Box<dyn Executor + 'a>,
    /// What contains the bots.
    pub isolation: &'a Isolation,
    /// How the side not to move is kept from thinking.
    pub stopping: Stopping,
    /// When to begin no further cycle.
    pub until: Option<SystemTime>,
    /// The numbers of bots that nobody can play with: their games are left open.
    pub left_open: Vec<usize>,
    /// What the format has decided by results in earlier runs.
    pub kept: Vec<KeptDecision>,
}

impl Run<'_> {
    /// What the store holds. What counts no more is set aside on the way: forfeits of bots that
    /// could not play then but can now; and where pairs go to other machines, games whose pair
    /// was not played to its end, as no pair is split between two machines.
    pub(super) fn known(&self) -> Result<Box<dyn Known>, StoreError> {
        let reader = self.store.reader()?;
        let (mut outdated, mut halves, mut games) = (Vec::new(), Vec::new(), 0);
        let mut failed = None;
        reader.for_each_valid(|attempt| {
            let record = attempt.record;
            if self.is_outdated(&record) {
                outdated.push(record.id());
            } else if self.planned_bots(&record).is_some() {
                match self.is_half(&reader, &record.key) {
                    Ok(true) => halves.push(record.id()),
                    Ok(false) => games += 1,
                    Err(error) => failed = Some(error),
                }
            }
        })?;
        failed.map_or(Ok(()), Err)?;
        for (ids, reason) in [(outdated, CAN_PLAY_NOW), (halves, HALF)] {
            self.store.invalidate(ids, AttemptState::Void { reason: reason.to_owned() })?;
        }
        Ok(Box::new(InStore { reader, games }))
    }

    /// Whether the other game of its pair is missing, where that matters.
    fn is_half(&self, reader: &Reader, key: &GameKey) -> Result<bool, StoreError> {
        if !self.crew.is_far() {
            return Ok(false);
        }
        let other = GameKey { bots: key.bots.clone().swapped(), ..key.clone() };
        Ok(!reader.has_valid(&other.id())?)
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

const CAN_PLAY_NOW: &str = "the bot could not play then and can now";
const HALF: &str = "the other game of its pair is missing, and a pair is played on one machine";

/// What a store holds, looked up game by game.
#[derive(Debug)]
struct InStore {
    reader: Reader,
    games: u64,
}

impl Known for InStore {
    fn count(&self) -> u64 {
        self.games
    }

    fn verdict(&mut self, task: &ScheduledGame) -> Result<Option<Verdict>, StoreError> {
        if self.games == 0 {
            return Ok(None);
        }
        let attempt = self.reader.load(&task.key.id())?;
        Ok(attempt.map(|attempt| Verdict::of(&attempt.record, task.bots)))
    }
}

#[cfg(test)]
mod tests;
