//! Resource limits (`rlimit`) that the kernel enforces for a process.

use pitmaster_core::Resources;

use crate::orphans;
use crate::sys::ResourceLimit;

/// Maximum number of open files. Virtual machines open dozens.
const DESCRIPTORS: u64 = 256;

/// Maximum stack size of a main thread, in bytes.
const STACK: u64 = 64 << 20;

/// Limits of a bot's process. Its user has no other processes if `is_apart`.
pub(crate) fn limits(resources: &Resources, is_apart: bool) -> Vec<ResourceLimit> {
    let fixed = |resource, limit| ResourceLimit { resource, soft: limit, hard: limit };
    let mut limits = vec![
        fixed(libc::RLIMIT_CORE, 0),
        fixed(libc::RLIMIT_FSIZE, file_size(resources)),
        fixed(libc::RLIMIT_NOFILE, DESCRIPTORS),
        fixed(libc::RLIMIT_DATA, resources.memory),
        ResourceLimit { resource: libc::RLIMIT_STACK, soft: 8 << 20, hard: STACK },
        fixed(libc::RLIMIT_MSGQUEUE, 0),
        fixed(libc::RLIMIT_MEMLOCK, 0),
        fixed(libc::RLIMIT_RTTIME, orphans::tag_of(orphans::run_name())),
    ];
    if !resources.processes {
        limits.push(fixed(libc::RLIMIT_AS, addresses(resources)));
    }
    if let Some(seconds) = cpu_seconds(resources, std::time::Duration::ZERO) {
        // The hard limit stays unlimited, because a process gets more time with each game.
        let (soft, hard) = (seconds, libc::RLIM_INFINITY);
        limits.push(ResourceLimit { resource: libc::RLIMIT_CPU, soft, hard });
    }
    if is_apart && !resources.processes {
        limits.push(fixed(libc::RLIMIT_NPROC, resources.threads.into()));
    }
    limits
}

/// Limits of a build's process. Its user has no other processes if `is_apart`.
pub(crate) fn of_builds(resources: &Resources, is_apart: bool) -> Vec<ResourceLimit> {
    let mut all = limits(resources, false);
    if is_apart {
        let (soft, hard) = (resources.threads.into(), resources.threads.into());
        all.push(ResourceLimit { resource: libc::RLIMIT_NPROC, soft, hard });
    }
    all
}

/// Address space of a bot in bytes, in addition to a multiple of its memory. Virtual machines
/// reserve tens of gigabytes and use little. But page tables, which are not counted as memory, take
/// a 512th of it: 256 MiB in total.
const ADDRESSES: u64 = 128 << 30;

fn addresses(resources: &Resources) -> u64 {
    resources.memory.saturating_mul(8).saturating_add(ADDRESSES)
}

/// Maximum file size: all of the scratch space.
fn file_size(resources: &Resources) -> u64 {
    match resources.scratch {
        0 => resources.file_size,
        scratch => resources.file_size.min(scratch),
    }
}

/// CPU time at which the kernel signals a process that has used this much so far, in whole seconds.
/// Late enough for the referee to react first.
pub(crate) fn cpu_seconds(resources: &Resources, used: std::time::Duration) -> Option<u64> {
    resources.cpu.map(|limit| (used + limit).as_secs() + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn bounds_follow_the_resources() {
        let resources = Resources {
            memory: 7 << 20,
            file_size: 5,
            threads: 3,
            cpu: Some(Duration::from_millis(1500)),
            ..Resources::default()
        };
        let of = |resource, is_apart| {
            let limits = limits(&resources, is_apart);
            limits.iter().find(|limit| limit.resource == resource).map(|limit| limit.soft)
        };
        assert_eq!(of(libc::RLIMIT_DATA, false), Some(7 << 20));
        assert_eq!(of(libc::RLIMIT_FSIZE, false), Some(5));
        assert_eq!(of(libc::RLIMIT_AS, false), Some((128 << 30) + (56 << 20)));
        assert_eq!(of(libc::RLIMIT_CPU, false), Some(3));
        assert_eq!((of(libc::RLIMIT_NPROC, false), of(libc::RLIMIT_NPROC, true)), (None, Some(3)));
        assert_eq!(cpu_seconds(&resources, Duration::from_secs(100)), Some(103));
        let unbounded = Resources { cpu: None, ..resources };
        assert_eq!(cpu_seconds(&unbounded, Duration::ZERO), None);
    }
}
