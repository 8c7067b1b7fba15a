//! State of a move in progress.

use pitmaster_core::Side;

use super::Way;
use super::position::Position;
use super::ring::{Cell, NOWHERE};

/// State of a move in progress.
#[expect(clippy::struct_excessive_bools, reason = "a move can be several of these at once")]
#[derive(Debug, Clone)]
pub(super) struct Sowing {
    /// Side that moves.
    pub(super) side: Side,
    /// Direction of the sowing.
    pub(super) way: Way,
    /// Direction of the first lap.
    pub(super) first_way: Way,
    /// Start of the move.
    pub(super) origin: Cell,
    /// Start of the lap.
    pub(super) start: Cell,
    /// The seeds of the lap.
    pub(super) hand: u16,
    /// Cell of the last seed.
    pub(super) end: Cell,
    /// Whether another turn was granted.
    pub(super) repeat: bool,
    /// Whether something was captured.
    pub(super) captured: bool,
    /// Whether something was captured or picked, or a child was made.
    pub(super) changed: bool,
    /// Whether the limit of laps was reached.
    pub(super) endless: bool,
    /// Whether this is the first lap.
    pub(super) first_lap: bool,
    /// Whether a capture between laps is in progress.
    pub(super) between_laps: bool,
    /// Cell of the capture.
    pub(super) at: Cell,
    /// Cell at which a chain of captures would continue. A bug that games rely on: hole 0 until a
    /// capture has set it.
    pub(super) next: Cell,
    /// Seeds by hole before the move.
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
