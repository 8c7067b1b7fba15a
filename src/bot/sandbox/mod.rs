//! Keeps a bot's process from everything that is not its own.
//!
//! It must not know pipes, clocks or games.

pub(super) mod audit;
pub(super) mod filter;
