//! `[format]`: who meets whom, how often, for what.

use crate::ratings::{Points, PointsFor, TieBreak};
use crate::tournament::FormatPlan;
use crate::tournament::section::{Entry, Notes, Section};

pub(super) fn read_format(top: &Section<'_>, notes: &mut Notes<'_>) -> FormatPlan {
    let mut plan = FormatPlan::default();
    let Some(format) = top.section("format", notes) else { return plan };
    if let Some(entry) = format.entry("kind", notes) {
        plan.kind = entry.word(notes).unwrap_or(plan.kind);
    }
    if let Some(entry) = format.entry("pairs", notes) {
        plan.pairs = entry.integer(1..=1_000_000, notes).map_or(plan.pairs, |pairs| pairs as u32);
    }
    if let Some(points) = format.section("format.points", notes) {
        plan.ranking.points = read_points(&points, notes);
    }
    if let Some(entry) = format.entry("tie_breaks", notes) {
        plan.ranking.tie_breaks = read_tie_breaks(&entry, notes);
    }
    plan
}

fn read_points(section: &Section<'_>, notes: &mut Notes<'_>) -> PointsFor {
    let mut points = PointsFor::default();
    for (name, worth) in
        [("win", &mut points.win), ("draw", &mut points.draw), ("loss", &mut points.loss)]
    {
        if let Some(entry) = section.entry(name, notes) {
            *worth = read_worth(&entry, notes).unwrap_or(*worth);
        }
    }
    if points.win <= points.loss || points.draw < points.loss || points.win < points.draw {
        let message = format!(
            "a win ({}), a draw ({}) and a loss ({}) must be worth less in this order, and a win \
             more than a loss; write {{ win = 1, draw = 0.5, loss = 0 }}",
            points.win, points.draw, points.loss
        );
        notes.fault(section.place, "format.points", message);
    }
    points
}

fn read_worth(entry: &Entry<'_>, notes: &mut Notes<'_>) -> Option<Points> {
    let worth = Points::try_from(entry.number(-1000.0..=1000.0, notes)?);
    if worth.is_err() {
        entry.wrong("a number with at most two decimals", notes);
    }
    worth.ok()
}

fn read_tie_breaks(entry: &Entry<'_>, notes: &mut Notes<'_>) -> Vec<TieBreak> {
    let mut breaks = Vec::new();
    for item in entry.list(notes) {
        match item.word(notes) {
            Some(word) if breaks.contains(&word) => {
                notes.fault(
                    item.place,
                    &item.key,
                    format!("\"{word}\" stands here twice; once is enough"),
                );
            }
            Some(word) => breaks.push(word),
            None => {}
        }
    }
    breaks
}
