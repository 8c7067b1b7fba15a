//! Workers of a practice server: other processes, often on other machines, that build, check and play
//! versions, so that the server itself runs none of their code.

use std::fmt::Debug;
use std::sync::Arc;

use pitmaster_check::Language;
use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{BotHash, BotId, Dialect, Limits, Seed, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_runner::{Batch, Played};
use pitmaster_store::KnownIsolation;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Error;

/// The workers of a practice server.
pub trait Workers: Debug + Send + Sync {
    /// Number of games that they play at once now.
    fn lanes(&self) -> usize;

    /// The command that starts a worker.
    fn command(&self) -> String;

    /// Remarks for the person who runs the server, since this was called last.
    fn notes(&self) -> Vec<String>;

    /// Isolation of the bots on a worker, by the number that its games have.
    fn isolation(&self, number: u32) -> Option<KnownIsolation>;

    /// Notes what a version needs, before it plays.
    fn learn(&self, hash: &BotHash, tools: &[String]);

    /// Has a version built and waits, as long as `goes_on` says so.
    ///
    /// # Errors
    /// No worker did it. Nothing is known of the version then.
    fn build(
        &self,
        version: &VersionOrder<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<BuildReport, Error>;

    /// Has a version checked and waits. Returns the report as JSON.
    ///
    /// # Errors
    /// No worker did it.
    fn check(
        &self,
        version: &VersionOrder<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<String, Error>;

    /// Has a batch played and waits.
    ///
    /// # Errors
    /// No worker did it. Then no game of it counts.
    fn play(&self, batch: &Batch, goes_on: &dyn Fn() -> bool) -> Result<Vec<Played>, Error>;

    /// Lets the workers wait for another server.
    fn end(&self);
}

/// A version that a worker is to examine.
#[derive(Debug)]
pub struct VersionOrder<'a> {
    /// The version.
    pub id: &'a BotId,
    /// Commands that building and running it needs.
    pub tools: &'a [String],
    /// The game.
    pub game: &'a Arc<dyn DynGame>,
    /// Limits of its games.
    pub limits: &'a Limits,
    /// Seed of the ladder.
    pub seed: Seed,
}

/// What a worker reports of a build. It is untrusted: a version may have escaped its sandbox there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildReport {
    /// The version as it plays; or the reason why it cannot, for its author.
    pub built: Result<BuiltVersion, Message>,
    /// Log of the build, if there was one.
    pub log: Option<Untrusted>,
}

/// What a server must know of a version that it does not build itself. It is kept beside the snapshot,
/// so that a server that starts again need not ask for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuiltVersion {
    /// Dialect that it speaks.
    pub dialect: Dialect,
    /// Whether its lines are read leniently.
    pub lenient: bool,
    /// Display name.
    pub display: Untrusted,
    /// Its language, if it is known.
    pub language: Option<Language>,
    /// Versions of the commands that it was built with.
    pub versions: Value,
    /// Commands that it needs.
    pub tools: Vec<String>,
}

/// Maximum sizes of what a worker reports of a version, in bytes, and its number of tools.
const MOST_LOG: usize = 1 << 20;
const MOST_REASON: usize = 64 << 10;
const MOST_DISPLAY: usize = 1 << 10;
const MOST_VERSIONS: usize = 64 << 10;
const MOST_TOOLS: usize = 64;
const LONGEST_TOOL: usize = 256;

impl BuildReport {
    /// The report with no more than a build can leave.
    ///
    /// # Errors
    /// What no version has.
    pub(super) fn bounded(self) -> Result<Self, String> {
        let capped = |text: &Untrusted, most| Untrusted::capped(text.as_bytes(), most);
        let built = match self.built {
            Ok(built) => {
                let is_long = |tool: &String| tool.len() > LONGEST_TOOL;
                if built.tools.len() > MOST_TOOLS || built.tools.iter().any(is_long) {
                    return Err(format!("a version with {} tools", built.tools.len()));
                }
                if built.versions.to_string().len() > MOST_VERSIONS {
                    return Err("a version whose tools have endless versions".into());
                }
                Ok(BuiltVersion { display: capped(&built.display, MOST_DISPLAY), ..built })
            }
            Err(why) if serde_json::to_vec(&why).is_ok_and(|text| text.len() <= MOST_REASON) => {
                Err(why)
            }
            Err(why) => {
                let text = capped(&Untrusted::new(why.to_string()), MOST_REASON);
                Err(said!("{}", text.shown_lines(MOST_REASON)))
            }
        };
        let log = self.log.as_ref().map(|log| capped(log, MOST_LOG));
        Ok(Self { built, log })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built() -> BuiltVersion {
        BuiltVersion {
            dialect: Dialect::default(),
            lenient: false,
            display: Untrusted::new("x".repeat(5000)),
            language: Some(Language::Python),
            versions: serde_json::json!({"python3": "3.13"}),
            tools: vec!["python3".into()],
        }
    }

    #[test]
    fn a_report_has_the_size_of_a_build() {
        let log = Some(Untrusted::new(vec![b'x'; 2 * MOST_LOG]));
        let report = BuildReport { built: Ok(built()), log };
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<BuildReport>(&text).unwrap(), report);
        let bounded = report.bounded().unwrap();
        assert!(bounded.log.unwrap().as_bytes().len() <= MOST_LOG + 100);
        assert!(bounded.built.unwrap().display.as_bytes().len() <= MOST_DISPLAY + 100);
        let why = said!("{}", "x".repeat(2 * MOST_REASON));
        let failed = BuildReport { built: Err(why), log: None }.bounded().unwrap();
        assert!(failed.built.unwrap_err().to_string().len() <= MOST_REASON + 100);
    }

    #[test]
    fn what_no_version_has_is_refused() {
        let many = BuiltVersion { tools: vec!["x".into(); 65], ..built() };
        let long = BuiltVersion { tools: vec!["x".repeat(300)], ..built() };
        let endless = BuiltVersion { versions: Value::from("x".repeat(100_000)), ..built() };
        for version in [many, long, endless] {
            assert!(BuildReport { built: Ok(version), log: None }.bounded().is_err());
        }
    }
}
