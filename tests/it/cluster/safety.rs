//! Distrust of messages from the network, and refusal of clients that may not connect.

use std::path::Path;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use futures_util::StreamExt as _;
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::faults::{dismiss, field};
use super::harness::{Server, until};
use crate::contest::{assert_nothing_left, marked};
use crate::scratch::Scratch;

pub(super) fn block_on<T>(doing: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(doing)
}

pub(super) async fn connect(server: &str) -> async_nats::Client {
    async_nats::connect(server).await.expect("the server is there")
}

/// Repeats every result without an id, as a worker does that was presumed dead.
struct Echo {
    stop: oneshot::Sender<()>,
    thread: JoinHandle<usize>,
}

impl Echo {
    fn start(server: &Server) -> Self {
        let (url, (stop, stopped)) = (server.url(), oneshot::channel());
        let (tell, listening) = channel();
        let thread = thread::spawn(move || {
            block_on(async {
                let client = connect(&url).await;
                let all = client.subscribe("pitmaster.results.>").await.expect("subscribes");
                client.flush().await.expect("it is there");
                tell.send(()).expect("somebody waits");
                // Our own have no headers.
                let mut results = all
                    .take_until(stopped)
                    .filter(|message| std::future::ready(message.headers.is_some()))
                    .boxed();
                let mut count = 0;
                while let Some(result) = results.next().await {
                    client.publish(result.subject, result.payload).await.expect("publishes");
                    count += 1;
                }
                count
            })
        });
        listening.recv().expect("it listens");
        Self { stop, thread }
    }

    /// Number of repeated results.
    fn count(self) -> usize {
        drop(self.stop);
        self.thread.join().expect("it ends")
    }
}

#[test]
fn a_result_that_comes_twice_counts_once() {
    let Some(server) = Server::start() else { return };
    let scratch = field(4);
    let echo = Echo::start(&server);
    let workers = ["one", "two"].map(|name| scratch.worker(&server, name));
    scratch.coordinate(&server, 2).done(&scratch);
    workers.into_iter().for_each(dismiss);
    assert!(echo.count() >= 4);
    scratch.assert_as_local();
    assert_eq!(scratch.attempts("far/cup", "void"), 0);
}

/// Runs an action and captures the first message with a subject meanwhile. Returns both.
pub(super) fn overhear<T>(
    server: &Server,
    subject: &'static str,
    doing: impl FnOnce() -> T,
) -> (Value, T) {
    let url = server.url();
    let (tell, listening) = channel();
    let heard = thread::spawn(move || {
        block_on(async {
            let client = connect(&url).await;
            let mut all = client.subscribe(subject).await.expect("subscribes");
            client.flush().await.expect("it is there");
            tell.send(()).expect("somebody waits");
            let first = tokio::time::timeout(Duration::from_mins(1), all.next()).await;
            first.expect("in time").expect("a message").payload
        })
    });
    listening.recv().expect("it listens");
    let done = doing();
    let heard = heard.join().expect("it ends");
    (serde_json::from_slice(unsigned(&heard)).expect("JSON"), done)
}

/// A message without its signature line, if it has one.
pub(super) fn unsigned(message: &[u8]) -> &[u8] {
    let line = message.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    &message[line..]
}

#[test]
fn a_worker_of_another_version_is_refused() {
    let Some(server) = Server::start() else { return };
    let scratch = field(4);
    let (mut hello, worker) =
        overhear(&server, "pitmaster.hello", || scratch.worker(&server, "one"));
    let run = scratch.coordinate(&server, 1);
    hello["worker"]["name"] = json!("old");
    let others = [
        ("program", "0.0.1"),
        ("commit", "0123456789abcdef0123456789abcdef01234567"),
        ("rules", "fedcba9876543210"),
    ];
    let ask = async |name: &str, value: &str| {
        let client = connect(&server.url()).await;
        let mut other = hello.clone();
        other[name] = json!(value);
        let asked = client.request("pitmaster.hello", other.to_string().into()).await;
        serde_json::from_slice::<Value>(&asked.ok()?.payload).ok()
    };
    let ask_all = async || {
        let mut answers = Vec::new();
        for (name, value) in others {
            answers.push(ask(name, value).await?);
        }
        Some(answers)
    };
    // Nobody answers before the coordinator is there.
    let answers = (0..600).find_map(|_| {
        thread::sleep(Duration::from_millis(100));
        block_on(ask_all())
    });
    for ((name, value), answer) in others.into_iter().zip(answers.expect("answers")) {
        if name == "commit" && pitmaster::build_info::COMMIT.is_none() {
            // Built from a copy of the sources: only the rules are compared.
            continue;
        }
        let why = answer["refused"]["why"].as_str().expect("a reason");
        // Shown short, with the version of this program beside it.
        assert!(why.contains("old") && why.contains(&value[..value.len().min(12)]), "{why}");
        assert!(why.contains(env!("CARGO_PKG_VERSION")), "{why}");
    }
    run.done(&scratch);
    dismiss(worker);
    scratch.assert_as_local();
}

#[test]
fn a_worker_that_is_refused_says_why_and_ends() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    let url = server.url();
    let (tell, listening) = channel();
    let coordinator = thread::spawn(move || {
        block_on(async {
            let client = connect(&url).await;
            let mut all = client.subscribe("pitmaster.hello").await.expect("subscribes");
            client.flush().await.expect("it is there");
            tell.send(()).expect("somebody waits");
            let hello = all.next().await.expect("a hello");
            let answer = json!({ "refused": { "why": "not \u{1b}[31myou" } }).to_string();
            client.publish(hello.reply.expect("a question"), answer.into()).await.expect("answers");
            client.flush().await.expect("it is there");
        });
    });
    listening.recv().expect("it listens");
    let (code, said) = scratch.worker(&server, "one").end();
    coordinator.join().expect("it ends");
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("not \\u{1b}[31myou"), "{said}");
}

#[test]
fn a_bundle_that_was_changed_on_the_server_is_refused() {
    let Some(server) = Server::start() else { return };
    let scratch = field(2);
    let run = scratch.coordinate(&server, 1);
    let forge = async || {
        let client = connect(&server.url()).await;
        let store = async_nats::jetstream::new(client).get_object_store("pitmaster").await.ok()?;
        let mut names = store.list().await.ok()?;
        let mut forged = 0;
        while let Some(Ok(object)) = names.next().await {
            if object.name.starts_with("bot-") {
                let name = object.name.as_str();
                store.put(name, &mut &b"no bundle"[..]).await.ok()?;
                forged += 1;
            }
        }
        (forged == 4).then_some(())
    };
    (0..600)
        .find_map(|_| {
            thread::sleep(Duration::from_millis(100));
            block_on(forge())
        })
        .expect("four bundles");
    let (outcome, worker) =
        overhear(&server, "pitmaster.results.>", || scratch.worker(&server, "one"));
    assert!(outcome.to_string().contains("the bundle is refused"), "{outcome}");
    run.kill();
    worker.kill();
    // Nothing of it is kept, and nobody has lost a game by it.
    assert_eq!(scratch.attempts("far/cup", "valid"), 0);
    let cache = std::fs::read_dir(scratch.path("caches/one")).expect("a cache");
    let names: Vec<_> = cache.map(|entry| entry.expect("an entry").file_name()).collect();
    assert!(names.iter().all(|name| name.as_encoded_bytes().starts_with(b".")), "{names:?}");
}

#[test]
fn who_may_not_log_in_is_told_and_no_secret_is_shown() {
    let Some(server) = Server::with("authorization { user: ada, password: \"s3cret\" }") else {
        return;
    };
    let scratch = field(1);
    let url = server.url().replace("//", "//ada:wr0ng@");
    let (code, said) = scratch.worker_with(&url, "wrong").end();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("refused the login") && !said.contains("wr0ng"), "{said}");
    let refused = scratch.run(&format!("run cup.toml --cluster {}", server.url()));
    assert_eq!(refused.code, Some(4), "{}", refused.all());
    assert!(refused.stderr.contains("refused the login"), "{}", refused.all());

    scratch.write("password", "s3cret\n");
    let login = format!("{} --user ada --password-file password", server.url());
    let worker = scratch.worker_with(&format!("{login} --name one --lanes 1"), "one");
    let run = scratch.run(&format!("run cup.toml --cluster {login} --out far")).done();
    worker.signal(Signal::TERM);
    let (code, said) = worker.end();
    assert_eq!(code, Some(0), "{said}");
    for text in [said, run.stderr, run.stdout] {
        assert!(!text.contains("s3cret"), "{text}");
    }
    scratch.assert_as_local();
}

#[test]
fn a_server_of_our_own_ends_with_the_coordinator_however_that_ends() {
    if Server::start().is_none() {
        return;
    }
    let scratch = Scratch::new();
    scratch.gated(2);
    let run = scratch.start("run cup.toml --cluster embedded --lanes 1 --out far");
    scratch.wait_for("gate.reached");
    let pid = run.pid();
    assert!(marked(pid).iter().any(|process| process.contains("nats-server")));
    let token = scratch.read("far/cup/cluster/token");
    for file in ["cmdline", "environ"] {
        assert_eq!(processes_with(file, &token), 0, "{file}");
    }
    // Others start workers at the same time.
    let folder = scratch.path("").canonicalize().expect("a folder");
    let workers = || processes_in(&folder, "cluster/token");
    assert_eq!(workers(), 1);
    run.kill();
    assert_nothing_left(pid);
    // Its worker ends with the game that it is at.
    scratch.open_gate();
    until("the end of the worker", || workers() == 0);
    let ran = scratch.run("run cup.toml --cluster embedded --lanes 1 --out far").done();
    assert!(!ran.stderr.contains(&token), "{}", ran.stderr);
    scratch.assert_as_local();
}

/// Number of processes that have a text in their arguments or environment.
pub(super) fn processes_with(file: &str, text: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("these tests need /proc");
    let holds = |entry: std::io::Result<std::fs::DirEntry>| {
        let bytes = std::fs::read(entry.expect("an entry").path().join(file)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).contains(text)
    };
    processes.filter_map(|entry| holds(entry).then_some(())).count()
}

/// Number of processes with this working folder whose command line has a text.
fn processes_in(folder: &Path, text: &str) -> usize {
    let processes = std::fs::read_dir("/proc").expect("these tests need /proc");
    let is_one = |entry: std::io::Result<std::fs::DirEntry>| {
        let process = entry.expect("an entry").path();
        let command = std::fs::read(process.join("cmdline")).unwrap_or_default();
        std::fs::read_link(process.join("cwd")).is_ok_and(|at| at == folder)
            && String::from_utf8_lossy(&command).contains(text)
    };
    processes.filter_map(|entry| is_one(entry).then_some(())).count()
}

/// Whether a process has ended and was not waited for yet.
fn has_ended(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('Z')))
}

#[test]
fn a_job_that_kills_whoever_takes_it_is_given_up_and_played_another_day() {
    let Some(server) = Server::start() else { return };
    let scratch = Scratch::new();
    scratch.gated(1);
    let run = scratch.coordinate(&server, 1);
    let (pid, reached) = (run.pid(), scratch.path("gate.reached"));
    let mut killed = 0;
    while !has_ended(pid) {
        let worker = scratch.worker(&server, &format!("w{killed}"));
        until("the gate, or the end", || reached.exists() || has_ended(pid));
        if !reached.exists() {
            break;
        }
        worker.kill();
        std::fs::remove_file(&reached).expect("it is there");
        killed += 1;
        // Three for each of the two pairs; one that was given up may come round again meanwhile.
        assert!(killed <= 9, "nobody gives the two pairs up");
    }
    let ran = run.end(&scratch);
    assert!(killed >= 6, "{killed}: {}", ran.all());
    assert!(ran.stderr.contains("3 workers died with it"), "{}", ran.all());
    assert_eq!(scratch.attempts("far/cup", "valid"), 2);
    scratch.open_gate();
    let worker = scratch.worker(&server, "last");
    scratch.coordinate(&server, 1).done(&scratch);
    dismiss(worker);
    scratch.assert_as_local();
}
