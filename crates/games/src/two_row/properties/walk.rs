//! Random play, with a check of every position.

use pitmaster_core::{Seed, below};
use proptest::prop_assert;
use proptest::test_runner::TestCaseError;

use super::params::Game;
use crate::two_row::{Position, TwoRow};
use crate::{MoveList, Rules, Turn};

/// Plays this many random steps from the start, or until the game is over, and visits all
/// positions.
pub(super) fn walk(
    game: &Game,
    steps: usize,
    visit: impl FnMut(&TwoRow, &Position) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let rules = TwoRow::new(game.params.clone());
    let start = rules.start();
    walk_from(&rules, start, game.seed, steps, visit)
}

/// The same from a given position.
pub(super) fn walk_from(
    rules: &TwoRow,
    mut position: Position,
    seed: Seed,
    steps: usize,
    mut visit: impl FnMut(&TwoRow, &Position) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut rng = seed.stream("walk");
    let mut list = MoveList::default();
    visit(rules, &position)?;
    for _ in 0..steps {
        let step = match rules.turn(&position) {
            Turn::Over(_) => break,
            Turn::Chance => rules.draw(&position, &mut rng),
            Turn::Player(_) => {
                rules.moves(&position, &mut list);
                let all = list.moves.len() + list.templates.len();
                prop_assert!(all > 0, "a player is to move and cannot: {position:?}");
                let pick = below(&mut rng, all as u64) as usize;
                match list.moves.get(pick) {
                    Some(mv) => mv.clone(),
                    None => {
                        let template = &list.templates[pick - list.moves.len()];
                        rules.complete(&position, template, &mut rng)
                    }
                }
            }
        };
        rules.play(&mut position, &step, &mut ());
        visit(rules, &position)?;
    }
    Ok(())
}
