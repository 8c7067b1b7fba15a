//! Tests of watched games between house bots: which side is stopped, and which CPU time limit is
//! exceeded.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use pitmaster_bots::house::InProcess;
use pitmaster_bots::{Clock, ReadOutcome, Usage, forward_contender};
use pitmaster_core::{At, BotHash, BotId, Dialect, Limits, Resources};
use pitmaster_players::PlayerSpec;

use super::*;
use crate::Start;

/// House bot that counts how often it is stopped, and reports this CPU time at each check.
#[derive(Debug)]
struct Watched {
    inner: InProcess,
    stops: Rc<Cell<u32>>,
    cpu: Duration,
}

impl Contender for Watched {
    forward_contender!(inner:
        new_game new_turn send try_read_line read_line line line_had_cr partial_line peak_memory stderr
        close_stdin end counts_all_cpu
    );

    fn stop(&mut self) {
        self.stops.set(self.stops.get() + 1);
    }

    fn resume(&mut self) {}

    fn used(&mut self, _: Duration) -> Usage {
        Usage { cpu: self.cpu, waiting: Duration::ZERO }
    }

    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }
}

struct Company {
    stops: Rc<Cell<u32>>,
    cpu: Duration,
}

impl Players for Company {
    fn start(&mut self, _: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let inner = InProcess::new(first());
        Ok(Box::new(Watched { inner, stops: Rc::clone(&self.stops), cpu: self.cpu }))
    }
}

pub(super) fn first() -> PlayerSpec {
    "random".parse().expect("a house bot")
}

/// Plays a game with permanent suspension. Returns the ending's name and the number of stops.
fn played(resources: Resources, cpu: Duration) -> (String, u32) {
    let day = Duration::from_hours(24);
    let limits = Limits { per_move: Some(day), start_up: day, per_game: None, ..Limits::default() };
    let stops = Rc::new(Cell::new(0));
    let players = &mut Company { stops: Rc::clone(&stops), cpu };
    let record = record_of(Limits { resources, ..limits }, Stopping::Always, players);
    (record.ending.name().into_owned(), stops.get())
}

/// Record of a kalah game under these limits.
pub(super) fn record_of(limits: Limits, stopping: Stopping, players: &mut dyn Players) -> Record {
    let game = pitmaster_games::find(&"kalah".parse().expect("a name")).expect("a game");
    let bot = Entrant {
        id: BotId { name: "a".parse().expect("a name"), hash: BotHash::of(b"a") },
        dialect: Dialect::Pitmaster,
        lenient: false,
        start: Start::Elsewhere,
        absent: None,
        anchor: None,
    };
    let key = GameKey {
        rules: game.id(),
        limits,
        stage: 1,
        round: 0,
        bots: BySide::from_fn(|_| bot.id.clone()),
        opening: String::new(),
        pair: 1,
    };
    let (seed, entrants) = (Seed(1), BySide::from_fn(|_| &bot));
    let one = OneGame { key, game: &game, seed, entrants, stopping };
    one.play_once(players, |_| {})
}

#[test]
fn who_may_ponder_is_never_stopped() {
    let (ending, stops) = played(Resources::default(), Duration::ZERO);
    assert!(ending.starts_with("rules:") && stops > 10, "{ending} {stops}");
    let allowed = Resources { pondering: true, ..Resources::default() };
    let (ending, stops) = played(allowed, Duration::ZERO);
    assert!(ending.starts_with("rules:") && stops == 0, "{ending} {stops}");
}

#[test]
fn cpu_time_is_judged_as_it_is_found_out() {
    let second = Duration::from_secs(1);
    let (idle_cpu_turn, idle_cpu_game) = (None, None);
    let one =
        || Resources { cpu: Some(second), idle_cpu_turn, idle_cpu_game, ..Resources::default() };
    assert_eq!(played(one(), second * 2).0, "cpu-time");
    assert!(played(one(), Duration::ZERO).0.starts_with("rules:"));
}

/// Time that a [`Chatty`] bot thinks before its first line of a turn.
const THOUGHT: Duration = Duration::from_millis(5);

/// House bot that thinks, writes an info line and then its move.
#[derive(Debug)]
struct Chatty {
    inner: InProcess,
    /// Whether it was just asked for a move.
    was_asked: bool,
    is_info: bool,
    /// The shortest turn that it was measured for.
    shortest: Rc<Cell<Duration>>,
}

impl Contender for Chatty {
    forward_contender!(inner:
        new_game new_turn try_read_line line_had_cr partial_line peak_memory stderr close_stdin end
        counts_all_cpu
    );

    fn send(&mut self, bytes: &[u8]) {
        self.was_asked = bytes.ends_with(b"go\n");
        self.inner.send(bytes);
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        self.is_info = std::mem::take(&mut self.was_asked);
        if self.is_info {
            std::thread::sleep(THOUGHT);
            return ReadOutcome::Line(clock.now());
        }
        self.inner.read_line(clock, until)
    }

    fn line(&self) -> &[u8] {
        if self.is_info { b"info I have an idea" } else { self.inner.line() }
    }

    fn stop(&mut self) {}

    fn resume(&mut self) {}

    fn used(&mut self, wall: Duration) -> Usage {
        if !wall.is_zero() {
            self.shortest.set(self.shortest.get().min(wall));
        }
        Usage::default()
    }

    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }
}

struct Talkers(Rc<Cell<Duration>>);

impl Players for Talkers {
    fn start(&mut self, _: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let (inner, shortest) = (InProcess::new(first()), Rc::clone(&self.0));
        Ok(Box::new(Chatty { inner, was_asked: false, is_info: false, shortest }))
    }
}

/// Its wait for a core is at most the part of the turn in which it did not run.
#[test]
fn a_turn_is_measured_from_its_request_whatever_lines_come_before_the_move() {
    let hour = Duration::from_hours(1);
    let limits =
        Limits { per_move: Some(hour), start_up: hour, per_game: None, ..Limits::default() };
    let shortest = Rc::new(Cell::new(Duration::MAX));
    let record = record_of(limits, Stopping::Adaptive, &mut Talkers(Rc::clone(&shortest)));
    assert!(record.ending.name().starts_with("rules:"), "{:?}", record.ending);
    assert!((THOUGHT..hour).contains(&shortest.get()), "{shortest:?}");
}
