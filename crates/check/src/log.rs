//! Message log of a game between the referee and a bot, as far as findings need it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use pitmaster_bots::Usage;
use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::{Exit, Untrusted};
use pitmaster_sandbox::Audit;

/// How many lines are kept, the last ones.
const KEPT: usize = 14;

/// How much of a line is kept, in bytes.
const LINE: usize = 240;

/// The most lines of a bot that are counted after the end of a game.
const AFTERWARDS: usize = 8;

/// Who was on a core, or waited for one, for less than this part of the time was not thinking.
pub(super) const AT_WORK: u32 = 2;

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
    /// What came of listening on, where that was done.
    pub(super) later: Option<Later>,
}

/// What came of listening on beyond the limit, with the input still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Later {
    /// From the limit on.
    pub(super) wall: Duration,
    /// From the limit on.
    pub(super) used: Usage,
    /// Whether its line came.
    pub(super) came: bool,
}

impl Late {
    /// From the question to the line, or to the end of listening.
    pub(super) fn total(&self) -> Duration {
        self.wall + self.later.map_or(Duration::ZERO, |later| later.wall)
    }

    /// What it used in all of that time.
    pub(super) fn used_in_all(&self) -> Usage {
        let later = self.later.map_or_else(Usage::default, |later| later.used);
        Usage { cpu: self.used.cpu + later.cpu, waiting: self.used.waiting + later.waiting }
    }

    /// Whether it would have been in time had it not waited for a core. Who slept for most of the
    /// time was not waiting for one.
    pub(super) fn is_starved(&self, limit: Duration) -> bool {
        let used = self.used_in_all();
        if !was_busy(used, self.total(), AT_WORK) {
            return false;
        }
        let Usage { cpu, waiting } = used;
        // While one of its threads was on the core, the others did not wait for the machine.
        let waiting = waiting.min(self.total().saturating_sub(cpu));
        self.total().saturating_sub(waiting) <= limit
    }

    /// Whether the line came by itself, too late.
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

/// How it went when it had nothing more to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Left {
    /// `None`: it had to be ended.
    pub(super) exit: Option<Exit>,
    pub(super) orphans: usize,
    /// How long that took.
    pub(super) wall: Duration,
    /// What it used meanwhile.
    pub(super) used: Usage,
}

/// How it went when its input had been cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// `None`: it did not go.
    pub(super) exit: Option<Exit>,
    pub(super) wall: Duration,
    /// What it used in all that time.
    pub(super) used: Usage,
    /// Whether it was computing to the last.
    pub(super) computes_on: bool,
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
    /// How often it was asked for a move.
    pub(super) turns: u32,
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

    /// Something is sent that asks for a move or does not; how many asked so far.
    pub(super) fn asked(&mut self, asks: bool) -> u32 {
        self.turns += u32::from(asks);
        self.turns
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
