//! `pitmaster check` of programs that think for seconds, as those of students do, and its messages
//! about long checks.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::hostile::on_two_cores;
use crate::scratch::{Ran, Scratch};

/// Three times the announced duration of a check of a bot with two seconds a move.
const PATIENCE: Duration = Duration::from_mins(45);

/// Copies a bot of `tests/slow` that thinks for this many milliseconds, with parts of its code
/// replaced.
fn thinker(scratch: &Scratch, language: &str, millis: u32, changes: &[(&str, &str)]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow").join(language);
    for entry in fs::read_dir(folder).expect("a bot").flatten() {
        let mut text = fs::read_to_string(entry.path()).expect("text");
        let name = entry.file_name().into_string().expect("UTF-8");
        if name == "bot.toml" {
            text = text.replace("2000", &millis.to_string());
        } else {
            for (from, to) in changes {
                assert!(text.contains(from), "{from}");
                text = text.replace(from, to);
            }
        }
        scratch.write(&format!("own/{language}/{name}"), text);
    }
    format!("own/{language}")
}

fn report(scratch: &Scratch, args: &str) -> Value {
    read(&scratch.run(&format!("check {args} --format json")))
}

/// The report for a bot whose games take minutes.
fn patient_report(scratch: &Scratch, args: &str) -> Value {
    let args = format!("check {args} --format json");
    let words: Vec<_> = args.split_ascii_whitespace().collect();
    read(&scratch.run_within(PATIENCE, &words))
}

fn read(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.all()))
}

fn names<'v>(value: &'v Value, key: &str) -> Vec<&'v str> {
    let all = value[key].as_array().expect("a list");
    all.iter().map(|one| one.as_str().or(one["what"].as_str()).expect("a name")).collect()
}

/// Outcome and findings of a scene.
fn came<'v>(bot: &'v Value, scene: &str) -> (&'v str, Vec<&'v str>) {
    let scenes = bot["scenes"].as_array().expect("a list");
    let found = scenes.iter().find(|result| result["name"] == scene).expect("the scene");
    (found["came"].as_str().expect("a name"), names(found, "findings"))
}

/// Checks that there are no findings. On an overloaded machine, some scenes stay open.
fn is_clean(language: &str, millis: u32, flags: &str) -> Result<(), String> {
    let scratch = Scratch::new();
    let bot = thinker(&scratch, language, millis, &[]);
    let report = report(&scratch, &format!("{bot} {flags}"));
    let found = names(&report["bots"][0], "findings");
    if found.is_empty() { Ok(()) } else { Err(format!("{language}: {report:#}")) }
}

/// The bots stay alive for more than a second after their input ends, because they are still
/// thinking.
#[test]
fn who_thinks_when_all_ends_is_found_no_fault_with() {
    let flags = "--quick --per-move 20s --first-move 60s";
    on_two_cores(&["c", "python"], |language| is_clean(language, 1200, flags));
}

/// All scenes with two seconds a move where three are allowed: a program with one thread, and a
/// virtual machine with many. Takes a quarter of an hour.
#[test]
#[ignore = "slow: .ci/full runs it"]
fn honest_bots_of_two_seconds_a_move_are_found_no_fault_with() {
    on_two_cores(&["cpp", "java"], |language| {
        let scratch = Scratch::new();
        let bot = thinker(&scratch, language, 2000, &[]);
        let report = patient_report(&scratch, &format!("{bot} --per-move 3s --games 1"));
        let bot = &report["bots"][0];
        // They think for as long under a shorter limit, and it is said.
        let (tight, _) = came(bot, "tight-clock");
        let right = match names(bot, "findings")[..] {
            ["tight-clock"] => tight == "should",
            [] => tight == "not-judged",
            _ => false,
        };
        if right { Ok(()) } else { Err(format!("{language}: {report:#}")) }
    });
}

#[test]
fn a_quick_check_sees_who_takes_no_notice_of_a_shorter_limit() {
    let scratch = Scratch::new();
    let bot = thinker(&scratch, "python", 800, &[]);
    let report = report(&scratch, &format!("{bot} --quick --per-move 4s --first-move 60s"));
    let bot = &report["bots"][0];
    let (tight, found) = came(bot, "tight-clock");
    assert!(tight == "should" && found == ["tight-clock"] || tight == "not-judged", "{report:#}");
    let late: Vec<_> = names(bot, "findings").into_iter().filter(|w| *w != "tight-clock").collect();
    assert!(late.is_empty(), "{report:#}");
}

#[test]
fn who_computes_for_ever_without_input_is_still_found_out() {
    let scratch = Scratch::new();
    let spins = [("    if not line or", "    while not line:\n        pass\n    if")];
    let bot = thinker(&scratch, "python", 0, &spins);
    let report = report(&scratch, &format!("{bot} --quick --per-move 3s --first-move 60s"));
    assert!(names(&report["bots"][0], "findings").contains(&"spins-after-input"), "{report:#}");
}

/// A line that is late without much computation is not evidence of a buffer.
#[test]
fn who_sleeps_beyond_the_limit_is_too_slow_and_has_no_buffer() {
    let scratch = Scratch::new();
    let sleeps = [("    while time.monotonic() < end:\n        pass\n", "    time.sleep(think)\n")];
    let bot = thinker(&scratch, "python", 3500, &sleeps);
    let flags = "--quick --per-move 2s --first-move 2s";
    let report = report(&scratch, &format!("{bot} {flags}"));
    assert_eq!(names(&report["bots"][0], "findings"), ["too-slow"], "{report:#}");
    let came = report["bots"][0]["findings"][0]["came"].as_str().expect("text");
    assert!(came.contains("it arrived after"), "{came}");
}

/// Plays correctly for three moves, then moves a hole of its opponent.
const ILLEGAL_AT_4: &[(&str, &str)] = &[
    ("while True:\n    line", "count = 0\nwhile True:\n    line"),
    (
        "        play(moves[-1])\n",
        "        count += 1\n        if count > 3:\n            \
         moves = [f'{hole + 1}R' for hole in range(1 - me, 16, 2) if seeds[hole][0]]\n        \
         play(moves[-1])\n",
    ),
];

#[test]
fn a_must_in_one_scene_skips_no_scene_that_can_be_played() {
    let scratch = Scratch::new();
    let bot = thinker(&scratch, "python", 0, ILLEGAL_AT_4);
    let flags = "--per-move 20s --first-move 60s --games 2";
    let report = report(&scratch, &format!("{bot} {flags}"));
    let bot = &report["bots"][0];
    for scene in ["start", "early-end", "sudden-end"] {
        assert_eq!(came(bot, scene), ("ok", vec![]), "{scene}: {report:#}");
    }
    // It returns in other scenes, and is shown there by its own name.
    for scene in ["games", "pieces", "crlf", "patience", "long-game", "series"] {
        assert_eq!(came(bot, scene), ("must", vec!["wrong-side"]), "{scene}: {report:#}");
    }
    let finding = &bot["findings"][0];
    let scenes = names(finding, "scenes");
    assert!(scenes.starts_with(&["games", "pieces", "crlf"]), "{scenes:?}");
    let came = finding["came"].as_str().expect("text");
    assert!(came.contains(" as player 1: hole ") && came.ends_with(" is player 2's"), "{came}");
}

#[test]
fn an_interrupted_check_shows_what_it_has_found() {
    let scratch = Scratch::new();
    let slow = thinker(&scratch, "python", 500, &[]);
    let args = format!("check bots/hostile/windows-program {slow} --per-move 20s");
    let mut command = scratch.command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("the binary starts");
    let mut stderr = BufReader::new(process.stderr.take().expect("piped")).lines();
    let line = stderr.by_ref().map_while(Result::ok).find(|line| line.starts_with("1 of 2"));
    assert!(line.is_some(), "the first bot is told of");
    let pid = Pid::from_raw(process.id().cast_signed()).expect("a process");
    kill_process(pid, Signal::INT).expect("it runs");
    let heard: Vec<_> = stderr.map_while(Result::ok).collect();
    let output = process.wait_with_output().expect("it ends");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(130), "{stdout}\n{heard:?}");
    assert!(stdout.contains("windows-program  broken"), "{stdout}");
    let left = stdout.contains("interrupted") || stdout.contains("1 more were not checked");
    assert!(left, "{stdout}");
    assert!(heard.iter().any(|line| line.starts_with("interrupted: ")), "{heard:?}");
}

#[test]
fn how_long_it_takes_is_said_before_it_starts() {
    let scratch = Scratch::new();
    let ran = scratch.run("check bots/hostile/windows-program --per-move 2s");
    insta::assert_snapshot!(ran.stderr, @"takes seconds if a bot answers at once, up to [time] if all take [time] for every move; --quick takes half a minute");
    let ran = scratch.run("check bots/hostile/windows-program --per-move 2s --quick");
    insta::assert_snapshot!(ran.stderr, @"takes up to [time] if the bots take [time] for every move");
}

/// Wrongly sows a pile of more than 16 seeds into its origin, too.
#[test]
#[ignore = "slow: .ci/full runs it"]
fn who_sows_large_piles_wrongly_is_told() {
    let scratch = Scratch::new();
    let wrong = [
        (
            "    if \"T\" in move:\n",
            "    global whole\n    whole = seeds[hole][int(blue)]\n    if \"T\" in move:\n        whole += seeds[hole][2]\n",
        ),
        ("while last == start or", "while last == start and whole < 17 or"),
    ];
    let bot = thinker(&scratch, "python", 0, &wrong);
    let flags = "--per-move 20s --first-move 60s";
    let report = report(&scratch, &format!("{bot} {flags}"));
    let bot = &report["bots"][0];
    assert!(names(bot, "reached").contains(&"large-pile"), "{report:#}");
    assert!(!names(bot, "findings").is_empty(), "{report:#}");
}
