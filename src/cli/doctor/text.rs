//! Text report for people.

use std::io::{self, Write};

use pitmaster_core::i18n::wrap;
use pitmaster_core::{Isolation, Promise, Requirements, Tier};
use pitmaster_runner::host_check::{Fact, Verdict};

use super::{Report, Tried};

/// Width of the margin, for a guarantee's name and level.
const MARGIN: usize = 21;

pub(super) fn write(report: &Report, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let millis = report.took.as_millis();
    writeln!(out, "Guarantees of this machine (tested in {millis} ms)\n")?;
    writeln!(out, "kernel {}, {}", report.kernel, landlock(report.landlock))?;
    writeln!(out, "control groups {}\n", report.groups)?;
    for tried in report.tiers.iter().rev() {
        writeln!(out, "{}", tier(tried, report))?;
    }
    if let Some(Tried { sandbox: Ok(sandbox), tier }) = report.chosen() {
        writeln!(out, "\nGuarantees of {tier}")?;
        promises(sandbox.isolation(), report.tried(Tier::Full).is_some(), width, out)?;
    }
    writeln!(out, "\n{}", verdict(report))?;
    writeln!(out, "\nSuitability for timing")?;
    report.machine.iter().try_for_each(|fact| write_fact(fact, width, out))
}

fn landlock(version: u32) -> String {
    if version == 0 { "no Landlock".into() } else { format!("Landlock {version}") }
}

fn tier(tried: &Tried, report: &Report) -> String {
    let name = tried.tier;
    let is_chosen = report.chosen().is_some_and(|chosen| chosen.tier == name);
    match &tried.sandbox {
        Err(why) => format!("{name:<9} does not work here: {why}"),
        Ok(_) if is_chosen => format!("{name:<9} works, and is the default"),
        Ok(_) if name == Tier::Bare => {
            format!("{name:<9} works, but only against accidents: --isolation bare")
        }
        Ok(_) => format!("{name:<9} works: --isolation {name}"),
    }
}

fn promises(
    isolation: &Isolation,
    full: bool,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let official = Requirements::official();
    for &promise in Promise::ALL {
        let kept = isolation.promises.get(&promise);
        let how = kept.map_or("", |kept| kept.how.as_str());
        let mark = if official.0.iter().any(|it| it.promise == promise) { '*' } else { ' ' };
        let level = isolation.level(promise).to_string();
        write_indented(&format!("{mark} {promise:<8} {level:<9} "), how, width, out)?;
        if let Some(better) = pitmaster_bots::probe::improvement(promise, isolation, full) {
            write_indented("", &format!("better with {better}"), width, out)?;
        }
    }
    writeln!(out, "* required by `official`, the default of `pitmaster run`")
}

fn verdict(report: &Report) -> String {
    let missing = report.missing();
    let count = Requirements::official().0.len();
    if missing.is_empty() {
        return format!(
            "Ready for an official contest: all {count} guarantees of `official` hold."
        );
    }
    format!(
        "Not ready for an official contest: {} of {count} guarantees are missing: {}. `pitmaster \
         run` explains how to play anyway.",
        missing.len(),
        missing.join(", ")
    )
}

fn write_fact(fact: &Fact, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let mark = match fact.verdict {
        Verdict::Good => "good",
        Verdict::Caution => "CAUTION",
        Verdict::Unknown => "unknown",
    };
    let advice = fact.advice.as_ref().map_or(String::new(), |advice| format!("; {advice}"));
    let name = fact.name;
    write_indented(&format!("  {name:<15} {mark:<8} "), &(fact.value.clone() + &advice), width, out)
}

/// Writes wrapped text after a margin, with continuation lines indented by its width.
fn write_indented(margin: &str, text: &str, width: usize, out: &mut dyn Write) -> io::Result<()> {
    let margin_width = margin.chars().count().max(MARGIN);
    let wrapped = wrap(text, width.saturating_sub(margin_width).max(30));
    for (number, line) in wrapped.iter().enumerate() {
        let before = if number == 0 { margin } else { "" };
        writeln!(out, "{before:<margin_width$}{line}")?;
    }
    Ok(())
}
