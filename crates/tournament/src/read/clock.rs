//! Reader of `[clock]`: the limits of a game.

use std::ops::RangeInclusive;
use std::time::Duration;

use pitmaster_core::config::Section;
use pitmaster_core::diagnostics::Diagnostics;
use pitmaster_core::{Bank, Limits};

use crate::{Tournament, worst_game};

const DAY: Duration = Duration::from_hours(24);
/// Range of limits that must leave some time.
pub(super) const SOME_TIME: RangeInclusive<Duration> = Duration::from_millis(1)..=DAY;

/// Reads the limits, and the number of replays of a game in which a bot was starved. The latter is
/// not a limit, because games that were played with another number stay valid.
pub(super) fn read_clock(top: &Section<'_>, notes: &mut Diagnostics<'_>) -> (Limits, u32) {
    let mut limits = Limits::default();
    let replays = Tournament::STARVED_REPLAYS;
    let Some(clock) = top.section("clock", notes) else { return (limits, replays) };
    read_move_limits(&clock, &mut limits, notes);
    if let Some(entry) = clock.field("start_up", notes) {
        limits.start_up = entry.duration(SOME_TIME, notes).unwrap_or(limits.start_up);
    }
    if let Some(entry) = clock.field("margin", notes) {
        let range = Duration::ZERO..=Duration::from_secs(10);
        limits.margin = entry.duration(range, notes).unwrap_or(limits.margin);
    }
    limits.per_game = time_or_off(&clock, "per_game", limits.per_game, notes);
    limits.plies = read_plies(&clock, limits.plies, notes);
    limits.bank = read_bank(&clock, notes);
    judge_bounds(&clock, &limits, notes);
    let entry = clock.field("starved_replays", notes);
    let written = entry.and_then(|entry| entry.integer(0..=100, notes));
    (limits, written.map_or(replays, |replays| replays as u32))
}

/// A missing limit of the first move is no shorter than that of the others.
fn read_move_limits(clock: &Section<'_>, limits: &mut Limits, notes: &mut Diagnostics<'_>) {
    limits.per_move = time_or_off(clock, "per_move", limits.per_move, notes);
    let first = limits.per_move.and_then(|time| limits.first_move.map(|first| first.max(time)));
    limits.first_move = time_or_off(clock, "first_move", first, notes);
}

fn time_or_off(
    clock: &Section<'_>,
    name: &str,
    default: Option<Duration>,
    notes: &mut Diagnostics<'_>,
) -> Option<Duration> {
    match clock.field(name, notes) {
        Some(entry) => entry.duration_or_off(SOME_TIME, default, notes),
        None => default,
    }
}

fn read_plies(
    clock: &Section<'_>,
    default: Option<u32>,
    notes: &mut Diagnostics<'_>,
) -> Option<u32> {
    let Some(entry) = clock.field("plies", notes) else { return default };
    let default = default.map(i64::from);
    entry.integer_or_off(1..=1_000_000, default, notes).map(|plies| plies as u32)
}

fn read_bank(clock: &Section<'_>, notes: &mut Diagnostics<'_>) -> Option<Bank> {
    let initial = time_or_off(clock, "bank", None, notes);
    let Some(entry) = clock.field("increment", notes) else {
        return initial.map(|initial| Bank { initial, increment: Duration::ZERO });
    };
    let increment = entry.duration(Duration::ZERO..=DAY, notes)?;
    if initial.is_none() && !increment.is_zero() {
        let message = "there is no bank to add to; write bank = \"60s\" or leave it out";
        notes.fault(entry.place, &entry.key, message);
    }
    initial.map(|initial| Bank { initial, increment })
}

/// Checks that the limits end both a bot that never moves and a game that repeats forever.
fn judge_bounds(clock: &Section<'_>, limits: &Limits, notes: &mut Diagnostics<'_>) {
    if limits.per_move.or(limits.per_game).is_none() && limits.bank.is_none() {
        let message = "nothing ends a game whose bot never moves; set per_move, per_game or bank";
        notes.fault(clock.place, "clock", message);
    } else if worst_game(limits) == Duration::MAX {
        let message = "nothing ends a game that goes in circles; set plies or per_game";
        notes.fault(clock.place, "clock", message);
    }
}
