//! Interpreters outside of the system's folders, as version managers install them: bots can use
//! them with all their files, but no other files of the same home.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::hostile::tiers::{Around, Tier, tiers};
use crate::scratch::Scratch;

/// Folders of the system's own programs.
const SYSTEM: &str = "/usr/local/bin:/usr/bin:/bin";

/// A bot that plays only if its interpreter has the library that was installed with it. Its first
/// move reports whether it can read other files of that home.
const BOT: &str = r#"
import os
import sys
import marker

def opens(path):
    try:
        open(path).close()
        return "open"
    except OSError:
        return "closed"

moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word in ("pitmaster", "newgame"):
        print("ready")
    elif word == "moves":
        moves = rest
    elif word == "go":
        print("info the home is", opens(marker.HOME + "/secret"))
        print("move", moves[-1])
    elif word == "quit":
        break
    sys.stdout.flush()
"#;

/// A scratch folder with a home in it, the tiers to play in, and the system's Python.
struct Machine {
    scratch: Scratch,
    tiers: Vec<Tier>,
    python: PathBuf,
}

impl Machine {
    /// Finds the system's own Python, if there is one.
    fn new() -> Option<Self> {
        let tiers = tiers(Around::NOTHING).0;
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("home")).expect("a folder");
        scratch.write("home/secret", "").write("home/.profile", "");
        let Ok(python) = Path::new("/usr/bin/python3").canonicalize() else {
            eprintln!("skipped: the system has no Python");
            return None;
        };
        Some(Self { scratch, tiers, python })
    }

    fn home(&self, name: &str) -> PathBuf {
        self.scratch.path("home").canonicalize().expect("it is there").join(name)
    }

    /// Writes a script that `bash` runs.
    fn script(&self, name: &str, text: &str) -> &Self {
        let path = self.home(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("sets");
        self
    }

    /// Installs the system's Python below a prefix: a copy of the program, its library, and in that
    /// a module that only this installation has.
    fn install_python(&self, prefix: &str) -> &Self {
        let name = self.python.file_name().expect("a name").to_string_lossy().into_owned();
        let prefix = self.home(prefix);
        let library = prefix.join("lib").join(&name);
        fs::create_dir_all(prefix.join("bin")).expect("a folder");
        fs::create_dir_all(&library).expect("a folder");
        fs::copy(&self.python, prefix.join("bin").join(&name)).expect("copies");
        for link in ["python", "python3"] {
            symlink(&name, prefix.join("bin").join(link)).expect("links");
        }
        for entry in fs::read_dir(Path::new("/usr/lib").join(&name)).expect("a library").flatten() {
            symlink(entry.path(), library.join(entry.file_name())).expect("links");
        }
        self.write_marker(&library)
    }

    fn write_marker(&self, folder: &Path) -> &Self {
        let text = format!("HOME = {:?}\n", self.home("").display().to_string());
        fs::write(folder.join("marker.py"), text).expect("writes");
        self
    }

    /// A bot with this run command.
    fn bot(&self, run: &str, needs: &str, source: &str) -> &Self {
        self.scratch.write("own/bot/bot.py", source);
        let bot = self.scratch.path("own/bot/bot.py");
        fs::set_permissions(bot, fs::Permissions::from_mode(0o755)).expect("sets");
        let manifest = format!("run = [{run}]\ndialect = 'pitmaster'\nneeds = [{needs}]\n");
        self.scratch.write("own/bot/bot.toml", manifest);
        self
    }

    /// Plays it in every tier, with this folder of the home first on PATH.
    fn plays(&self, first: &str) {
        self.tiers.iter().for_each(|tier| self.plays_in(tier, first));
    }

    /// Checks that it does not forfeit, and that it cannot read other files of the home if reading
    /// is prevented.
    fn plays_in(&self, tier: &Tier, first: &str) {
        let path = format!("{}:{SYSTEM}", self.home(first).display());
        let name = &tier.name;
        let args = format!("match own/bot house:random --pairs 1 --name {name} -q --per-move 1m");
        let mut command = self.scratch.command(&format!("{args} {}", tier.args()));
        command.env("PATH", path).env("HOME", self.home(""));
        let ran = self.scratch.ran(command.output().expect("the binary starts")).done();
        let losers = self.scratch.column(&format!("results/{name}/games.csv"), "forfeited_by");
        assert_eq!(losers, [""; 2], "{name}: {}", ran.all());
        let games = self.scratch.run(&format!("export results/{name} --format jsonl")).done();
        let closed = name != "bare" && tier.does_not_keep("read").is_none();
        assert!(!closed || !games.stdout.contains("the home is open"), "{}", games.stdout);
    }
}

#[test]
fn pyenv() {
    let Some(machine) = Machine::new() else { return };
    machine.install_python(".pyenv/versions/3.99.0");
    let version = machine.home(".pyenv/versions/3.99.0/bin");
    machine.script(".pyenv/libexec/pyenv", &format!("shift; exec {}/\"$@\"", version.display()));
    let pyenv = machine.home(".pyenv/libexec/pyenv");
    let shim = format!("exec {} exec \"${{0##*/}}\" \"$@\"", pyenv.display());
    machine.script(".pyenv/shims/python3", &shim);
    machine.bot("'python3', 'bot.py'", "", BOT).plays(".pyenv/shims");
}

#[test]
fn a_script_whose_first_line_names_what_pyenv_has() {
    let Some(machine) = Machine::new() else { return };
    machine.install_python(".pyenv/versions/3.99.0");
    let version = machine.home(".pyenv/versions/3.99.0/bin/python3");
    machine.script(".pyenv/shims/python3", &format!("exec {} \"$@\"", version.display()));
    let source = format!("#!/usr/bin/env python3{BOT}");
    machine.bot("'./bot.py'", "", &source).plays(".pyenv/shims");
    // And a script that starts another one, with what the manifest says that it needs.
    fs::remove_dir_all(machine.scratch.path("results")).expect("removes");
    machine.scratch.write("own/bot/start.sh", "exec python3 bot.py\n");
    machine.bot("'sh', 'start.sh'", "'python3'", BOT).plays(".pyenv/shims");
}

#[test]
fn a_virtual_environment() {
    let Some(machine) = Machine::new() else { return };
    let folder = machine.home("course/.venv");
    let mut make = Command::new("/usr/bin/python3");
    make.args(["-m", "venv", "--without-pip"]).arg(&folder);
    if !make.status().expect("Python starts").success() {
        return eprintln!("skipped: the system's Python makes no virtual environments");
    }
    let libraries = fs::read_dir(folder.join("lib")).expect("a library").flatten();
    let library = libraries.map(|entry| entry.path()).next().expect("of one version");
    machine.write_marker(&library.join("site-packages"));
    machine.bot("'python3', 'bot.py'", "", BOT).plays("course/.venv/bin");
}

#[test]
fn conda() {
    let Some(machine) = Machine::new() else { return };
    machine.install_python("miniconda3/envs/course");
    machine.bot("'python', 'bot.py'", "", BOT).plays("miniconda3/envs/course/bin");
}

/// A bot in JavaScript that plays the last move.
const NODE: &str = r#"
const lines = require("readline").createInterface({ input: process.stdin });
let moves = [];
lines.on("line", (line) => {
  const [word, ...rest] = line.split(" ");
  if (word === "pitmaster" || word === "newgame") console.log("ready");
  if (word === "moves") moves = rest;
  if (word === "go") console.log("move " + moves[moves.length - 1]);
  if (word === "quit") process.exit(0);
});
"#;

#[test]
fn nvm() {
    let Some(machine) = Machine::new() else { return };
    let Ok(node) = Path::new("/usr/bin/node").canonicalize() else {
        return eprintln!("skipped: the system has no Node");
    };
    for folder in ["bin", "lib/node_modules"] {
        let folder = machine.home(".nvm/versions/node/v99.0.0").join(folder);
        fs::create_dir_all(folder).expect("a folder");
    }
    fs::copy(node, machine.home(".nvm/versions/node/v99.0.0/bin/node")).expect("copies");
    machine.bot("'node', 'bot.py'", "", NODE).plays(".nvm/versions/node/v99.0.0/bin");
}

/// A bot in Java that plays the last move.
const JAVA: &str = r#"
public class Bot {
    public static void main(String[] args) {
        var lines = new java.util.Scanner(System.in);
        String[] moves = {};
        while (lines.hasNextLine()) {
            String[] words = lines.nextLine().split(" ");
            if (words[0].equals("pitmaster") || words[0].equals("newgame")) System.out.println("ready");
            if (words[0].equals("moves")) moves = words;
            if (words[0].equals("go")) System.out.println("move " + moves[moves.length - 1]);
            if (words[0].equals("quit")) return;
        }
    }
}
"#;

#[test]
fn sdkman() {
    let Some(machine) = Machine::new() else { return };
    let Some(home) = java_home() else { return eprintln!("skipped: the system has no Java") };
    let candidates = machine.home(".sdkman/candidates/java");
    fs::create_dir_all(&candidates).expect("a folder");
    symlink(home, candidates.join("99.0.0-tem")).expect("links");
    symlink("99.0.0-tem", candidates.join("current")).expect("links");
    machine.scratch.write("own/bot/Bot.java", JAVA);
    machine.bot("'java', '-cp', '.', 'Bot'", "", "");
    let mut compile = Command::new("javac");
    compile.args(["-d", "."]).arg("Bot.java").current_dir(machine.scratch.path("own/bot"));
    if !compile.status().is_ok_and(|status| status.success()) {
        return eprintln!("skipped: the system has no compiler for Java");
    }
    machine.plays(".sdkman/candidates/java/current/bin");
}

fn java_home() -> Option<PathBuf> {
    let java = Path::new("/usr/bin/java").canonicalize().ok()?;
    java.parent()?.parent().map(Path::to_owned)
}
