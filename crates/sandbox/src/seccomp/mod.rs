//! Seccomp filter: the system calls that a bot's process may make.
//!
//! Pure: it compiles a table into instructions and makes no system calls itself. Must not depend on
//! how a process is started or on who installs the filter.

mod bpf;
mod condition;
mod container;
#[cfg(test)]
mod page;
mod refused;
mod rules;
mod syscall_numbers;
#[cfg(test)]
mod tests;

use libc::sock_filter;

use bpf::{Decision, assemble};
pub(crate) use container::container;
pub(crate) use rules::{Call, Group, calls};
pub(crate) use syscall_numbers::Machine;

/// Differences between filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Whether the process may start processes and signal them. Landlock, a separate user or a
    /// namespace then protects others from its signals.
    pub(crate) processes: bool,
    /// Whether the process builds a bot, and so may also change modes and times of its own files,
    /// lock them and share memory.
    pub(crate) building: bool,
    /// Whether to prevent truncation of files that are not open for writing, because Landlock below
    /// version 3 does not.
    pub(crate) truncation: bool,
    /// Handling of a refused call.
    pub(crate) refusal: Refusal,
}

/// Handling of a refused call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The call fails.
    Errno,
    /// The holder of the listener answers, and may count the call. Calls with a path are watched
    /// too and continue.
    Notify,
    /// The call fails, except that the holder of the listener makes those calls instead that a
    /// build may make on its own files.
    Supervise,
}

/// A filter, ready to be installed once the process's own id is in it.
#[derive(Debug, Clone)]
pub(crate) struct Filter {
    instructions: Vec<sock_filter>,
    own_pid: Vec<usize>,
}

impl Filter {
    /// Filter for processes of this machine.
    pub(crate) fn new(rules: Rules) -> Self {
        Self::on(Machine::HERE, rules)
    }

    /// Filter for processes of an architecture.
    fn on(machine: Machine, rules: Rules) -> Self {
        Self::refusing(machine, &calls(machine, rules), rules.refusal)
    }

    fn refusing(machine: Machine, calls: &[Call], refusal: Refusal) -> Self {
        let rows = calls.iter().map(|call| (call.number, decision(call, refusal))).collect();
        // Calls newer than the table are unknown, so they fail as on an older kernel. This range
        // includes the x32 numbers of x86-64.
        assemble(machine, rows, syscall_numbers::NEWEST, fails_with(libc::ENOSYS))
    }

    /// Allows the process to signal itself. It allocates nothing, so it may run between fork and
    /// exec.
    pub(crate) fn set_own_pid(&mut self, pid: u32) {
        for &at in &self.own_pid {
            self.instructions[at].k = pid;
        }
    }

    /// Instructions for the kernel.
    pub(crate) fn instructions(&self) -> &[sock_filter] {
        &self.instructions
    }
}

/// Action of the filter for a call.
fn decision(call: &Call, refusal: Refusal) -> Decision {
    let is_asked = |group: &Group| match refusal {
        Refusal::Errno => false,
        Refusal::Notify => group.is_evidence(),
        Refusal::Supervise => group.is_supervised(),
    };
    let result = |group: &Group| {
        if is_asked(group) { libc::SECCOMP_RET_USER_NOTIF } else { fails_with(group.errno) }
    };
    let is_watched = refusal == Refusal::Notify && call.is_watched();
    Decision {
        refused: call.groups.iter().map(|group| (group.case, result(group))).collect(),
        otherwise: if is_watched { libc::SECCOMP_RET_USER_NOTIF } else { libc::SECCOMP_RET_ALLOW },
    }
}

fn fails_with(errno: i32) -> u32 {
    libc::SECCOMP_RET_ERRNO | errno.cast_unsigned()
}
