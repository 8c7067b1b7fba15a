//! Random openings: legal, distinct, unfinished and not lopsided.
//!
//! Openings are generated in sequence from the tournament's seed, so a longer list starts with the
//! same ones.

use std::collections::{HashSet, VecDeque};

use pitmaster_core::Seed;
use pitmaster_games::{DynGame, GameSpec, Turn};
use pitmaster_players::{BuildError, distances_from_even};
use rand_chacha::ChaCha8Rng;

/// Number of openings judged in parallel.
const AT_ONCE: usize = 50;

/// Number of openings sampled to find the bound of a game.
const SAMPLE: usize = 100;

/// Number of consecutive repetitions after which the search ends.
const MAX_REPEATS: usize = 2_000;

/// Generates at most `count` random openings of this many plies; fewer if there are no more.
/// `progress` is called after each.
///
/// An opening is lopsided if the expert's quick search finds it further from even than most of the
/// first hundred. Games differ in the number and value of seeds, so there is no fixed bound.
/// Measured after four plies, with seed 1, the bound is 4.1 seeds in coloured Awale, 4.2 in Kalah,
/// 1.0 in Oware and 32.6 in Congkak. Of 200 other random openings 99, 93, 103 and 116 are further
/// from even.
///
/// # Errors
/// Fails if the expert does not support the game.
pub fn random_openings(
    game: &dyn DynGame,
    seed: Seed,
    plies: u32,
    count: u32,
    progress: &dyn Fn(),
) -> Result<Vec<String>, BuildError> {
    let mut deck = Judged::new(game, seed, plies);
    let mut sample = VecDeque::new();
    while sample.len() < SAMPLE
        && let Some(judged) = deck.next()?
    {
        sample.push_back(judged);
    }
    let bound = median(sample.iter().map(|(distance, _)| *distance));
    let mut openings = Vec::new();
    while openings.len() < count as usize
        && let Some((distance, text)) =
            sample.pop_front().map_or_else(|| deck.next(), |one| Ok(Some(one)))?
    {
        if distance <= bound {
            openings.push(text);
            progress();
        }
    }
    Ok(openings)
}

/// Lower median: at least half of the values are no greater.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Iterator over distinct openings after which a player is to move.
struct Deck<'a> {
    game: &'a dyn DynGame,
    plies: u32,
    rng: ChaCha8Rng,
    positions: HashSet<String>,
}

/// An opening.
struct Dealt {
    text: String,
    /// Resulting position.
    position: String,
}

impl<'a> Deck<'a> {
    fn new(game: &'a dyn DynGame, seed: Seed, plies: u32) -> Self {
        Self { game, plies, rng: seed.stream("openings"), positions: HashSet::new() }
    }

    /// Random plies with the chance steps between and after them; `None` if the game ends before
    /// that.
    fn deal(&mut self) -> Option<Dealt> {
        let mut table = self.game.begin();
        let (mut steps, mut plies) = (Vec::new(), 0);
        loop {
            match table.turn() {
                Turn::Over(_) => return None,
                Turn::Chance => steps.push(table.draw(&mut self.rng)),
                Turn::Player(_) if plies == self.plies => {
                    return Some(Dealt { text: steps.join(" "), position: table.position() });
                }
                Turn::Player(_) => {
                    steps.extend(table.play_random(&mut self.rng));
                    plies += 1;
                }
            }
        }
    }
}

impl Iterator for Deck<'_> {
    type Item = Dealt;

    fn next(&mut self) -> Option<Dealt> {
        (0..MAX_REPEATS).find_map(|_| {
            let dealt = self.deal()?;
            self.positions.insert(dealt.position.clone()).then_some(dealt)
        })
    }
}

/// The deck's openings in order, each with its distance from even. They are judged in batches, to
/// use all cores.
struct Judged<'a> {
    deck: Deck<'a>,
    game: GameSpec,
    ready: VecDeque<(f64, String)>,
}

impl<'a> Judged<'a> {
    fn new(game: &'a dyn DynGame, seed: Seed, plies: u32) -> Self {
        let spec = game.spec().parse().expect("a game writes its own name as it reads it");
        Self { deck: Deck::new(game, seed, plies), game: spec, ready: VecDeque::new() }
    }

    fn next(&mut self) -> Result<Option<(f64, String)>, BuildError> {
        if self.ready.is_empty() {
            let dealt: Vec<_> = self.deck.by_ref().take(AT_ONCE).collect();
            let positions: Vec<_> = dealt.iter().map(|dealt| &*dealt.position).collect();
            let distances = distances_from_even(&self.game, &positions)?;
            self.ready.extend(distances.into_iter().zip(dealt.into_iter().map(|dealt| dealt.text)));
        }
        Ok(self.ready.pop_front())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use pitmaster_games::two_row::named::ANY;
    use pitmaster_games::{find, names};
    use proptest::prelude::*;

    use super::super::play_opening;
    use super::*;

    /// Games whose names alone determine their rules.
    fn games() -> Vec<&'static str> {
        names().filter(|name| *name != ANY).collect()
    }

    fn openings(game: &str, seed: u64, plies: u32, count: u32) -> Vec<String> {
        let game = find(&game.parse().unwrap()).unwrap();
        random_openings(&*game, Seed(seed), plies, count, &|| ()).unwrap()
    }

    #[test]
    fn more_of_them_begin_with_the_same_ones() {
        let few = openings("oware", 3, 4, 5);
        assert_eq!(few.len(), 5);
        assert_eq!(openings("oware", 3, 4, 9)[..5], few);
        assert_ne!(openings("oware", 4, 4, 5), few);
    }

    #[test]
    fn where_there_are_no_others_there_are_fewer() {
        // Kalah's first side has six moves; after one of them it moves again.
        let all = openings("kalah", 1, 1, 50);
        assert!((3..=5).contains(&all.len()), "{all:?}");
    }

    /// Openings with a large lead, such as a third of a game's seeds, exist and are left out.
    #[test]
    fn the_lopsided_half_is_left_out() {
        let game = find(&"kalah".parse().unwrap()).unwrap();
        let far = |text: &str| {
            let position = play_opening(&*game, text, None).unwrap().position;
            distances_from_even(&"kalah".parse().unwrap(), &[&position]).unwrap()[0]
        };
        let kept = openings("kalah", 1, 6, 30);
        let farthest = kept.iter().map(|text| far(text)).fold(0.0, f64::max);
        let dealt: Vec<_> = Deck::new(&*game, Seed(1), 6).take(SAMPLE).collect();
        let beyond = dealt.iter().filter(|dealt| far(&dealt.text) > farthest).count();
        assert!((30..=60).contains(&beyond), "{beyond} of {SAMPLE}");
    }

    /// Step through the catalogue; skipped games are of the same kinds.
    #[test]
    fn in_every_kind_of_game_they_are_legal_different_and_not_over() {
        for name in games().into_iter().step_by(24) {
            let game = find(&name.parse().unwrap()).unwrap();
            let told = Cell::new(0);
            let count = || told.set(told.get() + 1);
            let openings = random_openings(&*game, Seed(5), 3, 3, &count).unwrap();
            let mut positions = HashSet::new();
            for text in &openings {
                let opening = play_opening(&*game, text, None).unwrap();
                assert_eq!(opening.text, *text, "{name}");
                assert!(positions.insert(opening.position), "{name}: {text}");
            }
            assert_eq!(told.get(), openings.len(), "{name}");
            assert!(!openings.is_empty(), "{name}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn any_game_of_the_catalogue_has_legal_ones(
            at in 0..games().len(), seed in any::<u64>(), plies in 1..12_u32,
        ) {
            let name = games()[at];
            let game = find(&name.parse().unwrap()).unwrap();
            for dealt in Deck::new(&*game, Seed(seed), plies).take(5) {
                let opening = play_opening(&*game, &dealt.text, None);
                prop_assert_eq!(opening.map(|opening| opening.position), Ok(dealt.position), "{}", name);
            }
        }
    }
}
