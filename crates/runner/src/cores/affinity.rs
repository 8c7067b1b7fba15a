//! CPU affinity of threads: the cores on which they may run.

use std::fs;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Logical cores on which the calling thread may run.
pub(super) fn allowed() -> impl Iterator<Item = usize> {
    let allowed = sched_getaffinity(None).unwrap_or_default();
    (0..CpuSet::MAX_CPU).filter(move |&core| allowed.is_set(core))
}

/// Moves the calling thread, and threads that it will start, to these cores.
pub fn move_to(cores: &[usize]) {
    // If this is refused, threads keep their affinity.
    let _ = sched_setaffinity(None, &set_of(cores));
}

/// Moves every thread of this process, and threads that they will start, to these cores.
pub(crate) fn move_all_to(cores: &[usize]) {
    let set = set_of(cores);
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return move_to(cores) };
    threads
        .filter_map(|thread| thread.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
        // A thread that has just ended needs no core.
        .for_each(|thread| sched_setaffinity(Some(thread), &set).unwrap_or_default());
}

fn set_of(cores: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &core in cores {
        set.set(core);
    }
    set
}
