//! Page of a single game on a practice server: the data of its replay.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use pitmaster_core::i18n::Lang;
use pitmaster_core::{BySide, Dialect, Record, Side, ending_label};
use pitmaster_referee::rules_of;
use serde::Serialize;

use super::data::{EndingData, ShapeData, safe_json, words};
use super::index::winner;
use super::live::Following;
use super::replay::{Replay, Showing, Shown};
use crate::{GameAnalysis, GameFile};

/// Scripts of the page: the replay scripts of the report, and one that starts the page.
const SCRIPTS: [&str; 11] = [
    include_str!("start.js"),
    include_str!("data.js"),
    include_str!("links.js"),
    include_str!("positions.js"),
    include_str!("drawing.js"),
    include_str!("curve.js"),
    include_str!("moves.js"),
    include_str!("replay.js"),
    include_str!("live.js"),
    include_str!("play.js"),
    include_str!("game.js"),
];

/// Data of the page, for the script.
#[derive(Serialize)]
struct PageData<'d> {
    lang: &'static str,
    /// Translations into the page's language; empty in English.
    words: &'static BTreeMap<&'static str, &'static str>,
    game: GameData<'d>,
}

#[derive(Serialize)]
struct GameData<'d> {
    /// Tournament data that the scripts expect.
    tournament: Rules,
    summary: Summary<'d>,
    game: Replay<'d>,
    /// Source of the remaining plies of a running game.
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<&'d Following>,
}

#[derive(Serialize)]
struct Rules {
    shape: ShapeData,
    move_limit_ms: Option<f64>,
    /// Whether the replay is part of the page, not a dialog.
    alone: bool,
}

/// The game as in the list of a report.
#[derive(Serialize)]
struct Summary<'d> {
    id: String,
    names: [&'d str; 2],
    winner: u8,
    score: [u32; 2],
    /// `None` while it is being played.
    ending: Option<EndingData>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    live: bool,
}

/// Script of a page with [`game_data`].
pub fn game_script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| SCRIPTS.concat())
}

/// Data of a page that replays one game, as JSON for its element with the id `page`. Safe inside a
/// script element. Contains everything in the record except evidence, so the record must be
/// [redacted](crate::without_words) first.
///
/// # Errors
/// This version does not have the rules of the record, with the reason.
pub fn game_data(record: &Record, lang: Lang) -> Result<String, String> {
    data_of(record, None, None, lang)
}

/// As [`game_data`], with the analysis of the game.
///
/// # Errors
/// As [`game_data`].
pub fn analyzed_game_data(
    record: &Record,
    analysis: &GameAnalysis,
    lang: Lang,
) -> Result<String, String> {
    data_of(record, Some(analysis), None, lang)
}

/// Data of a finished or running game.
pub(super) fn data_of(
    record: &Record,
    analysis: Option<&GameAnalysis>,
    live: Option<&Following>,
    lang: Lang,
) -> Result<String, String> {
    let game = rules_of(record)?;
    let shape = game.shape();
    let record = Record { evidence: BySide::default(), ..record.clone() };
    let kept = GameFile::new(record, BySide::new(Dialect::Pitmaster, Dialect::Pitmaster), 0);
    let shown = Shown { kept, analysis };
    let showing = Showing { game: &*game, shape: &shape, lang, with_file: false };
    let (replay, record) = (Replay::of(&shown, &showing), &shown.kept.record);
    let limit = record.key.limits.per_move;
    let data = PageData {
        lang: lang.code(),
        words: own_words(lang),
        game: GameData {
            tournament: Rules {
                shape: ShapeData::of(shape.clone()),
                move_limit_ms: limit.map(|limit| limit.as_secs_f64() * 1000.0),
                alone: true,
            },
            summary: summary(record, live.is_some(), lang),
            game: replay,
            live,
        },
    };
    safe_json(&data).map_err(|error| error.to_string())
}

fn summary(record: &Record, live: bool, lang: Lang) -> Summary<'_> {
    let (ending, bots) = (&record.ending, &record.key.bots);
    let score = ending.score();
    let is_forfeit = Side::BOTH.into_iter().any(|side| ending.fault_of(side).is_some());
    Summary {
        id: record.id().to_string(),
        names: [bots.one.name.as_str(), bots.two.name.as_str()],
        winner: winner(ending),
        score: [score.one, score.two],
        ending: (!live).then(|| EndingData {
            label: ending_label(&ending.name()).to(lang),
            name: ending.name().to_string(),
            forfeit: is_forfeit,
        }),
        live,
    }
}

/// Translations of the messages in the script. Cached, because finding them is slow.
fn own_words(lang: Lang) -> &'static BTreeMap<&'static str, &'static str> {
    static ENGLISH: BTreeMap<&str, &str> = BTreeMap::new();
    static FRENCH: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();
    match lang {
        Lang::English => &ENGLISH,
        Lang::French => FRENCH.get_or_init(|| words(Lang::French, game_script())),
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Remark, Untrusted};

    use super::super::super::fixtures;
    use super::*;

    #[test]
    fn the_data_has_the_game_and_no_evidence() {
        for mut record in fixtures::tournament().0 {
            let text = Untrusted::new("</script><script>alert(1)</script>");
            record.remarks.push(Remark { ply: 1, by: Side::One, text });
            for lang in Lang::ALL {
                let json = game_data(&record, lang).unwrap();
                assert!(!json.contains('<'), "{json}");
                let data: serde_json::Value = serde_json::from_str(&json).unwrap();
                assert_eq!(data["lang"], lang.code());
                assert_eq!(data["words"].as_object().unwrap().is_empty(), lang == Lang::English);
                let game = &data["game"];
                assert_eq!(game["summary"]["id"], record.id().as_str());
                assert_eq!(game["game"]["say"].as_array().unwrap().len(), record.remarks.len());
                assert!(
                    game["game"].get("evidence").is_none() && game["game"].get("file").is_none()
                );
                assert!(!game["tournament"]["shape"]["holes"].as_array().unwrap().is_empty());
            }
        }
    }

    #[test]
    fn other_rules_are_an_error() {
        let mut record = fixtures::tournament().0.swap_remove(0);
        record.key.rules = "coloured-awale@999".into();
        assert!(game_data(&record, Lang::English).is_err());
    }
}
