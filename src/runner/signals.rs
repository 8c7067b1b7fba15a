//! What comes from outside while a run goes on: interrupts, and the end of the time given.

use std::time::{Duration, SystemTime};

use tokio::sync::mpsc::UnboundedSender;

use super::owner::Message;

pub(super) async fn listen_for_interrupts(tell: UnboundedSender<Message>) {
    if tokio::signal::ctrl_c().await.is_err() {
        return;
    }
    let _ = tell.send(Message::Interrupt);
    if tokio::signal::ctrl_c().await.is_ok() {
        // The bots go with their lanes' threads; finished games are in the store.
        std::process::exit(INTERRUPTED);
    }
}

/// The exit code of an interrupted program.
pub const INTERRUPTED: i32 = 130;

pub(super) async fn wait_until(until: Option<SystemTime>, tell: UnboundedSender<Message>) {
    let Some(until) = until else { return };
    // The wall clock may be set meanwhile: look again every half minute.
    while let Ok(left) = until.duration_since(SystemTime::now()) {
        tokio::time::sleep(left.min(Duration::from_secs(30))).await;
    }
    let _ = tell.send(Message::TimeOver);
}
