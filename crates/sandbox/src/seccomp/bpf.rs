//! Seccomp filter compiler: turns decisions about call numbers into BPF instructions that the
//! kernel runs at every system call.
//!
//! Installation dominates the cost: the kernel tries every call number to learn which ones are
//! always allowed, and later skips the filter for these. So the program is a tree of comparisons
//! that finds the widest ranges first.
//!
//! Must not depend on names of calls, nor on the reasons for refusing them.

use libc::sock_filter;

use super::Filter;
use super::condition::{Case, Test, Word};
use super::syscall_numbers::Machine;

/// Decision about a call: the result of the first matching case, or a default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) refused: Vec<(Case, u32)>,
    pub(super) otherwise: u32,
}

/// Offsets into the filter's input (`struct seccomp_data`).
const NUMBER_AT: u32 = 0;
const ARCH_AT: u32 = 4;
const ARGUMENTS_AT: u32 = 16;

/// Placeholder for the process's own id until it is known, larger than any valid id.
const NOBODY: u32 = i32::MAX.cast_unsigned();

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const JUMP: u32 = libc::BPF_JMP | libc::BPF_JA;
const IF_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const IF_AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

/// Assembles the filter of a machine. Numbers above `newest` get `unknown`. Calls of another
/// architecture end the process.
pub(super) fn assemble(
    machine: Machine,
    rows: Vec<(u32, Decision)>,
    newest: u32,
    unknown: u32,
) -> Filter {
    let mut code = Code::default();
    code.push(LOAD, ARCH_AT);
    code.branch(IF_EQUAL, machine.audit_arch(), 1, 0);
    code.push(RETURN, libc::SECCOMP_RET_KILL_PROCESS);
    code.push(LOAD, NUMBER_AT);
    code.append(tree(&ranges(rows, newest, unknown)));
    code.into_filter()
}

/// Instructions, and the positions of those that compare with the process's own id.
#[derive(Debug, Clone, Default)]
struct Code {
    instructions: Vec<sock_filter>,
    own_pid: Vec<usize>,
}

impl Code {
    fn push(&mut self, code: u32, k: u32) {
        self.branch(code, k, 0, 0);
    }

    fn branch(&mut self, code: u32, k: u32, jt: u8, jf: u8) {
        self.instructions.push(sock_filter { code: code as u16, jt, jf, k });
    }

    fn append(&mut self, other: Self) {
        let start = self.len();
        self.instructions.extend(other.instructions);
        self.own_pid.extend(other.own_pid.iter().map(|at| start + at));
    }

    fn len(&self) -> usize {
        self.instructions.len()
    }

    fn into_filter(self) -> Filter {
        Filter { instructions: self.instructions, own_pid: self.own_pid }
    }
}

/// Range of numbers with the same decision, up to the start of the next range.
#[derive(Debug)]
struct Range {
    first: u32,
    weight: u32,
    decision: Decision,
}

/// All numbers from 0 on, in ranges.
fn ranges(mut rows: Vec<(u32, Decision)>, newest: u32, unknown: u32) -> Vec<Range> {
    rows.sort_by_key(|(number, _)| *number);
    let always = |otherwise| Decision { refused: Vec::new(), otherwise };
    let allowed = always(libc::SECCOMP_RET_ALLOW);
    let mut ranges = Vec::new();
    let mut next = 0;
    for (number, decision) in rows {
        push(&mut ranges, next..number, &allowed);
        push(&mut ranges, number..number + 1, &decision);
        next = number + 1;
    }
    push(&mut ranges, next..newest + 1, &allowed);
    push(&mut ranges, newest + 1..newest + 2, &always(unknown));
    ranges
}

/// Adds a range unless it is empty. Merges it with the previous one if their decisions are equal.
fn push(ranges: &mut Vec<Range>, numbers: std::ops::Range<u32>, decision: &Decision) {
    assert!(
        numbers.start <= numbers.end,
        "a call is decided about once, and not beyond the newest"
    );
    let weight = numbers.end - numbers.start;
    match ranges.last_mut() {
        _ if weight == 0 => {}
        Some(last) if last.decision == *decision => last.weight += weight,
        _ => ranges.push(Range { first: numbers.start, weight, decision: decision.clone() }),
    }
}

/// Instructions that find a number's range. Each comparison halves the remaining numbers, not the
/// ranges, so a wide range is found early.
fn tree(ranges: &[Range]) -> Code {
    if let [only] = ranges {
        return body(&only.decision);
    }
    let (low, high) = ranges.split_at(middle(ranges));
    let (below, from) = (tree(low), tree(high));
    let mut code = Code::default();
    // A conditional jump reaches 255 instructions, an unconditional one any distance.
    if let Ok(distance) = u8::try_from(below.len()) {
        code.branch(IF_AT_LEAST, high[0].first, distance, 0);
    } else {
        code.branch(IF_AT_LEAST, high[0].first, 0, 1);
        code.push(JUMP, below.len() as u32);
    }
    code.append(below);
    code.append(from);
    code
}

/// Split point with the most equal number of call numbers on both sides.
fn middle(ranges: &[Range]) -> usize {
    let total: u32 = ranges.iter().map(|range| range.weight).sum();
    let mut below = 0;
    let mut best = (u32::MAX, 1);
    for (before, range) in ranges[..ranges.len() - 1].iter().enumerate() {
        below += range.weight;
        best = best.min((below.abs_diff(total - below), before + 1));
    }
    best.1
}

/// Instructions that test a call's arguments, if necessary, and decide.
fn body(decision: &Decision) -> Code {
    let mut code = Code::default();
    for &(case, result) in &decision.refused {
        let (tests, refuse_if_found) = match case {
            Case::Always => {
                code.push(RETURN, result);
                return code;
            }
            Case::IfAll(tests) => {
                code.append(if_all(tests, result));
                continue;
            }
            Case::If(tests) => (tests, true),
            Case::Unless(tests) => (tests, false),
            Case::UnlessAny(tests) => {
                code.append(unless_any(tests, result));
                continue;
            }
        };
        for test in tests {
            look_at(&mut code, test, refuse_if_found);
            code.push(RETURN, result);
        }
    }
    code.push(RETURN, decision.otherwise);
    code
}

/// Refuses the call if all tests hold; otherwise continues after these instructions.
fn if_all(tests: &[Test], result: u32) -> Code {
    let mut code = Code::default();
    let Some((first, others)) = tests.split_first() else {
        code.push(RETURN, result);
        return code;
    };
    let others = if_all(others, result);
    look_at(&mut code, first, false);
    code.push(JUMP, others.len() as u32);
    code.append(others);
    code
}

/// Continues after its end if any test holds; otherwise refuses.
fn unless_any(tests: &[Test], result: u32) -> Code {
    let mut refusal = Code::default();
    refusal.push(RETURN, result);
    tests.iter().rev().fold(refusal, |rest, test| {
        let mut code = Code::default();
        look_at(&mut code, test, true);
        code.push(JUMP, rest.len() as u32);
        code.append(rest);
        code
    })
}

/// Continues with the next instruction if the call is to be refused; otherwise with the one after.
///
/// A match jumps over the remaining comparisons, and over the refusal if the match is allowed.
/// Without a match, the last comparison falls through.
fn look_at(code: &mut Code, test: &Test, refuse_if_found: bool) {
    let half = ARGUMENTS_AT + 8 * u32::from(test.argument) + 4 * u32::from(test.upper);
    code.push(LOAD, half);
    if test.mask != u32::MAX {
        code.push(AND, test.mask);
    }
    for (at, word) in test.among.iter().enumerate() {
        let left = (test.among.len() - 1 - at) as u8;
        let not_found = u8::from(refuse_if_found && left == 0);
        let value = match *word {
            Word::Is(value) => value,
            Word::OwnPid => {
                code.own_pid.push(code.len());
                NOBODY
            }
        };
        code.branch(IF_EQUAL, value, left + u8::from(!refuse_if_found), not_found);
    }
}
