//! Guards the house: no room uses one that stands below it in the table of `src/lib.rs`, and
//! the pure rooms name no runtime, file, process, clock or unseeded randomness.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Paths that a pure room must not name, wherever they stand in a `use`.
const IMPURE_PATHS: &[(&str, &[&str])] =
    &[("std", &["env", "fs", "net", "os", "process", "thread"]), ("rand", &["rng", "random"])];

/// Names that a pure room must not use at all.
const IMPURE_NAMES: &[&str] = &[
    "Instant",
    "OsRng",
    "SysRng",
    "SystemTime",
    "ThreadRng",
    "from_os_rng",
    "libc",
    "rusqlite",
    "rustix",
    "thread_rng",
    "tokio",
];

/// The only rooms among the pure ones that may compute on several threads.
const PARALLEL: &[&str] = &["players", "ratings"];

#[derive(Debug, PartialEq, Eq)]
struct Room {
    name: String,
    pure: bool,
}

/// The table's rows, lowest floor first: `//! | name | yes or nothing | … |`.
fn rooms(lib: &str) -> Vec<Room> {
    lib.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("//! | `")?.split('|').map(str::trim);
            let name = cells.next()?.trim_end_matches(['`', '/']).to_owned();
            Some(Room { name, pure: cells.next()? == "yes" })
        })
        .collect()
}

/// What is wrong with a file. `path` is relative to `src`, with slashes.
fn faults(rooms: &[Room], path: &str, text: &str) -> Vec<String> {
    let name = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
    let Some(floor) = rooms.iter().position(|room| room.name == name) else {
        return vec![format!("{path}: the room {name} is not in the table of src/lib.rs")];
    };
    let tokens = tokens(text);
    let upward = used_rooms(path, &tokens).into_iter().filter_map(|used| {
        match rooms.iter().position(|room| room.name == used) {
            Some(other) if other <= floor => None,
            Some(_) => Some(format!("{path}: {name} must not use {used}, which stands below it")),
            None => Some(format!("{path}: crate::{used} is no room; name the room it is in")),
        }
    });
    let impure = if rooms[floor].pure { impurities(name, &tokens) } else { BTreeSet::new() };
    let impure = impure.into_iter().map(|what| format!("{path}: a pure room must not name {what}"));
    upward.chain(impure).collect()
}

fn impurities(room: &str, tokens: &[&str]) -> BTreeSet<String> {
    let paths = (0..tokens.len()).flat_map(|at| {
        let roots = IMPURE_PATHS.iter().filter(move |(root, _)| tokens[at] == *root);
        roots.flat_map(move |(root, forbidden)| {
            let named = below(tokens, at).into_iter().filter(|name| forbidden.contains(name));
            named.map(move |name| format!("{root}::{name}"))
        })
    });
    let names = tokens
        .iter()
        .filter(|name| {
            IMPURE_NAMES.contains(name) || **name == "rayon" && !PARALLEL.contains(&room)
        })
        .map(|name| (*name).to_owned());
    paths.chain(names).collect()
}

/// The rooms that a file reaches by `crate::` or by enough `super::`.
fn used_rooms<'t>(path: &str, tokens: &[&'t str]) -> BTreeSet<&'t str> {
    let mut used = BTreeSet::new();
    let mut blocks = Vec::new();
    let mut depth = module_depth(path);
    for at in 0..tokens.len() {
        let is_module = at >= 2 && tokens[at - 2] == "mod";
        match tokens[at] {
            "{" => {
                blocks.push(is_module);
                depth += usize::from(is_module);
            }
            "}" => depth -= usize::from(blocks.pop() == Some(true)),
            "crate" => used.extend(below(tokens, at)),
            "super" if supers_before(tokens, at) + 1 == depth => used.extend(below(tokens, at)),
            _ => {}
        }
    }
    // `super::super::room` names `super` too.
    used.remove("super");
    used
}

/// How many modules a file is inside of: 1 for `room/mod.rs` and `room.rs`.
fn module_depth(path: &str) -> usize {
    path.trim_end_matches("/mod.rs").split('/').count()
}

fn supers_before(tokens: &[&str], at: usize) -> usize {
    tokens[..at].rchunks(2).take_while(|pair| *pair == ["super", "::"]).count()
}

/// The names right below the path that ends at `at`: one, or those of a group in braces.
fn below<'t>(tokens: &[&'t str], at: usize) -> Vec<&'t str> {
    match tokens[at + 1..] {
        ["::", "{", ..] => group(&tokens[at + 3..]),
        ["::", name, ..] => vec![name],
        _ => Vec::new(),
    }
}

/// The first names of a group's entries, nested groups left out.
fn group<'t>(tokens: &[&'t str]) -> Vec<&'t str> {
    let mut names = Vec::new();
    let (mut depth, mut is_first) = (0, true);
    for &token in tokens {
        match token {
            "{" => depth += 1,
            "}" if depth == 0 => break,
            "}" => depth -= 1,
            "," if depth == 0 => is_first = true,
            name if std::mem::take(&mut is_first) => names.push(name),
            _ => {}
        }
    }
    names
}

/// Words and marks, without comments, texts and characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = skipped(rest);
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        if !first.is_whitespace() {
            tokens.push(token);
        }
        rest = after;
    }
    tokens
}

/// How many bytes of comment, text or character the source begins with.
fn skipped(rest: &str) -> usize {
    let hashes = rest.strip_prefix('r').map_or(0, |r| r.len() - r.trim_start_matches('#').len());
    let raw = format!("r{}\"", "#".repeat(hashes));
    match rest {
        _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
        _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
        _ if rest.starts_with(&raw) => {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &rest[raw.len()..];
            body.find(&end).map_or(rest.len(), |at| raw.len() + at + end.len())
        }
        _ if rest.starts_with('"') => 1 + quoted(&rest[1..], '"'),
        _ if is_character(rest) => 1 + quoted(&rest[1..], '\''),
        _ => 0,
    }
}

fn quoted(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == mark => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// A character in quotes, not a lifetime.
fn is_character(rest: &str) -> bool {
    let mut chars = rest.chars();
    chars.next() == Some('\'') && (chars.next() == Some('\\') || chars.next() == Some('\''))
}

/// All files below a folder, as text paths relative to it.
fn files(folder: &Path, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let entry = entry.expect("can be listed");
        let name = format!("{prefix}{}", entry.file_name().to_str().expect("a plain name"));
        if entry.path().is_dir() {
            found.extend(files(&entry.path(), &format!("{name}/")));
        } else if entry.path().extension().is_some_and(|extension| extension == "rs") {
            found.push(name);
        }
    }
    found
}

#[test]
fn every_room_keeps_to_its_floor_and_promise() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let read = |path: &str| fs::read_to_string(src.join(path)).expect("readable");
    let rooms = rooms(&read("lib.rs"));
    assert!(rooms.len() >= 11, "the table of src/lib.rs was not understood: {rooms:?}");
    let files = files(&src, "");
    assert!(files.len() > 40, "{files:?}");
    let faults: Vec<String> = files
        .iter()
        .filter(|path| !["lib.rs", "main.rs"].contains(&path.as_str()))
        .flat_map(|path| faults(&rooms, path, &read(path)))
        .collect();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

// The guard itself.

const TABLE: &str = "
//! | room | pure | what it does |
//! |---|---|---|
//! | `record` | yes | words |
//! | `games/` | yes | rules |
//! | `ratings` | yes | numbers |
//! | `bot` | | processes |
";

fn found(path: &str, text: &str) -> Vec<String> {
    faults(&rooms(TABLE), path, text)
}

#[test]
fn the_table_is_read() {
    let named = |name: &str, pure| Room { name: name.into(), pure };
    let expected =
        [named("record", true), named("games", true), named("ratings", true), named("bot", false)];
    assert_eq!(rooms(TABLE), expected);
}

#[test]
fn arrows_upward_are_found_however_they_are_written() {
    for text in [
        "use crate::bot::Process;",
        "use crate :: bot;",
        "use crate::{record::Side, bot::{self, Process}};",
        "fn f(_: crate::bot::Process) {}",
        "use super::bot;",
        "mod inner { use super::super::bot; }",
        "pub(crate) use crate::bot;",
        "fn f<'a>(_: &'a str) { let _ = '\"'; } use crate::bot; // \"",
        "const T: &str = \"a\\\"\"; use crate::bot;",
    ] {
        let faults = found("games/mod.rs", text);
        assert_eq!(
            faults,
            ["games/mod.rs: games must not use bot, which stands below it"],
            "{text}"
        );
    }
    assert_eq!(found("games/a/b.rs", "use super::super::super::bot;").len(), 1);
    assert_eq!(found("games/a/b.rs", "mod bot {} use super::super::bot;").len(), 0);
    assert_eq!(found("record/mod.rs", "use crate::Thing;").len(), 1);
}

#[test]
fn arrows_downward_and_mere_words_are_fine() {
    for text in [
        "use crate::record::Side;",
        "use crate::{games::Game, record::{Side, At}};",
        "use super::bot;",
        "// use crate::bot;\n/* crate::bot */",
        "const T: &str = \"crate::bot\"; const R: &str = r#\"crate::bot \" \"#;",
        "mod tests { use super::*; use super::super::mod_of_this_room; }",
        "pub(crate) struct Bot;",
    ] {
        assert_eq!(found("games/face.rs", text), [""; 0], "{text}");
    }
}

#[test]
fn impure_names_are_found_in_pure_rooms_only() {
    for (text, name) in [
        ("use std::fs;", "std::fs"),
        ("use std::{collections::BTreeMap, fs::File};", "std::fs"),
        ("fn f() { std::thread::yield_now(); }", "std::thread"),
        ("use std::time::{Duration, Instant};", "Instant"),
        ("let _ = rand::rng();", "rand::rng"),
        ("async fn f() { tokio::spawn(g()); }", "tokio"),
        ("use rayon::prelude::*;", "rayon"),
    ] {
        let expected = [format!("record/x.rs: a pure room must not name {name}")];
        assert_eq!(found("record/x.rs", text), expected, "{text}");
        assert_eq!(found("bot/x.rs", text), [""; 0], "{text}");
    }
    assert_eq!(found("ratings/x.rs", "use rayon::prelude::*;"), [""; 0]);
    assert_eq!(found("record/x.rs", "use std::time::Duration; use rand::Rng;"), [""; 0]);
}

#[test]
fn a_room_outside_of_the_table_is_found() {
    assert_eq!(
        found("attic.rs", ""),
        ["attic.rs: the room attic is not in the table of src/lib.rs"]
    );
}
