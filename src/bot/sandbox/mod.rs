//! Keeps a bot's process from everything that is not its own.
//!
//! It must not know pipes, clocks or games.

#[cfg_attr(not(test), expect(dead_code, reason = "nothing starts a process with it yet"))]
pub(super) mod audit;
#[cfg_attr(not(test), expect(dead_code, reason = "nothing starts a process with it yet"))]
pub(super) mod filter;
