//! Rules about system calls: whom they are for, and which of them a machine and a process have.
//!
//! It must not know how a filter is made of them, or who reads them.

use super::condition::Case;
use super::refused::{REFUSED, WATCHED};
use super::syscall_numbers::Machine;
use super::{Refusal, Rules};
use crate::audit::Class;

/// For whom calls are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whom {
    Everyone,
    /// Who plays, not who builds a bot.
    Players,
    /// Who builds a bot, not who plays.
    Builders,
    /// Who builds a bot and has no supervisor, who makes the call itself where that is right.
    Unsupervised,
    /// Who may only be one process.
    OneProcess,
    /// Who may start processes.
    Starters,
    /// Everyone where Landlock does not know truncation.
    NoLandlockTruncate,
}

/// Calls that are refused for one reason.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) class: Class,
    pub(crate) whom: Whom,
    pub(crate) case: Case,
    /// What a refused call fails with. `ENOSYS` is an older kernel's answer, after which
    /// programs try another way. 0 is no error: the call does nothing and says that it did.
    pub(crate) errno: i32,
    pub(crate) why: &'static str,
    pub(crate) calls: &'static [&'static str],
}

impl Group {
    /// Whether a refusal tells anything about a program. Where it finds another way, or
    /// notices nothing, it does not.
    pub(crate) fn is_worth_telling(&self) -> bool {
        self.errno != libc::ENOSYS && self.errno != 0
    }

    /// Whether a supervisor is asked where there is one.
    pub(crate) fn is_supervised(&self) -> bool {
        self.whom == Whom::Unsupervised
    }

    /// Whether it holds for somebody.
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

/// A call that is refused in some cases, or watched.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) number: u32,
    /// What may refuse it: the first whose case holds does. None: it is only watched.
    pub(crate) groups: Vec<&'static Group>,
}

impl Call {
    /// What refuses it with these arguments.
    pub(crate) fn refused_by(&self, arguments: &[u64; 6], own_pid: u32) -> Option<&'static Group> {
        let refuses = |group: &&&Group| group.case.refuses(arguments, own_pid);
        self.groups.iter().find(refuses).copied()
    }

    /// Whether an audit looks at it although it may not be refused.
    pub(crate) fn is_watched(&self) -> bool {
        WATCHED.contains(&self.name)
    }
}

/// What is refused by rules, and watched, on a kind of machine.
pub(crate) fn calls(machine: Machine, rules: Rules) -> Vec<Call> {
    let mut calls = of_groups(machine, REFUSED.iter().filter(|group| group.holds_for(rules)));
    if rules.refusal == Refusal::Notify {
        for name in WATCHED {
            call(&mut calls, machine, name);
        }
    }
    calls
}

/// The calls of some groups, as far as a kind of machine has them.
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

/// The call of that name, which is added if it is not there yet.
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
