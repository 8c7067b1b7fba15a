//! Player and board of a house bot, shared by both kinds of dialects.

use std::time::{Duration, Instant};

use pitmaster_core::{Dialect, Seed};
use pitmaster_games::{GameSpec, SpecError, Turn};
use pitmaster_players::{BuildError, Player, PlayerSpec, Thought};
use pitmaster_referee::protocol::{self, Remaining};

use super::time_management::Clocks;
use super::{ClockBudget, PlayerSetupError, TalkError, build_player};

/// Time for a move without any limit, for a player that would otherwise search forever.
const UNLIMITED: Duration = Duration::from_secs(1);

/// A player with its board.
pub(super) struct Board {
    game: String,
    player: Box<dyn Player>,
    /// Time for a move without any limit.
    unlimited: Option<Duration>,
    /// Longest gap between two clock readings. Old gaps decay.
    pause: Duration,
}

impl Board {
    /// Sets up the board of a game for a player.
    pub(super) fn new(game: &str, player: &PlayerSpec) -> Result<Self, TalkError> {
        let spec: GameSpec = game
            .parse()
            .map_err(|fault| PlayerSetupError::Build(BuildError::Game(SpecError::into(fault))))?;
        let unlimited = player.is_endless().then_some(UNLIMITED);
        Ok(Self {
            game: game.to_owned(),
            player: build_player(&spec, player)?,
            unlimited,
            pause: Duration::ZERO,
        })
    }

    /// Sets up a board for a player that has no name.
    #[cfg(test)]
    pub(super) fn of(game: &str, player: Box<dyn Player>) -> Self {
        Self { game: game.to_owned(), player, unlimited: None, pause: Duration::ZERO }
    }

    /// Returns whether this is the board of that game.
    pub(super) fn is_of(&self, game: &str) -> bool {
        self.game == game
    }

    pub(super) fn begin(&mut self, seed: Seed) {
        self.player.begin(seed);
    }

    /// Announces the number of plies after which the game is adjudicated.
    pub(super) fn limit_plies(&mut self, plies: Option<u32>) {
        self.player.limit_plies(plies);
    }

    pub(super) fn turn(&self) -> Turn {
        self.player.turn()
    }

    /// Sets the board to this position.
    pub(super) fn stand_at(&mut self, position: &str, seed: Seed) -> Result<(), TalkError> {
        if self.player.position() == position {
            return Ok(());
        }
        self.player.begin_at(position, seed).map_err(|fault| TalkError::Position(fault.to_string()))
    }

    /// Plays steps, one per word.
    pub(super) fn follow(&mut self, steps: &str) -> Result<(), TalkError> {
        steps.split_ascii_whitespace().try_for_each(|step| {
            self.player.follow(step).map_err(|fault| TalkError::Step {
                step: step.chars().take(80).collect(),
                game: self.game.clone(),
                why: fault.to_string(),
            })
        })
    }

    /// Chooses a move, plays it and returns it.
    pub(super) fn answer(
        &mut self,
        dialect: Dialect,
        began: Instant,
        left: Remaining,
        increment: Duration,
        out: &mut Vec<u8>,
    ) -> Result<(), TalkError> {
        let clocks = Clocks { left, increment, pause: self.pause };
        let mut budget = ClockBudget::new(began, clocks.share().or(self.unlimited));
        let choice = self.player.choose(&mut budget);
        self.pause = (self.pause * 31 / 32).max(budget.longest_gap());
        let Thought { nodes, depth, seeds, verdict } = choice.thought;
        if dialect == Dialect::Pitmaster && nodes > 0 {
            let verdict = verdict.map(|verdict| verdict.to_string());
            protocol::info(out, depth, nodes, seeds, verdict.as_deref());
        }
        protocol::answer(out, dialect, &choice.text);
        self.follow(&choice.text)
    }
}
