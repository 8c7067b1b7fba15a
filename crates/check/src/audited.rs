//! Audit findings: what an audit recorded, by name and count, without a verdict.

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Message, said};
use pitmaster_sandbox::{Audit, AuditedCall, CallClass};

use super::diagnose::{Found, SHOWN};
use super::finding::{Finding, What};
use super::log::Line;
use super::scenario::Scene;

/// Length of a path in a line, in bytes.
const LINE: usize = 300;

/// Findings of an audit, at most one for each kind of call.
pub(super) fn findings(audit: &Audit) -> Vec<Finding> {
    let all = [What::TriedNetwork, What::TriedFiles, What::TriedProcesses, What::TriedOthers];
    all.into_iter().filter_map(|what| finding(what, audit)).collect()
}

/// Note that the audit is incomplete because the game did not finish.
pub(super) fn cut_short(forfeit: Option<Found>) -> Option<Found> {
    forfeit.map(|found| Found {
        what: What::AuditCutShort,
        expected: said!("a complete game in the sandbox of a contest"),
        came: said!("{}: {}", found.what.about(), found.came),
        advice: said!(
            "check whether a refused call ends it; what it would have tried later is unknown"
        ),
    })
}

fn finding(what: What, audit: &Audit) -> Option<Finding> {
    let calls: Vec<_> = audit.calls.iter().filter(|call| what_of(call.class) == what).collect();
    let times = calls.iter().map(|call| call.count).sum::<u64>();
    let counts: Vec<_> = calls.iter().map(|call| counted(call)).collect();
    (times > 0).then(|| Finding {
        what,
        scenes: vec![Scene::Audit],
        times: u32::try_from(times).unwrap_or(u32::MAX),
        expected: expected(what),
        came: said!("it tried {}, which a contest refuses", counts),
        transcript: calls.into_iter().flat_map(examples).collect(),
        advice: said!(
            "remove it, or continue when it is refused; runtimes and libraries do this too, so \
             it is evidence to examine, not proof"
        ),
    })
}

fn what_of(class: CallClass) -> What {
    match class {
        CallClass::Network => What::TriedNetwork,
        CallClass::ForeignFiles => What::TriedFiles,
        CallClass::Processes => What::TriedProcesses,
        CallClass::Others | CallClass::Limits | CallClass::Kernel | CallClass::Time => {
            What::TriedOthers
        }
    }
}

fn expected(what: What) -> Message {
    match what {
        What::TriedNetwork => said!("no sockets: there is no network in a contest"),
        What::TriedFiles => said!("its own files, and the system's programs and libraries"),
        What::TriedProcesses => said!("one process; threads are allowed"),
        _ => said!("nothing beyond its own process"),
    }
}

/// Number of calls, and the first target.
fn counted(call: &AuditedCall) -> Message {
    let on = call.examples.first().map(|example| format!(" ({})", example.shown(SHOWN)));
    let on = on.unwrap_or_default();
    match call.count {
        1 => said!("`{}` once{}", call.name, on),
        count => said!("`{}` {} times{}", call.name, count, on),
    }
}

/// One line per target of the call.
fn examples(call: &AuditedCall) -> impl Iterator<Item = Line> {
    call.examples.iter().map(|example| {
        let example = Untrusted::capped(example.as_bytes(), LINE);
        Line::Note(said!("{}: {}", call.name, example.shown(LINE)))
    })
}

#[cfg(test)]
mod tests {
    use pitmaster_core::i18n::Lang;

    use super::*;

    fn call(class: CallClass, name: &'static str, count: u64, examples: &[&str]) -> AuditedCall {
        let examples = examples.iter().map(|example| Untrusted::new(*example)).collect();
        AuditedCall { name, class, why: "because", count, examples }
    }

    #[test]
    fn calls_are_told_by_what_they_reach_for() {
        let calls = vec![
            call(CallClass::Network, "connect", 1, &[]),
            call(CallClass::Network, "socket", 3, &["AF_INET", "AF_UNIX"]),
            call(CallClass::Limits, "setrlimit", 1, &[]),
            call(CallClass::Time, "settimeofday", 2, &[]),
        ];
        let findings = findings(&Audit { calls });
        let told: Vec<_> = findings
            .iter()
            .map(|finding| (finding.what, finding.times, finding.came.to_string()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    What::TriedNetwork,
                    4,
                    "it tried `connect` once, `socket` 3 times (AF_INET), which a contest refuses"
                        .to_owned()
                ),
                (
                    What::TriedOthers,
                    3,
                    "it tried `setrlimit` once, `settimeofday` 2 times, which a contest refuses"
                        .to_owned()
                ),
            ]
        );
        let shown = |line: &Line| line.shown(99, Lang::English);
        let lines: Vec<_> = findings[0].transcript.iter().map(shown).collect();
        assert_eq!(lines, ["socket: AF_INET", "socket: AF_UNIX"]);
    }

    #[test]
    fn nothing_tried_is_nothing_found() {
        assert!(findings(&Audit::default()).is_empty());
        assert!(cut_short(None).is_none());
    }
}
