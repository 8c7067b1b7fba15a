//! End-of-game and end-of-round tests, and the winner.

mod elimination;
mod settle;
#[cfg(test)]
mod tests;

use pitmaster_core::Side;

use super::move_filters::Survey;
use super::params::{EndCond, PickExtra, RoundFill, Rounds, Unclaimed};
use super::plan::{Family, Plan};
use super::position::{Clause, HoleSet, Phase, Position};
use super::ring::store;
use super::rounds::tally;
use super::sides::in_column;
use super::sowing::Sowing;
use super::trace;
use crate::Observer;

/// Result of the end test: the winner, or `None` for a tie.
type Won = Option<Side>;

impl Plan {
    /// End test after every move, with the mover still on turn. Settles seeds if play ends, and
    /// returns the next phase if it is not another move.
    pub(super) fn end_test<O: Observer>(
        &self,
        pos: &mut Position,
        s: &Sowing,
        watch: &mut O,
    ) -> Option<Phase> {
        let before = pos.stores;
        let won = match self.family {
            Family::Seeds => self.end_of_seeds(pos, s, watch)?,
            _ => self.eliminated(pos, s)?,
        };
        let phase = self.round_or_game(pos, won);
        if self.into_children {
            for side in Side::BOTH {
                let kept_in = self.kept_in(pos, side);
                trace::keep_in_child(pos, kept_in, side, before[side], watch);
            }
        }
        Some(phase)
    }

    /// Holes of which the first receives a player's seeds at settlement, if there are no stores. A
    /// player without children uses the opponent's; without any children, a hole at the west end of
    /// the board is used.
    fn kept_in(&self, pos: &Position, side: Side) -> HoleSet {
        match (pos.children[side], pos.children[side.other()]) {
            (0, 0) => 1 << in_column(&self.params, side, 0),
            (0, others) => others,
            (own, _) => own,
        }
    }

    /// Whether a result ends the game or only the round.
    fn round_or_game(&self, pos: &mut Position, won: Won) -> Phase {
        match self.params.rounds {
            Rounds::None => Phase::Over(won, Clause::Goal),
            _ => tally::conclude(&self.params, pos, won, &|pos| self.has_allowable(pos, pos.side)),
        }
    }

    /// Seeds that a player has permanently, and those in the player's holes.
    pub(super) fn holdings(&self, pos: &Position, side: Side) -> u32 {
        pos.seeds_won(side) + pos.sum(self.loose(pos) & pos.owned_by(side, self.board))
    }

    /// Holes that are not children.
    fn loose(&self, pos: &Position) -> HoleSet {
        self.board & !pos.any_children()
    }

    /// Holes whose seeds are still in play, which excludes rams.
    fn in_play(&self, pos: &Position) -> HoleSet {
        self.loose(pos) & !pos.rams
    }

    fn end_of_seeds<O: Observer>(
        &self,
        pos: &mut Position,
        s: &Sowing,
        watch: &mut O,
    ) -> Option<Won> {
        let ended = self.ended_by_limit(pos, s);
        if !ended && let Some(won) = self.clear_winner(pos) {
            return Some(won);
        }
        if let Some(won) = self.ended_by_moves(pos, s, ended, watch) {
            return Some(won);
        }
        if self.numbers.needed > 0 && pos.any_children() | pos.rams == 0 {
            let left = pos.on_board();
            if left > 0 && left < self.numbers.needed {
                return self.ended_by_moves(pos, s, true, watch);
            }
        }
        None
    }

    /// Winner with more seeds than needed to win, or a tie if both have exactly these.
    fn clear_winner(&self, pos: &Position) -> Option<Won> {
        let [one, two] = Side::BOTH.map(|side| {
            u32::from(pos.stores[side]) + pos.sum(pos.children[side] & self.kept_children)
        });
        let win = self.numbers.win;
        if one > win {
            Some(Some(Side::One))
        } else if two > win {
            Some(Some(Side::Two))
        } else {
            (one == win && two == win).then_some(None)
        }
    }

    /// Whether `end_cond` or, in rounds, the number of seeds on the board ends play.
    fn ended_by_limit(&self, pos: &Position, s: &Sowing) -> bool {
        let left = |holes| pos.sum(self.in_play(pos) & holes);
        let per_hole = self.params.nbr_start as u32;
        let picks_last =
            matches!(self.params.pickextra, PickExtra::PickLastSeeds | PickExtra::Pick2xLastSeeds);
        let round_over = match self.params.rounds {
            Rounds::EndSSeeds if !picks_last => left(self.board) <= per_hole,
            Rounds::End2SSeeds if !picks_last => left(self.board) <= 2 * per_hole,
            _ => false,
        };
        let limit = self.params.end_param as u32;
        round_over
            || match self.params.end_cond {
                EndCond::None => false,
                EndCond::SeedsLimit => left(self.board) <= limit,
                EndCond::ClearedOwn => left(self.side(s.side)) == 0,
                EndCond::ClearedOpp => left(self.side(s.side.other())) == 0,
                EndCond::HoleSeedLimit => pos.holding(self.in_play(pos), limit as u16 + 1) == 0,
            }
    }

    /// Ends play if there are no moves, then settles and counts the seeds.
    fn ended_by_moves<O: Observer>(
        &self,
        pos: &mut Position,
        s: &Sowing,
        ended: bool,
        watch: &mut O,
    ) -> Option<Won> {
        let seen = self.survey(pos);
        let shares = self.params.mustshare && !self.params.mustpass;
        let ended = ended || seen.enough == 0;
        let unfed = if shares && !ended { self.unfed(pos, s, seen) } else { None };
        if !ended && unfed.is_none() && !self.nobody_moves(pos, s, seen) {
            return None;
        }
        match unfed {
            Some(unfed) if self.params.unclaimed == Unclaimed::UnfedPlayer => {
                trace::sweep(pos, self.in_play(pos), store(unfed), watch);
            }
            _ => self.settle_unclaimed(pos, s.side, watch),
        }
        Some(self.more_seeds(pos))
    }

    /// Player that cannot be fed although it must be.
    fn unfed(&self, pos: &Position, s: &Sowing, seen: Survey) -> Option<Side> {
        let has = |side: Side| pos.owned_by(side, self.board) & seen.enough != 0;
        let feeder = if s.repeat { s.side } else { s.side.other() };
        let unfed = feeder.other();
        let helpless = !has(unfed) && has(feeder);
        (helpless && self.allowable(pos, feeder, seen).holes() == 0).then_some(unfed)
    }

    fn nobody_moves(&self, pos: &Position, s: &Sowing, seen: Survey) -> bool {
        let moves = |side| self.allowable(pos, side, seen).holes() != 0;
        let next = if s.repeat { s.side } else { s.side.other() };
        !(moves(next) || self.params.mustpass && moves(next.other()))
    }

    /// Player with more seeds after settlement.
    pub(super) fn more_seeds(&self, pos: &Position) -> Won {
        let [one, two] = Side::BOTH.map(|side| match self.params.round_fill {
            RoundFill::LoserOnly => self.holdings(pos, side),
            _ => pos.seeds_won(side),
        });
        match one.cmp(&two) {
            std::cmp::Ordering::Greater => Some(Side::One),
            std::cmp::Ordering::Less => Some(Side::Two),
            std::cmp::Ordering::Equal => None,
        }
    }
}
