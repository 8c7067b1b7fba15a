//! Strict test client: fails on every message that any existing client cannot handle or ignores.

use pitmaster_core::Seed;
use pitmaster_games::KgpBoard;
use rand_chacha::ChaCha8Rng;

use super::grammar::{Arg, Line, parse};
use super::{LINE_LIMIT, Value, encode};

/// Failure of the client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}: {line:?}")]
pub struct Death {
    /// The violated requirement.
    pub why: &'static str,
    /// The line.
    pub line: String,
}

/// Client that plays random moves and checks every line of the server.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct StrictClient {
    token: Option<String>,
    name: String,
    rng: ChaCha8Rng,
    next_id: u64,
    /// Highest ID of the server.
    last_id: u64,
    /// ID of the command that chose the mode.
    mode: u64,
    /// Options of the game since the last state.
    options: Vec<String>,
    /// ID of the state that waits for its `stop`.
    state: Option<u64>,
    has_error: bool,
    has_ended: bool,
    is_accepted: bool,
    /// Whether the lines were meant for another client.
    accepts_foreign_lines: bool,
    /// Whether it moves at all.
    pub moves: bool,
    /// Number of different games so far.
    pub games: u64,
    /// Number of states so far.
    pub states: u64,
}

impl StrictClient {
    /// A client with a token and a name.
    pub fn new(token: Option<&str>, name: &str, seed: u64) -> Self {
        Self {
            token: token.map(str::to_owned),
            name: name.to_owned(),
            rng: Seed(seed).stream("strict client"),
            next_id: 1,
            last_id: 0,
            mode: 0,
            options: Vec::new(),
            state: None,
            has_error: false,
            has_ended: false,
            is_accepted: false,
            accepts_foreign_lines: false,
            moves: true,
            games: 0,
            states: 0,
        }
    }

    /// Accepts any `ok` as the confirmation of its mode, and states before it and without facts.
    /// For lines that were sent to another client.
    pub fn confirm_any_mode(&mut self) {
        self.accepts_foreign_lines = true;
    }

    /// Whether the server has sent `goodbye`.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether it is asked for a move.
    pub fn is_asked(&self) -> bool {
        self.state.is_some()
    }

    /// Answers a message of the server: one line with its end. Returns lines to be sent.
    ///
    /// # Errors
    /// Fails if any existing client could not handle the message.
    pub fn handle(&mut self, message: &str) -> Result<Vec<String>, Death> {
        let death = |why| Death { why, line: message.to_owned() };
        let text = message.strip_suffix("\r\n").ok_or(death("no CR LF at the end"))?;
        if text.contains(['\r', '\n']) {
            return Err(death("two lines in one message"));
        }
        if text.is_empty() {
            return Err(death("an empty line"));
        }
        if text.len() > LINE_LIMIT {
            return Err(death("a line that is too long"));
        }
        if self.has_ended {
            return Err(death("a line after goodbye"));
        }
        let line = parse(text).ok_or(death("a line that cannot be read"))?;
        self.require_id(&line).map_err(death)?;
        if self.has_error && line.name != "goodbye" {
            return Err(death("an error without a goodbye"));
        }
        self.obey(&line, text).map_err(death)
    }

    fn require_id(&mut self, line: &Line) -> Result<(), &'static str> {
        match line.id {
            None if line.reference.is_some() => Err("a reference without an ID"),
            None if line.name == "goodbye" => Ok(()),
            None => Err("a line without an ID"),
            Some(id) if id % 2 == 1 || id <= self.last_id => Err("an ID that is odd or not new"),
            Some(id) => {
                self.last_id = id;
                Ok(())
            }
        }
    }

    fn obey(&mut self, line: &Line, text: &str) -> Result<Vec<String>, &'static str> {
        if (line.id == Some(2)) != (line.name == "kgp") {
            return Err("the first line is not the version");
        }
        match (&*line.name, &line.args[..]) {
            ("kgp", [Arg::Word(major), _, _]) if text == "2 kgp 1 0 1" && major == "1" => {
                Ok(self.hello())
            }
            ("ok", []) if self.accepts_foreign_lines || line.reference == Some(self.mode) => {
                self.is_accepted = true;
                Ok(Vec::new())
            }
            ("error", [Arg::Text(_)]) => {
                self.has_error = true;
                Ok(Vec::new())
            }
            ("ping", []) => {
                let id = line.id.ok_or("a ping without an ID")?;
                Ok(vec![self.line(Some(id), "pong")])
            }
            ("set", [Arg::Word(option), value]) => self.set(option, value).map(|()| Vec::new()),
            ("state", [board]) => {
                let board = board.board().ok_or("a board that cannot be read")?;
                self.play(line.id.ok_or("a state without an ID")?, &board)
            }
            ("stop", []) => {
                if line.reference.is_none() || line.reference != self.state.take() {
                    return Err("a stop of another state");
                }
                Ok(Vec::new())
            }
            ("goodbye", []) => {
                self.has_ended = true;
                Ok(Vec::new())
            }
            _ => Err("an unknown command"),
        }
    }

    fn set(&mut self, option: &str, value: &Arg) -> Result<(), &'static str> {
        let is_whole = value.integer().is_some();
        match option {
            "time:clock" | "time:opclock" if !is_whole => Err("a clock that is no integer"),
            "time:clock" | "time:opclock" => Ok(()),
            _ if !matches!(value, Arg::Text(_)) => Err("a value without quotation marks"),
            "game:id" | "game:uri" | "game:opponent" => {
                self.options.push(option.to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn play(&mut self, id: u64, board: &KgpBoard) -> Result<Vec<String>, &'static str> {
        if !self.is_accepted && !self.accepts_foreign_lines {
            return Err("a state before the mode was confirmed");
        }
        if self.state.replace(id).is_some() {
            return Err("two states at once");
        }
        if !self.options.is_empty() {
            let all = ["game:id", "game:uri", "game:opponent"];
            if std::mem::take(&mut self.options) != all {
                return Err("not all facts about the game");
            }
            self.games += 1;
        }
        if self.games == 0 && !self.accepts_foreign_lines {
            return Err("a state without facts about the game");
        }
        self.states += 1;
        let mut pits = (1..).zip(&board.south).filter(|(_, seeds)| **seeds > 0);
        let pits: Vec<u64> = pits.by_ref().map(|(pit, _)| pit).collect();
        if pits.is_empty() {
            return Err("a board without a move");
        }
        if !self.moves {
            return Ok(Vec::new());
        }
        let at = pitmaster_core::below(&mut self.rng, pits.len() as u64) as usize;
        // A first choice, and a better one.
        let (first, last) = (pits[0], pits[at]);
        Ok(vec![
            self.line(Some(id), &format!("move {first}")),
            self.line(Some(id), &format!("move {last}")),
            self.line(None, "set info:comment \"I hope \\\"so\\\"\""),
            self.line(Some(id), "yield"),
        ])
    }

    fn hello(&mut self) -> Vec<String> {
        let quoted = |text: &str| {
            let line = encode::line(None, None, &super::Command::Set("x", Value::Text(text)));
            line["set x ".len()..].trim_end().to_owned()
        };
        let mut lines = vec![
            format!("set info:name {}", quoted(&self.name)),
            "set \"info:authors\" \"Eva Lu Ator,Ben\"".to_owned(),
        ];
        if let Some(token) = &self.token {
            lines.push(format!("set auth:token {}", quoted(token)));
        }
        lines.push("mode freeplay".to_owned());
        let lines: Vec<_> = lines.iter().map(|line| self.line(None, line)).collect();
        self.mode = self.next_id - 2;
        lines
    }

    fn line(&mut self, reference: Option<u64>, rest: &str) -> String {
        let id = self.next_id;
        self.next_id += 2;
        let reference = reference.map_or_else(String::new, |id| format!("@{id}"));
        format!("{id}{reference} {rest}\r\n")
    }
}
