//! Why no answer came in time: an answer that stays in a buffer, or a bot that thinks.

use std::time::Duration;

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;
use super::language::flush;
use super::log::{Late, was_busy};
use crate::record::Untrusted;

/// Who was on a core, or waited for one, for less than this part of the time was not thinking.
const BUSY: u32 = 2;

/// No move came in time.
pub(super) fn late(case: &Case<'_>, limit: Duration, took: Duration) -> Found {
    let expected = format!("a move within {limit:?}");
    let Some(late) = &case.log().late else {
        return too_slow(case, expected, took);
    };
    if !late.part.is_empty() {
        return no_line_end(expected, late);
    }
    if was_busy(late.used, late.wall, BUSY) {
        return too_slow(case, expected, took);
    }
    let proof = case.log().afterwards.first();
    if proof.is_none() && case.own_plies().next().is_some() {
        return silent(case, expected, late);
    }
    let came = format!("nothing in {took:.1?}, with {:.1?} of CPU time", late.used.cpu);
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
        late.wall, late.used.cpu
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
        .map_or(String::new(), |late| format!(", {:.1?} of it on a core", late.used.cpu));
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
    let computed = log.late.as_ref().is_some_and(|late| was_busy(late.used, late.wall, BUSY));
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

#[cfg(test)]
mod tests {
    use super::super::diagnose::forfeit;
    use super::super::made_up::{case, forfeited, game, late};
    use super::*;
    use crate::record::{Dialect, Fault, Side};

    #[test]
    fn silence_is_told_from_thinking() {
        let game = game();
        let what = |met| forfeit(&case(&met, &*game, Dialect::Arena)).unwrap().what;
        assert_eq!(what(late(&[], 2, "", None)), What::MissingFlush);
        assert_eq!(what(late(&["1R", "2R"], 2, "", Some("3R"))), What::MissingFlush);
        assert_eq!(what(late(&["1R", "2R"], 2, "", None)), What::Silent);
        assert_eq!(what(late(&[], 2, "1R", None)), What::NoLineEnd);
        assert_eq!(what(late(&[], 700, "", None)), What::TooSlow);
    }

    #[test]
    fn a_line_that_comes_once_the_input_is_closed_proves_a_buffer() {
        let (met, game) = (late(&[], 2, "", Some("1R")), game());
        let found = forfeit(&case(&met, &*game, Dialect::Arena)).unwrap();
        insta::assert_snapshot!(format!("{}\n{}\n{}", found.expected, found.came, found.advice), @r#"
        a move within 1s
        nothing in 1.0s, with 2.0ms of CPU time; "1R" came once its input was closed
        the answer had stayed in a buffer: flush after every line; write fflush(stdout); after every printf. If it does, look for a read that waits for one line too many
        "#);
    }

    #[test]
    fn who_is_not_ready_is_told_what_is_awaited() {
        let game = game();
        let fault = Fault::StartLate { limit: Duration::from_secs(1) };
        let mut met = forfeited(Side::One, &[], fault, b"");
        let look = |met: &_| {
            let found = forfeit(&case(met, &*game, Dialect::Pitmaster)).unwrap();
            (found.what, found.came)
        };
        assert_eq!(look(&met), (What::NotReady, "nothing".into()));
        met.log.answers.push(b"hello".as_slice().into());
        assert_eq!(look(&met), (What::NotReady, "\"hello\", and no `ready` after it".into()));
        met.log.afterwards.push(Untrusted::new("ready x"));
        assert_eq!(look(&met).0, What::MissingFlush);
    }
}
