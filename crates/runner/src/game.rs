//! Game driver: plays one game on a lane, with the referee and two contenders.

use std::time::Duration;

use pitmaster_bots::{Clock, Contender, Ended, LaunchError, ReadOutcome, Usage};
use pitmaster_core::{At, BySide, Fault, Record, Side};
use pitmaster_referee::protocol::{self, Want};
use pitmaster_referee::{Action, Leftovers, ProcessFate, Referee};
use serde::{Deserialize, Serialize};

use super::looks::{Looks, PATIENCE};

/// CPU time that a side may use on the other's turn. A side that uses more is stopped at once from
/// then on.
const IDLE_CPU_ALLOWANCE: Duration = Duration::from_millis(1);

/// Grace period for a process to exit after its last game.
pub const GRACE: Duration = Duration::from_millis(100);

/// Suspension of the side not to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopping {
    /// Stop it once the other side has thought for 0.2 ms, or at once if it has used time on the
    /// other's turn.
    #[default]
    Adaptive,
    /// Stop it at the end of each of its turns.
    Always,
    /// Never stop it.
    Never,
}

/// Source of a game's contenders.
pub trait Players {
    /// Starts the process of a side.
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError>;
}

/// A contender that takes send_last_lines in a game.
#[derive(Debug)]
pub struct Seated {
    /// The contender.
    pub contender: Box<dyn Contender>,
    /// Its handshake settings, once it has served a game and can serve another.
    pub greeted: Option<Want>,
    /// Whether to stop it at the end of each turn, because it has used time on the other's turn or
    /// because that is the policy.
    distrusted: bool,
    is_stopped: bool,
    /// Time of the last measurement of its CPU time in this game; `None` while it gets ready.
    measured_at: Option<At>,
    /// CPU time since then for which it is not blamed: the lane was late to stop it, because the
    /// machine kept the lane from its core.
    excused: Duration,
}

impl Seated {
    /// Wraps a process that was just started or is already running.
    pub fn new(contender: Box<dyn Contender>) -> Self {
        Self {
            contender,
            greeted: None,
            distrusted: false,
            is_stopped: false,
            measured_at: None,
            excused: Duration::ZERO,
        }
    }

    fn stop(&mut self) {
        if !std::mem::replace(&mut self.is_stopped, true) {
            self.contender.stop();
        }
    }

    fn resume(&mut self) {
        self.is_stopped = false;
        self.contender.resume();
    }
}

/// Plays a game to its end. A contender that can serve another game stays in `seats`; every other
/// one is ended.
pub fn play(
    mut referee: Referee,
    seats: &mut BySide<Option<Seated>>,
    players: &mut dyn Players,
    stopping: Stopping,
    mut watch: impl FnMut(&Referee),
) -> Record {
    let mut lane = Lane { seats, clock: Clock::start(), stopping, sent_at: At::START };
    lane.begin();
    loop {
        match referee.next() {
            Action::Start(side) => lane.start(&mut referee, side, players),
            Action::Send(side) => {
                watch(&referee);
                lane.send(&mut referee, side);
            }
            Action::Listen { side, until } => lane.read_line(&mut referee, side, until),
            Action::End => break,
        }
    }
    watch(&referee);
    let left = lane.end(&mut referee);
    referee.finish(left)
}

/// Ends processes after their last game.
pub fn dismiss(seats: impl Iterator<Item = Seated>) {
    let clock = Clock::start();
    let mut seats: Vec<Seated> = seats.collect();
    for seat in &mut seats {
        seat.contender.send(protocol::QUIT);
        seat.contender.close_stdin();
    }
    for mut seat in seats {
        seat.contender.end(&clock, At::START + GRACE);
    }
}

struct Lane<'a> {
    seats: &'a mut BySide<Option<Seated>>,
    clock: Clock,
    stopping: Stopping,
    /// Instant of the last request: the beginning of the turn, also if several lines follow.
    sent_at: At,
}

impl Lane<'_> {
    fn begin(&mut self) {
        for side in Side::BOTH {
            if let Some(seat) = &mut self.seats[side] {
                seat.contender.new_game();
                seat.resume();
                seat.contender.used(Duration::ZERO);
                seat.measured_at = None;
            }
        }
    }

    fn start(&mut self, referee: &mut Referee, side: Side, players: &mut dyn Players) {
        match players.start(side) {
            Ok(contender) => {
                let mut seat = Seated::new(contender);
                seat.distrusted = self.stopping == Stopping::Always;
                self.seats[side] = Some(seat);
                referee.started(side, self.clock.now());
            }
            Err(LaunchError::Bot(why)) => {
                referee.fault(side, Fault::WouldNotStart { why }, self.clock.now(), None);
            }
            Err(LaunchError::Referee(fault)) => referee.void(fault),
        }
    }

    fn send(&mut self, referee: &mut Referee, side: Side) {
        let clock = self.clock;
        let Some(seat) = &mut self.seats[side] else { return };
        if referee.is_turn() {
            if read_early_lines(referee, side, seat, &clock) {
                return;
            }
            self.report_cpu_time(referee, side);
            if referee.next() == Action::End {
                return;
            }
            self.begin_rest(side.other());
        }
        let Some(seat) = &mut self.seats[side] else { return };
        if seat.contender.counts_all_cpu() {
            referee.accept_waiting(side);
        }
        seat.contender.new_turn();
        // The line is written before the process is resumed.
        let at = clock.now();
        seat.contender.send(referee.outbox());
        seat.resume();
        self.sent_at = at;
        referee.sent(side, at);
    }

    fn read_line(&mut self, referee: &mut Referee, side: Side, until: Option<At>) {
        let rests = side.other();
        let (mut until, mut pondered) = (until, Duration::ZERO);
        let mut looks = match (self.stopping, &self.seats[rests]) {
            (Stopping::Never, _) | (_, None) => Looks::NONE,
            _ => Looks::from(self.clock.now()),
        };
        loop {
            let outcome = self.receive(side, looks.next_before(until));
            self.excuse(rests, looks.lateness(self.clock.now()));
            let silent_at = if let ReadOutcome::Nothing(at) = outcome { Some(at) } else { None };
            if silent_at.is_some() || looks.have_begun() {
                self.keep_stopped(referee, rests);
                looks.taken(self.clock.now());
                // The check may have ended the game or extended the mover's time.
                let Action::Listen { until: extended, .. } = referee.next() else { return };
                until = extended;
            }
            if until.is_some_and(|until| outcome.at() > until) {
                pondered += self.pondering(referee, rests);
                let Some(waited) = self.waited(side) else { return };
                referee.waited(side, waited.saturating_sub(pondered));
                let Action::Listen { until: extended, .. } = referee.next() else { return };
                until = extended;
            }
            if silent_at.is_none_or(|at| until.is_some_and(|until| at > until)) {
                let Some(seat) = &mut self.seats[side] else { return };
                return report(referee, side, seat, outcome, self.sent_at);
            }
        }
    }

    /// Excuses what the side not to move used while the lane was late to stop it.
    fn excuse(&mut self, side: Side, late: Duration) {
        if let Some(seat) = self.seats[side].as_mut().filter(|seat| !seat.is_stopped) {
            seat.excused += late;
        }
    }

    /// Stops the side not to move, and again if it still runs: a signal may have resumed it, or it
    /// was in an uninterruptible call.
    fn keep_stopped(&mut self, referee: &mut Referee, side: Side) {
        if self.stopping == Stopping::Never {
            return;
        }
        let was_stopped = self.seats[side].as_ref().is_some_and(|seat| seat.is_stopped);
        if let Some(seat) = &mut self.seats[side] {
            seat.stop();
        }
        let used = self.report_cpu_time(referee, side);
        if let Some(seat) = &mut self.seats[side]
            && was_stopped
            && used > PATIENCE
        {
            seat.contender.stop();
        }
    }

    /// Reports to the referee a side's CPU time since its last turn or the last check. Skipped if
    /// the last check is too recent to be worth another.
    fn report_cpu_time(&mut self, referee: &mut Referee, side: Side) -> Duration {
        let now = self.clock.now();
        let Some(seat) = &mut self.seats[side] else { return Duration::ZERO };
        if seat.measured_at.is_some_and(|measured_at| now.since(measured_at) < PATIENCE) {
            return Duration::ZERO;
        }
        let Usage { cpu, .. } = seat.contender.used(Duration::ZERO);
        let excused = std::mem::take(&mut seat.excused);
        if seat.measured_at.replace(now).is_none() {
            // Startup time is neither idle CPU time nor send_last_lines of the first move.
            return Duration::ZERO;
        }
        if self.stopping == Stopping::Never {
            referee.pondered(side, cpu);
        } else {
            referee.charge_idle_cpu(side, cpu, excused, now);
        }
        seat.distrusted |= cpu > IDLE_CPU_ALLOWANCE && self.stopping == Stopping::Adaptive;
        cpu
    }

    /// Marks a side as resting. A side that has not moved yet rests too once it is ready.
    fn begin_rest(&mut self, side: Side) {
        if let Some(seat) = &mut self.seats[side]
            && seat.measured_at.is_none()
        {
            seat.contender.used(Duration::ZERO);
            seat.measured_at = Some(self.clock.now());
        }
    }

    /// CPU time that a pondering side has used since the last check. The rules allow it, so the
    /// other side's wait for the core is not starvation.
    fn pondering(&mut self, referee: &mut Referee, side: Side) -> Duration {
        if self.stopping == Stopping::Never {
            self.report_cpu_time(referee, side)
        } else {
            Duration::ZERO
        }
    }

    /// Time that the mover has waited for a core in this turn.
    fn waited(&mut self, side: Side) -> Option<Duration> {
        self.seats[side].as_mut().map(|seat| seat.contender.waited())
    }

    fn receive(&mut self, side: Side, until: Option<At>) -> ReadOutcome {
        match &mut self.seats[side] {
            Some(seat) => seat.contender.read_line(&self.clock, until),
            None => ReadOutcome::Nothing(self.clock.now()),
        }
    }

    /// Sends the last lines to both, then ends the processes that cannot be kept.
    fn end(&mut self, referee: &mut Referee) -> BySide<Leftovers> {
        let kept = BySide::from_fn(|side| self.send_last_lines(referee, side));
        let until = self.clock.now() + GRACE;
        BySide::from_fn(|side| {
            if kept[side] {
                return Leftovers::default();
            }
            let Some(mut seat) = self.seats[side].take() else { return Leftovers::default() };
            let Ended { exit, stderr, .. } = seat.contender.end(&self.clock, until);
            while let ReadOutcome::Line(_) = seat.contender.try_read_line(&self.clock) {
                referee.after(side, seat.contender.line());
            }
            Leftovers { stderr, exit }
        })
    }

    /// Sends the last lines. Returns whether the process is kept.
    fn send_last_lines(&mut self, referee: &Referee, side: Side) -> bool {
        let mut words = Vec::new();
        let farewell = referee.farewell(side, &mut words);
        let Some(seat) = &mut self.seats[side] else { return false };
        seat.contender.send(&words);
        seat.greeted = match farewell {
            ProcessFate::Keep(want) => Some(want),
            ProcessFate::Close | ProcessFate::None => {
                // Closed for both at once, so that both have the same grace period.
                seat.contender.close_stdin();
                None
            }
        };
        seat.greeted.is_some()
    }
}

/// Passes on lines that a side wrote before its turn. Returns whether they ended the game.
fn read_early_lines(referee: &mut Referee, side: Side, seat: &mut Seated, clock: &Clock) -> bool {
    loop {
        match seat.contender.try_read_line(clock) {
            ReadOutcome::Line(_) => referee.early(side, seat.contender.line()),
            ReadOutcome::Nothing(_) if seat.contender.partial_line().is_empty() => return false,
            ReadOutcome::Nothing(_) => {
                referee.early_part(side, seat.contender.partial_line());
                return referee.next() == Action::End;
            }
            outcome => report_fault(referee, side, seat, &outcome),
        }
        if referee.next() == Action::End {
            return true;
        }
    }
}

fn report(referee: &mut Referee, side: Side, seat: &mut Seated, outcome: ReadOutcome, sent: At) {
    match outcome {
        ReadOutcome::Line(at) => {
            let plies = referee.plies().len();
            referee.line(side, seat.contender.line(), at);
            if referee.plies().len() > plies {
                if seat.distrusted {
                    seat.stop();
                }
                seat.measured_at = Some(at);
                let used = seat.contender.used(at.since(sent));
                referee.charge(side, used.cpu, used.waiting);
            }
        }
        ReadOutcome::Nothing(at) => referee.timeout(at),
        outcome => report_fault(referee, side, seat, &outcome),
    }
}

fn report_fault(referee: &mut Referee, side: Side, seat: &Seated, outcome: &ReadOutcome) {
    let (fault, at) = fault_of(outcome);
    let line = matches!(outcome, ReadOutcome::TooLong(_)).then(|| seat.contender.line());
    referee.fault(side, fault, at, line);
}

fn fault_of(outcome: &ReadOutcome) -> (Fault, At) {
    match *outcome {
        ReadOutcome::TooLong(at) => (Fault::LineTooLong { limit: protocol::LINE_LIMIT }, at),
        ReadOutcome::TooMuch { stream, limit, at } => (Fault::TooMuchOutput { stream, limit }, at),
        ReadOutcome::Exited(exit, at) => (Fault::Exited { exit }, at),
        ReadOutcome::Closed(at) | ReadOutcome::Line(at) | ReadOutcome::Nothing(at) => {
            (Fault::ClosedOutput, at)
        }
    }
}
