//! Flags `--isolation` and `--require`.

use pitmaster_core::{Requirements, Tier};
use pitmaster_session::{IsolationOptions, WantedTier};

/// Isolation of bots.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct IsolationFlags {
    /// Isolation of bots from the machine and from each other
    #[arg(long, value_name = "TIER", value_enum)]
    isolation: Option<Wanted>,
    /// Required guarantees; refuses to run if one is missing: official, friendly, or a list such as
    /// net,mem~, where ~ also accepts limited; `pitmaster doctor` lists the guarantees
    #[arg(long, value_name = "WORDS")]
    require: Option<Requirements>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Wanted {
    /// Portable if it works, otherwise bare
    Auto,
    /// Limits set by the referee: against accidents, not malice
    Bare,
    /// Available to any user on Linux: limits, Landlock, a seccomp filter
    Portable,
    /// Portable plus namespaces and a private root folder
    Full,
}

impl IsolationFlags {
    /// Isolation options for the session.
    pub(super) fn options(&self) -> IsolationOptions {
        let tier = match self.isolation {
            None => WantedTier::AsFile,
            Some(Wanted::Auto) => WantedTier::Auto,
            Some(Wanted::Bare) => WantedTier::Tier(Tier::Bare),
            Some(Wanted::Portable) => WantedTier::Tier(Tier::Portable),
            Some(Wanted::Full) => WantedTier::Tier(Tier::Full),
        };
        IsolationOptions { tier, require: self.require.clone() }
    }
}
