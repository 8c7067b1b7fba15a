//! Trace file: a game per line, as JSON. It must not know the engine.

use serde::Deserialize;
use serde_json::{Map, Value};

pub(crate) use super::lines::lines;

/// A set of fields: of a state, of what changed in one, of a configuration.
pub(crate) type Fields = Map<String, Value>;

/// A played game.
#[derive(Debug, Deserialize)]
pub(crate) struct Trace {
    /// The configuration's name: of a game, or of a `Game::Variant`.
    #[serde(rename = "g")]
    pub(crate) game: String,
    /// Which game of this configuration.
    #[serde(rename = "k")]
    pub(crate) index: u32,
    /// The configuration itself, where no file holds it.
    pub(crate) cfg: Option<Fields>,
    /// The state in which it began, and the counters.
    pub(crate) start: Fields,
    /// Steps.
    #[serde(rename = "mv")]
    pub(crate) steps: Vec<Step>,
    /// Result.
    #[serde(rename = "res")]
    pub(crate) result: GameEnd,
}

/// Ending of a game.
#[derive(Debug, Deserialize)]
pub(crate) struct GameEnd {
    /// `WIN`, `TIE`, `CAP` (broken off) or `STUCK`.
    pub(crate) end: String,
    /// Who has won.
    #[serde(rename = "w")]
    pub(crate) winner: Option<u8>,
}

/// Step with its changes.
#[derive(Debug, Deserialize)]
#[serde(try_from = "AnyStep")]
pub(crate) struct Step {
    pub(crate) kind: Kind,
    /// Fields that changed; `null` is back to the default.
    pub(crate) changed: Fields,
}

/// What kind of step.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A player moved.
    Move {
        player: u8,
        legal: Vec<Value>,
        mv: Value,
        /// `WIN`, `TIE`, `ROUND_WIN`, `ROUND_TIE` or `REPEAT_TURN`.
        outcome: Option<String>,
        winner: Option<u8>,
        /// Whether the limit of laps ended the move.
        endless: bool,
    },
    /// A new round was dealt.
    Round {
        starter: u8,
        moves: u32,
        turns: u32,
        repeats: u32,
        /// Whether the winner got the hole that was drawn for.
        lot: Option<u8>,
        /// The opening move that was drawn.
        opening: Option<Value>,
    },
    /// A player was asked for a layout.
    Choice {
        side: u8,
        /// Whether something was chosen; otherwise it stays as it is.
        made: bool,
    },
}

/// A step with every key that any kind of step can have.
#[derive(Deserialize)]
struct AnyStep {
    d: Fields,
    t: Option<u8>,
    #[serde(rename = "L", default)]
    legal: Vec<Value>,
    m: Option<Value>,
    c: Option<String>,
    w: Option<u8>,
    endless: Option<u8>,
    #[serde(rename = "R")]
    round: Option<u32>,
    st: Option<u8>,
    mc: Option<u32>,
    mv: Option<u32>,
    rc: Option<u32>,
    lot: Option<u8>,
    om: Option<Value>,
    side: Option<u8>,
    fill: Option<Value>,
    own: Option<Value>,
}

impl TryFrom<AnyStep> for Step {
    type Error = &'static str;

    fn try_from(any: AnyStep) -> Result<Self, Self::Error> {
        let kind = if any.round.is_some() {
            Kind::Round {
                starter: any.st.ok_or("a round without st")?,
                moves: any.mc.ok_or("a round without mc")?,
                turns: any.mv.ok_or("a round without mv")?,
                repeats: any.rc.unwrap_or(0),
                lot: any.lot,
                opening: any.om,
            }
        } else if let Some(side) = any.side {
            Kind::Choice { side, made: any.fill.or(any.own).is_some() }
        } else {
            Kind::Move {
                player: any.t.ok_or("a move without t")?,
                legal: any.legal,
                mv: any.m.ok_or("a move without m")?,
                outcome: any.c,
                winner: any.w,
                endless: any.endless == Some(1),
            }
        };
        Ok(Self { kind, changed: any.d })
    }
}
