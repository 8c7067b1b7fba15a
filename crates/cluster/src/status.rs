//! Cluster status of a tournament, as `pitmaster cluster status` prints it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::ClusterError;
use super::broker::Broker;
use super::connect::Access;
use super::coordinate::Guest;
use super::wire::{STATUS, decode};

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(3);

/// How it goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Which coordinator.
    pub instance: String,
    /// Which contest.
    pub contest: String,
    /// Since when, in milliseconds since 1970, UTC.
    pub since_ms: u64,
    /// For how many seconds.
    pub running_s: f64,
    /// Games that count.
    pub done: u64,
    /// Games in all, as far as that is known.
    pub games: u64,
    /// Games that were played since then.
    pub played: u64,
    /// Jobs that are out.
    pub jobs: u64,
    /// Of these, those that somebody plays.
    pub held: u64,
    /// Who plays.
    pub workers: Vec<WorkerStatus>,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its machine.
    pub host: String,
    /// Physical cores.
    pub cores: u32,
    /// Games at once.
    pub lanes: u32,
    /// Plies of random coloured Awale in a second on one core.
    pub speed: u64,
    /// What contains bots there.
    pub isolation: String,
    /// Tools that it does not have.
    pub missing: Vec<String>,
    /// Jobs that it holds.
    pub held: u64,
    /// Games that it has played since it started.
    pub games: u64,
    /// It takes no more.
    pub draining: bool,
}

impl WorkerStatus {
    /// Of one that was let in.
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
    /// Games a second since this coordinator began.
    pub fn rate(&self) -> f64 {
        if self.running_s > 0.0 { self.played as f64 / self.running_s } else { 0.0 }
    }

    /// Until all games are played, at that rate.
    pub fn left(&self) -> Option<Duration> {
        let left = self.games.saturating_sub(self.done) as f64 / self.rate();
        left.is_finite().then(|| Duration::from_secs_f64(left.min(1e9)))
    }
}

/// What a server says.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// By the coordinator.
    Playing(Box<Status>),
    /// There is none; so many jobs and results lie there.
    Nobody {
        /// Jobs that nobody hands out any more.
        jobs: u64,
    },
}

/// Asks how it goes.
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

/// What the coordinator says, if there is one.
pub(super) async fn status(post: &Broker) -> Option<Status> {
    let asked = post.client.request(STATUS, Vec::new().into());
    let answer = tokio::time::timeout(ANSWER, asked).await.ok()?.ok()?;
    decode(&answer.payload).ok()
}
