//! Sandbox probe: measures what a sandbox guarantees.
//!
//! A probe is started exactly like a bot and attempts forbidden operations. A guarantee follows
//! from the outcome, never from a setting.

#[cfg(target_os = "linux")]
mod attempts;
#[cfg_attr(target_os = "macos", path = "measure_macos.rs")]
mod measure;
#[cfg(target_os = "linux")]
mod promises;

use pitmaster_core::{Resources, Tier};
use pitmaster_sandbox::Sandbox;

#[cfg(target_os = "linux")]
pub use attempts::attempt_all;
use measure::guarantees;
#[cfg(target_os = "macos")]
pub use measure::{attempt_all, improvement};
#[cfg(target_os = "linux")]
pub use promises::improvement;

/// A sandbox that does not work on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tier} does not work here: {why}")]
pub struct Unavailable {
    /// The tier.
    pub tier: Tier,
    /// The reason.
    pub why: String,
}

/// Chooses a sandbox: the requested tier, or portable if it works and otherwise bare. A probe
/// determines its guarantees.
///
/// # Errors
/// The requested tier does not work on this machine.
pub fn choose(wanted: Option<Tier>, resources: &Resources) -> Result<Sandbox, Unavailable> {
    match wanted {
        Some(tier) => examine(tier, resources),
        None => examine(Tier::Portable, resources).or_else(|portable| {
            let bare = examine(Tier::Bare, resources)?;
            Ok(bare.in_place_of_stronger(portable.why))
        }),
    }
}

/// Tests a tier on this machine.
///
/// # Errors
/// The tier does not work.
pub fn examine(tier: Tier, resources: &Resources) -> Result<Sandbox, Unavailable> {
    let unavailable = |why: String| Unavailable { tier, why };
    let sandbox = Sandbox::untested(tier, resources);
    test(sandbox.map_err(|error| unavailable(error.to_string()))?).map_err(unavailable)
}

/// Tests the portable tier with an audit, which must record all refused attempts of the probe.
///
/// # Errors
/// The tier does not work, or does not record everything.
pub fn auditing(resources: &Resources) -> Result<Sandbox, Unavailable> {
    let tier = Tier::Portable;
    let unavailable = |why: String| Unavailable { tier, why };
    let sandbox = Sandbox::untested(tier, resources);
    let sandbox = sandbox.map_err(|error| unavailable(error.to_string()))?;
    test(sandbox.audited()).map_err(unavailable)
}

/// Runs a probe in a sandbox. Returns the sandbox with its guarantees.
///
/// # Errors
/// The probe could not be started in it, or did not finish.
fn test(sandbox: Sandbox) -> Result<Sandbox, String> {
    let isolation = guarantees(&sandbox)?;
    Ok(sandbox.with_isolation(isolation))
}
