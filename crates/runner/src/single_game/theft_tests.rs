//! Tests of a side that computes while it should rest. CPU times and answer times are chosen by the
//! test, so they do not depend on the machine.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use pitmaster_bots::house::InProcess;
use pitmaster_bots::{Clock, Ended, ReadOutcome, Usage, idle_contender};
use pitmaster_core::{At, Fault, Limits, Per, Resources};

use super::tests::{first, record_of};
use super::*;

const HOUR: Duration = Duration::from_hours(1);

/// Time after which a check is always worth its cost.
const A_WHILE: Duration = Duration::from_millis(1);

/// Behavior of both sides.
#[derive(Debug, Clone, Default)]
struct Manner {
    /// CPU time of the thief at every check.
    steals: Duration,
    /// Whether the thief uses none while it is stopped.
    obeys: bool,
    /// Delay added to the other side's time stamps.
    late: Duration,
    /// Reported wait for a core.
    waited: Duration,
    /// Whether its CPU time counts all that computes for it.
    counts_all_cpu: bool,
    /// Time for which the lane has no core before it reads an answer.
    delay: Duration,
    /// Number of empty reads of 6 ms before an answer.
    silences: u32,
    /// Number of times that the thief was stopped.
    stops: Rc<Cell<u32>>,
}

#[derive(Debug)]
struct Actor {
    inner: InProcess,
    is_thief: bool,
    /// Whether it has run since the last check.
    has_run: bool,
    is_stopped: bool,
    manner: Manner,
    silences: u32,
}

impl Contender for Actor {
    idle_contender!(line_had_cr peak_memory stderr);

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn new_turn(&mut self) {
        self.inner.new_turn();
        self.silences = self.manner.silences;
    }

    fn send(&mut self, bytes: &[u8]) {
        self.inner.send(bytes);
    }

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        self.inner.try_read_line(clock)
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        std::thread::sleep(A_WHILE + self.manner.delay);
        if self.silences > 0 && !self.is_thief {
            self.silences -= 1;
            std::thread::sleep(6 * A_WHILE);
            return ReadOutcome::Nothing(clock.now());
        }
        match self.inner.read_line(clock, until) {
            // No side is late in the handshake.
            ReadOutcome::Line(at) if self.inner.line().starts_with(b"move") && !self.is_thief => {
                ReadOutcome::Line(at + self.manner.late)
            }
            heard => heard,
        }
    }

    fn line(&self) -> &[u8] {
        self.inner.line()
    }

    fn partial_line(&self) -> &[u8] {
        self.inner.partial_line()
    }

    fn resume(&mut self) {
        (self.is_stopped, self.has_run) = (false, true);
    }

    fn stop(&mut self) {
        self.is_stopped = true;
        if self.is_thief {
            self.manner.stops.set(self.manner.stops.get() + 1);
        }
    }

    /// A check takes no time.
    fn used(&mut self, wall: Duration) -> Usage {
        let has_run = std::mem::replace(&mut self.has_run, !self.is_stopped);
        let steals = self.is_thief && wall.is_zero() && (has_run || !self.manner.obeys);
        let cpu = if steals { self.manner.steals } else { Duration::ZERO };
        Usage { cpu, waiting: Duration::ZERO }
    }

    fn waited(&mut self) -> Duration {
        if self.is_thief { Duration::ZERO } else { self.manner.waited }
    }

    fn counts_all_cpu(&self) -> bool {
        self.manner.counts_all_cpu
    }

    fn close_stdin(&mut self) {
        self.inner.close_stdin();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        self.inner.end(clock, until)
    }
}

/// A game whose second side steals.
struct Robbery(Manner);

impl Players for Robbery {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let (inner, manner) = (InProcess::new(first()), self.0.clone());
        let is_thief = side == Side::Two;
        Ok(Box::new(Actor {
            inner,
            is_thief,
            has_run: true,
            is_stopped: false,
            manner,
            silences: 0,
        }))
    }
}

fn played(resources: &Resources, stopping: Stopping, manner: &Manner) -> Record {
    let resources = Resources { cpu: None, ..resources.clone() };
    let limits =
        Limits { per_move: Some(HOUR), start_up: HOUR, per_game: None, ..Limits::default() };
    record_of(Limits { resources, ..limits }, stopping, &mut Robbery(manner.clone()))
}

/// Allowances that no bot exceeds.
fn lavish() -> Resources {
    let allowance = Some(HOUR * 100_000);
    Resources { idle_cpu_turn: allowance, idle_cpu_game: allowance, ..Resources::default() }
}

#[test]
fn a_mover_is_late_only_by_what_was_not_stolen_from_it() {
    let late = HOUR * 2;
    for (steals, ending) in [(Duration::ZERO, "move-late"), (late, "rules:")] {
        let manner = Manner { steals, late, ..Manner::default() };
        let record = played(&lavish(), Stopping::Adaptive, &manner);
        assert!(record.ending.name().starts_with(ending), "{steals:?}: {:?}", record.ending);
        assert_eq!(record.ending.fault_of(Side::Two), None);
    }
}

#[test]
fn a_mover_is_starved_if_it_was_late_only_by_waiting_for_a_core() {
    let fault = |stopping, waited, steals| {
        let manner = Manner { late: HOUR * 2, waited, steals, ..Manner::default() };
        played(&lavish(), stopping, &manner).ending.fault_of(Side::One).cloned().unwrap()
    };
    let (long, short) = (HOUR + A_WHILE * 60_000, HOUR / 2);
    for stopping in [Stopping::Adaptive, Stopping::Never] {
        let Fault::Starved { limit, took, waited } = fault(stopping, long, Duration::ZERO) else {
            panic!("not starved")
        };
        assert!((limit, waited) == (HOUR, long) && took >= HOUR * 2, "{took:?}");
        let late = fault(stopping, short, Duration::ZERO);
        assert!(matches!(late, Fault::MoveLate { waited, .. } if waited == short), "{late:?}");
    }
    // CPU time of a pondering opponent is not starvation.
    let late = fault(Stopping::Never, long, HOUR);
    assert!(matches!(late, Fault::MoveLate { .. }), "{late:?}");
}

#[test]
fn a_mover_whose_cpu_time_is_all_counted_is_not_late_by_waiting_for_a_core() {
    let ending = |stopping, waited, steals| {
        let late = HOUR * 2;
        let manner = Manner { late, waited, steals, counts_all_cpu: true, ..Manner::default() };
        played(&lavish(), stopping, &manner).ending.name()
    };
    let (long, short) = (HOUR + A_WHILE * 60_000, HOUR / 2);
    for stopping in [Stopping::Adaptive, Stopping::Never] {
        let accepted = ending(stopping, long, Duration::ZERO);
        assert!(accepted.starts_with("rules:"), "{accepted}");
        assert_eq!(ending(stopping, short, Duration::ZERO), "move-late");
    }
    assert_eq!(ending(Stopping::Never, long, HOUR), "move-late", "its opponent ponders");
}

#[test]
fn a_thief_forfeits_at_once_and_not_the_mover_that_is_late_by_it() {
    // Much more than the lane can be late to stop it.
    let steals = HOUR;
    for stopping in [Stopping::Adaptive, Stopping::Always] {
        let manner = Manner { steals, late: HOUR * 2, ..Manner::default() };
        let record = played(&Resources::default(), stopping, &manner);
        let Some(&Fault::StoleTime { used, allowance, per }) = record.ending.fault_of(Side::Two)
        else {
            panic!("{:?}", record.ending)
        };
        assert_eq!((allowance, per), (Duration::from_millis(20), Per::Turn));
        assert!(used >= steals / 2 && used <= steals, "{used:?}");
        // The fault precedes the first move.
        assert!(record.plies.is_empty(), "{:?}", record.plies);
        assert_eq!(record.stolen[Side::Two], used);
    }
}

#[test]
fn nobody_is_blamed_while_the_lane_is_late_to_stop_it() {
    let played = |steals, delay| {
        let manner = Manner { steals, delay, obeys: true, ..Manner::default() };
        played(&Resources::default(), Stopping::Adaptive, &manner)
    };
    let steals = Duration::from_millis(21);
    // From its second turn on it is stopped as soon as it has moved.
    let record = played(steals, steals);
    assert!(record.ending.name().starts_with("rules:"), "{:?}", record.ending);
    assert_eq!(record.stolen[Side::Two], Duration::ZERO);
    // It is blamed for all that it used beyond that.
    let record = played(HOUR, steals);
    let fault = record.ending.fault_of(Side::Two);
    assert!(matches!(fault, Some(Fault::StoleTime { .. })), "{:?}", record.ending);
}

#[test]
fn who_may_ponder_steals_nothing() {
    let manner = Manner { steals: HOUR, ..Manner::default() };
    let allowed = Resources { pondering: true, ..Resources::default() };
    for (resources, stopping) in
        [(allowed, Stopping::Adaptive), (Resources::default(), Stopping::Never)]
    {
        let record = played(&resources, stopping, &manner);
        assert!(record.ending.name().starts_with("rules:"), "{:?}", record.ending);
        assert!(record.stolen[Side::Two] >= HOUR);
    }
}

#[test]
fn who_runs_on_is_told_again_to_stop_while_the_other_thinks() {
    let stops = |steals| {
        let manner = Manner { steals, silences: 3, ..Manner::default() };
        let record = played(&lavish(), Stopping::Adaptive, &manner);
        let turns = record.plies.iter().filter(|ply| ply.by == Some(Side::One)).count();
        (manner.stops.get() as usize, turns)
    };
    let (once, turns) = stops(Duration::ZERO);
    assert!(once <= turns, "{once} stops in {turns} turns");
    let (again, turns) = stops(A_WHILE);
    assert!(again >= 2 * turns, "{again} stops in {turns} turns");
}
