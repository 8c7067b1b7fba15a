//! External signals during a run: interrupts and the end of the allotted time.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use tokio::signal::unix::SignalKind;
use tokio::sync::Notify;

/// Reports the first interrupt. The second one ends the process.
pub(super) async fn listen_for_interrupts(notify: impl Fn()) {
    interrupted().await;
    notify();
    interrupted().await;
    // Bots end with their lanes' threads. Finished games are stored.
    std::process::exit(INTERRUPTED);
}

/// Stops one run from another thread: running games are finished. Clones stop the same run.
#[derive(Debug, Clone, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Stops the run, even before it begins.
    pub fn stop(&self) {
        self.0.notify_one();
    }

    /// Calls `notify` when the run must stop.
    pub(super) async fn wait(self, notify: impl Fn()) {
        self.0.notified().await;
        notify();
    }
}

/// Waits for an interrupt from the keyboard or a termination signal.
pub async fn interrupted() {
    let mut end = tokio::signal::unix::signal(SignalKind::terminate());
    let ended = async {
        match &mut end {
            Ok(end) => drop(end.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => {
            if pressed.is_err() {
                // The signal handler could not be installed.
                std::future::pending::<()>().await;
            }
        }
        () = ended => {}
    }
}

/// Waits for an interrupt on a separate thread, for commands without a runtime. After it has
/// returned, no interrupt ends the process before `notify` was called.
///
/// # Errors
/// The handler cannot be installed. An interrupt then ends the process.
pub fn on_interrupt(notify: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let within = runtime.enter();
    let mut pressed = tokio::signal::unix::signal(SignalKind::interrupt())?;
    let mut ended = tokio::signal::unix::signal(SignalKind::terminate())?;
    drop(within);
    let listen = async move {
        tokio::select! { _ = pressed.recv() => {} _ = ended.recv() => {} }
        notify();
        tokio::select! { _ = pressed.recv() => {} _ = ended.recv() => {} }
        std::process::exit(INTERRUPTED);
    };
    std::thread::Builder::new().spawn(move || runtime.block_on(listen))?;
    Ok(())
}

/// Exit code of an interrupted program.
pub const INTERRUPTED: i32 = 130;

/// Calls `notify` at the given time, if there is one.
pub(super) async fn wait_until(until: Option<SystemTime>, notify: impl Fn()) {
    let Some(until) = until else { return };
    // The wall clock may be changed meanwhile, so it is read again every half minute.
    while let Ok(left) = until.duration_since(SystemTime::now()) {
        tokio::time::sleep(left.min(Duration::from_secs(30))).await;
    }
    notify();
}
