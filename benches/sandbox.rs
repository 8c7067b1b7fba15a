//! What the sandbox costs: starting and reaping a process, a move's round trip, stopping, and
//! by how much deadlines are missed, in every tier against none, in one run, on one core.
//! `cargo bench --profile dist --bench sandbox`
//!
//! Plain is the standard library's way to start a process, as most referees do it.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster::bots::{Clock, Contender as _, Process, ReadOutcome};
use pitmaster::core::{At, Resources, Tier};
use pitmaster::sandbox::{Launch, ReadGrant, Sandbox, SandboxProfile};

const ROUNDS: usize = 25;
const STARTS: usize = 20;
const TRIPS: u32 = 2_000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("probe") => {
            let _ = pitmaster::bots::probe::attempt_all(&args[1..], &mut std::io::stdout());
        }
        Some("echo") => echo(),
        Some("burn") => burn(),
        // What the probe starts to see whether it can.
        Some("nothing" | "--version") => {}
        _ => measure(),
    }
}

fn echo() {
    let (mut stdin, mut stdout) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut buffer = [0; 64];
    while let Ok(length @ 1..) = stdin.read(&mut buffer) {
        if stdout.write_all(&buffer[..length]).and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}

fn burn() {
    let mut number = 1_u64;
    loop {
        number = std::hint::black_box(number.wrapping_mul(3));
    }
}

/// A way to start processes.
struct Way {
    name: String,
    /// `None`: plainly.
    sandbox: Option<Arc<Sandbox>>,
}

impl Way {
    fn all() -> Vec<Self> {
        let mut ways = vec![Self { name: "plain".into(), sandbox: None }];
        for tier in Tier::ALL {
            match pitmaster::bots::probe::examine(tier, &Resources::default()) {
                Ok(sandbox) => {
                    let sandbox = Some(Arc::new(sandbox));
                    ways.push(Self { name: tier.to_string(), sandbox });
                }
                Err(error) => println!("not measured: {error}"),
            }
        }
        ways
    }

    fn launch(&self, job: &str) -> Option<Launch> {
        let reads = vec![ReadGrant::this_program()];
        Some(Launch {
            program: "/proc/self/exe".into(),
            name: "bot".into(),
            args: vec![job.into()],
            environment: Vec::new(),
            dir: "/".into(),
            cage: SandboxProfile::new(self.sandbox.as_ref()?, reads),
        })
    }
}

fn measure() {
    pin_to_one_core();
    let ways = Way::all();
    starts(&ways);
    trips(&ways);
    stops(&ways);
    deadlines(&ways);
}

fn pin_to_one_core() {
    let mut cores = rustix::thread::CpuSet::new();
    cores.set(rustix::thread::sched_getcpu());
    rustix::thread::sched_setaffinity(None, &cores).expect("can pin itself");
}

/// Medians of each way, from rounds in which all take turns.
fn medians(ways: &[Way], mut round: impl FnMut(&Way) -> Option<Duration>) -> Vec<Option<f64>> {
    let mut times = vec![Vec::new(); ways.len()];
    for _ in 0..ROUNDS {
        for (way, times) in ways.iter().zip(&mut times) {
            times.extend(round(way).map(|time| time.as_secs_f64() * 1e6));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    times.iter_mut().map(median).collect()
}

/// A line for each way: the figure, how much more than the first, the ratio to it.
fn table(heading: &str, unit: f64, of: &str, ways: &[Way], medians: &[Option<f64>]) {
    println!("\n{heading}\n{:<12} {:>12} {:>12} {:>7}", "", "median", "more", "ratio");
    let first = medians.iter().flatten().next().copied().unwrap_or(0.0);
    for (way, median) in ways.iter().zip(medians) {
        if let Some(median) = median {
            let (value, more) = (median / unit, (median - first) / unit);
            println!("{:<12} {value:>9.3} {of} {more:>9.3} {of} {:>7.2}", way.name, median / first);
        }
    }
}

fn starts(ways: &[Way]) {
    let launches: Vec<_> = ways.iter().map(|way| way.launch("nothing")).collect();
    let mut next = launches.iter().cycle();
    let medians = medians(ways, |_| {
        let launch = next.next().expect("endless");
        let start = Instant::now();
        for _ in 0..STARTS {
            match launch {
                None => start_plainly(),
                Some(launch) => start_caged(launch),
            }
        }
        Some(start.elapsed() / STARTS as u32)
    });
    table("starting and reaping a process that does nothing", 1e3, "ms", ways, &medians);
}

fn start_plainly() {
    let child = Command::new("/proc/self/exe")
        .arg("nothing")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    child.and_then(|mut child| child.wait()).expect("runs");
}

fn start_caged(launch: &Launch) {
    let clock = Clock::start();
    let mut process = Process::start(launch).expect("starts");
    process.end(&clock, At::START + Duration::from_secs(10));
}

fn heard(process: &mut Process, clock: &Clock) -> bool {
    matches!(process.read_line(clock, None), ReadOutcome::Line(_))
}

fn trips(ways: &[Way]) {
    let clock = Clock::start();
    let mut plain = Command::new("/proc/self/exe")
        .arg("echo")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let launches: Vec<_> = ways.iter().map(|way| way.launch("echo")).collect();
    let mut bots: Vec<_> = launches
        .iter()
        .map(|launch| launch.as_ref().map(|launch| Process::start(launch).expect("starts")))
        .collect();
    let mut place = 0;
    let medians = medians(ways, |_| {
        let start = Instant::now();
        match &mut bots[place] {
            Some(bot) => {
                for _ in 0..TRIPS {
                    bot.new_turn();
                    bot.send(b"a3\n");
                    assert!(heard(bot, &clock));
                }
                bot.new_game();
            }
            None => {
                let (mut buffer, mut stdin) = ([0; 16], plain.stdin.take().expect("piped"));
                let stdout = plain.stdout.as_mut().expect("piped");
                for _ in 0..TRIPS {
                    stdin.write_all(b"a3\n").expect("written");
                    assert!(stdout.read(&mut buffer).expect("read") > 0);
                }
                plain.stdin = Some(stdin);
            }
        }
        place = (place + 1) % ways.len();
        Some(start.elapsed() / TRIPS)
    });
    drop(plain.stdin.take());
    plain.wait().expect("ends");
    table("a move's round trip", 1.0, "µs", ways, &medians);
}

/// The same with the bot stopped between its turns; against the same bot not stopped.
fn stops(ways: &[Way]) {
    let clock = Clock::start();
    println!("\nstopping and setting going again, added to a round trip");
    for way in ways {
        let Some(launch) = way.launch("echo") else { continue };
        let mut bot = Process::start(&launch).expect("starts");
        let mut trip = |stops: bool| {
            let start = Instant::now();
            for _ in 0..TRIPS {
                bot.new_turn();
                bot.send(b"a3\n");
                bot.resume();
                assert!(heard(&mut bot, &clock));
                if stops {
                    bot.stop();
                }
            }
            bot.resume();
            bot.new_game();
            start.elapsed().as_secs_f64() * 1e6 / f64::from(TRIPS)
        };
        let mut more: Vec<f64> = (0..ROUNDS).map(|_| -(trip(false) - trip(true))).collect();
        more.sort_by(f64::total_cmp);
        println!("{:<12} {:>9.3} µs more", way.name, more[ROUNDS / 2]);
    }
}

/// By how much a deadline is missed while a bot burns the core.
fn deadlines(ways: &[Way]) {
    println!("\na deadline of 5 ms, missed while the bot burns the core");
    for way in ways {
        let Some(launch) = way.launch("burn") else { continue };
        let mut bot = Process::start(&launch).expect("starts");
        let clock = Clock::start();
        let mut missed: Vec<f64> = (0..60)
            .map(|_| {
                let until = clock.now() + Duration::from_millis(5);
                bot.read_line(&clock, Some(until));
                clock.now().since(until).as_secs_f64() * 1e3
            })
            .collect();
        missed.sort_by(f64::total_cmp);
        println!("{:<12} {:>9.3} ms median, {:.3} ms worst", way.name, missed[30], missed[59]);
    }
}
