//! Cluster status of a tournament, as `pitmaster cluster status` prints it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ClusterError;
use super::broker::Broker;
use super::connect::Access;
use super::coordinate::Guest;
use super::wire::{STATUS, decode};

/// Time limit for an answer.
const ANSWER: Duration = Duration::from_secs(3);

/// Status of a run on many machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Instance of the coordinator.
    pub instance: String,
    /// Id of the contest.
    pub contest: String,
    /// Start time of the coordinator, in milliseconds since 1970, UTC.
    pub since_ms: u64,
    /// Running time in seconds.
    pub running_s: f64,
    /// Number of games that count.
    pub done: u64,
    /// Total number of games, as far as it is known.
    pub games: u64,
    /// Number of games played since the coordinator started.
    pub played: u64,
    /// Number of jobs handed out.
    pub jobs: u64,
    /// Number of those jobs that a worker holds.
    pub held: u64,
    /// The workers.
    pub workers: Vec<WorkerStatus>,
}

/// Status of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Name of the worker.
    pub name: String,
    /// Name of its machine.
    pub host: String,
    /// Number of physical cores.
    pub cores: u32,
    /// Number of games at once.
    pub lanes: u32,
    /// Plies of random coloured Awale per second on one core.
    pub speed: u64,
    /// Isolation of bots on the worker.
    pub isolation: String,
    /// Tools that it lacks.
    pub missing: Vec<String>,
    /// Number of jobs that it holds.
    pub held: u64,
    /// Number of games that it has played since it started.
    pub games: u64,
    /// Whether it takes no more jobs.
    pub draining: bool,
}

impl WorkerStatus {
    /// Status of an admitted worker.
    pub(super) fn of(guest: &Guest) -> Self {
        let Guest { about, missing, held, games, draining, isolation, .. } = guest;
        Self {
            name: about.name.clone(),
            host: about.host.clone(),
            cores: about.cores,
            lanes: about.lanes,
            speed: about.speed,
            isolation: isolation.to_string(),
            missing: missing.clone(),
            held: held.len() as u64,
            games: *games,
            draining: *draining,
        }
    }
}

impl Status {
    /// Games per second since this coordinator began.
    pub fn rate(&self) -> f64 {
        if self.running_s > 0.0 { self.played as f64 / self.running_s } else { 0.0 }
    }

    /// Remaining time at the current rate.
    pub fn left(&self) -> Option<Duration> {
        let left = self.games.saturating_sub(self.done) as f64 / self.rate();
        left.is_finite().then(|| Duration::from_secs_f64(left.min(1e9)))
    }
}

/// Answer to a status request.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A coordinator's status.
    Playing(Box<Status>),
    /// There is no coordinator.
    Nobody {
        /// Number of jobs that no coordinator hands out any more.
        jobs: u64,
    },
}

/// Requests the status.
///
/// # Errors
/// The server cannot be reached.
pub fn ask(access: &Access) -> Result<Told, ClusterError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ClusterError::Server(error.to_string()))?;
    runtime.block_on(async {
        let post = Broker::connect(access, "status").await?;
        match status(&post).await {
            Some(status) => Ok(Told::Playing(Box::new(status))),
            None => Ok(Told::Nobody { jobs: post.jobs().await.unwrap_or(0) }),
        }
    })
}

/// Status from the coordinator, if there is one.
pub(super) async fn status(post: &Broker) -> Option<Status> {
    let asked = post.client.request(STATUS, Vec::new().into());
    let answer = tokio::time::timeout(ANSWER, asked).await.ok()?.ok()?;
    decode(&answer.payload).ok()
}
