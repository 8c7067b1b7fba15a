//! Remote contender: receives the referee's lines like a bot and forwards turns to a player whose
//! moves arrive through a channel, such as a person. Must not depend on their source.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pitmaster_core::{At, Dialect, Exit, Side, Untrusted};
use pitmaster_referee::protocol::{self, RefereeMessage, Remaining, hear_referee};

use super::{Clock, Contender, Ended, ReadOutcome};
use crate::idle_contender;

/// Turn of a remote contender.
#[derive(Debug)]
pub struct RemoteTurn {
    /// Side to move.
    pub side: Side,
    /// Remaining time, if there is a limit.
    pub left: Remaining,
    /// The position, in the notation of the game.
    pub position: String,
    /// Receives the reply. Dropping it without a reply leaves the game.
    pub answer: Sender<RemoteReply>,
}

/// Reply to a turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteReply {
    /// Text of the move, and a comment after `#` if there is one; `None` leaves the game.
    pub text: Option<String>,
    /// Note for the record, on one line.
    pub note: Option<String>,
}

impl From<String> for RemoteReply {
    fn from(text: String) -> Self {
        Self { text: Some(text), note: None }
    }
}

/// Contender whose moves arrive through a channel.
pub struct Remote {
    side: Side,
    ask: Box<dyn Fn(RemoteTurn) + Send>,
    inbox: Vec<u8>,
    left: Remaining,
    position: String,
    /// Source of the reply, while it is the player's turn.
    answer: Option<Receiver<RemoteReply>>,
    /// Complete lines not read yet.
    said: Vec<u8>,
    line: Vec<u8>,
    /// Reason why the player has left.
    stderr: Untrusted,
}

impl Remote {
    /// Contender on a side. `ask` is called when a turn begins, on the thread of the game, and must not
    /// wait for the reply.
    pub fn new(side: Side, ask: impl Fn(RemoteTurn) + Send + 'static) -> Self {
        Self {
            side,
            ask: Box::new(ask),
            inbox: Vec::new(),
            left: Remaining::default(),
            position: String::new(),
            answer: None,
            said: Vec::new(),
            line: Vec::new(),
            stderr: Untrusted::default(),
        }
    }

    fn handle_line(&mut self, line: &[u8]) {
        match hear_referee(line) {
            RefereeMessage::Greeting => protocol::greet_back(&mut self.said, "remote"),
            RefereeMessage::NewGame => protocol::ready(&mut self.said),
            RefereeMessage::Position(text) => text.clone_into(&mut self.position),
            RefereeMessage::Time(left) => self.left = left,
            RefereeMessage::Go => {
                let (answer, replies) = channel();
                self.answer = Some(replies);
                let position = self.position.clone();
                (self.ask)(RemoteTurn { side: self.side, left: self.left, position, answer });
            }
            _ => {}
        }
    }

    fn take(&mut self, reply: RemoteReply) {
        let note = reply.note.unwrap_or_default().replace('\n', " ");
        let Some(text) = reply.text else {
            // Otherwise the note of a player who leaves would not be recorded.
            self.stderr = Untrusted::new(note);
            return;
        };
        self.answer = None;
        if !note.is_empty() {
            self.said.extend(format!("info {note}\n").bytes());
        }
        protocol::answer(&mut self.said, Dialect::Pitmaster, &text);
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
    idle_contender!(
        new_game new_turn stop resume close_stdin used waited counts_all_cpu
        line_had_cr peak_memory partial_line
    );

    fn send(&mut self, bytes: &[u8]) {
        self.inbox.extend_from_slice(bytes);
        while let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.inbox.drain(..=end).collect();
            self.handle_line(&line[..end]);
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
        let Some(replies) = &self.answer else {
            return ReadOutcome::Exited(Exit::Code(0), clock.now());
        };
        let patience = until.map_or(Duration::MAX, |until| clock.until_passed(until));
        match replies.recv_timeout(patience) {
            Ok(reply) => self.take(reply),
            Err(RecvTimeoutError::Timeout) => return ReadOutcome::Nothing(clock.now()),
            Err(RecvTimeoutError::Disconnected) => {}
        }
        if self.next_line() {
            ReadOutcome::Line(clock.now())
        } else {
            ReadOutcome::Exited(Exit::Code(0), clock.now())
        }
    }

    fn line(&self) -> &[u8] {
        &self.line
    }

    fn end(&mut self, _: &Clock, _: At) -> Ended {
        Ended { stderr: self.stderr.clone(), ..Ended::default() }
    }

    fn stderr(&mut self) -> Untrusted {
        self.stderr.clone()
    }
}

impl std::fmt::Debug for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Remote")
            .field("side", &self.side)
            .field("position", &self.position)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(remote: &mut Remote, clock: &Clock) -> Result<String, ReadOutcome> {
        match remote.read_line(clock, Some(clock.now() + Duration::from_millis(20))) {
            ReadOutcome::Line(_) => Ok(String::from_utf8(remote.line().to_vec()).unwrap()),
            other => Err(other),
        }
    }

    #[test]
    fn a_turn_is_passed_on_and_its_reply_is_read() {
        let (tell, turns) = channel();
        let mut remote = Remote::new(Side::One, move |turn| tell.send(turn).unwrap());
        let clock = Clock::start();
        remote.send(b"pitmaster 1\nnewgame\n");
        let lines: Vec<_> = (0..3).map(|_| read(&mut remote, &clock).unwrap()).collect();
        assert_eq!(lines, ["want position", "ready remote", "ready"]);
        remote.send(b"position 4,4\ngo\n");
        assert!(matches!(read(&mut remote, &clock), Err(ReadOutcome::Nothing(_))));
        let turn: RemoteTurn = turns.recv().unwrap();
        assert_eq!(turn.position, "4,4");
        let reply = RemoteReply { text: Some("3".into()), note: Some("a\nb".into()) };
        turn.answer.send(reply).unwrap();
        assert_eq!(read(&mut remote, &clock).unwrap(), "info a b");
        assert_eq!(read(&mut remote, &clock).unwrap(), "move 3");
    }

    #[test]
    fn whoever_leaves_has_exited() {
        let (tell, turns) = channel();
        let mut remote = Remote::new(Side::One, move |turn| tell.send(turn).unwrap());
        let clock = Clock::start();
        remote.send(b"position 4,4\ngo\n");
        drop(turns.recv().unwrap());
        assert!(matches!(read(&mut remote, &clock), Err(ReadOutcome::Exited(..))));
        remote.send(b"go\n");
        let leave = RemoteReply { text: None, note: Some("bye".into()) };
        let turn = turns.recv().unwrap();
        turn.answer.send(leave).unwrap();
        drop(turn);
        assert!(matches!(read(&mut remote, &clock), Err(ReadOutcome::Exited(..))));
        assert_eq!(remote.end(&clock, clock.now()).stderr.as_bytes(), b"bye");
    }
}
