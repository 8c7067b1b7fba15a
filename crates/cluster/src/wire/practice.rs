//! Jobs of a practice server. Each job is self-contained, so that a bot can play right after its
//! submission.

use serde::{Deserialize, Serialize};

use super::{Job, RunManifest};

/// Task and manifest of a practice server's job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PracticeJob {
    /// Game, limits and bots of this job.
    #[serde(rename = "card")]
    pub(crate) manifest: RunManifest,
    /// The task.
    pub(crate) task: PracticeTask,
}

/// Task of a practice job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PracticeTask {
    /// Play the games.
    Play,
    /// Build the bot and report its properties.
    Build,
    /// Build the bot and run all checks.
    Check,
}

impl PracticeJob {
    /// Validates that a job has the bots and games of its task.
    ///
    /// # Errors
    /// The invalid value.
    pub(super) fn validate(&self, job: &Job) -> Result<(), String> {
        if self.manifest.practice {
            return Err("its manifest is that of a practice server".into());
        }
        if job.games.is_empty() == (self.task == PracticeTask::Play) {
            return Err("its games do not match its task".into());
        }
        self.manifest.validate_bots(job)
    }
}

/// Class of the games and checks of one worker.
pub(crate) fn class_of_lanes(instance: &str) -> String {
    format!("lanes-{}", short(instance))
}

/// Class of the builds of one worker.
pub(crate) fn class_of_builds(instance: &str) -> String {
    format!("builds-{}", short(instance))
}

/// Returns whether a class is that of one worker.
pub(crate) fn is_worker_class(class: &str) -> bool {
    class.starts_with("lanes-") || class.starts_with("builds-")
}

/// Prefix of a public key, long enough to be unique. It is part of a subject.
fn short(instance: &str) -> &str {
    instance.get(..32).unwrap_or(instance)
}
