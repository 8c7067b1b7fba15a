//! Jobs of a practice server: each has everything in itself that a worker must know, so that a bot
//! that was handed in a moment ago can play in the next one.

use serde::{Deserialize, Serialize};

use super::{Job, RunManifest};

/// What a job of a practice server brings along.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PracticeJob {
    /// Game, limits and bots of this job alone.
    pub(crate) card: RunManifest,
    /// What is to be done.
    pub(crate) task: PracticeTask,
}

/// What is to be done with the bots of a practice job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PracticeTask {
    /// Play the games.
    Play,
    /// Build the bot and report what it is.
    Build,
    /// Build the bot and check it as a whole.
    Check,
}

impl PracticeJob {
    /// Checks that a job has the bots and games of its task.
    ///
    /// # Errors
    /// The invalid value.
    pub(super) fn judge(&self, job: &Job) -> Result<(), String> {
        if self.card.practice {
            return Err("it is a practice server within another one".into());
        }
        if job.games.is_empty() == (self.task == PracticeTask::Play) {
            return Err("it has games that are not to be played, or none".into());
        }
        self.card.judge_bots(job)
    }
}

/// Class of the games and checks that a worker is to play, by its instance.
pub(crate) fn class_of_lanes(instance: &str) -> String {
    format!("lanes-{}", short(instance))
}

/// Class of the builds that a worker is to do, by its instance.
pub(crate) fn class_of_builds(instance: &str) -> String {
    format!("builds-{}", short(instance))
}

/// Whether only one worker takes the jobs of a class.
pub(crate) fn is_of_worker(class: &str) -> bool {
    class.starts_with("lanes-") || class.starts_with("builds-")
}

/// As much of a public key as tells workers apart. It is part of a subject.
fn short(instance: &str) -> &str {
    instance.get(..32).unwrap_or(instance)
}
