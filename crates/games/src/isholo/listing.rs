//! Move generation for a board. The module does not know the side to move.

use pitmaster_core::Side;

use super::Kind;
use super::hole::Hole;
use super::moves::{Choices, Move, Template};
use super::play::{Board, Rest};
use super::trace::Watch;
use crate::MoveList;

/// Watch without an observer, for trial moves.
pub(super) fn unseen(observer: &mut ()) -> Watch<'_, ()> {
    Watch { observer, mover: Side::One }
}

impl Board {
    /// Adds the mover's legal moves and templates, in the order of their holes and choices.
    pub(super) fn list(self, kind: Kind, list: &mut MoveList<Move, Template>) {
        for hole in self.filled() {
            let mut board = self;
            match board.begin(kind, hole, &mut unseen(&mut ())) {
                Rest::Done => list.moves.push(Move::plain(hole)),
                Rest::Lay(seeds) => list.templates.push(Template { hole, seeds }),
                Rest::Choose(hand) => board.list_choices(kind, hand, hole, Choices::NONE, list),
                Rest::Endless => {}
            }
        }
    }

    fn list_choices(
        self,
        kind: Kind,
        hand: u8,
        hole: Hole,
        made: Choices,
        list: &mut MoveList<Move, Template>,
    ) {
        for choice in self.choices() {
            let Some(choices) = made.and(choice) else { continue };
            let mut board = self;
            match board.choose(kind, hand, choice.place(), &mut unseen(&mut ())) {
                Rest::Done => list.moves.push(Move::Sow { hole, choices }),
                Rest::Choose(hand) => board.list_choices(kind, hand, hole, choices, list),
                Rest::Lay(_) | Rest::Endless => {}
            }
        }
    }

    /// Whether the mover has a legal move.
    pub(super) fn can_move(self, kind: Kind) -> bool {
        self.filled().any(|hole| {
            let mut board = self;
            let rest = board.begin(kind, hole, &mut unseen(&mut ()));
            board.can_end(kind, rest)
        })
    }

    /// Whether a move in that state can be completed.
    fn can_end(self, kind: Kind, rest: Rest) -> bool {
        match rest {
            Rest::Done | Rest::Lay(_) => true,
            Rest::Endless => false,
            Rest::Choose(hand) => self.choices().any(|choice| {
                let mut board = self;
                let rest = board.choose(kind, hand, choice.place(), &mut unseen(&mut ()));
                board.can_end(kind, rest)
            }),
        }
    }

    /// The mover's holes with seeds.
    fn filled(self) -> impl Iterator<Item = Hole> {
        Hole::ALL.into_iter().filter(move |hole| self.own.get(hole.place()) > 0)
    }
}
