//! Termination of process trees that may grow meanwhile: all processes are stopped before any is
//! killed, until a scan finds none.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use super::Swept;

/// Time limit. Only unkillable processes and fork bombs take this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends and reaps the processes that a scan finds, with their descendants. A descendant whose
/// parent dies becomes a child of this process, so the next scan finds it.
pub(super) fn end_all(look: impl Fn() -> Vec<Pid>) -> Swept {
    let start = Instant::now();
    let (mut found, mut pause) = (BTreeSet::new(), Duration::from_micros(50));
    while start.elapsed() < PATIENCE {
        // The list of children may be incomplete while processes die, so it must be empty twice.
        let orphans = Some(look()).filter(|orphans| !orphans.is_empty()).unwrap_or_else(&look);
        if orphans.is_empty() {
            return Swept { alive: found.len(), is_complete: true };
        }
        let family = stop_family(&orphans, start);
        found.extend(family.iter().copied().filter(|&pid| lives(pid)).map(Pid::as_raw_nonzero));
        for &pid in &family {
            let _ = kill_process(pid, Signal::KILL);
        }
        // Does not block: a process may wait for another to be reaped, or be unkillable.
        if family.iter().filter(|&&pid| is_reaped(pid)).count() == 0 {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
    Swept { alive: found.len(), is_complete: look().is_empty() }
}

/// Stops processes and their descendants until a scan finds no new ones.
fn stop_family(orphans: &[Pid], start: Instant) -> Vec<Pid> {
    let mut family = orphans.to_vec();
    let mut stopped = 0;
    loop {
        for &pid in &family[stopped..] {
            let _ = kill_process(pid, Signal::STOP);
        }
        stopped = family.len();
        let children = family.iter().flat_map(|&pid| children_of(pid.as_raw_nonzero()));
        let new: Vec<_> = children.filter(|pid| !family.contains(pid)).collect();
        if new.is_empty() || start.elapsed() >= PATIENCE {
            return family;
        }
        family.extend(new);
    }
}

/// Children of all threads of a process, dead or alive.
pub fn children_of(process: impl std::fmt::Display) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let numbers = |list: String| {
        list.split_whitespace()
            .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
            .collect::<Vec<_>>()
    };
    lists.flat_map(numbers).collect()
}

/// Reaps a child that has ended. Processes with another parent are left to it.
fn is_reaped(pid: Pid) -> bool {
    matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)))
}

/// Whether a process exists and is not a zombie.
pub(super) fn lives(pid: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok();
    let state = stat.as_ref().and_then(|stat| Some(stat.rsplit_once(") ")?.1));
    state.is_some_and(|state| !state.starts_with('Z'))
}
