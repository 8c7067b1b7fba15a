//! Bot whose standard error is reported as it arrives.

use pitmaster_bots::{Clock, Contender, Ended, ReadOutcome, forward_contender};
use pitmaster_core::{At, Untrusted};

use crate::cli::stderr_tail::ErrorsTold;

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
    forward_contender!(bot:
        new_game new_turn send try_read_line line line_had_cr partial_line stop resume used waited
        peak_memory stderr close_stdin
    );

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let heard = self.bot.read_line(clock, until);
        let stderr = self.bot.stderr();
        self.tell(&stderr);
        heard
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
