//! Position, with its moves and the end of the game.

use pitmaster_core::{BySide, Score, Side};

use super::hole::Hole;
use super::moves::Move;
use super::play::Board;
use super::sowing::SEEDS;
use super::trace::Watch;
use super::{Isholo, Kind};
use crate::holes::{HOLES, Holes};
use crate::{Observer, Outcome};

/// Position: seeds in every hole, and the side to move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// Seeds by index in their owner's cycle.
    pub(super) seeds: BySide<Holes>,
    pub(super) side: Side,
    /// Whether the side to move has seeds but no move that ends. Derived from the other fields, and
    /// cached because it requires trying all moves.
    is_stuck: bool,
}

impl Position {
    /// Makes a position of these seeds.
    pub(super) fn new(kind: Kind, seeds: BySide<Holes>, side: Side) -> Self {
        let mut position = Self { seeds, side, is_stuck: false };
        position.is_stuck = !position.seeds[side].is_empty() && !position.board().can_move(kind);
        position
    }

    /// Two seeds in every hole, player 1 to move.
    pub(super) fn start(kind: Kind) -> Self {
        let each = Holes::all((SEEDS / (2 * HOLES)) as u8);
        Self::new(kind, BySide::new(each, each), Side::One)
    }

    /// Number of seeds in a hole of a player.
    pub fn seeds(&self, owner: Side, hole: Hole) -> u8 {
        self.seeds[owner].get(hole.place())
    }

    /// Side to move, or the one that would be to move if the game were not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Board from the view of the side to move.
    pub(super) fn board(&self) -> Board {
        Board { own: self.seeds[self.side], other: self.seeds[self.side.other()] }
    }

    /// Position after a move; `None` if the move is not legal.
    pub(super) fn after<O: Observer>(
        &self,
        kind: Kind,
        mv: &Move,
        observer: &mut O,
    ) -> Option<Self> {
        let mut board = self.board();
        let mut watch = Watch { observer, mover: self.side };
        board.make(kind, mv, &mut watch).then(|| {
            let seeds = match self.side {
                Side::One => BySide::new(board.own, board.other),
                Side::Two => BySide::new(board.other, board.own),
            };
            Self::new(kind, seeds, self.side.other())
        })
    }

    /// Number of holes of a player with seeds.
    pub(super) fn filled(&self, owner: Side) -> u32 {
        self.seeds[owner].occupied().total().into()
    }

    /// Number of seeds of a player.
    pub(super) fn total(&self, owner: Side) -> u32 {
        self.seeds[owner].total().into()
    }

    /// Side that has lost by its seeds on the board. The opponent of the side to move has made the
    /// last move, and has not lost if both would have.
    fn loser(&self, kind: Kind) -> Option<Side> {
        let has_lost = |side: &Side| match kind {
            Kind::Three => self.filled(*side) <= FEW_HOLES,
            _ => self.seeds[*side].is_empty(),
        };
        [self.side, self.side.other()].into_iter().find(has_lost)
    }
}

/// Number of holes: a player whose seeds are in no more holes than this has lost game 3.
pub(super) const FEW_HOLES: u32 = 2;

impl Isholo {
    /// Outcome, if the game is over.
    pub(super) fn outcome(self, position: &Position) -> Option<Outcome> {
        let score = self.score_of(position);
        if let Some(loser) = position.loser(self.kind) {
            let clause = if self.kind == Kind::Three { "2-holes" } else { "empty" };
            return Some(Outcome { winner: Some(loser.other()), score, clause });
        }
        position.is_stuck.then_some(Outcome { winner: None, score, clause: "endless" })
    }

    /// Seeds on a player's side; in game 3, the empty holes of the opponent.
    pub(super) fn score_of(self, position: &Position) -> Score {
        let of = |side: Side| match self.kind {
            Kind::Three => HOLES as u32 - position.filled(side.other()),
            _ => position.total(side),
        };
        BySide::new(of(Side::One), of(Side::Two))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No board is known on which all moves are endless; a hundred million had none.
    #[test]
    fn a_player_with_endless_moves_only_has_not_lost() {
        for kind in Kind::ALL {
            let stuck = Position { is_stuck: true, ..Position::start(kind) };
            let outcome = Isholo { kind }.outcome(&stuck).expect("over");
            assert_eq!((outcome.winner, outcome.clause), (None, "endless"));
            assert!(!Position::start(kind).is_stuck);
        }
    }

    #[test]
    fn whoever_has_no_seeds_has_lost_and_is_not_stuck() {
        let seeds = BySide::new(Holes::NONE, Holes::only(3, 1));
        for side in Side::BOTH {
            let position = Position::new(Kind::One, seeds, side);
            let outcome = Isholo { kind: Kind::One }.outcome(&position).expect("over");
            assert_eq!((outcome.winner, outcome.clause), (Some(Side::Two), "empty"));
        }
    }
}
