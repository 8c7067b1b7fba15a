//! Cluster status of a tournament, as `pitmaster cluster status` prints it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ClusterError;
use super::broker::Broker;
use super::connect::Access;
use super::coordinate::RegisteredWorker;
use super::wire::{STATUS, decode};

/// Time limit for a reply.
const REPLY_TIMEOUT: Duration = Duration::from_secs(3);

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
    /// Total number of games known so far.
    pub games: u64,
    /// Number of games played since the coordinator started.
    pub played: u64,
    /// Number of published jobs.
    pub jobs: u64,
    /// Number of published jobs that a worker holds.
    pub held: u64,
    /// Admitted workers.
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
    /// Number of games that it plays at once.
    pub lanes: u32,
    /// Number of random coloured-Awale plies per second on one core.
    pub speed: u64,
    /// Isolation of bots on the worker.
    pub isolation: String,
    /// Tools that the worker lacks.
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
    pub(super) fn of(worker: &RegisteredWorker) -> Self {
        let RegisteredWorker { info, missing, held, games, draining, isolation, .. } = worker;
        Self {
            name: info.name.clone(),
            host: info.host.clone(),
            cores: info.cores,
            lanes: info.lanes,
            speed: info.speed,
            isolation: isolation.to_string(),
            missing: missing.clone(),
            held: held.len() as u64,
            games: *games,
            draining: *draining,
        }
    }
}

impl Status {
    /// Games per second since the coordinator started.
    pub fn rate(&self) -> f64 {
        if self.running_s > 0.0 { self.played as f64 / self.running_s } else { 0.0 }
    }

    /// Remaining time at the current rate.
    pub fn left(&self) -> Option<Duration> {
        let left = self.games.saturating_sub(self.done) as f64 / self.rate();
        left.is_finite().then(|| Duration::from_secs_f64(left.min(1e9)))
    }
}

/// Result of a status request.
#[derive(Debug, Clone, PartialEq)]
pub enum StatusReply {
    /// Status of the coordinator.
    Running(Box<Status>),
    /// The server has no coordinator.
    NoCoordinator {
        /// Number of jobs that earlier coordinators left in the queue.
        jobs: u64,
    },
}

/// Requests the status of the coordinator on a server.
///
/// # Errors
/// The server cannot be reached.
pub fn request_status(access: &Access) -> Result<StatusReply, ClusterError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| ClusterError::Server(error.to_string()))?;
    runtime.block_on(async {
        let broker = Broker::connect(access, "status").await?;
        match status(&broker).await {
            Some(status) => Ok(StatusReply::Running(Box::new(status))),
            None => Ok(StatusReply::NoCoordinator { jobs: broker.job_count().await.unwrap_or(0) }),
        }
    })
}

/// Status of the coordinator, if one replies.
pub(super) async fn status(broker: &Broker) -> Option<Status> {
    let request = broker.client.request(STATUS, Vec::new().into());
    let reply = tokio::time::timeout(REPLY_TIMEOUT, request).await.ok()?.ok()?;
    decode(&reply.payload).ok()
}
