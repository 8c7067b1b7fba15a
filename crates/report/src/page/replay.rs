//! Replay of a game for the page: every board is computed by the rules, move by move.
//!
//! Must not depend on how it is drawn.

use std::collections::BTreeMap;
use std::time::Duration;

use pitmaster_core::i18n::Lang;
use pitmaster_core::{Record, Remark, Side, Untrusted};
use pitmaster_games::{Contents, DynGame, GameState, HoleMark, Shape, Turn};
use pitmaster_referee::why_illegal;
use serde::Serialize;

use super::said::value_of;
use super::steps::Follower;
use crate::{Change, GameAnalysis, GameFile, PositionAnalysis};

/// Upper bound on the shown characters of a line or remark.
const LINE: usize = 400;
/// Upper bound on the bytes of standard error that are kept: the end of it.
const STDERR: usize = 2000;

/// Rules and audience of a replay.
#[derive(Debug, Clone, Copy)]
pub(super) struct Showing<'s> {
    pub(super) game: &'s dyn DynGame,
    pub(super) shape: &'s Shape,
    pub(super) lang: Lang,
    /// Whether the reader may download the game as a file.
    pub(super) with_file: bool,
}

/// Replay data of a game for the page.
#[derive(Debug, Serialize)]
pub(super) struct Replay<'k> {
    id: String,
    start: Board,
    opening: usize,
    plies: Vec<Ply<'k>>,
    /// Time that movers waited for a core, in microseconds, by the index of their plies.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    waits: BTreeMap<usize, u64>,
    say: Vec<(u32, u8, String, Option<f64>)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<(u32, u8, String)>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    evidence: BTreeMap<u8, ShownEvidence>,
    score: [u32; 2],
    #[serde(rename = "final")]
    last: Board,
    /// Point from which the rules do not follow the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    broken: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<ShownAnalysis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<GameFile>,
}

/// Game with its analysis, if it was analyzed.
#[derive(Debug)]
pub(super) struct Shown<'a> {
    pub(super) kept: GameFile,
    pub(super) analysis: Option<&'a GameAnalysis>,
}

/// Analysis of a game: values for player 1, and losses by moves.
#[derive(Debug, Serialize)]
struct ShownAnalysis {
    by: String,
    /// Value of each position in seeds.
    values: Vec<Option<f64>>,
    /// Winner (0 for a draw) and margin of positions whose result is proven.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    proven: BTreeMap<usize, (u8, Option<i32>)>,
    /// Worst mistakes in order: ply, lost seeds, better move, change of the result.
    lost: Vec<(usize, f64, String, Option<&'static str>)>,
}

/// Seeds of each hole by kind, the stores, and the marks of holes.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Board(Vec<u16>, [u16; 2], Vec<(u8, &'static str)>);

/// Player, text, wall-clock and CPU time in microseconds, steps, and the board afterwards if the
/// steps do not determine it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Ply<'k> {
    Steps(u8, &'k str, u64, u64, Vec<i32>),
    Board(u8, &'k str, u64, u64, Vec<i32>, Board),
}

/// Evidence of a forfeit as text that is safe to show.
#[derive(Debug, Serialize)]
pub struct ShownEvidence {
    /// The judged line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Why the move in that line was illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Instant of the judgment in the game, in milliseconds.
    pub at_ms: f64,
    /// Exit of the process, if it ended by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit: Option<String>,
    /// The end of standard error.
    pub stderr: String,
}

impl<'k> Replay<'k> {
    /// Plays a record again.
    pub(super) fn of(shown_game: &'k Shown<'_>, showing: &Showing<'_>) -> Self {
        let Showing { game, shape, lang, with_file } = *showing;
        let Shown { kept, analysis } = shown_game;
        let record = &kept.record;
        let mut played = Played::begin(game, shape);
        let start = Board::of(&played.table.contents());
        let plies: Vec<_> = record.plies.iter().map_while(|ply| played.ply(ply)).collect();
        let broken = (plies.len() < record.plies.len()).then(|| {
            let place = plies.len();
            format!("ply {}, {:?}", place + 1, record.plies[place].text)
        });
        let evidence = |side: Side| Some((side.number(), shown_evidence(record, side, lang)?));
        let claims = record.wrong_claims.iter();
        let claims = claims.map(|claim| (claim.ply, claim.by.number(), claim.text.shown(LINE)));
        let score = record.ending.score();
        Self {
            id: record.id().to_string(),
            start,
            opening: record.key.opening_plies(),
            plies,
            waits: waits(record),
            say: record.remarks.iter().map(said).collect(),
            claims: claims.collect(),
            evidence: Side::BOTH.into_iter().filter_map(evidence).collect(),
            score: [score.one, score.two],
            last: Board::of(&played.table.contents()),
            broken,
            analysis: analysis.map(ShownAnalysis::of),
            file: with_file.then(|| file(kept)),
        }
    }
}

impl ShownAnalysis {
    fn of(analysis: &GameAnalysis) -> Self {
        let rounded = |seeds: f64| (seeds * 100.0).round() / 100.0;
        let proven = |(ply, position): (usize, &PositionAnalysis)| {
            let verdict = position.verdict?;
            Some((ply, (verdict.winner.map_or(0, Side::number), verdict.margin)))
        };
        let lost = analysis.worst().into_iter().map(|one| {
            (one.ply, rounded(one.lost()), one.better.clone(), one.change.map(Change::name))
        });
        Self {
            by: analysis.by.clone(),
            values: analysis.positions.iter().map(|one| one.seeds.map(rounded)).collect(),
            proven: analysis.positions.iter().enumerate().filter_map(proven).collect(),
            lost: lost.collect(),
        }
    }
}

fn waits(record: &Record) -> BTreeMap<usize, u64> {
    let waits = record.plies.iter().map(|ply| micros(ply.waiting)).enumerate();
    waits.filter(|(_, wait)| *wait > 0).collect()
}

/// Remark of a bot on a move, with the value in it.
fn said(remark: &Remark) -> (u32, u8, String, Option<f64>) {
    (remark.ply, remark.by.number(), remark.text.shown(LINE), value_of(&remark.text))
}

/// Evidence against a side as text that is safe to show.
pub fn shown_evidence(record: &Record, side: Side, lang: Lang) -> Option<ShownEvidence> {
    let evidence = record.evidence[side].as_ref()?;
    Some(ShownEvidence {
        why: why_illegal(record, side).map(|why| why.to(lang)),
        line: evidence.line.as_ref().map(|line| line.shown(LINE)),
        at_ms: evidence.at.0 as f64 / 1e6,
        exit: evidence.exit.as_ref().map(|exit| exit.describe().to(lang)),
        stderr: Untrusted::new(tail(evidence.stderr.as_bytes())).shown_lines(STDERR),
    })
}

fn tail(bytes: &[u8]) -> &[u8] {
    &bytes[bytes.len().saturating_sub(STDERR)..]
}

/// The game as a file, without data that the page already has.
fn file(kept: &GameFile) -> GameFile {
    let mut record = Record { plies: Vec::new(), remarks: Vec::new(), ..kept.record.clone() };
    for side in Side::BOTH {
        if let Some(evidence) = &mut record.evidence[side] {
            evidence.stderr = Untrusted::new(tail(evidence.stderr.as_bytes()));
        }
    }
    GameFile::new(record, kept.dialects, kept.started_at)
}

impl Board {
    fn of(contents: &Contents) -> Self {
        let [one, two] = [contents.stores.one, contents.stores.two];
        let marks = contents.marks.iter().map(|(hole, mark)| (*hole, name(*mark)));
        Self(contents.seeds.clone(), [one, two], marks.collect())
    }
}

fn name(mark: HoleMark) -> &'static str {
    match mark {
        HoleMark::Closed => "closed",
        HoleMark::Child(Side::One) => "child1",
        HoleMark::Child(Side::Two) => "child2",
        HoleMark::Ram => "ram",
        HoleMark::Locked => "locked",
        HoleMark::Owned(Side::One) => "owner1",
        HoleMark::Owned(Side::Two) => "owner2",
    }
}

/// A game in progress, and a second board that only follows steps.
#[derive(Debug)]
pub(super) struct Played {
    table: Box<dyn GameState>,
    follower: Follower,
    contents: Contents,
}

impl Played {
    pub(super) fn begin(game: &dyn DynGame, shape: &Shape) -> Self {
        let table = game.begin();
        let contents = table.contents();
        let follower = Follower::new(&contents, shape.kinds.len());
        Self { table, follower, contents }
    }

    /// Plays a ply; `None` if the rules do not allow it.
    pub(super) fn ply<'k>(&mut self, ply: &'k pitmaster_core::Ply) -> Option<Ply<'k>> {
        let steps = self.play(ply)?;
        let marks = std::mem::replace(&mut self.contents, self.table.contents()).marks;
        let by = ply.by.map_or(0, Side::number);
        let (text, wall, cpu) = (&*ply.text, micros(ply.wall), micros(ply.cpu));
        if self.follower.agrees(&self.contents) && marks == self.contents.marks {
            return Some(Ply::Steps(by, text, wall, cpu, steps));
        }
        self.follower.set(&self.contents);
        Some(Ply::Board(by, text, wall, cpu, steps, Board::of(&self.contents)))
    }

    fn play(&mut self, ply: &pitmaster_core::Ply) -> Option<Vec<i32>> {
        match self.table.turn() {
            Turn::Over(_) => None,
            Turn::Chance => {
                self.table.follow(&ply.text, &mut String::new()).ok()?;
                Some(Vec::new())
            }
            Turn::Player(_) => {
                let steps = self.table.play_watched(&ply.text).ok()?;
                Some(self.follower.follow(&steps.0))
            }
        }
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use pitmaster_core::BySide;
    use pitmaster_games as games;

    use super::super::super::fixtures;
    use super::*;

    fn replayed(record: Record, with_file: bool) -> serde_json::Value {
        let game = games::find(&"coloured-awale,both_40=off".parse().unwrap()).unwrap();
        let (shape, lang) = (game.shape(), Lang::French);
        let showing = Showing { game: &*game, shape: &shape, lang, with_file };
        let kept = GameFile::new(record, BySide::default(), 0);
        let analysis = crate::analysis::tests::analysis();
        let shown = Shown { kept, analysis: with_file.then_some(&analysis) };
        serde_json::to_value(Replay::of(&shown, &showing)).unwrap()
    }

    #[test]
    fn an_analysis_has_values_results_and_the_worst_moves() {
        let record = fixtures::tournament().0.swap_remove(0);
        let expected = serde_json::json!({
            "by": "house:expert, 200ms per ply",
            "values": [1.25, 0.75, 4.0, 4.0, 0.0, 0.0],
            "proven": {"2": [1, 4], "3": [1, 4], "4": [0, 0], "5": [0, 0]},
            "lost": [[4, 4.0, "3", "win-to-draw"], [2, 3.5, "7", null]],
        });
        assert_eq!(replayed(record.clone(), true)["analysis"], expected);
        assert!(replayed(record, false).get("analysis").is_none());
    }

    #[test]
    fn every_ply_has_its_steps_and_times() {
        let record = fixtures::tournament().0.swap_remove(0);
        let replay = replayed(record.clone(), true);
        assert_eq!(replay["id"], record.id().as_str());
        let plies = &replay["plies"];
        assert_eq!(plies[0], serde_json::json!([1, "1B", 1500, 1200, [0, 0, 1, 2, 1, 1, 2, 2, 1]]));
        assert_eq!(plies.as_array().unwrap().len(), 3);
        assert_eq!(replay["final"][0].as_array().unwrap().len(), 16 * 3);
        assert_eq!(replay["score"], serde_json::json!([50, 30]));
        assert!(replay.get("broken").is_none());
        assert_eq!(replay["file"]["record"]["plies"], serde_json::json!([]));
        assert!(replayed(record, false).get("file").is_none());
    }

    #[test]
    fn who_waited_for_a_core_has_that_beside_its_moves() {
        let mut record = fixtures::tournament().0.swap_remove(0);
        record.plies.iter_mut().for_each(|ply| ply.waiting = Duration::ZERO);
        assert!(replayed(record.clone(), true).get("waits").is_none());
        record.plies[1].waiting = Duration::from_micros(812_345);
        assert_eq!(replayed(record, true)["waits"], serde_json::json!({"1": 812_345}));
    }

    #[test]
    fn where_the_rules_do_not_follow_is_told() {
        let records = fixtures::tournament().0;
        let forfeit = records.into_iter().find(|record| record.evidence.one.is_some()).unwrap();
        let replay = replayed(forfeit, true);
        assert_eq!(replay["broken"], "ply 1, \"1T\"");
        let evidence = &replay["evidence"]["1"];
        assert_eq!(evidence["exit"], "a été arrêté par le signal 11 (SIGSEGV)");
        let shown = evidence.to_string();
        assert!(shown.contains("last") && !shown.contains('\u{1b}') && !shown.contains('\u{202e}'));
    }
}
