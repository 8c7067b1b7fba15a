//! What loses no game here and is risky all the same.

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;
use super::log::was_busy;
use crate::protocol::{self, Said};
use crate::record::{Dialect, Ending, Exit, Untrusted};
use crate::tournament::show_size;

/// More than this part of what is read in one turn is very much.
const CHATTER: u64 = 8;

/// More than this on standard error is very much, in bytes. No more of it is kept.
const STDERR: usize = 60 * 1024;

/// More than this is very much memory, in bytes.
const MEMORY: u64 = 1 << 30;

/// How many moves are looked at for the letters they are written in.
const LOOKED_AT: usize = 20;

/// Who computes for this part of the opponent's time does not wait. No more, because on a busy
/// machine a core is shared; no less, because some languages compile while a program runs.
const STOLEN: u32 = 6;

/// Who computes for this part of the time without input does not wait for any.
const SPINNING: u32 = 4;

/// All that is found in a game.
pub(super) fn manners(case: &Case<'_>) -> Vec<Found> {
    let checks = [
        lines_before_ready,
        chatter,
        stderr,
        wrong_claim,
        crlf_lines,
        small_letters,
        strays,
        memory,
        at_the_end,
        afterwards,
    ];
    checks.iter().filter_map(|check| check(case)).collect()
}

fn found(what: What, expected: &str, came: String, advice: &str) -> Found {
    Found { what, expected: expected.into(), came, advice: advice.into() }
}

fn lines_before_ready(case: &Case<'_>) -> Option<Found> {
    let skipped = case.met.record.skipped_lines[case.met.side];
    (skipped > 0 && case.dialect.has_handshake()).then(|| {
        let came = format!("{skipped} other lines, which were skipped");
        let advice = "print nothing else on standard output; standard error is free for you";
        found(What::LinesBeforeReady, "`ready`", came, advice)
    })
}

fn chatter(case: &Case<'_>) -> Option<Found> {
    let (most, limit) = (case.log().most as u64, case.met.record.key.limits.resources.output);
    (most > limit / CHATTER && case.fault().is_none()).then(|| {
        let came = format!("{most} bytes in one turn, where {limit} are allowed");
        let advice = "say less: beyond the limit the game is lost";
        found(What::Chatter, "a move and a few lines of info", came, advice)
    })
}

fn stderr(case: &Case<'_>) -> Option<Found> {
    let bytes = case.log().stderr.as_bytes().len();
    (bytes > STDERR && case.fault().is_none()).then(|| {
        let came = format!("more than {} KiB in one game", STDERR >> 10);
        let limit = show_size(case.met.record.key.limits.resources.stderr);
        let advice = format!(
            "switch debugging output off before handing in: beyond {limit} in a game it is lost, \
             and writing takes time"
        );
        found(What::StderrFlood, "little on standard error", came, &advice)
    })
}

fn wrong_claim(case: &Case<'_>) -> Option<Found> {
    let mut claims = case.met.record.wrong_claims.iter();
    let claim = claims.find(|claim| claim.by == case.met.side)?;
    let came = format!("\"{}\" after ply {}", claim.text.shown(SHOWN), claim.ply);
    let advice = "its board or its count differs from the game's; the referee ends the game";
    Some(found(What::WrongClaim, "no claim before the end", came, advice))
}

fn crlf_lines(case: &Case<'_>) -> Option<Found> {
    case.log().had_cr.then(|| {
        let came = "lines that end with CR LF".to_owned();
        let advice = "print \\n alone: one CR is forgiven here, other referees may not";
        found(What::CrlfLines, "lines that end with LF", came, advice)
    })
}

fn small_letters(case: &Case<'_>) -> Option<Found> {
    let written = case.log().answers.iter().filter_map(|line| std::str::from_utf8(line).ok());
    let words = written.filter_map(|line| line.split(' ').find(|word| *word != "move"));
    let small = words.take(LOOKED_AT).find_map(|word| {
        let mut own = case.own_plies().take(LOOKED_AT);
        own.find(|ply| *ply.text != *word && ply.text.to_ascii_lowercase() == word)
    })?;
    let advice = "write moves as the game writes them; other referees may not forgive it";
    let lower = small.text.to_ascii_lowercase();
    Some(found(What::SmallLetters, &small.text, lower, advice))
}

fn strays(case: &Case<'_>) -> Option<Found> {
    let left = case.log().left.filter(|left| left.strays > 0)?;
    let came = match left.strays {
        1 => "a process that it had started was still there".to_owned(),
        strays => format!("{strays} processes that it had started were still there"),
    };
    let advice = "end what it starts before it ends itself; the referee has ended them by force";
    Some(found(What::LeavesProcesses, "nothing left behind", came, advice))
}

fn memory(case: &Case<'_>) -> Option<Found> {
    let bytes = case.log().memory.filter(|&bytes| bytes > MEMORY)?;
    let came = format!("{} MiB", bytes >> 20);
    let advice = "make its tables smaller: a tournament may play on a smaller machine";
    Some(found(What::Memory, "at most 1024 MiB", came, advice))
}

/// What a bot in this dialect hears last.
fn last_word(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Pitmaster => "`quit` and the end of its input",
        Dialect::Arena => "END and the end of its input",
        Dialect::Course => "the end of its input",
    }
}

fn at_the_end(case: &Case<'_>) -> Option<Found> {
    if case.fault().is_some() || case.log().cut.is_some() {
        return None;
    }
    let expected = format!("that it goes after {}", last_word(case.dialect));
    match case.log().left?.exit {
        None => {
            let advice = "leave the loop when there is no line left to read: after 100 ms it is \
                          ended by force";
            let came = "it was still there a second later".to_owned();
            Some(found(What::StaysAfterEnd, &expected, came, advice))
        }
        Some(Exit::Code(0)) => None,
        Some(exit) => {
            let advice = "leave the loop at the end: the result counts all the same";
            Some(found(What::CrashAtEnd, &expected, format!("it {exit}"), advice))
        }
    }
}

fn afterwards(case: &Case<'_>) -> Option<Found> {
    let by_limit =
        matches!(case.met.record.ending, Ending::PlyLimit { .. } | Ending::GameTime { .. });
    // Where nothing but moves is sent, nobody can know that a limit has ended the game.
    let in_the_dark = by_limit && !case.dialect.has_handshake();
    if case.fault().is_some() || case.log().cut.is_some() || in_the_dark {
        return None;
    }
    let is_claim = |line: &&Untrusted| {
        let (dialect, side) = (case.dialect, case.met.side);
        let said = protocol::hear_answer(dialect, false, side, line.as_bytes());
        matches!(said, Ok(Said::Claim { .. } | Said::Info(_)))
    };
    let line = case.log().afterwards.iter().find(|line| !is_claim(line))?;
    let by_rules = matches!(case.met.record.ending, Ending::Rules { .. });
    let end = match case.dialect {
        Dialect::Pitmaster => "`end …` is no turn: answer `go` only",
        Dialect::Arena if !by_rules => "END is no move of the opponent: stop reading there",
        Dialect::Arena | Dialect::Course => "look whether the opponent's move has ended the game",
    };
    let came = format!("\"{}\" after the end", line.shown(SHOWN));
    Some(found(What::WritesAfterEnd, "silence", came, end))
}

/// Whether it computed while an opponent took its time.
pub(super) fn thinking_on(case: &Case<'_>) -> Option<Found> {
    let record = &case.met.record;
    let theirs = record.plies.iter().filter(|ply| ply.by == Some(case.met.side.other()));
    let (time, stolen) = (theirs.map(|ply| ply.wall).sum(), record.stolen[case.met.side]);
    (stolen * STOLEN > time).then(|| {
        let came = format!("{stolen:.1?} of CPU time in {time:.1?} of its opponent's");
        let advice = "wait in a read, without asking again and again, and think in its own time: \
                      it is stopped while its opponent is to move";
        found(What::ThinksOnOthersTime, "a bot that waits", came, advice)
    })
}

/// How it went when its input was cut off between two lines, or within one.
pub(super) fn after_input(case: &Case<'_>, within: bool) -> Option<Found> {
    let cut = case.log().cut?;
    let expected = "that it goes when its input ends";
    let loops = "leave the loop when a read says that there is no more";
    match cut.exit {
        None if was_busy(cut.used, cut.wall, SPINNING) => {
            let came = format!("{:.1?} of CPU time in {:.1?}", cut.used.cpu, cut.wall);
            Some(found(What::SpinsAfterInput, expected, came, loops))
        }
        None => {
            let came = format!("it was still there {:.1?} later", cut.wall);
            Some(found(What::StaysAfterInput, expected, came, loops))
        }
        // A line that is cut in two may well confuse it.
        Some(exit) if exit != Exit::Code(0) && !within => {
            Some(found(What::CrashAfterInput, expected, format!("it {exit}"), loops))
        }
        Some(_) => None,
    }
}
