//! Stolen time: how long the host of a virtual machine ran something else on each core.

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

/// Whether this may be a virtual machine. Elsewhere nothing is stolen, and `/proc/stat` of a large
/// machine takes long to read.
static IS_VIRTUAL: LazyLock<bool> = LazyLock::new(|| {
    let info = fs::read("/proc/cpuinfo").unwrap_or_default();
    let mut words = info.split(u8::is_ascii_whitespace);
    words.any(|word| word == b"hypervisor") || read().iter().any(|stolen| !stolen.is_zero())
});

/// Time stolen from each core since the start, by its number, in ticks of the kernel (10 ms on most
/// machines). Empty if this is no virtual machine or the kernel does not tell.
pub(super) fn of_cores() -> Vec<Duration> {
    if *IS_VIRTUAL { read() } else { Vec::new() }
}

fn read() -> Vec<Duration> {
    let tick = Duration::from_secs(1)
        / u32::try_from(rustix::param::clock_ticks_per_second()).unwrap_or(100);
    fs::read_to_string("/proc/stat").map_or_else(|_| Vec::new(), |stat| parse(&stat, tick))
}

/// Parses `/proc/stat`. Cores that are switched off are missing there.
fn parse(stat: &str, tick: Duration) -> Vec<Duration> {
    let mut stolen = Vec::new();
    for line in stat.lines() {
        let Some(rest) = line.strip_prefix("cpu") else { break };
        let mut words = rest.split(' ');
        // The first line is the sum.
        let Some(Ok(core)) = words.next().map(str::parse::<usize>) else { continue };
        let ticks = words.nth(7).and_then(|ticks| ticks.parse().ok());
        stolen.resize(stolen.len().max(core + 1), Duration::ZERO);
        stolen[core] = tick * ticks.unwrap_or(0);
    }
    stolen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eighth_number_of_each_core_is_stolen() {
        let stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 4 5 6 7 12 0 0\ncpu3 1 2 3 4 5 6 7 8 0 0\n\
                    intr 1 2 3 4 5 6 7 8 9\n";
        let ticks = parse(stat, Duration::from_millis(10)).into_iter().map(|it| it.as_millis());
        assert_eq!(ticks.collect::<Vec<_>>(), [120, 0, 0, 80]);
        assert_eq!(parse("", Duration::from_millis(10)), []);
        assert_eq!(parse("cpu0 1 2 3\n", Duration::from_millis(10)), [Duration::ZERO]);
    }

    #[test]
    fn this_machine_counts_each_of_its_cores() {
        let online = std::thread::available_parallelism().expect("a number").get();
        assert!(read().len() >= online, "{:?}", read());
    }
}
