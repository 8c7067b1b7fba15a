//! Rules about system calls: their subjects, and the selection for a machine and a process.
//!
//! Must not depend on how a filter is compiled or by whom rules are read.

use super::condition::Case;
use super::refused::{REFUSED, WATCHED};
use super::syscall_numbers::Machine;
use super::{Refusal, Rules};
use crate::audit::Class;

/// Subjects of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whom {
    Everyone,
    /// Players, not builds.
    Players,
    /// Builds, not players.
    Builders,
    /// Builds without a supervisor, which would make the call itself if permitted.
    Unsupervised,
    /// Bots that may only be one process.
    OneProcess,
    /// Bots that may start processes.
    Starters,
    /// All, if Landlock does not support truncation.
    NoLandlockTruncate,
}

/// Calls refused for the same reason.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) class: Class,
    pub(crate) whom: Whom,
    pub(crate) case: Case,
    /// Error of a refused call. `ENOSYS` imitates an older kernel, so that programs use a fallback.
    /// With 0, the call does nothing and reports success.
    pub(crate) errno: i32,
    pub(crate) why: &'static str,
    pub(crate) calls: &'static [&'static str],
}

impl Group {
    /// Whether a refusal is evidence about a program. It is not if the program uses a fallback or
    /// does not notice.
    pub(crate) fn is_evidence(&self) -> bool {
        self.errno != libc::ENOSYS && self.errno != 0
    }

    /// Whether a supervisor decides, if there is one.
    pub(crate) fn is_supervised(&self) -> bool {
        self.whom == Whom::Unsupervised
    }

    /// Whether it applies under these rules.
    pub(super) fn holds_for(&self, rules: Rules) -> bool {
        let starts_processes = rules.processes || rules.building;
        match self.whom {
            Whom::Everyone => true,
            Whom::Players => !rules.building,
            Whom::Builders | Whom::Unsupervised => rules.building,
            Whom::OneProcess => !starts_processes,
            Whom::Starters => starts_processes,
            Whom::NoLandlockTruncate => rules.truncation,
        }
    }
}

/// A call that is refused in some cases or watched.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) number: u32,
    /// Groups that may refuse it; the first matching one does. Empty if it is only watched.
    pub(crate) groups: Vec<&'static Group>,
}

impl Call {
    /// The group that refuses it with these arguments.
    pub(crate) fn refused_by(&self, arguments: &[u64; 6], own_pid: u32) -> Option<&'static Group> {
        let refuses = |group: &&&Group| group.case.refuses(arguments, own_pid);
        self.groups.iter().find(refuses).copied()
    }

    /// Whether an audit watches it even if it is not refused.
    pub(crate) fn is_watched(&self) -> bool {
        WATCHED.contains(&self.name)
    }
}

/// Calls that are refused or watched under these rules on an architecture.
pub(crate) fn calls(machine: Machine, rules: Rules) -> Vec<Call> {
    let mut calls = of_groups(machine, REFUSED.iter().filter(|group| group.holds_for(rules)));
    if rules.refusal == Refusal::Notify {
        for name in WATCHED {
            call(&mut calls, machine, name);
        }
    }
    calls
}

/// Calls of these groups that exist on an architecture.
pub(super) fn of_groups(
    machine: Machine,
    groups: impl Iterator<Item = &'static Group>,
) -> Vec<Call> {
    let mut calls = Vec::new();
    for group in groups {
        for name in group.calls {
            if let Some(call) = call(&mut calls, machine, name) {
                call.groups.push(group);
            }
        }
    }
    calls
}

/// Finds the call of that name, or adds it.
fn call<'c>(
    calls: &'c mut Vec<Call>,
    machine: Machine,
    name: &'static str,
) -> Option<&'c mut Call> {
    let number = machine.number(name)?;
    let at = calls.iter().position(|call| call.number == number).unwrap_or(calls.len());
    if at == calls.len() {
        calls.push(Call { name, number, groups: Vec::new() });
    }
    calls.get_mut(at)
}
