//! Tournaments and practice servers on many machines: the runner's queue over NATS JetStream.
//!
//! [`Coordinator`] is for a contest, whose bots and games are known before the first one. [`Practice`] is
//! for a practice server, each of whose jobs brings its bots along. A [`Worker`] plays for both.
//!
//! The crate knows neither refereeing nor how results are presented.

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
pub use coordinate::{Body, Trials, Tried};
pub use coordinate::{Contest, ContestBot, Coordinator, Gate, differing_promises};
pub use coordinate::{Done, NotDone, Order, Practice, Task};
pub use error::ClusterError;
pub use server::{Embedded, ServerError};
pub use status::{Status, Told, WorkerStatus, ask};
pub use wire::About;
pub use wire::CardBot;
pub use work::{Bench, Built, ChooseSandbox, Examiner, Worker};

use pitmaster_core::BotHash;

/// Version of the protocol of coordinator and workers.
pub const WIRE_VERSION: u32 = wire::VERSION;

/// Name of the object with a contest's run manifest.
fn card_name(contest: &str) -> String {
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

/// Generates a name that no other process has.
pub fn instance() -> String {
    let mut bytes = [0; 16];
    // Without randomness the process and its start tell processes apart.
    let _ = getrandom::fill(&mut bytes);
    wire::hash_of(format!("{bytes:?} {}", pitmaster_sandbox::run_name()).as_bytes())[..16]
        .to_owned()
}
