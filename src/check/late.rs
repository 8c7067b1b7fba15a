//! Why no answer came in time: an answer that stays in a buffer, or a bot that thinks.

use std::time::Duration;

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;
use super::language::flush;
use super::log::Late;
use crate::record::Untrusted;

/// Who used less than this share of the time on a core was not thinking.
const IDLE: u32 = 5;

/// No move came in time.
pub(super) fn late(case: &Case<'_>, limit: Duration, took: Duration) -> Found {
    let expected = format!("a move within {limit:?}");
    let Some(late) = &case.log().late else {
        return too_slow(case, expected, took);
    };
    if !late.part.is_empty() {
        return no_line_end(expected, late);
    }
    if late.cpu * IDLE >= late.wall {
        return too_slow(case, expected, took);
    }
    let proof = case.log().afterwards.first();
    if proof.is_none() && case.own_plies().next().is_some() {
        return silent(case, expected, late);
    }
    let came = format!("nothing in {took:.1?}, with {:.1?} of CPU time", late.cpu);
    let (came, why) = match proof {
        Some(line) => (
            format!("{came}; \"{}\" came once its input was closed", line.shown(SHOWN)),
            "the answer had stayed in a buffer",
        ),
        None => (came, "it was not computing, so mostly the answer has stayed in a buffer"),
    };
    let advice = format!(
        "{why}: flush after every line; {}. If it does, look for a read that waits for one line \
         too many",
        flush(case.language)
    );
    Found { what: What::MissingFlush, expected, came, advice }
}

/// It has answered before, so its lines do leave.
fn silent(case: &Case<'_>, expected: String, late: &Late) -> Found {
    let moves = case.own_plies().count();
    let came = format!(
        "nothing in {:.1?}, with {:.1?} of CPU time; {moves} of its moves had come",
        late.wall, late.cpu
    );
    let advice = "its moves before did come, so look for a read that waits for a line too many, \
                  and for a move that it prints without a flush";
    Found { what: What::Silent, expected, came, advice: advice.into() }
}

fn no_line_end(expected: String, late: &Late) -> Found {
    Found {
        what: What::NoLineEnd,
        expected,
        came: format!("\"{}\" without an end of line", late.part.shown(SHOWN)),
        advice: "end the line with \\n, and flush: a line without its end is no answer yet".into(),
    }
}

fn too_slow(case: &Case<'_>, expected: String, took: Duration) -> Found {
    let cpu = case
        .log()
        .late
        .as_ref()
        .map_or(String::new(), |late| format!(", {:.1?} of it on a core", late.cpu));
    let own = || case.own_plies().map(|ply| ply.wall);
    let before = match own().max() {
        Some(longest) => {
            format!("; its {} moves before took up to {longest:.1?}", own().count())
        }
        None => String::new(),
    };
    Found {
        what: What::TooSlow,
        expected,
        came: format!("no move after {took:.1?}{cpu}{before}"),
        advice: "search less deeply, or look at the clock while searching and stop at two thirds \
                 of the limit"
            .into(),
    }
}

/// The greeting or `newgame` was not answered in time.
pub(super) fn not_ready(case: &Case<'_>, limit: Duration) -> Found {
    let log = case.log();
    let expected = format!("`ready NAME` within {limit:?}");
    let computed = log.late.as_ref().is_some_and(|late| late.cpu * IDLE >= late.wall);
    let flush = flush(case.language);
    let (what, came, advice) = match (log.answers.last(), log.afterwards.first()) {
        (_, Some(line)) => (
            What::MissingFlush,
            format!("nothing; \"{}\" came once its input was closed", line.shown(SHOWN)),
            format!("the answer had stayed in a buffer: flush after every line; {flush}"),
        ),
        (Some(line), None) => (
            What::NotReady,
            format!("\"{}\", and no `ready` after it", Untrusted::capped(line, 200).shown(SHOWN)),
            "answer the line `pitmaster 1` with `ready NAME`, and `newgame` with `ready`".into(),
        ),
        (None, None) if computed => (
            What::NotReady,
            "nothing, but it was computing".to_owned(),
            "say `ready` first and prepare later, or prepare less".to_owned(),
        ),
        (None, None) => (
            What::NotReady,
            "nothing".to_owned(),
            format!(
                "answer `pitmaster 1` with `ready NAME`, and flush: {flush}. If it speaks arena or \
                 course, write that as `dialect` in its bot.toml"
            ),
        ),
    };
    Found { what, expected, came, advice }
}
