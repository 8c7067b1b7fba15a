//! Tests that interpret the filter for every call number and compare it with its table. Tests of
//! the kernel's own behavior are next to the installation.

use proptest::prelude::*;

use super::bpf::{Decision, assemble};
use super::condition::{Case, Word, is, masked, upper_is_zero};
use super::refused::{REFUSED, WATCHED};
use super::rules::{Call, calls};
use super::syscall_numbers::{Machine, NEWEST};
use super::{Filter, Refusal, Rules, container};

const MACHINES: [Machine; 2] = [Machine::X86_64, Machine::Aarch64];
const OWN_PID: u32 = 4321;
const PLAYER: Rules =
    Rules { processes: false, building: false, truncation: false, refusal: Refusal::Errno };

const EPERM: u32 = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
const ENOSYS: u32 = libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32;
const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
const ASK: u32 = libc::SECCOMP_RET_USER_NOTIF;
const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

/// Verdict of a filter on a call, and the number of executed instructions.
fn run(filter: &Filter, arch: u32, number: u32, arguments: &[u64; 6]) -> (u32, usize) {
    let load = |offset: u32| match offset {
        0 => number,
        4 => arch,
        offset => {
            let (argument, within) = ((offset as usize - 16) / 8, (offset - 16) % 8);
            (arguments[argument] >> (8 * within)) as u32
        }
    };
    let (mut at, mut accumulator, mut steps) = (0, 0, 0);
    loop {
        let instruction = filter.instructions()[at];
        (at, steps) = (at + 1, steps + 1);
        let branch = |holds| usize::from(if holds { instruction.jt } else { instruction.jf });
        match u32::from(instruction.code) {
            0x20 => accumulator = load(instruction.k),
            0x54 => accumulator &= instruction.k,
            0x05 => at += instruction.k as usize,
            0x15 => at += branch(accumulator == instruction.k),
            0x35 => at += branch(accumulator >= instruction.k),
            0x06 => return (instruction.k, steps),
            code => panic!("no such instruction: {code:#x}"),
        }
    }
}

/// Expected verdict by the table.
fn expected(calls: &[Call], refusal: Refusal, number: u32, arguments: &[u64; 6]) -> u32 {
    if number > NEWEST {
        return ENOSYS;
    }
    let Some(call) = calls.iter().find(|call| call.number == number) else { return ALLOW };
    let is_audited = refusal == Refusal::Notify;
    match call.refused_by(arguments, OWN_PID) {
        Some(group) if is_audited && group.is_evidence() => ASK,
        Some(group) if refusal == Refusal::Supervise && group.is_supervised() => ASK,
        Some(group) => libc::SECCOMP_RET_ERRNO + group.errno.cast_unsigned(),
        None if is_audited && WATCHED.contains(&call.name) => ASK,
        None => ALLOW,
    }
}

fn all_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for refusal in [Refusal::Errno, Refusal::Notify, Refusal::Supervise] {
        for bits in 0..8 {
            all.push(Rules {
                processes: bits & 1 != 0,
                building: bits & 2 != 0,
                truncation: bits & 4 != 0,
                refusal,
            });
        }
    }
    all
}

fn filter(machine: Machine, rules: Rules) -> Filter {
    let mut filter = Filter::on(machine, rules);
    filter.set_own_pid(OWN_PID);
    filter
}

/// Values that conditions distinguish, and their neighbors.
const VALUES: [u64; 32] = [
    0,
    1,
    2,
    3,
    6,
    8,
    10,
    15,
    0x20,
    0x40,
    0x21,
    0x22,
    0x23,
    0x100,
    0x200,
    0x201,
    0x203,
    0x400,
    0x800,
    0xC40,
    0x40_0C00,
    OWN_PID as u64,
    OWN_PID as u64 + 1,
    0x5412,
    0x1_0000,
    0x8000,
    0x1001_0000,
    0x4_0000,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0x1_0000_0000,
    u64::MAX,
];

/// Each value as each argument, with all others 0.
fn patterns() -> Vec<[u64; 6]> {
    let mut patterns = Vec::new();
    for value in VALUES {
        for argument in 0..6 {
            let mut pattern = [0; 6];
            pattern[argument] = value;
            patterns.push(pattern);
        }
        patterns.push([value; 6]);
    }
    patterns
}

#[test]
fn every_number_is_decided_as_the_table_says() {
    let patterns = patterns();
    for machine in MACHINES {
        for rules in all_rules() {
            let (filter, calls) = (filter(machine, rules), calls(machine, rules));
            for number in (0..1024).chain([0x4000_0000, 0x4000_0039, u32::MAX]) {
                for pattern in &patterns {
                    let (found, _) = run(&filter, machine.audit_arch(), number, pattern);
                    let expected = expected(&calls, rules.refusal, number, pattern);
                    assert_eq!(found, expected, "{machine:?} {rules:?} {number} {pattern:x?}");
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn arguments_are_judged_as_the_table_says(
        which in any::<proptest::sample::Index>(),
        rules in prop::sample::select(all_rules()),
        machine in prop::sample::select(MACHINES.to_vec()),
        own in prop::sample::select(VALUES.to_vec()),
        arguments in prop::array::uniform6(prop_oneof![
            any::<u64>(),
            (0..0x1000_u64),
            prop::sample::select(VALUES.to_vec()),
        ]),
    ) {
        let calls = calls(machine, rules);
        let number = calls[which.index(calls.len())].number;
        for arguments in [arguments, [own; 6]] {
            let (found, _) = run(&filter(machine, rules), machine.audit_arch(), number, &arguments);
            prop_assert_eq!(found, expected(&calls, rules.refusal, number, &arguments));
        }
    }
}

#[test]
fn calls_of_another_machine_end_the_process() {
    let i386 = 0x4000_0003;
    let filter = filter(Machine::X86_64, PLAYER);
    for arch in [i386, Machine::Aarch64.audit_arch(), 0] {
        for number in 0..1024 {
            assert_eq!(run(&filter, arch, number, &[0; 6]).0, KILL);
        }
    }
}

/// Verdict on a call by name.
fn says(machine: Machine, rules: Rules, name: &str, arguments: &[u64]) -> u32 {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    let number = machine.number(name).expect("a call of this machine");
    run(&filter(machine, rules), machine.audit_arch(), number, &all).0
}

#[test]
fn a_player_has_threads_and_no_processes() {
    // Flags of a thread in glibc and musl, of a process in libraries, and of a thread in a new
    // namespace.
    let (thread, fork, vfork) = (0x003D_0F00, 0x0120_0011, 0x4111);
    let in_namespace = thread | libc::CLONE_NEWUSER as u64;
    let may = Rules { processes: true, ..PLAYER };
    for machine in MACHINES {
        let clone = |rules, flags: u64| says(machine, rules, "clone", &[flags]);
        assert_eq!(clone(PLAYER, thread), ALLOW);
        assert_eq!(clone(PLAYER, fork), EPERM);
        assert_eq!(clone(PLAYER, vfork), EPERM);
        assert_eq!(clone(PLAYER, in_namespace), EPERM);
        assert_eq!(clone(may, fork), ALLOW);
        assert_eq!(clone(may, vfork), ALLOW);
        assert_eq!(clone(may, fork | libc::CLONE_NEWPID as u64), EPERM);
        assert_eq!(clone(may, fork | libc::CLONE_PARENT as u64), EPERM);
        assert_eq!(says(machine, may, "clone3", &[]), ENOSYS);
    }
    assert_eq!(says(Machine::X86_64, PLAYER, "fork", &[]), EPERM);
    assert_eq!(says(Machine::X86_64, may, "vfork", &[]), ALLOW);
}

#[test]
fn a_player_signals_only_itself() {
    let own = u64::from(OWN_PID);
    for machine in MACHINES {
        for name in ["kill", "tgkill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
            let sent = |to| says(machine, PLAYER, name, &[to, 9]);
            assert_eq!(sent(own), ALLOW);
            for other in [0, 1, own + 1, u64::MAX, u64::from(own.wrapping_neg() as u32)] {
                assert_eq!(sent(other), EPERM, "{name} {other}");
            }
        }
        let unknown = Filter::on(machine, PLAYER);
        let kill = machine.number("kill").unwrap();
        for pid in [0, 1, own, u64::MAX] {
            assert_eq!(run(&unknown, machine.audit_arch(), kill, &[pid; 6]).0, EPERM);
        }
        let starter = Rules { processes: true, ..PLAYER };
        assert_eq!(says(machine, starter, "kill", &[own + 1, 9]), ALLOW);
        assert_eq!(says(machine, starter, "kill", &[u64::MAX, 9]), EPERM);
    }
}

#[test]
fn files_are_not_emptied_past_an_old_landlock() {
    let old = Rules { truncation: true, ..PLAYER };
    let openat = |flags: i32| says(Machine::HERE, old, "openat", &[0, 0, flags as u64]);
    assert_eq!(openat(libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC), ALLOW);
    assert_eq!(openat(libc::O_RDWR | libc::O_TRUNC), ALLOW);
    assert_eq!(openat(libc::O_RDONLY), ALLOW);
    assert_eq!(openat(libc::O_RDONLY | libc::O_TRUNC), EPERM);
    assert_eq!(openat(libc::O_ACCMODE | libc::O_TRUNC), EPERM);
    assert_eq!(says(Machine::HERE, old, "truncate", &[]), EPERM);
    assert_eq!(says(Machine::HERE, old, "openat2", &[]), ENOSYS);
    assert_eq!(says(Machine::HERE, PLAYER, "truncate", &[]), ALLOW);
}

#[test]
fn an_audit_is_asked_about_refusals_and_paths() {
    let audit = Rules { refusal: Refusal::Notify, truncation: true, ..PLAYER };
    let said = |name, arguments: &[u64]| says(Machine::HERE, audit, name, arguments);
    assert_eq!(said("socket", &[]), ASK);
    assert_eq!(said("openat", &[0, 0, 0]), ASK);
    assert_eq!(said("openat", &[0, 0, 0x200]), ASK);
    assert_eq!(said("clone3", &[]), ENOSYS);
    assert_eq!(said("fcntl", &[0, 1]), ALLOW);
    assert_eq!(said("fcntl", &[0, libc::F_SETOWN as u64]), ASK);
    assert_eq!(said("fcntl", &[0, libc::F_SETLK as u64]), libc::SECCOMP_RET_ERRNO);
}

#[test]
fn a_container_lets_threads_and_processes_start_and_no_namespaces() {
    let number = |name| Machine::HERE.number(name).unwrap();
    let said = |name, first| {
        run(&container::container(), Machine::HERE.audit_arch(), number(name), &[first; 6]).0
    };
    assert_eq!(said("clone", 0x003D_0F00), ALLOW);
    assert_eq!(said("clone", 0x0120_0011), ALLOW);
    assert_eq!(said("clone", 0x1000_0011), EPERM);
    assert_eq!(said("clone3", 0), ENOSYS);
    assert_eq!(said("unshare", 0x1000_0000), EPERM);
    assert_eq!(said("socket", 2), ALLOW);
}

#[test]
fn reasons_are_short_and_said() {
    for group in REFUSED {
        assert!((10..110).contains(&group.why.len()), "{}", group.why);
        assert!(!group.calls.is_empty() && group.calls.is_sorted(), "{:?}", group.calls);
    }
}

#[test]
fn jumps_reach_however_far_they_must() {
    const WORDS: &[Word] = &[Word::Is(5); 60];
    const CASE: Case =
        Case::Unless(&[is(0, WORDS), is(1, &[Word::OwnPid]), masked(2, 1, &[Word::Is(1)])]);
    let decision = Decision { refused: vec![(CASE, EPERM)], otherwise: ALLOW };
    let rows = (1..400).step_by(2).map(|number| (number, decision.clone())).collect();
    let mut filter = assemble(Machine::HERE, rows, 500, ENOSYS);
    filter.set_own_pid(OWN_PID);
    assert!(filter.instructions().len() > 10_000);
    let own = u64::from(OWN_PID);
    for number in 0..600 {
        for (arguments, holds) in [
            ([5, own, 1, 0, 0, 0], true),
            ([5, own, 2, 0, 0, 0], false),
            ([5, own + 1, 1, 0, 0, 0], false),
            ([6, own, 1, 0, 0, 0], false),
        ] {
            let expected = match number {
                _ if number > 500 => ENOSYS,
                _ if number < 400 && number % 2 == 1 && !holds => EPERM,
                _ => ALLOW,
            };
            let arch = Machine::HERE.audit_arch();
            assert_eq!(run(&filter, arch, number, &arguments).0, expected, "{number}");
        }
    }
}

#[test]
fn both_halves_of_an_argument_count_where_they_must() {
    const CASE: Case = Case::Unless(&[is(2, &[Word::Is(0)]), upper_is_zero(2)]);
    for (value, is_refused) in [(0, false), (1, true), (1 << 32, true), (1 << 63, true)] {
        assert_eq!(CASE.refuses(&[0, 0, value, 0, 0, 0], OWN_PID), is_refused);
    }
}

/// The kernel tries every call number at installation. For the sizes below, that takes 85 µs of the
/// 1 ms of a process start.
#[test]
fn the_filter_is_small_and_quick() {
    let found = MACHINES.map(|machine| {
        let filter = filter(machine, PLAYER);
        let steps = |number| run(&filter, machine.audit_arch(), number, &[0; 6]).1;
        let all: Vec<_> = (0..=NEWEST).map(steps).collect();
        (filter.instructions().len(), all.iter().sum::<usize>(), all.into_iter().max())
    });
    let known = [(400, 4753, 27), (353, 4828, 28)];
    let is_right = found.iter().zip(known).all(|(found, (size, steps, longest))| {
        found.0 <= size + 20 && found.1 <= steps + 200 && found.2 <= Some(longest + 2)
    });
    assert!(is_right, "{found:?}");
}

#[test]
fn only_its_own_clocks_are_read() {
    let calls = calls(Machine::HERE, PLAYER);
    let clock = calls.iter().find(|call| call.name == "clock_gettime").unwrap();
    let is_refused = |clock_id: i32| {
        clock.refused_by(&[clock_id.cast_unsigned().into(), 0, 0, 0, 0, 0], OWN_PID).is_some()
    };
    let of = |pid: i32, kind: i32| (!pid << 3) | kind;
    assert!([0, 1, 11, of(0, 2), of(0, 6), of(77, 6)].iter().all(|&one| !is_refused(one)));
    assert!([of(1, 2), of(77, 2), of(77, 0), of(3, 3)].iter().all(|&one| is_refused(one)));
}

#[test]
fn a_builder_makes_no_program_that_runs_with_somebody_elses_rights() {
    let builder = Rules { building: true, ..PLAYER };
    let create = (libc::O_CREAT | libc::O_WRONLY) as u64;
    let nameless = (libc::O_TMPFILE | libc::O_WRONLY) as u64;
    for machine in MACHINES {
        for bits in [0o4755, 0o2755, 0o6755, 0o4000] {
            for flags in [create, nameless, create | nameless] {
                assert_eq!(says(machine, builder, "openat", &[0, 0, flags, bits]), EPERM);
            }
            // No file is created, so the register content is irrelevant.
            assert_eq!(says(machine, builder, "openat", &[0, 0, 0, bits]), ALLOW);
            for name in ["mkdirat", "mknodat", "fchmodat", "fchmodat2"] {
                assert_eq!(says(machine, builder, name, &[0, 0, bits]), EPERM, "{name}");
            }
            assert_eq!(says(machine, builder, "fchmod", &[0, bits]), EPERM);
        }
        assert_eq!(says(machine, builder, "openat", &[0, 0, create, 0o1777]), ALLOW);
        assert_eq!(says(machine, builder, "mkdirat", &[0, 0, 0o1777]), ALLOW);
    }
    for (name, arguments) in [
        ("chmod", &[0, 0o4755][..]),
        ("creat", &[0, 0o4755]),
        ("mkdir", &[0, 0o2755]),
        ("mknod", &[0, 0o104_755]),
        ("open", &[0, create, 0o4755]),
    ] {
        assert_eq!(says(Machine::X86_64, builder, name, arguments), EPERM, "{name}");
    }
}

#[test]
fn a_builder_asks_before_it_changes_modes_owners_or_times() {
    let alone = Rules { building: true, ..PLAYER };
    let supervised = Rules { refusal: Refusal::Supervise, ..alone };
    let unsupported = libc::SECCOMP_RET_ERRNO | libc::ENOTSUP as u32;
    for machine in MACHINES {
        for name in ["fchmod", "fchmodat", "fchmodat2", "fchown", "fchownat", "utimensat"] {
            assert_eq!(says(machine, supervised, name, &[0, 0, 0o755]), ASK, "{name}");
            assert_eq!(says(machine, alone, name, &[0, 0, 0o755]), EPERM, "{name}");
        }
        for name in ["setxattr", "fremovexattr", "setxattrat", "file_setattr"] {
            assert_eq!(says(machine, supervised, name, &[]), unsupported, "{name}");
        }
        assert_eq!(says(machine, supervised, "openat2", &[]), ENOSYS);
        assert_eq!(says(machine, supervised, "memfd_create", &[]), ENOSYS);
        // A call that is refused for another reason causes no notification.
        assert_eq!(says(machine, supervised, "ptrace", &[]), EPERM);
    }
}
