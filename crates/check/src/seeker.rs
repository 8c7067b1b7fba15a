//! Seeker: an opponent that plays to reach a certain position, not to win.
//!
//! It tries every move in random games in which it keeps its largest pile, and plays the move that
//! reached the goal most often. Must not depend on any particular game.

use std::sync::Arc;

use pitmaster_core::{Seed, Side, below};
use pitmaster_games::{DynGame, GameState, Shape, Turn};
use rand_chacha::ChaCha8Rng;

use super::goals::{Goal, MOST_PLIES, grown, is_of, kind_of, large, lifted, moves};

/// Number of random games played for a move.
const GAMES: usize = 200;

/// Number of random games in the search for an opening.
const OPENINGS: usize = 200;

/// Number of plies of a random game after which its progress is evaluated.
const DEPTH: usize = 60;

/// Seeks a goal.
#[derive(Debug)]
pub(super) struct Seeker {
    game: Arc<dyn DynGame>,
    shape: Shape,
    goal: Goal,
    rng: ChaCha8Rng,
    /// Whether it has sown a large pile. From then on it leaves the bot few legal moves, so that a
    /// wrong board soon leads to an illegal one.
    has_sown: bool,
}

impl Seeker {
    pub(super) fn new(game: &Arc<dyn DynGame>, goal: Goal, seed: Seed) -> Self {
        let (game, shape) = (Arc::clone(game), game.shape());
        Self { game, shape, goal, rng: seed.stream("seeker"), has_sown: false }
    }

    /// The move that leads to the goal most often. `None` if there is no choice.
    pub(super) fn choose(&mut self, position: &str) -> Option<String> {
        let mut table = self.game.resume(position).ok()?;
        let Turn::Player(side) = table.turn() else { return None };
        let all = moves(&mut *table);
        if let Some(text) = all.iter().find(|text| self.reaches(position, text)) {
            self.has_sown = self.goal == Goal::LargePile;
            return Some(text.clone());
        }
        if self.has_sown {
            return self.cornering(position, &all);
        }
        let games = (GAMES / all.len().max(1)).max(2);
        let mut best = None;
        for text in all {
            let value: f64 = (0..games).filter_map(|_| self.try_out(position, &text, side)).sum();
            if best.as_ref().is_none_or(|(most, _)| value > *most) {
                best = Some((value, text));
            }
        }
        best.map(|(_, text)| text)
    }

    /// Move that leaves the bot the fewest moves without ending the game.
    fn cornering(&self, position: &str, all: &[String]) -> Option<String> {
        let replies = |text: &&String| {
            let mut table = self.game.resume(position).ok()?;
            table.play(text, &mut String::new()).ok()?;
            let is_over = matches!(table.turn(), Turn::Over(_));
            Some((is_over, table.count_choices()))
        };
        all.iter().min_by_key(|text| replies(text).unwrap_or((true, usize::MAX))).cloned()
    }

    /// Whether a move reaches the goal.
    fn reaches(&self, position: &str, text: &str) -> bool {
        let Ok(mut table) = self.game.resume(position) else { return false };
        let Ok(steps) = table.play_watched(text) else { return false };
        match &self.goal {
            Goal::LargePile => lifted(&steps) > large(&*self.game),
            Goal::GrownPile(kind) => kind_of(text) == *kind && lifted(&steps) > grown(&*self.game),
            Goal::Ending(clause) => {
                matches!(table.turn(), Turn::Over(outcome) if outcome.clause == clause)
            }
        }
    }

    /// Proximity to the goal (1 if reached) of a random game that begins with a move.
    fn try_out(&mut self, position: &str, text: &str, side: Side) -> Option<f64> {
        let mut table = self.game.resume(position).ok()?;
        table.play(text, &mut String::new()).ok()?;
        let kept = self.largest(&*table, side);
        for _ in 0..DEPTH {
            match table.turn() {
                Turn::Over(outcome) => {
                    let is_there =
                        matches!(&self.goal, Goal::Ending(clause) if outcome.clause == clause);
                    return Some(if is_there { 1.0 } else { 0.0 });
                }
                Turn::Chance => drop(table.draw(&mut self.rng)),
                Turn::Player(mover) if mover == side && self.goal == Goal::LargePile => {
                    if self.pile(&*table, kept) > large(&*self.game) + 2 {
                        return Some(1.0);
                    }
                    drop(self.keep(&mut *table, kept));
                }
                Turn::Player(_) => drop(table.play_random(&mut self.rng)),
            }
        }
        match self.goal {
            Goal::LargePile => {
                let pile = f64::from(self.pile(&*table, kept));
                Some((pile / f64::from(large(&*self.game) + 3)).min(1.0) / 2.0)
            }
            _ => Some(0.0),
        }
    }

    /// Moves from the start after which the bot of that side is to move, and after any of its
    /// moves the goal may be one more move away. Both sides play for it.
    pub(super) fn opening(&mut self, bot: Side) -> Option<String> {
        (0..OPENINGS).find_map(|_| self.line(bot))
    }

    fn line(&mut self, bot: Side) -> Option<String> {
        let mut table = self.game.begin();
        let mut steps: Vec<String> = Vec::new();
        // Last turn of the bot, as a number of steps.
        let mut asked = None;
        for _ in 0..MOST_PLIES {
            match table.turn() {
                Turn::Over(_) => return None,
                Turn::Chance => steps.push(table.draw(&mut self.rng)),
                Turn::Player(side) if side == bot => {
                    asked = Some(steps.len());
                    steps.push(table.play_random(&mut self.rng)?);
                }
                Turn::Player(side) => {
                    let (position, kept) = (table.position(), self.largest(&*table, side));
                    let is_near = self.goal != Goal::LargePile
                        || self.pile(&*table, kept) > large(&*self.game);
                    if is_near
                        && moves(&mut *table).iter().any(|text| self.reaches(&position, text))
                    {
                        return Some(steps[..asked?].join(" "));
                    }
                    match self.goal {
                        Goal::LargePile => steps.push(self.keep(&mut *table, kept)?),
                        _ => steps.push(table.play_random(&mut self.rng)?),
                    }
                }
            }
        }
        None
    }

    /// The own hole with the most seeds.
    fn largest(&self, table: &dyn GameState, side: Side) -> usize {
        let own = self.shape.holes.iter().enumerate().filter(|(_, hole)| hole.owner == side);
        let contents = table.contents().seeds;
        let seeds = |hole: usize| -> u16 { self.of_hole(&contents, hole) };
        own.map(|(hole, _)| hole).max_by_key(|&hole| seeds(hole)).unwrap_or(0)
    }

    fn pile(&self, table: &dyn GameState, hole: usize) -> u16 {
        self.of_hole(&table.contents().seeds, hole)
    }

    fn of_hole(&self, seeds: &[u16], hole: usize) -> u16 {
        let kinds = self.shape.kinds.len().max(1);
        seeds.chunks(kinds).nth(hole).map_or(0, |hole| hole.iter().sum())
    }

    /// Plays a random move that does not empty a hole, if possible, and returns its text.
    fn keep(&mut self, table: &mut dyn GameState, hole: usize) -> Option<String> {
        let label = &self.shape.holes[hole].label;
        let others: Vec<_> = moves(table).into_iter().filter(|text| !is_of(text, label)).collect();
        let pick = below(&mut self.rng, others.len().max(1) as u64) as usize;
        let mut written = String::new();
        // A template cannot be played directly.
        match others.get(pick).map(|text| table.play(text, &mut written)) {
            Some(Ok(())) => Some(written),
            _ => table.play_random(&mut self.rng),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::game;
    use super::*;

    /// Plays against random moves. Returns whether the goal was reached.
    fn comes_to(goal: &Goal, seed: u64) -> bool {
        let game = game();
        let mut seeker = Seeker::new(&game, goal.clone(), Seed(seed));
        let (mut table, mut rng) = (game.begin(), Seed(seed).stream("random"));
        loop {
            match table.turn() {
                Turn::Over(outcome) => {
                    return matches!(goal, Goal::Ending(clause) if outcome.clause == clause);
                }
                Turn::Player(Side::One) => drop(table.play_random(&mut rng)),
                _ => {
                    let position = table.position();
                    let text = seeker.choose(&position).unwrap();
                    if *goal == Goal::LargePile && seeker.reaches(&position, &text) {
                        return true;
                    }
                    table.play(&text, &mut String::new()).unwrap();
                }
            }
        }
    }

    #[test]
    fn large_piles_and_rare_endings_are_reached() {
        let goals = [
            Goal::LargePile,
            Goal::Ending("40-40".into()),
            Goal::Ending("<10".into()),
            Goal::Ending("49+".into()),
        ];
        for goal in goals {
            assert!((1..=4).any(|seed| comes_to(&goal, seed)), "{goal}");
        }
    }

    #[test]
    fn an_opening_ends_a_move_of_the_bot_before_its_goal() {
        let game = game();
        for goal in [Goal::LargePile, Goal::Ending("40-40".into())] {
            for bot in Side::BOTH {
                let mut seeker = Seeker::new(&game, goal.clone(), Seed(1));
                let opening = seeker.opening(bot).expect("one");
                let mut table = game.begin();
                for text in opening.split(' ') {
                    table.play(text, &mut String::new()).unwrap();
                }
                assert_eq!(table.turn(), Turn::Player(bot), "{goal}");
            }
        }
    }
}
