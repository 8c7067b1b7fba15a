//! Forfeit diagnosis: turns a forfeit into a finding, with expected behavior, observed behavior and
//! advice.

use std::time::Duration;

use pitmaster_bots::Usage;
use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Dialect, Exit, Fault, Ply, Stream, Untrusted};
use pitmaster_games::DynGame;

use super::finding::What;
use super::harness::Met;
use super::log::{Cut, Left, Line, Log};
use super::source_language::Language;
use super::{late, moves};

/// Maximum length of a bot's line in a sentence, in characters.
pub(super) const SHOWN: usize = 60;

/// Number of standard error lines in a transcript.
const STDERR_LINES: usize = 6;

/// Fraction of the time, as a divisor, from which on a side that waited for a core counts as
/// starved.
const STARVED: u32 = 4;

/// The game and the circumstances to diagnose.
#[derive(Debug)]
pub(super) struct Case<'a> {
    pub(super) met: &'a Met,
    pub(super) game: &'a dyn DynGame,
    pub(super) dialect: Dialect,
    pub(super) language: Option<Language>,
}

/// A finding whose scene is not known yet.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) what: What,
    pub(super) expected: Message,
    pub(super) came: Message,
    pub(super) advice: Message,
}

impl Case<'_> {
    pub(super) fn log(&self) -> &Log {
        &self.met.log
    }

    pub(super) fn own_plies(&self) -> impl Iterator<Item = &Ply> {
        self.met.record.plies.iter().filter(|ply| ply.by == Some(self.met.side))
    }

    /// The line by which the bot forfeited.
    pub(super) fn line(&self) -> Untrusted {
        let evidence = self.met.record.evidence[self.met.side].as_ref();
        evidence.and_then(|evidence| evidence.line.clone()).unwrap_or_default()
    }

    /// The fault by which the bot forfeited, if it did.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.met.record.ending.fault_of(self.met.side)
    }

    /// Time that it waited for a core and the total time, if that decided the game.
    pub(super) fn starved(&self) -> Option<(Duration, Duration)> {
        let log = self.log();
        let had_no_core = |used: Usage, wall: Duration| {
            (used.waiting * STARVED > wall).then_some((used.waiting, wall))
        };
        if let Some(Cut { exit: None, used, wall, computes_on: false }) = log.cut {
            return had_no_core(used, wall);
        }
        if let (None, Some(Left { exit: None, used, wall, .. })) = (self.fault(), log.left) {
            return had_no_core(used, wall);
        }
        let limit = match self.fault()? {
            Fault::MoveLate { limit, .. } | Fault::StartLate { limit } => *limit,
            Fault::BankEmpty { took, .. } => *took,
            Fault::Starved { took, waited, .. } => return Some((*waited, *took)),
            _ => return None,
        };
        let late = log.late.as_ref()?;
        let is_starved = late.is_starved(limit + self.met.record.key.limits.margin);
        is_starved.then(|| (late.used_in_all().waiting, late.total()))
    }

    /// Returns whether it failed like a bot that does not know the dialect: without a move and for
    /// no other visible reason.
    pub(super) fn may_not_have_understood(&self) -> bool {
        let log = self.log();
        let held_back = !log.afterwards.is_empty()
            || log.late.as_ref().is_some_and(|late| {
                !late.part.is_empty() || late.came_by_itself() || late.was_at_work()
            });
        match self.fault() {
            Some(Fault::MoveLate { .. } | Fault::StartLate { .. }) => !held_back,
            Some(Fault::Exited { .. }) => self.own_plies().next().is_none(),
            _ => false,
        }
    }

    /// The last messages, and its standard error.
    pub(super) fn transcript(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = self.log().lines.iter().cloned().collect();
        let stderr = self.log().stderr.as_bytes().trim_ascii_end();
        let all: Vec<_> = stderr.split(|&byte| byte == b'\n').filter(|l| !l.is_empty()).collect();
        for line in &all[all.len().saturating_sub(STDERR_LINES)..] {
            let text = Untrusted::capped(line, 200).shown(200);
            lines.push(Line::Note(said!("stderr: {}", text)));
        }
        lines
    }
}

/// Diagnosis of a forfeit.
pub(super) fn forfeit(case: &Case<'_>) -> Option<Found> {
    let found = |what, expected, came, advice| Found { what, expected, came, advice };
    let line = case.line().shown(SHOWN);
    let fault = case.fault()?;
    Some(match fault {
        Fault::MoveLate { limit, took, .. } | Fault::Starved { limit, took, .. } => {
            late::late(case, *limit, *took)
        }
        Fault::BankEmpty { took, .. } => late::late(case, *took, *took),
        Fault::CpuTime { limit } => found(
            What::TooMuchCpu,
            said!("at most {} of CPU time in a game, of all threads together", Fill::whole(*limit)),
            fault.describe(),
            said!("search less deeply or on fewer threads, and only during its own turns"),
        ),
        Fault::StoleTime { allowance, .. } => found(
            What::TooMuchCpu,
            said!("at most {} of CPU time while its opponent is to move", Fill::whole(*allowance)),
            fault.describe(),
            said!("block in a read during its opponent's turns, in every thread"),
        ),
        Fault::StartLate { limit } => late::not_ready(case, *limit),
        Fault::IllegalMove => moves::illegal(case),
        Fault::MalformedLine => moves::malformed(case),
        Fault::NotUtf8 => found(
            What::NotText,
            said!("a move in UTF-8"),
            said!("\"{}\"", line),
            said!("print text, not uninitialized memory"),
        ),
        Fault::LineTooLong { .. } => found(
            What::Flood,
            said!("a move"),
            said!("{}, which begins with \"{}\"", fault.describe(), line),
            said!("print the move and an end of line, nothing else"),
        ),
        Fault::TooMuchOutput { stream: Stream::Stdout, .. } => found(
            What::Flood,
            said!("a move"),
            fault.describe(),
            said!("print one line for each move, and debugging output on standard error"),
        ),
        Fault::TooMuchOutput { stream: Stream::Stderr, .. } => found(
            What::Flood,
            said!("little on standard error"),
            fault.describe(),
            said!("switch debugging output off before handing in"),
        ),
        Fault::SpokeOutOfTurn => found(
            What::OutOfTurn,
            said!("no output before its turn"),
            said!("\"{}\" before its turn", line),
            said!(
                "print one line for each request, then wait for the next; print nothing at the \
                 start"
            ),
        ),
        Fault::ClosedOutput => found(
            What::ClosesOutput,
            said!("a move"),
            fault.describe(),
            said!("keep standard output open until the end of the game"),
        ),
        Fault::Exited { exit } => exited(case, *exit),
        Fault::WouldNotStart { why } => found(
            What::WouldNotStart,
            said!("a program that starts"),
            why.describe(),
            said!("try its `run` command in a terminal, on Linux"),
        ),
        Fault::DidNotBuild | Fault::Suspended => return None,
    })
}

/// Finding for a bot whose dialect differs from the declared one.
pub(super) fn other_dialect(said: Dialect, spoken: Dialect) -> Found {
    Found {
        what: What::OtherDialect,
        expected: said!("a bot that speaks {}, by its bot.toml or by default", said.to_string()),
        came: said!("it answers in {}", spoken.to_string()),
        advice: said!("write dialect = \"{}\" in its bot.toml", spoken.to_string()),
    }
}

/// Advice for a search that ignores a shorter limit.
pub(super) fn tight_clock(dialect: Dialect) -> Message {
    match dialect {
        Dialect::Pitmaster => said!(
            "search for a share of the announced limit, not for a fixed time or depth: \
             tournaments differ"
        ),
        Dialect::Arena | Dialect::Course => said!(
            "{} does not announce the limit: put {move_ms} into `run` to receive it in \
             milliseconds, and search for a share of it; otherwise this matters only if the \
             limit is shorter than the one it was written for",
            dialect.to_string()
        ),
    }
}

fn exited(case: &Case<'_>, exit: Exit) -> Found {
    let expected = said!("a move");
    let came = match case.own_plies().count() {
        0 => said!("it {} before its first move", exit.describe()),
        1 => said!("it {} after its first move", exit.describe()),
        after => said!("it {} after {} moves", exit.describe(), after),
    };
    if exit == Exit::Code(0) {
        let advice = said!(
            "read and answer in a loop until the input ends. If it already does, it believes \
             that the game is over: check its board and its rules for the end"
        );
        return Found { what: What::EndsEarly, expected, came, advice };
    }
    let advice = match exit {
        Exit::Signal(11 | 7 | 6) => said!(
            "look for a bad index or pointer: build with -g -fsanitize=address and play again"
        ),
        Exit::Signal(9) => said!("it was killed: does it take too much memory?"),
        Exit::Code(126 | 127) => said!("a command of its start script does not exist"),
        _ if case.log().stderr.is_empty() => {
            said!("print errors to standard error, and read them")
        }
        _ => said!("the last lines of its standard error say why"),
    };
    Found { what: What::Crash, expected, came, advice }
}
