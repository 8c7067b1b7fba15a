//! House bot options: names and allowed values. The module does not know their effects.

use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_games::two_row::file::Scorer;

use super::expert::ExpertOptions;
use super::spec::{Algorithm, PlayerError};

/// Integer option.
#[derive(Debug, Clone, Copy)]
struct Whole {
    /// Name of the option.
    name: &'static str,
    /// Alias: an older or a shorter name.
    alias: &'static str,
    /// Minimum.
    least: i64,
    /// Maximum.
    most: i64,
}

/// Maximum depth in plies of a depth-limited search.
pub(super) const MAX_DEPTH: i64 = 64;
/// Maximum number of nodes of a tree search.
pub(super) const MAX_NODES: i64 = 100_000;
/// Maximum exploration weight, in thousandths.
pub(super) const MAX_BIAS: i64 = 100_000;
/// Maximum number of playouts per node.
pub(super) const MAX_PLAYOUTS: i64 = 1_000;
/// Range of a factor: all values that a file can contain.
const FACTOR: [i64; 2] = [i32::MIN as i64, i32::MAX as i64];

const fn whole(name: &'static str, alias: &'static str, [least, most]: [i64; 2]) -> Whole {
    Whole { name, alias, least, most }
}

/// Percentage of random moves.
const RANDOM_MOVES: Whole = whole("random_moves", "random", [0, 100]);

const LEVEL: Whole = whole("level", "difficulty", [0, 3]);

const BY_DEPTH: &[Whole] = &[
    LEVEL,
    whole("mm_depth", "depth", [1, MAX_DEPTH]),
    whole("mm_score_counts", "score_counts", [0, 1]),
    RANDOM_MOVES,
];

const BY_TREE: &[Whole] = &[
    LEVEL,
    whole("mcts_bias", "bias", [0, MAX_BIAS]),
    whole("mcts_nodes", "nodes", [1, MAX_NODES]),
    whole("mcts_pouts", "pouts", [1, MAX_PLAYOUTS]),
    RANDOM_MOVES,
];

/// Integer options of an algorithm.
fn of(algorithm: Algorithm) -> Vec<Whole> {
    match algorithm {
        Algorithm::Random | Algorithm::Greedy | Algorithm::Expert => Vec::new(),
        Algorithm::Minimaxer | Algorithm::Negamaxer => {
            let factors = Scorer::names().map(|[name, old]| whole(name, old, FACTOR));
            BY_DEPTH.iter().copied().chain(factors).collect()
        }
        Algorithm::MonteCarlo => BY_TREE.to_vec(),
        Algorithm::Preset => vec![LEVEL],
    }
}

/// Canonical option names of an algorithm.
pub(super) fn names(algorithm: Algorithm) -> Vec<&'static str> {
    let own = if algorithm == Algorithm::Expert { ExpertOptions::NAMES } else { &[] };
    of(algorithm).iter().map(|option| option.name).chain(own.iter().copied()).collect()
}

/// Canonical name and value of an option.
pub(super) fn read(
    algorithm: Algorithm,
    name: &str,
    value: &str,
) -> Result<(String, String), PlayerError> {
    if algorithm == Algorithm::Expert && ExpertOptions::NAMES.contains(&name) {
        ExpertOptions::default().set(name, value)?;
        return Ok((name.to_owned(), value.to_owned()));
    }
    let mut known = of(algorithm).into_iter();
    let option = known.find(|known| known.name == name || known.alias == name);
    let option = option.ok_or_else(|| unknown(algorithm, name))?;
    let number = value.parse().ok().filter(|number| (option.least..=option.most).contains(number));
    let number = number.ok_or_else(|| {
        let allowed = format!("a whole number from {} to {}", option.least, option.most);
        PlayerError::bad_value(name, value, allowed)
    })?;
    Ok((option.name.to_owned(), number.to_string()))
}

fn unknown(algorithm: Algorithm, name: &str) -> PlayerError {
    let known = of(algorithm);
    let names = names(algorithm);
    let aliases = known.iter().map(|option| option.alias);
    let hint = match did_you_mean(name, names.iter().copied().chain(aliases)) {
        Some(meant) => format!("did you mean {meant}?"),
        None if names.is_empty() => "it has none".into(),
        None => format!("it has {}", names.join(", ")),
    };
    PlayerError::UnknownOption { player: algorithm.name(), option: name.to_owned(), hint }
}
