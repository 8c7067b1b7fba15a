//! JSON output: all details, in English.

use std::io::{self, Write};
use std::time::Duration;

use pitmaster_check::{Came, Checked, Checks, Finding, Line, Numbers, SceneResult};
use pitmaster_core::MachineLoad;
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotHash, json_text};
use pitmaster_sandbox::AuditedCall;
use serde_json::{Value, json};

use super::path_of;

/// Version of the format, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// Field list for the help.
pub const HELP: &str = "\
Fields of the JSON object:
  version, game, seed, per_move_ms
  machine    load when the check began: {busy, stalled_percent, load, cores}; a field is null if
             the system does not report it
  bots       list of objects:
    path, name, hash, dialect, language (null if unknown)
    verdict  clean, risky or broken
    failure  why the check was cut short, or null
    interrupted  whether the check was interrupted and reports only the findings so far
    waited_ms    longest wait for a core in a game that was not judged, or null
    scenes   list of {name, came, findings}: came is ok, note, should, must, not-judged (the
             machine was busy) or not-played, findings are names
    findings list of {level, what, about, scene, scenes, times, expected, came, advice,
             transcript}; scene is the first of scenes, transcript a list of {who, text} with
             who one of referee, bot or note
    audit    list of {class, name, why, count, examples}: attempted calls that are denied; null
             without an audit
    reached, not_reached  rare situations that the games did or did not reach:
             large-pile, grown-pile:KIND and ending:CLAUSE
    repeats  whether the same seed gives the same game, or null
    numbers  {games, wins, draws, losses, moves, median_ms, p99_ms, worst_ms, memory_bytes},
             or null";

/// Writes one object with all bots.
///
/// # Errors
/// The output cannot be written.
pub fn write(checks: &Checks, out: &mut dyn Write) -> io::Result<()> {
    let settings = &checks.settings;
    let value = json!({
        "version": VERSION,
        "game": checks.game(),
        "seed": settings.seed.0,
        "per_move_ms": settings.limits.per_move.map(millis),
        "machine": machine(&checks.busy),
        "bots": checks.bots.iter().map(bot).collect::<Vec<_>>(),
    });
    writeln!(out, "{}", json_text(&value)?)
}

fn machine(busy: &MachineLoad) -> Value {
    let MachineLoad { stalled, load, cores } = busy;
    json!({"busy": busy.is_much(), "stalled_percent": stalled, "load": load, "cores": cores})
}

fn bot(bot: &Checked) -> Value {
    let report = &bot.report;
    let scenes = report.scenes.iter();
    json!({
        "path": path_of(bot),
        "name": bot.name,
        "hash": bot.hash.as_ref().map(BotHash::as_str),
        "dialect": bot.dialect.map(|dialect| dialect.to_string()),
        "language": bot.language.map(|language| language.to_string()),
        "verdict": report.verdict().name(),
        "failure": report.failure,
        "interrupted": report.interrupted,
        "waited_ms": report.wait.map(|wait| millis(wait.waited)),
        "scenes": scenes
            .map(scene)
            .collect::<Vec<_>>(),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "audit": report.audit.as_ref().map(|audit| audit.calls.iter().map(call).collect::<Vec<_>>()),
        "reached": report.reached.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "not_reached": report.not_reached.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "repeats": report.repeats,
        "numbers": report.numbers.as_ref().map(numbers),
    })
}

fn scene(result: &SceneResult) -> Value {
    let found: Vec<_> = result.found.iter().map(|what| what.name()).collect();
    json!({"name": result.scene.name(), "came": came_name(result.came), "findings": found})
}

fn came_name(came: Came) -> &'static str {
    match came {
        Came::Well => "ok",
        Came::Note => "note",
        Came::Should => "should",
        Came::Must => "must",
        Came::NotJudged => "not-judged",
        Came::NotPlayed => "not-played",
    }
}

fn finding(finding: &Finding) -> Value {
    let line = |line: &Line| {
        let who = match line {
            Line::Referee(_) => "referee",
            Line::Bot(_) => "bot",
            Line::Note(_) => "note",
        };
        json!({"who": who, "text": line.shown(1000, Lang::English)})
    };
    json!({
        "level": finding.level().name(),
        "what": finding.what.name(),
        "about": finding.what.about().to_string(),
        "scene": finding.scenes.first().map(|scene| scene.name()),
        "scenes": finding.scenes.iter().map(|scene| scene.name()).collect::<Vec<_>>(),
        "times": finding.times,
        "expected": finding.expected.to_string(),
        "came": finding.came.to_string(),
        "advice": finding.advice.to_string(),
        "transcript": finding.transcript.iter().map(line).collect::<Vec<_>>(),
    })
}

fn call(call: &AuditedCall) -> Value {
    json!({
        "class": call.class.name(),
        "name": call.name,
        "why": call.why,
        "count": call.count,
        "examples": call.examples.iter().map(|example| example.shown(1000)).collect::<Vec<_>>(),
    })
}

fn numbers(numbers: &Numbers) -> Value {
    json!({
        "games": numbers.games(),
        "wins": numbers.wins,
        "draws": numbers.draws,
        "losses": numbers.losses,
        "moves": numbers.moves(),
        "median_ms": numbers.median().map(millis),
        "p99_ms": numbers.percentile(99).map(millis),
        "worst_ms": numbers.worst().map(millis),
        "memory_bytes": numbers.memory,
    })
}

/// Milliseconds with three decimals.
fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}
