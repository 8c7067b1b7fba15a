//! A line a bot, for a spreadsheet.

use std::io::{self, Write};

use pitmaster_check::{Level, Numbers, Scene};
use pitmaster_report::{Sheet, millis};

use super::{Checked, Checks};

/// The columns, each with what it holds.
const COLUMNS: [(&str, &str); 18] = [
    ("path", "as it was named on the command line"),
    ("bot", "its name"),
    ("hash", "of what was handed in; empty where it could not be copied"),
    ("dialect", "empty where it cannot be started"),
    ("verdict", "clean, risky (findings of should only), broken, cut short or interrupted"),
    ("musts", "findings of must"),
    ("shoulds", "findings of should"),
    ("wins", "games won against house:random; from here on empty where none was played"),
    ("draws", "games drawn"),
    ("losses", "games lost"),
    ("moves", "moves that were timed"),
    ("median_ms", "half of them took no longer"),
    ("p99_ms", "99 of 100 took no longer"),
    ("worst_ms", "the slowest"),
    ("memory_mib", "the most that it held"),
    ("findings", "their names, separated by blanks"),
    ("notes", "findings of note; only an audit has them"),
    ("not_judged", "scenes of which nothing can be said, because the machine was busy"),
];

/// What `pitmaster help check` says of it.
pub(super) fn help() -> String {
    let line = |(name, about)| format!("\n  {name:<12} {about}");
    format!("Columns of the CSV:{}", COLUMNS.map(line).concat())
}

pub(super) fn write(checks: &Checks, out: impl Write) -> io::Result<()> {
    let mut sheet = Sheet::new(out, COLUMNS.map(|(name, _)| name))?;
    for bot in &checks.bots {
        row(&mut sheet, bot)?;
    }
    sheet.finish()
}

fn row(sheet: &mut Sheet<impl Write>, bot: &Checked) -> io::Result<()> {
    let report = &bot.report;
    let verdict = match report.failure {
        _ if report.interrupted => "interrupted",
        Some(_) => "cut short",
        None => report.verdict().name(),
    };
    let dialect = bot.dialect.map_or(String::new(), |dialect| dialect.to_string());
    sheet.text(&bot.shown_path())?;
    sheet.text(&bot.name)?;
    sheet.text(bot.hash.as_ref().map_or("", |hash| hash.as_str()))?;
    sheet.text(&dialect)?;
    sheet.text(verdict)?;
    sheet.number(report.count(Level::Must))?;
    sheet.number(report.count(Level::Should))?;
    let numbers = report.numbers.as_ref();
    sheet.maybe(numbers.map(|numbers| numbers.wins))?;
    sheet.maybe(numbers.map(|numbers| numbers.draws))?;
    sheet.maybe(numbers.map(|numbers| numbers.losses))?;
    sheet.maybe(numbers.map(Numbers::moves))?;
    sheet.maybe(numbers.and_then(Numbers::median).map(millis))?;
    sheet.maybe(numbers.and_then(|numbers| numbers.percentile(99)).map(millis))?;
    sheet.maybe(numbers.and_then(Numbers::worst).map(millis))?;
    sheet.maybe(numbers.and_then(|numbers| numbers.memory).map(|bytes| bytes >> 20))?;
    let names: Vec<_> = report.findings.iter().map(|finding| finding.what.name()).collect();
    sheet.text(&names.join(" "))?;
    sheet.number(report.count(Level::Note))?;
    let open: Vec<_> = report.not_judged().into_iter().map(Scene::name).collect();
    sheet.text(&open.join(" "))?;
    sheet.end_row()
}
