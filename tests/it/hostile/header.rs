//! Header of a hostile bot's source.
//!
//! `expect:` is the ending. `attack:` is the result of its attack on the machine: a word for all
//! tiers, or `tier=word` for a single tier. `a|b` means one of both, `silent` that there can be no
//! report, and `succeeded:x,y` that the successes must include x and y. `promise:` is the guarantee
//! that a machine must keep to refuse the attack.

use std::fs;
use std::path::{Path, PathBuf};

/// Expectations of one bot.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    ending: String,
    attack: Option<String>,
    pub(crate) promise: Option<String>,
}

impl Header {
    /// Reads the header; exactly one file of the bot must have one.
    pub(crate) fn of(bot: &str) -> Self {
        let files = fs::read_dir(folder(bot)).expect("a folder").flatten();
        let sources = files.map(|file| fs::read(file.path()).expect("reads"));
        let texts = sources.map(|source| String::from_utf8_lossy(&source).into_owned());
        let said: Vec<_> = texts.filter(|text| value(text, "expect").is_some()).collect();
        let [text] = &said[..] else { panic!("{bot} says once what to expect") };
        Self {
            ending: value(text, "expect").expect("it was there"),
            attack: value(text, "attack"),
            promise: value(text, "promise"),
        }
    }

    /// Whether the bot attacks the machine, in addition to breaking the protocol.
    pub(crate) fn is_attack(&self) -> bool {
        self.attack.is_some()
    }

    /// The expected endings in a tier.
    pub(crate) fn endings(&self, tier: &str) -> Vec<&str> {
        in_tier(&self.ending, tier)
    }

    /// Possible outcomes of its attack in a tier; empty without an attack.
    pub(crate) fn outcomes(&self, tier: &str) -> Vec<&str> {
        self.attack.as_deref().map_or(Vec::new(), |words| in_tier(words, tier))
    }
}

/// The folder of a hostile bot.
pub(crate) fn folder(bot: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hostile").join(bot)
}

fn value(text: &str, key: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("{key}: "))?;
    Some(rest.lines().next()?.trim_end_matches("*/").trim().to_owned())
}

fn in_tier<'t>(words: &'t str, tier: &str) -> Vec<&'t str> {
    let of_tier = |word: &'t str| word.split_once('=').filter(|(name, _)| *name == tier);
    let of_all = words.split(' ').find(|word| !word.contains('='));
    let special = words.split(' ').find_map(|word| Some(of_tier(word)?.1));
    let word = special.or(of_all).unwrap_or_else(|| panic!("{words:?} says nothing of {tier}"));
    word.split('|').collect()
}

/// Whether the report of an attack is one of the outcomes.
pub(crate) fn is_as_expected(told: Option<&str>, outcomes: &[&str]) -> bool {
    outcomes.iter().any(|outcome| match (told, outcome.split_once(':')) {
        (None, _) => *outcome == "silent",
        (Some(told), None) => told.split(':').next() == Some(outcome),
        (Some(told), Some((word, parts))) => {
            let done: Vec<_> = told.split([':', ' ']).collect();
            done.first() == Some(&word) && parts.split(',').all(|part| done.contains(&part))
        }
    })
}

#[test]
fn words_are_for_all_tiers_or_for_one() {
    assert_eq!(in_tier("none full=none|exited", "bare"), ["none"]);
    assert_eq!(in_tier("none full=none|exited", "full"), ["none", "exited"]);
    assert_eq!(value("# expect: none\n# x", "expect").as_deref(), Some("none"));
    assert_eq!(value("/* expect: exited */", "expect").as_deref(), Some("exited"));
}

#[test]
fn what_is_told_is_compared_with_what_is_expected() {
    let told = Some("succeeded: tcp udp");
    for (told, outcome, right) in [
        (told, "succeeded", true),
        (told, "succeeded:udp", true),
        (told, "succeeded:udp,abstract", false),
        (told, "refused", false),
        (Some("refused"), "refused", true),
        (Some("refused"), "succeeded", false),
        (None, "silent", true),
        (None, "refused", false),
        (told, "silent", false),
    ] {
        assert_eq!(is_as_expected(told, &[outcome]), right, "{told:?} {outcome}");
    }
    assert!(is_as_expected(None, &["refused", "silent"]));
}
