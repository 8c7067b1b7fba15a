//! Result of a finished round, for the tally and for the game. The module deals no seeds.

use pitmaster_core::{BySide, Side};

use super::super::params::{ChildType, Goal, Params, RoundFill};
use super::super::position::{Clause, Phase, Position, Tally};
use super::super::sides::{Aim, aim, children, own_side, owned, row, sum, tallied};
use super::super::start::total_seeds;
use super::limits::round_limit;

/// Whether the side to move in a position has a movable hole.
pub(in super::super) type CanMove<'a> = &'a dyn Fn(&Position) -> bool;

/// Ends a settled round: adds it to the tally if the goal has one, and returns whether the next
/// round follows or the game has ended.
pub(in super::super) fn conclude(
    params: &Params,
    position: &mut Position,
    winner: Option<Side>,
    can_move: CanMove<'_>,
) -> Phase {
    if tallied(params) {
        add(params, position, winner, seeds_of_round(params, position));
        let score = score(params, &position.tally);
        let goal = params.goal_param as u32;
        if score.one >= goal || score.two >= goal {
            return Phase::Over(score.leader(), Clause::Goal);
        }
    } else if !goes_on(params, position, winner, can_move) {
        return Phase::Over(winner, Clause::Goal);
    }
    Phase::RoundOver(winner)
}

/// Ends a tallied game at once, in a settled round. The round is added by its captured seeds,
/// regardless of the goal, and the player with more wins.
pub(in super::super) fn break_off(
    params: &Params,
    position: &mut Position,
    winner: Option<Side>,
) -> Option<Side> {
    let seeds = BySide::from_fn(|side| counted(params, position, side));
    add(params, position, winner, seeds);
    score(params, &position.tally).leader()
}

/// Score that the goal counts.
pub(in super::super) fn score(params: &Params, tally: &Tally) -> BySide<u32> {
    match params.goal {
        Goal::RoundSeeds => tally.seeds,
        Goal::RoundExtraSeeds => tally.extra,
        Goal::RoundPoints => tally.points,
        _ => tally.wins,
    }
}

/// Adds a settled round to the tally. In a tied round only the seeds count.
fn add(params: &Params, position: &mut Position, winner: Option<Side>, seeds: BySide<u32>) {
    let tally = &mut position.tally;
    for side in Side::BOTH {
        tally.seeds[side] += seeds[side];
    }
    let Some(winner) = winner else { return };
    tally.wins[winner] += 1;
    for side in Side::BOTH {
        let (mine, others) = (seeds[side], seeds[side.other()]);
        tally.extra[side] += mine.saturating_sub(others);
        let many = mine >= 3 * total_seeds(params) / 4;
        tally.points[side] += u32::from(mine > others) + u32::from(many);
    }
}

/// The seeds of each player that a round counts: those on the own side if the goal is to empty it,
/// otherwise those captured.
fn seeds_of_round(params: &Params, position: &Position) -> BySide<u32> {
    BySide::from_fn(|side| match aim(params) {
        Aim::Elimination => sum(position, own_side(params, side)),
        _ => counted(params, position, side),
    })
}

/// A player's seeds as a tally counts them. A bug that games rely on: children of `FIXED_ONE_RIGHT`
/// without a `child_type` are left out.
fn counted(params: &Params, position: &Position, side: Side) -> u32 {
    match params.child_type {
        ChildType::None => position.stores[side].into(),
        _ => won(position, side),
    }
}

/// Seeds in a player's store and children.
pub(super) fn won(position: &Position, side: Side) -> u32 {
    u32::from(position.stores[side]) + sum(position, position.children[side])
}

/// Whether both players have enough for another round.
fn goes_on(
    params: &Params,
    position: &Position,
    winner: Option<Side>,
    can_move: CanMove<'_>,
) -> bool {
    let limit = round_limit(params);
    if params.round_fill != RoundFill::LoserOnly {
        let free = !children(position);
        let owned = owned(params, position);
        let fortune = |side| won(position, side) + sum(position, owned[side] & free);
        return Side::BOTH.into_iter().all(|side| fortune(side) >= limit);
    }
    winner.is_some_and(|winner| {
        let loser = winner.other();
        let rest = u32::from(position.stores[loser]) + sum(position, row(params, loser));
        rest >= limit && can_move(&Position { side: winner, ..position.clone() })
    })
}

/// Store and children of both players, with the other seeds on their sides: the seeds available for
/// a new round. Sides may be halves of the board.
pub(super) fn fortunes(params: &Params, position: &Position) -> BySide<u32> {
    let free = !children(position);
    BySide::from_fn(|side| won(position, side) + sum(position, own_side(params, side) & free))
}
