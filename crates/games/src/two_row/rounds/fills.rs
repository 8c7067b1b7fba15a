//! Seed layouts of the next round in games in which players keep their seeds. Territory and tallied
//! games deal anew instead.

use pitmaster_core::{BySide, Side};

use super::super::params::{Params, RoundFill};
use super::super::position::Position;
use super::super::sides::{self, holes, in_column, leftmost, own_side, row, sum};
use super::tally::fortunes;

/// Lays out the round that follows `before` on the empty board of `round`.
pub(super) fn fill(params: &Params, before: &Position, winner: Option<Side>, round: &mut Position) {
    match params.round_fill {
        RoundFill::Shorten => shorten(params, before, round),
        RoundFill::ShortenAll => shorten_all(params, before, round),
        RoundFill::EvenFill | RoundFill::UMove => even(params, before, winner, round),
        _ => each_for_itself(params, before, round),
    }
}

/// Lets every player fill as many holes as possible. The rest goes to its store.
fn each_for_itself(params: &Params, before: &Position, round: &mut Position) {
    let fortunes = fortunes(params, before);
    for side in Side::BOTH {
        let row = order(params, side);
        fill_row(params, round, side, fortunes[side], &row);
    }
}

/// The holes of a player's row in the order in which they are filled.
fn order(params: &Params, side: Side) -> Vec<usize> {
    let (h, left) = (holes(params), leftmost(params, side));
    match params.round_fill {
        RoundFill::LeftFill => (left..left + h).collect(),
        RoundFill::RightFill => (left..left + h).rev().collect(),
        RoundFill::LoserOnly => (0..h).map(|column| in_column(params, side, column)).collect(),
        _ => (0..h)
            .map(|step| if step % 2 == 0 { step / 2 } else { h - 1 - step / 2 })
            .map(|column| in_column(params, side, column))
            .collect(),
    }
}

/// Fills as many holes of a row as possible, in that order, and closes the others if holes can be
/// closed.
fn fill_row(params: &Params, round: &mut Position, side: Side, seeds: u32, order: &[usize]) {
    let each = params.nbr_start as u32;
    let filled = order.len().min((seeds / each) as usize);
    for (step, &hole) in order.iter().enumerate() {
        round.seeds[hole] = if step < filled { each as u16 } else { 0 };
    }
    round.stores[side] = (seeds - filled as u32 * each) as u16;
    close_empty(params, round, row(params, side));
}

/// Closes the empty holes of a set, if holes can be closed, and opens its others.
pub(in super::super) fn close_empty(params: &Params, position: &mut Position, among: u64) {
    if params.blocks {
        let empty = sides::members(among).filter(|&hole| position.seeds[hole] == 0);
        position.blocked = position.blocked & !among | empty.map(|hole| 1 << hole).sum::<u64>();
    }
}

/// Refills the loser's row alone.
pub(super) fn refill_loser(params: &Params, round: &mut Position, loser: Side) {
    let seeds = u32::from(round.stores[loser]) + sum(round, row(params, loser));
    fill_row(params, round, loser, seeds, &order(params, loser));
}

/// Player with fewer seeds; player 2 in a tie.
fn poorer(fortunes: BySide<u32>) -> Side {
    if fortunes.one < fortunes.two { Side::One } else { Side::Two }
}

/// Fills as many columns as the poorer player can, from the west.
fn shorten(params: &Params, before: &Position, round: &mut Position) {
    let fortunes = fortunes(params, before);
    let each = params.nbr_start as u32;
    let filled = (fortunes[poorer(fortunes)] / each).min(params.holes as u32);
    for side in Side::BOTH {
        for column in 0..filled as usize {
            round.seeds[in_column(params, side, column)] = each as u16;
        }
        round.stores[side] = (fortunes[side] - filled * each) as u16;
    }
    cut_off(params, round, filled);
}

/// Fills as many columns as the poorer player can, from its left; its remainder goes into one more
/// column. Seeds that do not fit on the board stay in the stores (the reference loses those of the
/// poorer player).
fn shorten_all(params: &Params, before: &Position, round: &mut Position) {
    let fortunes = fortunes(params, before);
    let loser = poorer(fortunes);
    let mut left = fortunes[loser];
    let filled = left / params.nbr_start as u32;
    for step in 0..holes(params) {
        let seeds = left.min(params.nbr_start as u32);
        let hole = leftmost(params, loser) + step;
        round.seeds[hole] = seeds as u16;
        round.seeds[2 * holes(params) - 1 - hole] = seeds as u16;
        left -= seeds;
    }
    for side in Side::BOTH {
        round.stores[side] = (fortunes[side] - (fortunes[loser] - left)) as u16;
    }
    cut_off(params, round, filled);
}

/// Closes the empty columns. On a board cut to three full columns, no children are made, unless
/// captures are temporarily forbidden, which does not concern children.
fn cut_off(params: &Params, round: &mut Position, filled: u32) {
    close_empty(params, round, sides::board(params));
    round.inhibited.children = params.holes > 3 && filled <= 3 && params.nocaptmoves == 0;
}

/// Spreads the loser's seeds evenly, and fills the winner's holes equally. Seeds count by side
/// here, regardless of child owners. If the loser has more by that count, the winner's seeds are
/// spread instead, so that no store becomes negative (as in the reference).
fn even(params: &Params, before: &Position, winner: Option<Side>, round: &mut Position) {
    let loser = winner.map_or(Side::Two, Side::other);
    let h = params.holes as u32;
    let fortune = |side| u32::from(before.stores[side]) + sum(before, own_side(params, side));
    let fortunes = BySide::from_fn(fortune);
    let fewest = fortunes[loser].min(fortunes[loser.other()]);
    let (mut each, mut rest) = (fewest / h, fewest % h);
    let enough = |each| each >= params.min_move as u32;
    if !enough(each) && rest == 0 && each > 0 {
        each -= 1;
        rest = h;
    }
    for side in Side::BOTH {
        let first = leftmost(params, side);
        round.seeds[first..first + holes(params)].fill(each as u16);
        round.stores[side] = (fortunes[side] - each * h) as u16;
        if !enough(each) {
            round.seeds[first] += rest as u16;
            round.stores[side] -= rest as u16;
        }
    }
}
