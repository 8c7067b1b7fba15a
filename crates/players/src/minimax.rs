//! Minimax with alpha-beta: player 1 maximizes and player 2 minimizes, even after extra turns.

use pitmaster_core::Side;
use pitmaster_games::{Counting, Turn};

use super::alpha_beta::{INFINITY, Tree, Walk};

/// Minimax with alpha-beta.
#[derive(Debug)]
pub(super) struct Minimax;

impl Walk for Minimax {
    fn worth<R: Counting>(
        tree: &mut Tree<'_, R>,
        after: &R::Position,
        mover: Side,
        depth: u32,
        floor: i64,
    ) -> i64 {
        match mover {
            Side::One => value(tree, after, depth, [floor, INFINITY]),
            Side::Two => -value(tree, after, depth, [-INFINITY, -floor]),
        }
    }
}

/// Value of a position for player 1: exact between the bounds.
fn value<R: Counting>(
    tree: &mut Tree<'_, R>,
    position: &R::Position,
    depth: u32,
    [mut alpha, mut beta]: [i64; 2],
) -> i64 {
    let turn = tree.turn(position);
    let Turn::Player(side) = turn else { return tree.score(position, turn) };
    if depth == 0 {
        return tree.score(position, turn);
    }
    let list = tree.list(position);
    let mut best = if side == Side::One { -INFINITY } else { INFINITY };
    for mv in &list.moves {
        let Some(after) = tree.after(position, mv) else { break };
        let worth = value(tree, &after, depth - 1, [alpha, beta]);
        match side {
            Side::One => {
                best = best.max(worth);
                alpha = alpha.max(best);
            }
            Side::Two => {
                best = best.min(worth);
                beta = beta.min(best);
            }
        }
        if alpha >= beta {
            break;
        }
    }
    tree.hand_back(list);
    best
}
