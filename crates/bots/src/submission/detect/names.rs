//! File name heuristics: what the name of a file or folder suggests about its role in a submission.
//!
//! Must not depend on the content of the files.

use std::path::{Component, Path};

/// Names of programs that are never a bot.
const REFEREES: [&str; 5] = ["arbitre", "arbiter", "referee", "schiedsrichter", "umpire"];

/// Names of programs that are rarely a bot.
const TOOLS: [&str; 43] = [
    "analyse",
    "analyze",
    "arena",
    "backup",
    "bench",
    "benchmark",
    "conftest",
    "copie",
    "copy",
    "debug",
    "demo",
    "doc",
    "docs",
    "example",
    "examples",
    "exemple",
    "exemples",
    "gen",
    "generate",
    "gui",
    "human",
    "humain",
    "install",
    "interface",
    "junit",
    "manual",
    "old",
    "perft",
    "plot",
    "script",
    "scripts",
    "server",
    "serveur",
    "setup",
    "simulate",
    "simulation",
    "simulator",
    "tool",
    "tools",
    "tournament",
    "tournoi",
    "train",
    "training",
];

const TESTS: [&str; 8] =
    ["spec", "specs", "test", "tests", "testing", "unittest", "unittests", "tester"];

/// Folders of tools, editors and builds, without sources of a bot.
const NO_SOURCES: [&str; 10] = [
    "CMakeFiles",
    "build",
    "dist",
    "node_modules",
    "obj",
    "out",
    "pitmaster-build",
    "site-packages",
    "target",
    "vendor",
];

/// Folders with programs of packages and build tools.
const NO_PROGRAMS: [&str; 3] = ["CMakeFiles", "node_modules", "site-packages"];

/// Lowercase words of a path, split at capitals, digits and other characters: `src/TestBoard2.java`
/// has `src`, `test`, `board` and `java`.
fn words(path: &Path) -> Vec<String> {
    let mut words = Vec::new();
    for part in path.components().filter_map(plain) {
        let mut word = String::new();
        let mut after_small = false;
        for c in part.chars() {
            if !c.is_alphabetic() || (c.is_uppercase() && after_small) {
                words.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase().filter(|c| c.is_alphabetic()));
            after_small = c.is_lowercase();
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    words
}

fn plain(part: Component<'_>) -> Option<String> {
    match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    }
}

fn has_word(path: &Path, known: &[&str]) -> bool {
    words(&path.with_extension("")).iter().any(|word| known.contains(&&**word))
}

/// Whether a path is the contest's own referee.
pub(super) fn is_referee(path: &Path) -> bool {
    has_word(path, &REFEREES)
}

/// Whether a path is a test or a tool of the bot's author.
pub(super) fn is_beside_a_bot(path: &Path) -> bool {
    is_test(path) || has_word(path, &TOOLS)
}

fn is_test(path: &Path) -> bool {
    has_word(path, &TESTS) || stem(path).starts_with("test")
}

/// Whether a path is named like a bot's main file.
pub(super) fn is_called_main(path: &Path) -> bool {
    ["bot", "main", "__main__"].contains(&&*stem(path))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Whether a path may contain sources of a bot.
pub(super) fn may_hold_sources(path: &Path) -> bool {
    folders_of(path).all(|name| {
        !is_hidden(&name)
            && !NO_SOURCES.contains(&&*name)
            && !name.starts_with("cmake-build")
            && !name.starts_with("pitmaster-")
    })
}

/// Whether a path may contain a bot's program.
pub(super) fn may_hold_programs(path: &Path) -> bool {
    folders_of(path).all(|name| !is_hidden(&name) && !NO_PROGRAMS.contains(&&*name))
}

/// Whether a name begins with a dot, as those of editors, tools and systems.
pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn folders_of(path: &Path) -> impl Iterator<Item = String> {
    path.parent().unwrap_or(Path::new("")).components().filter_map(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_capitals_digits_and_marks() {
        assert_eq!(words(Path::new("src/TestBoard2.java")), ["src", "test", "board", "java"]);
        assert_eq!(
            words(Path::new("mon_IA-v2/Évaluation.c")),
            ["mon", "ia", "v", "évaluation", "c"]
        );
    }

    #[test]
    fn parts_are_known_by_words_and_not_by_letters() {
        for (path, referee, beside) in [
            ("Arbitre.java", true, false),
            ("arbitre/Main.java", true, false),
            ("TheReferee.java", true, false),
            ("test_rules.py", false, true),
            ("tests/a.c", false, true),
            ("BoardTest.java", false, true),
            ("tools/plot.py", false, true),
            ("latest.py", false, false),
            ("contestant.c", false, false),
            ("Bot.java", false, false),
            ("trainer/bot.py", false, false),
        ] {
            let path = Path::new(path);
            assert_eq!((is_referee(path), is_beside_a_bot(path)), (referee, beside), "{path:?}");
        }
    }

    #[test]
    fn what_builds_and_packages_leave_holds_no_sources() {
        for (path, sources, programs) in [
            ("src/main.c", true, true),
            ("build/CMakeFiles/a.c", false, false),
            ("cmake-build-debug/bot", false, true),
            (".vscode/x.js", false, false),
            ("node_modules/x/index.js", false, false),
            ("bin/bot", true, true),
        ] {
            let path = Path::new(path);
            assert_eq!(
                (may_hold_sources(path), may_hold_programs(path)),
                (sources, programs),
                "{path:?}"
            );
        }
    }
}
