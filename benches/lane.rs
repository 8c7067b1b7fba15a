//! What the referee costs: games between two instant bots against raw pipes, in one run, on
//! one core. `cargo bench --profile dist --bench lane`
//!
//! Every figure is printed beside the raw one that it is to be compared with, and as a ratio.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use pitmaster::bots::{Contender, LaunchError, Process};
use pitmaster::core::{
    BotHash, BotId, BySide, Dialect, Ending, GameKey, Limits, Record, Seed, Side,
};
use pitmaster::games::{GameSpec, find};
use pitmaster::referee::protocol::Want;
use pitmaster::referee::{Referee, SeatSetup, Setup};
use pitmaster::runner::{Players, Seated, Stopping, play};
use pitmaster::sandbox::{Launch, SandboxProfile};

const ROUNDS: usize = 15;
const GAMES: usize = 60;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("instant") => return instant_bot(&args[2], &args[3]),
        Some("nothing") => return,
        _ => {}
    }
    pin_to_one_core();
    let moves = random_game();
    println!(
        "a game of {} moves between two instant bots, both pinned to the referee's core",
        moves.len()
    );
    moves_against_raw(&moves);
    games_against_spawns(&moves);
}

/// Plays its side of a list of moves, whatever it is sent.
fn instant_bot(dialect: &str, moves: &str) {
    let moves: Vec<String> = moves
        .split(',')
        .map(|mv| if dialect == "pitmaster" { format!("move {mv}\n") } else { format!("{mv}\n") })
        .collect();
    let (mut stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut buffer = [0; 4096];
    let mut next = 0;
    loop {
        let Ok(length @ 1..) = stdin.read(&mut buffer) else { return };
        let heard = &buffer[..length];
        let answer = if heard.ends_with(b"go\n") || dialect == "arena" {
            next += 1;
            match moves.get(next - 1) {
                Some(mv) => mv.as_bytes(),
                None => continue,
            }
        } else if heard.ends_with(b"newgame\n") {
            next = 0;
            &b"ready\n"[..]
        } else if heard.starts_with(b"pitmaster") {
            b"want nothing\nready instant\n"
        } else {
            continue;
        };
        if stdout.write_all(answer).and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}

fn pin_to_one_core() {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(rustix::thread::sched_getcpu());
    rustix::thread::sched_setaffinity(None, &cores).expect("can pin itself");
}

fn spec() -> GameSpec {
    "coloured-awale,both_40=off".parse().expect("a game")
}

/// A long random game.
fn random_game() -> Vec<String> {
    let game = find(&spec()).expect("known");
    (0..50)
        .map(|seed| {
            let mut rng = Seed(seed).stream("bench");
            let mut table = game.begin();
            std::iter::from_fn(|| table.play_random(&mut rng)).collect::<Vec<_>>()
        })
        .max_by_key(Vec::len)
        .expect("fifty games")
}

struct Bots {
    dialect: Dialect,
    moves: BySide<String>,
}

impl Bots {
    fn new(dialect: Dialect, moves: &[String]) -> Self {
        let every_second = |from: usize| {
            moves.iter().skip(from).step_by(2).map(String::as_str).collect::<Vec<_>>().join(",")
        };
        Self { dialect, moves: BySide::new(every_second(0), every_second(1)) }
    }

    fn launch(&self, side: Side) -> Launch {
        Launch {
            program: std::env::current_exe().expect("this program"),
            name: "bot".into(),
            args: vec![
                "instant".into(),
                self.dialect.name().into(),
                self.moves[side].clone().into(),
            ],
            environment: Vec::new(),
            dir: "/".into(),
            cage: SandboxProfile::open(),
        }
    }

    fn raw(&self, side: Side) -> Child {
        let launch = self.launch(side);
        Command::new(launch.program)
            .args(launch.args)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts")
    }
}

impl Players for Bots {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        Ok(Box::new(Process::start(&self.launch(side))?))
    }
}

fn referee(bots: &Bots, greeted: bool) -> Referee {
    let game = find(&spec()).expect("known");
    let bot = |name: &str| BotId { name: name.parse().expect("a name"), hash: BotHash::of(b"") };
    let key = GameKey {
        rules: game.id(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a"), bot("b")),
        opening: String::new(),
        pair: 1,
    };
    let seat = SeatSetup {
        dialect: bots.dialect,
        lenient: false,
        greeted: greeted.then_some(Want::Nothing),
        per_move: None,
    };
    let setup = Setup { key, game, seed: Seed(1), seats: BySide::new(seat, seat), position: None };
    Referee::new(setup).expect("can begin")
}

fn check(record: &Record) {
    assert!(matches!(record.ending, Ending::Rules { .. }), "{:?}", record.ending);
}

/// Wall time, and CPU time of this process.
fn timed(work: impl FnOnce()) -> (Duration, Duration) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let (wall_before, cpu_before) = (Instant::now(), cpu());
    work();
    (wall_before.elapsed(), cpu().saturating_sub(cpu_before))
}

fn moves_against_raw(moves: &[String]) {
    let mut results: [Vec<(Duration, Duration)>; 4] = Default::default();
    for _ in 0..ROUNDS {
        results[0].push(raw_round(moves));
        for (i, stopping) in
            [Stopping::Never, Stopping::Adaptive, Stopping::Always].into_iter().enumerate()
        {
            results[i + 1].push(refereed_round(moves, stopping));
        }
    }
    println!(
        "\n{:<24} {:>9} {:>9} {:>9} {:>9} {:>12}",
        "per move", "best", "median", "CPU med.", "ratio", "more, median"
    );
    let raw = figures(&results[0], moves.len() * GAMES);
    for (name, result) in ["raw ping-pong", "never stopped", "adaptive (default)", "always stopped"]
        .iter()
        .zip(&results)
    {
        let [best, median, cpu] = figures(result, moves.len() * GAMES);
        println!(
            "{name:<24} {best:>6.2} µs {median:>6.2} µs {cpu:>6.2} µs {:>9.2} {:>9.2} µs",
            median / raw[1],
            median - raw[1]
        );
    }
}

/// Best wall, median wall and median CPU time of one of `count` things, in µs.
fn figures(rounds: &[(Duration, Duration)], count: usize) -> [f64; 3] {
    let sorted = |pick: fn(&(Duration, Duration)) -> Duration| {
        let mut times: Vec<f64> =
            rounds.iter().map(|round| pick(round).as_secs_f64() * 1e6 / count as f64).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let (wall, cpu) = (sorted(|round| round.0), sorted(|round| round.1));
    [wall[0], wall[wall.len() / 2], cpu[cpu.len() / 2]]
}

/// The same lines through the same pipes with blocking reads and nothing else.
fn raw_round(moves: &[String]) -> (Duration, Duration) {
    let bots = Bots::new(Dialect::Pitmaster, moves);
    let mut children = [bots.raw(Side::One), bots.raw(Side::Two)];
    let mut buffer = [0; 4096];
    let mut ask = |child: &mut Child, line: &[u8]| {
        child.stdin.as_mut().expect("piped").write_all(line).expect("written");
        child.stdout.as_mut().expect("piped").read(&mut buffer).expect("read")
    };
    for child in &mut children {
        ask(child, b"pitmaster 1\n");
    }
    let lines: Vec<String> = std::iter::once("go\n".to_owned())
        .chain(moves.iter().map(|mv| format!("played {mv}\ngo\n")))
        .collect();
    let time = timed(|| {
        for _ in 0..GAMES {
            for child in &mut children {
                ask(child, b"newgame\n");
            }
            for ply in 0..moves.len() {
                assert!(ask(&mut children[ply % 2], lines[ply].as_bytes()) > 0);
            }
        }
    });
    for mut child in children {
        drop(child.stdin.take());
        child.wait().expect("ends");
    }
    time
}

fn refereed_round(moves: &[String], stopping: Stopping) -> (Duration, Duration) {
    let mut bots = Bots::new(Dialect::Pitmaster, moves);
    let mut seats: BySide<Option<Seated>> = BySide::default();
    check(&play(referee(&bots, false), &mut seats, &mut bots, stopping, |_| {}));
    timed(|| {
        for _ in 0..GAMES {
            check(&play(referee(&bots, true), &mut seats, &mut bots, stopping, |_| {}));
        }
    })
}

fn games_against_spawns(moves: &[String]) {
    const COUNT: usize = 40;
    let (mut raw, mut refereed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        raw.push(timed(|| (0..2 * COUNT).for_each(|_| spawn_nothing())));
        refereed.push(timed(|| {
            for _ in 0..COUNT {
                let mut bots = Bots::new(Dialect::Arena, moves);
                let mut seats = BySide::default();
                let adaptive = Stopping::Adaptive;
                check(&play(referee(&bots, false), &mut seats, &mut bots, adaptive, |_| {}));
            }
        }));
    }
    let [raw_best, raw_median, _] = figures(&raw, COUNT);
    let [best, median, cpu] = figures(&refereed, COUNT);
    println!("\nwhole games with new processes (arena, {} moves)", moves.len());
    println!("two raw spawns           {raw_best:>8.0} µs best {raw_median:>8.0} µs median");
    println!(
        "a refereed game          {best:>8.0} µs best {median:>8.0} µs median, CPU {cpu:.0} µs, ratio {:.2}",
        median / raw_median
    );
}

fn spawn_nothing() {
    Command::new(std::env::current_exe().expect("this program"))
        .arg("nothing")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .status()
        .expect("runs");
}
