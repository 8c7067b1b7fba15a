//! Meter of a bot process: the CPU time that it uses, and the time that it waits for a core.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::time::Duration;

use pitmaster_sandbox::Group;
use pitmaster_sandbox::sys::CpuClock;
use rustix::process::Pid;

use super::contender::Usage;
use super::look::{CpuReadings, Look, Thread};
use super::starvation::{Starvation, TurnSoFar};

/// Maximum difference between wall and CPU time of a turn before the waiting time is measured.
const UNEXPLAINED: Duration = Duration::from_micros(100);

/// Meter of one process. The control group of its processes, if it has one, is an argument, because
/// it ends before the meter does.
#[derive(Debug)]
pub(super) struct Meter {
    process: Pid,
    /// Whether it may have children.
    has_family: bool,
    clock: Option<CpuClock>,
    /// Scheduler statistics of its main thread.
    schedstat: Option<File>,
    /// CPU time up to the last measurement.
    cpu: CpuReadings,
    /// Its main thread at the last check, and readings of its CPU time shortly before.
    main: (Thread, CpuReadings),
    /// Idle time of turns since then in which its waiting was not measured.
    unmeasured: Duration,
    starvation: Starvation,
    turn_so_far: TurnSoFar,
}

impl Meter {
    /// The meter of a process that was just started.
    pub(super) fn new(process: Pid, has_family: bool) -> Self {
        let pid = process.as_raw_nonzero();
        Self {
            process,
            has_family,
            clock: CpuClock::of(pid.get().cast_unsigned()),
            schedstat: File::open(format!("/proc/{pid}/schedstat")).ok(),
            cpu: CpuReadings::default(),
            main: Default::default(),
            unmeasured: Duration::ZERO,
            starvation: Starvation::default(),
            turn_so_far: TurnSoFar::default(),
        }
    }

    /// CPU time up to the last measurement.
    pub(super) fn cpu(&self) -> Duration {
        self.cpu.whole
    }

    /// Begins a turn.
    pub(super) fn new_turn(&mut self) {
        self.starvation.new_turn(self.cpu);
        self.turn_so_far = TurnSoFar::default();
    }

    /// Time until the next look is due.
    pub(super) fn until_look(&mut self) -> Duration {
        self.starvation.until_next()
    }

    /// Marks that output of the process was read.
    pub(super) fn heard(&mut self) {
        self.starvation.heard();
    }

    /// Marks that the referee goes to sleep.
    pub(super) fn sleep(&mut self, group: Option<&Group>) {
        let cpu = self.starvation.has_begun().then(|| self.readings(group));
        self.starvation.sleep(cpu);
    }

    /// Takes a look if one is due.
    pub(super) fn look_if_due(&mut self, group: Option<&Group>) {
        if self.until_look().is_zero() {
            self.look(group);
        }
    }

    /// What was used since the last call, and the waiting in this time, of which this much was a
    /// turn.
    pub(super) fn used(&mut self, wall: Duration, group: Option<&Group>) -> Usage {
        let now = self.readings(group);
        let cpu = now.whole.saturating_sub(std::mem::replace(&mut self.cpu, now).whole);
        let idle = wall.saturating_sub(cpu);
        let (main, looks) = if idle > UNEXPLAINED {
            self.kept_off(idle, group)
        } else {
            self.unmeasured += idle;
            Default::default()
        };
        Usage { cpu, waiting: self.turn_so_far.add(idle, main, looks) }
    }

    /// Waiting in this turn so far.
    pub(super) fn waited(&mut self, group: Option<&Group>) -> Duration {
        self.look(group);
        self.starvation.total()
    }

    /// CPU time of all its threads, and of its processes if they are in a group.
    fn readings(&self, group: Option<&Group>) -> CpuReadings {
        let exact = self.clock.and_then(CpuClock::read).unwrap_or(self.cpu.exact);
        CpuReadings { whole: group.and_then(Group::cpu).unwrap_or(exact), exact }
    }

    /// Records the activity of all its threads so far.
    fn look(&mut self, group: Option<&Group>) {
        let look = Look::at(self.process, || self.readings(group).whole, self.has_family);
        let readings = self.readings(group);
        self.starvation.add(look, readings);
    }

    /// Lower bounds on the time kept off its core: of its main thread since the last call, and of
    /// all its threads in the turn up to now. Call it right after the CPU time was read.
    fn kept_off(&mut self, idle: Duration, group: Option<&Group>) -> (Duration, Duration) {
        if self.starvation.is_worth_a_look(idle) {
            self.look(group);
        }
        let (before, earlier) = self.main;
        let read = || self.schedstat.as_ref().and_then(schedstat);
        let main = self.starvation.thread(self.process).or_else(read).unwrap_or(before);
        self.main = (main, self.cpu);
        // Read after the thread: includes all that it may have waited for.
        let ran = self.readings(group).since(earlier);
        // An earlier turn may have waited for all of its idle time.
        let in_earlier_turns = std::mem::take(&mut self.unmeasured);
        let main = main.kept_off(before, ran).saturating_sub(in_earlier_turns);
        (main, self.starvation.total())
    }
}

/// Activity of the main thread so far, from `/proc/PID/schedstat`.
fn schedstat(schedstat: &File) -> Option<Thread> {
    let mut text = [0; 64];
    let length = schedstat.read_at(&mut text, 0).ok()?;
    Thread::parse(&text[..length])
}
