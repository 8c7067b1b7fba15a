//! Remote contender: receives the referee's lines like a bot and passes turns on to somebody whose
//! moves come through a channel, such as a person. Must not know where they come from.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pitmaster_core::{At, Dialect, Exit, Side, Untrusted};
use pitmaster_referee::protocol::{self, RefereeMessage, Remaining, hear_referee};

use super::{Clock, Contender, Ended, ReadOutcome, Usage};

/// Turn of a remote contender.
#[derive(Debug)]
pub struct Turn {
    /// Side to move.
    pub side: Side,
    /// Time left, if there is a limit.
    pub left: Remaining,
    /// Receives the move. Dropping it without a move leaves the game.
    pub answer: Sender<String>,
}

/// Contender whose moves come through a channel.
pub struct Remote {
    side: Side,
    ask: Box<dyn Fn(Turn) + Send>,
    inbox: Vec<u8>,
    left: Remaining,
    /// Source of the requested move, while it is its turn.
    answer: Option<Receiver<String>>,
    /// Complete lines that were not read yet.
    said: Vec<u8>,
    line: Vec<u8>,
}

impl Remote {
    /// Contender on a side. `ask` is called when a turn begins, on the thread of the game.
    pub fn new(side: Side, ask: impl Fn(Turn) + Send + 'static) -> Self {
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
            RefereeMessage::Greeting => self.said.extend_from_slice(b"ready human\n"),
            RefereeMessage::NewGame => protocol::ready(&mut self.said),
            RefereeMessage::Time(left) => self.left = left,
            RefereeMessage::Go => {
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

impl Contender for Remote {
    fn new_game(&mut self) {}

    fn new_turn(&mut self) {}

    fn send(&mut self, bytes: &[u8]) {
        self.inbox.extend_from_slice(bytes);
        while let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.inbox.drain(..=end).collect();
            self.hear(&line[..end]);
        }
    }

    fn try_read_line(&mut self, clock: &Clock) -> ReadOutcome {
        if self.next_line() {
            ReadOutcome::Line(clock.now())
        } else {
            ReadOutcome::Nothing(clock.now())
        }
    }

    fn read_line(&mut self, clock: &Clock, until: Option<At>) -> ReadOutcome {
        if self.next_line() {
            return ReadOutcome::Line(clock.now());
        }
        let gone = ReadOutcome::Exited(Exit::Code(0), clock.now());
        let Some(moves) = &self.answer else { return gone };
        let patience = until.map_or(Duration::MAX, |until| clock.until_passed(until));
        match moves.recv_timeout(patience) {
            Ok(text) => {
                self.answer = None;
                protocol::answer(&mut self.said, Dialect::Pitmaster, &text);
                self.try_read_line(clock)
            }
            Err(RecvTimeoutError::Timeout) => ReadOutcome::Nothing(clock.now()),
            Err(RecvTimeoutError::Disconnected) => gone,
        }
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn partial_line(&self) -> &[u8] {
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

    fn close_stdin(&mut self) {}

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended::default()
    }

    fn line_had_cr(&self) -> bool {
        false
    }

    fn peak_memory(&self) -> Option<u64> {
        None
    }

    fn stderr(&mut self) -> Untrusted {
        Untrusted::default()
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote").field("side", &self.side).finish_non_exhaustive()
    }
}
