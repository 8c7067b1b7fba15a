//! Concurrent games use different cores, or one waits for the other.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use pitmaster::store::Reader;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::{CpuSet, sched_getaffinity};
use serde_json::Value;

use crate::contest::{patient, tournament};
use crate::scratch::{Ran, Scratch};

/// Limits that nobody exceeds even on a busy machine.
const PATIENT_MATCH: &str = "--per-move 20s --per-game 1h";

/// The last core that tests may use.
fn core() -> usize {
    let may = sched_getaffinity(None).expect("can be asked");
    (0..CpuSet::MAX_CPU).filter(|&core| may.is_set(core)).max().expect("a core")
}

/// The lock file of that core, named after the first of its siblings.
fn lock_file(scratch: &Scratch) -> PathBuf {
    let core = core();
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let siblings = std::fs::read_to_string(path).unwrap_or_default();
    let first = siblings.trim().split([',', '-']).next().filter(|first| !first.is_empty());
    let name = first.map_or_else(|| core.to_string(), str::to_owned);
    std::fs::create_dir_all(scratch.path("locks")).expect("a folder");
    scratch.path(&format!("locks/pitmaster-core-{name}.lock"))
}

/// Locks the core, as another program would.
fn hold(scratch: &Scratch) -> File {
    let file = File::create(lock_file(scratch)).expect("creates");
    flock(&file, FlockOperation::NonBlockingLockExclusive).expect("locks");
    file
}

/// A command on that core, with lock files in the scratch folder.
fn command(scratch: &Scratch, args: &str) -> Command {
    std::fs::create_dir_all(scratch.path("locks")).expect("a folder");
    let mut command = scratch.command(&format!("{args} --cores {}", core()));
    command.env("PITMASTER_LOCKS", scratch.path("locks"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn ran(scratch: &Scratch, mut command: Command) -> Ran {
    scratch.ran(command.output().expect("the binary starts"))
}

/// Starts it with standard error in a file, and waits until the file contains a text.
fn start_until(scratch: &Scratch, args: &str, words: &str) -> Child {
    let log = File::create(scratch.path("log")).expect("a log");
    let mut child = command(scratch, args).stderr(log).spawn().expect("the binary starts");
    while !scratch.read("log").contains(words) {
        let ended = child.try_wait().expect("can be asked");
        assert!(ended.is_none(), "it ended without {words:?}: {}", scratch.read("log"));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child
}

fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").write("cup.toml", patient(1));
    scratch
}

/// All commands that play.
const PLAYING: [&str; 4] = [
    "run cup.toml",
    "match own/dice own/first --pairs 1 --per-move 60s",
    "check own/dice --games 0 --per-move 60s",
    "play own/dice own/first --per-move 60s",
];

#[test]
fn whoever_plays_waits_for_a_core_that_is_taken_and_says_for_whom() {
    let scratch = field();
    for args in PLAYING {
        let held = hold(&scratch);
        let child = start_until(&scratch, args, "waiting for a free core");
        let said = scratch.read("log");
        let holder = format!("is reserved by process {} of ", std::process::id());
        assert!(said.contains(&holder) && said.contains("--share-cores"), "{args}: {said}");
        drop(held);
        let output = child.wait_with_output().expect("it ends");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args}: {}", scratch.read("log"));
    }
}

#[test]
fn a_core_is_free_when_its_process_was_killed() {
    let scratch = field();
    let long = "match own/dice own/first --pairs 100000 --name long";
    let mut holder = start_until(&scratch, &format!("{long} {PATIENT_MATCH}"), "games of");
    let mut waiting = start_until(&scratch, "run cup.toml", "waiting for a free core");
    assert!(waiting.try_wait().expect("can be asked").is_none());
    kill_process(Pid::from_child(&holder), Signal::KILL).expect("it runs");
    holder.wait().expect("it is gone");
    assert!(waiting.wait().expect("it ends").success(), "{}", scratch.read("log"));
}

#[test]
fn who_shares_a_core_does_not_wait_and_the_results_tell() {
    let scratch = field();
    let told = "Games were played on cores that were not reserved for them";
    let held = hold(&scratch);
    let shared = ran(&scratch, command(&scratch, "run cup.toml --share-cores")).done();
    assert!(shared.stdout.contains(told), "{}", shared.all());
    assert!(shared.stderr.contains("reserved by another process"), "{}", shared.stderr);
    drop(held);
    let alone = "match own/dice own/first --pairs 1 --name alone --share-cores";
    let alone = ran(&scratch, command(&scratch, alone)).done();
    assert!(!alone.stdout.contains(told), "{}", alone.all());
    let facts = Reader::open(&scratch.path("results/alone")).and_then(|reader| reader.facts());
    let host = &facts.expect("reads").expect("it is begun").hosts[0];
    assert_eq!((&host["lanes"], &host["shared"]), (&[core()].into(), &Value::Array(Vec::new())));
}

#[test]
fn what_cannot_be_reserved_is_told_and_played_all_the_same() {
    let scratch = field();
    std::fs::create_dir(lock_file(&scratch)).expect("a folder");
    let ran = ran(&scratch, command(&scratch, "run cup.toml")).done();
    assert!(ran.stderr.contains("warning: cores cannot be reserved"), "{}", ran.stderr);
    assert!(ran.stdout.contains("were not reserved for them"), "{}", ran.stdout);
}

#[test]
fn a_core_that_is_not_there_is_refused() {
    let scratch = field();
    let ran = scratch.run("run cup.toml --cores 1023");
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.contains("this process may not use core 1023, only core"), "{}", ran.stderr);
    let ran = scratch.run("run cup.toml --cores 3-1");
    assert!(ran.stderr.contains("cores are written 1,4-6"), "{}", ran.stderr);
}

#[test]
fn the_doctor_tells_who_has_a_core() {
    let scratch = field();
    let held = hold(&scratch);
    let report = || {
        let mut doctor = scratch.command("doctor --json");
        doctor.env("PITMASTER_LOCKS", scratch.path("locks"));
        let output = doctor.output().expect("the binary starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let facts = report["machine"].as_array().expect("a list").clone();
        facts.into_iter().find(|fact| fact["name"] == "reserved cores").expect("the fact")
    };
    let taken = report();
    let value = taken["value"].as_str().expect("a text");
    assert!(value.contains(&format!("by process {} of ", std::process::id())), "{taken}");
    assert_eq!(taken["verdict"], "caution");
    drop(held);
    assert_eq!(report()["verdict"], "good");
}

/// Programs that always want a core. They end when this is dropped.
struct Hogs(Vec<Child>);

impl Hogs {
    /// Each has a session of its own, because some kernels share a core among sessions first.
    fn on(core: usize, count: usize) -> Self {
        let mut only = CpuSet::new();
        only.set(core);
        let hogs = (0..count).map(|_| {
            let mut hog = Command::new("setsid");
            let hog = hog.args(["sh", "-c", "while :; do :; done"]).spawn().expect("it starts");
            let id = Pid::from_child(&hog);
            rustix::thread::sched_setaffinity(Some(id), &only).expect("can be set");
            hog
        });
        Self(hogs.collect())
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        for hog in &mut self.0 {
            hog.kill().expect("it can be ended");
            hog.wait().expect("it has ended");
        }
    }
}

/// A bot that plays the first listed move after 60 ms of CPU time.
const THINKER: &str = "
import sys, time
for line in sys.stdin:
    word, _, rest = line.strip().partition(' ')
    if word == 'pitmaster': print('ready thinker', flush=True)
    if word == 'newgame': print('ready', flush=True)
    if word == 'moves': moves = rest.split()
    if word == 'go':
        until = time.process_time() + 0.06
        while time.process_time() < until: pass
        print('move', moves[0], flush=True)
";

#[test]
fn a_move_that_only_a_busy_core_made_late_is_accepted() {
    let scratch = Scratch::new();
    scratch.fast("first", "first").write("own/thinker/bot.py", THINKER);
    let manifest = "run = ['python3', 'bot.py']\ndialect = 'pitmaster'\n";
    scratch.write("own/thinker/bot.toml", manifest);
    let _hogs = Hogs::on(core(), 5);
    let clock = "per_move = '200ms'\nper_game = '1h'\nplies = 30\n";
    scratch.write("cup.toml", tournament(clock, 1, "include = ['own/*']\n"));
    let done = ran(&scratch, command(&scratch, "run cup.toml")).done();
    assert_eq!(scratch.column("results/cup/games.csv", "forfeited_by"), ["", ""], "{}", done.all());
    let told = "Moves that only waiting for a core made late, and that were accepted: ";
    let (_, count) = done.stdout.split_once(told).unwrap_or_else(|| panic!("{}", done.all()));
    // It shares its core with five: most of its thirty moves take longer than the limit.
    let count: u32 =
        count.split('.').next().and_then(|count| count.parse().ok()).expect("a number");
    assert!(count >= 10, "{}", done.all());
}

#[test]
fn a_busy_machine_is_told_before_and_after() {
    let scratch = field();
    let pressure = |stalled: &str| {
        scratch.write("pressure", format!("some avg10={stalled} avg60=0.00 avg300=0.00 total=1\n"));
        let mut command = command(&scratch, "run cup.toml --fresh");
        command.env("PITMASTER_PRESSURE", scratch.path("pressure"));
        ran(&scratch, command).done()
    };
    let (busy, quiet) = (pressure("61.30"), pressure("1.00"));
    let warning = "warning: the machine is busy (in 61 % of the time something waits for a \
                   core): times are unsure";
    assert!(busy.stderr.contains(warning), "{}", busy.stderr);
    let told =
        "The machine was busy when games began: something waited for a core 61 % of the time";
    assert!(busy.stdout.contains(told), "{}", busy.stdout);
    assert!(!quiet.all().contains("busy"), "{}", quiet.all());
    let page = scratch.read("results/cup/report.html");
    assert!(page.contains("The machine was busy when games began"));
    let check = "check own/dice --games 0 --quick --format";
    let busy_json = "\"stalled_percent\": 61.3";
    for (args, told) in [
        (format!("{check} text"), told),
        (format!("{check} markdown"), told),
        (format!("{check} json"), busy_json),
        ("play own/dice own/first".to_owned(), ""),
    ] {
        scratch.write("pressure", "some avg10=61.30 avg60=0.00 avg300=0.00 total=1\n");
        let mut command = command(&scratch, &args);
        command.env("PITMASTER_PRESSURE", scratch.path("pressure"));
        let ran = ran(&scratch, command);
        assert!(ran.stderr.contains(warning), "{args}: {}", ran.stderr);
        assert!(ran.stdout.contains(told), "{args}: {}", ran.stdout);
    }
}
