//! Who gets the seeds that are left: `unclaimed`, and `quitter` when a limit ends a game.

use crate::games::Observer;
use crate::games::two_row::params::{RoundFill, Unclaimed};
use crate::games::two_row::plan::{Family, Plan};
use crate::games::two_row::position::{HoleSet, Position};
use crate::games::two_row::ring::{Cell, NOWHERE, store};
use crate::games::two_row::rounds::tally;
use crate::games::two_row::watch;
use crate::record::Side;

impl Plan {
    /// Gives the seeds in play away. Those in children stay and count for their owner; rams
    /// stay and count for nobody.
    pub(in crate::games::two_row) fn settle<O: Observer>(
        &self,
        pos: &mut Position,
        mover: Side,
        by: Unclaimed,
        watch: &mut O,
    ) {
        let holes = self.in_play(pos);
        if self.params.round_fill == RoundFill::LoserOnly {
            return;
        }
        if self.params.no_sides {
            return watch::sweep(pos, holes, NOWHERE, watch);
        }
        match by {
            Unclaimed::HoleOwner => {
                for side in Side::BOTH {
                    let owned = holes & pos.owned_by(side, self.board);
                    watch::sweep(pos, owned, store(side), watch);
                }
            }
            Unclaimed::DontScore => watch::sweep(pos, holes, NOWHERE, watch),
            Unclaimed::LastMover => watch::sweep(pos, holes, store(mover), watch),
            Unclaimed::Divvied => self.divvy(pos, holes, watch),
            Unclaimed::UnfedPlayer if self.params.quitter == Unclaimed::UnfedPlayer => {
                self.divvy(pos, holes, watch);
            }
            Unclaimed::UnfedPlayer => self.settle(pos, mover, self.params.quitter, watch),
        }
    }

    /// Half each, an odd seed to who has fewer, player 2 if both have the same. Without stores
    /// the halves go into children.
    fn divvy<O: Observer>(&self, pos: &mut Position, holes: HoleSet, watch: &mut O) {
        let (cells, won) = if self.into_children {
            (last_children(pos), Side::BOTH.map(|side| pos.seeds_won(side)))
        } else {
            (Some(Side::BOTH.map(store)), Side::BOTH.map(|side| pos.stores[side].into()))
        };
        let Some([one, two]) = cells else {
            // A loss that games rely on: the seeds leave play, and the game is tied.
            return watch::sweep(pos, holes, NOWHERE, watch);
        };
        let poorer_first = if won[0] < won[1] { [one, two] } else { [two, one] };
        watch::halve(pos, holes, poorer_first, watch);
    }

    /// Ends the whole game where a limit does, by the `quitter` settlement: who has won then.
    pub(in crate::games::two_row) fn force_end<O: Observer>(
        &self,
        pos: &mut Position,
        mover: Side,
        watch: &mut O,
    ) -> super::Won {
        let nowhere = self.into_children
            && pos.any_children() == 0
            && self.params.quitter == Unclaimed::Divvied;
        let won = if self.family == Family::Seeds {
            self.settle(pos, mover, self.params.quitter, watch);
            self.more_seeds(pos).filter(|_| !nowhere)
        } else {
            None
        };
        if self.tallies { tally::break_off(&self.params, pos, won) } else { won }
    }
}

/// The last child of each player, or of the only one that has any.
fn last_children(pos: &Position) -> Option<[Cell; 2]> {
    let last = |children: HoleSet| children.checked_ilog2().map(|hole| hole as Cell);
    let (one, two) = (last(pos.children.one), last(pos.children.two));
    Some([one.or(two)?, two.or(one)?])
}
