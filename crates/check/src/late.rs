//! Diagnosis of a late answer: it is held in a buffer, or the bot is still thinking.

use std::time::Duration;

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Fill, Message, said};

use super::diagnose::{Case, Found, SHOWN};
use super::finding::What;
use super::log::{AT_WORK, Late, was_busy};
use super::source_language::flush;

/// Finding for a late move.
pub(super) fn late(case: &Case<'_>, limit: Duration, took: Duration) -> Found {
    let expected = said!("a move within {}", Fill::whole(limit));
    let Some(late) = &case.log().late else {
        return too_slow(case, expected, took);
    };
    // A line that arrives by itself was not buffered, regardless of the CPU time.
    if late.came_by_itself() {
        return too_slow(case, expected, took);
    }
    if !late.part.is_empty() {
        return no_line_end(expected, late);
    }
    if late.was_at_work() {
        return too_slow(case, expected, took);
    }
    let proof = case.log().afterwards.first();
    if proof.is_none() && case.own_plies().next().is_some() {
        return silent(case, expected, late);
    }
    let (took, cpu) = (Fill::time(took, 1), Fill::time(late.used.cpu, 1));
    let (came, why) = match proof {
        Some(line) => (
            said!(
                "nothing within {}, with {} of CPU time; \"{}\" arrived once its input was closed",
                took,
                cpu,
                line.shown(SHOWN)
            ),
            said!("the answer had stayed in a buffer"),
        ),
        None => (
            said!("nothing within {}, with {} of CPU time", took, cpu),
            said!("it was not computing, so the answer is probably still in a buffer"),
        ),
    };
    let advice = said!(
        "{}: flush after every line; {}. If it already does, look for a read that waits for one \
         line too many",
        why,
        flush(case.language)
    );
    Found { what: What::MissingFlush, expected, came, advice }
}

/// Finding for silence of a bot that has answered before, so that its lines are not held in a
/// buffer.
fn silent(case: &Case<'_>, expected: Message, late: &Late) -> Found {
    let moves = case.own_plies().count();
    let came = said!(
        "nothing within {}, with {} of CPU time; {} of its moves had arrived",
        Fill::time(late.wall, 1),
        Fill::time(late.used.cpu, 1),
        moves
    );
    let advice = said!(
        "its earlier moves arrived, so look for a read that waits for one line too many, and for \
         a move that it prints without a flush"
    );
    Found { what: What::Silent, expected, came, advice }
}

fn no_line_end(expected: Message, late: &Late) -> Found {
    Found {
        what: What::NoLineEnd,
        expected,
        came: said!("\"{}\" without an end of line", late.part.shown(SHOWN)),
        advice: said!(
            "end the line with \\n, and flush: a line without an end is not an answer \
                       yet"
        ),
    }
}

fn too_slow(case: &Case<'_>, expected: Message, took: Duration) -> Found {
    let nothing = || Fill::from("");
    let late = case.log().late.as_ref();
    let cpu = late.map_or_else(nothing, |late| {
        said!(", {} of it on a core", Fill::time(late.used.cpu, 1)).into()
    });
    let came = late.filter(|late| late.came_by_itself()).map_or_else(nothing, |late| {
        said!("; it arrived after {}", Fill::time(late.total(), 1)).into()
    });
    let own = || case.own_plies().map(|ply| ply.wall);
    let before = own().max().map_or_else(nothing, |longest| {
        let longest = Fill::time(longest, 1);
        said!("; its {} earlier moves took up to {}", own().count(), longest).into()
    });
    Found {
        what: What::TooSlow,
        expected,
        came: said!("no move after {}{}{}{}", Fill::time(took, 1), cpu, came, before),
        advice: advice_to_the_slow(case),
    }
}

fn advice_to_the_slow(case: &Case<'_>) -> Message {
    let search = said!(
        "search less deeply, or check the clock while searching and stop at two thirds of the \
         limit"
    );
    let is_first = case.own_plies().next().is_none();
    if is_first && !case.dialect.has_handshake() {
        return said!(
            "{}; its first move includes its start: building tables, or an interpreter that \
             starts slowly, counts against the same limit",
            search
        );
    }
    search
}

/// Finding for a greeting or `newgame` that was not answered in time.
pub(super) fn not_ready(case: &Case<'_>, limit: Duration) -> Found {
    let log = case.log();
    let expected = said!("`ready NAME` within {}", Fill::whole(limit));
    let computed = log.late.as_ref().is_some_and(|late| was_busy(late.used, late.wall, AT_WORK));
    let total = log.late.as_ref().map_or(limit, Late::total);
    let flush = flush(case.language);
    let (what, came, advice) = match (log.answers.last(), log.afterwards.first()) {
        (_, Some(line)) => (
            What::MissingFlush,
            said!("nothing; \"{}\" arrived once its input was closed", line.shown(SHOWN)),
            said!("the answer had stayed in a buffer: flush after every line; {}", flush),
        ),
        (_, None) if log.late.as_ref().is_some_and(Late::came_by_itself) => (
            What::NotReady,
            said!("nothing, and a line after {}", Fill::time(total, 1)),
            said!("print `ready` first and prepare later, or prepare less"),
        ),
        (Some(line), None) => (
            What::NotReady,
            said!("\"{}\", and no `ready` after it", Untrusted::capped(line, 200).shown(SHOWN)),
            said!("answer the line `pitmaster 1` with `ready NAME`, and `newgame` with `ready`"),
        ),
        (None, None) if computed => (
            What::NotReady,
            said!("nothing, but it was computing"),
            said!("print `ready` first and prepare later, or prepare less"),
        ),
        (None, None) => (
            What::NotReady,
            said!("nothing"),
            said!(
                "answer `pitmaster 1` with `ready NAME`, and flush: {}. If it speaks arena or \
                 course, write that as `dialect` in its bot.toml",
                flush
            ),
        ),
    };
    Found { what, expected, came, advice }
}

#[cfg(test)]
mod tests {
    use pitmaster_bots::Usage;
    use pitmaster_core::{Dialect, Fault, Side};

    use super::super::diagnose::forfeit;
    use super::super::fixtures::{case, forfeited, game, late};
    use super::super::harness::Met;
    use super::super::log::Later;
    use super::*;

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

    /// Game with a late move: whether it arrived within twice the limit, and its CPU and waiting
    /// time in ms.
    fn later(came: bool, cpu: u64, waiting: u64) -> Met {
        let mut met = late(&["1R", "2R"], 2, "", came.then_some("3R"));
        let (wall, cpu) = (Duration::from_secs(1), Duration::from_millis(cpu));
        let used = Usage { cpu, waiting: Duration::from_millis(waiting) };
        met.log.late.as_mut().unwrap().later = Some(Later { wall, used, came });
        met
    }

    #[test]
    fn a_line_that_comes_by_itself_was_in_no_buffer() {
        let game = game();
        let what = |met| forfeit(&case(&met, &*game, Dialect::Arena)).unwrap().what;
        assert_eq!(what(later(true, 0, 0)), What::TooSlow, "asleep");
        assert_eq!(what(later(false, 900, 0)), What::TooSlow, "computing to the last");
        assert_eq!(what(later(false, 0, 0)), What::Silent);
    }

    #[test]
    fn who_would_have_been_in_time_but_for_the_machine_is_not_judged() {
        let game = game();
        let starved = |met| case(&met, &*game, Dialect::Arena).starved().is_some();
        assert!(starved(later(true, 400, 1000)));
        assert!(!starved(later(true, 1500, 400)), "it needed more than the limit by itself");
        assert!(!starved(later(true, 0, 0)), "it slept");
        assert!(!starved(later(true, 1900, 1000)), "one of its threads was on the core");
    }

    #[test]
    fn a_line_that_comes_once_the_input_is_closed_proves_a_buffer() {
        let (met, game) = (late(&[], 2, "", Some("1R")), game());
        let found = forfeit(&case(&met, &*game, Dialect::Arena)).unwrap();
        insta::assert_snapshot!(format!("{}\n{}\n{}", found.expected, found.came, found.advice), @r#"
        a move within 1s
        nothing within 1.0s, with 2.0ms of CPU time; "1R" arrived once its input was closed
        the answer had stayed in a buffer: flush after every line; write fflush(stdout); after every printf. If it already does, look for a read that waits for one line too many
        "#);
    }

    #[test]
    fn who_is_not_ready_is_told_what_is_awaited() {
        let game = game();
        let fault = Fault::StartLate { limit: Duration::from_secs(1) };
        let mut met = forfeited(Side::One, &[], fault, b"");
        let look = |met: &_| {
            let found = forfeit(&case(met, &*game, Dialect::Pitmaster)).unwrap();
            (found.what, found.came.to_string())
        };
        assert_eq!(look(&met), (What::NotReady, "nothing".into()));
        met.log.answers.push(b"hello".as_slice().into());
        assert_eq!(look(&met), (What::NotReady, "\"hello\", and no `ready` after it".into()));
        met.log.afterwards.push(Untrusted::new("ready x"));
        assert_eq!(look(&met).0, What::MissingFlush);
    }
}
