//! `pitmaster check --audit` reports attempts of bots, and ignores normal operations of runtimes.

use serde_json::Value;

use crate::hostile::on_two_cores;
use crate::scratch::{Ran, Scratch, on_a_machine_of_its_own};

/// Limits that no slow machine exceeds, and no series.
const PATIENT: &str = "--per-move 20s --first-move 60s --start-up 60s --games 0";

/// Runs a check with an audit. Returns `None`, with a message, if audits are unavailable.
fn audited(scratch: &Scratch, bot: &str, flags: &str) -> Option<Ran> {
    let ran = scratch.run(&format!("check {bot} --audit --strict {PATIENT} {flags}"));
    if ran.code == Some(3) {
        eprintln!("skipped: {bot}: {}", ran.stderr);
        return None;
    }
    Some(ran)
}

fn report(ran: &Ran) -> Value {
    let report: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.all()));
    report["bots"][0].clone()
}

/// Calls that the audit recorded, one per line.
fn seen(report: &Value) -> Vec<String> {
    let calls = report["audit"].as_array().unwrap_or_else(|| panic!("no audit: {report}"));
    let line = |call: &Value| {
        let examples = call["examples"].as_array().expect("a list").iter();
        let examples: Vec<_> = examples.map(|one| one.as_str().expect("a text")).collect();
        let words = ["class", "name"].map(|key| call[key].as_str().expect("a word"));
        format!("{}: {} x{} {}", words[0], words[1], call["count"], examples.join(" | "))
    };
    calls.iter().map(line).collect()
}

fn found(report: &Value) -> Vec<&str> {
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().map(|finding| finding["what"].as_str().expect("a name")).collect()
}

fn tries_nothing(bot: &&str) -> Result<(), String> {
    let scratch = Scratch::new();
    let Some(ran) = audited(&scratch, bot, "--format json") else { return Ok(()) };
    let report = report(&ran);
    let is_right = seen(&report).is_empty() && found(&report).is_empty() && ran.code == Some(0);
    if is_right { Ok(()) } else { Err(format!("{bot}: {report:#}\n{}", ran.stderr)) }
}

#[test]
fn an_honest_bot_tries_nothing() {
    on_two_cores(&["bots/random-c", "bots/greedy-python", "house:greedy"], tries_nothing);
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn no_runtime_is_suspected() {
    on_two_cores(
        &[
            "bots/course-python",
            "bots/greedy-cpp",
            "bots/greedy-java",
            "bots/greedy-javascript",
            "bots/greedy-rust",
            "bots/random-java",
            "bots/random-javascript",
        ],
        tries_nothing,
    );
}

/// A bot that does something first, and then plays the first legal move.
fn bot(scratch: &Scratch, first: &str) -> String {
    let source = format!(
        "\
import os, socket, sys
{first}
for line in sys.stdin:
    word, *rest = line.split()
    if word in ('pitmaster', 'newgame'):
        print('ready x', flush=True)
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        print('move', moves[0], flush=True)
"
    );
    scratch.bot("curious", "pitmaster", &source)
}

/// A bot that continues after every refused attempt.
fn curious(scratch: &Scratch) -> String {
    scratch.write("elsewhere/results", "theirs");
    let results = scratch.path("elsewhere/results").display().to_string();
    let first = format!(
        "\
def tried(act):
    try: act()
    except OSError: pass
def process():
    pid = os.fork()
    if pid == 0: os._exit(0)
    os.waitpid(pid, 0)
for _ in range(3):
    tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM))
tried(lambda: open('/etc/passwd'))
for _ in range(2):
    tried(lambda: open({results:?}))
tried(process)"
    );
    bot(scratch, &first)
}

#[test]
fn what_is_tried_is_told_by_name_and_count() {
    let scratch = Scratch::new();
    let bot = curious(&scratch);
    let Some(ran) = audited(&scratch, &bot, "--format json") else { return };
    let report = report(&ran);
    let mut seen = seen(&report);
    // The C library starts a process by `clone` where there is no `fork`.
    for line in &mut seen {
        *line = line.replace(": fork x", ": clone x").replace(": open x", ": openat x");
    }
    assert_eq!(
        seen,
        [
            "network: socket x3 AF_INET, the network, stream",
            "foreign files: openat x3 /etc/passwd | [scratch]/elsewhere/results",
            "processes: clone x1 ",
        ]
    );
    assert_eq!(found(&report), ["tried-network", "tried-files", "tried-processes"]);
    let levels = report["findings"].as_array().expect("a list").iter();
    assert!(levels.map(|finding| &finding["level"]).all(|level| level == "note"));
    // Evidence, and no verdict.
    assert_eq!((ran.code, report["verdict"].as_str()), (Some(0), Some("clean")));
}

#[test]
fn notes_are_told_in_every_form() {
    let scratch = Scratch::new();
    let bot = curious(&scratch);
    let Some(text) = audited(&scratch, &bot, "--csv check.csv") else { return };
    let (_, notes) = text.stdout.split_once("\nNOTE ").expect("a note");
    let (note, _) = notes.split_once("\n\n").expect("more than one");
    insta::assert_snapshot!(note, @"
    tried-network: it tried to reach the network (scene audit, 3 times)
      expected  no sockets: there is no network in a contest
      got       it tried `socket` 3 times (AF_INET, the network, stream), which a contest refuses
      fix       remove it, or continue when it is refused; runtimes and libraries do this too, so it is
                evidence to examine, not proof
        # socket: AF_INET, the network, stream
    ");
    assert!(text.stdout.contains("  · note    audit "), "{}", text.stdout);
    let sheet = scratch.read("check.csv");
    assert!(sheet.ends_with(",tried-network tried-files tried-processes,3,,,,\n"), "{sheet}");
    let told = |format: &str| {
        let ran = scratch.run(&format!("check {bot} --audit {PATIENT} --format {format}"));
        ran.done().stdout
    };
    let (github, markdown) = (told("github"), told("markdown"));
    assert_eq!(github.lines().filter(|line| line.starts_with("::notice ")).count(), 3, "{github}");
    assert!(markdown.contains("\n### note: it tried to reach the network\n"), "{markdown}");
}

#[test]
fn an_audit_that_ends_early_says_so() {
    let scratch = Scratch::new();
    let bot = bot(&scratch, "socket.socket(socket.AF_INET, socket.SOCK_STREAM)");
    let Some(ran) = audited(&scratch, &bot, "--isolation bare --format json") else { return };
    let report = report(&ran);
    assert_eq!(found(&report), ["tried-network", "audit-cut-short"]);
    assert_eq!(ran.code, Some(0));
}

/// Replaces itself by a program that the kernel tells that there is no Landlock.
const WITHOUT_LANDLOCK: &str = "
import ctypes, os, struct, sys
filter = struct.pack('HBBI', 0x20, 0, 0, 0) + struct.pack('HBBI', 0x15, 0, 1, 444)
filter += struct.pack('HBBI', 6, 0, 0, 0x50026) + struct.pack('HBBI', 6, 0, 0, 0x7fff0000)
held = ctypes.create_string_buffer(filter)
program = struct.pack('HxxxxxxP', 4, ctypes.addressof(held))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, program) == 0
os.execv(sys.argv[1], sys.argv[1:])
";

#[test]
fn where_no_audit_is_possible_none_is_pretended() {
    let scratch = Scratch::new();
    let mut command = std::process::Command::new("python3");
    command.args(["-c", WITHOUT_LANDLOCK, env!("CARGO_BIN_EXE_pitmaster")]);
    command.args(["check", "house:random", "--audit"]).current_dir(scratch.path("."));
    on_a_machine_of_its_own(&mut command);
    let ran = scratch.ran(command.output().expect("Python starts"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{}", ran.all());
    assert!(ran.stderr.starts_with("error: this machine cannot audit bots"), "{}", ran.stderr);
}
