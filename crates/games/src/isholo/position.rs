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

/// The seeds in every hole, and who is to move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Position {
    /// By the places of their owner's cycle.
    pub(super) seeds: BySide<Holes>,
    pub(super) side: Side,
    /// Whether the side to move has seeds, but no move that ends. Follows from the rest, and is
    /// worked out once because all moves must be tried for it.
    is_stuck: bool,
}

impl Position {
    /// The position of these seeds.
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

    /// How many seeds lie in a hole of a player.
    pub fn seeds(&self, owner: Side, hole: Hole) -> u8 {
        self.seeds[owner].get(hole.place())
    }

    /// Who is to move, or would be if the game were not over.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The board as the side to move sees it.
    pub(super) fn board(&self) -> Board {
        Board { own: self.seeds[self.side], other: self.seeds[self.side.other()] }
    }

    /// The position after a move; `None` if the move is not legal.
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

    /// How many holes of a player have seeds.
    pub(super) fn filled(&self, owner: Side) -> u32 {
        self.seeds[owner].occupied().total().into()
    }

    /// How many seeds a player has.
    pub(super) fn total(&self, owner: Side) -> u32 {
        self.seeds[owner].total().into()
    }

    /// Who has lost by what lies on the board. The opponent of the side to move has made the
    /// last move, and has not lost where both would have.
    fn loser(&self, kind: Kind) -> Option<Side> {
        let has_lost = |side: &Side| match kind {
            Kind::Three => self.filled(*side) <= FEW_HOLES,
            _ => self.seeds[*side].is_empty(),
        };
        [self.side, self.side.other()].into_iter().find(has_lost)
    }
}

/// Who has seeds in no more holes than these has lost game 3.
pub(super) const FEW_HOLES: u32 = 2;

impl Isholo {
    /// The outcome, if the game is over.
    pub(super) fn outcome(self, position: &Position) -> Option<Outcome> {
        let score = self.score_of(position);
        if let Some(loser) = position.loser(self.kind) {
            let clause = if self.kind == Kind::Three { "2-holes" } else { "empty" };
            return Some(Outcome { winner: Some(loser.other()), score, clause });
        }
        position.is_stuck.then_some(Outcome { winner: None, score, clause: "endless" })
    }

    /// The seeds on a player's side; in game 3, the empty holes of the opponent.
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

    /// No board is known on which all moves are endless; none was met among a hundred million.
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
