//! Analysis of played games by `house:expert`: the value of every position, and better moves.

mod played_game;
mod results;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::house::{ClockBudget, load_table};
use pitmaster_core::units::parse_duration;
use pitmaster_core::{BySide, Score, Seed, Side};
use pitmaster_games::{DynGame, GameSpec, Outcome, Turn};
use pitmaster_players::{
    Algorithm, Choice, EndgameTable, Nodes, PREFIX, Player, PlayerSpec, Thought, Verdict,
    build_with,
};
use pitmaster_report::{GameAnalysis, PositionAnalysis};

pub use self::played_game::{PlayedGame, read_game};
pub use self::results::{Analyses, analyze_results};
use crate::observer::Steps;
use crate::{Error, Observer, Task, find_table};

/// Maximum number of forced moves that are followed to find the value of the last position.
const FORCED: usize = 64;

/// How long each position is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Wall-clock time.
    Time(Duration),
    /// Number of nodes; the analysis is then the same on every machine.
    Nodes(u64),
}

/// Text for people: `200ms per ply`.
impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{time:?} per ply"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes per ply"),
        }
    }
}

/// `200ms`, `2s`, or `nodes=10000`.
impl FromStr for Effort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("expected a time like 200ms, or nodes=10000, not {text:?}");
        let effort = match text.strip_prefix("nodes=") {
            Some(nodes) => Self::Nodes(nodes.parse().map_err(|_| wrong())?),
            None => Self::Time(parse_duration(text).map_err(|_| wrong())?),
        };
        match effort {
            Self::Time(Duration::ZERO) | Self::Nodes(0) => Err(wrong()),
            effort => Ok(effort),
        }
    }
}

/// Player that analyzes.
#[derive(Debug, Clone)]
pub struct Analyst {
    player: PlayerSpec,
    effort: Effort,
    /// Endgame table of the game that is analyzed.
    table: Option<Arc<EndgameTable>>,
}

impl Analyst {
    /// Makes an analyst from `expert` with options, with or without the prefix `house:`.
    ///
    /// # Errors
    /// The player is another one, does not exist, or has no such option.
    pub fn new(player: &str, effort: Effort) -> Result<Self, String> {
        let name = player.strip_prefix(PREFIX).unwrap_or(player);
        let player: PlayerSpec = crate::house::player(name)?;
        if player.algorithm != Algorithm::Expert {
            return Err(format!(
                "{} gives no values to compare; analyze with expert",
                player.algorithm.name()
            ));
        }
        Ok(Self { player, effort, table: None })
    }

    /// Reads the endgame table that the player names, or else looks for one in a folder. Tables in
    /// the folder that cannot be used are remarked on and left out.
    ///
    /// # Errors
    /// The table that the player names cannot be used.
    pub fn with_table(
        mut self,
        game: &dyn DynGame,
        folder: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let spec = spec_of(game);
        self.table = match (self.player.tables(), folder) {
            (Some(path), _) => Some(load_table(&spec, Path::new(path)).map_err(Error::invalid)?),
            (None, Some(folder)) => find_table(&spec, folder, observer),
            (None, None) => None,
        };
        Ok(self)
    }

    /// Sits the player down at a board of the game.
    fn at_board(&self, game: &dyn DynGame) -> Result<Box<dyn Player>, Error> {
        let player = build_with(&spec_of(game), &self.player, self.table.as_ref());
        let mut player = player.map_err(Error::invalid)?;
        player.begin(Seed(0));
        Ok(player)
    }

    fn choose(&self, player: &mut dyn Player) -> Choice {
        match self.effort {
            Effort::Nodes(nodes) => player.choose(&mut Nodes::new(nodes)),
            Effort::Time(time) => player.choose(&mut ClockBudget::new(Instant::now(), Some(time))),
        }
    }
}

/// Text for people: `house:expert, 200ms per ply`.
impl fmt::Display for Analyst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}, {}", self.player, self.effort)?;
        match &self.table {
            Some(table) => write!(f, ", endgame table up to {} seeds", table.most()),
            None => Ok(()),
        }
    }
}

fn spec_of(game: &dyn DynGame) -> GameSpec {
    game.spec().parse().expect("a game writes its own name as it reads it")
}

/// Analyzes a game. Steps of the task are positions.
///
/// # Errors
/// The rules do not allow what was played.
pub fn analyze(
    played: &PlayedGame,
    analyst: &Analyst,
    observer: &dyn Observer,
) -> Result<GameAnalysis, Error> {
    let steps = Steps::new(observer, Task::Analyze, played.steps.len() as u64 + 1);
    analyze_silently(played, analyst, || steps.step(""))
}

/// The same, with a function that is called after each position.
fn analyze_silently(
    played: &PlayedGame,
    analyst: &Analyst,
    done: impl Fn(),
) -> Result<GameAnalysis, Error> {
    let game = &*played.game;
    let walk = Walk::through(game, &played.steps)?;
    let mut player = analyst.at_board(game)?;
    let mut searched = Searched { game, analyst, player: &mut *player };
    let mut positions = vec![PositionAnalysis::default(); walk.positions.len()];
    let mut alternatives = vec![None; walk.plies.len()];
    // Backward, so that what is found after a move is known before it.
    for (place, position) in walk.positions.iter().enumerate().rev() {
        let next = positions.get(place + 1);
        positions[place] = searched.position(position, next)?;
        if let Some((_, text)) = walk.plies.get(place) {
            alternatives[place] = searched.after_best(position, &positions[place], text)?;
        }
        done();
    }
    Ok(GameAnalysis { by: analyst.to_string(), plies: walk.plies, positions, alternatives })
}

/// A game, position by position.
struct Walk {
    plies: Vec<(Option<Side>, String)>,
    /// Texts of the positions, the start first.
    positions: Vec<String>,
}

impl Walk {
    fn through(game: &dyn DynGame, steps: &[String]) -> Result<Self, Error> {
        let mut state = game.begin();
        let (mut plies, mut positions) = (Vec::new(), vec![state.position()]);
        for (place, step) in steps.iter().enumerate() {
            let by = match state.turn() {
                Turn::Player(side) => Ok(Some(side)),
                Turn::Chance => Ok(None),
                Turn::Over(_) => Err("the game is over there".to_owned()),
            };
            let mut written = String::new();
            let followed = by.and_then(|by| {
                state.follow(step, &mut written).map_err(|fault| fault.to_string())?;
                Ok(by)
            });
            let by = followed.map_err(|why| {
                Error::invalid(format!("ply {}, {step:?}: {why}; correct it", place + 1))
            })?;
            plies.push((by, written));
            positions.push(state.position());
        }
        Ok(Self { plies, positions })
    }
}

/// Player at work on a game.
struct Searched<'a> {
    game: &'a dyn DynGame,
    analyst: &'a Analyst,
    player: &'a mut dyn Player,
}

impl Searched<'_> {
    /// Analyzes a position. Where there is nothing to choose, its value is that of the next one.
    fn position(
        &mut self,
        position: &str,
        next: Option<&PositionAnalysis>,
    ) -> Result<PositionAnalysis, Error> {
        let state = self.game.resume(position).map_err(Error::invalid)?;
        let side = match state.turn() {
            Turn::Over(outcome) => return Ok(ended(&outcome)),
            Turn::Chance => {
                let seeds = next.and_then(|next| next.seeds);
                return Ok(PositionAnalysis { seeds, ..PositionAnalysis::default() });
            }
            Turn::Player(side) => side,
        };
        self.player.go_to(position).map_err(Error::invalid)?;
        let Choice { text, thought } = self.analyst.choose(self.player);
        let best = Some(text);
        let Thought { nodes, depth, seeds, verdict } = thought;
        if let Some(seeds) = seeds {
            let seeds = Some(for_player_1(seeds, side));
            return Ok(PositionAnalysis { seeds, verdict, best, depth, nodes });
        }
        let forced = match next {
            Some(next) => next.clone(),
            None => follow_forced(self.player, self.analyst, best.as_deref()),
        };
        Ok(PositionAnalysis { best, ..forced })
    }

    /// Analyzes the position after the best move, unless that was played.
    fn after_best(
        &mut self,
        position: &str,
        found: &PositionAnalysis,
        played: &str,
    ) -> Result<Option<PositionAnalysis>, Error> {
        let Some(best) = found.best.as_deref().filter(|best| *best != played) else {
            return Ok(None);
        };
        let mut state = self.game.resume(position).map_err(Error::invalid)?;
        state.follow(best, &mut String::new()).map_err(Error::invalid)?;
        self.position(&state.position(), None).map(Some)
    }
}

/// Follows forced moves until there is something to choose.
fn follow_forced(
    player: &mut dyn Player,
    analyst: &Analyst,
    first: Option<&str>,
) -> PositionAnalysis {
    let mut forced = first.unwrap_or_default().to_owned();
    for _ in 0..FORCED {
        if player.follow(&forced).is_err() {
            break;
        }
        let side = match player.turn() {
            Turn::Over(outcome) => return ended(&outcome),
            Turn::Chance => break,
            Turn::Player(side) => side,
        };
        let Choice { text, thought: Thought { nodes, depth, seeds, verdict } } =
            analyst.choose(player);
        if let Some(seeds) = seeds {
            let seeds = Some(for_player_1(seeds, side));
            return PositionAnalysis { seeds, verdict, best: None, depth, nodes };
        }
        forced = text;
    }
    PositionAnalysis::default()
}

fn for_player_1(seeds: f64, side: Side) -> f64 {
    // Adding 0 turns -0 into 0.
    if side == Side::One { seeds } else { -seeds + 0.0 }
}

/// The end of a game.
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

/// Names of players that nobody named.
fn nameless() -> BySide<String> {
    BySide::from_fn(|side| format!("player {side}"))
}
