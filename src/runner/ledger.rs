//! What is left to play, and what was settled: the plan held against the results.
//!
//! Results come in any order; they are settled in the order of the plan. Whatever depends on
//! earlier results (a format that pairs by them, the suspension of a bot) looks only at what
//! is settled, so that it is the same on any number of lanes.

use std::collections::{HashMap, VecDeque};

use crate::ratings::Game;
use crate::record::{BySide, Ending, GameId, GameKey, Record, Side};
use crate::tournament::{Decision, Expected, Format, GameKeys, Next, PlannedBot, SequentialTest};

/// So many games in a row, lost without a legal move, suspend a bot.
pub(super) const SUSPEND_AFTER: u32 = 10;

/// A game to be played.
#[derive(Debug, Clone)]
pub(super) struct Task {
    /// Its number in the plan, from 0.
    pub number: u64,
    /// Which game.
    pub key: GameKey,
    /// The indexes of the bots that play it.
    pub bots: BySide<usize>,
}

/// What is known of a valid record when it is settled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    /// Which sides lost by behaviour without a legal move.
    pub failed: BySide<bool>,
    /// Whether it stands unplayed because a bot was suspended or absent.
    pub unplayed: bool,
    /// What formats look at; `None`: nothing that counts.
    pub game: Option<Game>,
}

impl Verdict {
    /// What a record says of the bots with these numbers.
    pub(super) fn of(record: &Record, bots: BySide<usize>) -> Self {
        Self {
            failed: BySide::from_fn(|side| failed_without_a_move(record, side)),
            unplayed: Side::BOTH.into_iter().any(|side| record.is_unplayed_by(side)),
            game: Game::between(record, bots.map(|bot| bot as u32)),
        }
    }
}

/// Whether a game counts against a bot: it lost without a single move of its own.
fn failed_without_a_move(record: &Record, side: Side) -> bool {
    record.ending.fault_of(side).is_some()
        && !matches!(record.ending, Ending::RefereeError { .. })
        && own_plies(record).all(|by| by != side)
}

/// Who made each ply that a bot made: without chance and without the opening.
fn own_plies(record: &Record) -> impl Iterator<Item = Side> {
    record.plies.iter().skip(record.key.opening_plies()).filter_map(|ply| ply.by)
}

/// What is to be done about a game that was settled.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "made one at a time and taken apart at once")]
pub(super) enum Settled {
    /// It stands.
    Stands,
    /// It stays open.
    Open,
    /// The format has stopped before it. If it was played all the same, because lanes were
    /// ahead, that record is surplus.
    Surplus {
        /// Which game.
        id: GameId,
        /// Whether there is a record to be set aside.
        was_played: bool,
    },
    /// It is lost, without being played, by the sides that are marked. If it was played all
    /// the same, because lanes were ahead, that record does not count.
    Unplayed {
        /// Which game.
        task: Task,
        /// Who is suspended or absent.
        losers: BySide<bool>,
        /// Whether there is a record to be set aside.
        was_played: bool,
    },
    /// This bot is suspended from the next game on.
    Suspended(usize),
}

/// A lane's next work.
#[derive(Debug)]
pub(super) enum Claim {
    /// Pairs of the same two bots.
    Batch(Vec<Task>),
    /// Nothing now; ask again after the next result.
    Wait,
    /// Nothing more.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Handed out.
    Playing,
    /// Not handed out, as a bot is suspended or set aside, or the time is over.
    Withheld,
    /// There is a valid record.
    Has(Verdict),
}

/// The plan and what came of it.
#[derive(Debug)]
pub(super) struct Ledger {
    format: Box<dyn Format>,
    keys: GameKeys,
    known: HashMap<GameId, Verdict>,
    /// Games from the first that is not settled on.
    open: VecDeque<(Task, State)>,
    settled: u64,
    /// Games that a referee's fault has voided, to be played again.
    again: VecDeque<Task>,
    /// Others have been handed out since the last of them.
    again_is_due: bool,
    /// A pairing that was taken from the format and not handed out yet.
    peeked: VecDeque<Task>,
    streak: Vec<u32>,
    suspended: Vec<bool>,
    /// Who cannot play at all: what is missing of their games is forfeited.
    absent: Vec<bool>,
    set_aside: Vec<bool>,
    highest_pair: u32,
    last_pair: Option<u32>,
    /// There are pairs beyond the last one.
    cut_short: bool,
    exhausted: bool,
}

impl Ledger {
    pub(super) fn new(
        format: Box<dyn Format>,
        keys: GameKeys,
        known: HashMap<GameId, Verdict>,
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
            again_is_due: false,
            peeked: VecDeque::new(),
            streak: vec![0; count],
            suspended: vec![false; count],
            absent,
            set_aside: vec![false; count],
            highest_pair: 0,
            last_pair: None,
            cut_short: false,
            exhausted: false,
        }
    }

    /// Games that were there at the beginning.
    pub(super) fn known(&self) -> u64 {
        self.known.len() as u64
    }

    /// Whether every game of the plan was handed out and settled.
    pub(super) fn is_complete(&self) -> bool {
        self.exhausted
            && !self.cut_short
            && self.open.is_empty()
            && self.peeked.is_empty()
            && self.again.is_empty()
    }

    /// Who takes part.
    pub(super) fn bots(&self) -> &[PlannedBot] {
        &self.keys.bots
    }

    /// How many pairings there will be.
    pub(super) fn expected(&self) -> Expected {
        self.format.expected()
    }

    /// What the format has decided by results since this was last asked; to be kept before any
    /// of it is played.
    pub(super) fn decided(&mut self) -> Vec<Decision> {
        self.format.decided()
    }

    /// How the test stands, if the format is one.
    pub(super) fn test(&self) -> Option<&SequentialTest> {
        self.format.test()
    }

    /// Hand out nothing beyond the cycle of pairs that has begun; where pairings depend on
    /// results, nothing beyond those that were decided.
    pub(super) fn close_after_cycle(&mut self) {
        if self.format.looks_at_results() {
            self.cut_short |= !self.exhausted;
            self.exhausted = true;
        } else {
            self.last_pair.get_or_insert(self.highest_pair);
        }
    }

    /// A bot's remaining games are not played, by no fault of its own.
    pub(super) fn set_aside(&mut self, bot: usize) {
        self.set_aside[bot] = true;
    }

    /// Up to `most` pairs of the same two bots; or a game that was void, in turns, so that one
    /// bot with which the referee fails does not keep all others from playing.
    pub(super) fn claim(&mut self, most: usize) -> Claim {
        if std::mem::take(&mut self.again_is_due)
            && let Some(task) = self.next_again()
        {
            return Claim::Batch(vec![task]);
        }
        let batch = self.next_batch(most);
        if let Some(task) = batch.last() {
            self.highest_pair = self.highest_pair.max(task.key.pair);
            self.again_is_due = true;
            return Claim::Batch(batch);
        }
        if let Some(task) = self.next_again() {
            return Claim::Batch(vec![task]);
        }
        // Where nothing is played and nothing can be settled, what the format waits for never
        // comes: games that it depends on were left open.
        let nothing_comes = self.exhausted || self.open.is_empty();
        if nothing_comes && self.open.iter().all(|(_, state)| *state != State::Playing) {
            Claim::Done
        } else {
            Claim::Wait
        }
    }

    fn next_batch(&mut self, most: usize) -> Vec<Task> {
        let mut batch: Vec<Task> = Vec::new();
        while let Some(task) = self.next_open() {
            let same = batch.first().is_none_or(|first| same_bots(first, &task));
            if !same || batch.len() >= most * 2 {
                self.peeked.push_front(task);
                break;
            }
            batch.push(task);
        }
        batch
    }

    fn next_again(&mut self) -> Option<Task> {
        while let Some(task) = self.again.pop_front() {
            if self.is_withheld(&task) {
                self.set_state(task.number, State::Withheld);
            } else {
                return Some(task);
            }
        }
        None
    }

    /// The next game of the plan that has to be played.
    fn next_open(&mut self) -> Option<Task> {
        loop {
            if self.peeked.is_empty() && !self.peek() {
                return None;
            }
            let task = self.peeked.pop_front()?;
            let state = if let Some(verdict) = self.known.remove(&task.key.id()) {
                State::Has(verdict)
            } else if self.is_surplus(task.number)
                || self.is_withheld(&task)
                || self.is_beyond(task.key.pair)
            {
                State::Withheld
            } else {
                State::Playing
            };
            if task.number == self.settled + self.open.len() as u64 {
                self.open.push_back((task.clone(), state));
            } else {
                // It was put back and is on the books already.
                self.set_state(task.number, state);
            }
            if state == State::Playing {
                return Some(task);
            }
        }
    }

    /// Takes a pairing from the format.
    fn peek(&mut self) -> bool {
        if self.exhausted || self.has_news_for_the_format() {
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
            self.peeked.push_back(Task { number, key, bots });
        }
        true
    }

    /// Whether the format is first to be told of results that are there: what is handed out
    /// follows from all that can be known.
    fn has_news_for_the_format(&self) -> bool {
        let next = self.open.front().map(|(_, state)| *state);
        self.format.looks_at_results() && next.is_some_and(|state| state != State::Playing)
    }

    /// Whether the format has stopped before a game.
    fn is_surplus(&self, number: u64) -> bool {
        self.format.counted().is_some_and(|pairings| number / 2 >= pairings)
    }

    /// Whether a pair is beyond the last one that is to be played.
    fn is_beyond(&mut self, pair: u32) -> bool {
        let beyond = self.last_pair.is_some_and(|last| pair > last);
        self.cut_short |= beyond;
        beyond
    }

    fn is_withheld(&self, task: &Task) -> bool {
        task.bots.iter().any(|&bot| self.suspended[bot] || self.absent[bot] || self.set_aside[bot])
    }

    fn set_state(&mut self, number: u64, state: State) {
        if let Some(slot) = self.open.get_mut((number - self.settled) as usize) {
            slot.1 = state;
        }
    }

    /// A game was played and its record is safe.
    pub(super) fn finished(&mut self, number: u64, verdict: Verdict) {
        self.set_state(number, State::Has(verdict));
    }

    /// A game is void and to be played again.
    pub(super) fn play_again(&mut self, task: Task) {
        self.again.push_back(task);
        self.again_is_due = false;
    }

    /// Settles the next game of the plan, if its result is there. Called until it says
    /// `None`.
    pub(super) fn settle(&mut self) -> Option<Settled> {
        if let Some(bot) = (0..self.streak.len())
            .find(|&bot| self.streak[bot] >= SUSPEND_AFTER && !self.suspended[bot])
        {
            self.suspended[bot] = true;
            return Some(Settled::Suspended(bot));
        }
        let (task, state) = self.open.front()?.clone();
        let settled = match state {
            State::Playing => return None,
            _ if self.is_surplus(task.number) => {
                let was_played = matches!(state, State::Has(_));
                Settled::Surplus { id: task.key.id(), was_played }
            }
            // A bot was set aside, or the time is over.
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

    /// Tells the format of a game that stands unplayed.
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

    fn unplayed(&self, task: Task, was_played: bool) -> Settled {
        Settled::Unplayed { losers: self.losers(&task), task, was_played }
    }

    fn losers(&self, task: &Task) -> BySide<bool> {
        task.bots.map(|bot| self.suspended[bot] || self.absent[bot])
    }

    fn count(&mut self, task: &Task, verdict: Verdict) {
        for side in Side::BOTH {
            let streak = &mut self.streak[task.bots[side]];
            *streak = if verdict.failed[side] { *streak + 1 } else { 0 };
        }
    }
}

fn same_bots(a: &Task, b: &Task) -> bool {
    a.bots == b.bots || a.bots == b.bots.swapped()
}

#[cfg(test)]
mod tests;
