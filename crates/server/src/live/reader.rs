//! Reader of a running game, which continues from its own position.

use std::sync::Arc;

use tokio::sync::watch;

use super::game::{LiveGame, Outcome, Phase, Position};

/// Event of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    /// The game from its beginning: earlier events belong to another attempt.
    Game,
    /// Plies as JSON. The first one follows the reader's position.
    Plies(Vec<String>),
    /// The game has ended, and is not stored yet.
    Ended,
    /// The game is stored, or void without an outcome.
    Over(Option<Outcome>),
    /// The server stops.
    ServerStopping,
}

/// Reader of a game.
#[derive(Debug)]
pub(crate) struct Reader {
    game: Arc<LiveGame>,
    /// Number of plies received; `None` before the first event.
    plies: Option<usize>,
    has_ended: bool,
    is_done: bool,
    frames: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
}

impl Reader {
    pub(super) fn new(
        game: Arc<LiveGame>,
        after: Option<Position>,
        stop: watch::Receiver<bool>,
    ) -> Self {
        let frames = game.frames();
        let known = game.view().written().len();
        let goes_on = |at: &Position| at.attempt == game.attempt() && at.plies <= known;
        let plies = after.filter(goes_on).map(|at| at.plies);
        Self { game, plies, has_ended: false, is_done: false, frames, stop }
    }

    /// The game.
    pub(crate) fn game(&self) -> &LiveGame {
        &self.game
    }

    /// Position: everything before it was returned.
    pub(crate) fn position(&self) -> Position {
        Position { attempt: self.game.attempt(), plies: self.plies.unwrap_or(0) }
    }

    /// Waits for the next event; `None` after the last one.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            if self.is_done {
                return None;
            }
            if *self.stop.borrow() {
                self.is_done = true;
                return Some(Event::ServerStopping);
            }
            self.frames.borrow_and_update();
            if let Some(event) = self.ready() {
                return Some(event);
            }
            tokio::select! {
                // The sender is in the game, which this reader holds.
                _ = self.frames.changed() => {}
                _ = self.stop.changed() => {}
            }
        }
    }

    /// Returns the next event if there is one now.
    fn ready(&mut self) -> Option<Event> {
        let Some(has) = self.plies else {
            self.plies = Some(0);
            return Some(Event::Game);
        };
        let view = self.game.view();
        let new = &view.written()[has..];
        if !new.is_empty() {
            self.plies = Some(view.written().len());
            return Some(Event::Plies(new.to_vec()));
        }
        match view.phase() {
            Phase::Running => None,
            Phase::Ended if self.has_ended => None,
            Phase::Ended => {
                self.has_ended = true;
                Some(Event::Ended)
            }
            Phase::Over(outcome) => {
                self.is_done = true;
                Some(Event::Over(outcome.clone()))
            }
        }
    }
}
