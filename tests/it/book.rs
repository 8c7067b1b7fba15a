//! Tutorial pages of the book: their commands run in the order of the page, in an empty folder, in
//! a shell that stops at the first failure.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::scratch::on_a_machine_of_its_own;

/// Pages whose commands are run. French pages have the same blocks (`translations.rs`).
const PAGES: [&str; 8] = [
    "docs/install.md",
    "docs/student.md",
    "docs/teacher.md",
    "docs/operator.md",
    "docs/games.md",
    "docs/ratings.md",
    "docs/statistics.md",
    "docs/server.md",
];

/// Commands that create the files that a page assumes.
const BEFORE: [(&str, &str); 1] = [(
    "docs/ratings.md",
    "pitmaster match house:greedy house:random house:minimaxer,level=1 --pairs 3 --openings 3 --name demo\n",
)];

/// Marks a block that needs what a test does not have.
const NOT_RUN: &str = "<!-- not run: ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The shell blocks of a page, without those marked as not run.
fn script(page: &str) -> String {
    let mut text = String::from("set -eu\n");
    let (mut inside, mut last) = (false, "");
    for line in page.lines() {
        if line.starts_with("```") {
            inside = !inside && line == "```sh" && !last.starts_with(NOT_RUN);
        } else if inside {
            text.push_str(line);
            // A machine without all guarantees is no fault of the page.
            text.push_str(if line == "pitmaster doctor" { " || test $? -eq 3\n" } else { "\n" });
        }
        last = line;
    }
    text
}

fn run(page: &str) {
    let mut text = script(&fs::read_to_string(root().join(page)).expect("a page"));
    assert!(text.lines().count() > 1, "{page} has no commands");
    if let Some((_, before)) = BEFORE.iter().find(|(of, _)| *of == page) {
        text.insert_str(0, before);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_pitmaster")).parent().expect("a folder");
    let path = std::env::var("PATH").expect("a PATH");
    let mut command = Command::new("sh");
    on_a_machine_of_its_own(&mut command);
    let output = command
        .args(["-c", &text])
        .current_dir(folder.path())
        .env("PATH", format!("{}:{path}", program.display()))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("a shell");
    let [out, err] =
        [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned());
    assert!(output.status.success(), "{page}: {}\n{out}\n{err}", output.status);
}

#[test]
#[ignore = "slow: plays all tournaments of the book, some minutes"]
fn the_commands_of_the_book_run() {
    PAGES.into_iter().for_each(run);
}

#[test]
fn blocks_are_run_unless_they_say_why_not() {
    let page = "```sh\npitmaster doctor\n```\n\n<!-- not run: a network -->\n```sh\ncurl x\n```\n\
                ```toml\nversion = 1\n```\n```sh\ntrue\n```\n";
    assert_eq!(script(page), "set -eu\npitmaster doctor || test $? -eq 3\ntrue\n");
}

#[test]
fn every_page_of_docs_is_in_the_book() {
    let summary = fs::read_to_string(root().join("docs/book/SUMMARY.md")).expect("a summary");
    let mut count = 0;
    for folder in ["", "fr/"] {
        for entry in fs::read_dir(root().join("docs").join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            if name.strip_suffix(".md").is_some() {
                count += 1;
                assert!(summary.contains(&format!("(../{folder}{name})")), "{folder}{name}");
            }
        }
    }
    assert!(count >= PAGES.len(), "{count} pages");
}

/// All links between the pages of the book, and to headings, have a target.
#[test]
fn the_links_of_the_book_lead_somewhere() {
    let checked = Command::new("python3")
        .args(["scripts/book", "--check"])
        .current_dir(root())
        .output()
        .expect("python3 starts");
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    assert!(checked.status.success(), "{told}");
}
