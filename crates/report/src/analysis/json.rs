//! Analysis as JSON for programs.

use std::io::{self, Write};

use pitmaster_core::{Side, json_text};
use pitmaster_players::Verdict;
use serde::Serialize;

use super::{AnalysisHead, Change, GameAnalysis, Mistake, PositionAnalysis};

/// Version, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The document. The order of the fields is the order in the file.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    id: Option<&'a str>,
    game: &'a str,
    bots: [&'a str; 2],
    analyzed_by: &'a str,
    start: Position<'a>,
    plies: Vec<Ply<'a>>,
    /// Numbers of the worst plies, in order.
    lost_most: Vec<usize>,
}

#[derive(Serialize)]
struct Ply<'a> {
    #[serde(rename = "ply")]
    number: usize,
    by: Option<Side>,
    #[serde(rename = "move")]
    text: &'a str,
    lost: f64,
    better: Option<&'a str>,
    change: Option<&'static str>,
    after: Position<'a>,
}

/// A position with its value for player 1.
#[derive(Serialize)]
struct Position<'a> {
    value: Option<f64>,
    proven: Option<Proven>,
    best: Option<&'a str>,
    depth: Option<u32>,
    nodes: u64,
}

#[derive(Serialize)]
struct Proven {
    winner: Option<Side>,
    margin: Option<i32>,
}

/// Writes an analysis as one JSON document.
pub fn analysis_json(
    head: &AnalysisHead,
    analysis: &GameAnalysis,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mistakes: Vec<_> = (1..=analysis.plies.len()).map(|ply| analysis.mistake(ply)).collect();
    let none = PositionAnalysis::default();
    let at = |number: usize| Position::of(analysis.positions.get(number).unwrap_or(&none));
    let plies =
        analysis.plies.iter().zip(&mistakes).enumerate().map(|(place, (played, mistake))| {
            let (by, text) = played;
            ply(place + 1, *by, text, mistake.as_ref(), at(place + 1))
        });
    let document = Document {
        version: VERSION,
        id: head.id.as_deref(),
        game: &head.game,
        bots: [&head.names.one, &head.names.two],
        analyzed_by: &analysis.by,
        start: at(0),
        plies: plies.collect(),
        lost_most: analysis.worst().iter().map(|one| one.ply).collect(),
    };
    writeln!(out, "{}", json_text(&document)?)
}

fn ply<'a>(
    ply: usize,
    by: Option<Side>,
    text: &'a str,
    mistake: Option<&'a Mistake>,
    after: Position<'a>,
) -> Ply<'a> {
    Ply {
        number: ply,
        by,
        text,
        lost: mistake.map_or(0.0, |one| rounded(one.lost().max(0.0))),
        better: mistake.map(|one| &*one.better),
        change: mistake.and_then(|one| one.change).map(Change::name),
        after,
    }
}

impl<'a> Position<'a> {
    fn of(position: &'a PositionAnalysis) -> Self {
        let proven = |Verdict { winner, margin }| Proven { winner, margin };
        Self {
            value: position.seeds.map(rounded),
            proven: position.verdict.map(proven),
            best: position.best.as_deref(),
            depth: position.depth,
            nodes: position.nodes,
        }
    }
}

/// Rounds to two decimals, the precision of searches. Never `-0`.
fn rounded(seeds: f64) -> f64 {
    (seeds * 100.0).round() / 100.0 + 0.0
}
