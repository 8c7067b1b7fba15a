//! Folders as students submit them: they play without added files, or a message gives the lines
//! that would settle it.
//!
//! The programs play the first seeds of their own holes in turn, which is legal for these short
//! games; these tests are about the other files in the folders.

mod made;

use std::fs;

use pitmaster::bots::toolchain::Tools;

use self::made::{FOLDERS, Handed, hand_in};
use crate::contest::{PATIENT, tournament};
use crate::scratch::{Ran, Scratch};

/// A tournament of four plies between a submission and a house bot.
fn cup(include: &str) -> String {
    let clock = PATIENT.replace("plies = 120", "plies = 4");
    tournament(&clock, 1, &format!("include = ['{include}', 'house:random']"))
}

/// Whether the commands that a folder needs are installed. `.ci/full` installs all of them and
/// allows no gap.
fn at_hand(handed: &Handed) -> bool {
    let tools = Tools::of_this_machine();
    let Some(missing) = handed.needs.iter().find(|command| tools.find(command).is_none()) else {
        return true;
    };
    let all = std::env::var_os("PITMASTER_ALL_LANGUAGES").is_some();
    assert!(!all, "{} cannot be tested without {missing}", handed.name);
    eprintln!("{} is not tested: there is no {missing}", handed.name);
    false
}

fn plays(scratch: &Scratch, ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let forfeited = scratch.column("results/cup/games.csv", "forfeited_by");
    assert_eq!(forfeited, ["", ""], "{}", ran.all());
}

/// Submits a folder and plays it unchanged. Returns the messages about it.
fn played(name: &str) {
    let handed = FOLDERS.iter().find(|handed| handed.name == name).expect("a known folder");
    if !at_hand(handed) {
        return;
    }
    let scratch = Scratch::new();
    hand_in(&scratch, handed, "hand-ins/alice");
    let ran = scratch.write("cup.toml", cup("hand-ins/*")).run("run cup.toml");
    plays(&scratch, &ran);
    let said = format!(
        "alice: no bot.toml; {} was taken, and speaks {} (by trial;",
        handed.place, handed.way
    );
    assert!(ran.stderr.contains(&said), "{said}\n{}", ran.all());
    // With what was found as its manifest it is the same bot.
    let found = found(&scratch, "cup");
    scratch.write("hand-ins/alice/bot.toml", found);
    let ran = scratch.run("run cup.toml --fresh");
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let forfeited = scratch.column("results/cup-2/games.csv", "forfeited_by");
    assert_eq!(forfeited, ["", ""], "{}", ran.all());
}

/// The detected manifest of the only bot in the results.
fn found(scratch: &Scratch, results: &str) -> String {
    let bots = fs::read_dir(scratch.path(&format!("results/{results}/bots"))).expect("the bots");
    let found = bots.map(|bot| bot.expect("readable").path().join("found.toml"));
    let found: Vec<_> = found.filter_map(|path| fs::read_to_string(path).ok()).collect();
    let [only] = &found[..] else { panic!("{found:?}") };
    only.clone()
}

macro_rules! folders {
    ($($name:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            played(stringify!($name));
        })+

        /// At least nine of twelve play without added files.
        #[test]
        fn every_folder_is_tried() {
            let tried = [$(stringify!($name)),+];
            assert!(FOLDERS.iter().all(|handed| tried.contains(&handed.name)));
            assert!(tried.len() >= 12);
        }
    };
}

folders! {
    cmake_with_tests_and_a_referee,
    make_with_several_targets,
    c_in_a_subfolder_with_two_mains,
    java_with_packages,
    java_beside_the_referee,
    python_package,
    python_with_modules_and_a_virtual_environment,
    node_with_a_package,
    packed_by_a_mac,
    from_windows,
    stale_programs_beside_the_source,
    a_program_without_its_run_bit,
    cargo_with_two_programs,
    pitmaster_without_a_manifest,
}

/// The suggestion in a message: the lines after a comment with this name.
fn suggested(text: &str, place: &str) -> String {
    let (_, after) = text.split_once(&format!("  # {place}\n")).expect(text);
    let lines = after.lines().take_while(|line| line.starts_with("  ") && !line.starts_with("  #"));
    lines.map(|line| format!("{}\n", line.trim())).collect()
}

#[test]
fn what_is_ambiguous_plays_with_the_lines_that_are_suggested() {
    let scratch = Scratch::new();
    for version in ["v1", "v2"] {
        scratch.write(&format!("hand-ins/alice/{version}/joueur.py"), made::PYTHON);
    }
    let ran = scratch.write("cup.toml", cup("hand-ins/*")).run("run cup.toml");
    insta::assert_snapshot!(ran.all(), @r#"
    exit 2
    --- stderr
    cup.toml:14:12: alice cannot play (left out): [scratch]/hand-ins/alice: more than one file could be the bot: v1/joueur.py, v2/joueur.py; write a bot.toml with the lines of one of them:
      # v1/joueur.py
      run = ["python3", "./v1/joueur.py", "{n}"]
      dialect = "arena"
      # v2/joueur.py
      run = ["python3", "./v2/joueur.py", "{n}"]
      dialect = "arena"
    error: a tournament needs two bots that can play, and there is one; check `bots` in the file
    "#);
    scratch.write("hand-ins/alice/bot.toml", suggested(&ran.stderr, "v2/joueur.py"));
    plays(&scratch, &scratch.run("run cup.toml"));
}

#[test]
fn two_programs_of_a_build_play_with_the_lines_that_are_suggested() {
    let scratch = Scratch::new();
    let makefile = "all: alpha beta\n%: %.c\n\tcc -o $@ $<\n";
    scratch.write("hand-ins/alice/Makefile", makefile);
    for name in ["alpha", "beta"] {
        scratch.write(&format!("hand-ins/alice/{name}.c"), made::C);
    }
    let ran = scratch.write("cup.toml", cup("hand-ins/*")).run("run cup.toml");
    assert!(ran.stderr.contains("its build leaves several programs: alpha, beta"), "{}", ran.all());
    scratch.write("hand-ins/alice/bot.toml", suggested(&ran.stderr, "beta"));
    plays(&scratch, &scratch.run("run cup.toml"));
}

/// Results of a trial are recorded and not repeated: here the record is edited, and still used.
#[test]
fn a_trial_is_made_once_for_a_snapshot() {
    let scratch = Scratch::new();
    scratch.write("hand-ins/alice/joueur.py", made::PYTHON);
    let first = scratch.write("cup.toml", cup("hand-ins/*")).run("run cup.toml").done();
    assert!(first.stderr.contains("speaks arena with the argument 1 (by trial"), "{}", first.all());
    let bots = fs::read_dir(scratch.path("results/cup/bots")).expect("the bots").flatten();
    let path = bots.map(|bot| bot.path().join("found.toml")).find(|path| path.exists());
    let path = path.expect("found");
    let text = fs::read_to_string(&path).expect("readable");
    fs::write(&path, text.replace("{n}", "Joueur{n}")).expect("writes");
    let again = scratch.run("run cup.toml").done();
    assert!(again.stderr.contains("speaks arena with the argument Joueur1"), "{}", again.all());
    fs::write(&path, text.replace("joueur.py", "other.py")).expect("writes");
    let other = scratch.run("run cup.toml").done();
    assert!(other.stderr.contains("speaks arena with the argument 1 (by trial"), "{}", other.all());
}

#[test]
fn who_understands_nothing_is_told_with_all_that_was_tried() {
    let scratch = Scratch::new();
    scratch.write("hand-ins/alice/mute.py", "import sys\nsys.stdin.read(1)\nsys.exit(3)\n");
    let ran = scratch.write("cup.toml", cup("hand-ins/*")).run("run cup.toml");
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    for words in [
        "made no legal first move as both players in any of the ways that were tried",
        "run = [\"python3\", \"./mute.py\", \"{n}\"]",
        "alice failed its trial: ",
        "; run was `",
        "./mute.py 1` in ",
    ] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.all());
    }
}

/// `plan` names, leaves out and counts as `run` does, and builds nothing.
#[test]
fn plan_treats_folders_as_a_run_does() {
    let scratch = Scratch::new();
    scratch.write("hand-ins/alice/joueur.py", made::PYTHON);
    scratch.write("hand-ins/bob/joueur.c", made::C);
    scratch.write("hand-ins/empty/README.md", "");
    for version in ["v1", "v2"] {
        scratch.write(&format!("hand-ins/two/{version}/x.py"), made::PYTHON);
    }
    scratch.write("cup.toml", cup("hand-ins/*"));
    let (plan, run) = (scratch.run("plan cup.toml"), scratch.run("run cup.toml"));
    let left_out = |ran: &Ran| {
        assert_eq!(ran.code, Some(0), "{}", ran.all());
        let lines = ran.stderr.lines().filter(|line| line.contains("cannot play (left out)"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(left_out(&plan), left_out(&run));
    assert_eq!(left_out(&plan).len(), 2, "{}", plan.all());
    assert!(plan.stdout.contains("bots    3\n"), "{}", plan.all());
    assert!(run.stderr.contains("3 bots, 6 games"), "{}", run.all());
}

/// Equal names do not stop a run: folders distinguish the bots before any build.
#[test]
fn bots_of_one_name_are_told_apart_by_their_folders() {
    let scratch = Scratch::new();
    let manifest = "name = 'Mon Joueur'\nrun = ['python3', 'joueur.py', '{n}']\n";
    for student in ["ada", "bob", "cleo"] {
        scratch.write(&format!("hand-ins/{student}/joueur.py"), made::PYTHON);
        scratch.write(&format!("hand-ins/{student}/bot.toml"), manifest);
    }
    for student in ["dan", "eve"] {
        scratch.write(&format!("files/{student}/joueur.py"), made::PYTHON);
    }
    let cup = cup("hand-ins/*").replace("'house:random'", "'files/*/joueur.py'");
    let ran = scratch.write("cup.toml", cup).run("run cup.toml").done();
    let notes = "3 bots are called mon-joueur; by their folders they are ada, bob, cleo\n";
    assert!(ran.stderr.contains(notes), "{}", ran.all());
    let mut names = scratch.column("results/cup/leaderboard.csv", "bot");
    names.sort();
    assert_eq!(names, ["ada", "bob", "cleo", "dan-joueur", "eve-joueur"]);
}

/// Bots that no folder distinguishes stop the run before any build, and only a few are listed.
#[test]
fn names_that_nothing_tells_apart_are_refused_before_anything_is_built() {
    let scratch = Scratch::new();
    let at = |number: u32| format!("own/b{number}/x/y/z/bot");
    for number in 0..7 {
        let manifest = "build = ['touch', 'x']\nrun = ['./x']\n";
        scratch.write(&format!("{}/bot.toml", at(number)), manifest);
    }
    let cup = tournament(PATIENT, 1, "include = ['own/*/x/y/z/bot']");
    let ran = scratch.write("cup.toml", cup).run("run cup.toml");
    let shown: Vec<_> = (0..5).map(|number| format!("[scratch]/{}", at(number))).collect();
    let said = format!("error: 7 bots are called x-y-z-bot: {} and 2 more\n", shown.join(", "));
    assert!(ran.code == Some(2) && ran.stderr.starts_with(&said), "{}", ran.all());
    assert!(!scratch.path("results/cup/bots").exists());
}
