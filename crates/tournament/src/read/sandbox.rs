//! Reader of `[sandbox]`: isolation requirements and resource limits of bots.

use std::ops::RangeInclusive;

use pitmaster_core::config::{Field, Section};
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_core::{Limits, Requirements, Resources, Tier};
use pitmaster_referee::protocol::{GAME_LIMIT, LINE_LIMIT};

use super::clock::SOME_TIME;
use crate::fitting_cpu;
use crate::model::{Permission, Word};

/// Ranges within which games can be played.
mod range {
    use super::{GAME_LIMIT, LINE_LIMIT, RangeInclusive};

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const TIB: u64 = 1 << 40;
    /// Enough for a small program with its libraries to start.
    pub(super) const MEMORY: RangeInclusive<u64> = 16 * MIB..=TIB;
    pub(super) const THREADS: RangeInclusive<i64> = 1..=10_000;
    pub(super) const FILES: RangeInclusive<u64> = 0..=TIB;
    /// Allowed range: at least a whole line, and at most the limit of a game.
    pub(super) const OUTPUT: RangeInclusive<u64> = LINE_LIMIT as u64..=GAME_LIMIT as u64;
    pub(super) const STDERR: RangeInclusive<u64> = KIB..=1024 * MIB;
}

/// Isolation and requirements.
#[derive(Debug, Clone)]
pub(super) struct Sandbox {
    pub(super) isolation: Option<Tier>,
    pub(super) require: Requirements,
}

/// Reads the section; resource limits of bots become part of the game's limits.
pub(super) fn read_sandbox(
    top: &Section<'_>,
    limits: &mut Limits,
    notes: &mut Diagnostics<'_>,
) -> Sandbox {
    limits.resources.cpu = fitting_cpu(limits);
    let mut sandbox = Sandbox { isolation: None, require: Requirements::official() };
    let Some(section) = top.section("sandbox", notes) else { return sandbox };
    if let Some(entry) = section.field("isolation", notes) {
        sandbox.isolation = Word::of(&entry, notes).flatten();
    }
    if let Some(entry) = section.field("require", notes) {
        sandbox.require = read_require(&entry, notes);
    }
    read_resources(&section, &mut limits.resources, notes);
    sandbox
}

fn read_require(entry: &Field<'_>, notes: &mut Diagnostics<'_>) -> Requirements {
    let mut words = Vec::new();
    for item in entry.list(notes) {
        let Some(word) = item.some_text(notes) else { continue };
        match word.value.parse::<Requirements>() {
            Ok(_) => words.push(word.value),
            Err(fault) => notes.fault(word.place, &item.key, fault),
        }
    }
    words.join(",").parse().expect("words that were parsed one by one")
}

fn read_resources(section: &Section<'_>, resources: &mut Resources, notes: &mut Diagnostics<'_>) {
    for (name, range, size) in [
        ("memory", range::MEMORY, &mut resources.memory),
        ("file_size", range::FILES, &mut resources.file_size),
        ("output", range::OUTPUT, &mut resources.output),
        ("stderr", range::STDERR, &mut resources.stderr),
        ("scratch", range::FILES, &mut resources.scratch),
    ] {
        if let Some(entry) = section.field(name, notes) {
            *size = entry.size(range, notes).unwrap_or(*size);
        }
    }
    if let Some(entry) = section.field("threads", notes) {
        let threads = entry.integer(range::THREADS, notes);
        resources.threads = threads.map_or(resources.threads, |threads| threads as u32);
    }
    if let Some(entry) = section.field("cpu", notes) {
        resources.cpu = entry.duration_or_off(SOME_TIME, resources.cpu, notes);
    }
    for (name, allowance) in [
        ("idle_cpu_turn", &mut resources.idle_cpu_turn),
        ("idle_cpu_game", &mut resources.idle_cpu_game),
    ] {
        if let Some(entry) = section.field(name, notes) {
            *allowance = entry.duration_or_off(SOME_TIME, *allowance, notes);
        }
    }
    for (name, allowed) in
        [("processes", &mut resources.processes), ("pondering", &mut resources.pondering)]
    {
        if let Some(entry) = section.field(name, notes) {
            *allowed = Word::of(&entry, notes) == Some(Permission::Allowed);
        }
    }
}
