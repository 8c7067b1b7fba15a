//! Series between two levels, long enough for a score of some precision.

use std::ops::RangeInclusive;

use pitmaster_core::Seed;
use pitmaster_games::GameSpec;
use pitmaster_players::{BuildError, Nodes, PlayerSpec, Series, Tally};

/// Limit of a move in nodes, some 0.5 ms. Level 3 of slow games reaches it.
const NODES_PER_MOVE: u64 = 2_000;
/// Nodes of a whole series, which decide the number of its pairs.
const NODES_PER_SERIES: u64 = 1_000_000;
/// Number of pairs.
const PAIRS: RangeInclusive<u64> = 24..=100;
/// Number of pairs of a probe.
const PROBE: u32 = 10;

/// Share of the points that the first player won in the distinct pairs.
pub(crate) fn share(tally: &Tally) -> f64 {
    let points: u64 = tally.a.iter().zip(0..).map(|(pairs, points)| pairs * points).sum();
    points as f64 / (4 * tally.distinct) as f64
}

/// Plays a few pairs.
pub(crate) fn probe(game: &GameSpec, players: &[PlayerSpec; 2]) -> Result<Tally, BuildError> {
    play(game, players, PROBE)
}

/// Plays as many pairs as the nodes of a probe allow.
pub(crate) fn full(
    game: &GameSpec,
    players: &[PlayerSpec; 2],
    probe: &Tally,
) -> Result<Tally, BuildError> {
    let affordable = NODES_PER_SERIES * probe.pairs / probe.nodes.max(1);
    play(game, players, affordable.clamp(*PAIRS.start(), *PAIRS.end()) as u32)
}

fn play(game: &GameSpec, players: &[PlayerSpec; 2], pairs: u32) -> Result<Tally, BuildError> {
    let series = Series {
        game: game.clone(),
        players: players.clone(),
        pairs,
        plies: 600,
        random_plies: 4,
        seed: Seed(1),
    };
    series.play_within(|| Nodes::new(NODES_PER_MOVE), || ())
}
