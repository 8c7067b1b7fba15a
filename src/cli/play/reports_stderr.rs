//! Bot whose standard error is reported as it arrives.

use pitmaster_bots::{Clock, Contender, Ended, ReadOutcome, forward_contender};
use pitmaster_core::{At, Untrusted};

use crate::cli::stderr_tail::StderrTail;

/// Contender that passes its standard error to a callback.
pub(super) struct ReportsStderr {
    bot: Box<dyn Contender>,
    tail: StderrTail,
    report: Box<dyn Fn(Untrusted) + Send>,
}

impl ReportsStderr {
    /// `report` receives new output after each answer and at the end.
    pub(super) fn new(
        bot: Box<dyn Contender>,
        report: impl Fn(Untrusted) + Send + 'static,
    ) -> Self {
        Self { bot, tail: StderrTail::default(), report: Box::new(report) }
    }

    fn report(&mut self, stderr: &Untrusted) {
        if let Some(new_text) = self.tail.take_new(stderr) {
            (self.report)(new_text);
        }
    }
}

impl Contender for ReportsStderr {
    forward_contender!(bot:
        new_game new_turn send try_read_line line line_had_cr partial_line stop resume used waited
        counts_all_cpu peak_memory stderr close_stdin
    );

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        let outcome = self.bot.read_line(clock, until);
        let stderr = self.bot.stderr();
        self.report(&stderr);
        outcome
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        let ended = self.bot.end(clock, until);
        self.report(&ended.stderr);
        ended
    }
}

impl std::fmt::Debug for ReportsStderr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ReportsStderr").field(&self.bot).finish()
    }
}
