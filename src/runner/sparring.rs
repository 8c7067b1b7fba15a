//! A sparring partner without a process: it plays random legal moves at once.

use std::time::Duration;

use rand_chacha::ChaCha8Rng;

use crate::bot::{Clock, Contender, Ended, Heard, Usage};
use crate::games::Table;
use crate::record::{At, Seed};

/// Understands `arena`: it is sent the opponent's moves, a line each, and answers with one.
#[derive(Debug)]
pub(super) struct Sparring {
    table: Box<dyn Table>,
    rng: ChaCha8Rng,
    answer: Option<String>,
    line: String,
}

impl Sparring {
    /// Sits down at a table where nothing has been played.
    pub(super) fn new(table: Box<dyn Table>, seed: Seed) -> Self {
        Self { table, rng: seed.stream("sparring"), answer: None, line: String::new() }
    }
}

impl Contender for Sparring {
    fn new_game(&mut self) {}

    fn new_turn(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        for word in String::from_utf8_lossy(bytes).split_whitespace() {
            // What is no move (`START`, `END`) changes nothing.
            let _ = self.table.play(word, &mut String::new());
        }
        self.answer = self.table.play_random(&mut self.rng);
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        Heard::Nothing(clock.now())
    }

    fn listen(&mut self, clock: &Clock, _: Option<At>) -> Heard {
        match self.answer.take() {
            Some(answer) => {
                self.line = answer;
                Heard::Line(clock.now())
            }
            None => Heard::Closed(clock.now()),
        }
    }

    fn line(&self) -> &[u8] {
        self.line.as_bytes()
    }

    fn part(&self) -> &[u8] {
        &[]
    }

    fn stop(&mut self) {}

    fn resume(&mut self) {}

    fn used(&mut self, _: Duration) -> Usage {
        Usage::default()
    }

    fn hang_up(&mut self) {}

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended::default()
    }
}
