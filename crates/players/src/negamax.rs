//! Negamax with alpha-beta: the value of a move is the negated value of the reply for the opponent.
//! Correct only in games in which turns strictly alternate.

use pitmaster_core::Side;
use pitmaster_games::{Counting, Turn};

use super::alpha_beta::{INFINITY, Tree, Walk};

/// Negamax with alpha-beta.
#[derive(Debug)]
pub(super) struct Negamax;

impl Walk for Negamax {
    /// After a layout, which is not a turn, the same player may be to move.
    fn worth<R: Counting>(
        tree: &mut Tree<'_, R>,
        after: &R::Position,
        mover: Side,
        depth: u32,
        floor: i64,
    ) -> i64 {
        match tree.turn(after) {
            Turn::Player(side) if side == mover => {
                value(tree, after, mover, depth, [floor, INFINITY])
            }
            _ => -value(tree, after, mover.other(), depth, [-INFINITY, -floor]),
        }
    }
}

/// Value of a position for the side to move, or that would be: exact between the bounds.
fn value<R: Counting>(
    tree: &mut Tree<'_, R>,
    position: &R::Position,
    side: Side,
    depth: u32,
    [mut alpha, beta]: [i64; 2],
) -> i64 {
    let turn = tree.turn(position);
    let is_leaf = depth == 0 || !matches!(turn, Turn::Player(_));
    if is_leaf {
        let score = tree.score(position, turn);
        return if side == Side::One { score } else { -score };
    }
    debug_assert_eq!(turn, Turn::Player(side), "turns alternate strictly");
    let list = tree.list(position);
    let mut best = -INFINITY;
    for mv in &list.moves {
        let Some(after) = tree.after(position, mv) else { break };
        let worth = -value(tree, &after, side.other(), depth - 1, [-beta, -alpha]);
        best = best.max(worth);
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    tree.hand_back(list);
    best
}
