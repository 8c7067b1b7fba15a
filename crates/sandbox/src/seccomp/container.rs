//! Default seccomp rules of a container, so that tests can simulate one on an unrestricted machine.
//!
//! Must not depend on what Pitmaster refuses to bots.

use super::condition::Word::Is;
use super::condition::{Case, masked};
use super::rules::{Group, Whom, of_groups};
use super::{Filter, Machine, Refusal};
use crate::audit::Class;

/// Flags of `clone` that create namespaces.
const NAMESPACES: u32 = 0x7E02_0000;

const REFUSED: &[Group] = &[
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::EPERM,
        why: "needs privileges that a container does not have",
        calls: &[
            "add_key",
            "bpf",
            "fsconfig",
            "fsmount",
            "fsopen",
            "fspick",
            "io_uring_enter",
            "io_uring_register",
            "io_uring_setup",
            "keyctl",
            "mount",
            "mount_setattr",
            "move_mount",
            "open_tree",
            "open_tree_attr",
            "perf_event_open",
            "pivot_root",
            "request_key",
            "setns",
            "umount2",
            "unshare",
            "userfaultfd",
        ],
    },
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::Always,
        errno: libc::ENOSYS,
        why: "its flags cannot be seen",
        calls: &["clone3"],
    },
    Group {
        class: Class::Kernel,
        whom: Whom::Everyone,
        case: Case::Unless(&[masked(0, NAMESPACES, &[Is(0)])]),
        errno: libc::EPERM,
        why: "namespaces need privileges that a container does not have",
        calls: &["clone"],
    },
];

/// Filter with the default rules of a container.
pub(crate) fn container() -> Filter {
    let here = Machine::HERE;
    Filter::refusing(here, &of_groups(here, REFUSED.iter()), Refusal::Errno)
}
