//! State of a move in progress.

use pitmaster_core::Side;

use super::Way;
use super::position::Position;
use super::ring::{Cell, NOWHERE};

/// What is known of a move while it is being made.
#[expect(clippy::struct_excessive_bools, reason = "a move can be several of these at once")]
#[derive(Debug, Clone)]
pub(super) struct Sowing {
    /// Who makes it.
    pub(super) side: Side,
    /// Which way it is sown.
    pub(super) way: Way,
    /// Which way its first lap was sown.
    pub(super) first_way: Way,
    /// Where the move began.
    pub(super) origin: Cell,
    /// Where the lap begins.
    pub(super) start: Cell,
    /// The seeds of the lap.
    pub(super) hand: u16,
    /// Where the last seed fell.
    pub(super) end: Cell,
    /// Another turn was granted.
    pub(super) repeat: bool,
    /// Something was captured.
    pub(super) captured: bool,
    /// Something was captured or picked, or a child was made.
    pub(super) changed: bool,
    /// The limit of laps was reached.
    pub(super) endless: bool,
    /// The first lap.
    pub(super) first_lap: bool,
    /// A capture between laps is being made.
    pub(super) between_laps: bool,
    /// Where the capture was made.
    pub(super) at: Cell,
    /// Where a chain of captures would go on. A slip that games rely on: hole 0 as long as no
    /// capture has said where.
    pub(super) next: Cell,
    /// The seeds by hole before the move.
    pub(super) before: [u16; super::SEEDS],
}

impl Sowing {
    pub(super) fn new(pos: &Position, side: Side, way: Way, start: Cell) -> Self {
        Self {
            side,
            way,
            first_way: way,
            origin: start,
            start,
            hand: 0,
            end: start,
            repeat: false,
            captured: false,
            changed: false,
            endless: false,
            first_lap: true,
            between_laps: false,
            at: NOWHERE,
            next: 0,
            before: pos.seeds,
        }
    }
}
