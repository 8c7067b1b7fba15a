//! Results of tasks, and ratings computed from them.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::BySide;
use pitmaster_ratings::{Anchor, Rating};
use pitmaster_tournament::pair_information;

use super::choice::HALF;
use super::{
    Entrant, Fitted, Ladder, Outcome, Pair, PlayedGame, Player, RecordError, Recorded, Refit,
    Running, Task, scale, seconds,
};
use crate::course::{AskId, Utc};

/// Least variance of a version's strength.
const CERTAIN: f64 = 1e-6;

impl Ladder {
    /// Records the outcome of a task that was given out.
    ///
    /// # Errors
    /// Fails if no such task is running, or the outcome is of another kind of task. The ladder is
    /// then unchanged.
    pub fn record(&mut self, number: u64, outcome: Outcome) -> Result<Recorded, RecordError> {
        let running = *self.running.get(&number).ok_or(RecordError::Unknown(number))?;
        let recorded = match (running.task, outcome) {
            (task, Outcome::Lost) => self.take_back(task, &running),
            (Task::Validation { .. }, Outcome::Unrated { lane_time }) => {
                self.settle(&running, lane_time);
                Recorded::default()
            }
            (Task::Asked { id, .. }, Outcome::Unrated { lane_time }) => {
                self.settle(&running, lane_time);
                Recorded { answered: self.answer(id), ..Recorded::default() }
            }
            (Task::Pair(pair), Outcome::Pair { games, lane_time }) => {
                self.settle(&running, lane_time);
                self.count(pair, &games, lane_time)
            }
            _ => return Err(RecordError::OtherKind(number)),
        };
        self.running.remove(&number);
        Ok(recorded)
    }

    /// Charges the actual time instead of the expected one.
    fn settle(&mut self, running: &Running, lane_time: Duration) {
        self.charge(running, seconds(lane_time) - running.charged);
    }

    /// Refunds a task that was not played, unless that has happened too often in a row: then it
    /// stays charged and counts, so that no version occupies lanes forever.
    fn take_back(&mut self, task: Task, running: &Running) -> Recorded {
        match task {
            Task::Validation { version, .. } => {
                self.charge(running, -running.charged);
                self.validations.push_front(version);
                Recorded::default()
            }
            Task::Asked { id, .. } => {
                self.charge(running, -running.charged);
                Recorded { given_up: self.ask_again(id), ..Recorded::default() }
            }
            Task::Pair(pair) => {
                self.take_back_pair(pair, running);
                Recorded::default()
            }
        }
    }

    /// Queues a lost pair of a request again. Returns the request if it has lost too many; it ends
    /// then.
    fn ask_again(&mut self, id: AskId) -> Option<AskId> {
        let ask = self.asks.iter_mut().find(|ask| ask.id == id)?;
        ask.losses += 1;
        if ask.losses <= self.settings.excused_losses {
            ask.left += 1;
            return None;
        }
        self.asks.retain(|ask| ask.id != id);
        Some(id)
    }

    fn take_back_pair(&mut self, pair: Pair, running: &Running) {
        let most = self.settings.excused_losses;
        self.unfitted.remove(&pair.number);
        let mut is_excused = true;
        for player in [pair.a, pair.b] {
            let slot = &mut self.slots[player.index()];
            slot.losses += 1;
            // House bots are never newcomers, and lose pairs because of other players.
            if slot.group.is_some() && slot.losses > most {
                is_excused = false;
            } else {
                slot.pairs -= 1;
            }
        }
        if is_excused {
            self.charge(running, -running.charged);
        }
    }

    fn count(&mut self, pair: Pair, games: &[PlayedGame; 2], lane_time: Duration) -> Recorded {
        let Pair { number, a, b, .. } = pair;
        let [first, second] = games;
        let games_of_bots =
            [first.between(BySide::new(a, b), number), second.between(BySide::new(b, a), number)];
        let is_repeat = !self.played.add(&games_of_bots);
        self.revision += 1;
        let (mean, pairs) = &mut self.pair_time;
        *pairs += 1;
        *mean += (seconds(lane_time) - *mean) / f64::from(*pairs);
        if let Some((_, revision)) = self.unfitted.get_mut(&number) {
            *revision = Some(self.revision);
        }
        let mut suspended = Vec::new();
        for (player, is_second) in [(a, false), (b, true)] {
            let slot = &mut self.slots[player.index()];
            slot.count(games, is_second, is_repeat);
            slot.count_time(lane_time);
            let version = slot.entrant.version().map(|own| own.version);
            let has_failed = slot.is_active && slot.failures >= self.settings.suspend_after;
            suspended.extend(version.filter(|_| has_failed));
        }
        for &version in &suspended {
            self.remove(version);
        }
        Recorded { suspended, is_repeat, ..Recorded::default() }
    }

    /// Settles a requested pair. Returns the request if it was the last one.
    fn answer(&mut self, id: AskId) -> Option<AskId> {
        let ask = self.asks.iter_mut().find(|ask| ask.id == id)?;
        ask.open -= 1;
        let is_done = ask.open == 0;
        self.asks.retain(|ask| ask.open > 0);
        is_done.then_some(id)
    }

    /// Input of a fit of all results so far; `None` without new results or players since the last
    /// one, or without results.
    pub fn refit(&mut self) -> Option<Refit> {
        let now = (self.revision, self.slots.len());
        if self.revision == 0 || self.taken == now {
            return None;
        }
        self.taken = now;
        let anchor = |player: Player| match self.entrant(player) {
            Entrant::House { elo, .. } => Some(Anchor { bot: player.0, elo: *elo }),
            Entrant::Version(_) => None,
        };
        let anchors = self.players().filter_map(anchor).collect();
        let counts = Arc::clone(self.played.counts());
        Some(Refit::new(self.slots.len(), counts, (anchors, self.ties()), self.revision))
    }

    /// Adopts the ratings of a fit. A fit older than the last is ignored.
    pub fn fitted(&mut self, fitted: Fitted, now: Utc) {
        let Fitted { ratings, revision } = fitted;
        if revision < self.fitted {
            return;
        }
        self.fitted = revision;
        let active = self.players().filter(|player| {
            let slot = &self.slots[player.index()];
            slot.is_active && slot.group.is_some()
        });
        let active: Vec<u32> = active.map(|player| player.0).collect();
        self.offset = (ratings.error_of_mean(&active) / scale()).powi(2);
        // The uncertainty of a lone version is that of the field, and still its own.
        let common = if active.len() > 1 { self.offset } else { 0.0 };
        for player in self.players() {
            let Some(rating) = ratings.of(player.0) else { continue };
            let slot = &self.slots[player.index()];
            let width = rating.low.zip(rating.high).map_or(0.0, |(low, high)| high - low);
            // The common uncertainty does not concern differences between bots.
            let variance = ((width / (2.0 * HALF) / scale()).powi(2) - common).max(CERTAIN);
            self.known.set(player.index(), rating.elo / scale(), variance);
            if let Some(own) = slot.entrant.version().filter(|_| slot.is_active) {
                self.history.keep(own.entry, now, rating.elo);
            }
        }
        let is_new = |counted: &Option<u64>| counted.is_none_or(|counted| counted > revision);
        self.unfitted.retain(|_, (_, counted)| is_new(counted));
        self.spread_offset();
        let unfitted: Vec<[Player; 2]> = self.unfitted.values().map(|(both, _)| *both).collect();
        for [a, b] in unfitted {
            self.expect(a, b);
        }
        self.ratings = Some(ratings);
    }

    /// Counts a pair with a pending result as played.
    pub(super) fn expect(&mut self, a: Player, b: Player) {
        let [one, two] = [a, b].map(|player| self.slots[player.index()].group);
        self.known.expect(a.index(), b.index());
        if one.is_none() || two.is_none() {
            let version = if one.is_none() { b } else { a }.index();
            let gained =
                pair_information(self.known.strength(a.index()) - self.known.strength(b.index()));
            let gained = gained / (1.0 + gained * self.known.variance(version));
            self.offset = 1.0 / (1.0 / self.offset + gained);
            self.spread_offset();
        }
    }

    /// Makes house bots as uncertain as the field is relative to them: their ratings are given, but
    /// the ratings of all n versions depend on them. The sum of all variances shrinks most if a
    /// pair with a house bot is preferred to one with a version of variance v where n c² > v², with
    /// c the variance of the field's mean. So a house bot counts as one of variance √n c.
    pub(super) fn spread_offset(&mut self) {
        let active = self.slots.iter().filter(|slot| slot.is_active && slot.group.is_some());
        let weight = (active.count() as f64).sqrt().max(1.0);
        for player in self.players() {
            if self.slots[player.index()].group.is_none() {
                let strength = self.known.strength(player.index());
                self.known.set(player.index(), strength, weight * self.offset);
            }
        }
    }

    /// Rating of a player as of the last fit; `None` without a game that compares it.
    pub fn rating(&self, player: Player) -> Option<Rating> {
        self.ratings.as_ref()?.of(player.0).copied()
    }

    /// Restores an earlier rating of a bot for the trend after a restart. Call in order from oldest
    /// to newest.
    pub fn remember(
        &mut self,
        entry: crate::course::EntryId,
        at: Utc,
        elo: pitmaster_ratings::Elo,
    ) {
        self.history.keep(entry, at, elo);
    }
}
