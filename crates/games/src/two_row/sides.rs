//! Ownership of the parts of the board, and the order in which they are traversed. The module knows
//! the parameters and a position's holes, but no rules.

use pitmaster_core::{BySide, Side};

use super::params::{Class, Goal, Params};
use super::position::{HoleSet, Position};

/// The holes on each side.
pub(super) const fn holes(params: &Params) -> usize {
    params.holes as usize
}

/// A player's row as used by patterns and fills, regardless of the class.
pub(super) const fn row(params: &Params, side: Side) -> HoleSet {
    let row = (1 << holes(params)) - 1;
    match side {
        Side::One => row,
        Side::Two => row << holes(params),
    }
}

/// All holes of the board.
pub(super) const fn board(params: &Params) -> HoleSet {
    (1 << (2 * holes(params))) - 1
}

/// Whether the sides are the eastern and the western half of the board instead of its rows.
pub(super) const fn halves(params: &Params) -> bool {
    matches!(params.game_class, Class::EastWestCycle | Class::EwGratuitous | Class::Diffusion)
}

/// The holes on a player's side of the board.
pub(super) const fn own_side(params: &Params, side: Side) -> HoleSet {
    if !halves(params) {
        return row(params, side);
    }
    let east = row(params, Side::One) << (holes(params) / 2);
    match side {
        Side::One => east,
        Side::Two => board(params) & !east,
    }
}

/// The hole of a player's row in a column, counted from the west.
pub(super) const fn in_column(params: &Params, side: Side, column: usize) -> usize {
    match side {
        Side::One => column,
        Side::Two => 2 * holes(params) - 1 - column,
    }
}

/// The leftmost hole of a player's row.
pub(super) const fn leftmost(params: &Params, side: Side) -> usize {
    match side {
        Side::One => 0,
        Side::Two => holes(params),
    }
}

/// The holes in a set, in their order.
pub(super) fn members(mut set: HoleSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (first < HoleSet::BITS).then_some(first as usize)
    })
}

/// The seeds in a set of holes.
pub(super) fn sum(position: &Position, set: HoleSet) -> u32 {
    members(set).map(|hole| u32::from(position.seeds[hole])).sum()
}

/// The children of both players. Rams do not count, because they can be captured.
pub(super) const fn children(position: &Position) -> HoleSet {
    position.children.one | position.children.two
}

/// The holes that each player owns.
pub(super) fn owned(params: &Params, position: &Position) -> BySide<HoleSet> {
    BySide::new(board(params) & !position.owned, position.owned)
}

/// Subject of the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// Most seeds.
    Seeds,
    /// Owned holes.
    Territory,
    /// A player without seeds or moves.
    Elimination,
}

/// Subject of the goal (of a round, if rounds are tallied).
pub(super) const fn aim(params: &Params) -> Aim {
    match params.goal {
        Goal::Territory => Aim::Territory,
        Goal::Deprive
        | Goal::Clear
        | Goal::Immobilize
        | Goal::RoundWinsClear
        | Goal::RoundWinsDeprive
        | Goal::RoundWinsImmobilize => Aim::Elimination,
        _ => Aim::Seeds,
    }
}

/// Whether the tally of the rounds decides the game.
pub(super) const fn tallied(params: &Params) -> bool {
    matches!(
        params.goal,
        Goal::RoundWins
            | Goal::RoundSeeds
            | Goal::RoundExtraSeeds
            | Goal::RoundPoints
            | Goal::RoundWinsClear
            | Goal::RoundWinsDeprive
            | Goal::RoundWinsImmobilize
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(game_class: Class, holes: i32) -> [Vec<usize>; 2] {
        let params = Params { game_class, holes, nbr_start: 4, ..Params::default() };
        Side::BOTH.map(|side| members(own_side(&params, side)).collect())
    }

    #[test]
    fn rows_are_sides() {
        assert_eq!(sides(Class::Mancala, 3), [vec![0, 1, 2], vec![3, 4, 5]]);
    }

    #[test]
    fn halves_are_east_and_west() {
        assert_eq!(sides(Class::EastWestCycle, 4), [vec![2, 3, 4, 5], vec![0, 1, 6, 7]]);
    }

    #[test]
    fn the_largest_board_fits() {
        let params = Params { holes: 21, ..Params::default() };
        assert_eq!(members(board(&params)).count(), 42);
        assert_eq!(row(&params, Side::One) | row(&params, Side::Two), board(&params));
    }
}
