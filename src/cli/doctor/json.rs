//! JSON report, described by `docs/schemas/doctor.schema.json`.

use pitmaster_core::Isolation;
use pitmaster_runner::host_check::Fact;
use serde_json::{Value, json};

use super::{Report, Tried};

/// Version of the format.
const VERSION: u32 = 1;

pub(super) fn of(report: &Report) -> Value {
    let missing = report.missing();
    json!({
        "version": VERSION,
        "kernel": report.kernel,
        "landlock": report.landlock,
        "control_groups": report.groups,
        "auto": report.chosen().map(|tried| tried.tier),
        "official": { "met": missing.is_empty(), "missing": missing },
        "tiers": report.tiers.iter().map(tier).collect::<Vec<_>>(),
        "machine": report.machine.iter().map(fact).collect::<Vec<_>>(),
    })
}

fn tier(tried: &Tried) -> Value {
    let isolation: Option<&Isolation> = tried.sandbox.as_ref().ok().map(|it| it.isolation());
    json!({
        "tier": tried.tier,
        "works": isolation.is_some(),
        "why": tried.sandbox.as_ref().err(),
        "cgroup": isolation.is_some_and(|isolation| isolation.cgroup),
        "promises": isolation.map(|isolation| &isolation.promises),
    })
}

fn fact(fact: &Fact) -> Value {
    json!({
        "name": fact.name,
        "value": fact.value,
        "verdict": fact.verdict.name(),
        "advice": fact.advice,
    })
}
