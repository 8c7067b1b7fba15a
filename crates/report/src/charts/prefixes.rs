//! Ratings after growing prefixes of the games.

use pitmaster_ratings::{Game, Matches, Model, Ratings};

use super::Drawn;

/// Number of games beyond which fewer parts are fitted.
const MANY_GAMES: usize = 200_000;

/// Numbers of games after which ratings are fitted: at most `most`, evenly spaced, the last one
/// after all games.
pub(super) fn checkpoints(games: usize, most: usize) -> Vec<usize> {
    let most = if games > MANY_GAMES { most.min(8) } else { most };
    // Games come in pairs.
    let count = most.min(games / 2).max(1);
    (1..=count).map(|nth| if nth == count { games } else { games * nth / count / 2 * 2 }).collect()
}

/// The ratings after each of them.
pub(super) fn fits(what: &Drawn<'_>, games: &[Game], ends: &[usize]) -> Vec<Ratings> {
    let model = Model { method: what.model.method.quick(), ..what.model.clone() };
    let fit = |&end: &usize| {
        let games = &games[..end];
        Ratings::fit(what.names.len(), games, &Matches::new(games), &model)
    };
    ends.iter().map(fit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_grow_to_the_whole() {
        assert_eq!(checkpoints(100, 4), [24, 50, 74, 100]);
        assert_eq!(checkpoints(3, 24), [3]);
        assert_eq!(checkpoints(9, 24), [2, 4, 6, 9]);
        assert_eq!(checkpoints(200_001, 24).len(), 8);
    }
}
