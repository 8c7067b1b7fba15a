//! The page about the practice server's security: every test, file and page that it names exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const PAGE: &str = "docs/security-server.md";

/// Tests of a file: their modules, from the crate's name on, and their own name.
fn tests_of(file: &Path, text: &str) -> Vec<Vec<String>> {
    let known = |part: &&str| !matches!(*part, "crates" | "src" | "it" | "mod" | "lib");
    let path = file.with_extension("");
    let parts = path.to_str().expect("a name of ours").split('/').filter(known);
    let modules: Vec<_> = parts.map(str::to_owned).collect();
    let (mut found, mut is_test, mut inside) = (Vec::new(), false, None);
    for line in text.lines() {
        let word = line.trim_start();
        if let Some(name) = word.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            inside = Some(name.to_owned());
        }
        is_test |= word.starts_with("#[test]") || word.starts_with("#[tokio::test");
        let name = word.strip_prefix("async fn ").or_else(|| word.strip_prefix("fn "));
        if let Some((name, _)) = name.and_then(|rest| rest.split_once('(')) {
            if is_test {
                let path = modules.iter().cloned().chain(inside.clone());
                found.push(path.chain([name.to_owned()]).collect());
            }
            is_test = false;
        }
    }
    found
}

fn all_tests(root: &Path, folder: &Path, found: &mut Vec<Vec<String>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            all_tests(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            found.extend(tests_of(path.strip_prefix(root).expect("beneath it"), &text));
        }
    }
}

/// Whether the words stand for a test: modules that follow one another, and the beginning of the
/// last word.
fn is_test(words: &[&str], test: &[String]) -> bool {
    let (last, before) = words.split_last().expect("a word");
    test.windows(words.len()).any(|part| {
        let (end, begin) = part.split_last().expect("a word");
        begin.iter().map(String::as_str).eq(before.iter().copied()) && end.starts_with(last)
    })
}

/// What stands between backticks in a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_test_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(PAGE)).expect("the page");
    let mut tests = Vec::new();
    for folder in ["crates", "src", "tests"] {
        all_tests(root, &root.join(folder), &mut tests);
    }
    let named: BTreeSet<_> = quoted(&page).filter(|name| name.contains("::")).collect();
    assert!(named.len() > 60, "{}", named.len());
    let is_absent = |name: &&&str| {
        let words: Vec<_> = name.split("::").collect();
        !tests.iter().any(|test| is_test(&words, test))
    };
    let absent: Vec<_> = named.iter().filter(is_absent).collect();
    assert!(absent.is_empty(), "{PAGE} names tests that there are not: {absent:#?}");
}

#[test]
fn every_file_that_the_page_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(PAGE)).expect("the page");
    let is_path = |name: &&str| {
        let first = name.split(['/', ' ']).next().unwrap_or_default();
        ["crates", "scripts", "docs", "bots", "deny.toml"].contains(&first)
    };
    let mut seen = 0;
    for name in quoted(&page).filter(is_path) {
        let path = name.split(' ').next().unwrap_or_default();
        assert!(root.join(path).exists(), "{PAGE} names {path}");
        seen += 1;
    }
    for target in page.split("fuzz target `").skip(1).filter_map(|rest| rest.split('`').next()) {
        assert!(root.join(format!("fuzz/fuzz_targets/{target}.rs")).exists(), "{target}");
        seen += 1;
    }
    assert!(seen > 8, "{seen}");
}

#[test]
fn all_of_level_1_is_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join(PAGE)).expect("the page");
    let (_, level) = page.split_once("### Level 1").expect("level 1");
    let (one, two) = level.split_once("### Level 2").expect("level 2");
    let rows = |text: &str| text.lines().filter(|line| line.starts_with("| ")).count() - 1;
    assert!(rows(one) > 25 && rows(two) > 20, "{} and {} rows", rows(one), rows(two));
    assert!(!one.contains("**"), "level 1 has no exceptions");
}
