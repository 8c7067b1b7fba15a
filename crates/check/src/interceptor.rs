//! Interceptor between the referee and a bot: records all messages and injects disturbances.
//!
//! Must not depend on how the recording is used.

use std::collections::VecDeque;
use std::thread;
use std::time::Duration;

use pitmaster_bots::{Clock, Contender, Ended, ReadOutcome, Usage, forward_contender};
use pitmaster_core::i18n::{Fill, said};
use pitmaster_core::{At, Dialect, Exit, Untrusted};
use pitmaster_referee::protocol;

use super::interrupt::Interrupt;
use super::log::{Cut, Late, Later, Left, SharedLog, was_busy};

/// Time for an idle bot to exit by itself.
const LEAVE: Duration = Duration::from_secs(1);

/// Minimum and maximum time to wait for a late line.
const LATE_LINE_WAIT: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(10));

/// Maximum delay until an interruption is noticed.
const SLICE: Duration = Duration::from_millis(100);

/// Fraction of the time, as a divisor, from which on a computing bot does not wait for input.
const SPINNING: u32 = 4;

/// Factor by which waiting is extended for a starved bot.
const FAIRNESS: u32 = 4;

/// Result of waiting.
struct Waited<T> {
    came: Option<T>,
    wall: Duration,
    used: Usage,
}

/// Time limits for a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Patience {
    /// Time for a move.
    pub(super) per_move: Duration,
    /// Time to exit after a game and its input have ended.
    pub(super) leave: Duration,
    /// Whether to wait for a late line.
    pub(super) waits_for_late_lines: bool,
}

impl Patience {
    /// Waiting times for a bot with this time per move. The bot may be thinking when its input
    /// ends, and may treat the rest of the input as another request.
    pub(super) fn with(per_move: Duration) -> Self {
        Self { per_move, leave: 2 * per_move + LEAVE, waits_for_late_lines: true }
    }
}

/// Pause between two bytes of a line that arrives in pieces.
const BETWEEN_BYTES: Duration = Duration::from_micros(200);

/// Delay with which a slow reader reads an answer.
const LATE_READING: Duration = Duration::from_millis(5);

/// Disturbance between the referee and the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disturbance {
    /// No disturbance.
    Calm,
    /// Lines end with CR LF.
    Crlf,
    /// Lines arrive byte by byte, and answers are read late.
    Pieces,
    /// The input ends instead of a turn.
    Cut {
        /// Number of the turn, from 1.
        turn: u32,
        /// Whether the input ends in the middle of a line.
        within: bool,
    },
}

/// A bot whose messages are recorded.
#[derive(Debug)]
pub(super) struct Tap {
    pub(super) bot: Box<dyn Contender>,
    pub(super) dialect: Dialect,
    pub(super) weather: Disturbance,
    pub(super) log: SharedLog,
    pub(super) patience: Patience,
    pub(super) interrupt: Interrupt,
    /// Lines that it wrote at the end, still to be read by the referee.
    final_lines: VecDeque<Box<[u8]>>,
    /// Line of `final_lines` that is being read.
    said: Option<Box<[u8]>>,
    is_cut: bool,
    is_over: bool,
    /// Whether its line did not arrive in time in this turn.
    is_late: bool,
}

impl Tap {
    pub(super) fn new(
        bot: Box<dyn Contender>,
        dialect: Dialect,
        weather: Disturbance,
        log: SharedLog,
        patience: Patience,
        interrupt: Interrupt,
    ) -> Self {
        Self {
            bot,
            dialect,
            weather,
            log,
            patience,
            interrupt,
            final_lines: VecDeque::new(),
            said: None,
            is_cut: false,
            is_over: false,
            is_late: false,
        }
    }

    /// Whether these bytes ask for a move.
    fn asks(&self, bytes: &[u8]) -> bool {
        protocol::asks_for_move(self.dialect, bytes)
    }

    fn send_in_pieces(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.bot.send(&[*byte]);
            thread::sleep(BETWEEN_BYTES);
        }
    }

    fn cut(&mut self, bytes: &[u8], within: bool) {
        let sent = if within { &bytes[..bytes.len() / 2] } else { &[] };
        let mut log = self.log.borrow_mut();
        if within {
            log.sent(sent);
        }
        log.note(said!("its input ends here"));
        self.bot.send(sent);
        self.bot.close_stdin();
        self.is_cut = true;
    }

    /// Waits for its exit after its input was cut off, and only logs its output. A bot that still
    /// computes after all thinking time never exits by itself.
    fn wait_for_exit_after_cut(&mut self, clock: &Clock) -> ReadOutcome {
        self.bot.used(Duration::ZERO);
        let leaving = self.wait_fairly(clock, self.patience.leave, Self::wait_for_end);
        let (mut came, mut wall, mut used) = (leaving.came, leaving.wall, leaving.used);
        let mut computes_on = false;
        if came.is_none() && !self.interrupt.is_set() {
            let last = self.wait_fairly(clock, LEAVE, Self::wait_for_end);
            used =
                Usage { cpu: used.cpu + last.used.cpu, waiting: used.waiting + last.used.waiting };
            computes_on =
                used.cpu > self.patience.per_move && was_busy(last.used, last.wall, SPINNING);
            (came, wall) = (last.came, wall + last.wall);
        }
        let mut log = self.log.borrow_mut();
        log.cut = Some(Cut { exit: came, wall, used, computes_on });
        log.note(match came {
            Some(exit) => exit.describe(),
            None => said!("still running {} later", Fill::time(wall, 1)),
        });
        ReadOutcome::Closed(clock.now())
    }

    fn wait_for_end(&mut self, clock: &Clock, until: At) -> Option<Exit> {
        loop {
            match self.listen_until(clock, Some(until)) {
                ReadOutcome::Line(_) if self.is_over => {
                    self.final_lines.push_back(self.bot.line().into());
                }
                ReadOutcome::Line(_) => self.log.borrow_mut().wrote_afterwards(self.bot.line()),
                ReadOutcome::Exited(exit, _) => return Some(exit),
                // The process may continue without output: only its exit counts.
                ReadOutcome::Closed(_) if clock.now() < until && !self.interrupt.is_set() => {
                    thread::sleep(Duration::from_millis(1));
                }
                _ => return None,
            }
        }
    }

    /// Waits until something arrives or the time has passed. The time that the bot waits for a core
    /// is credited, within bounds.
    fn wait_fairly<T>(
        &mut self,
        clock: &Clock,
        time: Duration,
        wait: impl Fn(&mut Self, &Clock, At) -> Option<T>,
    ) -> Waited<T> {
        let began = clock.now();
        let (mut last, mut until, mut used) = (began, began + time, Usage::default());
        loop {
            let came = wait(self, clock, until);
            let Usage { cpu, waiting } = self.bot.used(clock.now().since(last));
            used = Usage { cpu: used.cpu + cpu, waiting: used.waiting + waiting };
            last = clock.now();
            let due = began + (time + used.waiting).min(time * FAIRNESS);
            if came.is_some() || self.interrupt.is_set() || due <= last || last < until {
                return Waited { came, wall: last.since(began), used };
            }
            until = due;
        }
    }

    /// Listens in slices, to notice an interruption, which ends the game at once.
    fn listen_until(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        loop {
            let slice = clock.now() + SLICE;
            let outcome =
                self.bot.read_line(clock, Some(until.map_or(slice, |until| until.min(slice))));
            if self.interrupt.is_set() {
                return ReadOutcome::Closed(clock.now());
            }
            match outcome {
                ReadOutcome::Nothing(at) if until.is_none_or(|until| at <= until) => {}
                outcome => return outcome,
            }
        }
    }

    /// Handles a line that did not arrive in time. If it arrives by itself, while the input is
    /// open, the bot thinks for too long; otherwise the line stays in a buffer.
    fn handle_late_line(&mut self, clock: &Clock, began: At) {
        let wall = clock.now().since(began);
        let used = self.bot.used(wall);
        let part = Untrusted::capped(self.bot.partial_line(), 200);
        let later = self.patience.waits_for_late_lines.then(|| self.listen_on(clock, wall));
        let (wall_told, cpu) = (Fill::time(wall, 1), Fill::time(used.cpu, 1));
        let mut log = self.log.borrow_mut();
        log.note(said!("no line within {}; CPU {}", wall_told, cpu));
        if let Some(Later { wall: later, came: true, .. }) = later {
            log.note(said!("its line arrived after {}", Fill::time(wall + later, 1)));
        }
        log.late = Some(Late { wall, used, part, later });
    }

    fn listen_on(&mut self, clock: &Clock, limit: Duration) -> Later {
        let (least, most) = LATE_LINE_WAIT;
        let listen = |tap: &mut Self, clock: &Clock, until: At| {
            matches!(tap.listen_until(clock, Some(until)), ReadOutcome::Line(_)).then_some(())
        };
        let Waited { came, wall, used } = self.wait_fairly(clock, limit.clamp(least, most), listen);
        Later { wall, used, came: came.is_some() }
    }

    fn note(&self, outcome: &ReadOutcome) {
        let mut log = self.log.borrow_mut();
        match outcome {
            ReadOutcome::Line(_) => log.answered(self.bot.line(), self.bot.line_had_cr()),
            ReadOutcome::TooLong(_) => {
                log.answered(self.bot.line(), false);
                log.note(said!("… and on, without an end of line"));
            }
            ReadOutcome::TooMuch { stream, limit, .. } => {
                log.note(said!("more than {} bytes on {}", *limit, stream.to_string()));
            }
            ReadOutcome::Closed(_) => log.note(said!("it closed its output")),
            ReadOutcome::Exited(exit, _) => log.note(said!("it {}", exit.describe())),
            ReadOutcome::Nothing(_) => {}
        }
    }
}

impl Contender for Tap {
    forward_contender!(bot:
        line_had_cr partial_line stop resume stderr waited counts_all_cpu peak_memory
    );

    fn new_game(&mut self) {
        self.bot.new_game();
    }

    fn new_turn(&mut self) {
        self.log.borrow_mut().remember_memory(self.bot.peak_memory());
        self.is_late = false;
        self.bot.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        if self.is_cut || bytes.is_empty() {
            return;
        }
        let turns = self.log.borrow_mut().asked(self.asks(bytes));
        match self.weather {
            Disturbance::Cut { turn, within } if turns == turn => return self.cut(bytes, within),
            Disturbance::Pieces => self.send_in_pieces(bytes),
            Disturbance::Crlf => {
                let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
                self.bot.send(text.as_bytes());
            }
            Disturbance::Calm | Disturbance::Cut { .. } => self.bot.send(bytes),
        }
        self.log.borrow_mut().sent(bytes);
    }

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        self.said = self.final_lines.pop_front();
        let outcome = if self.said.is_some() {
            ReadOutcome::Line(clock.now())
        } else {
            self.bot.try_read_line(clock)
        };
        if matches!(outcome, ReadOutcome::Line(_)) {
            let mut log = self.log.borrow_mut();
            if self.is_over {
                log.wrote_afterwards(self.said.as_deref().unwrap_or_else(|| self.bot.line()));
            } else {
                log.answered(self.bot.line(), self.bot.line_had_cr());
            }
        }
        outcome
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        if self.is_cut {
            return self.wait_for_exit_after_cut(clock);
        }
        if self.weather == Disturbance::Pieces {
            thread::sleep(LATE_READING);
        }
        let began = clock.now();
        let outcome = self.listen_until(clock, until);
        match outcome {
            // A referee that has learned that the bot waited for a core listens again.
            ReadOutcome::Nothing(_) if self.is_late => {}
            ReadOutcome::Nothing(_) => {
                self.is_late = true;
                self.handle_late_line(clock, began);
            }
            _ => self.note(&outcome),
        }
        outcome
    }

    fn line(&self) -> &[u8] {
        self.said.as_deref().unwrap_or_else(|| self.bot.line())
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.log.borrow_mut().remember_memory(self.bot.peak_memory());
        self.bot.used(wall)
    }

    fn close_stdin(&mut self) {
        self.is_over = true;
        self.bot.close_stdin();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        self.is_over = true;
        self.bot.close_stdin();
        self.bot.used(Duration::ZERO);
        let leave = until.since(clock.now()).max(self.patience.leave);
        let began = clock.now();
        let Waited { came, used, .. } = self.wait_fairly(clock, leave, Self::wait_for_end);
        // After an unsuccessful wait the time has passed; an exited process only needs reaping.
        let until = if came.is_some() { clock.now() + LEAVE } else { began + leave };
        let until = if self.interrupt.is_set() { clock.now() } else { until };
        let ended = self.bot.end(clock, until);
        let wall = clock.now().since(began);
        let mut log = self.log.borrow_mut();
        log.left = Some(Left { exit: ended.exit, orphans: ended.orphans, wall, used });
        log.stderr = ended.stderr.clone();
        log.audit.clone_from(&ended.audit);
        ended
    }
}
