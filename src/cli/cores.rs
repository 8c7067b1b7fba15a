//! The flags that say on which cores games are played.

use pitmaster_runner::{CoreList, Wish};

/// On which cores games are played.
#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct CoreFlags {
    /// Cores to play on, as 1,4-6 [default: the last ones that no other Pitmaster plays on]
    #[arg(long, value_name = "LIST")]
    cores: Option<CoreList>,
    /// Play on cores that another Pitmaster has reserved, if no others are free; the results tell
    #[arg(long)]
    share_cores: bool,
}

impl CoreFlags {
    /// What is wanted, for so many games at once.
    pub(super) fn wish(&self, lanes: Option<u16>) -> Wish {
        let lanes = lanes.map(usize::from);
        Wish { lanes, cores: self.cores.clone(), share: self.share_cores }
    }
}
