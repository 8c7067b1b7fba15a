//! Sits between the referee and a bot: hears all that is said, and makes the weather.
//!
//! Must not know what is made of what it hears.

use std::thread;
use std::time::Duration;

use super::log::{Cut, Late, Left, SharedLog};
use crate::bot::{Clock, Contender, Ended, Heard, Usage};
use crate::language::{Fill, said};
use crate::record::{At, Dialect, Untrusted};

/// How long a bot is given to go by itself.
pub(super) const LEAVE: Duration = Duration::from_secs(1);

/// Between two bytes of a line that comes in pieces.
const BETWEEN_BYTES: Duration = Duration::from_micros(200);

/// How late an answer is read by a slow reader.
const LATE_READING: Duration = Duration::from_millis(5);

/// What stands between the referee and the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weather {
    /// Nothing.
    Calm,
    /// Lines end with CR LF.
    Crlf,
    /// Lines come byte by byte, and answers are read late.
    Pieces,
    /// The input ends in place of that turn, counted from 1.
    Cut {
        /// Which.
        turn: u32,
        /// In the middle of its lines.
        within: bool,
    },
}

/// A bot that is listened to.
#[derive(Debug)]
pub(super) struct Tap {
    pub(super) bot: Box<dyn Contender>,
    pub(super) dialect: Dialect,
    pub(super) weather: Weather,
    pub(super) log: SharedLog,
    /// How long it is given to go.
    pub(super) leave: Duration,
    turns: u32,
    is_cut: bool,
    is_over: bool,
}

impl Tap {
    pub(super) fn new(
        bot: Box<dyn Contender>,
        dialect: Dialect,
        weather: Weather,
        log: SharedLog,
        leave: Duration,
    ) -> Self {
        Self { bot, dialect, weather, log, leave, turns: 0, is_cut: false, is_over: false }
    }

    /// Whether what is sent asks for a move.
    fn asks(&self, bytes: &[u8]) -> bool {
        self.dialect != Dialect::Pitmaster || bytes.ends_with(b"go\n")
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
        self.bot.hang_up();
        self.is_cut = true;
    }

    /// Waits for its end after its input was cut off; what it writes is only noted.
    fn watch_it_go(&mut self, clock: &Clock) -> Heard {
        let began = clock.now();
        self.bot.used(Duration::ZERO);
        let exit = loop {
            match self.bot.listen(clock, Some(began + self.leave)) {
                Heard::Line(_) => self.log.borrow_mut().wrote_afterwards(self.bot.line()),
                Heard::Exited(exit, _) => break Some(exit),
                // The process may live on without output: only its end counts.
                Heard::Closed(_) if clock.now().since(began) < self.leave => {
                    thread::sleep(Duration::from_millis(1));
                }
                _ => break None,
            }
        };
        let wall = clock.now().since(began);
        let used = self.bot.used(wall);
        let mut log = self.log.borrow_mut();
        log.cut = Some(Cut { exit, wall, used });
        log.note(match exit {
            Some(exit) => exit.told(),
            None => said!("still there {} later", Fill::time(wall, 1)),
        });
        Heard::Closed(clock.now())
    }

    fn note(&mut self, heard: &Heard, wall: Duration) {
        let mut log = self.log.borrow_mut();
        match heard {
            Heard::Line(_) => log.answered(self.bot.line(), self.bot.line_had_cr()),
            Heard::TooLong(_) => {
                log.answered(self.bot.line(), false);
                log.note(said!("… and on, without an end of line"));
            }
            Heard::TooMuch { stream, limit, .. } => {
                log.note(said!("more than {} bytes on {}", *limit, stream.to_string()));
            }
            Heard::Closed(_) => log.note(said!("it closed its output")),
            Heard::Exited(exit, _) => log.note(said!("it {}", exit.told())),
            Heard::Nothing(_) => {
                let used = self.bot.used(wall);
                let part = Untrusted::capped(self.bot.part(), 200);
                let (wall_told, cpu) = (Fill::time(wall, 1), Fill::time(used.cpu, 1));
                log.note(said!("no line within {}; CPU {}", wall_told, cpu));
                log.late = Some(Late { wall, used, part });
            }
        }
    }
}

impl Contender for Tap {
    fn new_game(&mut self) {
        self.bot.new_game();
    }

    fn new_turn(&mut self) {
        self.log.borrow_mut().remember_memory(self.bot.peak_memory());
        self.bot.new_turn();
    }

    fn send(&mut self, bytes: &[u8]) {
        if self.is_cut || bytes.is_empty() {
            return;
        }
        if self.asks(bytes) {
            self.turns += 1;
        }
        match self.weather {
            Weather::Cut { turn, within } if self.turns == turn => return self.cut(bytes, within),
            Weather::Pieces => self.send_in_pieces(bytes),
            Weather::Crlf => {
                let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
                self.bot.send(text.as_bytes());
            }
            Weather::Calm | Weather::Cut { .. } => self.bot.send(bytes),
        }
        self.log.borrow_mut().sent(bytes);
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        let heard = self.bot.glance(clock);
        if matches!(heard, Heard::Line(_)) {
            let mut log = self.log.borrow_mut();
            if self.is_over {
                log.wrote_afterwards(self.bot.line());
            } else {
                log.answered(self.bot.line(), self.bot.line_had_cr());
            }
        }
        heard
    }

    fn listen(&mut self, clock: &Clock, until: Option<At>) -> Heard {
        if self.is_cut {
            return self.watch_it_go(clock);
        }
        if self.weather == Weather::Pieces {
            thread::sleep(LATE_READING);
        }
        let began = clock.now();
        let heard = self.bot.listen(clock, until);
        self.note(&heard, clock.now().since(began));
        heard
    }

    fn line(&self) -> &[u8] {
        self.bot.line()
    }

    fn part(&self) -> &[u8] {
        self.bot.part()
    }

    fn stop(&mut self) {
        self.bot.stop();
    }

    fn resume(&mut self) {
        self.bot.resume();
    }

    fn stderr(&mut self) -> Untrusted {
        self.bot.stderr()
    }

    fn used(&mut self, wall: Duration) -> Usage {
        self.log.borrow_mut().remember_memory(self.bot.peak_memory());
        self.bot.used(wall)
    }

    fn peak_memory(&self) -> Option<u64> {
        self.bot.peak_memory()
    }

    fn hang_up(&mut self) {
        self.is_over = true;
        self.bot.hang_up();
    }

    fn end(&mut self, clock: &Clock, until: At) -> Ended {
        self.is_over = true;
        let ended = self.bot.end(clock, until.max(clock.now() + self.leave));
        let mut log = self.log.borrow_mut();
        log.left = Some(Left { exit: ended.exit, strays: ended.strays });
        log.stderr = ended.stderr.clone();
        log.audit.clone_from(&ended.audit);
        ended
    }
}
