//! Warnings: behavior that loses no game here but is risky.

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{Dialect, Ending, Exit, Untrusted};
use pitmaster_referee::protocol::{self, BotMessage};
use pitmaster_tournament::show_size;

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;

/// Part of the output limit of a turn, as a divisor, above which output is excessive.
const CHATTER: u64 = 8;

/// Bytes on standard error above which output is excessive. More is not kept.
const STDERR: usize = 60 * 1024;

/// Bytes of memory above which use is excessive.
const MEMORY: u64 = 1 << 30;

/// Number of moves whose letter case is checked.
const LOOKED_AT: usize = 20;

/// Fraction of the opponent's time, as a divisor, from which on a bot counts as computing. Small
/// enough for a busy machine with a shared core, and large enough for just-in-time compilation.
const BUSY_PART: u32 = 6;

/// Warnings about a game.
pub(super) fn manners(case: &Case<'_>) -> Vec<Found> {
    let checks = [
        lines_before_ready,
        chatter,
        stderr,
        wrong_claim,
        crlf_lines,
        small_letters,
        orphans,
        memory,
        at_the_end,
        afterwards,
    ];
    checks.iter().filter_map(|check| check(case)).collect()
}

fn found(what: What, expected: Message, came: Message, advice: Message) -> Found {
    Found { what, expected, came, advice }
}

fn lines_before_ready(case: &Case<'_>) -> Option<Found> {
    let skipped = case.met.record.skipped_lines[case.met.side];
    (skipped > 0 && case.dialect.has_handshake()).then(|| {
        let came = said!("{} other lines, which were skipped", skipped);
        let advice = said!("print nothing else on standard output; standard error is yours");
        found(What::LinesBeforeReady, said!("`ready`"), came, advice)
    })
}

fn chatter(case: &Case<'_>) -> Option<Found> {
    let (most, limit) = (case.log().most as u64, case.met.record.key.limits.resources.output);
    (most > limit / CHATTER && case.fault().is_none()).then(|| {
        let came = said!("{} bytes in one turn, where {} are allowed", most, limit);
        let advice = said!("print less: beyond the limit the game is lost");
        found(What::Chatter, said!("a move and a few lines of info"), came, advice)
    })
}

fn stderr(case: &Case<'_>) -> Option<Found> {
    let bytes = case.log().stderr.as_bytes().len();
    (bytes > STDERR && case.fault().is_none()).then(|| {
        let came = said!("more than {} KiB in one game", STDERR >> 10);
        let limit = show_size(case.met.record.key.limits.resources.stderr);
        let advice = said!(
            "switch debugging output off before handing in: beyond {} in a game it is lost, and \
             writing takes time",
            limit
        );
        found(What::StderrFlood, said!("little on standard error"), came, advice)
    })
}

fn wrong_claim(case: &Case<'_>) -> Option<Found> {
    let mut claims = case.met.record.wrong_claims.iter();
    let claim = claims.find(|claim| claim.by == case.met.side)?;
    let came = said!("\"{}\" after ply {}", claim.text.shown(SHOWN), claim.ply);
    let advice = said!("its board or its count differs from the game's; the referee ends the game");
    Some(found(What::WrongClaim, said!("no claim before the end"), came, advice))
}

fn crlf_lines(case: &Case<'_>) -> Option<Found> {
    case.log().had_cr.then(|| {
        let came = said!("lines that end with CR LF");
        let advice = said!("print \\n alone: this referee accepts one CR, others may not");
        found(What::CrlfLines, said!("lines that end with LF"), came, advice)
    })
}

fn small_letters(case: &Case<'_>) -> Option<Found> {
    let written = case.log().answers.iter().filter_map(|line| std::str::from_utf8(line).ok());
    let words = written.filter_map(|line| line.split(' ').find(|word| *word != "move"));
    let small = words.take(LOOKED_AT).find_map(|word| {
        let mut own = case.own_plies().take(LOOKED_AT);
        own.find(|ply| *ply.text != *word && ply.text.to_ascii_lowercase() == word)
    })?;
    let advice = said!("write moves as the game writes them; other referees may reject them");
    let (right, lower) = (said!("{}", &*small.text), small.text.to_ascii_lowercase());
    Some(found(What::SmallLetters, right, said!("{}", lower), advice))
}

fn orphans(case: &Case<'_>) -> Option<Found> {
    let left = case.log().left.filter(|left| left.orphans > 0)?;
    let came = match left.orphans {
        1 => said!("a process that it had started was still running"),
        orphans => said!("{} processes that it had started were still running", orphans),
    };
    let advice =
        said!("stop the processes that it starts before it exits; the referee killed them");
    Some(found(What::LeavesProcesses, said!("nothing left behind"), came, advice))
}

fn memory(case: &Case<'_>) -> Option<Found> {
    let bytes = case.log().memory.filter(|&bytes| bytes > MEMORY)?;
    let came = said!("{} MiB", bytes >> 20);
    let advice = said!("make its tables smaller: a tournament may play on a smaller machine");
    Some(found(What::Memory, said!("at most 1024 MiB"), came, advice))
}

/// Description of the last line that a bot in this dialect receives.
fn last_word(dialect: Dialect) -> Message {
    match dialect {
        Dialect::Pitmaster => said!("`quit` and the end of its input"),
        Dialect::Arena => said!("END and the end of its input"),
        Dialect::Course => said!("the end of its input"),
    }
}

fn at_the_end(case: &Case<'_>) -> Option<Found> {
    if case.fault().is_some() || case.log().cut.is_some() {
        return None;
    }
    let expected = said!("that it exits after {}", last_word(case.dialect));
    let left = case.log().left?;
    match left.exit {
        None => {
            let advice = said!(
                "leave the loop when there is no line left to read: after 100 ms it is killed"
            );
            let came = said!("it was still running {} later", Fill::time(left.wall, 1));
            Some(found(What::StaysAfterEnd, expected, came, advice))
        }
        Some(Exit::Code(0)) => None,
        Some(exit) => {
            let advice = said!("leave the loop at the end: the result still counts");
            Some(found(What::CrashAtEnd, expected, said!("it {}", exit.describe()), advice))
        }
    }
}

fn afterwards(case: &Case<'_>) -> Option<Found> {
    // A dialect of bare moves does not announce that a limit has ended the game, and a bot that was
    // thinking at that time still owed an answer.
    let cannot_know_end = match case.met.record.ending {
        Ending::PlyLimit { .. } => !case.dialect.has_handshake(),
        Ending::GameTime { .. } => true,
        _ => false,
    };
    if case.fault().is_some() || case.log().cut.is_some() || cannot_know_end {
        return None;
    }
    let is_claim = |line: &&Untrusted| {
        let (dialect, side) = (case.dialect, case.met.side);
        let said = protocol::hear_answer(dialect, false, side, line.as_bytes());
        matches!(said, Ok(BotMessage::Claim { .. } | BotMessage::Info(_)))
    };
    let line = case.log().afterwards.iter().find(|line| !is_claim(line))?;
    let by_rules = matches!(case.met.record.ending, Ending::Rules { .. });
    let end = match case.dialect {
        Dialect::Pitmaster => said!("`end …` is not a turn: answer only `go`"),
        Dialect::Arena if !by_rules => said!(
            "END is not a move of the opponent: stop reading \
                                              there"
        ),
        Dialect::Arena | Dialect::Course => {
            said!("check whether the opponent's move has ended the game")
        }
    };
    let came = said!("\"{}\" after the end", line.shown(SHOWN));
    Some(found(What::WritesAfterEnd, said!("no output"), came, end))
}

/// Warning about a bot that computed in the opponent's time.
pub(super) fn thinking_on(case: &Case<'_>) -> Option<Found> {
    let record = &case.met.record;
    let theirs = record.plies.iter().filter(|ply| ply.by == Some(case.met.side.other()));
    let (time, stolen) = (theirs.map(|ply| ply.wall).sum(), record.stolen[case.met.side]);
    (stolen * BUSY_PART > time).then(|| {
        let came = said!(
            "{} of CPU time during {} of its opponent's",
            Fill::time(stolen, 1),
            Fill::time(time, 1)
        );
        let advice = said!(
            "block in a read without polling, and think on its own time: it is suspended during \
             its opponent's turns, and loses a game in which it still computes then"
        );
        found(What::ThinksOnOthersTime, said!("a bot that waits"), came, advice)
    })
}

/// Finding about the exit after its input was cut off between two lines, or within one.
pub(super) fn after_input(case: &Case<'_>, within: bool) -> Option<Found> {
    let cut = case.log().cut?;
    let expected = said!("that it exits when its input ends");
    let loops = said!("leave the loop when a read reports the end of the input");
    match cut.exit {
        None if cut.computes_on => {
            let came =
                said!("{} of CPU time in {}", Fill::time(cut.used.cpu, 1), Fill::time(cut.wall, 1));
            Some(found(What::SpinsAfterInput, expected, came, loops))
        }
        None => {
            let came = said!("it was still running {} later", Fill::time(cut.wall, 1));
            Some(found(What::StaysAfterInput, expected, came, loops))
        }
        // An error exit after half a line is acceptable.
        Some(exit) if exit != Exit::Code(0) && !within => {
            Some(found(What::CrashAfterInput, expected, said!("it {}", exit.describe()), loops))
        }
        Some(_) => None,
    }
}
