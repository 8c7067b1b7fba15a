//! Run: a tournament with its executors, its store and its earlier results.

use std::time::SystemTime;

use pitmaster_core::{BotId, Fault, GameKey, Isolation, Side};
use pitmaster_store::{AttemptState, Outcome, Reader, Store, StoreError};
use pitmaster_tournament::{KeptDecision, Tournament};

use super::entrant::Entrant;
use super::game::Stopping;
use super::lane::Executor;
use super::queue::ScheduledGame;
use super::schedule::{Known, Verdict};
use super::signals::Stopper;

/// Parameters of a run.
#[derive(Debug)]
pub struct Run<'a> {
    /// The tournament.
    pub tournament: &'a Tournament,
    /// The bots, in the order of the plan.
    pub entrants: Vec<Entrant>,
    /// The store for results.
    pub store: &'a Store,
    /// The executor: the lanes of this machine, or other machines.
    pub crew: Box<dyn Executor + 'a>,
    /// Isolation of the bots.
    pub isolation: &'a Isolation,
    /// Suspension of the side not to move.
    pub stopping: Stopping,
    /// Time after which no further cycle begins.
    pub until: Option<SystemTime>,
    /// Stops the run from another thread.
    pub stopper: Stopper,
    /// Numbers of bots that no machine can run; their games stay pending.
    pub left_open: Vec<usize>,
    /// Decisions of the format from earlier runs.
    pub kept: Vec<KeptDecision>,
}

impl Run<'_> {
    /// Loads what the store holds. Invalidates forfeits of bots that could not play then but can
    /// now. If pairs go to other machines, also invalidates games of incomplete pairs, because a
    /// pair is never split between machines.
    pub(super) fn known(&self) -> Result<Box<dyn Known>, StoreError> {
        let reader = self.store.reader()?;
        let (mut outdated, mut halves, mut games) = (Vec::new(), Vec::new(), 0);
        let mut failed = None;
        reader.for_each_outcome(|outcome| {
            if self.is_outdated(&outcome) {
                outdated.push(outcome.id);
            } else if self.is_planned(&outcome.key) {
                match self.is_half(&reader, &outcome.key) {
                    Ok(true) => halves.push(outcome.id),
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

    /// Returns whether the other game of its pair is missing, if pairs go to other machines.
    fn is_half(&self, reader: &Reader, key: &GameKey) -> Result<bool, StoreError> {
        if !self.crew.is_far() {
            return Ok(false);
        }
        let other = GameKey { bots: key.bots.clone().swapped(), ..key.clone() };
        Ok(!reader.has_valid(&other.id())?)
    }

    /// Returns whether a game can belong to the plan. Games of removed bots stay in the store, as
    /// do pairs beyond a lowered number and those of other openings.
    fn is_planned(&self, key: &GameKey) -> bool {
        let Tournament { format, openings, .. } = self.tournament;
        let find = |bot: &BotId| self.entrants.iter().find(|entrant| entrant.id == *bot);
        let (Some(one), Some(two)) = (find(&key.bots.one), find(&key.bots.two)) else {
            return false;
        };
        key.pair <= format.highest_pair()
            && openings.between([one.dialect, two.dialect], key.pair) == key.opening
    }

    /// Returns whether it is a forfeit of a bot that could not play then and can now.
    fn is_outdated(&self, outcome: &Outcome) -> bool {
        let can_play = |bot: &BotId| {
            self.entrants.iter().any(|entrant| entrant.id == *bot && entrant.absent.is_none())
        };
        Side::BOTH.into_iter().any(|side| {
            outcome.unplayed[side]
                && outcome.ending.fault_of(side) != Some(&Fault::Suspended)
                && can_play(&outcome.key.bots[side])
        })
    }
}

const CAN_PLAY_NOW: &str = "the bot could not play then and can now";
const HALF: &str = "the other game of its pair is missing, and a pair is played on one machine";

/// Stored games, looked up one by one.
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
        let outcome = self.reader.outcome(&task.key.id())?;
        Ok(outcome.map(|outcome| Verdict::of_stored(&outcome, task.bots)))
    }
}

#[cfg(test)]
mod tests;
