//! Machine load before games begin.

use serde::{Deserialize, Serialize};

/// Stalling above which a warning is shown, in percent.
const MUCH_STALLED: f64 = 20.0;

/// Load per core above which a warning is shown.
const MUCH_LOAD: f64 = 0.75;

/// Load that other programs put on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MachineLoad {
    /// Percentage of time during which a task was ready to run but had no core: the lower of the
    /// last ten seconds and a short measurement now. `None` if the kernel does not report it.
    pub stalled: Option<f64>,
    /// Average number of running or runnable processes over the last minute; `None` if unknown.
    pub load: Option<f64>,
    /// Number of cores that Pitmaster may use.
    pub cores: usize,
}

impl MachineLoad {
    /// Whether this stalling makes measured times unreliable.
    pub fn is_much_stalled(stalled: f64) -> bool {
        stalled >= MUCH_STALLED
    }

    /// Whether the load makes measured times unreliable.
    pub fn is_much(&self) -> bool {
        match (self.stalled, self.load) {
            (Some(stalled), _) => Self::is_much_stalled(stalled),
            (None, Some(load)) => load >= MUCH_LOAD * self.cores as f64,
            (None, None) => false,
        }
    }

    /// Returns a warning for people if the machine is busy.
    pub fn warning(&self) -> Option<String> {
        let Self { stalled, load, cores } = self;
        let load = load.map(|load| format!("load {load:.1} on {cores} cores"));
        let stalled = stalled
            .map(|stalled| format!("in {stalled:.0} % of the time something waits for a core"));
        let facts: Vec<_> = stalled.into_iter().chain(load).collect();
        self.is_much().then(|| {
            format!(
                "warning: the machine is busy ({}): times are unsure; end other programs, or wait",
                facts.join("; ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalling_counts_before_load() {
        let warning = |stalled, load| MachineLoad { stalled, load, cores: 4 }.warning();
        assert_eq!(warning(Some(19.0), Some(20.0)), None);
        assert_eq!((warning(None, Some(2.9)), warning(None, None)), (None, None));
        insta::assert_snapshot!(warning(Some(61.3), Some(5.0)).unwrap(), @"warning: the machine is busy (in 61 % of the time something waits for a core; load 5.0 on 4 cores): times are unsure; end other programs, or wait");
        insta::assert_snapshot!(warning(None, Some(3.0)).unwrap(), @"warning: the machine is busy (load 3.0 on 4 cores): times are unsure; end other programs, or wait");
    }
}
