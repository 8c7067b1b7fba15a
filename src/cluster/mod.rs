//! The same tournament on many machines: the queue of the runner over NATS JetStream.
//!
//! This room must not know how games are refereed, or how results are shown.

mod connect;
mod server;
#[cfg(test)]
mod testing;

pub use connect::{Access, ConnectFault, Login, Tls};
pub use server::{Embedded, ServerFault};
