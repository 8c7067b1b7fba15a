//! A server, workers and a coordinator on one machine, each of which can be killed.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::contest::{Running, assert_nothing_left};
use crate::scratch::{Ran, Scratch};

/// Timeout for events that must happen; only a fault reaches it.
const PATIENCE: Duration = Duration::from_secs(90);

/// Seconds of silence after which a worker's games are reassigned in these tests.
const SILENCE: u64 = 2;

/// The server's program, if installed.
pub(super) fn nats_server() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::env::split_paths(&path).chain(["/usr/sbin", "/usr/local/sbin"].map(Into::into));
    let found = folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file());
    if found.is_none() {
        let promised = std::env::var_os("PITMASTER_ALL_LANGUAGES").is_some();
        assert!(!promised, "nats-server is not on this machine");
        eprintln!("NOT DONE: nats-server is not on this machine");
    }
    found
}

/// Waits until a condition is true.
pub(super) fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "{what} never comes");
        thread::sleep(Duration::from_millis(10));
    }
}

/// A server that keeps its port and folder across restarts.
pub(super) struct Server {
    program: PathBuf,
    folder: tempfile::TempDir,
    address: SocketAddr,
    process: Child,
}

impl Server {
    /// Starts one on the loopback; `lines` are added to its configuration.
    pub(super) fn with(lines: &str) -> Option<Self> {
        let program = nats_server()?;
        let folder = tempfile::tempdir().expect("a folder");
        // Free now, and of no use to anybody else a moment later.
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let text =
            format!("listen: \"{address}\"\njetstream {{ store_dir: \"store\" }}\n{lines}\n");
        fs::write(folder.path().join("nats.conf"), text).expect("writes");
        drop(listener);
        let process = Self::spawn(&program, &folder);
        let server = Self { program, folder, address, process };
        server.wait();
        Some(server)
    }

    /// Starts a server without login.
    pub(super) fn start() -> Option<Self> {
        Self::with("")
    }

    fn spawn(program: &PathBuf, folder: &tempfile::TempDir) -> Child {
        let log = File::create(folder.path().join("log")).expect("a log");
        let mut command = Command::new(program);
        command.args(["-c", "nats.conf"]).current_dir(folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        command.spawn().expect("the server starts")
    }

    /// Waits until the server greets.
    fn wait(&self) {
        let greets = || {
            let stream = TcpStream::connect(self.address).ok()?;
            let mut line = String::new();
            BufReader::new(stream).read_line(&mut line).ok()?;
            line.starts_with("INFO ").then_some(())
        };
        until("the server", || greets().is_some());
    }

    pub(super) fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Kills it without warning.
    pub(super) fn kill(&mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is gone");
    }

    /// Starts it again.
    pub(super) fn start_again(&mut self) {
        self.process = Self::spawn(&self.program, &self.folder);
        self.wait();
    }

    /// Deletes all stored data.
    pub(super) fn lose_everything(&self) {
        fs::remove_dir_all(self.folder.path().join("store")).expect("it is removed");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A worker's process.
pub(super) struct Worker {
    process: Child,
    log: PathBuf,
}

impl Worker {
    /// Output so far.
    pub(super) fn said(&self) -> String {
        fs::read_to_string(&self.log).expect("a log")
    }

    pub(super) fn wait_until_it_says(&self, words: &str) {
        let began = Instant::now();
        while !self.said().contains(words) {
            assert!(began.elapsed() < PATIENCE, "it never says {words:?}: {}", self.said());
            thread::sleep(Duration::from_millis(10));
        }
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.process)
    }

    pub(super) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it runs");
    }

    /// Kills it without warning; none of its processes may remain.
    pub(super) fn kill(mut self) {
        self.process.kill().expect("it can be killed");
        self.process.wait().expect("it is gone");
        assert_nothing_left(self.pid());
    }

    /// Waits until it has ended. Returns its exit code and its output.
    pub(super) fn end(mut self) -> (Option<i32>, String) {
        let pid = self.pid();
        let began = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().expect("it is ours") {
                break status;
            }
            assert!(began.elapsed() < PATIENCE, "it never ends: {}", self.said());
            thread::sleep(Duration::from_millis(10));
        };
        assert_nothing_left(pid);
        (status.code(), self.said())
    }
}

/// Leaves nothing behind if a test fails.
impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A coordinator, killed when a test fails or takes far too long.
pub(super) struct Coordinator {
    run: Option<Running>,
    pid: Pid,
    ended: Option<Sender<()>>,
    watch: Option<JoinHandle<()>>,
}

impl Coordinator {
    fn watched(run: Running) -> Self {
        let (pid, (ended, over)) = (run.pid(), channel::<()>());
        let watch = thread::spawn(move || {
            if over.recv_timeout(PATIENCE * 2) == Err(RecvTimeoutError::Timeout) {
                let _ = kill_process(pid, Signal::KILL);
            }
        });
        Self { run: Some(run), pid, ended: Some(ended), watch: Some(watch) }
    }

    fn run(&mut self) -> Running {
        self.run.take().expect("it ends once")
    }

    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Follows the run for this many more games.
    pub(super) fn games(&mut self, count: usize) {
        let games = self.run.as_mut().map(|run| run.games(count));
        assert_eq!(games, Some(count), "the run ended before");
    }

    /// Waits for its end.
    pub(super) fn end(mut self, scratch: &Scratch) -> Ran {
        self.run().end(scratch)
    }

    /// Waits for its end, which must be successful.
    pub(super) fn done(self, scratch: &Scratch) -> Ran {
        self.end(scratch).done()
    }

    /// Kills it without warning.
    pub(super) fn kill(mut self) {
        self.run().kill();
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        if self.run.is_some() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
        self.ended = None;
        let _ = self.watch.take().map(JoinHandle::join);
    }
}

/// Actions of cluster tests in a scratch folder.
impl Scratch {
    /// Starts a worker of this name, with a separate cache and one lane. It accepts a server
    /// without login, and bots without a sandbox that wait for a file.
    pub(super) fn worker(&self, server: &Server, name: &str) -> Worker {
        let accepting = "--open --bare";
        self.worker_with(&format!("{} {accepting} --name {name} --lanes 1", server.url()), name)
    }

    pub(super) fn worker_with(&self, args: &str, name: &str) -> Worker {
        let log = self.path(&format!("{name}.log"));
        let mut command = self.command(&format!("worker {args} --cache caches/{name}"));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(File::create(&log).expect("a log"));
        Worker { process: command.spawn().expect("the binary starts"), log }
    }

    /// Starts coordination of `cup.toml` into `far/cup`.
    pub(super) fn coordinate(&self, server: &Server, workers: usize) -> Coordinator {
        let url = server.url();
        let run = self.start(&format!(
            "run cup.toml --cluster {url} --open --workers {workers} --patience {SILENCE} --out far"
        ));
        Coordinator::watched(run)
    }

    /// Plays `cup.toml` locally and compares: the files must be identical, and every planned game
    /// valid once.
    pub(super) fn assert_as_local(&self) {
        self.run("run cup.toml --lanes 2 --out near -q").done();
        self.assert_same("near/cup", "far/cup");
        assert_eq!(files(self, "near/cup"), files(self, "far/cup"));
        for file in files(self, "near/cup") {
            let [near, far] = ["near", "far"]
                .map(|out| fs::read(self.path(&format!("{out}/cup/{file}"))).expect("it is there"));
            assert!(near == far, "{file} differs");
        }
        let [near, far] = ["near/cup", "far/cup"].map(|results| self.attempts(results, "valid"));
        assert_eq!(near, far);
    }
}

/// Files of a results folder that depend only on the games, without those that contain times or
/// serve only to continue.
fn files(scratch: &Scratch, results: &str) -> Vec<String> {
    const OTHERS: [&str; 5] = ["timing.csv", "report.html", "log.jsonl", "bots", "cluster"];
    let entries = fs::read_dir(scratch.path(results)).expect("a folder");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"));
    let is_same = |name: &String| {
        let is_of_the_store = name.starts_with("tournament.db") || name.contains("lock");
        !OTHERS.contains(&name.as_str()) && !is_of_the_store
    };
    let mut names: Vec<_> = names.filter(is_same).collect();
    names.sort();
    names
}
