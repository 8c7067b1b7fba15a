//! Script data of a page, except the games.

use std::collections::BTreeMap;

use pitmaster_core::i18n::Lang;
use pitmaster_games::Shape;
use serde::Serialize;

/// The page, for its script.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    pub(super) lang: &'static str,
    /// Translations into the page's language; empty in English.
    pub(super) words: BTreeMap<&'static str, &'static str>,
    pub(super) tournaments: Vec<TournamentData>,
}

/// A tournament, for the script.
#[derive(Debug, Serialize)]
pub(super) struct TournamentData {
    pub(super) key: String,
    pub(super) title: String,
    pub(super) game: String,
    pub(super) shape: ShapeData,
    pub(super) move_limit_ms: Option<f64>,
    pub(super) bots: Vec<BotData>,
    pub(super) endings: Vec<EndingData>,
    pub(super) games: usize,
    pub(super) chunk: usize,
    pub(super) beside: Option<String>,
    pub(super) downloads: bool,
}

/// A board, for the script.
#[derive(Debug, Serialize)]
pub(super) struct ShapeData {
    rows: u8,
    columns: u8,
    kinds: &'static [&'static str],
    stores: bool,
    holes: Vec<HoleData>,
}

#[derive(Debug, Serialize)]
struct HoleData {
    label: String,
    owner: u8,
    row: u8,
    column: u8,
}

/// A bot, for the script; its number is its place in the standings, from 0.
#[derive(Debug, Serialize)]
pub(super) struct BotData {
    pub(super) shown: String,
    pub(super) elo: Option<f64>,
    pub(super) low: Option<f64>,
    pub(super) high: Option<f64>,
    pub(super) rank: u32,
    pub(super) forfeits: u32,
    pub(super) own: bool,
}

/// A way to end, for the script.
#[derive(Debug, Serialize)]
pub(super) struct EndingData {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) forfeit: bool,
}

impl Data {
    /// JSON as in the page.
    pub(super) fn to_json(&self) -> serde_json::Result<String> {
        safe_json(self)
    }
}

/// JSON that is safe inside a script element.
pub(super) fn safe_json(data: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string(data)?.replace('<', "\\u003c"))
}

impl ShapeData {
    /// Makes the data of a game's board.
    pub(super) fn of(shape: Shape) -> Self {
        let Shape { rows, columns, kinds, stores, holes } = shape;
        let hole = |hole: pitmaster_games::HoleShape| HoleData {
            label: hole.label,
            owner: hole.owner.number(),
            row: hole.row,
            column: hole.column,
        };
        Self { rows, columns, kinds, stores, holes: holes.into_iter().map(hole).collect() }
    }
}

/// Translations of the messages that the script contains.
pub(super) fn words(lang: Lang, script: &str) -> BTreeMap<&'static str, &'static str> {
    match lang {
        Lang::English => BTreeMap::new(),
        Lang::French => {
            let rows = pitmaster_core::i18n::translations().iter().copied();
            rows.filter(|(english, _)| script.contains(&quoted(english))).collect()
        }
    }
}

/// String literal of a script.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
