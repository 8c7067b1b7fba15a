//! Hole ownership in a round of a territory game. Deals only those seeds that `TERR_EX_EMPTY`
//! moves.

use pitmaster_core::{BySide, Side};

use super::super::params::{Params, RoundFill};
use super::super::position::{HoleSet, Position};
use super::super::sides::{board, holes, leftmost};
use super::limits::seeds_a_hole;
use super::tally::won;

/// Holes that the seeds of a round buy.
struct Purchase {
    /// Player with more seeds; player 2 in a tie.
    richer: Side,
    /// Number of holes that these fill.
    whole: u32,
    /// Remaining seeds.
    rest: u32,
}

fn purchase(params: &Params, before: &Position) -> Purchase {
    let seeds = BySide::from_fn(|side| won(before, side));
    let each = seeds_a_hole(params).max(1);
    match seeds.leader() {
        Some(richer) => {
            Purchase { richer, whole: seeds[richer] / each, rest: seeds[richer] % each }
        }
        None => Purchase { richer: Side::Two, whole: params.holes as u32, rest: 0 },
    }
}

/// Whether chance decides a hole, because exactly half of its seeds remain.
pub(super) fn contested(params: &Params, before: &Position) -> bool {
    let rest = purchase(params, before).rest;
    params.round_fill == RoundFill::TerrExRandom && rest > 0 && 2 * rest == seeds_a_hole(params)
}

/// Gives each player the holes for its seeds of the last round. The richer one counts from its own
/// left around the board.
pub(super) fn share(
    params: &Params,
    before: &Position,
    contested: Option<Side>,
    round: &mut Position,
) {
    let Purchase { richer, whole, rest } = purchase(params, before);
    let more = match params.round_fill {
        RoundFill::TerrExLoser | RoundFill::TerrExEmpty => false,
        _ => rest > seeds_a_hole(params) / 2 || contested == Some(richer),
    };
    let count = (whole + u32::from(more)).min(2 * params.holes as u32) as usize;
    let mine = around(params, richer, count);
    round.owned = if richer == Side::Two { mine } else { board(params) & !mine };
    if params.round_fill == RoundFill::TerrExEmpty {
        let after_mine = (leftmost(params, richer) + count) % (2 * holes(params));
        leave_empty(params, won(before, Side::One), after_mine, round);
    }
}

/// Holes from a player's left on, `count` of them.
fn around(params: &Params, side: Side, count: usize) -> HoleSet {
    let cells = 2 * holes(params);
    (0..count).map(|step| 1 << ((leftmost(params, side) + step) % cells)).sum()
}

/// Leaves seeds that fill no whole hole in the stores, and their hole empty. Player 2 keeps the
/// complement of player 1's seeds, so that no seed is lost.
fn leave_empty(params: &Params, seeds_of_one: u32, hole: usize, round: &mut Position) {
    let each = seeds_a_hole(params).max(1);
    let one = seeds_of_one % each;
    if one > 0 {
        round.stores = BySide::new(one as u16, (each - one) as u16);
        round.seeds[hole] = 0;
    }
}
