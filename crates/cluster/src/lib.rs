//! Tournaments and practice servers on many machines: the runner's queue over NATS JetStream.
//!
//! [`Coordinator`] runs a contest, whose bots and games are known in advance. [`PracticeCoordinator`]
//! runs the jobs of a practice server, each with its own bots. A [`Worker`] plays for both.
//!
//! Must not depend on how games are refereed or on how results are presented.

mod broker;
mod connect;
mod coordinate;
mod error;
mod seal;
mod server;
mod speed;
mod status;
#[cfg(test)]
mod testing;
mod wire;
mod work;

pub use connect::{Access, AccessError, Login, Tls};
pub use coordinate::{Body, TrialOutcome, Trials};
pub use coordinate::{Contest, ContestBot, Coordinator, CoordinatorHooks, differing_promises};
pub use coordinate::{JobError, JobOutput, JobRequest, PracticeCoordinator, Task};
pub use error::ClusterError;
pub use server::{Embedded, ServerError};
pub use status::{Status, StatusReply, WorkerStatus, request_status};
pub use wire::BotEntry;
pub use wire::WorkerInfo;
pub use work::{BuildEnvironment, BuildResult, ChooseSandbox, Examiner, Worker};

use pitmaster_core::BotHash;

/// Version of the protocol of coordinator and workers.
pub const WIRE_VERSION: u32 = wire::VERSION;

/// Name of the object with a contest's run manifest.
fn manifest_name(contest: &str) -> String {
    format!("contest-{contest}")
}

/// Name of the object with a bot's bundle.
fn bundle_name(hash: &BotHash) -> String {
    format!("bot-{}", hash.as_str())
}

/// Name of the object with a result.
fn result_name(bytes: &[u8]) -> String {
    format!("result-{}", wire::hash_of(bytes))
}

/// Generates an id that no other process has.
pub fn new_instance_id() -> String {
    let mut bytes = [0; 16];
    // The run name is unique on this machine, even if the system has no randomness.
    let _ = getrandom::fill(&mut bytes);
    wire::hash_of(format!("{bytes:?} {}", pitmaster_sandbox::run_name()).as_bytes())[..16]
        .to_owned()
}
