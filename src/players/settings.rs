//! What a player that searches goes by: from the file of the game, the level and the options to
//! numbers. Must not know how a search goes.

use super::options::{MAX_DEPTH, MAX_NODES};
use super::scorer::{ANOTHER_TURN, FACTORS, Scorer};
use super::seat::Idle;
use super::{Algorithm, PlayerSpec, SeatFault};
use crate::games::Counting;
use crate::games::two_row::file;

/// All numbers of a search, of which each algorithm uses its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Settings {
    /// Plies of a search by depth.
    pub(super) depth: u32,
    /// What positions are worth to a search by depth.
    pub(super) scorer: Scorer,
    /// Of a tree.
    pub(super) tree: TreeSettings,
}

/// The numbers of a tree search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TreeSettings {
    /// How much is tried out, in thousandths.
    pub(super) bias: u32,
    /// Nodes for each move.
    pub(super) nodes: u32,
    /// Playouts for each node.
    pub(super) playouts: u32,
}

impl Settings {
    /// What the file says at the level of the options, or else at its own; then what the options
    /// say. Factors of the file that say nothing in this variant of its game are left out.
    ///
    /// # Errors
    /// An option is a factor that says nothing in this game.
    pub(super) fn new<R: Counting>(
        rules: &R,
        file: &file::Player,
        spec: &PlayerSpec,
    ) -> Result<Self, SeatFault> {
        let level = number(spec, "level").map_or(file.difficulty.0, |level| level as u8);
        let ai = &file.ai_params;
        let four = |name, values: &[i32; 4], most: i64| {
            let value = number(spec, name).unwrap_or(values[usize::from(level)].into());
            value.clamp(0, most) as u32
        };
        let tree = TreeSettings {
            bias: four("mcts_bias", &ai.mcts_bias, i32::MAX.into()),
            nodes: four("mcts_nodes", &ai.mcts_nodes, MAX_NODES).max(1),
            playouts: four("mcts_pouts", &ai.mcts_pouts, i32::MAX.into()).max(1),
        };
        let scorer = factors(rules, &file.scorer, spec)?;
        let scorer = Scorer::new(&scorer, level, file.mm_score_counts);
        Ok(Self { depth: four("mm_depth", &ai.mm_depth, MAX_DEPTH).max(1), scorer, tree })
    }
}

impl Settings {
    /// What an algorithm goes by, in words.
    pub(super) fn text(&self, algorithm: Algorithm) -> String {
        let Self { depth, scorer, tree: TreeSettings { bias, nodes, playouts } } = self;
        match algorithm {
            Algorithm::MonteCarlo => {
                format!("{nodes} nodes, {playouts} playouts, bias {bias}")
            }
            _ => format!("{depth} plies, {scorer}"),
        }
    }
}

/// What a store is worth where no file says what anything is worth.
const STORES: i32 = 4;

/// The factors of the file and those of the options.
fn factors<R: Counting>(
    rules: &R,
    file: &file::Scorer,
    spec: &PlayerSpec,
) -> Result<file::Scorer, SeatFault> {
    let mut scorer = file.clone();
    if scorer == file::Scorer::default() {
        scorer.mx_stores_m = STORES;
    }
    let mut idle = Vec::new();
    for (name, why) in says_nothing(rules) {
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
    if idle.is_empty() { Ok(scorer) } else { Err(SeatFault::Idle(idle)) }
}

/// The factors that say nothing in a game, and why.
fn says_nothing<R: Counting>(rules: &R) -> Vec<(&'static str, &'static str)> {
    let factors = FACTORS.iter().filter_map(|&(what, name)| Some((name, rules.lacks(what)?)));
    let turns = (!rules.grants_turns()).then_some((ANOTHER_TURN, "no move gives another turn"));
    factors.chain(turns).collect()
}

fn number(spec: &PlayerSpec, option: &str) -> Option<i64> {
    spec.options.get(option).and_then(|value| value.parse().ok())
}
