//! Live games: the games that the lanes play at this moment, for spectators.
//!
//! A lane puts new plies into the inbox of its game without waiting. If the inbox is locked at that
//! moment, they are delivered with the next ply. `Hub::publish` moves new plies to the readers'
//! view ten times a second. A game therefore has at most ten frames a second, and readers never
//! contend with lanes. Each reader continues from its own position, so nothing is buffered for slow
//! readers.
//!
//! Live games contain plies only, no other output of bots. The result of a game is published once
//! it is stored.

mod game;
mod reader;
mod slots;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use pitmaster_core::{GameId, GameKey, Record};
use pitmaster_season::course::{LadderId, Utc};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

pub(crate) use game::{LiveGame, Outcome, Position};
pub(crate) use reader::{Event, Reader};
pub(crate) use slots::{FeedKey, Slot, TooMany};

use slots::Slots;

/// Time between two frames of a game.
const FRAME: Duration = Duration::from_millis(100);

/// Running games of all ladders, with their readers. Clones share the same state.
#[derive(Debug, Clone, Default)]
pub struct Hub(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    games: RwLock<HashMap<GameId, Arc<LiveGame>>>,
    slots: Slots,
    /// Number of publications so far.
    changes: watch::Sender<u64>,
    /// Whether the server stops.
    stop: watch::Sender<bool>,
}

impl Hub {
    /// Adds a running game of a ladder. `pair` contains the ids of the pair's games.
    pub(crate) fn begin(
        &self,
        ladder: (LadderId, &str),
        key: &GameKey,
        pair: &[GameId],
        now: Utc,
    ) -> Arc<LiveGame> {
        let mut games = self.0.games.write().unwrap_or_else(PoisonError::into_inner);
        let id = key.id();
        // A replayed game gets a new attempt number, however coarse the clock is.
        let before = games.get(&id).map_or(0, |game| game.attempt() + 1);
        let attempt = now.0.cast_unsigned().max(before);
        let other = pair.iter().find(|other| **other != id).cloned();
        let game = Arc::new(LiveGame::new(ladder, key.clone(), attempt, other));
        if let Some(before) = games.insert(id, Arc::clone(&game)) {
            before.finish(None);
            before.publish();
        }
        drop(games);
        self.changed();
        game
    }

    /// Marks a game as stored.
    pub(crate) fn over(&self, record: &Record) {
        if let Some(game) = self.get(&record.id()) {
            game.finish(Some(Outcome::of(record)));
        }
    }

    /// Marks a game as void: it has no result, or will be replayed.
    pub(crate) fn void(&self, id: &GameId) {
        if let Some(game) = self.get(id) {
            game.finish(None);
        }
    }

    /// Looks up a game that is being played, or waits for the other game of its pair.
    pub(crate) fn get(&self, id: &GameId) -> Option<Arc<LiveGame>> {
        self.0.games.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// Running games of a ladder, oldest first.
    pub(crate) fn of_ladder(&self, ladder: LadderId) -> Vec<Arc<LiveGame>> {
        let games = self.0.games.read().unwrap_or_else(PoisonError::into_inner);
        let of_it = games.values().filter(|game| game.ladder() == ladder && game.is_running());
        let mut found: Vec<_> = of_it.cloned().collect();
        found.sort_by_key(|game| (game.attempt(), game.id().clone()));
        found
    }

    /// Publishes what the lanes have delivered since the last call. Removes games that are over,
    /// because the store has them.
    pub(crate) fn publish(&self) {
        let all: Vec<_> = {
            let games = self.0.games.read().unwrap_or_else(PoisonError::into_inner);
            games.values().cloned().collect()
        };
        let mut over = Vec::new();
        let mut is_new = false;
        for game in all {
            let published = game.publish();
            is_new |= published.is_new;
            if published.is_over {
                over.push(game);
            }
        }
        if !over.is_empty() {
            let mut games = self.0.games.write().unwrap_or_else(PoisonError::into_inner);
            for game in over {
                if games.get(game.id()).is_some_and(|known| Arc::ptr_eq(known, &game)) {
                    games.remove(game.id());
                }
            }
        }
        if is_new {
            self.changed();
        }
    }

    /// Counter of publications.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    fn changed(&self) {
        self.0.changes.send_modify(|count| *count += 1);
    }

    /// Publishes frames for as long as it is polled.
    pub(crate) async fn run(self) {
        let mut frames = tokio::time::interval(FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            frames.tick().await;
            self.publish();
        }
    }

    /// Creates a reader of a game that starts after a position.
    pub(crate) fn reader(&self, game: Arc<LiveGame>, after: Option<Position>) -> Reader {
        Reader::new(game, after, self.0.stop.subscribe())
    }

    /// Reserves a slot for a reader.
    ///
    /// # Errors
    /// The session, or all guests together, have the maximum number of readers.
    pub(crate) fn slot(&self, key: FeedKey) -> Result<Slot, TooMany> {
        self.0.slots.take(key)
    }

    /// Number of readers.
    pub(crate) fn readers(&self) -> usize {
        self.0.slots.len()
    }

    /// Notifies readers that the server stops, which ends them.
    pub(crate) fn stop(&self) {
        self.0.stop.send_replace(true);
    }

    /// Waits until the server stops.
    pub(crate) async fn stopping(&self) {
        let mut stop = self.0.stop.subscribe();
        // The sender lives as long as the hub.
        let _ = stop.wait_for(|is_stopping| *is_stopping).await;
    }
}

#[cfg(test)]
mod tests;
