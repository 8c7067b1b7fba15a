//! Tournaments on many machines: a real server on the loopback, real workers, and what goes wrong
//! with them. Where there is no nats-server these tests say so, and fail where all tools are
//! promised.

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
