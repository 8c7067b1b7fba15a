//! Machine load before games begin.
//!
//! The kernel's pressure stall information is the share of time in which something was ready to run
//! and had no core. The load average is the fallback. Neither is useful during games, because a bot
//! and its lane take turns on a core. During games, each bot's wait for a core is measured and
//! recorded instead.

use std::fs;
use std::time::{Duration, Instant};

use pitmaster_core::MachineLoad;

/// Environment variable with a file to read instead of the kernel's, for tests.
const FILE: &str = "PITMASTER_PRESSURE";

const PRESSURE: &str = "/proc/pressure/cpu";

/// Time over which the current load is measured.
const MOMENT: Duration = Duration::from_millis(100);

/// Current load of this machine.
pub fn machine_load() -> MachineLoad {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (stalled, load) = match std::env::var_os(FILE) {
        Some(file) => (stalled(&fs::read_to_string(file).unwrap_or_default()), None),
        None => (stalled_now(), load(&read("/proc/loadavg"))),
    };
    MachineLoad { stalled, load, cores }
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Kernel load of the last ten seconds, or the current load if that is lower, for example just
/// after another run.
fn stalled_now() -> Option<f64> {
    let (before, began) = (read(PRESSURE), Instant::now());
    let lately = stalled(&before)?;
    if !MachineLoad::is_much_stalled(lately) {
        return Some(lately);
    }
    std::thread::sleep(MOMENT);
    let since = stall_time(&read(PRESSURE))?.saturating_sub(stall_time(&before)?);
    Some(lately.min(since.as_secs_f64() / began.elapsed().as_secs_f64() * 100.0))
}

/// Parses `/proc/pressure/cpu`: `some avg10=1.23 avg60=…`.
fn stalled(pressure: &str) -> Option<f64> {
    some(pressure, "avg10=")?.parse().ok()
}

/// Total stall time since boot, from `total=` in microseconds.
fn stall_time(pressure: &str) -> Option<Duration> {
    some(pressure, "total=")?.parse().ok().map(Duration::from_micros)
}

/// Value of a key in the `some` line.
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
}
