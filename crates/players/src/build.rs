//! Construction of a player bound to a board, from names to an interface that plays by texts.

use std::sync::Arc;

use pitmaster_core::Seed;
use pitmaster_games::two_row::file;
use pitmaster_games::{
    GameSpec, Illegal, MoveError, Rules, SpecErrors, TextError, Turn, look_up, with_rules,
};

use super::alpha_beta::AlphaBeta;
use super::greedy::Greedy;
use super::lapses::Lapses;
use super::minimax::Minimax;
use super::monte_carlo::MonteCarlo;
use super::negamax::Negamax;
use super::preset;
use super::random::Random;
use super::settings::Settings;
use super::{
    Algorithm, Before, Budget, Endgame, EndgameTable, Expert, ExpertOptions, Judged, NO_LIMIT,
    PlayerError, PlayerSpec, Searcher, Thought,
};

/// House bot with its own board.
pub trait Player: Send {
    /// Begins a new game from the start.
    fn begin(&mut self, seed: Seed);

    /// Begins a new game from a position.
    ///
    /// # Errors
    /// Fails if the text is not a position of the game.
    fn begin_at(&mut self, position: &str, seed: Seed) -> Result<(), TextError>;

    /// Announces that the game is adjudicated after this many plies of both sides, counted from its
    /// beginning; `None`, the default, means that it is played to its end.
    fn limit_plies(&mut self, plies: Option<u32>);

    /// Goes to another position of the same game, with this many plies of both sides before it.
    /// Unlike [`Player::begin_at`], it keeps what earlier searches have found.
    ///
    /// # Errors
    /// Fails if the text is not a position of the game; the board is unchanged in that case.
    fn go_to(&mut self, position: &str, plies: u32) -> Result<(), TextError>;

    /// Follows a step made by a player, itself included, or by chance.
    ///
    /// # Errors
    /// Fails if the step cannot be made here; the board is unchanged in that case.
    fn follow(&mut self, step: &str) -> Result<(), MoveError>;

    /// Returns the turn. The player can be asked for a move only on a player's turn.
    fn turn(&self) -> Turn;

    /// Text of the current position.
    fn position(&self) -> String;

    /// Chooses a move in the current position without making it; use [`Player::follow`] for that.
    ///
    /// # Panics
    /// Panics if it is not a player's turn.
    fn choose(&mut self, budget: &mut dyn Budget) -> Choice;
}

/// Chosen move with details of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Text of the move.
    pub text: String,
    /// Details of the search.
    pub thought: Thought,
}

/// Reason why a player cannot be built for a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The game does not exist.
    #[error(transparent)]
    Game(#[from] SpecErrors),
    /// `negamaxer` in a game that it would play incorrectly.
    #[error("negamaxer wants turns that strictly alternate, and {0}; use minimaxer")]
    Alternation(&'static str),
    /// Options that have no effect in the game.
    #[error("{}", .0.iter().map(Idle::to_string).collect::<Vec<_>>().join("\n"))]
    Idle(Vec<Idle>),
    /// The player's name or options are invalid.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player with `tables` where no endgame table is read, or for a game without tables.
    #[error("{0}; leave the option tables out")]
    Endgame(&'static str),
}

/// Option that has no effect in a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option} says nothing here: {why}; leave it out")]
pub struct Idle {
    /// Name of the option.
    pub option: &'static str,
    /// Reason.
    pub why: &'static str,
}

/// Builds a player bound to a board of a game.
///
/// # Errors
/// Fails if the game does not exist or the player cannot play it.
pub fn build(game: &GameSpec, player: &PlayerSpec) -> Result<Box<dyn Player>, BuildError> {
    build_with(game, player, None)
}

/// Builds a player with the endgame table of its option `tables`, which the caller has read.
///
/// # Errors
/// Fails if the game does not exist, if the player cannot play it, or if the table is missing.
pub fn build_with(
    game: &GameSpec,
    player: &PlayerSpec,
    table: Option<&Arc<EndgameTable>>,
) -> Result<Box<dyn Player>, BuildError> {
    if player.tables().is_some() && table.is_none() {
        return Err(BuildError::Endgame("endgame tables are not read here"));
    }
    with_rules!(look_up(game)?.rules, rules => {
        let file = rules.preset(game)?;
        seat_at(rules, &file, player, table)
    })
}

/// Builds a player for known rules. `file` contains the settings of the game's own file.
fn seat_at<R: Judged>(
    rules: R,
    file: &file::Player,
    player: &PlayerSpec,
    table: Option<&Arc<EndgameTable>>,
) -> Result<Box<dyn Player>, BuildError> {
    Ok(match player.algorithm {
        Algorithm::Random => Box::new(BoundPlayer::new(rules, Random::new())),
        Algorithm::Greedy => Box::new(BoundPlayer::new(rules, Greedy::new())),
        Algorithm::Preset => {
            let player = preset::named(&rules, file, player);
            return seat_at(rules, file, &player, None);
        }
        Algorithm::Minimaxer => {
            let Settings { depth, scorer, random_moves, .. } = Settings::new(&rules, file, player)?;
            let searcher = AlphaBeta::<_, Minimax>::new(depth, scorer);
            Box::new(BoundPlayer::new(rules, Lapses::new(searcher, random_moves)))
        }
        Algorithm::Negamaxer => {
            let Settings { depth, scorer, random_moves, .. } = Settings::new(&rules, file, player)?;
            if let Some(why) = rules.breaks_alternation() {
                return Err(BuildError::Alternation(why));
            }
            let searcher = AlphaBeta::<_, Negamax>::new(depth, scorer);
            Box::new(BoundPlayer::new(rules, Lapses::new(searcher, random_moves)))
        }
        Algorithm::MonteCarlo => {
            let Settings { tree, random_moves, .. } = Settings::new(&rules, file, player)?;
            let searcher = MonteCarlo::new(tree);
            Box::new(BoundPlayer::new(rules, Lapses::new(searcher, random_moves)))
        }
        Algorithm::Expert => {
            let endgame = table.map(|table| endgame(&rules, table)).transpose()?;
            let expert = Expert::new(rules.judge(), ExpertOptions::read(&player.options)?);
            Box::new(BoundPlayer::new(rules, expert.with_endgame(endgame)))
        }
    })
}

fn endgame<R: Judged>(
    rules: &R,
    table: &Arc<EndgameTable>,
) -> Result<Arc<dyn Endgame<R>>, BuildError> {
    rules.endgame(table).ok_or(BuildError::Endgame("the game has no endgame tables"))
}

struct BoundPlayer<R: Rules, M> {
    rules: R,
    position: R::Position,
    mind: M,
    /// Number of plies since the beginning.
    plies: u32,
    /// Number of plies after which the game is adjudicated.
    limit: Option<u32>,
}

impl<R: Rules, M: Searcher<R>> BoundPlayer<R, M> {
    fn new(rules: R, mind: M) -> Self {
        let position = rules.start();
        Self { rules, position, mind, plies: 0, limit: None }
    }

    fn restart(&mut self, position: R::Position, seed: Seed) {
        (self.position, self.plies) = (position, 0);
        self.mind.begin(seed);
    }

    /// Number of plies until the game is adjudicated.
    fn plies_left(&self) -> u32 {
        self.limit.map_or(NO_LIMIT, |limit| limit.saturating_sub(self.plies).max(1))
    }
}

impl<R: Rules, M: Searcher<R>> Player for BoundPlayer<R, M> {
    fn begin(&mut self, seed: Seed) {
        self.restart(self.rules.start(), seed);
        self.limit = None;
    }

    fn begin_at(&mut self, position: &str, seed: Seed) -> Result<(), TextError> {
        self.restart(self.rules.parse_position(position)?, seed);
        Ok(())
    }

    fn limit_plies(&mut self, plies: Option<u32>) {
        self.limit = plies;
    }

    fn go_to(&mut self, position: &str, plies: u32) -> Result<(), TextError> {
        self.position = self.rules.parse_position(position)?;
        self.plies = plies;
        Ok(())
    }

    /// Chance steps are not verified: no rule restricts them, and the referee draws them.
    fn follow(&mut self, step: &str) -> Result<(), MoveError> {
        let mv = self.rules.parse_move(&self.position, step)?;
        let turn = self.turn();
        let may = match turn {
            Turn::Player(_) => self.rules.is_legal(&self.position, &mv),
            Turn::Chance => true,
            Turn::Over(_) => false,
        };
        if !may {
            return Err(Illegal.into());
        }
        self.rules.play(&mut self.position, &mv, &mut ());
        // Chance steps do not count as plies.
        self.plies += u32::from(matches!(turn, Turn::Player(_)));
        Ok(())
    }

    fn turn(&self) -> Turn {
        self.rules.turn(&self.position)
    }

    fn position(&self) -> String {
        self.rules.position_text(&self.position)
    }

    fn choose(&mut self, budget: &mut dyn Budget) -> Choice {
        let mut budget = Before::new(budget, self.plies_left());
        let chosen = self.mind.choose(&self.rules, &self.position, &mut budget);
        let text = self.rules.move_text(&self.position, &chosen.mv);
        Choice { text, thought: chosen.thought }
    }
}
