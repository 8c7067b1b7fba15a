//! Output of the doctor about this machine, and about one with the restrictions of a container.

use serde_json::Value;

use crate::hostile::tiers::Around;
use crate::scratch::Scratch;

fn report(around: Around) -> Value {
    let scratch = around.scratch();
    let output = around.command(&scratch, "doctor --json").output().expect("the binary starts");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let code = if report["official"]["met"] == true { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(code), "{}", report["official"]);
    report
}

fn works(report: &Value, tier: &str) -> bool {
    let tiers = report["tiers"].as_array().expect("a list");
    tiers.iter().any(|one| one["tier"] == tier && one["works"] == true)
}

#[test]
fn every_promise_and_what_disturbs_timing_is_told() {
    let ran = Scratch::new().run("doctor");
    let text = String::from_utf8(ran.raw.stdout).expect("UTF-8");
    for promise in pitmaster::core::Promise::ALL {
        let line = format!("  {} ", promise.name());
        assert!(text.lines().any(|it| it.replace('*', " ").starts_with(&line)), "{line}\n{text}");
    }
    for fact in ["load", "governor", "swap", "container", "starting a bot", "asking a bot"] {
        assert!(text.contains(&format!("\n  {fact} ")), "{fact}\n{text}");
    }
}

/// A contest requires no rights, for any user and in a container. Without Landlock this cannot be
/// tested.
#[test]
fn official_is_kept_without_rights_and_in_a_container() {
    let here = report(Around::NOTHING);
    if here["official"]["met"] != true {
        return eprintln!("skipped: official is not met here: {}", here["official"]["missing"]);
    }
    for (as_nobody, in_container) in [(true, false), (false, true), (true, true)] {
        let around = Around { as_nobody, in_container };
        if let Some(why) = around.lacks() {
            eprintln!("skipped: {around:?}: {why}");
            continue;
        }
        let there = report(around);
        assert_eq!(there["official"]["missing"], Value::Array(Vec::new()), "{around:?}");
        assert_eq!(there["auto"], "portable", "{around:?}");
        assert!(!in_container || !works(&there, "full"), "a container refuses namespaces");
    }
}
