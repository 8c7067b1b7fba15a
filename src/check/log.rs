//! What passes between the referee and a bot in one game, as far as findings need it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use crate::bot::{Audit, Usage};
use crate::language::{Lang, Message};
use crate::record::{Exit, Untrusted};

/// How many lines are kept, the last ones.
const KEPT: usize = 14;

/// How much of a line is kept, in bytes.
const LINE: usize = 240;

/// The most lines of a bot that are counted after the end of a game.
const AFTERWARDS: usize = 8;

/// A line of a transcript, by who said it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The referee.
    Referee(Untrusted),
    /// The bot.
    Bot(Untrusted),
    /// Nobody: it happened. Safe to show.
    Note(Message),
}

impl Line {
    /// Its text, safe to show, at most so many characters of it.
    pub fn shown(&self, limit: usize, lang: Lang) -> String {
        let text = match self {
            Self::Referee(text) | Self::Bot(text) => return text.shown(limit),
            Self::Note(message) => message.to(lang),
        };
        match text.char_indices().nth(limit) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

/// Shared by a tap and by whoever reads it after the game.
pub(super) type SharedLog = Rc<RefCell<Log>>;

/// No line came in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Late {
    pub(super) wall: Duration,
    pub(super) used: Usage,
    /// What it had written without an end of line.
    pub(super) part: Untrusted,
}

/// How it went when it had nothing more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// `None`: it had to be ended.
    pub(super) exit: Option<Exit>,
    pub(super) strays: usize,
}

/// How it went when its input had been cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// `None`: it did not go.
    pub(super) exit: Option<Exit>,
    pub(super) wall: Duration,
    pub(super) used: Usage,
}

/// Whether it was computing, for at least one part of so many of the time. Who waits for a
/// core on a busy machine is no less at work.
pub(super) fn was_busy(used: Usage, wall: Duration, parts: u32) -> bool {
    (used.cpu + used.waiting) * parts >= wall
}

/// One game.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) lines: VecDeque<Line>,
    /// The last line that it wrote in each turn.
    pub(super) answers: Vec<Box<[u8]>>,
    /// Most bytes that it wrote in one turn.
    pub(super) most: usize,
    /// In this turn.
    pub(super) turn: usize,
    pub(super) had_cr: bool,
    pub(super) late: Option<Late>,
    /// What it wrote after the game, or after its input was closed.
    pub(super) afterwards: Vec<Untrusted>,
    pub(super) cut: Option<Cut>,
    pub(super) left: Option<Left>,
    pub(super) stderr: Untrusted,
    /// What it tried that it is refused, where that was looked at.
    pub(super) audit: Option<Audit>,
    /// In bytes.
    pub(super) memory: Option<u64>,
}

impl Log {
    fn push(&mut self, line: Line) {
        if self.lines.len() == KEPT {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
    }

    pub(super) fn note(&mut self, message: Message) {
        self.push(Line::Note(message));
    }

    pub(super) fn sent(&mut self, bytes: &[u8]) {
        for line in bytes.trim_ascii_end().split(|&byte| byte == b'\n') {
            self.push(Line::Referee(Untrusted::capped(line, LINE)));
        }
        self.turn = 0;
    }

    /// It was asked and wrote a line.
    pub(super) fn answered(&mut self, line: &[u8], had_cr: bool) {
        self.push(Line::Bot(Untrusted::capped(line, LINE)));
        if self.turn > 0 {
            self.answers.pop();
        }
        self.answers.push(line[..line.len().min(LINE)].into());
        self.turn += line.len() + 1;
        self.most = self.most.max(self.turn);
        self.had_cr |= had_cr;
    }

    /// It wrote a line when all was over.
    pub(super) fn wrote_afterwards(&mut self, line: &[u8]) {
        if self.afterwards.len() < AFTERWARDS {
            let line = Untrusted::capped(line, LINE);
            self.push(Line::Bot(line.clone()));
            self.afterwards.push(line);
        }
    }

    pub(super) fn remember_memory(&mut self, bytes: Option<u64>) {
        self.memory = self.memory.max(bytes);
    }
}
