//! How busy the machine is before games begin: what else wants its cores.
//!
//! The kernel's pressure stall information tells which part of the time something was ready to run
//! and had no core. Where it is missing, the load average has to do. While games are
//! played neither tells more than that games are played: a bot and its lane take turns on a core.
//! What bots wait then is measured for each of them, and stands in their records.

use std::fs;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Names another file than the kernel's, for tests.
const FILE: &str = "PITMASTER_PRESSURE";

const PRESSURE: &str = "/proc/pressure/cpu";

/// More stalling than this is worth a warning, in percent.
const MUCH_STALLED: f64 = 20.0;

/// The same of the load, for each core.
const MUCH_LOAD: f64 = 0.75;

/// How long it takes to see what is going on now.
const MOMENT: Duration = Duration::from_millis(100);

/// How busy the machine is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    /// In how many percent of the time something was ready to run and had no core, of the last ten
    /// seconds or of a moment now, whichever is less; `None`: the kernel does not say.
    pub stalled: Option<f64>,
    /// How many processes ran or were ready to, on the average of the last minute; `None`: that is
    /// not known.
    pub load: Option<f64>,
    /// How many cores this process may use.
    pub cores: usize,
}

impl Busy {
    /// Looks at this machine.
    pub fn now() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (stalled, load) = match std::env::var_os(FILE) {
            Some(file) => (stalled(&fs::read_to_string(file).unwrap_or_default()), None),
            None => (stalled_now(), load(&read("/proc/loadavg"))),
        };
        Self { stalled, load, cores }
    }

    /// Whether times are unsure by it.
    pub fn is_much(&self) -> bool {
        match (self.stalled, self.load) {
            (Some(stalled), _) => stalled >= MUCH_STALLED,
            (None, Some(load)) => load >= MUCH_LOAD * self.cores as f64,
            (None, None) => false,
        }
    }

    /// A sentence for people, if the machine is busy.
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

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// What the kernel says of the last ten seconds. Much of that may be over, the games of a run that
/// has just ended, say: then what is going on now counts, if it is less.
fn stalled_now() -> Option<f64> {
    let (before, began) = (read(PRESSURE), Instant::now());
    let lately = stalled(&before)?;
    if lately < MUCH_STALLED {
        return Some(lately);
    }
    std::thread::sleep(MOMENT);
    let since = stall_time(&read(PRESSURE))?.saturating_sub(stall_time(&before)?);
    Some(lately.min(since.as_secs_f64() / began.elapsed().as_secs_f64() * 100.0))
}

/// From `/proc/pressure/cpu`: `some avg10=1.23 avg60=…`.
fn stalled(pressure: &str) -> Option<f64> {
    some(pressure, "avg10=")?.parse().ok()
}

/// How long something waited since the machine was started, from `total=`, in microseconds.
fn stall_time(pressure: &str) -> Option<Duration> {
    some(pressure, "total=")?.parse().ok().map(Duration::from_micros)
}

/// What stands behind a word in the line of those where something waited, not everything.
fn some<'p>(pressure: &'p str, word: &str) -> Option<&'p str> {
    let some = pressure.lines().find_map(|line| line.strip_prefix("some "))?;
    some.split(' ').find_map(|found| found.strip_prefix(word))
}

fn load(loadavg: &str) -> Option<f64> {
    loadavg.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_files_are_read() {
        let text = "some avg10=12.50 avg60=1.00 avg300=0.10 total=99\nfull avg10=0.00 avg60=0.00\n";
        assert_eq!(stalled(text), Some(12.5));
        assert_eq!((stalled(""), stalled("some total=1")), (None, None));
        assert_eq!(stall_time(text), Some(Duration::from_micros(99)));
        assert_eq!(stall_time("some avg10=12.50"), None);
        assert_eq!((load("3.10 0.2 0.3 1/2 3\n"), load("")), (Some(3.1), None));
    }

    #[test]
    fn stalling_counts_before_load() {
        let warning = |stalled, load| Busy { stalled, load, cores: 4 }.warning();
        assert_eq!(warning(Some(19.0), Some(20.0)), None);
        assert_eq!((warning(None, Some(2.9)), warning(None, None)), (None, None));
        insta::assert_snapshot!(warning(Some(61.3), Some(5.0)).unwrap(), @"warning: the machine is busy (in 61 % of the time something waits for a core; load 5.0 on 4 cores): times are unsure; end other programs, or wait");
        insta::assert_snapshot!(warning(None, Some(3.0)).unwrap(), @"warning: the machine is busy (load 3.0 on 4 cores): times are unsure; end other programs, or wait");
    }
}
