//! Distributed tournaments with a real server on the loopback, real workers, and failures. Without
//! nats-server these tests only print a message, or fail if all tools are promised.

mod false_coordinator;
mod faults;
mod forged;
mod formats;
mod harness;
mod logins;
mod operations;
#[cfg(feature = "server")]
mod practice;
mod safety;
mod scripts;
