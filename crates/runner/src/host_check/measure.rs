//! Measured host facts: starts a process and queries it, the way bots are started and queried.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::toolchain::Tools;
use pitmaster_bots::{self as bot, Clock, LaunchError, ReadOutcome};
use pitmaster_core::At;
use pitmaster_referee::protocol;
use pitmaster_sandbox::{Launch, Sandbox, SandboxProfile};

use super::{Fact, cores};

const STARTS: usize = 20;
const TRIPS: usize = 2_000;

/// Start time above which the verdict is a caution.
const SLOW_START: Duration = Duration::from_millis(5);
/// Round-trip time above which the verdict is a caution.
const SLOW_TRIP: Duration = Duration::from_micros(50);

/// Median times of a process start and of a round trip in a sandbox, on the core of a lane.
pub fn measured(sandbox: &Arc<Sandbox>) -> Vec<Fact> {
    std::thread::scope(|scope| {
        let measure = || {
            if let Some(&core) = cores::layout(Some(1)).lanes.first() {
                cores::move_to(&[core]);
            }
            vec![start(sandbox), trip(sandbox)]
        };
        scope.spawn(measure).join().unwrap_or_default()
    })
}

fn launch(sandbox: &Arc<Sandbox>, program: &str) -> Option<Launch> {
    Some(Launch {
        program: Tools::on("/usr/bin:/bin").find(program)?,
        name: program.into(),
        args: Vec::new(),
        environment: Vec::new(),
        dir: "/".into(),
        cage: SandboxProfile::new(sandbox, Vec::new()),
    })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn start(sandbox: &Arc<Sandbox>) -> Fact {
    const NAME: &str = "starting a bot";
    let Some(launch) = launch(sandbox, "true") else { return Fact::unknown(NAME) };
    let one = || -> Result<Duration, LaunchError> {
        let (clock, start) = (Clock::start(), Instant::now());
        bot::start(&launch)?.end(&clock, At::START + Duration::from_secs(5));
        Ok(start.elapsed())
    };
    let times: Result<Vec<_>, _> = (0..STARTS).map(|_| one()).collect();
    let Ok(times) = times else { return Fact::unknown(NAME) };
    let time = median(times);
    let value = format!("{:.2} ms, with its end", time.as_secs_f64() * 1e3);
    if time <= SLOW_START {
        return Fact::good(NAME, value);
    }
    Fact::caution(NAME, value, "the machine is busy, or starts processes slowly")
}

fn trip(sandbox: &Arc<Sandbox>) -> Fact {
    const NAME: &str = "asking a bot";
    let started = launch(sandbox, "cat").and_then(|launch| bot::start(&launch).ok());
    let Some(mut bot) = started else { return Fact::unknown(NAME) };
    let clock = Clock::start();
    let mut times = Vec::with_capacity(TRIPS);
    for _ in 0..TRIPS {
        let (asked, until) = (Instant::now(), clock.now() + Duration::from_secs(5));
        bot.new_turn();
        bot.send(protocol::GO);
        if !matches!(bot.read_line(&clock, Some(until)), ReadOutcome::Line(_)) {
            return Fact::unknown(NAME);
        }
        times.push(asked.elapsed());
    }
    let time = median(times);
    let value = format!("{:.1} µs there and back", time.as_secs_f64() * 1e6);
    if time <= SLOW_TRIP {
        return Fact::good(NAME, value);
    }
    Fact::caution(NAME, value, "the machine is busy, or bot and referee are on different cores")
}
