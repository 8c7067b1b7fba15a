//! Division of the remaining seeds: `unclaimed`, and `quitter` when a limit ends a game.

use pitmaster_core::Side;

use crate::Observer;
use crate::two_row::params::{RoundFill, Unclaimed};
use crate::two_row::plan::{Family, Plan};
use crate::two_row::position::{HoleSet, Position};
use crate::two_row::ring::{Cell, NOWHERE, store};
use crate::two_row::rounds::tally;
use crate::two_row::trace;

impl Plan {
    /// Gives away the seeds in play at an end by the rules. Those in children stay and count for
    /// their owner; rams stay and count for no player.
    pub(super) fn settle_unclaimed<O: Observer>(
        &self,
        pos: &mut Position,
        mover: Side,
        watch: &mut O,
    ) {
        match self.params.unclaimed {
            _ if self.params.round_fill == RoundFill::LoserOnly => {}
            _ if self.params.no_sides => trace::sweep(pos, self.in_play(pos), NOWHERE, watch),
            Unclaimed::Divvied => self.halve_into_stores(pos, watch),
            Unclaimed::UnfedPlayer => self.settle_quitter(pos, mover, watch),
            by => self.give_away(pos, mover, by, watch),
        }
    }

    /// Gives away the seeds in play if a limit ends a game. Without sides, a hole still belongs to
    /// the owner of its row.
    fn settle_quitter<O: Observer>(&self, pos: &mut Position, mover: Side, watch: &mut O) {
        match self.params.quitter {
            _ if self.params.round_fill == RoundFill::LoserOnly => {}
            Unclaimed::Divvied | Unclaimed::UnfedPlayer if self.into_children => {
                self.halve_into_children(pos, watch);
            }
            Unclaimed::Divvied | Unclaimed::UnfedPlayer => self.halve_into_stores(pos, watch),
            by => self.give_away(pos, mover, by, watch),
        }
    }

    fn give_away<O: Observer>(
        &self,
        pos: &mut Position,
        mover: Side,
        by: Unclaimed,
        watch: &mut O,
    ) {
        let holes = self.in_play(pos);
        match by {
            Unclaimed::HoleOwner => {
                for side in Side::BOTH {
                    let owned = holes & pos.owned_by(side, self.board);
                    trace::sweep(pos, owned, store(side), watch);
                }
            }
            Unclaimed::LastMover => trace::sweep(pos, holes, store(mover), watch),
            _ => trace::sweep(pos, holes, NOWHERE, watch),
        }
    }

    /// Divides the seeds equally. An odd seed goes to the smaller store, player 2's in a tie.
    fn halve_into_stores<O: Observer>(&self, pos: &mut Position, watch: &mut O) {
        let mut cells = Side::BOTH.map(store);
        if pos.stores.one >= pos.stores.two {
            cells.reverse();
        }
        trace::halve(pos, self.in_play(pos), cells, watch);
    }

    /// Divides the seeds between the last child of each player, or that of the only player with
    /// children. An odd seed goes to player 1 if player 2's children hold more. Without children
    /// the seeds leave play, a bug that games rely on.
    fn halve_into_children<O: Observer>(&self, pos: &mut Position, watch: &mut O) {
        let holes = self.in_play(pos);
        let Some(mut cells) = last_children(pos) else {
            return trace::sweep(pos, holes, NOWHERE, watch);
        };
        if pos.sum(pos.children.one) >= pos.sum(pos.children.two) {
            cells.reverse();
        }
        trace::halve(pos, holes, cells, watch);
    }

    /// Ends the whole game at a limit, by the `quitter` settlement, and determines the winner. If
    /// that went into children, only they are compared.
    pub(in crate::two_row) fn force_end<O: Observer>(
        &self,
        pos: &mut Position,
        mover: Side,
        watch: &mut O,
    ) -> super::Won {
        let won = if self.family == Family::Seeds {
            self.settle_quitter(pos, mover, watch);
            if self.quits_into_children() {
                pos.in_children().leader()
            } else {
                self.more_seeds(pos)
            }
        } else {
            None
        };
        if self.tallies { tally::break_off(&self.params, pos, won) } else { won }
    }

    /// Whether a limit divides the remaining seeds among children, and compares only them.
    pub(in crate::two_row) fn quits_into_children(&self) -> bool {
        self.into_children
            && self.family == Family::Seeds
            && self.params.quitter == Unclaimed::Divvied
    }
}

/// Last child of each player, or of the only one that has any.
fn last_children(pos: &Position) -> Option<[Cell; 2]> {
    let last = |children: HoleSet| children.checked_ilog2().map(|hole| hole as Cell);
    let (one, two) = (last(pos.children.one), last(pos.children.two));
    Some([one.or(two)?, two.or(one)?])
}
