//! Opponents that are no better than `house:random`, but behave in their own way.

use std::thread;
use std::time::Duration;

use crate::bot::{Clock, Contender, Ended, Heard, Usage};
use crate::record::{At, Exit};

/// How an opponent behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// As it is.
    Plain,
    /// It ends after so many moves.
    Leaves(u32),
    /// It takes so long for each move.
    Slow(Duration),
}

/// An opponent with a manner.
#[derive(Debug)]
pub(super) struct Opponent {
    player: Box<dyn Contender>,
    manner: Manner,
    /// How often it was asked for something.
    asked: u32,
}

impl Opponent {
    /// Its answers to the greeting and to `newgame` are no moves.
    const HANDSHAKE: u32 = 2;

    pub(super) fn new(player: Box<dyn Contender>, manner: Manner) -> Self {
        Self { player, manner, asked: 0 }
    }
}

impl Contender for Opponent {
    fn new_game(&mut self) {
        self.player.new_game();
    }

    fn new_turn(&mut self) {
        self.asked += 1;
        self.player.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        self.player.send(bytes);
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        self.player.glance(clock)
    }

    fn listen(&mut self, clock: &Clock, until: Option<At>) -> Heard {
        match self.manner {
            Manner::Leaves(moves) if self.asked > Self::HANDSHAKE + moves => {
                return Heard::Exited(Exit::Code(0), clock.now());
            }
            Manner::Slow(pause) if self.asked > Self::HANDSHAKE => thread::sleep(pause),
            _ => {}
        }
        self.player.listen(clock, until)
    }

    fn line(&self) -> &[u8] {
        self.player.line()
    }

    fn part(&self) -> &[u8] {
        self.player.part()
    }

    fn stop(&mut self) {
        self.player.stop();
    }

    fn resume(&mut self) {
        self.player.resume();
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.player.used(wall)
    }

    fn hang_up(&mut self) {
        self.player.hang_up();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        self.player.end(clock, until)
    }
}
