//! Message log of a game between the referee and a bot, as far as findings need it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use pitmaster_bots::Usage;
use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::{Exit, Untrusted};
use pitmaster_sandbox::Audit;
use serde::{Deserialize, Serialize};

/// Number of last lines kept.
const KEPT: usize = 14;

/// Number of bytes kept of a line.
const LINE: usize = 240;

/// Maximum number of counted lines after the end of a game.
const AFTERWARDS: usize = 8;

/// Least part of a time on a core, or waiting for one, that counts as thinking, as a divisor.
pub(super) const AT_WORK: u32 = 2;

/// A line of a transcript, by its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Line {
    /// A line of the referee.
    Referee(Untrusted),
    /// A line of the bot.
    Bot(Untrusted),
    /// An event. Safe to show.
    Note(Message),
}

impl Line {
    /// Text of the line, safe to show, at most `limit` characters of it.
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

/// A log shared by an interceptor and its reader after the game.
pub(super) type SharedLog = Rc<RefCell<Log>>;

/// A late line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Late {
    pub(super) wall: Duration,
    pub(super) used: Usage,
    /// Output without an end of line.
    pub(super) part: Untrusted,
    /// Result of waiting beyond the limit, if that was done.
    pub(super) later: Option<Later>,
}

/// Result of waiting beyond the limit, with the input still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Later {
    /// Wall time from the limit on.
    pub(super) wall: Duration,
    /// Resource usage from the limit on.
    pub(super) used: Usage,
    /// Whether the line arrived.
    pub(super) came: bool,
}

impl Late {
    /// Time from the request to the line, or to the end of waiting.
    pub(super) fn total(&self) -> Duration {
        self.wall + self.later.map_or(Duration::ZERO, |later| later.wall)
    }

    /// Resource usage in the total time.
    pub(super) fn used_in_all(&self) -> Usage {
        let later = self.later.map_or_else(Usage::default, |later| later.used);
        Usage { cpu: self.used.cpu + later.cpu, waiting: self.used.waiting + later.waiting }
    }

    /// Returns whether the line would have been in time without the wait for a core. A bot that
    /// slept for most of the time was not starved.
    pub(super) fn is_starved(&self, limit: Duration) -> bool {
        let used = self.used_in_all();
        if !was_busy(used, self.total(), AT_WORK) {
            return false;
        }
        let Usage { cpu, waiting } = used;
        // While one of its threads was running, the others waited for that thread, not for other
        // programs.
        let waiting = waiting.min(self.total().saturating_sub(cpu));
        self.total().saturating_sub(waiting) <= limit
    }

    /// Returns whether the line arrived by itself, too late.
    pub(super) fn came_by_itself(&self) -> bool {
        self.later.is_some_and(|later| later.came)
    }

    /// Whether it was computing, or ready to, when listening ended.
    pub(super) fn was_at_work(&self) -> bool {
        match self.later {
            Some(later) => was_busy(later.used, later.wall, AT_WORK),
            None => was_busy(self.used, self.wall, AT_WORK),
        }
    }
}

/// Exit of a bot after the end of its games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// Exit status; `None` if it had to be killed.
    pub(super) exit: Option<Exit>,
    pub(super) orphans: usize,
    /// Time until it exited.
    pub(super) wall: Duration,
    /// Resource usage in that time.
    pub(super) used: Usage,
}

/// Exit of a bot after its input was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Exit status; `None` if it did not exit.
    pub(super) exit: Option<Exit>,
    pub(super) wall: Duration,
    /// Resource usage in that time.
    pub(super) used: Usage,
    /// Whether it was computing until the end.
    pub(super) computes_on: bool,
}

/// Whether it was computing, for at least a part of the time, given as a divisor. A bot that waits
/// for a core on a busy machine is at work too.
pub(super) fn was_busy(used: Usage, wall: Duration, parts: u32) -> bool {
    (used.cpu + used.waiting) * parts >= wall
}

/// Log of one game.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) lines: VecDeque<Line>,
    /// Number of requested moves.
    pub(super) turns: u32,
    /// Last line that it wrote in each turn.
    pub(super) answers: Vec<Box<[u8]>>,
    /// Maximum number of bytes that it wrote in one turn.
    pub(super) most: usize,
    /// Number of bytes in this turn.
    pub(super) turn: usize,
    pub(super) had_cr: bool,
    pub(super) late: Option<Late>,
    /// Output after the game, or after its input was closed.
    pub(super) afterwards: Vec<Untrusted>,
    pub(super) cut: Option<Cut>,
    pub(super) left: Option<Left>,
    pub(super) stderr: Untrusted,
    /// Refused calls that it tried, if it was audited.
    pub(super) audit: Option<Audit>,
    /// Peak memory, in bytes.
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

    /// Records a sent message. Returns the number of requested moves so far.
    pub(super) fn asked(&mut self, asks: bool) -> u32 {
        self.turns += u32::from(asks);
        self.turns
    }

    /// Records a line written in its turn.
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

    /// Records a line written after the end.
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
