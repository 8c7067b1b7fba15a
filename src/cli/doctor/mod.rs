//! `pitmaster doctor`: reports the guarantees of this machine and its suitability for timing.

mod json;
mod text;

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_core::{Requirements, Resources, Tier, json_text};
use pitmaster_runner::host_check::{self, Fact};
use pitmaster_sandbox::Sandbox;

use super::progress::say;
use super::{Exit, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster doctor             before a contest, on the machine that will run it
  pitmaster doctor --json      the same as JSON

Guarantees are tested: a probe starts like a bot and harmlessly attempts what a bot might. Exit
code 0 means that all guarantees of `official` hold, 3 that one is missing.";

/// Reports the guarantees of this machine and its suitability for timing
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Test result of a tier.
#[derive(Debug)]
struct Tried {
    tier: Tier,
    sandbox: Result<Arc<Sandbox>, String>,
}

/// All results.
#[derive(Debug)]
struct Report {
    kernel: String,
    landlock: u32,
    groups: String,
    /// Weakest first.
    tiers: Vec<Tried>,
    machine: Vec<Fact>,
    took: Duration,
}

impl Report {
    fn new() -> Self {
        let start = Instant::now();
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let groups = pitmaster_sandbox::control_groups();
        let tiers = Tier::ALL.into_iter().map(Tried::new).collect();
        let mut report = Self {
            kernel: kernel.trim().to_owned(),
            landlock: pitmaster_sandbox::landlock_version(),
            groups,
            tiers,
            machine: host_check::facts(),
            took: Duration::ZERO,
        };
        if let Some(sandbox) = report.chosen().and_then(|tried| tried.sandbox.as_ref().ok()) {
            let measured = host_check::measured(sandbox);
            report.machine.extend(measured);
        }
        report.took = start.elapsed();
        report
    }

    fn tried(&self, tier: Tier) -> Option<&Tried> {
        self.tiers.iter().find(|tried| tried.tier == tier && tried.sandbox.is_ok())
    }

    /// Tier that a run chooses by default.
    fn chosen(&self) -> Option<&Tried> {
        self.tried(Tier::Portable).or_else(|| self.tried(Tier::Bare))
    }

    /// Guarantees required by `official` that the chosen tier lacks, as text.
    fn missing(&self) -> Vec<String> {
        let official = Requirements::official();
        let missing = match self.chosen().and_then(|tried| tried.sandbox.as_ref().ok()) {
            Some(sandbox) => sandbox.isolation().missing(&official),
            None => official.0,
        };
        missing.iter().map(ToString::to_string).collect()
    }

    fn exit(&self) -> Exit {
        if self.missing().is_empty() { Exit::Done } else { Exit::Missing }
    }
}

impl Tried {
    fn new(tier: Tier) -> Self {
        let sandbox = pitmaster_bots::probe::examine(tier, &Resources::default());
        Self { tier, sandbox: sandbox.map(Arc::new).map_err(|unavailable| unavailable.why) }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if !args.json {
        say("testing the isolation of bots; this takes a second");
    }
    let report = Report::new();
    if args.json {
        let text = json_text(&json::of(&report)).map_err(std::io::Error::from)?;
        writeln!(out, "{text}")?;
    } else {
        text::write(&report, super::terminal_width(), out)?;
    }
    Ok(report.exit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_a_tier_lacks_guarantees() {
        let tiers = Tier::ALL.map(|tier| Tried { tier, sandbox: Err("not here".to_owned()) });
        let report = Report {
            kernel: String::new(),
            landlock: 0,
            groups: String::new(),
            tiers: tiers.into(),
            machine: Vec::new(),
            took: Duration::ZERO,
        };
        assert_eq!(report.missing().len(), Requirements::official().0.len());
        assert_eq!(report.exit(), Exit::Missing);
    }
}
