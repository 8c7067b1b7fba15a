//! `pitmaster new`: its kits build, pass their own tests and play.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use pitmaster::bots::toolchain::Tools;

use crate::by_hand::{answers, ends_at_forty_each};
use crate::scratch::Scratch;

/// Limits that nobody exceeds even on a busy machine.
const PATIENT_MATCH: &str = "--per-move 10m --per-game 3h -q";

/// Lines of a referee in two games, with unusual line ends and unknown words.
const TWO_GAMES: &str = "\
pitmaster 1\r\nlater words\r\n\r\n\
game coloured-awale\r\nside 2\r\nlimit move 600000\r\nseed 7\r\nopening 1R\r\nnewgame\r\n\
time move 600000 bank 90000000 90000000\r\nmoves 2R\r\ngo\r\nplayed 15B\r\ngo\r\n\
end win 49 0 rules:49+\r\n\
game isholo-3\r\nside 1\r\nnewgame\r\nmoves a3=*4 a5\r\ngo\r\nquit\r\n";

/// Equal for all languages, because their searches are equal.
const TWO_ANSWERS: &str = "ready\nready\nmove 2R\nmove 2B\nready\nmove a3=a1:4\n";

/// Moves of player 2 against all kits for coloured Awale, until both have forty seeds.
const TO_FORTY: &str = "\
2R 14R 12R 14B 4R 16B 6TB 2B 4B 2TR 8B 14TR 2R 8R 14TR 12R 4B 4TR 10R 2B 8TR 4R 8B 8R 10R 16B \
2B 10TR 12TB 16R 2R 2TR 4R 4TB 12B 12B 4B 2TR 4TB 8B 16TB 6TB 10TR 10B 6TB 12B 6R 8B 12B 10TR \
2B 12TR";

/// Name of a language, and the commands that its kit needs.
pub(crate) type Language = (&'static str, &'static [&'static str]);

const PYTHON: Language = ("python", &["python3"]);

/// Whether a language is installed. `.ci/full` installs all of them and allows no gap.
pub(crate) fn at_hand((name, commands): Language) -> bool {
    let tools = Tools::of_this_machine();
    let Some(missing) = commands.iter().find(|command| tools.find(command).is_none()) else {
        return true;
    };
    let all = wants_all();
    assert!(!all, "the kit in {name} cannot be tested without {missing}");
    eprintln!("the kit in {name} is not tested: there is no {missing}");
    false
}

/// Runs a shell command in a folder.
fn shell(folder: &Path, command: &str) -> Output {
    let mut shell = Command::new("sh");
    // A target folder for all would have to be waited for.
    shell.args(["-c", command]).current_dir(folder).env_remove("CARGO_TARGET_DIR");
    shell.output().expect("sh is there")
}

/// The first block of a README in a language.
fn block<'t>(readme: &'t str, language: &str) -> &'t str {
    let (_, after) = readme.split_once(&format!("```{language}\n")).expect("there is one");
    after.split_once("```").expect("it ends").0
}

/// Plays a pair against random moves; both games must end regularly and be won.
fn wins(scratch: &Scratch, bot: &str, flags: &str) {
    let args = format!("{bot} house:random --pairs 1 --name {bot} {flags} {PATIENT_MATCH}");
    let ran = scratch.run(&format!("match {args}")).done();
    let games = format!("results/{bot}/games.csv");
    assert_eq!(scratch.column(&games, "forfeited_by"), [""; 2], "{}", ran.all());
    assert_eq!(scratch.column(&games, "winner"), [bot; 2], "{}", ran.all());
}

/// Folder of the only bot that a match has built on disk.
fn built(scratch: &Scratch, results: &str) -> std::path::PathBuf {
    let bots = fs::read_dir(scratch.path(&format!("results/{results}/bots"))).expect("the bots");
    let mut folders = bots.map(|entry| entry.expect("readable").path().join("work"));
    folders.find(|folder| folder.is_dir()).expect("one was built")
}

/// Whether a missing language is a failure.
fn wants_all() -> bool {
    env::var_os("PITMASTER_ALL_LANGUAGES").is_some()
}

/// Tests an unmodified kit: its own tests, both dialects, and direct communication.
fn whole(language: Language) {
    if !at_hand(language) {
        return;
    }
    let scratch = Scratch::new();
    for name in ["mine", "arena"] {
        scratch.run(&format!("new {} {name}", language.0)).done();
    }
    let readme = scratch.read("mine/README.md");
    let tested = shell(&scratch.path("mine"), block(&readme, "sh"));
    assert!(tested.status.success(), "{tested:?}");
    checked(&scratch, language);
    wins(&scratch, "mine", "");
    let here = built(&scratch, "mine");
    assert_eq!(answers(&here, &[], None, TWO_GAMES), TWO_ANSWERS);
    assert_eq!(answers(&here, &["1"], None, "START\r\n2TB\r\n4B\r\nEND\r\n"), "1R\n1TB\n3R\n");
    ends_at_forty_each(language.0, &here, &["1"], TO_FORTY);
    speak_arena(&scratch, "arena", block(&readme, "toml"));
    wins(&scratch, "arena", "");
}

/// Checks that `pitmaster check` accepts a new bot. That takes seconds for each bot, so the
/// ordinary tests check only Python, and all languages only if all must be installed.
fn checked(scratch: &Scratch, language: Language) {
    if language == PYTHON || wants_all() {
        scratch.run("check mine --games 4 --per-move 5s").done();
    }
}

/// Makes the README's changes for contests in the dialect arena.
fn speak_arena(scratch: &Scratch, bot: &str, lines: &str) {
    let manifest = scratch.read(&format!("{bot}/bot.toml"));
    let others = |line: &&str| !line.starts_with("run = ") && !line.starts_with("dialect = ");
    let others: Vec<_> = manifest.lines().filter(others).collect();
    scratch.write(&format!("{bot}/bot.toml"), format!("{}\n{lines}", others.join("\n")));
}

/// Tests a kit without rules: it plays, and reports in arena that it cannot.
fn bare(language: Language) {
    if !at_hand(language) {
        return;
    }
    let scratch = Scratch::new();
    scratch.run(&format!("new {} mine --no-rules", language.0)).done();
    let args = format!("mine house:random --pairs 1 --name mine {PATIENT_MATCH}");
    checked(&scratch, language);
    scratch.run(&format!("match {args}")).done();
    assert_eq!(scratch.column("results/mine/games.csv", "forfeited_by"), ["", ""]);
    let here = built(&scratch, "mine");
    let words = TWO_ANSWERS.replace("move 2B", "move 2R");
    assert_eq!(answers(&here, &[], None, TWO_GAMES), words);
}

macro_rules! languages {
    ($($name:ident: $commands:expr),+ $(,)?) => {
        /// All languages.
        pub(crate) const LANGUAGES: &[Language] = &[$((stringify!($name), &$commands)),+];

        $(mod $name {
            const LANGUAGE: super::Language = (stringify!($name), &$commands);

            #[test]
            fn is_tested_and_plays() {
                super::whole(LANGUAGE);
            }

            #[test]
            fn plays_without_rules() {
                super::bare(LANGUAGE);
            }
        })+
    };
}

languages! {
    c: ["cc", "make"],
    cpp: ["c++", "make"],
    go: ["go"],
    java: ["javac", "java"],
    javascript: ["node"],
    python: ["python3"],
    rust: ["cargo"],
}

#[test]
fn kalah_in_python_is_tested_and_plays() {
    if !at_hand(PYTHON) {
        return;
    }
    let scratch = Scratch::new();
    for name in ["mine", "arena"] {
        scratch.run(&format!("new python {name} --game kalah")).done();
    }
    let readme = scratch.read("mine/README.md");
    let tested = shell(&scratch.path("mine"), block(&readme, "sh"));
    assert!(tested.status.success(), "{tested:?}");
    speak_arena(&scratch, "arena", block(&readme, "toml"));
    for bot in ["mine", "arena"] {
        wins(&scratch, bot, "--game kalah");
    }
}

#[test]
fn a_bot_without_rules_says_so_in_arena() {
    if !at_hand(PYTHON) {
        return;
    }
    let scratch = Scratch::new();
    scratch.run("new python mine --no-rules").done();
    let output = shell(&scratch.path("mine"), "echo START | python3 wire.py 1");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "arena lists no legal moves: write the rules before you play it\n"
    );
}

#[test]
fn a_contest_can_be_played_as_soon_as_there_is_a_bot() {
    if !at_hand(PYTHON) {
        return;
    }
    let scratch = Scratch::new();
    let made = scratch.run("new contest cup").done();
    insta::assert_snapshot!(made.stdout, @r#"
    created cup: a contest of coloured Awale

    Next:
      pitmaster new python cup/bots/first    or copy the bots handed in
      cd cup
      pitmaster check bots/*/                     find errors in the bots
      pitmaster run contest.toml                  play, or resume

    Its README.md explains the rest.
    "#);
    scratch.run("new python cup/bots/first").done();
    // Fewer games, and more time than a busy machine takes.
    let file = scratch.read("cup/contest.toml").replace("pairs = 10", "pairs = 1");
    let file = file.replace("per_move = \"1s\"", "per_move = \"10m\"");
    scratch.write("cup/contest.toml", file.replace("first_move = \"5s\"", "first_move = \"10m\""));
    scratch.run("run cup/contest.toml -q").done();
    assert_eq!(scratch.column("results/contest/games.csv", "forfeited_by"), ["", ""]);
    assert_eq!(scratch.column("results/contest/leaderboard.csv", "bot"), ["first", "house-greedy"]);
}

#[test]
fn what_was_made_is_told_with_what_to_do_next() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("empty")).expect("a folder");
    let calls = [
        "new python mine",
        "new C++ empty --name ada-1",
        "new js bare --no-rules",
        "new python kal --game kalah",
    ];
    let told = calls.map(|call| scratch.run(call).done().stdout);
    insta::assert_snapshot!(told.join("\n"), @r#"
    created mine: a bot in Python that plays coloured Awale

    Next:
      pitmaster check mine
      pitmaster play mine house:greedy
      (cd mine && python3 test.py)

    Its README.md says what to change first.

    created empty: a bot in C++ that plays coloured Awale

    Next:
      pitmaster check empty
      pitmaster play empty house:greedy
      (cd empty && make test)

    Its README.md says what to change first.

    created bare: a bot in JavaScript that knows no rules yet

    Next:
      pitmaster check bare
      pitmaster play bare house:greedy

    Its README.md says what to change first.

    created kal: a bot in Python that plays kalah

    Next:
      pitmaster check kal --game kalah
      pitmaster play kal house:greedy --game kalah
      (cd kal && python3 test.py)

    Its README.md says what to change first.
    "#);
    assert!(scratch.read("empty/bot.toml").starts_with("name = \"ada-1\""));
    assert!(scratch.read("mine/bot.toml").starts_with("# name = "));
    scratch.run_with(&["new", "python", "My Bot"]).done();
    assert!(scratch.read("My Bot/README.md").contains("\npitmaster check 'My Bot'\n"));
}

#[test]
fn what_cannot_be_made_is_told_and_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.write("full/notes.txt", "mine").write("file", "");
    let calls = [
        "new pyton mine",
        "new cobol mine",
        "new python full",
        "new python file",
        "new python file/mine",
        "new python nowhere/mine",
        "new python mine --name Ada",
        "new python mine --game kalha",
        "new python mine --game chess",
        "new rust mine --game kalah",
        "new python mine --game kalah --no-rules",
        "new contest mine --game kalah",
        "new contest full",
    ];
    let told = calls.map(|call| format!("{call}\n{}", scratch.run(call).all()));
    insta::assert_snapshot!(told.join("\n"), @r#"
    new pyton mine
    exit 2
    --- stderr
    error: there is no template "pyton"; did you mean python?

    new cobol mine
    exit 2
    --- stderr
    error: there is no template "cobol"; the templates are c, cpp, go, java, javascript, python, rust, contest, course

    new python full
    exit 2
    --- stderr
    error: full exists and is not empty; choose another name, or remove it first

    new python file
    exit 2
    --- stderr
    error: file is a file or inside one; choose another name

    new python file/mine
    exit 2
    --- stderr
    error: file/mine is a file or inside one; choose another name

    new python nowhere/mine
    exit 2
    --- stderr
    error: cannot create nowhere/mine: its parent folder does not exist; create that first

    new python mine --name Ada
    exit 2
    --- stderr
    error: --name: a bot's name is 1 to 40 of the characters a-z 0-9 . _ - and starts with a letter or digit, not "Ada"; "ada" would do

    new python mine --game kalha
    exit 2
    --- stderr
    error: the Python template has no rules for "kalha"; did you mean kalah?
    error: a bot created with --no-rules plays any game

    new python mine --game chess
    exit 2
    --- stderr
    error: the Python template has no rules for "chess"; its games are coloured-awale, kalah
    error: a bot created with --no-rules plays any game

    new rust mine --game kalah
    exit 2
    --- stderr
    error: the Rust template has no rules for "kalah"; the Python template has them
    error: a bot created with --no-rules plays any game

    new python mine --game kalah --no-rules
    exit 2
    --- stderr
    error: the argument '--game <GAME>' cannot be used with '--no-rules'

    Usage: pitmaster new --game <GAME> <LANGUAGE> <FOLDER>

    For more information, try '--help'.

    new contest mine --game kalah
    exit 2
    --- stderr
    error: --name, --game and --no-rules apply only to bots; contest.toml sets a contest's title and game

    new contest full
    exit 2
    --- stderr
    error: full exists and is not empty; choose another name, or remove it first
    "#);
    let entries = fs::read_dir(scratch.path("")).expect("the folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("readable").file_name()).collect();
    names.sort();
    assert_eq!(names, ["bots", "file", "full", "tournaments"]);
}

/// Even root may not write there.
#[test]
fn where_nobody_may_write_nothing_is_made() {
    let ran = Scratch::new().run("new python /sys/mine");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.starts_with("error: cannot create /sys/mine: "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("; choose a place where you may write\n"), "{}", ran.stderr);
}
