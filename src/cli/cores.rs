//! Flags for the choice of cores.

use pitmaster_runner::{CoreList, Wish};

/// Cores to play on.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct CoreFlags {
    /// Cores to play on, such as 1,4-6 [default: the last ones that no other Pitmaster uses]
    #[arg(long, value_name = "LIST")]
    cores: Option<CoreList>,
    /// Share cores reserved by another Pitmaster if no others are free; the results record it
    #[arg(long)]
    share_cores: bool,
}

impl CoreFlags {
    /// Requested cores for this number of lanes.
    pub(super) fn wish(&self, lanes: Option<u16>) -> Wish {
        let lanes = lanes.map(usize::from);
        Wish { lanes, cores: self.cores.clone(), share: self.share_cores }
    }
}
