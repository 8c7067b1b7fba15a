//! Candidate moves of a search: all listed moves, and a few layouts of each template, because there
//! are too many to search all.

use pitmaster_games::{MoveList, Rules};
use rand::Rng;

/// Fills `list.moves` with the candidates: the listed moves, then `layouts` random completions of
/// each template, without repeats. Never empty if a player is to move.
pub(super) fn candidates<R: Rules>(
    rules: &R,
    position: &R::Position,
    layouts: usize,
    rng: &mut dyn Rng,
    list: &mut MoveList<R::Move, R::Template>,
) {
    rules.moves(position, list);
    for at in 0..list.templates.len() {
        let listed = list.moves.len();
        for _ in 0..layouts.max(1) {
            let layout = rules.complete(position, &list.templates[at], rng);
            if !list.moves[listed..].contains(&layout) {
                list.moves.push(layout);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::Seed;
    use pitmaster_games::toy::Toy;

    use super::*;

    #[test]
    fn layouts_are_looked_at_once_each() {
        let (mut list, mut rng) = (MoveList::default(), Seed(1).stream("layouts"));
        candidates(&Toy, &Toy.start(), 100, &mut rng, &mut list);
        assert_eq!(list.moves.len(), 4, "three seeds in two holes");
        candidates(&Toy, &Toy.start(), 0, &mut rng, &mut list);
        assert_eq!(list.moves.len(), 1);
    }
}
