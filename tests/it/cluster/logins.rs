//! Servers without login, workers without a sandbox, and secrets of a login that bots could find.

use rustix::process::Signal;

use super::faults::field;
use super::harness::Server;
use crate::contest::patient;
use crate::scratch::Scratch;

#[test]
fn a_server_for_everybody_is_refused_unless_it_is_accepted_by_name() {
    let Some(server) = Server::start() else { return };
    let scratch = field(1);
    let (code, said) = scratch.worker_with(&server.url(), "one").end();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("lets in anybody without a login") && said.contains("--open"), "{said}");
    let ran = scratch.run(&format!("run cup.toml --cluster {} --out far", server.url()));
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    assert!(ran.stderr.contains("--token-file"), "{}", ran.all());
    // A login that nobody asked for changes nothing.
    scratch.write("token", "s3cret\n");
    let (code, said) =
        scratch.worker_with(&format!("{} --token-file token", server.url()), "two").end();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("lets in anybody"), "{said}");
}

#[test]
fn nobody_makes_a_worker_do_without_a_sandbox_from_afar() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(1);
    let run = scratch.coordinate(&server, 1);
    let (code, said) = scratch.worker_with(&format!("{} --open", server.url()), "one").end();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("--bare"), "{said}");
    run.kill();
    assert!(!scratch.path("gate.reached").exists());
}

/// Reads everything that a build could reach of its worker. Succeeds only if it finds nothing.
const SPYING_BUILD: &str = "
import os, sys
found = [name for name in os.environ if 'NATS' in name or 'TOKEN' in name]
for path in [sys.argv[1], '/proc/%d/environ' % os.getppid()]:
    try:
        found += [path] if open(path, 'rb').read(1) else []
    except OSError:
        pass
sys.exit(repr(found) if found else 0)
";

/// Plays the first listed move. Plays an illegal one if it can read the file or the environment of
/// its parent process, or has a secret in its own environment.
const SPY: &str = r"
import os
import sys

def can_read(path):
    try:
        return bool(open(path, 'rb').read(1))
    except OSError:
        return False

in_own = any('NATS' in name or 'TOKEN' in name for name in os.environ)
found = in_own or can_read('SECRET') or can_read('/proc/%d/environ' % os.getppid())
moves = []
for line in sys.stdin:
    word, *rest = line.split()
    if word in ('pitmaster', 'newgame'):
        print('ready')
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        print('move', '99Z' if found else moves[0])
    elif word == 'quit':
        break
    sys.stdout.flush()
";

#[test]
fn bots_and_their_builds_find_nothing_of_a_workers_login() {
    let Some(server) = Server::with("authorization { user: ada, password: \"s3cret\" }") else {
        return;
    };
    let scratch = Scratch::new();
    let secret = scratch.path("password");
    scratch.write("password", "s3cret\n").write("cup.toml", patient(2));
    let spying = SPY.replace("SECRET", &secret.display().to_string());
    scratch.bot("spy", "pitmaster", &spying);
    scratch.fast("dice", "random");
    let spy = scratch.read("own/spy/bot.toml");
    let build = format!("build = ['python3', 'build.py', '{}']\n", secret.display());
    scratch.write("own/spy/bot.toml", spy + &build).write("own/spy/build.py", SPYING_BUILD);
    let url = server.url();
    let login = format!("{url} --user ada --password-file password");
    let by_file = scratch.worker_with(&format!("{login} --name file --lanes 1"), "file");
    let log = std::fs::File::create(scratch.path("environment.log")).expect("a log");
    let mut other = scratch
        .command("worker --user ada --name environment --lanes 1 --cache caches/environment");
    other.env("PITMASTER_NATS_SERVER", &url).env("PITMASTER_NATS_PASSWORD", "s3cret");
    other.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null()).stderr(log);
    let mut by_environment = other.spawn().expect("the binary starts");
    let run = format!("run cup.toml --cluster {login} --workers 2 --out far");
    let ran = scratch.run(&run).done();
    by_file.signal(Signal::TERM);
    let (code, said) = by_file.end();
    assert_eq!(code, Some(0), "{said}");
    let pid = rustix::process::Pid::from_child(&by_environment);
    rustix::process::kill_process(pid, Signal::TERM).expect("it runs");
    assert!(by_environment.wait().expect("it ends").success());
    let said = scratch.read("environment.log");
    assert!(!said.contains("cannot play"), "{said}");
    assert!(!ran.stderr.contains("cannot play"), "{}", ran.all());
    assert_eq!(scratch.attempts("far/cup", "valid"), 4);
    let games = scratch.read("far/cup/games.csv");
    assert_eq!(games.matches("illegal-move").count(), 0, "{games}");
    scratch.assert_as_local();
}
