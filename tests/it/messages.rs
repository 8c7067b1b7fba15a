//! Compares the French catalog with the messages in the code: every message has a translation,
//! every entry is used, and both have the same placeholders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pitmaster::check::What;
use pitmaster::core::i18n::{sentences, translations};

/// Messages that are the same in both languages.
const SAME: [&str; 26] = [
    "assistant",
    "Administration",
    "Bot",
    "Bots",
    "Buchholz",
    "Codes",
    "Documents",
    "Elo",
    "Pause",
    "Points",
    "Score",
    "Sessions",
    "Sonneborn-Berger",
    "Version",
    "Versions",
    "`ready`",
    "bot",
    "max ms",
    "note",
    "p",
    "points",
    "print(…, flush=True)",
    "score",
    "transparent",
    "verdict",
    "· note",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with one of these extensions, sorted.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path.extension().is_some_and(|end| endings.iter().any(|known| end == *known)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// First string literals in the arguments of these calls.
fn literals(source: &str, calls: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for call in calls {
        for (place, _) in source.match_indices(call) {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let inside = call.starts_with("t(") && source[..place].ends_with(is_word);
            let argument = source[place + call.len()..].trim_start();
            if let Some(text) = argument.strip_prefix('"').filter(|_| !inside) {
                found.push(unescaped(text));
            }
        }
    }
    found
}

/// A literal up to its closing quote, unescaped.
fn unescaped(literal: &str) -> String {
    let mut chars = literal.chars().peekable();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '"' => return text,
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                Some('u') => {
                    let code: String = chars.by_ref().take_while(|&c| c != '}').collect();
                    let code = u32::from_str_radix(code.trim_start_matches('{'), 16);
                    text.extend(code.ok().and_then(char::from_u32));
                }
                other => text.extend(other),
            },
            c => text.push(c),
        }
    }
    panic!("a literal without an end: {literal}");
}

/// Every message that contains a letter or a sign that French spaces differently, with its
/// location.
fn said() -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    let mut add = |text: String, place: String| {
        if text.contains(|c: char| c.is_alphabetic() || ":;!?%".contains(c)) {
            said.entry(text).or_insert(place);
        }
    };
    let mut sources = files(&root().join("src"), &["rs"]);
    sources.extend(files(&root().join("crates"), &["rs", "html", "js"]));
    sources.retain(|path| !path.iter().any(|part| part == "tests" || part == "tests.rs"));
    for path in sources {
        let is_rust = path.extension().is_some_and(|end| end == "rs");
        let calls: &[_] = if is_rust { &["said!(", "lang.text("] } else { &["t("] };
        let source = read(&path);
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for text in literals(code, calls) {
            add(text, path.display().to_string());
        }
    }
    for what in What::ALL {
        add(what.about().to_string(), format!("{what:?}"));
    }
    let pages = files(&root().join("kits"), &["md"]);
    for page in pages.iter().filter(|page| **page != root().join("kits/README.md")) {
        for text in sentences(&read(page)) {
            add(text, page.display().to_string());
        }
    }
    said
}

/// Placeholders of a text, numbered from 1.
fn places(text: &str) -> BTreeSet<usize> {
    let mut next = 0;
    let inner = text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
    let place = |inner: &str| {
        let place = if inner.is_empty() { Some(next + 1) } else { inner.parse().ok() };
        next = place.unwrap_or(next);
        place
    };
    inner.filter_map(place).collect()
}

#[test]
fn every_message_has_its_french() {
    let rows: BTreeSet<_> = translations().iter().map(|(english, _)| *english).collect();
    let said = said();
    let lack = said.iter().filter(|(text, _)| !rows.contains(&***text));
    let lack: Vec<_> = lack.map(|(text, place)| format!("{text:?} ({place})")).collect();
    assert!(lack.is_empty(), "no entry in crates/core/locales/fr.po:\n{}", lack.join("\n"));
}

#[test]
fn every_row_is_said_once() {
    let said = said();
    let mut seen = BTreeSet::new();
    for (english, _) in translations() {
        assert!(said.contains_key(*english), "unused entry {english:?}");
        assert!(seen.insert(english), "two entries for {english:?}");
    }
}

#[test]
fn both_languages_have_the_same_places() {
    for (english, french) in translations() {
        assert_eq!(places(english), places(french), "{english:?}: {french:?}");
    }
}

#[test]
fn what_is_the_same_in_both_languages_is_known() {
    let same = translations().iter().filter(|(english, french)| english == french);
    let same: BTreeSet<_> = same.map(|(english, _)| *english).collect();
    assert_eq!(same, BTreeSet::from(SAME));
}

#[test]
fn french_has_one_apostrophe_and_no_blank_at_its_ends() {
    for (english, french) in translations() {
        assert!(!french.contains(['’', '\u{202f}']), "{french:?}");
        let blanks = |text: &str| [text.starts_with(' '), text.ends_with(' ')];
        let may_begin = english.starts_with([';', ':']);
        assert!(may_begin || blanks(english) == blanks(french), "{english:?}: {french:?}");
    }
}

#[test]
fn literals_are_read_as_the_compiler_reads_them() {
    let source =
        "said!(\n    \"a \\\n     b\\n\\\"c\\\" {}\", x); lang.text(name); lang.text(\"é\\u{a0}\")";
    assert_eq!(literals(source, &["said!(", "lang.text("]), ["a b\n\"c\" {}", "é\u{a0}"]);
    assert_eq!(literals("t(\"x\") left(\"y\") {{ t( \"z\" ) }}", &["t("]), ["x", "z"]);
    assert_eq!(places("{2} {n} {} {x"), BTreeSet::from([2, 3]));
}
