//! Guarantees on macOS, where there is no probe: only what the referee itself enforces.

use std::io::{self, Write};

use pitmaster_core::{Isolation, Kept, Level, Promise, Tier};
use pitmaster_sandbox::Sandbox;

/// Guarantees of the bare tier.
///
/// # Errors
/// Never on this system.
#[expect(clippy::unnecessary_wraps, reason = "a probe may fail on Linux")]
pub(super) fn guarantees(_: &Sandbox) -> Result<Isolation, String> {
    let kept = |&promise| {
        let (level, how) = match promise {
            Promise::Wall => (Level::Enforced, "deadlines on a thread of their own"),
            Promise::Out => (Level::Enforced, "the referee reads within bounds"),
            Promise::Procs => (Level::Limited, "the bot's own process is ended"),
            _ => (Level::Absent, "it needs Linux"),
        };
        (promise, Kept { level, how: how.to_owned() })
    };
    let promises = Promise::ALL.iter().map(kept).collect();
    Ok(Isolation { tier: Tier::Bare, cgroup: false, promises })
}

/// Returns `None`: there is no probe on this system.
pub fn attempt_all(_args: &[String], _out: &mut dyn Write) -> Option<io::Result<()>> {
    None
}

/// Advice that would improve a guarantee: another system.
pub fn improvement(promise: Promise, isolation: &Isolation, _full: bool) -> Option<&'static str> {
    (isolation.level(promise) != Level::Enforced).then_some("Linux")
}
