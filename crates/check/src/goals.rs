//! Goals: rare situations that a bot should be tested in before it is submitted: piles that are
//! sown around the board, grown piles of every kind, and every ending.
//!
//! Must not depend on any particular game.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Ending, Seed};
use pitmaster_games::{DynGame, GameState, Step, Steps, Turn};
use serde::{Deserialize, Serialize};

use super::harness::Met;

/// Number of random games to find the endings and kinds of moves, and their maximum total number of
/// plies.
const SAMPLE: (u32, usize) = (300, 40_000);

/// Maximum number of plies, more than any game that ends.
pub(super) const MOST_PLIES: usize = 1000;

/// A situation that a game may reach.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// A pile of more seeds than the board has holes is sown.
    LargePile,
    /// A grown pile is sown by a move of this kind (its text without the hole).
    GrownPile(String),
    /// The game ends by this clause.
    Ending(String),
}

impl Goal {
    /// Short description.
    pub fn describe(&self) -> Message {
        match self {
            Self::LargePile => said!("a pile of more seeds than there are holes"),
            Self::GrownPile(kind) => said!("a grown pile sown as {}", kind),
            Self::Ending(clause) => said!("the ending {}", clause),
        }
    }
}

/// Name in files.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LargePile => f.write_str("large-pile"),
            Self::GrownPile(kind) => write!(f, "grown-pile:{kind}"),
            Self::Ending(clause) => write!(f, "ending:{clause}"),
        }
    }
}

/// Goals of a game, reached and not reached.
#[derive(Debug)]
pub(super) struct Goals {
    game: Arc<dyn DynGame>,
    pub(super) open: BTreeSet<Goal>,
    pub(super) reached: BTreeSet<Goal>,
}

impl Goals {
    pub(super) fn of(game: &Arc<dyn DynGame>) -> Self {
        Self { game: Arc::clone(game), open: goals_of(&**game), reached: BTreeSet::new() }
    }

    /// No goals.
    pub(super) fn none(game: &Arc<dyn DynGame>) -> Self {
        Self { game: Arc::clone(game), open: BTreeSet::new(), reached: BTreeSet::new() }
    }

    /// Records the goals that a game reached.
    pub(super) fn note(&mut self, met: &Met) {
        for goal in reached_in(&*self.game, met) {
            self.reached.extend(self.open.take(&goal));
        }
    }
}

/// Goals that a game reached. A sowing counts only if the bot was asked for a move afterwards,
/// because only then can it show that its board differs.
pub(super) fn reached_in(game: &dyn DynGame, met: &Met) -> BTreeSet<Goal> {
    let mut goals = BTreeSet::new();
    let (large, grown) = (large(game), grown(game));
    for (kind, seeds) in sowings(game, met).unwrap_or_default() {
        if seeds > large {
            goals.insert(Goal::LargePile);
        }
        if seeds > grown {
            goals.insert(Goal::GrownPile(kind));
        }
    }
    if let Ending::Rules { clause, .. } = &met.record.ending {
        goals.insert(Goal::Ending(clause.to_string()));
    }
    goals
}

/// Kind and number of seeds of each sowing before the bot's last turn.
fn sowings(game: &dyn DynGame, met: &Met) -> Option<Vec<(String, u16)>> {
    let mut table = game.begin();
    let mut chance = met.record.seed.stream("chance");
    let plies = &met.record.plies;
    let last = match met.record.ending.fault_of(met.side) {
        Some(_) => plies.len(),
        None => plies.iter().rposition(|ply| ply.by == Some(met.side))?,
    };
    let mut sowings = Vec::new();
    for (place, ply) in plies[..last].iter().enumerate() {
        if ply.by.is_some() {
            sowings.push((kind_of(&ply.text), lifted(&table.play_watched(&ply.text).ok()?)));
        } else if place < met.record.key.opening_plies() {
            table.follow(&ply.text, &mut String::new()).ok()?;
        } else {
            table.draw(&mut chance);
        }
    }
    Some(sowings)
}

/// A move's text without its hole.
pub(super) fn kind_of(text: &str) -> String {
    text.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Whether a move empties the hole with that label.
pub(super) fn is_of(text: &str, label: &str) -> bool {
    let rest = text.strip_prefix(label);
    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// Maximum number of seeds lifted at once.
pub(super) fn lifted(steps: &Steps) -> u16 {
    let seeds = steps.0.iter().filter_map(|step| match step {
        Step::Lift { seeds, .. } => Some(*seeds),
        _ => None,
    });
    seeds.max().unwrap_or(0)
}

/// Number of seeds above which a pile passes its own hole.
pub(super) fn large(game: &dyn DynGame) -> u16 {
    game.shape().holes.len() as u16
}

/// Largest pile at the start of the game. Larger piles have grown.
pub(super) fn grown(game: &dyn DynGame) -> u16 {
    let table = game.begin();
    let kinds = game.shape().kinds.len().max(1);
    let seeds = table.contents().seeds;
    seeds.chunks(kinds).map(|hole| hole.iter().sum()).max().unwrap_or(0)
}

/// Goals that occur in random games. Large piles may be impossible.
fn goals_of(game: &dyn DynGame) -> BTreeSet<Goal> {
    let mut rng = Seed(1).stream("goals");
    let mut goals = BTreeSet::from([Goal::LargePile]);
    let (games, most) = SAMPLE;
    let mut plies = 0;
    for _ in 0..games {
        if plies > most {
            break;
        }
        let mut table = game.begin();
        for _ in 0..MOST_PLIES {
            plies += 1;
            let step = match table.turn() {
                Turn::Over(outcome) => {
                    goals.insert(Goal::Ending(outcome.clause.to_owned()));
                    break;
                }
                Turn::Chance => Some(table.draw(&mut rng)),
                Turn::Player(_) => table.play_random(&mut rng),
            };
            // Longer texts than a hole with one or two letters are layouts.
            let is_kind = |kind: &String| {
                (1..=2).contains(&kind.len()) && !kind.contains(|c: char| c.is_ascii_digit())
            };
            goals.extend(step.as_deref().map(kind_of).filter(is_kind).map(Goal::GrownPile));
        }
    }
    // If all moves are of one kind, it is not a goal.
    let is_kind = |goal: &&Goal| matches!(goal, Goal::GrownPile(_));
    if goals.iter().filter(is_kind).count() < 2 {
        goals.retain(|goal| !is_kind(&goal));
    }
    goals
}

/// Moves of the side to move.
pub(super) fn moves(table: &mut dyn GameState) -> Vec<String> {
    let mut text = String::new();
    if let Turn::Player(_) = table.turn() {
        table.list_moves(&mut text);
    }
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::game;
    use super::*;

    #[test]
    fn the_goals_of_a_game_are_its_endings_and_its_kinds_of_moves() {
        let goals_of = |game: &dyn DynGame| -> Vec<_> {
            goals_of(game).iter().map(ToString::to_string).collect()
        };
        let awale = [
            "large-pile",
            "grown-pile:B",
            "grown-pile:R",
            "grown-pile:TB",
            "grown-pile:TR",
            "ending:40-40",
            "ending:49+",
            "ending:<10",
        ];
        assert_eq!(goals_of(&*game()), awale);
        let kalah = pitmaster_games::find(&"kalah".parse().unwrap()).unwrap();
        assert_eq!(goals_of(&*kalah)[0], "large-pile");
        assert!(goals_of(&*kalah).iter().all(|goal| !goal.starts_with("grown-pile")));
    }
}
