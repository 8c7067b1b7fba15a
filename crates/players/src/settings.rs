//! Search settings: the numbers computed from the game's file, the level and the options. The
//! module does not know how a search works.

use pitmaster_games::Counting;
use pitmaster_games::two_row::file;

use super::build::Idle;
use super::options::{MAX_BIAS, MAX_DEPTH, MAX_NODES, MAX_PLAYOUTS};
use super::scorer::{ANOTHER_TURN, FACTORS, Scorer};
use super::{Algorithm, BuildError, PlayerSpec};

/// Settings of all searches, of which each algorithm uses its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// Depth in plies of a depth-limited search.
    pub(super) depth: u32,
    /// Evaluation of a depth-limited search.
    pub(super) scorer: Scorer,
    /// Settings of a tree search.
    pub(super) tree: TreeSettings,
    /// Percentage of moves chosen at random.
    pub(super) random_moves: u32,
}

/// Settings of a tree search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeSettings {
    /// Exploration weight, in thousandths.
    pub(super) bias: u32,
    /// Number of nodes per move.
    pub(super) nodes: u32,
    /// Number of playouts per node.
    pub(super) playouts: u32,
}

impl Settings {
    /// Settings of the file at the level of the options, or else at its own level, overridden by
    /// the options. Factors of the file without effect in this variant are left out.
    ///
    /// # Errors
    /// Fails if an option is a factor that has no effect in this game.
    pub(super) fn new<R: Counting>(
        rules: &R,
        file: &file::Player,
        spec: &PlayerSpec,
    ) -> Result<Self, BuildError> {
        let level = level(file, spec);
        let ai = &file.ai_params;
        let four = |name, values: &[i32; 4], most: i64| {
            let value = number(spec, name).unwrap_or(values[usize::from(level)].into());
            value.clamp(0, most) as u32
        };
        let tree = TreeSettings {
            bias: four("mcts_bias", &ai.mcts_bias, MAX_BIAS),
            nodes: four("mcts_nodes", &ai.mcts_nodes, MAX_NODES).max(1),
            playouts: four("mcts_pouts", &ai.mcts_pouts, MAX_PLAYOUTS).max(1),
        };
        let scorer = factors(rules, &file.scorer, spec)?;
        let whole_board = number(spec, "mm_score_counts").map(|truth| truth != 0);
        let scorer = Scorer::new(&scorer, level, whole_board.unwrap_or(file.mm_score_counts));
        let depth = four("mm_depth", &ai.mm_depth, MAX_DEPTH).max(1);
        // An explicit search size implies no random moves.
        let is_sized = ["mm_depth", "mcts_nodes"].iter().any(|&size| number(spec, size).is_some());
        let by_file = if is_sized { [0; 4] } else { ai.random_moves };
        Ok(Self { depth, scorer, tree, random_moves: four(RANDOM_MOVES, &by_file, 100) })
    }
}

/// Option for the percentage of random moves.
const RANDOM_MOVES: &str = "random_moves";

impl Settings {
    /// Settings of an algorithm as text.
    pub(super) fn text(&self, algorithm: Algorithm) -> String {
        let Self { depth, scorer, tree: TreeSettings { bias, nodes, playouts }, .. } = self;
        let random = match self.random_moves {
            0 => String::new(),
            percent => format!(", {percent} % random moves"),
        };
        match algorithm {
            Algorithm::MonteCarlo => {
                format!("{nodes} nodes, {playouts} playouts, bias {bias}{random}")
            }
            _ => format!("{depth} plies, {scorer}{random}"),
        }
    }

    /// All options of an algorithm, with their values.
    pub(super) fn options(&self, algorithm: Algorithm) -> Vec<(&'static str, i64)> {
        let Self { depth, scorer, tree: TreeSettings { bias, nodes, playouts }, random_moves } =
            self;
        let random = (RANDOM_MOVES, i64::from(*random_moves));
        let of_tree = [("mcts_bias", bias), ("mcts_nodes", nodes), ("mcts_pouts", playouts)];
        if algorithm == Algorithm::MonteCarlo {
            let of_tree = of_tree.map(|(name, value)| (name, i64::from(*value)));
            return of_tree.into_iter().chain([random]).collect();
        }
        let depth = [("mm_depth", i64::from(*depth)), random];
        depth.into_iter().chain(scorer.options()).collect()
    }
}

/// Converts the settings of the game's file to options, so that the player plays the same without
/// the file.
///
/// # Errors
/// Fails if an option is a factor that has no effect in this game.
pub(super) fn spelled_out<R: Counting>(
    rules: &R,
    file: &file::Player,
    spec: &PlayerSpec,
) -> Result<PlayerSpec, BuildError> {
    let mut spec = spec.clone();
    spec.options.insert("level".to_owned(), level(file, &spec).to_string());
    let with = Settings::new(rules, file, &spec)?.options(spec.algorithm);
    // The random moves come last, because their default depends on whether a depth is set.
    for is_last in [false, true] {
        let without = Settings::new(rules, &file::Player::default(), &spec)?;
        let without = without.options(spec.algorithm);
        let these = with.iter().filter(|(name, _)| (*name == RANDOM_MOVES) == is_last);
        for (name, value) in these.filter(|option| !without.contains(option)) {
            spec.options.insert((*name).to_owned(), value.to_string());
        }
    }
    Ok(spec)
}

fn level(file: &file::Player, spec: &PlayerSpec) -> u8 {
    number(spec, "level").map_or(file.difficulty.0, |level| level as u8)
}

/// Default value of a store if no file sets any.
const STORES: i32 = 4;

/// Factors of the file, overridden by those of the options.
fn factors<R: Counting>(
    rules: &R,
    file: &file::Scorer,
    spec: &PlayerSpec,
) -> Result<file::Scorer, BuildError> {
    let mut scorer = file.clone();
    if scorer == file::Scorer::default() {
        scorer.mx_stores_m = STORES;
    }
    let mut idle = Vec::new();
    for (name, why) in without_effect(rules) {
        let given = number(spec, name).is_some_and(|value| value != 0);
        idle.extend(given.then_some(Idle { option: name, why }));
        if let Some(value) = scorer.value(name) {
            *value = 0;
        }
    }
    for [name, _] in file::Scorer::names() {
        if let (Some(given), Some(value)) = (number(spec, name), scorer.value(name)) {
            *value = given as i32;
        }
    }
    if idle.is_empty() { Ok(scorer) } else { Err(BuildError::Idle(idle)) }
}

/// Factors without effect in a game, with the reasons.
fn without_effect<R: Counting>(rules: &R) -> Vec<(&'static str, &'static str)> {
    let factors = FACTORS.iter().filter_map(|&(what, name)| Some((name, rules.lacks(what)?)));
    let turns = (!rules.grants_turns()).then_some((ANOTHER_TURN, "no move gives another turn"));
    factors.chain(turns).collect()
}

fn number(spec: &PlayerSpec, option: &str) -> Option<i64> {
    spec.options.get(option).and_then(|value| value.parse().ok())
}
