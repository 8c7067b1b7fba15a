//! Two-row games compared with games that another program has played, one for each configuration.

#[path = "../../examples/replay_traces/replay/mod.rs"]
pub(super) mod replay;

use std::fs::File;
use std::path::Path;

use pitmaster::games::two_row::TwoRow;
use pitmaster::games::two_row::catalogue::look_up;
use pitmaster::games::two_row::check::check;
use pitmaster::games::two_row::params::{Params, SwapRule};
use rayon::prelude::*;
use replay::config::params;
use replay::follow::{Disagreement, follow};
use replay::trace::{Kind, Trace, lines};
use serde_json::{Value, json};

/// The files, and the number of configurations in each.
const FILES: [(&str, usize); 6] = [
    ("public", 200),
    ("presets", 12),
    ("fuzz_public", 302),
    ("fuzz_more", 600),
    ("fuzz_third", 161),
    ("2025-09", 83),
];

fn traces(file: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/two_row");
    let path = folder.join(format!("{file}.jsonl.gz"));
    lines(File::open(&path).expect("golden file")).expect("lines")
}

fn read(line: &str) -> Trace {
    serde_json::from_str(line).expect("a trace")
}

fn replay(trace: &Trace) -> Result<usize, Box<Disagreement>> {
    let params = params(trace.cfg.as_ref().expect("a configuration")).expect("parameters");
    follow(&TwoRow::new(params), trace)
}

#[test]
fn a_game_of_every_configuration() {
    for (file, configurations) in FILES {
        let lines = traces(file);
        let faults: Vec<_> = lines
            .par_iter()
            .filter_map(|line| {
                let trace = read(line);
                let Trace { game, index, .. } = &trace;
                replay(&trace).err().map(|fault| format!("{game} game {index}, {fault}"))
            })
            .collect();
        assert!(faults.is_empty(), "{file}: {} disagree\n{}", faults.len(), faults.join("\n"));
        let mut games: Vec<_> = lines.iter().map(|line| read(line).game).collect();
        games.dedup();
        assert_eq!(games.len(), configurations, "{file}");
    }
}

/// The check accepts every configuration that was played.
#[test]
fn every_configuration_can_be_played() {
    for (file, _) in FILES {
        for line in traces(file) {
            let Trace { game, cfg, .. } = read(&line);
            let params = params(&cfg.expect("a configuration")).expect("parameters");
            let refusal = check(&params).into_iter().find(|found| found.severity.is_fatal());
            assert_eq!(refusal, None, "{file}: {game}");
        }
    }
}

/// The catalogue has the sizes of Kalah, Oware and Congkak that were played.
#[test]
fn the_presets_are_the_games_of_that_name() {
    for line in traces("presets") {
        let Trace { game, cfg, .. } = read(&line);
        let (name, size) = game.rsplit_once('-').expect("a name and a size");
        let own = look_up(name).expect("a game").params;
        let found = if size == format!("{}x{}", own.holes, own.nbr_start) {
            own
        } else {
            look_up(&format!("{name}::{size}")).expect("a variant").params
        };
        // Traces know no pie rule; these games have none.
        let found = Params { swap: SwapRule::Never, ..found };
        assert_eq!(params(&cfg.expect("a configuration")), Ok(found), "{game}");
    }
}

/// Error in the first trace of a game after a change.
fn noticed(game: &str, change: impl Fn(&mut Trace)) -> String {
    let start = format!("{{\"g\":\"{game}\"");
    let lines = traces("public");
    let mut trace = read(lines.iter().find(|line| line.starts_with(&start)).expect(game));
    replay(&trace).expect("as it was played");
    change(&mut trace);
    replay(&trace).expect_err("it was changed").what
}

/// The comparison detects a trace that differs from the game.
#[test]
fn changed_traces_are_noticed() {
    let legal = noticed("Wari", |trace| {
        let Kind::Move { legal, .. } = &mut trace.steps[3].kind else { panic!("no move") };
        legal.pop();
    });
    assert_eq!(legal, "legal moves");
    let stores = noticed("Wari", |trace| {
        trace.steps[3].changed.insert("s".into(), json!([1, 0]));
    });
    assert_eq!(stores, "stores");
    let winner = noticed("Wari", |trace| trace.result.winner = None);
    assert_eq!(winner, "end");
    let start = noticed("Wari", |trace| {
        trace.start.insert("b".into(), Value::from(vec![5; 12]));
        trace.start.insert("st".into(), 0.into());
        trace.start.insert("t".into(), 0.into());
    });
    assert_eq!(start, "seeds");
    let starter = noticed("Bechi", |trace| {
        let rounds = trace.steps.iter_mut().filter_map(|step| match &mut step.kind {
            Kind::Round { starter, .. } => Some(starter),
            _ => None,
        });
        rounds.for_each(|starter| *starter = 1 - *starter);
    });
    assert_eq!(starter, "starter");
    let outcome = noticed("Bechi", |trace| {
        for step in &mut trace.steps {
            if let Kind::Move { outcome, .. } = &mut step.kind {
                *outcome = None;
            }
        }
    });
    assert_eq!(outcome, "outcome");
}
