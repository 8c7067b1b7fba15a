//! Live games: what the lanes play at this moment, for people who watch.
//!
//! A lane leaves new plies in the inbox of its game and never waits: if the inbox is being emptied
//! at that moment, they come with the next ply. Ten times a second `Hub::publish` moves what is
//! new to where readers find it, so a game has at most ten frames a second, and readers meet no
//! lane. Each reader goes on from its own position, so nothing is kept for one that is slow.
//!
//! Only plies come here: no lane shows what else a bot wrote. The result of a game is told once it
//! is stored.

mod game;
mod places;
mod reader;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use pitmaster_core::{GameId, GameKey, Record};
use pitmaster_season::course::{LadderId, Utc};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

pub(crate) use game::{LiveGame, Outcome, Position};
pub(crate) use places::{FeedKey, Place, TooMany};
pub(crate) use reader::{Event, Reader};

use places::Places;

/// Time between two frames of a game.
const FRAME: Duration = Duration::from_millis(100);

/// The running games of all ladders, and their readers. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Hub(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    games: RwLock<HashMap<GameId, Arc<LiveGame>>>,
    places: Places,
    /// Number of times that something new was published.
    changes: watch::Sender<u64>,
    /// Whether the server stops.
    stop: watch::Sender<bool>,
}

impl Hub {
    /// A game of a ladder begins. `pair` are the ids of the pair's games.
    pub(crate) fn begin(
        &self,
        ladder: (LadderId, &str),
        key: &GameKey,
        pair: &[GameId],
        now: Utc,
    ) -> Arc<LiveGame> {
        let mut games = self.0.games.write().unwrap_or_else(PoisonError::into_inner);
        let id = key.id();
        // A game that is played again has an attempt of its own, however coarse the clock is.
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

    /// A game is stored, and counts.
    pub(crate) fn over(&self, record: &Record) {
        if let Some(game) = self.get(&record.id()) {
            game.finish(Some(Outcome::of(record)));
        }
    }

    /// Nothing comes of a game, or it will be played again.
    pub(crate) fn void(&self, id: &GameId) {
        if let Some(game) = self.get(id) {
            game.finish(None);
        }
    }

    /// A game that is being played, or that waits for the other one of its pair.
    pub(crate) fn get(&self, id: &GameId) -> Option<Arc<LiveGame>> {
        self.0.games.read().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }

    /// The games of a ladder that are being played, the oldest first.
    pub(crate) fn of_ladder(&self, ladder: LadderId) -> Vec<Arc<LiveGame>> {
        let games = self.0.games.read().unwrap_or_else(PoisonError::into_inner);
        let of_it = games.values().filter(|game| game.ladder() == ladder && game.is_running());
        let mut found: Vec<_> = of_it.cloned().collect();
        found.sort_by_key(|game| (game.attempt(), game.id().clone()));
        found
    }

    /// Publishes what the lanes have left since the last time. Games that are over leave, because
    /// the store has them.
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

    /// Number of times that something new was published, as it grows.
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

    /// A reader of a game that begins after a position.
    pub(crate) fn reader(&self, game: Arc<LiveGame>, after: Option<Position>) -> Reader {
        Reader::new(game, after, self.0.stop.subscribe())
    }

    /// A place for a reader.
    ///
    /// # Errors
    /// The session, or all guests together, have as many as they may.
    pub(crate) fn place(&self, key: FeedKey) -> Result<Place, TooMany> {
        self.0.places.take(key)
    }

    /// Number of readers.
    pub(crate) fn readers(&self) -> usize {
        self.0.places.len()
    }

    /// The server stops: readers are told, and end.
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
