//! Files of a release: their versions agree, workflows pin their dependencies, and the package
//! contains only what users need.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn workflows() -> Vec<PathBuf> {
    let folders = [".github/workflows", "docs/workflows"];
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn every_heading_of_the_changes_is_a_version() {
    let changes = read("CHANGELOG.md");
    let headings: Vec<_> = changes.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let newest = headings.first().and_then(|heading| heading.split(',').next());
    assert_eq!(newest, Some(env!("CARGO_PKG_VERSION")));
    for (at, heading) in headings.iter().enumerate() {
        let (version, date) = heading.split_once(", ").expect("a version and a date");
        assert!(version.split('.').count() == 3, "{heading}");
        let digits: String =
            date.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
        let is_next = at == 0 && date == "not released yet";
        assert!(is_next || digits == "0000-00-00", "{heading}");
    }
}

#[test]
fn the_versions_of_all_papers_agree() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    for path in workflows() {
        let text = fs::read_to_string(&path).expect("a workflow");
        for line in text.lines().filter(|line| line.contains("pipx install")) {
            assert!(line.ends_with(&format!("pitmaster=={version}")), "{}: {line}", path.display());
        }
    }
}

#[test]
fn workflows_pin_actions_by_hash_and_have_no_rights_of_their_own() {
    let mut uses = 0;
    for path in workflows() {
        let (name, text) = (path.display(), fs::read_to_string(&path).expect("a workflow"));
        assert!(text.contains("\npermissions: {}\n"), "{name}");
        for line in text.lines().filter_map(|line| line.split_once("uses: ").map(|(_, it)| it)) {
            let (action, version) = line.split_once(" # v").expect("a comment with the version");
            let (_, hash) = action.split_once('@').expect("a hash");
            let is_hash = hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_hash && !version.is_empty(), "{name}: {line}");
            uses += 1;
        }
    }
    assert!(uses > 10, "{uses}");
}

/// Virus scanners of a lab would reject bots that attack a referee.
#[test]
fn the_package_has_no_tests_and_no_hostile_bots() {
    let listed = Command::new(env!("CARGO"))
        .args(["package", "--list", "--offline", "--allow-dirty", "--package", "pitmaster"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let listed = String::from_utf8(listed.stdout).expect("UTF-8");
    let files: Vec<_> = listed.lines().collect();
    for wanted in ["src/main.rs", "README.md", "LICENSE-MIT", "NOTICE", "kits/python/think.py"] {
        assert!(files.contains(&wanted), "{wanted} is missing");
    }
    let unwanted = ["bots/hostile/", "tests/", "fuzz/", ".ci/", ".github/", "results/"];
    let found: Vec<_> = files
        .iter()
        .filter(|file| unwanted.iter().any(|folder| file.starts_with(folder)))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

/// Rows of the table of systems in SECURITY.md.
fn systems() -> Vec<Vec<String>> {
    let page = read("SECURITY.md");
    let (_, after) = page.split_once("\n## Systems\n").expect("a section");
    let rows = after.lines().skip_while(|line| !line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|it| it.trim().to_owned()).collect();
    rows.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

/// The first text in backticks.
fn code(cell: &str) -> Option<&str> {
    cell.split('`').nth(1)
}

/// The table lists a system only as far as CI compiles and tests it, and lists all systems that are
/// compiled.
#[test]
fn the_systems_are_those_that_are_compiled_and_tested() {
    // What a file says of a target that it does not name.
    let own = "cargo test --features cluster,server";
    let words = |file: &str, target: &str| match (file, target) {
        (".ci/run", "x86_64-unknown-linux-gnu") => own.to_owned(),
        (".github/workflows/ci.yml", "aarch64-unknown-linux-gnu") => {
            "runs-on: ubuntu-24.04-arm".into()
        }
        (".github/workflows/ci.yml", "aarch64-apple-darwin") => "runs-on: macos-15".into(),
        _ => target.to_owned(),
    };
    let systems = systems();
    let mut listed = Vec::new();
    for row in systems.iter().filter(|row| row[1] != "none") {
        let target = code(&row[1]).expect("a target");
        for file in [&row[2], &row[3]].map(|cell| code(cell).expect("a file")) {
            assert!(read(file).contains(&words(file, target)), "{file} does not name {target}");
        }
        listed.push(target);
    }
    for file in [".ci/run", ".ci/release-files", "scripts/release"] {
        let text = read(file);
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c));
        let is_target = |word: &&str| ["-linux-", "-apple-"].iter().any(|part| word.contains(part));
        for target in words.filter(is_target) {
            assert!(listed.contains(&target), "{file}: {target} is not in SECURITY.md");
        }
    }
}
