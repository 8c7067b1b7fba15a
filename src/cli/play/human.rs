//! Person as a contender: receives the referee's lines like a bot and passes turns on. Must not
//! know the terminal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pitmaster_bots::{Clock, Contender, Ended, Heard, Usage};
use pitmaster_core::{At, Dialect, Exit, Side};
use pitmaster_referee::protocol::{self, Remaining, Told, hear_referee};

/// Turn of a person.
#[derive(Debug)]
pub(super) struct Turn {
    /// Side to move.
    pub(super) side: Side,
    /// Time left, if there is a limit.
    pub(super) left: Remaining,
    /// Receives the move. Dropping it without a move leaves the game.
    pub(super) answer: Sender<String>,
}

/// Person who plays on a lane.
pub(super) struct Human {
    side: Side,
    ask: Box<dyn Fn(Turn) + Send>,
    inbox: Vec<u8>,
    left: Remaining,
    /// Source of the requested move, while it is the person's turn.
    answer: Option<Receiver<String>>,
    /// Complete lines that were not read yet.
    said: Vec<u8>,
    line: Vec<u8>,
}

impl Human {
    /// Person on a side. `ask` is called when a turn begins.
    pub(super) fn new(side: Side, ask: impl Fn(Turn) + Send + 'static) -> Self {
        let (inbox, said, line) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            side,
            ask: Box::new(ask),
            inbox,
            left: Remaining::default(),
            answer: None,
            said,
            line,
        }
    }

    fn hear(&mut self, line: &[u8]) {
        match hear_referee(line) {
            Told::Greeting => self.said.extend_from_slice(b"ready human\n"),
            Told::NewGame => protocol::ready(&mut self.said),
            Told::Time(left) => self.left = left,
            Told::Go => {
                let (answer, moves) = channel();
                self.answer = Some(moves);
                (self.ask)(Turn { side: self.side, left: self.left, answer });
            }
            _ => {}
        }
    }

    /// Takes the next complete line. Returns whether there is one.
    fn next_line(&mut self) -> bool {
        let end = self.said.iter().position(|&byte| byte == b'\n');
        let Some(end) = end else { return false };
        self.line = self.said.drain(..=end).collect();
        self.line.pop();
        true
    }
}

impl Contender for Human {
    fn new_game(&mut self) {}

    fn new_turn(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        self.inbox.extend_from_slice(bytes);
        while let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.inbox.drain(..=end).collect();
            self.hear(&line[..end]);
        }
    }

    fn glance(&mut self, clock: &Clock) -> Heard {
        if self.next_line() { Heard::Line(clock.now()) } else { Heard::Nothing(clock.now()) }
    }

    fn listen(&mut self, clock: &Clock, until: Option<At>) -> Heard {
        if self.next_line() {
            return Heard::Line(clock.now());
        }
        let gone = Heard::Exited(Exit::Code(0), clock.now());
        let Some(moves) = &self.answer else { return gone };
        let patience = until.map_or(Duration::MAX, |until| clock.until_passed(until));
        match moves.recv_timeout(patience) {
            Ok(text) => {
                self.answer = None;
                protocol::answer(&mut self.said, Dialect::Pitmaster, &text);
                self.glance(clock)
            }
            Err(RecvTimeoutError::Timeout) => Heard::Nothing(clock.now()),
            Err(RecvTimeoutError::Disconnected) => gone,
        }
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn part(&self) -> &[u8] {
        &[]
    }

    fn stop(&mut self) {}

    fn resume(&mut self) {}

    fn used(&mut self, _: Duration) -> Usage {
        Usage::default()
    }

    fn waited(&mut self) -> Duration {
        Duration::ZERO
    }

    fn hang_up(&mut self) {}

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended::default()
    }
}

impl std::fmt::Debug for Human {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Human").field("side", &self.side).finish_non_exhaustive()
    }
}
