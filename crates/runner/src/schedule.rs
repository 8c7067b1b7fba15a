//! Schedule: pending and settled games, computed from the plan and the results.
//!
//! Results arrive in any order and are settled in the order of the plan. Everything that depends on
//! earlier results (a format that pairs by them, the suspension of a bot) uses settled games only,
//! so that it is the same for any number of lanes.

use std::collections::VecDeque;

use pitmaster_core::{BySide, Ending, GameId, Record, Side};
use pitmaster_ratings::Game;
use pitmaster_store::{Outcome, StoreError};
use pitmaster_tournament::{
    Decision, Expected, Format, GameKeys, Next, PlannedBot, SequentialTest,
};

use super::queue::ScheduledGame;

/// Number of consecutive games lost without a legal move that suspend a bot.
pub(super) const SUSPEND_AFTER: u32 = 10;

/// Upper bound on unsettled games, so that one slow game cannot grow memory.
const MOST_OPEN: usize = 1 << 16;

/// Number of games ahead in which the schedule looks for more games of the same two bots.
const AHEAD: usize = 1 << 13;

/// Earlier results, queried game by game because there may be millions.
pub(super) trait Known: std::fmt::Debug {
    /// Number of games.
    fn count(&self) -> u64;

    /// Verdict of a game, if it has a result.
    fn verdict(&mut self, task: &ScheduledGame) -> Result<Option<Verdict>, StoreError>;
}

/// Size of a claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// Maximum number of pairs of the same two bots.
    pub(super) pairs: usize,
    /// Whether pairs are also gathered from later cycles of the plan.
    pub(super) gather: bool,
}

/// Facts of a valid record that settling needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Sides that forfeited without a legal move.
    pub failed: BySide<bool>,
    /// Whether it was not played because a bot was suspended or absent.
    pub unplayed: bool,
    /// The game as formats see it; `None` if it does not count.
    pub game: Option<Game>,
}

impl Verdict {
    /// Verdict of a record, for bots with these numbers.
    pub(super) fn of(record: &Record, bots: BySide<usize>) -> Self {
        let Record { key, ending, .. } = record;
        let fingerprint = || record.fingerprint();
        Self {
            failed: BySide::from_fn(|side| {
                is_failure(ending, side) && own_plies(record).all(|by| by != side)
            }),
            unplayed: Side::BOTH.into_iter().any(|side| record.is_unplayed_by(side)),
            game: Game::between(key, ending, fingerprint, bots.map(|bot| bot as u32)),
        }
    }

    /// Verdict of a stored game, for bots with these numbers.
    pub(super) fn of_stored(outcome: &Outcome, bots: BySide<usize>) -> Self {
        let Outcome { key, ending, fingerprint, moved, unplayed, .. } = outcome;
        Self {
            failed: BySide::from_fn(|side| is_failure(ending, side) && !moved[side]),
            unplayed: unplayed.iter().any(|&unplayed| unplayed),
            game: Game::between(key, ending, || *fingerprint, bots.map(|bot| bot as u32)),
        }
    }
}

/// Returns whether the game counts as a failure of a bot that made no move. The bot must have lost,
/// and not because no core was free.
fn is_failure(ending: &Ending, side: Side) -> bool {
    ending.fault_of(side).is_some_and(|fault| !fault.is_starvation())
}

/// Sides of the plies made by bots, without chance and without the opening.
fn own_plies(record: &Record) -> impl Iterator<Item = Side> {
    record.plies.iter().skip(record.key.opening_plies()).filter_map(|ply| ply.by)
}

/// Consequence of a settled game.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "made one at a time and taken apart at once")]
pub(super) enum Settled {
    /// The result counts.
    Stands,
    /// The game stays pending.
    Open,
    /// The format has stopped before this game. If lanes had already played it, the record is
    /// surplus.
    Surplus {
        /// Id of the game.
        id: GameId,
        /// Whether there is a record to invalidate.
        was_played: bool,
    },
    /// The marked sides lose the game without playing. If lanes had already played it, the record
    /// does not count.
    Unplayed {
        /// The game.
        task: ScheduledGame,
        /// Sides that are suspended or absent.
        losers: BySide<bool>,
        /// Whether there is a record to invalidate.
        was_played: bool,
    },
    /// This bot is suspended from the next game on.
    Suspended(usize),
}

/// Result of a claim.
#[derive(Debug)]
pub(super) enum Claim {
    /// Pairs of the same two bots.
    Batch(Vec<ScheduledGame>),
    /// No game now; claim again after the next result.
    Wait,
    /// No more games.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not handed out yet.
    Planned,
    /// Handed out.
    Playing,
    /// Not handed out: a bot is suspended or invalidated, or time has run out.
    Withheld,
    /// A valid record exists.
    Has(Verdict),
}

/// The plan and its results.
#[derive(Debug)]
pub(super) struct Schedule {
    format: Box<dyn Format>,
    keys: GameKeys,
    known: Box<dyn Known>,
    /// Games from the first unsettled one on.
    open: VecDeque<(ScheduledGame, State)>,
    settled: u64,
    /// Games voided by a referee fault, to be replayed.
    again: VecDeque<ScheduledGame>,
    /// Whether other games have been handed out since the last replay.
    replay_is_due: bool,
    /// Games taken from the format and not handed out yet.
    peeked: VecDeque<ScheduledGame>,
    streak: Vec<u32>,
    suspended: Vec<bool>,
    /// Bots that cannot play at all; their pending games are forfeited.
    absent: Vec<bool>,
    invalidate: Vec<bool>,
    highest_pair: u32,
    last_pair: Option<u32>,
    /// Whether the plan has pairs after the last one to play.
    cut_short: bool,
    exhausted: bool,
}

impl Schedule {
    pub(super) fn new(
        format: Box<dyn Format>,
        keys: GameKeys,
        known: Box<dyn Known>,
        absent: Vec<bool>,
    ) -> Self {
        let count = keys.bots.len();
        Self {
            format,
            keys,
            known,
            open: VecDeque::new(),
            settled: 0,
            again: VecDeque::new(),
            replay_is_due: false,
            peeked: VecDeque::new(),
            streak: vec![0; count],
            suspended: vec![false; count],
            absent,
            invalidate: vec![false; count],
            highest_pair: 0,
            last_pair: None,
            cut_short: false,
            exhausted: false,
        }
    }

    /// Number of games with a result at the start.
    pub(super) fn known(&self) -> u64 {
        self.known.count()
    }

    /// Returns whether every game of the plan was handed out and settled.
    pub(super) fn is_complete(&self) -> bool {
        self.exhausted
            && !self.cut_short
            && self.open.is_empty()
            && self.peeked.is_empty()
            && self.again.is_empty()
    }

    /// The bots that take part.
    pub(super) fn bots(&self) -> &[PlannedBot] {
        &self.keys.bots
    }

    /// Expected number of pairings.
    pub(super) fn expected(&self) -> Expected {
        self.format.expected()
    }

    /// Decisions of the format that were based on results since the last call. They must be stored
    /// before any of their games is played.
    pub(super) fn decided(&mut self) -> Vec<Decision> {
        self.format.decided()
    }

    /// State of the sequential test, if the format is one.
    pub(super) fn test(&self) -> Option<&SequentialTest> {
        self.format.test()
    }

    /// Stops handing out games after the current cycle of pairs, so that all bots have played about
    /// as much. In the first cycle, which can be as long as the tournament, it stops at once. If
    /// pairings depend on results, only those already decided are played. Returns whether a cycle
    /// is still to be finished.
    pub(super) fn close_after_cycle(&mut self) -> bool {
        if self.format.looks_at_results() {
            self.cut_short |= !self.exhausted;
            self.exhausted = true;
            return false;
        }
        let plays_on = self.highest_pair > 1;
        self.last_pair.get_or_insert(if plays_on { self.highest_pair } else { 0 });
        plays_on
    }

    /// Leaves a bot's remaining games pending without blaming it.
    pub(super) fn invalidate(&mut self, bot: usize) {
        self.invalidate[bot] = true;
    }

    /// Number of remaining pairs, as far as it is known.
    pub(super) fn pairs_left(&self) -> u64 {
        let taken = (self.settled + self.open.len() as u64 - self.peeked.len() as u64) / 2;
        self.expected().pairs.saturating_sub(taken)
    }

    /// Claims pairs of the same two bots. Void pairs alternate with new ones, so that one bot with
    /// which the referee fails does not keep all others from playing.
    ///
    /// # Errors
    /// Earlier results cannot be read.
    pub(super) fn claim(&mut self, size: Size) -> Result<Claim, StoreError> {
        if std::mem::take(&mut self.replay_is_due) {
            let again = self.next_again();
            if !again.is_empty() {
                return Ok(Claim::Batch(again));
            }
        }
        let batch = self.next_batch(size)?;
        if let Some(highest) = batch.iter().map(|task| task.key.pair).max() {
            self.highest_pair = self.highest_pair.max(highest);
            self.replay_is_due = true;
            return Ok(Claim::Batch(batch));
        }
        let again = self.next_again();
        if !again.is_empty() {
            return Ok(Claim::Batch(again));
        }
        // With no running and no settled games, the results that the format waits for never arrive:
        // those games stay pending.
        let no_result_can_arrive = self.exhausted || self.open.is_empty();
        if no_result_can_arrive && self.open.iter().all(|(_, state)| *state != State::Playing) {
            Ok(Claim::Done)
        } else {
            Ok(Claim::Wait)
        }
    }

    fn next_batch(&mut self, size: Size) -> Result<Vec<ScheduledGame>, StoreError> {
        let mut batch: Vec<ScheduledGame> = Vec::new();
        while let Some(task) = self.next_open()? {
            let same = batch.first().is_none_or(|first| first.has_bots_of(&task));
            if !same || batch.len() >= size.pairs * 2 {
                self.put_back(task);
                break;
            }
            batch.push(task);
        }
        if size.gather && !batch.is_empty() {
            self.gather(&mut batch, size.pairs * 2)?;
        }
        Ok(batch)
    }

    /// Adds games of the same two bots from further on in the plan.
    fn gather(&mut self, batch: &mut Vec<ScheduledGame>, most: usize) -> Result<(), StoreError> {
        if self.format.looks_at_results() {
            return Ok(());
        }
        while batch.len() < most && self.peeked.len() < AHEAD && self.peek() {}
        let mut at = 0;
        while batch.len() < most && at < self.peeked.len() {
            if !batch[0].has_bots_of(&self.peeked[at]) {
                at += 1;
            } else if let Some(task) = self.peeked.remove(at) {
                batch.extend(self.judge(task)?);
            }
        }
        Ok(())
    }

    /// Games of the next void pair.
    fn next_again(&mut self) -> Vec<ScheduledGame> {
        let mut pair: Vec<ScheduledGame> = Vec::new();
        while let Some(task) = self.again.pop_front() {
            if self.is_withheld(&task) {
                self.set_state(task.number, State::Withheld);
            } else if pair.first().is_none_or(|first| first.is_paired_with(&task)) {
                pair.push(task);
            } else {
                self.again.push_front(task);
                break;
            }
        }
        pair
    }

    /// Next pending game of the plan.
    fn next_open(&mut self) -> Result<Option<ScheduledGame>, StoreError> {
        loop {
            if self.peeked.is_empty() && !self.peek() {
                return Ok(None);
            }
            let Some(task) = self.peeked.pop_front() else { return Ok(None) };
            if let Some(task) = self.judge(task)? {
                return Ok(Some(task));
            }
        }
    }

    /// Returns the game if it must be played now.
    fn judge(&mut self, task: ScheduledGame) -> Result<Option<ScheduledGame>, StoreError> {
        let state = if let Some(verdict) = self.known.verdict(&task)? {
            State::Has(verdict)
        } else if self.is_surplus(task.number)
            || self.is_withheld(&task)
            || self.is_beyond(task.key.pair)
        {
            State::Withheld
        } else {
            State::Playing
        };
        self.set_state(task.number, state);
        Ok((state == State::Playing).then_some(task))
    }

    /// Takes back a game that was not dispatched after all.
    fn put_back(&mut self, task: ScheduledGame) {
        self.set_state(task.number, State::Planned);
        self.peeked.push_front(task);
    }

    /// Takes a pairing from the format.
    fn peek(&mut self) -> bool {
        let is_full = self.open.len() >= MOST_OPEN;
        if self.exhausted || is_full || self.has_results_for_format() {
            return false;
        }
        let pairing = match self.format.next() {
            Next::Pairing(pairing) => pairing,
            Next::Wait => return false,
            Next::Done => {
                self.exhausted = true;
                return false;
            }
        };
        if self.is_beyond(pairing.pair) {
            self.exhausted = true;
            return false;
        }
        let next = self.settled + self.open.len() as u64;
        let [a, b] = pairing.bots;
        let seats = [BySide::new(a, b), BySide::new(b, a)];
        let games = self.keys.of(&pairing);
        for (number, (key, bots)) in (next..).zip(games.into_iter().zip(seats)) {
            let task = ScheduledGame { number, key, bots };
            self.open.push_back((task.clone(), State::Planned));
            self.peeked.push_back(task);
        }
        true
    }

    /// Whether the format must first receive available results, because dispatch uses all of them.
    fn has_results_for_format(&self) -> bool {
        let next = self.open.front().map(|(_, state)| *state);
        let can_be_settled =
            next.is_some_and(|state| !matches!(state, State::Planned | State::Playing));
        self.format.looks_at_results() && can_be_settled
    }

    /// Whether the format has stopped before a game.
    fn is_surplus(&self, number: u64) -> bool {
        self.format.counted().is_some_and(|pairings| number / 2 >= pairings)
    }

    /// Whether a pair comes after the last one to play.
    fn is_beyond(&mut self, pair: u32) -> bool {
        let beyond = self.last_pair.is_some_and(|last| pair > last);
        self.cut_short |= beyond;
        beyond
    }

    fn is_withheld(&self, task: &ScheduledGame) -> bool {
        task.bots.iter().any(|&bot| self.suspended[bot] || self.absent[bot] || self.invalidate[bot])
    }

    fn set_state(&mut self, number: u64, state: State) {
        if let Some(slot) = self.open.get_mut((number - self.settled) as usize) {
            slot.1 = state;
        }
    }

    /// Marks a game as played and stored.
    pub(super) fn finished(&mut self, number: u64, verdict: Verdict) {
        self.set_state(number, State::Has(verdict));
    }

    /// Queues a void game for replay.
    pub(super) fn play_again(&mut self, task: ScheduledGame) {
        self.again.push_back(task);
        self.replay_is_due = false;
    }

    /// Settles the next game of the plan if its result is available. Must be called until it
    /// returns `None`.
    pub(super) fn settle(&mut self) -> Option<Settled> {
        if let Some(bot) = (0..self.streak.len())
            .find(|&bot| self.streak[bot] >= SUSPEND_AFTER && !self.suspended[bot])
        {
            self.suspended[bot] = true;
            return Some(Settled::Suspended(bot));
        }
        let (task, state) = self.open.front()?.clone();
        let settled = match state {
            State::Planned | State::Playing => return None,
            _ if self.is_surplus(task.number) => {
                let was_played = matches!(state, State::Has(_));
                Settled::Surplus { id: task.key.id(), was_played }
            }
            // A bot was invalidated, or time has run out.
            State::Withheld if !self.losers(&task).iter().any(|&loses| loses) => Settled::Open,
            State::Withheld => self.unplayed(task, false),
            State::Has(verdict) if verdict.unplayed => self.stands(verdict),
            State::Has(_) if task.bots.iter().any(|&bot| self.suspended[bot]) => {
                self.unplayed(task, true)
            }
            State::Has(verdict) => {
                self.count(&task, verdict);
                self.stands(verdict)
            }
        };
        self.open.pop_front();
        self.settled += 1;
        Some(settled)
    }

    /// Reports an unplayed forfeit to the format.
    pub(super) fn on_unplayed(&mut self, record: &Record, bots: BySide<usize>) {
        self.stands(Verdict::of(record, bots));
    }

    fn stands(&mut self, verdict: Verdict) -> Settled {
        if self.format.looks_at_results()
            && let Some(game) = verdict.game
        {
            self.format.on_result(&game);
        }
        Settled::Stands
    }

    fn unplayed(&self, task: ScheduledGame, was_played: bool) -> Settled {
        Settled::Unplayed { losers: self.losers(&task), task, was_played }
    }

    fn losers(&self, task: &ScheduledGame) -> BySide<bool> {
        task.bots.map(|bot| self.suspended[bot] || self.absent[bot])
    }

    fn count(&mut self, task: &ScheduledGame, verdict: Verdict) {
        for side in Side::BOTH {
            let streak = &mut self.streak[task.bots[side]];
            *streak = if verdict.failed[side] { *streak + 1 } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests;
