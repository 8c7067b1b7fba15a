//! Real processes with both drivers: their output, what they are prevented from, and leftovers. A
//! separate binary, because it counts its own descriptors and children.
//!
//! No duration is tight: limits are hours where something must happen, and short where nothing can.
#![cfg(target_os = "linux")]

mod both;
mod linux;
mod page;

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use pitmaster::bots::toolchain::Tools;
use pitmaster::bots::{self, Clock, Contender, Ended, PlainProcess, Process, ReadOutcome};
use pitmaster::core::{At, Exit, Resources, Stream};
use pitmaster::referee::protocol::{GAME_LIMIT, LINE_LIMIT, TURN_LIMIT};
use pitmaster::sandbox::{Launch, Sandbox, SandboxProfile};

/// Longer than any machine needs.
const AGES: Duration = Duration::from_hours(1);
/// Long enough for a bot that works as intended.
const PATIENCE: Duration = Duration::from_mins(1);
/// Wait for something that never arrives.
const MOMENT: Duration = Duration::from_millis(30);

/// Lets only one test run at a time, because they count descriptors and children.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    static ADOPT: Once = Once::new();
    ADOPT.call_once(|| pitmaster::sandbox::adopt_orphans().expect("can adopt"));
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn launch(program: &str, args: &[&str]) -> Launch {
    Launch {
        program: found(program),
        name: program.into(),
        args: args.iter().map(Into::into).collect(),
        environment: vec![("PATH".into(), std::env::var_os("PATH").expect("there is a PATH"))],
        dir: "/".into(),
        cage: SandboxProfile::open(),
    }
}

/// Looks a program up on PATH; processes are started by path.
fn found(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").expect("there is a PATH");
    Tools::on(path).find(program).unwrap_or_else(|| program.into())
}

/// A bot under test.
struct Bot {
    contender: Box<dyn Contender>,
    clock: Clock,
    _turn: Option<MutexGuard<'static, ()>>,
}

type Start = fn(&Launch) -> Box<dyn Contender>;

fn process(launch: &Launch) -> Box<dyn Contender> {
    Box::new(Process::start(launch).expect("starts"))
}

fn plain(launch: &Launch) -> Box<dyn Contender> {
    Box::new(PlainProcess::start(launch).expect("starts"))
}

impl Bot {
    fn new(start: Start, program: &str, args: &[&str]) -> Self {
        let turn = alone();
        Self { _turn: Some(turn), ..Self::among_others(start, program, args) }
    }

    /// For a test that already holds the lock of `alone`.
    fn among_others(start: Start, program: &str, args: &[&str]) -> Self {
        let contender = start(&launch(program, args));
        Self { contender, clock: Clock::start(), _turn: None }
    }

    fn sh(start: Start, script: &str) -> Self {
        Self::new(start, "sh", &["-c", script])
    }

    fn python(start: Start, script: &str) -> Self {
        Self::new(start, "python3", &["-uc", script])
    }

    fn ask(&mut self, line: &str) {
        self.contender.new_turn();
        self.contender.send(line.as_bytes());
        self.contender.resume();
    }

    fn hear(&mut self) -> ReadOutcome {
        self.contender.read_line(&self.clock, Some(self.clock.now() + AGES))
    }

    fn hear_for(&mut self, time: Duration) -> ReadOutcome {
        self.contender.read_line(&self.clock, Some(self.clock.now() + time))
    }

    fn line(&mut self) -> String {
        match self.hear() {
            ReadOutcome::Line(_) => String::from_utf8_lossy(self.contender.line()).into_owned(),
            other => panic!("no line but {other:?}"),
        }
    }

    fn end(&mut self, grace: Duration) -> Ended {
        self.contender.end(&self.clock, self.clock.now() + grace)
    }
}

/// Number of open descriptors of this process.
fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").expect("can be listed").count()
}

/// Children of all threads of this process, dead or alive.
fn children() -> Vec<String> {
    fs::read_dir("/proc/self/task")
        .expect("can be listed")
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn exists(pid: &str) -> bool {
    fs::exists(format!("/proc/{pid}")).expect("can be asked")
}

/// The kernel's state letter of a process; `None` once it is gone.
fn state(pid: &str) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Waits for up to a minute until a condition is true. Returns whether it became true.
fn becomes(so: impl Fn() -> bool) -> bool {
    (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        so()
    })
}
