//! Session observer: progress bars and lines on standard error, events on standard output.

use std::sync::{Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;
use pitmaster_core::BotId;
use pitmaster_ratings::{Anchor, Ranking};
use pitmaster_runner::Event;
use pitmaster_session::{Observer, Task};
use pitmaster_store::Outcome;

use super::progress::{Mode, Progress, bar, say};

/// Shows the progress of a use case.
#[derive(Debug)]
pub(super) struct Watcher {
    mode: Mode,
    task: Mutex<Option<ProgressBar>>,
    run: Mutex<Option<Progress>>,
}

impl Watcher {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, task: Mutex::new(None), run: Mutex::new(None) }
    }

    /// Watcher for people, with all output.
    pub(super) fn people() -> Self {
        Self::new(Mode::People)
    }

    /// Prints a line, above the bar if there is one.
    fn line(&self, text: &str) {
        match &*lock(&self.task) {
            Some(bar) if !bar.is_hidden() => bar.println(text),
            _ => say(text),
        }
    }
}

/// Locks a mutex. Poisoning is ignored, because only a progress bar depends on the state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watcher {
    fn note(&self, text: &str) {
        if self.mode != Mode::Quiet {
            self.line(text);
        }
    }

    fn warn(&self, text: &str) {
        self.line(text);
    }

    fn task_started(&self, task: Task, steps: u64) {
        let template = format!("{{bar:30}} {{pos}}/{{len}} {} {{msg}}", about(task));
        let bar = bar(self.mode == Mode::Quiet, steps, &template);
        bar.tick();
        *lock(&self.task) = Some(bar);
    }

    fn task_progress(&self, done: u64, item: &str) {
        if let Some(bar) = &*lock(&self.task) {
            bar.set_message(item.to_owned());
            bar.set_position(done);
        }
    }

    fn task_ended(&self) {
        if let Some(bar) = lock(&self.task).take() {
            bar.finish_and_clear();
        }
    }

    fn lineup(&self, bots: &[BotId], ranking: &Ranking, anchors: &[Anchor]) {
        let progress = Progress::new(self.mode, bots, ranking.clone(), anchors.to_vec());
        *lock(&self.run) = Some(progress);
    }

    fn stored(&self, outcome: &Outcome) {
        if let Some(run) = &mut *lock(&self.run) {
            run.known(outcome);
        }
    }

    fn event(&self, event: &Event<'_>) {
        if let Some(run) = &mut *lock(&self.run) {
            run.handle(event);
        }
    }

    fn run_ended(&self) {
        if let Some(run) = lock(&self.run).take() {
            run.finish();
        }
    }
}

/// Unit that a task counts, for its progress bar.
fn about(task: Task) -> &'static str {
    match task {
        Task::FindOpenings => "openings found",
        Task::PrepareBots => "bots prepared",
        Task::CopyBots => "bots copied",
        Task::TryBots => "bots tested",
        Task::WritePage => "games written",
        Task::Unpack => "submissions",
        Task::VerifyGames => "games replayed",
        Task::PlayAgain => "pairs played again",
        Task::Quiz => "bots quizzed",
        Task::MakeTable => "positions computed · about {eta} left ·",
        Task::VerifyTable => "positions searched",
        Task::Analyze => "positions analyzed · about {eta} left",
    }
}
