//! Observer: receiver of a use case's progress and events.

use std::sync::atomic::{AtomicU64, Ordering};

use pitmaster_core::BotId;
use pitmaster_ratings::{Anchor, Ranking};
use pitmaster_runner::Event;
use pitmaster_store::Outcome;

use crate::check::CheckEvent;

/// Receives the progress and the events of a use case. Every method does nothing by default.
///
/// Bots are prepared on several threads, so methods may be called from any of them.
pub trait Observer: Sync {
    /// Reports a remark: a decision, or a possibly unexpected fact.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// Reports an important problem, such as a bot that cannot play or a secret that others can
    /// read.
    fn warn(&self, text: &str) {
        let _ = text;
    }

    /// A task of that many steps begins.
    fn task_started(&self, task: Task, steps: u64) {
        let _ = (task, steps);
    }

    /// That many steps of the current task are done. `item` is the name of the last one, or empty.
    fn task_progress(&self, done: u64, item: &str) {
        let _ = (done, item);
    }

    /// The current task has ended, complete or not.
    fn task_ended(&self) {}

    /// Reports before the first event of a run the participants in plan order, and the anchors.
    fn lineup(&self, bots: &[BotId], ranking: &Ranking, anchors: &[Anchor]) {
        let _ = (bots, ranking, anchors);
    }

    /// A game of an earlier run counts and is not played again.
    fn stored(&self, outcome: &Outcome) {
        let _ = outcome;
    }

    /// An event of the run.
    fn event(&self, event: &Event<'_>) {
        let _ = event;
    }

    /// An event of a check. May be called concurrently by several lanes.
    fn check(&self, event: &CheckEvent<'_>) {
        let _ = event;
    }

    /// The run has ended, and writing its files begins.
    fn run_ended(&self) {}
}

/// An observer that ignores everything.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Observer for Silent {}

/// A task whose number of steps is known in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Random openings are searched for.
    FindOpenings,
    /// Bots are copied and built.
    PrepareBots,
    /// Bots are copied; workers build them.
    CopyBots,
    /// Workers try every bot.
    TryBots,
    /// Games are written to a page.
    WritePage,
    /// Submissions are unpacked and examined.
    Unpack,
    /// Games are replayed under the rules.
    VerifyGames,
    /// Pairs are played again.
    PlayAgain,
    /// Bots are quizzed.
    Quiz,
    /// Positions of games are analyzed.
    Analyze,
    /// Positions of an endgame table are computed.
    MakeTable,
    /// Positions of an endgame table are searched.
    VerifyTable,
}

/// A running task; dropping it ends the task.
pub(crate) struct Steps<'a> {
    observer: &'a dyn Observer,
    done: AtomicU64,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(observer: &'a dyn Observer, task: Task, steps: u64) -> Self {
        observer.task_started(task, steps);
        Self { observer, done: AtomicU64::new(0) }
    }

    /// Counts one more step.
    pub(crate) fn step(&self, item: &str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.observer.task_progress(done, item);
    }

    /// Sets the number of finished steps.
    pub(crate) fn reach(&self, done: u64, item: &str) {
        self.observer.task_progress(done, item);
    }
}

impl Drop for Steps<'_> {
    fn drop(&mut self) {
        self.observer.task_ended();
    }
}
