//! Player decisions between moves: layouts of the seeds of a new game or round, and ownership of
//! holes. The module makes no moves.

use pitmaster_core::{Side, below, shuffle};
use rand::Rng;

use super::moves::{Layout, Move, Template};
use super::params::{Params, RoundFill};
use super::position::{HoleSet, Inhibited, Phase, Position};
use super::rounds::close_empty;
use super::sides::{holes, leftmost, members, row, sum};
use super::start::shares;

/// Kind of a player's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// `ARNGE_LIMIT`: lay out the own row, which the other row copies.
    Arrange,
    /// `UCHOOSE`, `LOSER_ONLY`: choose which holes of the own row are filled.
    Choose,
    /// `UMOVE`: lay out the own row and store, which the other side copies.
    Spread,
    /// `UCHOWN`: choose the own holes of the row with mixed owners.
    Own,
}

impl Choice {
    /// Pending decision of a position. A first round has no fill yet.
    fn of(params: &Params, position: &Position) -> Self {
        match params.round_fill {
            _ if position.round == 1 => Self::Arrange,
            RoundFill::UMove => Self::Spread,
            RoundFill::UChown => Self::Own,
            _ => Self::Choose,
        }
    }
}

/// Phase of a new round after its seeds are dealt: a decision, if there is one.
pub(super) fn after_fill(params: &Params, round: &Position, winner: Option<Side>) -> Phase {
    let (side, several) = match params.round_fill {
        RoundFill::UChoose | RoundFill::LoserOnly => {
            let loser = winner.map_or(Side::Two, Side::other);
            (loser, (1..holes(params)).contains(&contents(params, round, loser).len()))
        }
        RoundFill::UMove => (poorer(round), can_spread(params, round)),
        RoundFill::UChown => (larger(params, round), mixed_row(params, round).is_some()),
        _ => return Phase::Move,
    };
    if several { Phase::Layout(side) } else { Phase::Move }
}

/// Player with fewer seeds in store; player 1 in a tie.
fn poorer(round: &Position) -> Side {
    if round.stores.two < round.stores.one { Side::Two } else { Side::One }
}

/// Player with more holes; player 1 in a tie.
fn larger(params: &Params, position: &Position) -> Side {
    if position.owned.count_ones() as usize > holes(params) { Side::Two } else { Side::One }
}

/// The row in which both players own holes.
fn mixed_row(params: &Params, position: &Position) -> Option<HoleSet> {
    let rows = Side::BOTH.map(|side| row(params, side));
    rows.into_iter().find(|row| ![0, *row].contains(&(position.owned & row)))
}

/// Holes of the mixed row, and the number of them that the larger player gets.
fn share(params: &Params, position: &Position) -> Option<(HoleSet, u32)> {
    let row = mixed_row(params, position)?;
    let mine = match larger(params, position) {
        Side::One => row & !position.owned,
        Side::Two => row & position.owned,
    };
    Some((row, mine.count_ones()))
}

/// Contents of the filled holes of a row.
fn contents(params: &Params, position: &Position, side: Side) -> Vec<u16> {
    members(row(params, side)).map(|hole| position.seeds[hole]).filter(|seeds| *seeds > 0).collect()
}

/// Seeds of a player in row and store.
fn holdings(params: &Params, position: &Position, side: Side) -> u32 {
    u32::from(position.stores[side]) + sum(position, row(params, side))
}

/// Number of seeds to spread over a row and a store: those of the player with fewer seeds, who is
/// the one to decide, except in unreachable positions.
fn spreadable(params: &Params, position: &Position) -> u32 {
    let [one, two] = Side::BOTH.map(|side| holdings(params, position, side));
    one.min(two)
}

/// Number of free seeds: beyond one for each hole and those that make a hole movable. Negative if
/// there are too few.
fn spare(params: &Params, position: &Position) -> i32 {
    spreadable(params, position).cast_signed() - (params.holes - 1 + params.min_move)
}

/// Whether there are at least two ways to spread the seeds. Without spare seeds, the movable hole
/// can still be chosen, unless a single seed is movable.
fn can_spread(params: &Params, position: &Position) -> bool {
    spare(params, position) >= i32::from(params.min_move == 1)
}

/// Whether copying a player's row to the other side keeps the number of seeds.
fn can_copy(params: &Params, position: &Position, side: Side) -> bool {
    sum(position, row(params, side)) == sum(position, row(params, side.other()))
}

/// Template of the layouts that the deciding player may choose in addition to keeping the present
/// one. `None` if there is none. With `ARNGE_LIMIT` there is none if the rows have different
/// numbers of seeds, because copying would create or lose seeds.
pub(super) fn template(params: &Params, position: &Position) -> Option<Template> {
    let Phase::Layout(side) = position.phase else { return None };
    let template = match Choice::of(params, position) {
        Choice::Arrange => can_copy(params, position, side)
            .then(|| Template::Fill(sum(position, row(params, side)) as u16)),
        Choice::Choose => Some(Template::Fill(sum(position, row(params, side)) as u16)),
        Choice::Spread => can_spread(params, position)
            .then(|| Template::Fill(spreadable(params, position) as u16)),
        Choice::Own => share(params, position).map(|(_, mine)| Template::Own(mine as u8)),
    };
    template.filter(|template| *template != Template::Fill(0))
}

/// Whether the deciding player may make this decision.
pub(super) fn is_legal(params: &Params, position: &Position, mv: &Move) -> bool {
    let Phase::Layout(side) = position.phase else { return false };
    let choice = Choice::of(params, position);
    match mv {
        Move::Pass => true,
        Move::Fill(layout) => {
            !layout.is_empty()
                && lies_in(layout, row(params, side))
                && may_fill(params, position, side, choice, layout)
        }
        Move::Own(set) => {
            choice == Choice::Own
                && share(params, position)
                    .is_some_and(|(row, mine)| set & !row == 0 && set.count_ones() == mine)
        }
        _ => false,
    }
}

/// Whether a layout names only holes of a set, in order and with seeds.
fn lies_in(layout: &Layout, set: HoleSet) -> bool {
    layout.is_sorted_by(|one, next| one.0 < next.0)
        && layout.iter().all(|&(hole, seeds)| hole < 64 && set >> hole & 1 == 1 && seeds > 0)
}

fn may_fill(
    params: &Params,
    position: &Position,
    side: Side,
    choice: Choice,
    layout: &Layout,
) -> bool {
    let total: u32 = layout.iter().map(|&(_, seeds)| u32::from(seeds)).sum();
    match choice {
        Choice::Arrange => {
            can_copy(params, position, side) && total == sum(position, row(params, side))
        }
        Choice::Choose => {
            let (mut old, mut new) = (contents(params, position, side), seeds_of(layout));
            old.sort_unstable();
            new.sort_unstable();
            old == new
        }
        Choice::Spread => {
            let movable = layout.iter().any(|&(_, seeds)| i32::from(seeds) >= params.min_move);
            let total_fits = total <= spreadable(params, position);
            can_spread(params, position) && layout.len() == holes(params) && movable && total_fits
        }
        Choice::Own => false,
    }
}

fn seeds_of(layout: &Layout) -> Vec<u16> {
    layout.iter().map(|&(_, seeds)| seeds).collect()
}

/// Completes the [`template`] at random; every legal layout is possible. Without a template, keeps
/// the present layout.
pub(super) fn complete(params: &Params, position: &Position, rng: &mut dyn Rng) -> Move {
    let Phase::Layout(side) = position.phase else { return Move::Pass };
    let h = holes(params);
    let seeds = match Choice::of(params, position) {
        Choice::Arrange => shares(sum(position, row(params, side)), h, rng),
        Choice::Choose => {
            let mut seeds: Vec<_> =
                contents(params, position, side).into_iter().map(u32::from).collect();
            seeds.resize(h, 0);
            shuffle(&mut seeds, rng);
            seeds
        }
        Choice::Spread if !can_spread(params, position) => return Move::Pass,
        Choice::Spread => spread(params, spare(params, position) as u32, rng),
        Choice::Own => return own(params, position, rng),
    };
    let holes = leftmost(params, side)..;
    let layout = holes.zip(seeds).filter(|(_, seeds)| *seeds > 0);
    Move::Fill(layout.map(|(hole, seeds)| (hole as u8, seeds as u16)).collect())
}

/// Spreads seeds: one for each hole, those that make one hole movable, and as many of the free
/// seeds as possible.
fn spread(params: &Params, spare: u32, rng: &mut dyn Rng) -> Vec<u32> {
    let h = holes(params);
    let used = below(rng, u64::from(spare) + 1) as u32;
    let mut row: Vec<_> = shares(used, h, rng).into_iter().map(|seeds| seeds + 1).collect();
    row[below(rng, h as u64) as usize] += params.min_move as u32 - 1;
    row
}

fn own(params: &Params, position: &Position, rng: &mut dyn Rng) -> Move {
    let Some((row, mine)) = share(params, position) else { return Move::Pass };
    let mut row: Vec<_> = members(row).collect();
    shuffle(&mut row, rng);
    Move::Own(row[..mine as usize].iter().map(|hole| 1 << hole).sum())
}

/// Executes a legal decision.
pub(super) fn apply(params: &Params, position: &mut Position, mv: &Move) {
    let Phase::Layout(side) = position.phase else { return };
    position.phase = Phase::Move;
    match (Choice::of(params, position), mv) {
        (Choice::Arrange, Move::Fill(layout)) => {
            put(params, position, side, layout);
            copy(params, position, side);
            position.inhibited = Inhibited::default();
            position.side = side.other();
        }
        (Choice::Arrange, _) => position.inhibited = unarranged(params, side),
        (Choice::Choose, Move::Fill(layout)) => {
            put(params, position, side, layout);
            close_empty(params, position, row(params, side));
        }
        (Choice::Spread, Move::Fill(layout)) => put_stored(params, position, side, layout),
        (Choice::Own, Move::Own(set)) => {
            if let Some(row) = mixed_row(params, position) {
                let theirs = if larger(params, position) == Side::Two { *set } else { row & !set };
                position.owned = position.owned & !row | theirs;
            }
        }
        _ => {}
    }
}

/// Inhibitions after a player who keeps the layout. The inhibition of `nocaptmoves`, which concerns
/// both players but not children, then applies even if it had ended.
fn unarranged(params: &Params, side: Side) -> Inhibited {
    if params.nocaptmoves > 0 {
        return Inhibited { captures: true, ..Inhibited::default() };
    }
    Inhibited { side: Some(side), captures: true, children: true }
}

/// Lays out a player's row.
fn put(params: &Params, position: &mut Position, side: Side, layout: &Layout) {
    let first = leftmost(params, side);
    position.seeds[first..first + holes(params)].fill(0);
    for &(hole, seeds) in layout.iter() {
        position.seeds[usize::from(hole)] = seeds;
    }
}

/// Copies a row to the other side, each from its owner's view.
fn copy(params: &Params, position: &mut Position, side: Side) {
    let (from, to) = (leftmost(params, side), leftmost(params, side.other()));
    position.seeds.copy_within(from..from + holes(params), to);
}

/// Lays out both rows alike; the stores take or give the difference.
fn put_stored(params: &Params, position: &mut Position, side: Side, layout: &Layout) {
    let had = Side::BOTH.map(|side| holdings(params, position, side));
    put(params, position, side, layout);
    copy(params, position, side);
    for (side, had) in Side::BOTH.into_iter().zip(had) {
        position.stores[side] = (had - sum(position, row(params, side))) as u16;
    }
}

#[cfg(test)]
mod tests;
