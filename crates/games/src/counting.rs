//! Per-player counts of a position, for evaluation. The module does not weigh them.

use pitmaster_core::Side;

use super::Rules;

/// Quantity that can be counted for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Count {
    /// Seeds that can no longer be captured: those in the store and in children.
    Stores,
    /// Children.
    Children,
    /// Seeds in the holes that the player owns, without children.
    Seeds,
    /// Empty holes that the player owns, without children.
    Empties,
    /// Holes with an even number of seeds, not 0, that the player owns, without children.
    Evens,
    /// Holes of the opponent's side in which a sowing of the player can end.
    Reach,
}

/// Game whose positions can be counted. By default, turns alternate and there are no rounds.
pub trait Counting: Rules {
    /// Reason why a count is meaningless or impossible in this game; `None` if it can be counted.
    fn lacks(&self, what: Count) -> Option<&'static str>;

    /// Count for a player, of a quantity that the game does not lack.
    fn count(&self, position: &Self::Position, what: Count, side: Side) -> u32;

    /// Player to move, or the one that would be to move if the game or the round had not ended.
    fn on_turn(&self, position: &Self::Position) -> Side;

    /// Whether any move grants another turn.
    fn grants_turns(&self) -> bool {
        false
    }

    /// Whether the last move has granted another turn.
    fn granted_turn(&self, _: &Self::Position) -> bool {
        false
    }

    /// Reason why turns do not strictly alternate; `None` if they do. A layout before the first
    /// move is not a turn.
    fn breaks_alternation(&self) -> Option<&'static str> {
        None
    }

    /// Winner of the round that the last move has ended: `Some(None)` if it is tied, `None` if no
    /// round has just ended.
    fn round_won(&self, _: &Self::Position) -> Option<Option<Side>> {
        None
    }
}
