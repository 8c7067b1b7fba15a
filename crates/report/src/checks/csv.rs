//! CSV output: one row per bot.

use std::io::{self, Write};

use pitmaster_check::{Checked, Checks, Level, Numbers, Scene};

use super::path_of;
use crate::{Sheet, millis};

/// Columns with their descriptions.
const COLUMNS: [(&str, &str); 21] = [
    ("path", "path given on the command line"),
    ("bot", "name of the bot"),
    ("hash", "hash of the submission; empty if it could not be read"),
    ("dialect", "empty if the bot cannot be started"),
    ("verdict", "clean, risky (only findings of level should), broken, cut short or interrupted"),
    ("musts", "number of findings of level must"),
    ("shoulds", "number of findings of level should"),
    ("wins", "games won against house:random; up to memory_mib empty if none was played"),
    ("draws", "games drawn"),
    ("losses", "games lost"),
    ("moves", "number of timed moves"),
    ("median_ms", "median time of a move"),
    ("p99_ms", "99th percentile"),
    ("worst_ms", "slowest move"),
    ("memory_mib", "peak memory"),
    ("findings", "names of the findings, separated by spaces"),
    ("notes", "number of findings of level note; audits only"),
    ("not_judged", "scenes that cannot be judged because the machine was busy"),
    ("reason", "why the bot cannot play, and what to do; empty if it can be started"),
    ("person", "who submitted it; empty unless it belongs to a class"),
    ("email", "email address of that person; empty if unknown"),
];

/// Column list for the help.
pub fn help() -> String {
    let line = |(name, about)| format!("\n  {name:<12} {about}");
    format!("CSV columns:{}", COLUMNS.map(line).concat())
}

/// Writes one row per bot.
///
/// # Errors
/// The output cannot be written.
pub fn write(checks: &Checks, out: impl Write) -> io::Result<()> {
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
    sheet.text(&path_of(bot))?;
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
    sheet.text(&reason(bot))?;
    let person = bot.person.as_ref();
    sheet.text(person.map_or("", |person| &person.name))?;
    sheet.text(person.map_or("", |person| &person.email))?;
    sheet.end_row()
}

/// Reason why a bot cannot be started, in one line.
fn reason(bot: &Checked) -> String {
    let unfit = bot.report.findings.first().filter(|_| bot.dialect.is_none());
    unfit.map_or_else(String::new, |finding| {
        let came = finding.came.to_string();
        format!("{}; {}", came.trim_end_matches(':'), finding.advice)
    })
}
