//! Identity of this build: version, commit, rules, target and compiler.
//!
//! Two programs play the same games if version, commit and rules are the same. Cluster workers are
//! accepted by that ([`Build::differs_from`]).

use std::fmt;

use serde::{Deserialize, Serialize};

/// Version of Pitmaster.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Full hash of the commit; `None` if the sources are neither a clone nor a package.
pub const COMMIT: Option<&str> = option_env!("PITMASTER_BUILD_COMMIT");

/// Date of the commit, such as `2026-11-23`; `None` if unknown.
pub const COMMIT_DATE: Option<&str> = option_env!("PITMASTER_BUILD_DATE");

/// Digest of the sources of rules, players and referee, which also tells changes apart that are not
/// committed; `None` if built from packages, whose sources follow from the commit.
pub const RULES: Option<&str> = option_env!("PITMASTER_BUILD_RULES");

/// Target triple.
pub const TARGET: &str = env!("PITMASTER_BUILD_TARGET");

/// Compiler, such as `rustc 1.95.0 (…)`; `None` if it did not say.
pub const COMPILER: Option<&str> = option_env!("PITMASTER_BUILD_COMPILER");

/// Number of digits of a commit where it is shown.
const SHORT: usize = 12;

/// Identity of a program that plays games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Version.
    #[serde(rename = "program")]
    pub version: String,
    /// Commit, see [`COMMIT`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub commit: Option<String>,
    /// Digest of the rules, see [`RULES`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rules: Option<String>,
}

impl Build {
    /// Identity of this program.
    pub fn own() -> Self {
        Self {
            version: VERSION.into(),
            commit: COMMIT.map(str::to_owned),
            rules: RULES.map(str::to_owned),
        }
    }

    /// Why another program may play other games; `None` if it plays the same ones. What one of the
    /// two does not know is not compared, but one of commit and rules has to be.
    pub fn differs_from(&self, other: &Self) -> Option<Difference> {
        let differ = |one: &Option<String>, two: &Option<String>| {
            one.as_ref().zip(two.as_ref()).map(|(one, two)| one != two)
        };
        if self.version != other.version {
            return Some(Difference::Version);
        }
        match (differ(&self.commit, &other.commit), differ(&self.rules, &other.rules)) {
            (Some(true), _) => Some(Difference::Commit),
            (_, Some(true)) => Some(Difference::Rules),
            (None, None) => Some(Difference::Unknown),
            _ => None,
        }
    }
}

/// The first property in which two builds differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// The versions differ.
    Version,
    /// The commits differ.
    Commit,
    /// The sources of the rules differ: one of them was changed after the commit.
    Rules,
    /// They have neither a commit nor rules that could be compared.
    Unknown,
}

impl fmt::Display for Build {
    /// `0.1.0 (commit 750bbc8a1b2c, rules 8f5c…)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &Option<String>| {
            text.as_ref().map_or("unknown".to_owned(), |text| text.chars().take(SHORT).collect())
        };
        write!(f, "{} (commit {}, rules {})", self.version, short(&self.commit), short(&self.rules))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(version: &str, commit: Option<&str>, rules: Option<&str>) -> Build {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Build { version: version.into(), commit: owned(commit), rules: owned(rules) }
    }

    #[test]
    fn builds_differ_by_version_commit_or_rules() {
        let ours = build("0.1.0", Some("aaaaaaaaaaaabb"), Some("11"));
        let other = |version, commit, rules| ours.differs_from(&build(version, commit, rules));
        assert_eq!(ours.differs_from(&ours), None);
        assert_eq!(other("0.2.0", Some("aaaaaaaaaaaabb"), Some("11")), Some(Difference::Version));
        assert_eq!(other("0.1.0", Some("aaaaaaaaaaaacc"), Some("11")), Some(Difference::Commit));
        assert_eq!(other("0.1.0", Some("aaaaaaaaaaaabb"), Some("12")), Some(Difference::Rules));
        // A package knows its commit only, a copy of the sources its rules only.
        assert_eq!(other("0.1.0", Some("aaaaaaaaaaaabb"), None), None);
        assert_eq!(other("0.1.0", None, Some("11")), None);
        assert_eq!(other("0.1.0", None, None), Some(Difference::Unknown));
    }

    #[test]
    fn a_build_reads_what_older_programs_sent() {
        let old: Build = serde_json::from_str(r#"{"program":"0.0.1"}"#).unwrap();
        assert_eq!(old, build("0.0.1", None, None));
        assert_eq!(old.to_string(), "0.0.1 (commit unknown, rules unknown)");
    }

    #[test]
    fn this_build_knows_its_rules_and_target() {
        let rules = RULES.expect("the tests are built in the workspace");
        assert!(rules.len() == 16 && rules.bytes().all(|byte| byte.is_ascii_hexdigit()), "{rules}");
        assert!(TARGET.contains('-') && COMPILER.is_some_and(|it| it.starts_with("rustc ")));
    }
}
