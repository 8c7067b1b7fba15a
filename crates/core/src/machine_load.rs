//! Load of a machine before games begin.

use serde::{Deserialize, Serialize};

/// More stalling than this is worth a warning, in percent.
const MUCH_STALLED: f64 = 20.0;

/// The same for the load, per core.
const MUCH_LOAD: f64 = 0.75;

/// How busy a machine is with other programs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct MachineLoad {
    /// Percentage of the time in which something was ready to run and had no core, over the last
    /// ten seconds or a moment now, whichever is less; `None`: the kernel does not say.
    pub stalled: Option<f64>,
    /// Processes that ran or were ready to, averaged over the last minute; `None`: unknown.
    pub load: Option<f64>,
    /// Cores that Pitmaster may use.
    pub cores: usize,
}

impl MachineLoad {
    /// Whether so much stalling makes times unsure.
    pub fn is_much_stalled(stalled: f64) -> bool {
        stalled >= MUCH_STALLED
    }

    /// Whether the load makes times unsure.
    pub fn is_much(&self) -> bool {
        match (self.stalled, self.load) {
            (Some(stalled), _) => Self::is_much_stalled(stalled),
            (None, Some(load)) => load >= MUCH_LOAD * self.cores as f64,
            (None, None) => false,
        }
    }

    /// A warning for people, if the machine is busy.
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
