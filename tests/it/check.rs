//! `pitmaster check` from outside: it detects every faulty bot, and no correct one.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::hostile::{attacks_the_machine, on_two_cores};
use crate::scratch::{Ran, Scratch};

/// A bot and its expected findings; empty for a bot that is unusual but correct.
type Expected = (&'static str, &'static [&'static str]);

/// Bots whose faults show in their first moves.
const QUICK: [Expected; 17] = [
    ("aborts", &["crash"]),
    ("arena-answer", &["other-dialect"]),
    ("crash-at-move-3", &["crash"]),
    ("crlf-after-shebang", &["would-not-start"]),
    ("does-not-build", &["does-not-build"]),
    ("empty-line", &["not-a-move"]),
    ("exits-after-move", &["ends-early"]),
    ("illegal-move", &["wrong-side"]),
    ("missing-tool", &["missing-tool"]),
    ("no-flush", &["missing-flush"]),
    ("not-executable", &["would-not-start"]),
    ("not-utf8", &["not-text"]),
    ("partial-line", &["no-line-end"]),
    ("prompt", &["prompt"]),
    ("two-moves", &["more-than-a-move"]),
    ("windows-program", &["would-not-start"]),
    ("wrong-greeting", &["not-ready"]),
];

/// All other bots.
const SLOW: [Expected; 43] = [
    ("aborts-at-the-end", &["crash-at-end"]),
    ("answers-the-end", &["writes-after-end"]),
    ("closes-input", &["silent"]),
    ("closes-output", &["closes-output"]),
    ("crash-at-once", &["crash"]),
    ("crlf-lines", &["crlf-lines"]),
    ("daemon", &["leaves-processes"]),
    ("flood-before-ready", &["flood"]),
    ("flood-behind-move", &["out-of-turn"]),
    ("flood-lines", &["not-a-move"]),
    ("flood-without-newline", &["flood"]),
    ("garbage-before-ready", &["lines-before-ready"]),
    ("hang", &["missing-flush"]),
    ("hang-after-3-moves", &["silent"]),
    ("hostile-text", &["lines-before-ready"]),
    ("huge-line", &["flood"]),
    ("ignores-the-end", &["stays-after-end", "stays-after-input"]),
    ("info-flood", &["flood"]),
    ("lenient-flood", &["flood"]),
    ("liar-exits", &["ends-early", "wrong-claim"]),
    ("liar-goes-on", &["wrong-claim"]),
    ("lower-case", &["small-letters"]),
    ("malformed-line", &["not-a-move"]),
    ("move-garbage", &["not-a-move"]),
    ("moves-ahead", &["out-of-turn"]),
    ("never-reads", &["silent"]),
    ("never-ready", &["not-ready"]),
    ("nul-bytes", &["not-a-move"]),
    ("orphan-holds-output", &["ends-early"]),
    ("overflows-stack", &["crash"]),
    ("ready-late", &["not-ready"]),
    ("segfault", &["crash"]),
    ("slow-loris", &["no-line-end"]),
    ("speaks-out-of-turn", &["out-of-turn"]),
    ("spins-at-end-of-input", &["spins-after-input"]),
    ("starts-slowly", &[]),
    ("stderr-32-mib", &["flood"]),
    ("stderr-8-mib", &["stderr-flood"]),
    ("talkative", &["chatter"]),
    ("thinks-on-opponents-time", &["thinks-on-others-time"]),
    ("two-words", &["more-than-a-move"]),
    ("wants-nothing", &[]),
    ("wants-position", &[]),
];

/// Findings that need a limit to expire.
const LATE: [&str; 4] = ["missing-flush", "silent", "no-line-end", "not-ready"];

/// Bots that start processes. Every sandbox refuses that, so there are no findings.
const STARTS_PROCESSES: [&str; 2] = ["daemon", "orphan-holds-output"];

/// Limits that no slow machine exceeds, and a short series.
const PATIENT: &str = "--per-move 20s --first-move 60s --start-up 60s --games 2";

/// Bots that stay alive after the end; `check` waits for them for the duration of two moves.
const STAY: [&str; 2] = ["ignores-the-end", "spins-at-end-of-input"];

/// Limits that keep this wait short.
const BRIEF: &str = "--per-move 4s --first-move 60s --start-up 60s --games 2";

/// Only the limit that has to expire is short.
const IMPATIENT: &str = "--per-move 2s --first-move 2s --start-up 2s --games 2";

fn json(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.all()))
}

/// Names of the findings for the first bot.
fn found(report: &Value) -> Vec<&str> {
    let findings = report["bots"][0]["findings"].as_array().expect("a list");
    findings.iter().map(|finding| finding["what"].as_str().expect("a name")).collect()
}

/// Checks for exactly these findings, and optionally others that a finding of must implies.
fn check((bot, expected): &Expected) -> Result<(), String> {
    let late = expected.iter().any(|what| LATE.contains(what));
    let flags = match late {
        _ if STAY.contains(bot) => BRIEF,
        true => IMPATIENT,
        false => PATIENT,
    };
    let tier = if STARTS_PROCESSES.contains(bot) { "--isolation bare" } else { "" };
    let scratch = Scratch::new();
    let args = format!("check bots/hostile/{bot} --format json --strict {flags} {tier}");
    let ran = scratch.run(&args);
    let report = json(&ran);
    let found = found(&report);
    let right = match expected {
        [] => found.is_empty(),
        expected => expected.iter().all(|what| found.contains(what)),
    };
    let code = Some(i32::from(!expected.is_empty()));
    if right && ran.code == code {
        return Ok(());
    }
    Err(format!("{bot}, expected {expected:?}: {found:?}, exit {:?}\n{}", ran.code, ran.stderr))
}

#[test]
fn every_hostile_bot_is_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/hostile");
    let entries = fs::read_dir(folder).expect("the hostile bots").flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let names = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
    let mut there: Vec<_> = names.filter(|bot| !attacks_the_machine(bot)).collect();
    let mut checked: Vec<_> = QUICK.iter().chain(&SLOW).map(|(bot, _)| (*bot).to_owned()).collect();
    there.sort_unstable();
    checked.sort_unstable();
    assert_eq!(there, checked);
}

#[test]
fn who_misbehaves_at_once_is_found_out() {
    on_two_cores(&QUICK, check);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn who_misbehaves_is_found_out() {
    on_two_cores(&SLOW, check);
}

fn is_clean(bot: &&str) -> Result<(), String> {
    let ran = Scratch::new().run(&format!("check bots/{bot} --strict {PATIENT}"));
    if ran.code == Some(0) { Ok(()) } else { Err(format!("{bot}: {}", ran.all())) }
}

#[test]
fn who_behaves_is_left_in_peace() {
    on_two_cores(&["greedy-python", "course-python"], is_clean);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn no_sample_bot_is_found_fault_with() {
    on_two_cores(
        &[
            "cautious-rust",
            "greedy-c",
            "greedy-cpp",
            "greedy-java",
            "greedy-javascript",
            "greedy-rust",
            "random-c",
            "random-cpp",
            "random-java",
            "random-javascript",
            "random-python",
            "random-rust",
        ],
        is_clean,
    );
}

/// A bot in the dialect pitmaster that plays the first legal move, with parts of its code replaced.
fn first_move(changes: &[(&str, &str)]) -> String {
    let source = "\
import os, sys, time
for line in sys.stdin:
    word, *rest = line.split()
    if word in ('pitmaster', 'newgame'):
        print('ready x', flush=True)
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        print('move', moves[0], flush=True)
    elif word == 'end':
        pass
";
    changes.iter().fold(source.to_owned(), |source, (from, to)| {
        assert!(source.contains(from), "{from}");
        source.replace(from, to)
    })
}

/// Common mistakes of students, each with its findings.
#[test]
fn what_students_get_wrong_is_named() {
    let thinks = "end = time.process_time() + 1\n        while time.process_time() < end: pass\n";
    let mistakes: [(&str, String, &str); 8] = [
        ("second-game", first_move(&[("pass", "break")]), PATIENT),
        ("needs-lf", first_move(&[("line.split()", "line[:-1].split(' ')")]), IMPATIENT),
        (
            "crash-after-input",
            first_move(&[("for line in sys.stdin:", "while line := input():")]),
            PATIENT,
        ),
        ("prompt", first_move(&[("'move', moves[0]", "'Your move?'")]), PATIENT),
        ("other-dialect", first_move(&[("'move', moves[0]", "moves[0]")]), PATIENT),
        ("counts-from-zero", first_move(&[("moves[0]", "'0R'")]), PATIENT),
        ("wrong-side", first_move(&[("moves[0]", "'2R' if '1R' in moves else '1R'")]), PATIENT),
        (
            "too-slow",
            first_move(&[("print('move'", &format!("{thinks}        print('move'"))]),
            "--per-move 100ms --games 0",
        ),
    ];
    on_two_cores(&mistakes, |(what, source, flags)| {
        let scratch = Scratch::new();
        let bot = scratch.bot("student", "pitmaster", source);
        let ran = scratch.run(&format!("check {bot} --format json --strict {flags}"));
        let report = json(&ran);
        let found = found(&report);
        let right = ran.code == Some(1) && found.contains(what);
        if right { Ok(()) } else { Err(format!("{what}: {found:?}\n{source}")) }
    });
}

#[test]
fn a_bot_that_speaks_another_dialect_is_understood() {
    let scratch = Scratch::new();
    let bot = scratch.bot("student", "arena", &first_move(&[]));
    let ran = scratch.run(&format!("check {bot} --format json {IMPATIENT}"));
    let report = json(&ran);
    assert_eq!((found(&report), ran.code), (vec!["other-dialect"], Some(1)));
    let finding = &report["bots"][0]["findings"][0];
    assert_eq!(finding["came"], "it answers in pitmaster");
}

/// Reads chunks and wrongly assumes that each consists of whole lines.
const CHUNKS: &str = "
import os
while data := os.read(0, 65536).decode():
    for line in data.split('\\n'):
        word, *rest = line.split() or ['']
        if word in ('pitmaster', 'newgame'):
            print('ready x', flush=True)
        elif word == 'moves':
            moves = rest
        elif word == 'go':
            print('move', moves[0], flush=True)
";

#[test]
fn what_is_read_in_pieces_must_be_put_together() {
    let scratch = Scratch::new();
    let bot = scratch.bot("chunks", "pitmaster", CHUNKS);
    let flags = "--per-move 10s --start-up 3s --games 0";
    let ran = scratch.run(&format!("check {bot} --format json {flags}"));
    assert_eq!((found(&json(&ran)), ran.code), (vec!["needs-whole-lines"], Some(1)));
}

#[test]
fn findings_are_told_with_what_was_said_and_what_to_do() {
    let scratch = Scratch::new();
    let ran = scratch.run(&format!("check bots/hostile/prompt {PATIENT}"));
    insta::assert_snapshot!(ran.all(), @r#"
    exit 1
    --- stdout
    prompt ([hash]), Python, dialect arena, coloured-awale

      ✗ must    start         it is built, starts, and makes a first move: prompt
      ✗ must    games         whole games on both sides against house:random and house:greedy: prompt
      - skip    10 more scenes, once this is fixed

    MUST prompt: it prints prompts or other text around its move (scenes start, games; 3 times)
      expected  a line like `1R`, and nothing else
      got       "Your move: 1R"
      fix       print no prompt: `1R` alone is right; prompts are for people
        > START
        < Your move: 1R
        > END
        < Your move: 1R

    Not yet: one thing must be fixed before prompt can be handed in.
    Next: fix it, and check again.
    --- stderr
    takes seconds if a bot answers at once, up to [time] if all take [time] for every move; --quick takes half a minute
    "#);
}

#[test]
fn many_bots_are_a_table_and_a_sheet() {
    let scratch = Scratch::new();
    let bots = "bots/hostile/windows-program bots/hostile/does-not-build bots/hostile/missing-tool";
    let ran = scratch.run(&format!("check {bots} --csv check.csv"));
    insta::assert_snapshot!(ran.all(), @r"
    exit 1
    --- stdout
    bot              verdict  must  should  W-D-L  median ms  99 % ms  worst ms  MiB  first finding
    windows-program  broken      1       0                                            would-not-start
    does-not-build   broken      1       0                                            does-not-build
    missing-tool     broken      1       0                                            missing-tool

    bots/hostile/windows-program
      must    its program cannot be started: a Windows program; build it for Linux

    bots/hostile/does-not-build
      must    it does not build: `cc -o bot bot.c` exited with code 1

    bots/hostile/missing-tool
      must    a command that it needs is not on this machine: it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it

    `pitmaster check` with a single bot shows what was said and what to do.
    --- stderr
    takes seconds if a bot answers at once, up to [time] if all take [time] for every move; --quick takes half a minute
    1 of 3: windows-program: broken
    2 of 3: does-not-build: broken
    3 of 3: missing-tool: broken
    ");
    insta::assert_snapshot!(scratch.redact(&scratch.read("check.csv")), @r#"
    path,bot,hash,dialect,verdict,musts,shoulds,wins,draws,losses,moves,median_ms,p99_ms,worst_ms,memory_mib,findings,notes,not_judged,reason,person,email
    bots/hostile/windows-program,windows-program,[hash],,broken,1,0,,,,,,,,,would-not-start,0,,"a Windows program; build it for Linux; hand in the source with a `build` in bot.toml, or build it on Linux or in WSL",,
    bots/hostile/does-not-build,does-not-build,[hash],,broken,1,0,,,,,,,,,does-not-build,0,,`cc -o bot bot.c` exited with code 1; build it in an empty folder on Linux with the commands of its bot.toml,,
    bots/hostile/missing-tool,missing-tool,[hash],,broken,1,0,,,,,,,,,missing-tool,0,,"it needs pitmaster-no-such-tool, which is not on this machine's PATH; install it; install it, or check the spelling of its name in bot.toml",,
    "#);
}

#[test]
fn a_workflow_run_is_annotated() {
    let scratch = Scratch::new();
    let bots = "bots/hostile/not-executable bots/hostile/windows-program";
    let ran = scratch.run(&format!("check {bots} --format github"));
    insta::assert_snapshot!(ran.stdout, @r#"
    ::error file=bots/hostile/not-executable/bot.toml,title=not-executable%3A would-not-start::its program cannot be started%0Aexpected: a program that starts here%0Agot: it is not executable; chmod +x it%0Afix: chmod +x FILE, or name its interpreter in `run`: ["python3", "bot.py"]
    ::error file=bots/hostile/windows-program/bot.toml,title=windows-program%3A would-not-start::its program cannot be started%0Aexpected: a program that starts here%0Agot: a Windows program; build it for Linux%0Afix: hand in the source with a `build` in bot.toml, or build it on Linux or in WSL
    "#);
}

#[test]
fn what_is_not_there_is_a_wrong_command() {
    let scratch = Scratch::new();
    for args in ["check", "check nowhere", "check bots/greedy-c nowhere", "check house:nobody"] {
        let ran = scratch.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args}: {}", ran.all());
    }
}

#[test]
fn the_help_lists_scenes_findings_columns_and_fields() {
    let help = Scratch::new().run("help check").done().stdout;
    for word in ["sudden-end", "missing-flush", "memory_mib", "worst_ms"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}
