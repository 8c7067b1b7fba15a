//! The flags that say on which cores games are played.

use pitmaster_core::MachineLoad;
use pitmaster_runner::{self as runner, CoreList, Layout, Wish};

use super::Failure;

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

    /// Reserves them, waiting for them if need be; what is not as it should be is said. Builds that
    /// follow stay off the cores of others.
    ///
    /// # Errors
    /// A core that is named cannot be used.
    pub(super) fn reserve(
        &self,
        lanes: Option<u16>,
        say: &dyn Fn(&str),
    ) -> Result<Layout, Failure> {
        let layout = runner::reserve(&self.wish(lanes), say);
        let layout = layout.map_err(|fault| Failure::wrong(fault.to_string()))?;
        layout.stay_within();
        Ok(layout)
    }

    /// One core, for a single game at a time, and how busy the machine is, which is said if it is
    /// much.
    ///
    /// # Errors
    /// The same.
    pub(super) fn reserve_one(&self, say: &dyn Fn(&str)) -> Result<(Layout, MachineLoad), Failure> {
        let busy = pitmaster_runner::machine_load();
        if let Some(warning) = busy.warning() {
            say(&warning);
        }
        Ok((self.reserve(Some(1), say)?, busy))
    }

    /// The same flags for another process.
    #[cfg(feature = "cluster")]
    pub(super) fn words(&self) -> Vec<String> {
        let list = |cores: &CoreList| {
            let list: Vec<_> = cores.0.iter().map(ToString::to_string).collect();
            format!("--cores={}", list.join(","))
        };
        let share = self.share_cores.then(|| "--share-cores".to_owned());
        self.cores.iter().map(list).chain(share).collect()
    }
}
