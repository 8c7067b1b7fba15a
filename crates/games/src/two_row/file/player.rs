//! House bot settings in a game file. They are checked for form only; the player checks whether a
//! factor has any effect in the game.

use pitmaster_core::config::{Entry, Kind, Node};
use pitmaster_core::diagnostics::{Diagnostics, hint};

use super::findings::{is_true, wrong};
use super::legacy::{Ages, ages_of_score};
use super::read::entries;

/// House bot settings of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Player {
    /// Search algorithm.
    pub algorithm: Algorithm,
    /// Difficulty from 0 to 3, which selects one of the four values of each parameter.
    pub difficulty: Difficulty,
    /// Whether the bot plays without being asked.
    pub ai_active: bool,
    /// Whether the scores of seeds and holes count the whole board for the side to move.
    pub mm_score_counts: bool,
    /// Search parameters.
    pub ai_params: AiParams,
    /// Evaluation settings.
    pub scorer: Scorer,
}

/// Search algorithm of a house bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// `minimaxer`
    #[default]
    Minimax,
    /// `negamaxer`
    Negamax,
    /// `montecarlo_ts`
    MonteCarlo,
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: &[Self] = &[Self::Minimax, Self::Negamax, Self::MonteCarlo];

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimaxer",
            Self::Negamax => "negamaxer",
            Self::MonteCarlo => "montecarlo_ts",
        }
    }
}

/// Difficulty from 0 (easy) to 3 (hard).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difficulty(pub u8);

impl Default for Difficulty {
    fn default() -> Self {
        Self(1)
    }
}

/// Search parameters, one value for each difficulty. The defaults are for a file without any of them.
/// A file with a depth or a number of nodes has no random moves unless it says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AiParams {
    /// Depth in plies.
    pub mm_depth: [i32; 4],
    /// Exploration weight, in thousandths.
    pub mcts_bias: [i32; 4],
    /// Number of nodes per move.
    pub mcts_nodes: [i32; 4],
    /// Number of playouts per node.
    pub mcts_pouts: [i32; 4],
    /// Percentage of moves that are chosen at random.
    pub random_moves: [i32; 4],
}

impl Default for AiParams {
    fn default() -> Self {
        Self {
            mm_depth: [1, 2, 3, 5],
            mcts_bias: [200, 200, 300, 300],
            mcts_nodes: [800, 1000, 1200, 1400],
            mcts_pouts: [1, 1, 2, 2],
            random_moves: [40, 20, 6, 0],
        }
    }
}

/// Evaluation settings: factors (`…_m`) and addends (`…_a`), 0 if not counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scorer {
    /// Seeds in stores.
    pub mx_stores_m: i32,
    /// Holes that can be reached.
    pub mx_access_m: i32,
    /// Seeds on the own side.
    pub mx_seeds_m: i32,
    /// Empty holes.
    pub mx_empties_m: i32,
    /// Children.
    pub mx_child_cnt_m: i32,
    /// Holes with an even number of seeds.
    pub mx_evens_m: i32,
    /// Amount of randomness at difficulty 0.
    pub mx_easy_rand_a: i32,
    /// Repeat turns.
    pub mx_rturn_a: i32,
}

/// Score: its name, its name in 2024-11, and its field.
type Score = (&'static str, &'static str, fn(&mut Scorer) -> &mut i32);

pub(super) const SCORES: &[Score] = &[
    ("mx_stores_m", "stores_m", |scorer| &mut scorer.mx_stores_m),
    ("mx_access_m", "access_m", |scorer| &mut scorer.mx_access_m),
    ("mx_seeds_m", "seeds_m", |scorer| &mut scorer.mx_seeds_m),
    ("mx_empties_m", "empties_m", |scorer| &mut scorer.mx_empties_m),
    ("mx_child_cnt_m", "child_cnt_m", |scorer| &mut scorer.mx_child_cnt_m),
    ("mx_evens_m", "evens_m", |scorer| &mut scorer.mx_evens_m),
    ("mx_easy_rand_a", "easy_rand", |scorer| &mut scorer.mx_easy_rand_a),
    ("mx_rturn_a", "repeat_turn", |scorer| &mut scorer.mx_rturn_a),
];

impl Scorer {
    /// All names: the current one and that of 2024-11.
    pub fn names() -> impl Iterator<Item = [&'static str; 2]> {
        SCORES.iter().map(|(name, old, _)| [*name, *old])
    }

    /// Factor or addend with this name.
    pub fn value(&mut self, name: &str) -> Option<&mut i32> {
        let (.., field) = SCORES.iter().find(|(known, ..)| *known == name)?;
        Some(field(self))
    }
}

/// Four values: their name and field.
type Fours = (&'static str, fn(&mut AiParams) -> &mut [i32; 4]);

pub(super) const FOURS: &[Fours] = &[
    ("mm_depth", |params| &mut params.mm_depth),
    ("mcts_bias", |params| &mut params.mcts_bias),
    ("mcts_nodes", |params| &mut params.mcts_nodes),
    ("mcts_pouts", |params| &mut params.mcts_pouts),
    (RANDOM_MOVES, |params| &mut params.random_moves),
];

const RANDOM_MOVES: &str = "random_moves";

impl AiParams {
    /// Default of `random_moves` in a file with these keys: no random moves if the file sets the
    /// search depth, as files of other programs do.
    pub(super) fn default_random_moves<'k>(mut keys: impl Iterator<Item = &'k str>) -> [i32; 4] {
        if keys.any(|key| ["mm_depth", "mcts_nodes"].contains(&key)) {
            return [0; 4];
        }
        Self::default().random_moves
    }
}

const NAMES: &[&str] =
    &["ai_active", "ai_params", "algorithm", "difficulty", "mm_score_counts", "scorer"];

/// Reads the settings, and the versions that its names indicate.
pub(super) fn read(node: &Node, findings: &mut Diagnostics<'_>) -> (Player, Ages) {
    let mut player = Player::default();
    let mut ages = Ages::ANY;
    for entry in entries(node, "player", findings) {
        let node = &entry.node;
        match entry.key.as_str() {
            "algorithm" => player.algorithm = algorithm(node, findings),
            "difficulty" => player.difficulty = difficulty(node, findings),
            // `ai_start` was a setting of the program of 2024-11.
            "ai_start" => {}
            "ai_active" => player.ai_active = is_true(node),
            "mm_score_counts" => player.mm_score_counts = is_true(node),
            "ai_params" => player.ai_params = ai_params(node, findings),
            "scorer" => {
                ages = ages.and(read_scorer(node, &mut player.scorer, findings));
            }
            _ => unknown(entry, "player", NAMES.iter().copied(), findings),
        }
    }
    (player, ages)
}

fn algorithm(node: &Node, findings: &mut Diagnostics<'_>) -> Algorithm {
    let text = node.text().unwrap_or_default();
    let known = Algorithm::ALL.iter().find(|algorithm| algorithm.name() == text);
    known.copied().unwrap_or_else(|| {
        wrong(findings, "player.algorithm", node, "minimaxer, negamaxer or montecarlo_ts");
        Algorithm::default()
    })
}

fn difficulty(node: &Node, findings: &mut Diagnostics<'_>) -> Difficulty {
    let number = node.integer().and_then(|number| u8::try_from(number).ok());
    number.filter(|number| *number <= 3).map_or_else(
        || {
            wrong(findings, "player.difficulty", node, "a whole number from 0 to 3");
            Difficulty::default()
        },
        Difficulty,
    )
}

fn ai_params(node: &Node, findings: &mut Diagnostics<'_>) -> AiParams {
    let mut params = AiParams::default();
    let entries = entries(node, "player.ai_params", findings);
    params.random_moves =
        AiParams::default_random_moves(entries.iter().map(|entry| entry.key.as_str()));
    for entry in entries {
        let Some((_, field)) = FOURS.iter().find(|(name, _)| *name == entry.key) else {
            let names = FOURS.iter().map(|(name, _)| *name);
            unknown(entry, "player.ai_params", names, findings);
            continue;
        };
        match four(&entry.node) {
            Some(values) => *field(&mut params) = values,
            None => {
                let key = format!("player.ai_params.{}", entry.key);
                wrong(findings, &key, &entry.node, "four whole numbers, one for each difficulty");
            }
        }
    }
    params
}

fn four(node: &Node) -> Option<[i32; 4]> {
    let Kind::List(list) = &node.kind else { return None };
    let values = list.iter().map(whole).collect::<Option<Vec<_>>>()?;
    values.try_into().ok()
}

fn whole(node: &Node) -> Option<i32> {
    node.integer().and_then(|number| i32::try_from(number).ok())
}

fn read_scorer(node: &Node, scorer: &mut Scorer, findings: &mut Diagnostics<'_>) -> Ages {
    let mut ages = Ages::ANY;
    for entry in entries(node, "player.scorer", findings) {
        let found = SCORES.iter().find(|(new, old, _)| *new == entry.key || *old == entry.key);
        let Some((_, old, field)) = found else {
            unknown(entry, "player.scorer", SCORES.iter().map(|(name, ..)| *name), findings);
            continue;
        };
        ages = ages.and(ages_of_score(&entry.key, *old == entry.key));
        match whole(&entry.node) {
            Some(value) => *field(scorer) = value,
            None => {
                let key = format!("player.scorer.{}", entry.key);
                wrong(findings, &key, &entry.node, "a whole number");
            }
        }
    }
    ages
}

fn unknown<'k>(
    entry: &Entry,
    table: &str,
    known: impl Iterator<Item = &'k str>,
    findings: &mut Diagnostics<'_>,
) {
    let key = format!("{table}.{}", entry.key);
    let hint = hint(&format!("{table} has"), &entry.key, known, None);
    let message = format!("there is no such key; {hint}");
    findings.fault_at(entry.at, &key, message);
}
