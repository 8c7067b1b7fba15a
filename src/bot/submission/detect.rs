//! A bot without a manifest: the one obvious way to build and run what is there.
//!
//! Must not know what else bots can be; whatever is not obvious wants a manifest.

use std::path::{Path, PathBuf};

use crate::record::Dialect;

use super::beneath::{EntryKind, Folder};
use super::fault::{FileFault, shown_path};
use super::image::Image;
use super::manifest::{BuildStep, Manifest};
use super::tree::{Entry, Tree};
use super::words::{Program, Word};

/// What a file is good for, by its ending or its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Python,
    Jar,
    JavaScript,
    C,
    Cpp,
    Rust,
    Java,
    Go,
    Executable,
}

/// The program that sources are built into. Not a name that sources have.
const BUILT: &str = "./pitmaster-built";

impl Sort {
    fn of(root: &Folder, entry: &Entry) -> Option<Self> {
        let ending = entry.path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("py") => Some(Self::Python),
            Some("jar") => Some(Self::Jar),
            Some("js" | "mjs" | "cjs") => Some(Self::JavaScript),
            Some("c") => Some(Self::C),
            Some("cpp" | "cc" | "cxx") => Some(Self::Cpp),
            Some("rs") => Some(Self::Rust),
            Some("java") => Some(Self::Java),
            Some("go") => Some(Self::Go),
            _ => is_program(root, &entry.path).then_some(Self::Executable),
        }
    }

    /// Whether one file is built without the others of its sort that lie beside it.
    fn stands_alone(self) -> bool {
        !matches!(self, Self::C | Self::Cpp | Self::Go)
    }

    /// The manifest for a file of this sort. The file is always named with its folder, so
    /// that no name can be taken for an option.
    fn manifest(self, name: &str) -> Manifest {
        let file = format!("./{name}");
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        match self {
            Self::Python => interpreted("python3", &[&file]),
            Self::JavaScript => interpreted("node", &[&file]),
            Self::Jar => interpreted("java", &["-jar", &file]),
            Self::C => compiled("cc", &["-O2", "-o", BUILT, &file, "-lm"]),
            Self::Cpp => compiled("c++", &["-O2", "-std=c++17", "-o", BUILT, &file]),
            Self::Rust => compiled("rustc", &["-O", "--edition", "2021", "-o", BUILT, &file]),
            Self::Java => {
                let javac =
                    step("javac", &["-encoding", "UTF-8", "-d", "./pitmaster-classes", &file]);
                let run = interpreted("java", &["-cp", "./pitmaster-classes", stem]);
                Manifest { build: vec![javac], ..run }
            }
            Self::Go => compiled("go", &["build", "-o", BUILT, &file]),
            Self::Executable => plain(Program::File(file), &[]),
        }
    }
}

/// A manifest as a bot without one has it: the program, the words before the player's
/// number, and the contest's dialect.
fn plain(program: Program, words: &[&str]) -> Manifest {
    let words = words.iter().map(|word| Word::literal(*word));
    Manifest {
        name: None,
        display: None,
        authors: Vec::new(),
        build: Vec::new(),
        program,
        args: words.chain([Word::number()]).collect(),
        dialect: Dialect::Arena,
        games: Vec::new(),
        needs: Vec::new(),
        lenient: false,
    }
}

fn interpreted(interpreter: &str, words: &[&str]) -> Manifest {
    plain(Program::Command(interpreter.into()), words)
}

fn compiled(compiler: &str, words: &[&str]) -> Manifest {
    let build = vec![step(compiler, words)];
    Manifest { build, ..plain(Program::File(BUILT.into()), &[]) }
}

fn step(command: &str, words: &[&str]) -> BuildStep {
    let args = words.iter().map(|&word| word.to_owned()).collect();
    BuildStep { program: Program::Command(command.into()), args }
}

fn is_program(folder: &Folder, path: &Path) -> bool {
    folder.file_by_links(path).is_ok_and(|file| Image::of(&file) != Image::Other)
}

/// Finds the one obvious way. `shown_as` is what faults call the bot.
pub(super) fn detect(tree: &Tree, shown_as: &Path) -> Result<Manifest, FileFault> {
    let files: Vec<_> = tree.top_files().collect();
    let has = |name: &str| files.iter().any(|entry| entry.path == Path::new(name));
    if has("Cargo.toml") {
        let build = vec![step("cargo", &["build", "--release"])];
        return Ok(Manifest { build, ..plain(Program::OnlyOneIn("target/release"), &[]) });
    }
    if has("go.mod") {
        return Ok(compiled("go", &["build", "-o", BUILT, "."]));
    }
    if ["GNUmakefile", "makefile", "Makefile"].into_iter().any(has) {
        return Ok(Manifest {
            build: vec![step("make", &[])],
            ..plain(Program::OnlyOneIn("."), &[])
        });
    }
    let sorted: Vec<_> =
        files.iter().filter_map(|&entry| Some((entry, Sort::of(tree.root(), entry)?))).collect();
    let (entry, sort) = the_main_one(&sorted, shown_as)?;
    match entry.path.to_str() {
        Some(name) => Ok(sort.manifest(name)),
        None => Err(FileFault::whole(
            shown_as.join(&entry.path),
            "its name is not UTF-8; rename it to plain letters",
        )),
    }
}

/// The only file of any sort, or the only one that is called `bot` or `main`.
fn the_main_one<'e>(
    sorted: &[(&'e Entry, Sort)],
    shown_as: &Path,
) -> Result<(&'e Entry, Sort), FileFault> {
    let mains: Vec<_> = sorted.iter().filter(|(entry, _)| is_called_main(&entry.path)).collect();
    let found = match (sorted, &mains[..]) {
        ([only], _) => only,
        (_, [main]) => *main,
        _ => return Err(not_obvious(sorted, shown_as)),
    };
    let others = sorted.iter().filter(|(_, sort)| *sort == found.1).count();
    if others > 1 && !found.1.stands_alone() {
        return Err(not_obvious(sorted, shown_as));
    }
    Ok(*found)
}

fn is_called_main(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default();
    stem.eq_ignore_ascii_case("bot") || stem.eq_ignore_ascii_case("main")
}

fn not_obvious(sorted: &[(&Entry, Sort)], shown_as: &Path) -> FileFault {
    let found: Vec<_> = sorted.iter().map(|(entry, _)| entry.path.clone()).collect();
    let found = match &found[..] {
        [] => "nothing here is a program or a source that could be built".to_owned(),
        some => format!("more than one file could be the bot: {}", names(some)),
    };
    FileFault::whole(shown_as, format!("{found}; {}", write_a_manifest("./bot")))
}

/// The three lines that settle it.
fn write_a_manifest(program: &str) -> String {
    format!(
        "write a bot.toml:\n  \
         build = [\"make\"]  # leave out if there is nothing to build\n  \
         run = [\"{program}\", \"{{n}}\"]  # the words of the command; {{n}} becomes 1 or 2\n  \
         dialect = \"arena\""
    )
}

/// The one program that a build has left at the top of a folder. What was handed in under the
/// same name does not count unless there is nothing else, and among several the one that is
/// called `bot` or `main` is it.
pub(super) fn only_program(
    built: &Folder,
    handed_in: Option<&Folder>,
    shown_as: &Path,
) -> Result<PathBuf, FileFault> {
    let all = programs_in(built);
    let is_new = |name: &&PathBuf| handed_in.is_none_or(|folder| !folder.has(name));
    let new: Vec<_> = all.iter().filter(is_new).cloned().collect();
    let candidates = if new.is_empty() { all } else { new };
    let mains: Vec<_> = candidates.iter().filter(|name| is_called_main(name)).collect();
    match (&candidates[..], &mains[..]) {
        ([only], _) => Ok(only.clone()),
        (_, [main]) => Ok((*main).clone()),
        _ => Err(no_only_program(&candidates, shown_as)),
    }
}

/// The names of executable programs at the top of a folder, sorted.
fn programs_in(folder: &Folder) -> Vec<PathBuf> {
    let names = folder.names(usize::MAX).unwrap_or_default();
    let is_ours = |name: &PathBuf| {
        let kind = folder.kind(name);
        matches!(kind, Ok(EntryKind::File { executable: true })) && is_program(folder, name)
    };
    let mut names: Vec<_> = names.into_iter().map(PathBuf::from).filter(is_ours).collect();
    names.sort();
    names
}

fn no_only_program(candidates: &[PathBuf], shown_as: &Path) -> FileFault {
    let found = match candidates {
        [] => "its build leaves no program where it was looked for".to_owned(),
        some => format!("its build leaves several programs: {}", names(some)),
    };
    let program = candidates.first().map_or("bot".into(), |name| shown_path(name));
    FileFault::whole(shown_as, format!("{found}; {}", write_a_manifest(&format!("./{program}"))))
}

/// A list of names, not all of them if they are many.
fn names(paths: &[PathBuf]) -> String {
    let shown: Vec<_> = paths.iter().take(8).map(|path| shown_path(path)).collect();
    shown.join(", ") + if paths.len() > 8 { ", …" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::super::tree::TreeLimits;
    use super::*;
    use crate::bot::toolchain::script;
    use crate::record::{Limits, Seed, Side};
    use std::fs;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(dir.path().join(name), "").unwrap();
        }
        dir
    }

    fn tree(path: &Path) -> Tree {
        Tree::of(path, TreeLimits::default()).unwrap()
    }

    fn detected(names: &[&str]) -> Result<String, String> {
        let dir = folder(names);
        detect(&tree(dir.path()), Path::new("bots/x"))
            .map(|manifest| text_of(&manifest))
            .map_err(|fault| fault.to_string())
    }

    /// `build words && run words`, with the placeholders filled.
    fn text_of(manifest: &Manifest) -> String {
        let word = |program: &Program| match program {
            Program::Command(word) | Program::File(word) => word.clone(),
            Program::OnlyOneIn(folder) => format!("<{folder}>"),
        };
        let facts = super::super::words::Facts::new(Side::One, Seed(1), &Limits::default());
        let steps =
            manifest.build.iter().map(|s| format!("{} {} && ", word(&s.program), s.args.join(" ")));
        let args: Vec<_> = manifest.args.iter().map(|word| word.filled(&facts)).collect();
        format!("{}{} {}", steps.collect::<String>(), word(&manifest.program), args.join(" "))
    }

    #[test]
    fn one_file_is_obvious() {
        for (name, text) in [
            ("greedy.py", "python3 ./greedy.py 1"),
            ("x.js", "node ./x.js 1"),
            ("X.JAR", "java -jar ./X.JAR 1"),
            ("-rf.py", "python3 ./-rf.py 1"),
            ("a{n}.py", "python3 ./a{n}.py 1"),
            ("x.c", "cc -O2 -o ./pitmaster-built ./x.c -lm && ./pitmaster-built 1"),
            ("x.cpp", "c++ -O2 -std=c++17 -o ./pitmaster-built ./x.cpp && ./pitmaster-built 1"),
            ("x.rs", "rustc -O --edition 2021 -o ./pitmaster-built ./x.rs && ./pitmaster-built 1"),
            (
                "Max.java",
                "javac -encoding UTF-8 -d ./pitmaster-classes ./Max.java && java -cp ./pitmaster-classes Max 1",
            ),
            ("x.go", "go build -o ./pitmaster-built ./x.go && ./pitmaster-built 1"),
            ("go.mod", "go build -o ./pitmaster-built . && ./pitmaster-built 1"),
            ("Makefile", "make  && <.> 1"),
            ("Cargo.toml", "cargo build --release && <target/release> 1"),
        ] {
            assert_eq!(detected(&[name]).as_deref(), Ok(text), "{name}");
        }
    }

    #[test]
    fn a_program_is_known_by_its_first_bytes_and_not_by_its_bits() {
        let dir = tempfile::tempdir().unwrap();
        script(&dir.path().join("README"), "read me");
        fs::write(dir.path().join("player"), "#!/bin/sh\n").unwrap();
        let manifest = detect(&tree(dir.path()), dir.path()).unwrap();
        assert_eq!(manifest.program, Program::File("./player".into()));
    }

    #[test]
    fn among_several_the_main_one_is_obvious() {
        for (names, start) in [
            (&["main.py", "rules.py", "README.md"][..], "python3 ./main.py"),
            (
                &["Bot.java", "Board.java"],
                "javac -encoding UTF-8 -d ./pitmaster-classes ./Bot.java",
            ),
            (&["Makefile", "a.c", "b.c"], "make"),
            (&["go.mod", "a.go", "b.go"], "go build -o ./pitmaster-built . "),
            (&["main.c", "board.h", "train.py"], "cc"),
        ] {
            let text = detected(names).unwrap();
            assert!(text.starts_with(start), "{text}");
        }
    }

    #[test]
    fn what_is_not_obvious_is_listed_with_the_lines_to_write() {
        insta::assert_snapshot!(detected(&["a.py", "b.py", "notes.txt"]).unwrap_err(), @r#"
        bots/x: more than one file could be the bot: a.py, b.py; write a bot.toml:
          build = ["make"]  # leave out if there is nothing to build
          run = ["./bot", "{n}"]  # the words of the command; {n} becomes 1 or 2
          dialect = "arena"
        "#);
        let nothing = detected(&["notes.txt"]).unwrap_err();
        assert!(nothing.contains("nothing here is a program or a source"), "{nothing}");
        for names in [
            &["main.c", "util.c"][..],
            &["main.go", "util.go"],
            &["bot.py", "main.py"],
            &["bot.c", "bot.py"],
        ] {
            assert!(detected(names).unwrap_err().contains("more than one file"), "{names:?}");
        }
    }

    #[test]
    fn the_program_of_a_build_is_the_new_one_or_the_main_one() {
        let before = folder(&["Makefile"]);
        script(&before.path().join("helper.sh"), "#!/bin/sh\n");
        let built = folder(&["Makefile", "x.o"]);
        let folders = [&built, &before].map(|dir| Folder::open(dir.path()).unwrap());
        let find = || only_program(&folders[0], Some(&folders[1]), Path::new("bots/x"));
        assert!(find().unwrap_err().what.starts_with("its build leaves no program"));
        for name in ["helper.sh", "player"] {
            script(&built.path().join(name), "#!/bin/sh\n");
            assert!(find().unwrap().ends_with(name), "{name}");
        }
        script(&built.path().join("tester"), "#!/bin/sh\n");
        let fault = find().unwrap_err().what;
        assert!(fault.starts_with("its build leaves several programs: player, tester;"), "{fault}");
        script(&built.path().join("main"), "#!/bin/sh\n");
        assert!(find().unwrap().ends_with("main"));
    }
}
