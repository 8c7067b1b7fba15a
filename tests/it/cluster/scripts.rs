//! Scripts that start workers: valid for the tools that run them, if these are installed, and
//! without unknown commands or flags.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};

use super::harness::{Server, until};
use crate::scratch::{Scratch, on_a_machine_of_its_own};

/// The page about clusters, and its scripts.
const TEXTS: [&str; 5] = [
    "docs/cluster.md",
    "scripts/pitmaster-worker.service",
    "scripts/slurm.sbatch",
    "scripts/worker.yaml",
    "scripts/workers-by-ssh.sh",
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(path(name)).expect(name)
}

/// Output of a tool with these arguments; prints a message if it is not installed.
fn ask(tool: &str, args: &[&str]) -> Option<Output> {
    let asked = Command::new(tool).args(args).stdin(Stdio::null()).output();
    if asked.is_err() {
        eprintln!("NOT DONE: {tool} is not on this machine");
    }
    asked.ok()
}

fn assert_accepted(tool: &str, args: &[&str]) {
    if let Some(output) = ask(tool, args) {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{tool} {args:?}: {said}");
    }
}

#[test]
fn shells_can_read_the_scripts() {
    for name in ["scripts/slurm.sbatch", "scripts/workers-by-ssh.sh"] {
        let path = path(name);
        let path = path.to_str().expect("UTF-8");
        assert_accepted("bash", &["-n", path]);
        assert_accepted("shellcheck", &[path]);
    }
}

#[test]
fn kubernetes_would_find_what_it_needs() {
    // Lists and maps as they are written, and the words that the container is started with.
    const READ: &str = "
import sys, yaml
deployment = yaml.safe_load(open(sys.argv[1]))
assert deployment['kind'] == 'Deployment'
pod = deployment['spec']['template']['spec']
assert pod['terminationGracePeriodSeconds'] >= 60
worker = pod['containers'][0]
assert worker['resources']['requests'] == worker['resources']['limits']
mounted = {mount['name'] for mount in worker['volumeMounts']}
assert mounted == {volume['name'] for volume in pod['volumes']}
print(' '.join(worker['command'] + worker['args']))
";
    let has_yaml = ask("python3", &["-c", "import yaml"]);
    if has_yaml.is_none_or(|output| !output.status.success()) {
        eprintln!("NOT DONE: python3 has no yaml on this machine");
        return;
    }
    let path = path("scripts/worker.yaml");
    let read = ask("python3", &["-c", READ, path.to_str().expect("UTF-8")]).expect("it is there");
    assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
    let words = String::from_utf8(read.stdout).expect("UTF-8");
    assert!(words.starts_with("pitmaster worker nats://"), "{words}");
}

#[test]
fn systemd_can_read_the_unit() {
    let scratch = Scratch::new();
    let unit = text("scripts/pitmaster-worker.service");
    assert!(unit.contains("ExecStart=/usr/local/bin/pitmaster worker "), "{unit}");
    let unit = unit.replace("/usr/local/bin/pitmaster", env!("CARGO_BIN_EXE_pitmaster"));
    scratch.write("pitmaster-worker.service", unit);
    let file = scratch.path("pitmaster-worker.service");
    assert_accepted("systemd-analyze", &["verify", file.to_str().expect("UTF-8")]);
}

/// The Pitmaster commands in a text, each with the long flags on its line.
fn calls(text: &str) -> BTreeSet<(String, Vec<String>)> {
    const COMMANDS: [&str; 6] = ["run", "worker", "cluster status", "void", "doctor", "standings"];
    let joined = text.replace("\\\n", " ");
    let mut calls = BTreeSet::new();
    for (_, after) in joined.lines().flat_map(|line| {
        line.match_indices("pitmaster ").map(move |(at, _)| line.split_at(at + 10))
    }) {
        let Some(command) = COMMANDS.iter().find(|command| after.starts_with(**command)) else {
            continue;
        };
        let words = after.split(['`', '|', '#']).next().unwrap_or_default().split_whitespace();
        let flags = words.filter(|word| word.starts_with("--")).map(str::to_owned);
        calls.insert(((*command).to_owned(), flags.collect()));
    }
    calls
}

#[test]
fn every_command_and_flag_that_is_named_is_there() {
    let scratch = Scratch::new();
    let mut count = 0;
    for name in TEXTS {
        for (command, flags) in calls(&text(name)) {
            let help = scratch.run(&format!("{command} --help")).done().stdout;
            for flag in flags {
                // Not for people; the test below uses it.
                let is_known = flag == "--tied" || help.contains(&format!("{flag} "));
                assert!(is_known, "{name}: pitmaster {command} has no {flag}");
                count += 1;
            }
        }
    }
    assert!(count > 12, "only {count} flags were found");
    // In a list, and in sentences.
    let help: String = ["worker --help", "run --help", "--help"]
        .map(|args| scratch.run(args).done().stdout)
        .concat();
    for name in ["docs/cluster.md", "scripts/worker.yaml"] {
        let text = text(name);
        let is_in_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let words = text.split(|c| !is_in_word(c)).filter(|word| word.len() > 3);
        for flag in words.filter(|word| word.starts_with("--") && !word.starts_with("---")) {
            let others =
                ["--release", "--features", "--array", "--requeue", "--time", "--from-file"];
            let is_known = others.contains(&flag)
                || help.contains(flag)
                || flag == "--reason"
                || flag == "--worker";
            assert!(is_known, "{name}: there is no {flag}");
        }
    }
}

/// A fake `ssh` that runs its last argument locally.
const SSH: &str = "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n";

#[test]
fn workers_by_ssh_come_and_go_together() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.tool("ssh").write("tools/ssh", SSH);
    symlink(env!("CARGO_BIN_EXE_pitmaster"), scratch.path("tools/pitmaster")).expect("a link");
    scratch.write("lab.txt", "# the lab\n\nlab-01\nlab-02 # by the door\n");
    let log = fs::File::create(scratch.path("log")).expect("a log");
    let path =
        format!("{}:{}", scratch.path("tools").display(), std::env::var("PATH").expect("set"));
    // Whoever runs the tests in the background may ignore SIGINT, and bash cannot trap what was
    // ignored when it started.
    let mut script = Command::new("env");
    script.args(["--default-signal=INT", "bash"]);
    script.arg(self::path("scripts/workers-by-ssh.sh")).arg("lab.txt").arg(server.url());
    script
        .args(["--open", "--lanes", "1", "--cache", "a 'cache'", "--name", "lab"])
        .env("PATH", path);
    script.current_dir(scratch.path("")).stdin(Stdio::null()).stdout(log);
    on_a_machine_of_its_own(&mut script);
    let mut running = script.spawn().expect("bash starts");
    let count = |words: &str| scratch.read("log").matches(words).count();
    until("two workers", || count("waiting for a tournament") == 2);
    assert!(scratch.path("a 'cache'").is_dir());
    kill_process(Pid::from_child(&running), Signal::INT).expect("it runs");
    let status = running.wait().expect("it ends");
    let log = scratch.read("log");
    assert!(status.success(), "{status}: {log}");
    for machine in ["lab-01: ", "lab-02: "] {
        assert!(log.lines().any(|line| line.starts_with(machine)), "{log}");
    }
    assert!(!log.contains("ended with exit code"), "{log}");
}
