//! Tournaments for tests: fast bots, tournament files, running processes and their leftovers.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};
use serde_json::Value;

use crate::scratch::{Ran, Scratch};

/// Timeout for events that must happen; only a fault reaches it.
const PATIENCE: Duration = Duration::from_mins(1);

/// Files that are identical if the games are.
pub(crate) const TIMELESS: [&str; 4] =
    ["leaderboard.csv", "games.csv", "crosstable.csv", "moves.jsonl"];

/// Limits that even slow machines never reach.
pub(crate) const PATIENT: &str = "per_move = '20s'\nfirst_move = '60s'\nstart_up = '60s'\n\
                                  per_game = 'off'\nplies = 120\n";

/// Sandbox for bots that write to files that the test reads.
pub(crate) const OPEN: &str = "[sandbox]\nisolation = 'bare'\nrequire = ['friendly']\n";

/// A tournament of the bots in `own/` with patient limits.
pub(crate) fn patient(pairs: u32) -> String {
    tournament(PATIENT, pairs, "include = ['own/*']")
}

/// Assembles a tournament file.
pub(crate) fn tournament(clock: &str, pairs: u32, bots: &str) -> String {
    format!(
        "version = 1\nseed = 7\n[game]\nname = 'coloured-awale'\n[clock]\n{clock}\
         [format]\npairs = {pairs}\n[bots]\n{bots}\n"
    )
}

/// The program of the fast bots, compiled once.
fn fast_program() -> &'static Path {
    static PROGRAM: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = PROGRAM.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("bot");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/fast_bot.c");
        let built = Command::new("cc").args(["-O1", "-o"]).arg(&path).arg(source).status();
        let status = built.expect("these tests need a C compiler called cc on PATH");
        assert!(status.success(), "cc cannot compile {source}");
        (folder, path)
    });
    path
}

/// Actions of tournament tests in a scratch folder.
impl Scratch {
    /// Writes a fast bot `own/NAME`. `style` is a blank-separated list of the words that
    /// `fast_bot.c` documents.
    pub(crate) fn fast(&self, name: &str, style: &str) -> &Self {
        let words: String = style.split(' ').map(|word| format!(", '{word}'")).collect();
        let manifest = format!("run = ['./bot'{words}]\ndialect = 'pitmaster'\n");
        self.write(&format!("own/{name}/bot.toml"), manifest);
        let program = self.path(&format!("own/{name}/bot"));
        fs::copy(fast_program(), program).expect("copies");
        self
    }

    /// Three bots, one of which waits while the gate is closed. Its games come last, and under
    /// `PATIENT` limits none is late. All meet `pairs` times.
    pub(crate) fn gated(&self, pairs: u32) -> &Self {
        let gate = self.path("gate");
        self.fast("a-gate", &format!("gate {}", gate.display()));
        self.fast("dice", "random").fast("first", "first");
        let clock = PATIENT.replace("20s", "1h");
        let bots = format!("include = ['own/*']\n{OPEN}");
        self.write("cup.toml", tournament(&clock, pairs, &bots))
    }

    /// Starts a run of [`Scratch::gated`] on one lane, and waits until it has played two games and
    /// blocks in the third.
    pub(crate) fn start_to_the_gate(&self) -> Running {
        let mut run = self.start("run cup.toml --lanes 1");
        run.games(2);
        self.wait_for("gate.reached");
        run
    }

    /// Waits until a file exists.
    pub(crate) fn wait_for(&self, name: &str) {
        let began = Instant::now();
        while !self.path(name).exists() {
            assert!(began.elapsed() < PATIENCE, "{name} never comes");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Opens the gate.
    pub(crate) fn open_gate(&self) -> &Self {
        self.write("gate", "open")
    }

    /// Closes the gate.
    pub(crate) fn close_gate(&self) {
        fs::remove_file(self.path("gate")).expect("it was open");
    }

    /// Copies a sample bot to `own/`.
    pub(crate) fn sample(&self, bot: &str) -> &Self {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots").join(bot);
        let name = from.file_name().expect("a name").to_string_lossy().into_owned();
        for entry in fs::read_dir(&from).expect("a sample bot") {
            let entry = entry.expect("an entry");
            let to = format!("own/{name}/{}", entry.file_name().to_string_lossy());
            self.write(&to, fs::read(entry.path()).expect("reads"));
            let mode = entry.metadata().expect("facts").permissions().mode();
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(self.path(&to), mode).expect("sets");
        }
        self
    }

    /// Writes a program to `tools/` that does nothing.
    pub(crate) fn tool(&self, name: &str) -> &Self {
        let path = format!("tools/{name}");
        self.write(&path, "#!/bin/sh\n");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(&path), executable).expect("sets");
        self
    }

    /// The timeless files of a results folder, in the order of [`TIMELESS`].
    pub(crate) fn timeless(&self, results: &str) -> [String; 4] {
        TIMELESS.map(|file| self.read(&format!("{results}/{file}")))
    }

    /// Compares the timeless files of two results folders.
    pub(crate) fn assert_same(&self, results: &str, others: &str) {
        for file in TIMELESS {
            let [one, other] =
                [results, others].map(|folder| self.read(&format!("{folder}/{file}")));
            assert_eq!(one, other, "{file} of {results} and of {others}");
        }
    }

    /// A column of a CSV file.
    pub(crate) fn column(&self, name: &str, column: &str) -> Vec<String> {
        let mut reader = csv::Reader::from_path(self.path(name)).expect("opens");
        let headers = reader.headers().expect("a header");
        let at = headers.iter().position(|header| header == column).expect("the column");
        reader.records().map(|row| row.expect("a row")[at].to_owned()).collect()
    }

    /// Number of attempts with a state in the database.
    pub(crate) fn attempts(&self, results: &str, state: &str) -> u64 {
        let path = self.path(&format!("{results}/tournament.db"));
        let database = rusqlite::Connection::open(path).expect("opens");
        let sql = "SELECT count(*) FROM attempts WHERE state = ?1";
        let count: i64 = database.query_row(sql, (state,), |row| row.get(0)).expect("counts");
        count.cast_unsigned()
    }

    /// Ids of the games that have an attempt in the database.
    pub(crate) fn game_ids(&self, results: &str) -> HashSet<String> {
        let path = self.path(&format!("{results}/tournament.db"));
        let database = rusqlite::Connection::open(path).expect("opens");
        let mut ids = database.prepare("SELECT game_id FROM attempts").expect("reads");
        let ids = ids.query_map((), |row| row.get(0)).expect("reads");
        ids.collect::<Result<_, _>>().expect("reads")
    }

    /// Starts the binary with `--json` and follows it.
    pub(crate) fn start(&self, args: &str) -> Running {
        Running::of(self.command(&format!("{args} --json")))
    }
}

/// A run whose events are followed.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    events: BufReader<ChildStdout>,
}

impl Running {
    /// Starts a command that prints events.
    pub(crate) fn of(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let events = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, events }
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// The next event; `None` at the end.
    pub(crate) fn event(&mut self) -> Option<Value> {
        let mut line = String::new();
        let length = self.events.read_line(&mut line).expect("UTF-8");
        (length > 0).then(|| serde_json::from_str(&line).expect("a line is JSON"))
    }

    /// Reads up to an event of this kind.
    pub(crate) fn until(&mut self, kind: &str) -> Value {
        std::iter::from_fn(|| self.event())
            .find(|event| event["event"] == kind)
            .unwrap_or_else(|| panic!("the run ends without an event {kind}"))
    }

    /// Reads until the run begins. Returns the number of known games.
    pub(crate) fn started(&mut self) -> u64 {
        self.until("started")["known"].as_u64().expect("a number")
    }

    /// Reads until this many games or the run have ended. Returns the number of games.
    pub(crate) fn games(&mut self, count: usize) -> usize {
        self.game_ids(count).len()
    }

    /// Reads until this many games or the run have ended. Returns the ids of the games.
    pub(crate) fn game_ids(&mut self, count: usize) -> Vec<String> {
        let mut ids = Vec::new();
        while ids.len() < count
            && let Some(event) = self.event()
        {
            if event["event"] == "game" {
                ids.push(event["id"].as_str().expect("an id").to_owned());
            }
        }
        ids
    }

    /// Bots among its children that have ended and were not waited for. The guard is excluded: it
    /// ends once all is reported, and the referee waits for it a moment later.
    pub(crate) fn zombies(&self) -> usize {
        let parent = self.pid().as_raw_nonzero().to_string();
        let stat = |entry: fs::DirEntry| fs::read_to_string(entry.path().join("stat")).ok();
        let processes = fs::read_dir("/proc").expect("these tests need /proc");
        let is_zombie = |stat: &String| {
            let is_guard = stat.contains("(pitmaster)");
            let mut fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
            !is_guard && fields.next() == Some("Z") && fields.next() == Some(&parent)
        };
        processes.filter_map(|entry| stat(entry.ok()?)).filter(is_zombie).count()
    }

    /// Sets a resource limit of the running process.
    pub(crate) fn limit(&self, resource: Resource, most: u64) {
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        prlimit(Some(self.pid()), resource, limit).expect("it runs");
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).expect("it runs");
    }

    /// Waits for its end; none of its processes may remain.
    pub(crate) fn end(self, scratch: &Scratch) -> Ran {
        let pid = self.pid();
        let ran = self.end_anyhow(scratch);
        assert_nothing_left(pid);
        ran
    }

    /// Waits for its end and ignores remaining processes.
    pub(crate) fn end_anyhow(mut self, scratch: &Scratch) -> Ran {
        while self.event().is_some() {}
        let Output { status, stderr, .. } = self.child.wait_with_output().expect("it ends");
        scratch.ran(Output { status, stdout: Vec::new(), stderr })
    }

    /// Kills it without warning; none of its processes may remain.
    pub(crate) fn kill(mut self) {
        let pid = self.pid();
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
        assert_nothing_left(pid);
    }
}

/// Waits until no process has the mark of this ended run.
pub(crate) fn assert_nothing_left(run: Pid) {
    let began = Instant::now();
    while let Some(left) = marked(run).first() {
        assert!(began.elapsed() < PATIENCE, "a bot is left behind: {left}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Command lines of the processes that have the mark of a run.
pub(crate) fn marked(run: Pid) -> Vec<String> {
    let mark = format!("PITMASTER_RUN={}-", run.as_raw_nonzero());
    let processes = fs::read_dir("/proc").expect("these tests need /proc");
    let carries = |process: &PathBuf| {
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry.starts_with(mark.as_bytes()))
    };
    let words = |process: PathBuf| {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        format!("{}: {}", process.display(), String::from_utf8_lossy(&line).replace('\0', " "))
    };
    processes.filter_map(|entry| Some(entry.ok()?.path())).filter(carries).map(words).collect()
}
