//! Results of tasks, and the ratings that follow from them.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::BySide;
use pitmaster_ratings::{Anchor, Rating};

use super::{
    Class, Entrant, Fitted, Ladder, Outcome, Pair, PlayedGame, Player, RecordError, Recorded,
    Refit, Running, Task, scale, seconds,
};
use crate::course::{AskId, Utc};

/// Width of a 95 % interval, in standard deviations.
const WIDTH: f64 = 2.0 * 1.959_963_985;

impl Ladder {
    /// Records the outcome of a task that was given out.
    ///
    /// # Errors
    /// Fails if no such task is being played, or the outcome is of another kind of task. The ladder
    /// is as before then.
    pub fn record(&mut self, number: u64, outcome: Outcome) -> Result<Recorded, RecordError> {
        let running = *self.running.get(&number).ok_or(RecordError::Unknown(number))?;
        let recorded = match (running.task, outcome) {
            (task, Outcome::Lost) => {
                self.charge(&running, -running.charged);
                self.take_back(task);
                Recorded::default()
            }
            (Task::Validation { .. }, Outcome::Validation { lane_time }) => {
                self.settle(&running, lane_time);
                Recorded::default()
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

    /// Charges the time that it took instead of the expected one.
    fn settle(&mut self, running: &Running, lane_time: Duration) {
        self.charge(running, seconds(lane_time) - running.charged);
    }

    /// Makes good that a task was given out and not played.
    fn take_back(&mut self, task: Task) {
        let pair = match task {
            Task::Validation { version, .. } => return self.validations.push_front(version),
            Task::Pair(pair) => pair,
        };
        if let Class::Asked(id) = pair.class {
            if let Some(ask) = self.asks.iter_mut().find(|ask| ask.id == id) {
                ask.left += 1;
            }
            return;
        }
        self.unfitted.remove(&pair.number);
        for player in [pair.a, pair.b] {
            self.slots[player.index()].pairs -= 1;
        }
    }

    fn count(&mut self, pair: Pair, games: &[PlayedGame; 2], lane_time: Duration) -> Recorded {
        let Pair { number, a, b, class, .. } = pair;
        if let Class::Asked(id) = class {
            return Recorded { answered: self.answer(id), ..Recorded::default() };
        }
        let [first, second] = games;
        let games_of_bots =
            [first.between(BySide::new(a, b), number), second.between(BySide::new(b, a), number)];
        let is_repeat = !self.played.add(&games_of_bots);
        self.revision += 1;
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
        Recorded { suspended, is_repeat, answered: None }
    }

    /// Settles a pair that was asked for. Returns the request if it was the last one.
    fn answer(&mut self, id: AskId) -> Option<AskId> {
        let ask = self.asks.iter_mut().find(|ask| ask.id == id)?;
        ask.open -= 1;
        let is_done = ask.open == 0;
        self.asks.retain(|ask| ask.open > 0);
        is_done.then_some(id)
    }

    /// Input of a fit of all results so far; `None` if nothing is new since the last one was taken.
    pub fn refit(&mut self) -> Option<Refit> {
        if self.taken == self.revision {
            return None;
        }
        self.taken = self.revision;
        let anchor = |player: Player| match self.entrant(player) {
            Entrant::House { elo, .. } => Some(Anchor { bot: player.0, elo: *elo }),
            Entrant::Version(_) => None,
        };
        let anchors = self.players().filter_map(anchor).collect();
        let counts = Arc::clone(self.played.counts());
        Some(Refit::new(self.slots.len(), counts, (anchors, self.ties()), self.revision))
    }

    /// Takes over the ratings of a fit. One that is older than the last is ignored.
    pub fn fitted(&mut self, fitted: Fitted, now: Utc) {
        let Fitted { ratings, revision } = fitted;
        if revision < self.fitted {
            return;
        }
        self.fitted = revision;
        for player in self.players() {
            let Some(rating) = ratings.of(player.0) else { continue };
            let slot = &self.slots[player.index()];
            let width = rating.low.zip(rating.high).map_or(0.0, |(low, high)| high - low);
            let error = if slot.group.is_some() { width / WIDTH / scale() } else { 0.0 };
            self.known.set(player.index(), rating.elo / scale(), error * error);
            if let Some(own) = slot.entrant.version().filter(|_| slot.is_active) {
                self.history.keep(own.entry, now, rating.elo);
            }
        }
        let is_new = |counted: &Option<u64>| counted.is_none_or(|counted| counted > revision);
        self.unfitted.retain(|_, (_, counted)| is_new(counted));
        for ([a, b], _) in self.unfitted.values() {
            self.known.expect(a.index(), b.index());
        }
        self.ratings = Some(ratings);
    }

    /// Rating of a player as of the last fit; `None` without a game that compares it.
    pub fn rating(&self, player: Player) -> Option<Rating> {
        self.ratings.as_ref()?.of(player.0).copied()
    }

    /// Keeps an earlier rating of a bot, for the trend: after a restart, from oldest to newest.
    pub fn remember(
        &mut self,
        entry: crate::course::EntryId,
        at: Utc,
        elo: pitmaster_ratings::Elo,
    ) {
        self.history.keep(entry, at, elo);
    }
}
