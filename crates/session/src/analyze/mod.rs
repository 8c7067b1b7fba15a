//! Analysis of played games by `house:expert`: the value of every position, and better moves.

mod played_game;
mod positions;
mod results;

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::house::{ClockBudget, load_table};
use pitmaster_core::Seed;
use pitmaster_core::units::parse_duration;
use pitmaster_games::{DynGame, GameSpec};
use pitmaster_players::{
    Algorithm, Choice, EndgameTable, Nodes, PREFIX, Player, PlayerSpec, build_with,
};
use pitmaster_report::{GameAnalysis, PositionAnalysis};

pub use self::played_game::{PlayedGame, read_game};
use self::positions::{Searched, Walk};
pub use self::results::{Analyses, analyze_results};
use crate::observer::Steps;
use crate::{Error, Observer, Task, find_table};

/// Minimum time for a position. A shorter one would often give no result.
const SHORTEST: Duration = Duration::from_millis(1);

/// Search effort per position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// Wall-clock time.
    Time(Duration),
    /// Number of nodes. The analysis is then the same on every machine.
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
        let wrong =
            || format!("expected a time like 200ms, at least 1ms, or nodes=10000, not {text:?}");
        let effort = match text.strip_prefix("nodes=") {
            Some(nodes) => Self::Nodes(nodes.parse().map_err(|_| wrong())?),
            None => Self::Time(parse_duration(text).map_err(|_| wrong())?),
        };
        match effort {
            Self::Nodes(0) => Err(wrong()),
            Self::Time(time) if time < SHORTEST => Err(wrong()),
            effort => Ok(effort),
        }
    }
}

/// Analyzing player.
#[derive(Debug, Clone)]
pub struct Analyst {
    player: PlayerSpec,
    effort: Effort,
    /// Endgame table of the analyzed game.
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

    /// Reads the player's endgame table, or else searches for one in a folder. Unusable files in
    /// the folder are skipped with a warning. If nodes limit the search, the folder is not
    /// searched, because the analysis must not depend on the machine's tables.
    ///
    /// # Errors
    /// The player's table cannot be used.
    pub fn with_table(
        mut self,
        game: &dyn DynGame,
        folder: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let spec = spec_of(game);
        self.table = match (self.player.tables(), folder, self.effort) {
            (Some(path), ..) => Some(load_table(&spec, Path::new(path)).map_err(Error::invalid)?),
            (None, Some(folder), Effort::Time(_)) => find_table(&spec, folder, observer),
            _ => None,
        };
        Ok(self)
    }

    /// Builds the player for a game.
    fn build(&self, played: &PlayedGame) -> Result<Box<dyn Player>, Error> {
        let player = build_with(&spec_of(&*played.game), &self.player, self.table.as_ref());
        let mut player = player.map_err(Error::invalid)?;
        player.begin(Seed(0));
        player.limit_plies(played.limit);
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
/// The rules do not allow a played step.
pub fn analyze(
    played: &PlayedGame,
    analyst: &Analyst,
    observer: &dyn Observer,
) -> Result<GameAnalysis, Error> {
    let steps = Steps::new(observer, Task::Analyze, played.steps.len() as u64 + 1);
    analyze_each(played, analyst, || steps.step(""))
}

/// Analyzes a game and calls a function after each position.
fn analyze_each(
    played: &PlayedGame,
    analyst: &Analyst,
    done: impl Fn(),
) -> Result<GameAnalysis, Error> {
    let walk = Walk::through(&*played.game, &played.steps)?;
    let mut player = analyst.build(played)?;
    let mut searched = Searched { played, analyst, player: &mut *player };
    let mut positions = vec![PositionAnalysis::default(); walk.positions.len()];
    let mut alternatives = vec![None; walk.plies.len()];
    // Backward, so that the results after a move are known before it.
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
