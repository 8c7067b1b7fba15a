//! Analysis of the positions of one game.

use pitmaster_core::{Score, Side, Untrusted};
use pitmaster_games::{DynGame, GameState, Outcome, Turn};
use pitmaster_players::{Choice, Player, Thought, Verdict};
use pitmaster_report::PositionAnalysis;

use super::{Analyst, PlayedGame};
use crate::Error;

/// Maximum number of forced moves followed to evaluate a position.
const FORCED: usize = 64;

/// Maximum length of a move in an error, in characters.
const MOVE: usize = 40;

/// A game, position by position.
pub(super) struct Walk {
    /// Mover and text of each ply.
    pub(super) plies: Vec<(Option<Side>, String)>,
    /// Every position: the start, then the one after each ply.
    pub(super) positions: Vec<Position>,
}

/// A position of a game.
pub(super) struct Position {
    text: String,
    /// Number of plies of both sides before it. Chance steps do not count.
    plies: u32,
}

impl Walk {
    pub(super) fn through(game: &dyn DynGame, steps: &[String]) -> Result<Self, Error> {
        let mut state = game.begin();
        let (mut plies, mut played) = (Vec::new(), 0);
        let mut positions = vec![Position { text: state.position(), plies: 0 }];
        for (place, step) in steps.iter().enumerate() {
            let mut written = String::new();
            let by = follow(&mut *state, step, &mut written).map_err(|why| {
                let step = Untrusted::new(step.as_str()).shown(MOVE);
                Error::invalid(format!("ply {}, \"{step}\": {why}; correct it", place + 1))
            })?;
            played += u32::from(by.is_some());
            plies.push((by, written));
            positions.push(Position { text: state.position(), plies: played });
        }
        Ok(Self { plies, positions })
    }
}

/// Makes a step and returns its side. `None` for a chance step.
fn follow(
    state: &mut dyn GameState,
    step: &str,
    written: &mut String,
) -> Result<Option<Side>, String> {
    let by = match state.turn() {
        Turn::Player(side) => Some(side),
        Turn::Chance => None,
        Turn::Over(_) => return Err("the game is over there".to_owned()),
    };
    state.follow(step, written).map_err(|fault| fault.to_string())?;
    Ok(by)
}

/// Result of the search of one position.
enum Found {
    /// A value, or none because time ran out before the first pass.
    Searched(PositionAnalysis),
    /// The only legal move, which is chosen without a search.
    Forced(String),
    /// A chance step is next.
    Chance,
}

/// Analysis of a game by a player.
pub(super) struct Searched<'a> {
    pub(super) played: &'a PlayedGame,
    pub(super) analyst: &'a Analyst,
    pub(super) player: &'a mut dyn Player,
}

impl Searched<'_> {
    /// Analyzes a position. The value of a forced position is that of the next one.
    pub(super) fn position(
        &mut self,
        at: &Position,
        next: Option<&PositionAnalysis>,
    ) -> Result<PositionAnalysis, Error> {
        match (self.search(at)?, next) {
            (Found::Searched(found), _) => Ok(found),
            (Found::Chance, next) => {
                let seeds = next.and_then(|next| next.seeds);
                Ok(PositionAnalysis { seeds, ..PositionAnalysis::default() })
            }
            (Found::Forced(only), Some(next)) => {
                Ok(PositionAnalysis { best: Some(only), ..next.clone() })
            }
            (Found::Forced(only), None) => {
                let found = self.follow_forced(at, &only)?;
                Ok(PositionAnalysis { best: Some(only), ..found })
            }
        }
    }

    /// Analyzes the position after the best move, unless that move was played.
    pub(super) fn after_best(
        &mut self,
        at: &Position,
        found: &PositionAnalysis,
        played: &str,
    ) -> Result<Option<PositionAnalysis>, Error> {
        let Some(best) = found.best.as_deref().filter(|best| *best != played) else {
            return Ok(None);
        };
        let mut state = self.state(at)?;
        state.follow(best, &mut String::new()).map_err(Error::invalid)?;
        let after = Position { text: state.position(), plies: at.plies + 1 };
        self.position(&after, None).map(Some)
    }

    fn state(&self, at: &Position) -> Result<Box<dyn GameState>, Error> {
        self.played.game.resume(&at.text).map_err(Error::invalid)
    }

    fn search(&mut self, at: &Position) -> Result<Found, Error> {
        let mut state = self.state(at)?;
        let side = match state.turn() {
            Turn::Over(outcome) => return Ok(Found::Searched(ended(&outcome))),
            Turn::Player(_) if self.played.limit.is_some_and(|limit| at.plies >= limit) => {
                return Ok(Found::Searched(ended(&state.adjudicate())));
            }
            Turn::Chance => return Ok(Found::Chance),
            Turn::Player(side) => side,
        };
        self.player.go_to(&at.text, at.plies).map_err(Error::invalid)?;
        let Choice { text, thought } = self.analyst.choose(self.player);
        let Thought { nodes, depth, seeds, verdict } = thought;
        if seeds.is_none() && is_only_move(&mut *state, &text) {
            return Ok(Found::Forced(text));
        }
        let seeds = seeds.map(|seeds| for_player_1(seeds, side));
        Ok(Found::Searched(PositionAnalysis { seeds, verdict, best: Some(text), depth, nodes }))
    }

    /// Follows forced moves until there is a choice.
    fn follow_forced(&mut self, at: &Position, only: &str) -> Result<PositionAnalysis, Error> {
        let (mut state, mut plies) = (self.state(at)?, at.plies);
        let mut forced = only.to_owned();
        for _ in 0..FORCED {
            state.follow(&forced, &mut String::new()).map_err(Error::invalid)?;
            plies += 1;
            match self.search(&Position { text: state.position(), plies })? {
                Found::Searched(found) => return Ok(found),
                Found::Chance => break,
                Found::Forced(only) => forced = only,
            }
        }
        Ok(PositionAnalysis::default())
    }
}

/// Whether a text is the only legal move. A template is not a move and represents several.
fn is_only_move(state: &mut dyn GameState, text: &str) -> bool {
    let mut listed = String::new();
    state.list_moves(&mut listed);
    listed.trim() == text
}

fn for_player_1(seeds: f64, side: Side) -> f64 {
    // Adding 0 converts -0 to 0.
    if side == Side::One { seeds } else { -seeds + 0.0 }
}

/// Analysis of the end of a game.
fn ended(outcome: &Outcome) -> PositionAnalysis {
    let Score { one, two } = outcome.score;
    let lead = i64::from(one) - i64::from(two);
    let margin = outcome.winner.map_or(0, |side| if side == Side::One { lead } else { -lead });
    let verdict = Verdict { winner: outcome.winner, margin: i32::try_from(margin).ok() };
    PositionAnalysis {
        seeds: Some(lead as f64),
        verdict: Some(verdict),
        ..PositionAnalysis::default()
    }
}
