//! `pitmaster --version`: version, and with `--verbose` everything that identifies this build.

use std::fmt::Write as _;
use std::io::Write;

use pitmaster_build_info::{COMMIT, COMMIT_DATE, COMPILER, RULES, TARGET, VERSION};
use pitmaster_referee::protocol;
use pitmaster_store::SCHEMA_VERSION;

use super::features::FEATURES;
use super::{Exit, Outcome};

/// Flags of the program without a command.
#[derive(Debug, clap::Args)]
pub(super) struct Flags {
    /// Print the version
    #[arg(short = 'V', long)]
    version: bool,
    /// With --version, also print the commit, the target and the versions of rules and formats
    #[arg(long, requires = "version")]
    verbose: bool,
}

impl Flags {
    pub(super) fn run(&self, out: &mut dyn Write) -> Outcome {
        writeln!(out, "pitmaster {VERSION}")?;
        if self.verbose {
            out.write_all(details().as_bytes())?;
        }
        Ok(Exit::Done)
    }
}

/// One fact per line.
fn details() -> String {
    let commit = COMMIT.unwrap_or("unknown");
    let date = COMMIT_DATE.map_or(String::new(), |date| format!(" ({date})"));
    let features = FEATURES.iter().filter(|feature| feature.is_built);
    let features: Vec<_> = features.map(|feature| feature.name).collect();
    let facts = [
        ("commit", format!("{commit}{date}")),
        ("rules", RULES.unwrap_or("those of the commit").to_owned()),
        ("target", TARGET.to_owned()),
        ("compiler", COMPILER.unwrap_or("unknown").to_owned()),
        ("features", if features.is_empty() { "none".to_owned() } else { features.join(", ") }),
        ("database", format!("schema {SCHEMA_VERSION}")),
        ("bots", format!("protocol {}", protocol::VERSION)),
        ("workers", workers()),
    ];
    let mut text = String::new();
    for (name, fact) in facts {
        let _ = writeln!(text, "{name:<9} {fact}");
    }
    text
}

#[cfg(feature = "cluster")]
fn workers() -> String {
    format!("protocol {}", pitmaster_cluster::WIRE_VERSION)
}

#[cfg(not(feature = "cluster"))]
fn workers() -> String {
    "none".into()
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::super::Cli;
    use super::*;

    fn printed(args: &[&str]) -> String {
        let cli = Cli::try_parse_from([&["pitmaster"], args].concat()).unwrap();
        let mut out = Vec::new();
        assert!(cli.command.is_none());
        cli.version.run(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_version_is_one_line_and_the_details_are_more() {
        let short = format!("pitmaster {VERSION}\n");
        assert_eq!([printed(&["-V"]), printed(&["--version"])], [short.clone(), short.clone()]);
        let long = printed(&["--version", "--verbose"]);
        let details = long.strip_prefix(&short).unwrap();
        let names: Vec<_> = details.lines().filter_map(|line| line.split(' ').next()).collect();
        insta::assert_snapshot!(names.join(" "), @"commit rules target compiler features database bots workers");
        assert!(details.contains(&format!("\ndatabase  schema {SCHEMA_VERSION}\n")), "{details}");
    }

    #[test]
    fn verbose_alone_and_beside_a_command_is_refused() {
        for args in [&["--verbose"][..], &["--version", "games"], &["--verbose", "games"]] {
            assert!(Cli::try_parse_from([&["pitmaster"], args].concat()).is_err(), "{args:?}");
        }
    }
}
