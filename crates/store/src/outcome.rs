//! Outcome of a stored game, read from a few columns of its row.

use pitmaster_core::{BySide, Ending, GameId, GameKey, Side};
use rusqlite::Row;
use serde::de::IgnoredAny;

use super::columns::{Json, json, unreadable};

/// Columns of an [`Outcome`]. The checksum of a row covers all columns, so it is not verified:
/// [`Reader::require_intact`](super::Reader::require_intact) does that for all rows.
pub(super) const COLUMNS: &str = "game_id, key, ending_facts, fingerprint, movers, evidence, \
     started_at, duration_ns";

/// Ending of a game without its moves and times: all that pairing and standings need, at a fraction
/// of the cost of an [`Attempt`](super::Attempt).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Id of the game.
    pub id: GameId,
    /// Key of the game.
    pub key: GameKey,
    /// Ending of the game.
    pub ending: Ending,
    /// Fingerprint of the moves.
    pub fingerprint: u64,
    /// Sides that made a move after the opening.
    pub moved: BySide<bool>,
    /// Sides that lost an unplayed game.
    pub unplayed: BySide<bool>,
    /// When it ended, in milliseconds since 1970.
    pub ended_at: u64,
}

impl Outcome {
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let (key, ending): (GameKey, Ending) = (json(row, "key")?, json(row, "ending_facts")?);
        let digits = row.get_ref("fingerprint")?.as_str()?;
        let fingerprint = u64::from_str_radix(digits, 16)
            .map_err(|error| unreadable("fingerprint", &error.to_string()))?;
        let movers = row.get_ref("movers")?.as_str()?;
        let movers = movers.get(key.opening_plies()..).unwrap_or_default();
        let moved =
            |side: Side| movers.chars().any(|by| by.to_digit(10) == Some(side.number().into()));
        let evidence: Option<Json<BySide<Option<IgnoredAny>>>> = row.get("evidence")?;
        let has_evidence =
            |side| evidence.as_ref().is_some_and(|Json(evidence)| evidence[side].is_some());
        let started_at = row.get::<_, i64>("started_at")?.cast_unsigned();
        let took = row.get::<_, i64>("duration_ns")?.cast_unsigned() / 1_000_000;
        Ok(Self {
            ended_at: started_at.saturating_add(took),
            id: super::reader::read_id(row)?,
            moved: BySide::from_fn(moved),
            unplayed: BySide::from_fn(|side| {
                ending.fault_of(side).is_some() && !has_evidence(side)
            }),
            key,
            ending,
            fingerprint,
        })
    }
}
