//! Tests with typical submitted folders and what is detected in them.

use std::fs;
use std::os::unix::fs::symlink;

use pitmaster_core::{Limits, Seed, Side};

use super::super::argv::{Facts, Program};
use super::super::beneath::Folder;
use super::super::fault::FileError;
use super::super::tree::{Tree, TreeLimits};
use super::*;
use crate::toolchain::script;

const MAIN_C: &str = "int main(int argc, char **argv) {\n  scanf(\"%s\");\n}\n";
const MAIN_JAVA: &str = "class X { public static void main(String[] a) { System.in.read(); } }";

/// A folder with these files. A folder's name ends with a slash.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn tree(path: &Path) -> Tree {
    Tree::of(path, TreeLimits::default()).unwrap()
}

fn guess(dir: &tempfile::TempDir) -> Result<Guess, FileError> {
    match detect(&tree(dir.path()), Path::new("bots/x"))? {
        Detected::Program(guess) => Ok(*guess),
        Detected::ManifestIn(folder) => panic!("a manifest in {folder:?}"),
    }
}

fn detected(files: &[(&str, &str)]) -> Result<String, String> {
    guess(&folder(files)).map(|guess| text_of(&guess.manifest)).map_err(|fault| fault.to_string())
}

/// `folder: build words && run words`, with the placeholders filled.
fn text_of(manifest: &Manifest) -> String {
    let word = |program: &Program| match program {
        Program::Command(word) | Program::File(word) => word.clone(),
        Program::OnlyOneIn(folder) => format!("<{folder}>"),
    };
    let facts = Facts::new(Side::One, Seed(1), &Limits::default());
    let steps =
        manifest.build.iter().map(|s| format!("{} {} && ", word(&s.program), s.args.join(" ")));
    let args: Vec<_> = manifest.args.iter().map(|word| word.filled(&facts)).collect();
    let place = match manifest.folder.to_str().unwrap() {
        "" => String::new(),
        folder => format!("{folder}: "),
    };
    let run = format!("{} {}", word(&manifest.program), args.join(" "));
    format!("{place}{}{run}", steps.collect::<String>())
}

#[test]
fn one_file_is_obvious() {
    let java = "javac -encoding UTF-8 -Xprefer:source -sourcepath . -d ./pitmaster-classes \
                ./Max.java && java -cp ./pitmaster-classes Max 1";
    for (name, text) in [
        ("greedy.py", "python3 ./greedy.py 1"),
        ("x.js", "node ./x.js 1"),
        ("X.JAR", "java -jar ./X.JAR 1"),
        ("-rf.py", "python3 ./-rf.py 1"),
        ("a{n}.py", "python3 ./a{n}.py 1"),
        ("mon joueur été.py", "python3 ./mon joueur été.py 1"),
        ("x.c", "cc -O2 -o ./pitmaster-built ./x.c -lm && ./pitmaster-built 1"),
        ("x.cpp", "c++ -O2 -std=c++17 -o ./pitmaster-built ./x.cpp && ./pitmaster-built 1"),
        ("x.rs", "rustc -O --edition 2021 -o ./pitmaster-built ./x.rs && ./pitmaster-built 1"),
        ("Max.java", java),
        ("x.go", "go build -o ./pitmaster-built ./x.go && ./pitmaster-built 1"),
        ("go.mod", "go build -o ./pitmaster-built . && ./pitmaster-built 1"),
        ("Makefile", "make -B && <.> 1"),
        ("Cargo.toml", "cargo build --release && <target/release> 1"),
    ] {
        assert_eq!(detected(&[(name, "")]).as_deref(), Ok(text), "{name}");
    }
}

#[test]
fn a_program_is_known_by_its_first_bytes_and_not_by_its_bits() {
    let dir = tempfile::tempdir().unwrap();
    script(&dir.path().join("README"), "read me");
    fs::write(dir.path().join("player"), "#!/bin/sh\n").unwrap();
    assert_eq!(guess(&dir).unwrap().manifest.program, Program::File("./player".into()));
    fs::write(dir.path().join("player"), "#!/usr/bin/env python3\r\n").unwrap();
    assert_eq!(text_of(&guess(&dir).unwrap().manifest), "python3 ./player 1");
}

#[test]
fn files_that_belong_together_are_one_program() {
    for (files, text) in [
        (
            &[("main.py", "import rules"), ("rules.py", ""), ("README.md", "")][..],
            "python3 ./main.py 1",
        ),
        (&[("joueur.py", "from plateau import *"), ("plateau.py", "")], "python3 ./joueur.py 1"),
        (&[("a.js", "const b = require('./b')"), ("b.js", "")], "node ./a.js 1"),
        (
            &[("src/main.c", MAIN_C), ("src/board.c", ""), ("src/board.h", ""), ("lib/x.h", "")],
            "cc -O2 -o ./pitmaster-built -Ilib ./src/main.c ./src/board.c -lm && \
             ./pitmaster-built 1",
        ),
        (
            &[("p.c", &format!("#include \"board.c\"\n{MAIN_C}")), ("board.c", "")],
            "cc -O2 -o ./pitmaster-built ./p.c -lm && ./pitmaster-built 1",
        ),
        (
            &[("main.go", "func main() {"), ("b.go", ""), ("b_test.go", "")],
            "go build -o ./pitmaster-built ./main.go ./b.go && ./pitmaster-built 1",
        ),
        (&[("Makefile", ""), ("a.c", MAIN_C), ("b.c", MAIN_C)], "make -B && <.> 1"),
        (&[("main.py", ""), ("Makefile", "run:\n\tpython3 main.py")], "python3 ./main.py 1"),
        (
            &[("main.c", MAIN_C), ("board.h", ""), ("train.py", "")],
            "cc -O2 -o ./pitmaster-built ./main.c -lm && ./pitmaster-built 1",
        ),
        (
            &[("package.json", "{\"main\": \"lib/go\"}"), ("lib/go.js", ""), ("x.js", "")],
            "node ./lib/go.js 1",
        ),
        (&[("package.json", "{\"scripts\": {}}"), ("x.js", "")], "node ./x.js 1"),
    ] {
        assert_eq!(detected(files).as_deref(), Ok(text), "{files:?}");
    }
}

#[test]
fn packages_run_as_packages() {
    for (files, text) in [
        (
            &[("awale/__main__.py", "from .board import x"), ("awale/board.py", "")][..],
            "python3 -m awale 1",
        ),
        (
            &[("README", ""), ("bot/__main__.py", "import board"), ("bot/board.py", "")],
            "bot: python3 ./__main__.py 1",
        ),
        (
            &[("src/main.py", "from src.board import x"), ("src/board.py", "")],
            "python3 -m src.main 1",
        ),
        (&[("bot/main.py", "from bot import Bot"), ("bot/bot.py", "")], "bot: python3 ./main.py 1"),
        (
            &[
                ("pom.xml", ""),
                ("src/main/java/fr/x/Go.java", &format!("package fr.x;\n{MAIN_JAVA}")),
                ("src/main/java/fr/x/Board.java", "package fr.x; class Board {}\nclass Pair {}"),
                ("src/test/java/fr/x/BoardTest.java", MAIN_JAVA),
            ],
            "javac -encoding UTF-8 -Xprefer:source -sourcepath ./src/main/java -d \
             ./pitmaster-classes ./src/main/java/fr/x/Go.java ./src/main/java/fr/x/Board.java && \
             java -cp ./pitmaster-classes \
             fr.x.Go 1",
        ),
    ] {
        assert_eq!(detected(files).as_deref(), Ok(text), "{files:?}");
    }
}

#[test]
fn what_is_no_bot_is_passed_over() {
    let referee = "ProcessBuilder pb; public static void main(String[] a) { System.in.read(); }";
    for (files, place) in [
        (&[("Arbitre.java", MAIN_JAVA), ("Robot.java", MAIN_JAVA)][..], "Robot.java"),
        (&[("A.java", referee), ("B.java", MAIN_JAVA)], "B.java"),
        (&[("test_x.c", MAIN_C), ("player.c", MAIN_C)], "player.c"),
        (&[("tests/x.py", "input()"), ("x.py", "input()")], "x.py"),
        (&[("x.py", "input()"), ("plot.py", "")], "x.py"),
        (&[("x.py", "input()"), ("perft.py", "input()")], "x.py"),
        (&[("bot.exe", "MZ"), ("bot.c", MAIN_C)], "bot.c"),
        (&[("bot", "\x7fELF"), ("bot.c", MAIN_C)], "bot.c"),
        (&[("bot.c", MAIN_C), ("build/CMakeFiles/x.c", MAIN_C)], "bot.c"),
        (&[("node_modules/y/index.js", ""), ("x.js", "stdin")], "x.js"),
        (&[("arbitre/Makefile", ""), ("joueur/Makefile", "")], "joueur/Makefile"),
        (&[("Arbitre.java", MAIN_JAVA), ("ia/Makefile", ""), ("ia/x.c", MAIN_C)], "ia/Makefile"),
        (&[("__MACOSX/x/._a.py", ""), ("x/a.py", ""), ("x/notes.pdf", "")], "x/a.py"),
        (&[("a.py", "input()"), ("deep/er/b.py", "input()")], "a.py"),
        (&[("run.sh", "#!/bin/sh\n"), ("player", "\x7fELF")], "player"),
    ] {
        let guess = guess(&folder(files)).unwrap();
        assert_eq!(guess.place, Path::new(place), "{files:?}");
    }
}

#[test]
fn a_manifest_further_down_is_found() {
    let found = |files: &[(&str, &str)]| match detect(&tree(folder(files).path()), Path::new("x")) {
        Ok(Detected::ManifestIn(folder)) => folder.display().to_string(),
        Ok(other) => format!("{other:?}"),
        Err(fault) => fault.to_string(),
    };
    assert_eq!(found(&[("ada/bot.toml", ""), ("ada/bot.py", ""), ("paper.pdf", "")]), "ada");
    assert!(found(&[("bot.py", ""), ("deep/down/bot.toml", "")]).contains("bot.py"));
    let several = found(&[("a/bot.toml", ""), ("b/bot.toml", "")]);
    assert!(several.contains("several bots in it: a, b; hand in one"), "{several}");
}

#[test]
fn what_is_not_obvious_is_listed_with_the_lines_to_write() {
    insta::assert_snapshot!(detected(&[("a.py", ""), ("b.py", ""), ("notes.txt", "")]).unwrap_err(), @r#"
    bots/x: more than one file could be the bot: a.py, b.py; write a bot.toml with the lines of one of them:
      # a.py
      run = ["python3", "./a.py", "{n}"]
      dialect = "arena"
      # b.py
      run = ["python3", "./b.py", "{n}"]
      dialect = "arena"
    "#);
    insta::assert_snapshot!(detected(&[("notes.txt", ""), ("bot.exe", "MZ")]).unwrap_err(), @r#"
    bots/x: nothing here is a program or a source that could be built (bot.exe runs on Windows only: hand in its sources); write a bot.toml:
      build = ["make"]
      run = ["./bot", "{n}"]
      dialect = "arena"
    "#);
    let referee = detected(&[("Arbitre.java", MAIN_JAVA)]).unwrap_err();
    assert!(referee.contains("(Arbitre.java is a referee)"), "{referee}");
    for files in [
        &[("bot.c", MAIN_C), ("bot.py", "input()")][..],
        &[("v1/x.py", ""), ("v2/x.py", "")],
        &[("one/Makefile", ""), ("two/Makefile", "")],
        &[("x.jar", ""), ("y.jar", "")],
    ] {
        assert!(detected(files).unwrap_err().contains("more than one file"), "{files:?}");
    }
}

/// Reads are bounded for folders of any size, depth and shape.
#[test]
fn no_folder_is_too_large_to_be_looked_at() {
    let dir = folder(&[("bot.py", "input()")]);
    let huge = fs::File::create(dir.path().join("huge.py")).unwrap();
    huge.set_len(400 << 20).unwrap();
    let mut deep = dir.path().to_owned();
    for _ in 0..60 {
        deep.push("d");
    }
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("x.py"), "input()").unwrap();
    for number in 0..3000 {
        fs::write(dir.path().join(format!("data{number}")), "\x7fELF").unwrap();
    }
    symlink("bot.py", dir.path().join("link.py")).unwrap();
    fs::write(dir.path().join("a\u{202e}\n\u{1b}[31m.py"), "input()").unwrap();
    let limits = TreeLimits::default();
    let found = detect(&Tree::of(dir.path(), limits).unwrap(), Path::new("x"));
    let Ok(Detected::Program(guess)) = found else { panic!("{found:?}") };
    assert_eq!(guess.place, Path::new("bot.py"));
    let hostile = folder(&[("a\u{202e}\n\u{1b}[31m.py", ""), ("b.py", "")]);
    let text = detect(&tree(hostile.path()), Path::new("x")).unwrap_err().to_string();
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
}

/// Comparing each pair of these files would take hours.
#[test]
fn thousands_of_sources_that_take_in_each_other_are_looked_at_once() {
    let dir = folder(&[("main.py", "input()")]);
    let text: String = (0..2000).map(|number| format!("import f{number}, main\n")).collect();
    for number in 0..2000 {
        let text = if number % 2 == 0 { &*text } else { "import sys\ninput()\n" };
        fs::write(dir.path().join(format!("f{number}.py")), text).unwrap();
    }
    fs::write(dir.path().join("x.py"), "input()").unwrap();
    fs::write(dir.path().join("a0.c"), MAIN_C).unwrap();
    let found = guess(&dir).map(|guess| guess.place);
    assert!(
        found.is_ok()
            || found.is_err_and(|fault| fault.what.to_string().contains("more than one file"))
    );
}

#[test]
fn the_same_files_give_the_same_program() {
    let files = [("z/a.py", "input()"), ("bot.py", "input()"), ("b.c", MAIN_C), ("t.jar", "")];
    let mut turned = files;
    turned.reverse();
    let [one, two] = [folder(&files), folder(&turned)].map(|dir| guess(&dir).unwrap());
    assert_eq!(one, two);
}

#[test]
fn the_program_of_a_build_is_the_new_one_or_the_main_one() {
    let before = folder(&[("Makefile", "")]);
    script(&before.path().join("helper.sh"), "#!/bin/sh\n");
    script(&before.path().join("stale"), "#!/bin/sh\nold\n");
    let built = folder(&[("Makefile", ""), ("x.o", ""), ("out/CMakeFiles/x", "")]);
    let folders = [&built, &before].map(|dir| Folder::open(dir.path()).unwrap());
    let manifest = guess(&before).unwrap().manifest;
    let find = || only_program(&folders[0], Some(&folders[1]), ".", &manifest, Path::new("bots/x"));
    assert!(find().unwrap_err().what.to_string().starts_with("its build leaves no program"));
    for name in ["helper.sh", "bin/player", "bin/libx.so"] {
        fs::create_dir_all(built.path().join("bin")).unwrap();
        script(&built.path().join(name), "#!/bin/sh\n");
    }
    script(&built.path().join("out/CMakeFiles/a.out"), "#!/bin/sh\n");
    script(&built.path().join("test_board"), "#!/bin/sh\n");
    script(&built.path().join("arbitre"), "#!/bin/sh\n");
    assert_eq!(find().unwrap(), Path::new("bin/player"));
    script(&built.path().join("stale"), "#!/bin/sh\nnew\n");
    insta::assert_snapshot!(find().unwrap_err(), @r#"
    bots/x: its build leaves several programs: bin/player, stale; write a bot.toml with the lines of one of them:
      # bin/player
      build = ["make", "-B"]
      run = ["./bin/player", "{n}"]
      dialect = "arena"
      # stale
      build = ["make", "-B"]
      run = ["./stale", "{n}"]
      dialect = "arena"
    "#);
    script(&built.path().join("main"), "#!/bin/sh\n");
    assert_eq!(find().unwrap(), Path::new("main"));
}
