//! Perft: counts of move sequences, the standard check that rules are correct and fast.

use super::{MoveList, Rules, Turn};

/// Result of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Perft {
    /// Number of legal move sequences of the given length, with distinct move texts. A game that is
    /// over is not continued.
    pub leaves: u64,
}

/// Counts the sequences of `depth` moves from a position. The last move of a sequence is
/// counted, not played. Chance steps and templates are not followed.
pub fn perft<R: Rules>(rules: &R, position: &R::Position, depth: u32) -> Perft {
    let mut lists = vec![MoveList::default(); depth as usize + 1];
    Perft { leaves: count(rules, position, depth, &mut lists) }
}

fn count<R: Rules>(
    rules: &R,
    position: &R::Position,
    depth: u32,
    lists: &mut [MoveList<R::Move, R::Template>],
) -> u64 {
    let Turn::Player(_) = rules.turn(position) else { return u64::from(depth == 0) };
    match depth {
        0 => 1,
        1 => rules.count_moves(position) as u64,
        _ => {
            let (list, below) = lists.split_first_mut().expect("one list a level");
            rules.moves(position, list);
            list.moves
                .iter()
                .map(|mv| {
                    let mut next = position.clone();
                    rules.play(&mut next, mv, &mut ());
                    count(rules, &next, depth - 1, below)
                })
                .sum()
        }
    }
}
