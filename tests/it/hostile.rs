//! Every bot that misbehaves, against one that does not: what is expected of it stands in
//! its source.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::contest::{PATIENT, patient, tournament};
use crate::scratch::Scratch;

/// Those whose games end by themselves.
const QUICK: [&str; 43] = [
    "aborts-at-the-end",
    "answers-the-end",
    "arena-answer",
    "closes-output",
    "crash-at-move-3",
    "crash-at-once",
    "crlf-after-shebang",
    "crlf-lines",
    "daemon",
    "does-not-build",
    "empty-line",
    "exits-after-move",
    "flood-before-ready",
    "flood-behind-move",
    "flood-lines",
    "flood-without-newline",
    "garbage-before-ready",
    "hostile-text",
    "huge-line",
    "illegal-move",
    "info-flood",
    "lenient-flood",
    "liar-exits",
    "liar-goes-on",
    "lower-case",
    "malformed-line",
    "missing-tool",
    "move-garbage",
    "moves-ahead",
    "not-executable",
    "not-utf8",
    "nul-bytes",
    "orphan-holds-output",
    "prompt",
    "segfault",
    "speaks-out-of-turn",
    "spins-at-end-of-input",
    "talkative",
    "two-moves",
    "two-words",
    "wants-nothing",
    "wants-position",
    "windows-program",
];

/// Those that take their time, or that a limit must end.
const SLOW: [&str; 14] = [
    "closes-input",
    "hang",
    "hang-after-3-moves",
    "ignores-the-end",
    "never-reads",
    "never-ready",
    "no-flush",
    "partial-line",
    "ready-late",
    "slow-loris",
    "stderr-32-mib",
    "stderr-8-mib",
    "thinks-on-opponents-time",
    "wrong-greeting",
];

/// Those that do not even make their first move.
const NEVER_BEGIN: [&str; 4] = ["hang", "no-flush", "partial-line", "slow-loris"];

#[test]
fn every_hostile_bot_is_played() {
    let folders = fs::read_dir(hostile("")).expect("the hostile bots").flatten();
    let there: BTreeSet<String> = folders
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let played: BTreeSet<String> = QUICK.iter().chain(&SLOW).map(ToString::to_string).collect();
    assert_eq!(there, played);
    assert_eq!(QUICK.len() + SLOW.len(), there.len(), "none is played twice");
}

#[test]
fn those_whose_games_end_by_themselves() {
    play_all(&QUICK);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn those_that_take_their_time() {
    play_all(&SLOW);
}

/// Plays them all; tells of all that end otherwise than they should.
fn play_all(bots: &[&str]) {
    on_two_cores(bots, |bot| play(bot));
}

/// Tries them all, as many at once as there are cores, but two at most; tells of all that
/// failed.
pub(crate) fn on_two_cores<T: Sync>(all: &[T], attempt: impl Fn(&T) -> Result<(), String> + Sync) {
    let queue = Mutex::new(all.iter());
    let found = Mutex::new(Vec::new());
    let (queue, found, attempt) = (&queue, &found, &attempt);
    std::thread::scope(|scope| {
        for core in two_cores() {
            scope.spawn(move || {
                // The runs inherit it, so that their lanes are not on the same core.
                sched_setaffinity(None, &core).expect("a core");
                while let Some(one) = { queue.lock().expect("no panic").next() } {
                    let wrong = attempt(one).err();
                    found.lock().expect("no panic").extend(wrong);
                }
            });
        }
    });
    let found = found.lock().expect("no panic");
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

fn two_cores() -> Vec<CpuSet> {
    let here = sched_getaffinity(None).expect("the cores of this process");
    let cores = (0..CpuSet::MAX_CPU).filter(|&core| here.is_set(core)).take(2);
    let only = |core| {
        let mut set = CpuSet::new();
        set.set(core);
        set
    };
    cores.map(only).collect()
}

/// Plays a pair against a good bot; what is not as expected.
fn play(bot: &str) -> Result<(), String> {
    let expected = expectation(bot);
    let scratch = Scratch::new();
    scratch.fast("good", "random");
    let bots = format!("include = ['own/good', 'bots/hostile/{bot}']\nabsent = 'forfeit'");
    scratch.write("cup.toml", tournament(&clock(bot, &expected), 1, &bots));
    let mut run = scratch.start("run cup.toml --lanes 1");
    run.until("ended");
    let zombies = run.zombies();
    let ran = run.end(&scratch);
    let said = |what: String| Err(format!("{bot}, expected {expected}: {what}\n{}", ran.all()));
    if ran.code != Some(0) || zombies > 0 {
        return said(format!("{zombies} zombies, exit {:?}", ran.code));
    }
    let losers = scratch.column("results/cup/games.csv", "forfeited_by");
    let endings = scratch.column("results/cup/games.csv", "ending");
    let right = match expected.as_str() {
        "none" => losers.iter().all(String::is_empty),
        fault => losers.iter().all(|loser| loser == bot) && endings.iter().all(|e| e == fault),
    };
    if right && losers.len() == 2 { Ok(()) } else { said(format!("{losers:?} {endings:?}")) }
}

/// No limit is short but the one that is to end the game.
fn clock(bot: &str, expected: &str) -> String {
    let late = PATIENT.replace("per_move = '20s'", "per_move = '2s'");
    match expected {
        "move-late" if NEVER_BEGIN.contains(&bot) => {
            late.replace("first_move = '60s'", "first_move = '2s'")
        }
        "move-late" => late,
        "start-late" => PATIENT.replace("start_up = '60s'", "start_up = '2s'"),
        _ => PATIENT.to_owned(),
    }
}

/// What a bot's source says of its ending.
fn expectation(bot: &str) -> String {
    let files = fs::read_dir(hostile(bot)).expect("a folder").flatten();
    let sources = files.map(|file| fs::read(file.path()).expect("reads"));
    let said = sources.filter_map(|source| {
        let text = String::from_utf8_lossy(&source).into_owned();
        let (_, rest) = text.split_once("expect: ")?;
        Some(rest.split_whitespace().next()?.to_owned())
    });
    let said: Vec<String> = said.collect();
    assert_eq!(said.len(), 1, "{bot} says once what to expect");
    said.into_iter().next().expect("one")
}

fn hostile(bot: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hostile").join(bot)
}

const TEXTS: &str = r"
import sys
texts = ['=HYPERLINK(\'http://x\')', '@SUM(1)', '+1', '-1', '\x1b]0;pwned\x07\x1b[31m', '\u202egnp\u2066',
         '</script><img src=x>', '../../../etc/passwd']
count = 0
for line in sys.stdin:
    if line.startswith('pitmaster') or line.startswith('newgame'):
        print('ready', texts[0])
    if line.startswith('seed'):
        count = int(line.split()[1])
    if line.startswith('go'):
        text = texts[count % len(texts)]
        print(text, file=sys.stderr)
        print(text)
    sys.stdout.flush()
";

#[test]
fn no_text_of_a_bot_reaches_a_file_or_a_terminal_as_it_is() {
    let scratch = Scratch::new();
    scratch.fast("good", "random").sample("hostile/hostile-text");
    scratch.bot("writer", "pitmaster", TEXTS);
    scratch.write("cup.toml", patient(2));
    let ran = scratch.run("run cup.toml").done();
    let shown = scratch.run("standings results/cup --forfeits").done();
    let json = scratch.run("run cup.toml --json --out again").done();
    for ran in [ran, shown, json] {
        assert_plain("stdout", &ran.raw.stdout);
        assert_plain("stderr", &ran.raw.stderr);
    }
    assert!(scratch.column("results/cup/games.csv", "line").iter().any(|line| !line.is_empty()));
    let mut files = 0;
    for folder in ["results/cup", "again/cup"] {
        for entry in fs::read_dir(scratch.path(folder)).expect("results").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !entry.path().is_file() || name.starts_with("tournament.db") {
                continue;
            }
            files += 1;
            assert_plain(&name, &fs::read(entry.path()).expect("reads"));
            if entry.path().extension().is_some_and(|extension| extension == "csv") {
                assert_no_formulas(&name, &entry.path());
            }
        }
    }
    assert!(files >= 12, "{files} files");
}

/// That there is nothing that steers a terminal or turns text around.
fn assert_plain(name: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let steers = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let found = text.lines().find(|line| line.contains(steers));
    assert_eq!(found, None, "{name}");
}

/// That a spreadsheet would run no cell.
fn assert_no_formulas(name: &str, path: &Path) {
    let mut reader = csv::Reader::from_path(path).expect("opens");
    for row in reader.records() {
        for cell in &row.expect("a row") {
            let starts = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!starts || cell.parse::<f64>().is_ok(), "{name}: {cell:?}");
        }
    }
}
