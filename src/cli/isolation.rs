//! The flags `--isolation` and `--require`.

use pitmaster_core::{Requirements, Tier};
use pitmaster_session::{IsolationOptions, WantedTier};

/// What keeps bots apart.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct IsolationFlags {
    /// What keeps bots from the machine and from each other
    #[arg(long, value_name = "TIER", value_enum)]
    isolation: Option<Wanted>,
    /// What must be promised, or nothing is played: official, friendly, or promises with commas,
    /// as net,mem~, where ~ makes do with limited; `pitmaster doctor` tells them
    #[arg(long, value_name = "WORDS")]
    require: Option<Requirements>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Wanted {
    /// Portable where it works, else bare
    Auto,
    /// The referee's own care and limits: against accidents, not malice
    Bare,
    /// What any user may do on Linux: limits, Landlock, a filter of system calls
    Portable,
    /// Namespaces and a root folder of its own on top
    Full,
}

impl IsolationFlags {
    /// The same for the session.
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
