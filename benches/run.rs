//! Cost of a whole run: a tournament between bots that answer at once, with one lane and with two,
//! against the same lines over raw pipes. `cargo bench --profile dist --bench run`
//!
//! Everything that a teacher waits for is in it: starting the program, snapshots, the store, the
//! standings and the report. Rounds alternate, and every figure is printed as a ratio.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
/// Pairs of games of a run.
const PAIRS: usize = 1500;
/// Moves of one round over raw pipes.
const RAW_MOVES: usize = 60_000;
/// What a bot is sent when it is to move, in the middle of a game.
const TURN: &[u8] =
    b"played 4TR\ntime move 1000 game 209512\nmoves 1R 1B 3R 5B 7R 9TR 9TB 11R 13B 15R\ngo\n";

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("bot") => return bot(),
        _ if rustix::thread::sched_getaffinity(None).is_ok_and(|cores| cores.count() < 2) => {
            println!("NOT DONE: two lanes want two cores");
            return;
        }
        _ => {}
    }
    let folder = tempfile::tempdir().expect("a folder");
    hand_in(folder.path());
    let mut raw = Vec::new();
    let mut runs: [Vec<Run>; 2] = Default::default();
    for round in 0..ROUNDS {
        raw.push(raw_round().as_secs_f64() / RAW_MOVES as f64);
        for (lanes, runs) in runs.iter_mut().enumerate() {
            runs.push(Run::of(folder.path(), lanes + 1, &format!("{round}-{lanes}")));
        }
    }
    report(median(&raw), &runs);
}

/// Plays the last of the moves that it is sent.
fn bot() {
    let (stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut last = String::new();
    for line in stdin.lines() {
        let line = line.expect("UTF-8");
        let answer = match line.split(' ').next() {
            Some("pitmaster") => "ready instant\n".to_owned(),
            Some("newgame") => "ready\n".to_owned(),
            Some("go") => format!("move {last}\n"),
            Some("moves") => {
                line.rsplit(' ').next().unwrap_or_default().clone_into(&mut last);
                continue;
            }
            Some("quit") => return,
            _ => continue,
        };
        let written = stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush());
        if written.is_err() {
            return;
        }
    }
}

/// Two bots, and a tournament between them.
fn hand_in(folder: &Path) {
    for name in ["one", "two"] {
        let bot = folder.join(name);
        fs::create_dir(&bot).expect("a new folder");
        fs::copy(std::env::current_exe().expect("this program"), bot.join("bot")).expect("copies");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(bot.join("bot"), executable).expect("its mode is set");
        let manifest =
            format!("name = '{name}'\nrun = ['./bot', 'bot']\ndialect = 'pitmaster'\nneeds = []\n");
        fs::write(bot.join("bot.toml"), manifest).expect("writes");
    }
    let cup = format!(
        "version = 1\ntitle = 'Cup'\nseed = 1\n[game]\nname = 'coloured-awale'\n\
         [clock]\nper_move = '10s'\nplies = 400\n[openings]\nplies = 4\n\
         [format]\nkind = 'round-robin'\npairs = {PAIRS}\n[bots]\ninclude = ['one', 'two']\n"
    );
    fs::write(folder.join("cup.toml"), cup).expect("writes");
}

/// One run of the tournament.
#[derive(Debug)]
struct Run {
    wall: Duration,
    moves: usize,
}

impl Run {
    fn of(folder: &Path, lanes: usize, name: &str) -> Self {
        let out = folder.join(name);
        let began = Instant::now();
        let run = Command::new(env!("CARGO_BIN_EXE_pitmaster"))
            .args(["run", "cup.toml", "--quiet", "--lanes", &lanes.to_string(), "--out"])
            .arg(&out)
            .current_dir(folder)
            .output()
            .expect("starts");
        let wall = began.elapsed();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let moves = moves_in(&out.join("cup/games.csv"));
        fs::remove_dir_all(out).expect("removes");
        Self { wall, moves }
    }

    fn per_move(&self) -> f64 {
        self.wall.as_secs_f64() / self.moves as f64
    }
}

/// Plies that bots played: all but those of the openings.
fn moves_in(games: &Path) -> usize {
    let mut lines = csv::Reader::from_path(games).expect("games.csv");
    let column = lines.headers().expect("names").iter().position(|name| name == "plies");
    let column = column.expect("a column of plies");
    let plies = lines.records().map(|game| game.expect("a row")[column].parse::<usize>());
    plies.map(|plies| plies.expect("a number").saturating_sub(4)).sum()
}

/// Lines of a game to two bots in turn, with blocking reads and nothing else, all on one core.
fn raw_round() -> Duration {
    let cores = rustix::thread::sched_getaffinity(None).expect("cores");
    let mut one = rustix::thread::CpuSet::new();
    one.set((0..rustix::thread::CpuSet::MAX_CPU).rfind(|&core| cores.is_set(core)).expect("one"));
    rustix::thread::sched_setaffinity(None, &one).expect("can pin itself");
    let mut bots = [raw(), raw()];
    let mut answers = bots.each_mut().map(|bot| BufReader::new(bot.stdout.take().expect("piped")));
    let mut ask = |side: usize, text: &[u8]| {
        bots[side].stdin.as_mut().expect("piped").write_all(text).expect("written");
        let mut answer = String::new();
        assert!(answers[side].read_line(&mut answer).expect("read") > 0);
    };
    (0..2).for_each(|side| ask(side, b"pitmaster 1\n"));
    let began = Instant::now();
    (0..RAW_MOVES).for_each(|ply| ask(ply % 2, TURN));
    let took = began.elapsed();
    for mut bot in bots {
        drop(bot.stdin.take());
        bot.wait().expect("ends");
    }
    rustix::thread::sched_setaffinity(None, &cores).expect("can go back");
    took
}

fn raw() -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .arg("bot")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts")
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn report(raw: f64, runs: &[Vec<Run>; 2]) {
    println!("{} games between two bots that answer at once, {ROUNDS} runs each", 2 * PAIRS);
    println!("{:<16} {:>9} {:>14} {:>9}", "", "run", "per move", "to raw");
    println!("{:<16} {:>9} {:>11.2} µs {:>9.2}", "raw pipes", "", raw * 1e6, 1.0);
    let mut walls = Vec::new();
    for (lanes, runs) in (1..).zip(runs) {
        let per_move = median(&runs.iter().map(Run::per_move).collect::<Vec<_>>());
        let wall = median(&runs.iter().map(|run| run.wall.as_secs_f64()).collect::<Vec<_>>());
        // Lanes share the time: what one of them takes for a move is so much longer.
        let to_raw = per_move * f64::from(lanes) / raw;
        let name = format!("{lanes} lane{}", if lanes == 1 { "" } else { "s" });
        println!("{name:<16} {wall:>7.2} s {:>11.2} µs {to_raw:>9.2}", per_move * 1e6);
        walls.push(wall);
    }
    println!("two lanes are {:.2} times as fast as one", walls[0] / walls[1]);
}
