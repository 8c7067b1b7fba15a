//! Formats that pair by results, batch after batch.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;

use pitmaster_ratings::{Game, Places};

use crate::format::{Batch, Decision, Expected, Meeting};
use crate::{Format, Next, Pairing};

/// Pairing rule: a function of earlier pairings and results.
pub(super) trait PairingRule: Debug + Send {
    /// Returns the meetings after these batches. `None` at the end. `games` are all games of the
    /// batches, except those of the last [`ahead`](Self::ahead) batches.
    fn pair(&self, batches: &[Batch], games: &[Game]) -> Option<Vec<Batch>>;

    /// Number of batches decided ahead of results, so that lanes never wait.
    fn ahead(&self) -> usize {
        0
    }

    /// Expected number of pairings.
    fn expected(&self) -> Expected;

    /// Tiers of all bots after these games; empty: all equal.
    fn tiers(&self, _batches: &[Batch], _games: &[Game]) -> Vec<u32> {
        Vec::new()
    }
}

/// Format that asks its pairing rule for a batch when the results of earlier batches are available.
///
/// Batches decided in an earlier run stay unchanged. If a game is void after its batch was closed,
/// it is replayed and no bot is paired differently.
#[derive(Debug)]
pub(super) struct Rounds<P> {
    pairer: P,
    bots: usize,
    kept: VecDeque<Batch>,
    batches: Vec<Batch>,
    /// Number of games up to the end of each batch.
    ends: Vec<usize>,
    queue: VecDeque<Pairing>,
    games: Vec<Game>,
    news: Vec<Decision>,
    over: bool,
}

impl<P: PairingRule> Rounds<P> {
    /// Makes the format for this many bots, with its earlier decisions.
    pub(super) fn new(pairer: P, bots: usize, kept: Vec<Batch>) -> Self {
        Self {
            pairer,
            bots,
            kept: kept.into(),
            batches: Vec::new(),
            ends: Vec::new(),
            queue: VecDeque::new(),
            games: Vec::new(),
            news: Vec::new(),
            over: false,
        }
    }

    /// Number of games needed for the next decision.
    fn needed(&self) -> usize {
        let seen = self.batches.len().saturating_sub(self.pairer.ahead());
        seen.checked_sub(1).map_or(0, |last| self.ends[last])
    }

    fn decide(&mut self) {
        if let Some(batch) = self.kept.pop_front() {
            return self.add(batch);
        }
        match self.pairer.pair(&self.batches, &self.games[..self.needed()]) {
            None => self.over = true,
            Some(batches) => {
                for batch in batches {
                    self.news.push(Decision::Batch { stage: 1, batch: batch.clone() });
                    self.add(batch);
                }
            }
        }
    }

    fn add(&mut self, batch: Batch) {
        let pairings = pairings(&batch);
        let before = self.ends.last().copied().unwrap_or(0);
        self.ends.push(before + 2 * pairings.len());
        self.queue.extend(pairings);
        self.batches.push(batch);
    }
}

impl<P: PairingRule> Format for Rounds<P> {
    fn next(&mut self) -> Next {
        loop {
            if let Some(pairing) = self.queue.pop_front() {
                return Next::Pairing(pairing);
            }
            if self.over {
                return Next::Done;
            }
            if self.kept.is_empty() && self.games.len() < self.needed() {
                return Next::Wait;
            }
            self.decide();
        }
    }

    fn expected(&self) -> Expected {
        self.pairer.expected()
    }

    fn looks_at_results(&self) -> bool {
        true
    }

    fn on_result(&mut self, game: &Game) {
        self.games.push(*game);
    }

    fn decided(&mut self) -> Vec<Decision> {
        std::mem::take(&mut self.news)
    }

    fn places(&self) -> Places {
        Places {
            tiers: self.pairer.tiers(&self.batches, &self.games),
            byes: byes(self.bots, &self.batches),
        }
    }
}

/// Pairings of a batch: the first pairs of all meetings, then the second ones, so that at any time
/// all bots have played about the same number of games.
pub(super) fn pairings(batch: &Batch) -> Vec<Pairing> {
    let most = batch.meetings.iter().map(|meeting| meeting.pairs).max().unwrap_or(0);
    let of = |nth: u32| {
        let pairing = move |meeting: &Meeting| {
            let bots = meeting.bots().filter(|_| nth < meeting.pairs)?;
            Some(Pairing { stage: 1, round: batch.round, bots, pair: meeting.first_pair + nth })
        };
        batch.meetings.iter().filter_map(pairing)
    };
    (0..most).flat_map(of).collect()
}

/// Number of byes of each bot.
pub(super) fn byes(bots: usize, batches: &[Batch]) -> Vec<u32> {
    let mut byes = vec![0; bots];
    let all = batches.iter().flat_map(|batch| &batch.meetings);
    for meeting in all.filter(|meeting| meeting.other.is_none()) {
        byes[meeting.one] += 2 * meeting.pairs;
    }
    byes
}

/// Earlier meetings, with the bot that began.
pub(super) struct Past {
    met: HashMap<[usize; 2], u32>,
    /// Balance of each bot: number of pairs that it began, minus the number that it did not.
    balance: Vec<i32>,
}

impl Past {
    pub(super) fn of(bots: usize, batches: &[Batch]) -> Self {
        let mut past = Self { met: HashMap::new(), balance: vec![0; bots] };
        for pair in batches.iter().flat_map(|batch| &batch.meetings).filter_map(Meeting::bots) {
            past.add(pair);
        }
        past
    }

    /// Adds a meeting and returns how often the two have now met.
    pub(super) fn add(&mut self, [one, other]: [usize; 2]) -> u32 {
        self.balance[one] += 1;
        self.balance[other] -= 1;
        let met = self.met.entry([one.min(other), one.max(other)]).or_default();
        *met += 1;
        *met
    }

    /// Number of meetings of two bots.
    pub(super) fn met(&self, a: usize, b: usize) -> u32 {
        self.met.get(&[a.min(b), a.max(b)]).copied().unwrap_or(0)
    }

    /// Orders two bots so that the one that has begun less often is first; in a tie, the first one
    /// if `upper`.
    pub(super) fn beginner_first(&self, [a, b]: [usize; 2], upper: bool) -> [usize; 2] {
        let a_begins = match self.balance[a].cmp(&self.balance[b]) {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => upper,
        };
        if a_begins { [a, b] } else { [b, a] }
    }
}
