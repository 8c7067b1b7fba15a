//! What comes from outside while a run goes on: interrupts, and the end of the time given.

use std::time::{Duration, SystemTime};

/// Tells of the first interrupt; the second one ends the process.
pub(super) async fn listen_for_interrupts(tell: impl Fn()) {
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    tell();
    if tokio::signal::ctrl_c().await.is_ok() {
        // The bots go with their lanes' threads; finished games are in the store.
        std::process::exit(INTERRUPTED);
    }
}

/// The exit code of an interrupted program.
pub const INTERRUPTED: i32 = 130;

/// Tells when the time has come, if one was given.
pub(super) async fn wait_until(until: Option<SystemTime>, tell: impl Fn()) {
    let Some(until) = until else { return };
    // The wall clock may be set meanwhile: look again every half minute.
    while let Ok(left) = until.duration_since(SystemTime::now()) {
        tokio::time::sleep(left.min(Duration::from_secs(30))).await;
    }
    tell();
}
