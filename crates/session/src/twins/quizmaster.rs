//! Quizmaster: an opponent whose moves are a function of the game's number and the moves so far.

use std::sync::Arc;

use pitmaster_bots::house::InProcess;
use pitmaster_bots::{Clock, Contender, ReadOutcome, forward_contender};
use pitmaster_core::At;
use pitmaster_games::{DynGame, Turn};
use pitmaster_referee::protocol::{self, position_in};

/// An opponent that plays deterministically against equal play.
#[derive(Debug)]
pub(super) struct Quizmaster {
    /// Speaks the protocol; its moves are replaced.
    player: InProcess,
    game: Arc<dyn DynGame>,
    /// Number of the game and all positions so far.
    seen: blake3::Hasher,
    position: Option<String>,
    is_its_turn: bool,
    instead: Option<Vec<u8>>,
}

impl Quizmaster {
    pub(super) fn new(game: Arc<dyn DynGame>, number: u32) -> Self {
        let player = InProcess::new("random".parse().expect("a player's name"));
        let mut seen = blake3::Hasher::new();
        seen.update(&number.to_le_bytes());
        Self { player, game, seen, position: None, is_its_turn: false, instead: None }
    }

    /// Chooses a move by the hash of the positions. `None` if a layout must be chosen.
    fn choose(&self) -> Option<Vec<u8>> {
        let mut table = self.game.resume(self.position.as_deref()?).ok()?;
        let Turn::Player(_) = table.turn() else { return None };
        let mut text = String::new();
        table.list_moves(&mut text);
        let moves: Vec<_> = text.split_ascii_whitespace().collect();
        let mut first = [0; 8];
        first.copy_from_slice(&self.seen.finalize().as_bytes()[..8]);
        let count = u64::try_from(moves.len()).ok()?;
        let number = usize::try_from(u64::from_le_bytes(first).checked_rem(count)?).ok()?;
        table.play(moves[number], &mut String::new()).ok()?;
        Some(format!("move {}", moves[number]).into_bytes())
    }
}

impl Contender for Quizmaster {
    forward_contender!(player:
        new_game new_turn try_read_line line_had_cr partial_line stop resume used waited peak_memory
        counts_all_cpu stderr close_stdin end
    );

    fn send(&mut self, bytes: &[u8]) {
        self.is_its_turn = bytes.ends_with(protocol::GO);
        if let Some(position) = position_in(bytes) {
            self.seen.update(position.as_bytes());
            self.position = Some(position.to_owned());
        }
        self.player.send(bytes);
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let outcome = self.player.read_line(clock, until);
        let is_move = self.is_its_turn && matches!(outcome, ReadOutcome::Line(_));
        self.instead = is_move.then(|| self.choose()).flatten();
        outcome
    }

    fn line(&self) -> &[u8] {
        self.instead.as_deref().unwrap_or_else(|| self.player.line())
    }
}
