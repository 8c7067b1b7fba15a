//! What many machines cost: the same tournament on the lanes of this process, with one worker
//! and with two; how many results a second a coordinator stores, and whether its memory grows
//! with the number of games.
//!
//!     cargo bench --profile dist --features cluster --bench cluster
//!
//! Needs `nats-server` and a C compiler. Everything runs on two cores in turns, and every figure
//! is printed as a ratio to another one of the same run.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use pitmaster::runner::move_to;

const PITMASTER: &str = env!("CARGO_BIN_EXE_pitmaster");
const ROUNDS: usize = 3;

fn main() {
    let place = Place::new();
    println!("medians of {ROUNDS} rounds in turns; games a second from the first to the last game");
    lanes_against_workers(
        &place,
        "programs that answer at once, processes kept",
        &place.programs(400),
    );
    lanes_against_workers(&place, "house bots in process", &place.house(3_000, 400));
    results(&place);
    memory(&place);
}

/// One lane here, one worker with one lane, two workers with one lane each.
fn lanes_against_workers(place: &Place, what: &str, file: &Path) {
    let server = Server::start(place);
    let (mut here, mut one, mut two) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        here.push(place.run(file, &["--lanes", "1"]).rate());
        let first = Worker::start(place, &server, &[0, 1]);
        one.push(place.run(file, &server.flags(1)).rate());
        // On the core that is left to everything else.
        let second = Worker::start(place, &server, &[0]);
        two.push(place.run(file, &server.flags(2)).rate());
        drop((first, second));
    }
    let [here, one, two] = [here, one, two].map(median);
    println!("{what}");
    println!("  one lane in this process   {here:>8.0} games/s");
    println!("  one worker with one lane   {one:>8.0} games/s  {:>5.2} of that", one / here);
    println!("  two workers, two cores     {two:>8.0} games/s  {:>5.2} of one worker", two / one);
}

/// Games that are over at once: what is left is the way there, back and into the store.
fn results(place: &Place) {
    let server = Server::start(place);
    let _worker = Worker::start(place, &server, &[0, 1]);
    let file = place.house(10_000, 1);
    let rates: Vec<f64> = (0..3).map(|_| place.run(&file, &server.flags(1)).rate()).collect();
    let here = place.run(&file, &["--lanes", "1"]).rate();
    let rate = median(rates);
    println!("games of one ply, house bots in process");
    println!("  one lane in this process   {here:>8.0} games/s");
    println!("  results that are stored    {:>8.0} pairs/s = {rate:.0} games/s", rate / 2.0);
}

/// The most memory that the coordinator has held by the last game.
fn memory(place: &Place) {
    let server = Server::start(place);
    let _worker = Worker::start(place, &server, &[0, 1]);
    let few = place.run(&place.house(5_000, 1), &server.flags(1));
    let many = place.run(&place.house(50_000, 1), &server.flags(1));
    println!("the coordinator's memory at the last game");
    println!("  {:>8} games  {:>6} KiB", few.games, few.peak_kib);
    let ratio = many.peak_kib as f64 / few.peak_kib as f64;
    println!("  {:>8} games  {:>6} KiB  {ratio:>5.2} of that", many.games, many.peak_kib);
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A folder for everything.
struct Place(tempfile::TempDir);

/// What came of a run.
struct Ran {
    games: u64,
    took: Duration,
    peak_kib: u64,
}

impl Ran {
    fn rate(&self) -> f64 {
        self.games as f64 / self.took.as_secs_f64()
    }
}

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A tournament of three programs.
    fn programs(&self, pairs: u32) -> PathBuf {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for style in ["random", "first", "last"] {
            let folder = self.path(&format!("bots/{style}"));
            fs::create_dir_all(&folder).expect("a folder");
            fs::copy(root.join("tests/it/fast_bot.c"), folder.join("bot.c")).expect("a copy");
            let manifest = format!(
                "build = ['gcc', '-O2', '-o', 'bot', 'bot.c']\nrun = ['./bot', '{style}']\n\
                 dialect = 'pitmaster'\n"
            );
            fs::write(folder.join("bot.toml"), manifest).expect("writes");
        }
        self.tournament("programs", pairs, 400, "\"bots/*\"")
    }

    /// A tournament of three house bots without processes.
    fn house(&self, pairs: u32, plies: u32) -> PathBuf {
        let file = self.tournament("house", pairs, plies, "");
        let mut text = fs::read_to_string(&file).expect("the file");
        for name in ["random", "greedy"] {
            let _ = write!(text, "\n[[bot]]\npath = \"house:{name}\"\nin_process = true\n");
        }
        fs::write(&file, text).expect("writes");
        file
    }

    fn tournament(&self, name: &str, pairs: u32, plies: u32, include: &str) -> PathBuf {
        let file = self.path(&format!("{name}.toml"));
        let text = format!(
            "version = 1\n[game]\nname = \"coloured-awale\"\n[clock]\nplies = {plies}\n\
             [format]\npairs = {pairs}\n[bots]\ninclude = [{include}]\n"
        );
        fs::write(&file, text).expect("writes");
        file
    }

    /// Plays a tournament from the beginning.
    fn run(&self, file: &Path, flags: &[impl AsRef<str>]) -> Ran {
        let mut command = Command::new(PITMASTER);
        command.arg("run").arg(file).args(["--json", "--fresh", "--out"]).arg(self.path("results"));
        command.args(flags.iter().map(AsRef::as_ref));
        let mut run = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(run.stdout.take().expect("its output"));
        let (mut began, mut last, mut games, mut peak_kib) = (None, Instant::now(), 0, 0);
        for line in lines.lines().map_while(Result::ok) {
            if line.contains("\"event\":\"started\"") {
                began = Some(Instant::now());
            } else if line.contains("\"event\":\"game\"") {
                (games, last) = (games + 1, Instant::now());
                if games % 1000 == 0 {
                    peak_kib = peak_of(run.id()).unwrap_or(peak_kib);
                }
            }
        }
        assert!(run.wait().expect("it ends").success(), "the run failed");
        let took = last - began.expect("it began");
        Ran { games, took, peak_kib }
    }
}

fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

/// A server on this machine.
struct Server {
    process: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(place: &Place) -> Self {
        let folder = tempfile::tempdir_in(place.0.path()).expect("a folder");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let port = port.expect("a free port").port();
        let process = Command::new("nats-server")
            .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
            .arg(folder.path())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is there: apt install nats-server");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { process, url: format!("nats://127.0.0.1:{port}"), _folder: folder }
    }

    fn flags(&self, workers: u32) -> [String; 5] {
        [
            "--cluster".into(),
            self.url.clone(),
            "--open".into(),
            "--workers".into(),
            workers.to_string(),
        ]
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A worker with one lane on the last of these cores.
struct Worker {
    process: Child,
    input: Option<ChildStdin>,
}

impl Worker {
    fn start(place: &Place, server: &Server, cores: &'static [usize]) -> Self {
        let mut command = Command::new(PITMASTER);
        command.args(["worker", &server.url, "--open", "--lanes", "1", "--tied", "--quiet"]);
        command.arg("--cache");
        command.arg(place.path("cache")).stdin(Stdio::piped()).stderr(Stdio::null());
        // A process inherits the cores of the thread that starts it.
        let started = std::thread::spawn(move || {
            move_to(cores);
            command.spawn()
        });
        let started = started.join().expect("a thread");
        let mut process = started.expect("the program starts");
        let input = process.stdin.take();
        Self { process, input }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.process.wait();
    }
}
