//! Bot whose standard error is reported as it arrives.

use std::time::Duration;

use pitmaster_bots::{Clock, Contender, Ended, Heard, Usage};
use pitmaster_core::{At, Untrusted};

use crate::cli::errors::ErrorsTold;

/// Contender that passes its standard error to a callback.
pub(super) struct Overheard {
    bot: Box<dyn Contender>,
    told: ErrorsTold,
    tell: Box<dyn Fn(Untrusted) + Send>,
}

impl Overheard {
    /// `tell` receives new output after each answer and at the end.
    pub(super) fn new(bot: Box<dyn Contender>, tell: impl Fn(Untrusted) + Send + 'static) -> Self {
        Self { bot, told: ErrorsTold::default(), tell: Box::new(tell) }
    }

    fn tell(&mut self, stderr: &Untrusted) {
        if let Some(news) = self.told.news(stderr) {
            (self.tell)(news);
        }
    }
}

impl Contender for Overheard {
    fn new_game(&mut self) {
        self.bot.new_game();
    }

    fn new_turn(&mut self) {
        self.bot.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        self.bot.send(bytes);
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        self.bot.glance(clock)
    }

    fn listen(&mut self, clock: &Clock, until: Option<At>) -> Heard {
        let heard = self.bot.listen(clock, until);
        let stderr = self.bot.stderr();
        self.tell(&stderr);
        heard
    }

    fn line(&self) -> &[u8] {
        self.bot.line()
    }

    fn part(&self) -> &[u8] {
        self.bot.part()
    }

    fn stop(&mut self) {
        self.bot.stop();
    }

    fn resume(&mut self) {
        self.bot.resume();
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.bot.used(wall)
    }

    fn waited(&mut self) -> Duration {
        self.bot.waited()
    }

    fn stderr(&mut self) -> Untrusted {
        self.bot.stderr()
    }

    fn hang_up(&mut self) {
        self.bot.hang_up();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        let ended = self.bot.end(clock, until);
        self.tell(&ended.stderr);
        ended
    }
}

impl std::fmt::Debug for Overheard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Overheard").field(&self.bot).finish()
    }
}
