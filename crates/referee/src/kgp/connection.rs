//! State machine of a connection, server side.

use std::collections::VecDeque;

use pitmaster_core::At;
use pitmaster_games::KgpBoard;

use super::encode::{self, Command, Value};
use super::grammar::{Line, parse};
use super::pace::Pace;
use super::{LINE_LIMIT, MODE, PONG, SILENCE, TEXT_LIMIT, TURN};

/// Information that a client has sent about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hello {
    /// Token of the entrant, if there is one.
    pub token: Option<String>,
    /// Name of the program. Untrusted text, like the other fields.
    pub name: Option<String>,
    /// Its authors.
    pub authors: Option<String>,
    /// Its description.
    pub description: Option<String>,
}

/// Facts about a game that a client gets before the first state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// Id of the game.
    pub id: String,
    /// Address of its page; empty if there is none.
    pub uri: String,
    /// Name of the opponent.
    pub opponent: String,
}

/// Event on a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The client has chosen the mode `freeplay` and waits for [`Connection::accept`] or
    /// [`Connection::refuse`].
    Freeplay(Hello),
    /// The client has answered the `ping` of [`Connection::check`].
    Alive,
    /// A turn has ended.
    Turn {
        /// Hole of its last move, as the client wrote it: it may be beyond the board.
        pit: Option<i64>,
        /// Its last comment. Untrusted text.
        comment: Option<String>,
    },
    /// A token is to be revoked.
    Forget(String),
    /// The connection must be closed once everything is sent. No event follows.
    Ended(End),
}

/// Reason why a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client has left.
    Left,
    /// It has chosen no mode in time.
    NoMode,
    /// It has chosen a mode that is not offered.
    UnknownMode,
    /// It has sent a line that is too long.
    LineTooLong,
    /// It has sent too much in too short a time.
    TooFast,
    /// It has sent bytes in a binary message.
    Binary,
    /// It has not answered a `ping`.
    NoPong,
    /// It was refused.
    Refused,
    /// The server stops.
    Stopped,
}

impl End {
    /// Message to the client.
    const fn text(self) -> Option<&'static str> {
        match self {
            Self::Left | Self::Refused | Self::Stopped => None,
            Self::NoMode => Some("no mode was chosen in 20 seconds"),
            Self::UnknownMode => Some("the only mode of this server is freeplay"),
            Self::LineTooLong => Some("a line has more than 16384 bytes"),
            Self::TooFast => Some("more than 16 KiB or 50 lines in a second"),
            Self::Binary => Some("messages are text, a line in each"),
            Self::NoPong => Some("no pong in 20 seconds"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Waits for a mode.
    Greeted,
    /// The client has chosen `freeplay`.
    Chosen,
    /// The client was accepted.
    Playing,
    Ended,
}

/// Turn of the client.
#[derive(Debug)]
struct Turn {
    /// ID of its state.
    id: u64,
    /// Last instant in time.
    until: At,
    /// Hole of the last move.
    pit: Option<i64>,
}

/// Server's side of a connection.
#[derive(Debug)]
pub struct Connection {
    phase: Phase,
    /// Bytes after the last line.
    partial: Vec<u8>,
    out: VecDeque<String>,
    events: VecDeque<Event>,
    next_id: u64,
    pace: Pace,
    hello: Hello,
    comment: Option<String>,
    began: At,
    /// Instant of the last line.
    last_line_at: At,
    /// ID of the command that chose the mode.
    mode: Option<u64>,
    /// Last instant for the answer to a `ping`.
    pong_until: Option<At>,
    /// Whether a caller waits for that answer.
    is_checked: bool,
    turn: Option<Turn>,
    /// Facts about the game that the next state begins.
    facts: Option<GameFacts>,
}

impl Connection {
    /// A connection that begins with the server's first line.
    pub fn new(now: At) -> Self {
        let mut connection = Self {
            phase: Phase::Greeted,
            partial: Vec::new(),
            out: VecDeque::new(),
            events: VecDeque::new(),
            next_id: 2,
            pace: Pace::new(now),
            hello: Hello::default(),
            comment: None,
            began: now,
            last_line_at: now,
            mode: None,
            pong_until: None,
            is_checked: false,
            turn: None,
            facts: None,
        };
        connection.say(None, &Command::Kgp);
        connection
    }

    /// The next line to be sent, with its line ending. Over WebSocket, it is a separate message.
    pub fn next_line(&mut self) -> Option<String> {
        self.out.pop_front()
    }

    /// The next event.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Instant after which [`Connection::timeout`] must be called.
    pub fn next_timeout(&self) -> Option<At> {
        let mode = (self.phase == Phase::Greeted).then(|| self.began + MODE);
        let ping = match self.pong_until {
            None if self.phase == Phase::Playing => Some(self.last_line_at + SILENCE),
            until => until,
        };
        let turn = self.turn.as_ref().map(|turn| turn.until);
        [mode, ping, turn].into_iter().flatten().min().filter(|_| !self.has_ended())
    }

    /// Whether the connection must be closed.
    pub fn has_ended(&self) -> bool {
        self.phase == Phase::Ended
    }

    /// Handles bytes of a stream.
    pub fn bytes(&mut self, bytes: &[u8], now: At) {
        self.timeout(now);
        let lines = bytes.split(|&byte| byte == b'\n').count() - 1;
        self.count(bytes.len(), lines, now);
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.has_ended() {
                return;
            }
            self.partial.extend_from_slice(piece);
            if self.partial.last() == Some(&b'\n') {
                let line = std::mem::take(&mut self.partial);
                self.line(line.strip_suffix(b"\r\n").unwrap_or(&line[..line.len() - 1]), now);
            } else if self.partial.len() > LINE_LIMIT + 1 {
                self.end(End::LineTooLong);
            }
        }
    }

    /// Handles a text message. It is a line, with or without a line ending.
    pub fn message(&mut self, text: &[u8], now: At) {
        self.bytes(text, now);
        if !text.ends_with(b"\n") {
            self.bytes(b"\n", now);
        }
    }

    /// Handles a control frame.
    pub fn control_frame(&mut self, now: At) {
        self.timeout(now);
        self.count(0, 1, now);
    }

    /// Handles a message that exceeds the limit of a line.
    pub fn too_long(&mut self) {
        self.end(End::LineTooLong);
    }

    /// Handles a binary message.
    pub fn binary(&mut self) {
        self.end(End::Binary);
    }

    /// Handles the close of the connection by the client.
    pub fn closed(&mut self) {
        self.end(End::Left);
    }

    /// Handles the passage of time.
    pub fn timeout(&mut self, now: At) {
        let turn = self.turn.as_ref();
        if let Some(until) = turn.map(|turn| turn.until).filter(|until| now > *until) {
            self.end_turn();
            // Time for computing does not count as silence.
            self.last_line_at = self.last_line_at.max(until);
        }
        if self.pong_until.is_some_and(|until| now > until) {
            self.end(End::NoPong);
        } else if self.phase == Phase::Greeted && now > self.began + MODE {
            self.end(End::NoMode);
        } else if self.phase == Phase::Playing
            && self.pong_until.is_none()
            && now > self.last_line_at + SILENCE
        {
            self.ping(now);
        }
    }

    /// Accepts a client that has chosen its mode.
    pub fn accept(&mut self, now: At) {
        if self.phase == Phase::Chosen {
            (self.phase, self.last_line_at) = (Phase::Playing, now);
            self.say(self.mode, &Command::Ok);
        }
    }

    /// Refuses a client, with a reason for its user.
    pub fn refuse(&mut self, why: &str) {
        if !self.has_ended() {
            self.say(None, &Command::Error(why));
            self.end(End::Refused);
        }
    }

    /// Ends the connection on server shutdown.
    pub fn stop(&mut self) {
        self.end(End::Stopped);
    }

    /// Asks for a sign of life, before the client is paired. The answer is [`Event::Alive`].
    pub fn check(&mut self, now: At) {
        if self.phase == Phase::Playing {
            self.is_checked = true;
            if self.pong_until.is_none() {
                self.ping(now);
            }
        }
    }

    /// Begins a game: the facts are sent before its first state.
    pub fn begin_game(&mut self, facts: GameFacts) {
        self.facts = Some(facts);
    }

    /// Asks for a move. The answer is [`Event::Turn`], after at most [`TURN`]. The board must have
    /// a legal move.
    pub fn ask(&mut self, board: &KgpBoard, now: At) {
        if self.phase != Phase::Playing || self.turn.is_some() {
            return;
        }
        if board.south.iter().all(|seeds| *seeds == 0) {
            self.events.push_back(Event::Turn { pit: None, comment: None });
            return;
        }
        if let Some(facts) = self.facts.take() {
            self.send_facts(&facts);
        }
        let id = self.say(None, &Command::State(board));
        self.turn = Some(Turn { id, until: now + TURN, pit: None });
    }

    /// Ends a game, and the turn if there is one, without an event.
    pub fn end_game(&mut self) {
        self.facts = None;
        if let Some(turn) = self.turn.take() {
            self.say(Some(turn.id), &Command::Stop);
        }
    }

    fn send_facts(&mut self, facts: &GameFacts) {
        for (option, text) in [
            ("game:id", &*facts.id),
            ("game:uri", &*facts.uri),
            ("game:opponent", &*facts.opponent),
            ("time:mode", "relative"),
        ] {
            self.say(None, &Command::Set(option, Value::Text(text)));
        }
        for option in ["time:clock", "time:opclock"] {
            self.say(None, &Command::Set(option, Value::Seconds(TURN.as_secs())));
        }
    }

    fn count(&mut self, bytes: usize, lines: usize, now: At) {
        if !self.pace.count(bytes, lines, now) {
            self.end(End::TooFast);
        }
    }

    fn line(&mut self, line: &[u8], now: At) {
        if line.len() > LINE_LIMIT {
            return self.end(End::LineTooLong);
        }
        self.last_line_at = now;
        if let Some(line) = parse(&String::from_utf8_lossy(line)) {
            self.execute(&line);
        }
    }

    /// Carries out a command. Unknown and untimely commands are ignored.
    fn execute(&mut self, line: &Line) {
        match &*line.name {
            "mode" => self.choose_mode(line),
            "set" => self.set(line),
            "pong" => {
                self.pong_until = None;
                if std::mem::take(&mut self.is_checked) {
                    self.events.push_back(Event::Alive);
                }
            }
            "move" => {
                let pit = line.args.first().and_then(super::Arg::integer);
                if let (Some(turn), Some(pit)) = (self.turn_of(line), pit) {
                    turn.pit = Some(pit);
                }
            }
            "yield" if self.turn_of(line).is_some() => self.end_turn(),
            "goodbye" => self.end(End::Left),
            _ => {}
        }
    }

    /// Turn that a line refers to.
    fn turn_of(&mut self, line: &Line) -> Option<&mut Turn> {
        self.turn.as_mut().filter(|turn| line.reference == Some(turn.id))
    }

    fn choose_mode(&mut self, line: &Line) {
        match (self.phase, line.args.first().map(super::Arg::text)) {
            (Phase::Greeted, Some("freeplay")) => {
                (self.phase, self.mode) = (Phase::Chosen, line.id);
                self.events.push_back(Event::Freeplay(self.hello.clone()));
            }
            (Phase::Greeted, _) => self.end(End::UnknownMode),
            (Phase::Chosen | Phase::Playing, _) => {
                self.say(line.id, &Command::Ok);
            }
            (Phase::Ended, _) => {}
        }
    }

    fn set(&mut self, line: &Line) {
        let [option, value, ..] = &line.args[..] else { return };
        let value = value.text();
        let text = || Some(value[..value.floor_char_boundary(TEXT_LIMIT)].to_owned());
        match option.text() {
            "info:name" => self.hello.name = text(),
            "info:authors" | "info:author" => self.hello.authors = text(),
            "info:description" => self.hello.description = text(),
            "info:comment" => self.comment = text(),
            "auth:token" => self.hello.token = text().filter(|token| !token.is_empty()),
            "auth:forget" if !value.is_empty() => {
                self.events.extend(text().map(Event::Forget));
            }
            _ => {}
        }
    }

    fn ping(&mut self, now: At) {
        self.say(None, &Command::Ping);
        self.pong_until = Some(now + PONG);
    }

    fn end_turn(&mut self) {
        let Some(turn) = self.turn.take() else { return };
        self.say(Some(turn.id), &Command::Stop);
        self.events.push_back(Event::Turn { pit: turn.pit, comment: self.comment.take() });
    }

    fn end(&mut self, end: End) {
        if self.has_ended() {
            return;
        }
        if let Some(text) = end.text() {
            self.say(None, &Command::Error(text));
        }
        if end != End::Left {
            self.say(None, &Command::Goodbye);
        }
        self.phase = Phase::Ended;
        (self.turn, self.partial) = (None, Vec::new());
        self.events.push_back(Event::Ended(end));
    }

    /// Queues a line and returns its ID.
    fn say(&mut self, reference: Option<u64>, command: &Command<'_>) -> u64 {
        let id = self.next_id;
        let has_id = *command != Command::Goodbye;
        if has_id {
            self.next_id += 2;
        }
        self.out.push_back(encode::line(has_id.then_some(id), reference, command));
        id
    }
}
