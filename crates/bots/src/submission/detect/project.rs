//! Project folders that define their own build: Cargo, Go, CMake, make, npm.
//!
//! Must not depend on which of several projects is the bot.

use std::path::{Path, PathBuf};

use super::super::tree::Tree;
use super::recipe::{CMAKE, Recipe, dotted, step};
use super::survey::{Survey, text_of};

/// Maximum bytes read of a project file.
const MOST: u64 = 256 << 10;

/// Project of a folder with its defining file.
pub(super) fn project(folder: &Path, survey: &Survey, tree: &Tree) -> Option<(PathBuf, Recipe)> {
    let text = |name: &str| text_of(tree.root(), &folder.join(name), MOST);
    let has = |name: &&str| survey.has(folder, name);
    let found = |name: &str, recipe| Some((folder.join(name), recipe));
    if has(&"Cargo.toml") {
        let build = vec![step("cargo", &["build", "--release"])];
        return found("Cargo.toml", Recipe::made(folder, build, "target/release"));
    }
    if has(&"go.mod") {
        let built = super::recipe::BUILT;
        return found("go.mod", Recipe::compiled(folder, "go", &["build", "-o", built, "."]));
    }
    let makefile = ["GNUmakefile", "makefile", "Makefile"].into_iter().find(has);
    let makefile = makefile.filter(|_| !survey.is_interpreted(folder));
    let makefile = makefile.map(|name| (name, text(name)));
    match makefile {
        Some((name, text)) if !text.starts_with("# CMAKE generated") => {
            found(name, made(folder, &text))
        }
        _ if has(&"CMakeLists.txt") => found("CMakeLists.txt", made_by_cmake(folder)),
        _ if has(&"package.json") => {
            let start = started_by_npm(folder, &text("package.json"), survey)?;
            let start = dotted(&start);
            found("package.json", Recipe::interpreted(folder, "node", &[&start]))
        }
        _ => None,
    }
}

/// A full rebuild with make, regardless of submitted build results.
fn made(folder: &Path, makefile: &str) -> Recipe {
    let words = goal(makefile).map_or_else(|| vec!["-B"], |goal| vec!["-B", goal]);
    Recipe::made(folder, vec![step("make", &words)], ".")
}

/// The build target, if it is not the first one.
fn goal(makefile: &str) -> Option<&'static str> {
    const GOALS: [&str; 5] = ["all", "build", "release", "bot", "main"];
    const OTHERS: [&str; 9] =
        ["clean", "help", "test", "tests", "check", "run", "install", "zip", "doc"];
    let targets: Vec<_> = makefile.lines().filter_map(targets_of).flatten().collect();
    let has = |goal: &&str| targets.contains(goal);
    let first = targets.iter().find(|target| !target.starts_with('.'));
    let builds = first.is_none_or(|first| !OTHERS.contains(first));
    let goals = if builds { &GOALS[..1] } else { &GOALS[..] };
    goals.iter().find(|goal| has(goal)).copied()
}

fn targets_of(line: &str) -> Option<std::str::SplitWhitespace<'_>> {
    let (targets, rest) = line.split_once(':')?;
    let is_rule =
        !line.starts_with(['\t', ' ', '#']) && !rest.starts_with('=') && !targets.contains('=');
    is_rule.then(|| targets.split_whitespace())
}

/// Build with CMake in a separate folder, without tests and without the network.
fn made_by_cmake(folder: &Path) -> Recipe {
    const CONFIGURE: [&str; 7] = [
        "-S",
        ".",
        "-B",
        CMAKE,
        "-DCMAKE_BUILD_TYPE=Release",
        "-DBUILD_TESTING=OFF",
        "-DFETCHCONTENT_FULLY_DISCONNECTED=ON",
    ];
    let build = vec![step("cmake", &CONFIGURE), step("cmake", &["--build", CMAKE])];
    let recipe = Recipe::made(folder, build, CMAKE);
    Recipe { needs: vec!["make".into()], ..recipe }
}

/// The file of `main`, or the one that `npm start` passes to node.
fn started_by_npm(folder: &Path, package: &str, survey: &Survey) -> Option<String> {
    let package: serde_json::Value = serde_json::from_str(package).ok()?;
    let start = package["scripts"]["start"].as_str().and_then(|line| line.strip_prefix("node "));
    let named = [package["main"].as_str(), start.map(str::trim)];
    let is_there = |name: &&str| {
        let plain = !name.split('/').any(|part| part == "..") && !name.contains(['{', '\0']);
        plain && survey.has(folder, name)
    };
    let tidy = |name: &'_ str| name.trim_start_matches("./").to_owned();
    let named = named.into_iter().flatten().map(tidy);
    named
        .flat_map(|name| [format!("{name}.js"), name].into_iter().rev())
        .find(|name| is_there(&&**name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn make_is_given_the_target_that_builds() {
        for (makefile, wanted) in [
            ("bot: bot.o\n\tcc -o $@ $^\n", None),
            ("CC := gcc\nCFLAGS=-O2\nbot: bot.c\nall: bot tests\n", Some("all")),
            (".PHONY: help all\nhelp:\n\techo hi\nall: bot\n", Some("all")),
            ("test: bot\n\t./test\nbot: bot.c\n", Some("bot")),
            ("clean:\n\trm x\nplayer: p.c\n", None),
            ("\tall: no rule\n# all: neither\n", None),
        ] {
            assert_eq!(goal(makefile), wanted, "{makefile:?}");
        }
    }
}
