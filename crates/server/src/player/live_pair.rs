//! Live games of a pair, as its lane publishes them.

use std::sync::Arc;

use pitmaster_core::{BySide, GameId, Ply};
use pitmaster_runner::{Batch, ScheduledGame};
use pitmaster_season::course::{LadderId, Utc};
use pitmaster_season::ladder::Task;

use super::Shared;
use super::ladders::Running;
use crate::live::{Hub, LiveGame};

/// Pair that a lane plays.
#[derive(Debug)]
pub(super) struct LivePair {
    hub: Hub,
    ladder: LadderId,
    slug: String,
    games: Vec<GameId>,
    /// The running game, with the bots by side.
    running: Option<(BySide<usize>, Arc<LiveGame>)>,
}

impl Shared {
    /// Live games of a batch; `None` for games that are not for everybody: validations and requests.
    pub(super) fn live_pair(&self, batch: &Batch) -> Option<LivePair> {
        let mut ladders = self.lock();
        let Some(Running::Pair(pair)) = ladders.running.get(&batch.number) else { return None };
        let Task::Pair(_) = pair.task else { return None };
        let ladder = pair.ladder;
        let slug = ladders.get_mut(ladder)?.slug.clone();
        let games = batch.tasks.iter().map(|task| task.key.id()).collect();
        Some(LivePair { hub: self.exchange.live.clone(), ladder, slug, games, running: None })
    }
}

impl LivePair {
    /// Publishes the plies of a game so far.
    pub(super) fn watch(&mut self, task: &ScheduledGame, plies: &[Ply], now: fn() -> Utc) {
        match &self.running {
            Some((bots, game)) if *bots == task.bots => game.watch(plies),
            _ => {
                let ladder = (self.ladder, self.slug.as_str());
                let game = self.hub.begin(ladder, &task.key, &self.games, now());
                game.watch(plies);
                self.running = Some((task.bots, game));
            }
        }
    }

    /// Publishes the end of the running game.
    pub(super) fn end(&mut self, plies: &[Ply]) {
        if let Some((_, game)) = self.running.take() {
            game.end(plies);
        }
    }
}
