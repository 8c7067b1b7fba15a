//! Settings of a ladder.

use std::time::Duration;

use pitmaster_ratings::Elo;

/// Settings of a ladder, with the defaults of a course.
#[derive(Debug, Clone, PartialEq)]
pub struct LadderSettings {
    /// Shares of the lanes.
    pub shares: Shares,
    /// Number of rated pairs below which a version is a newcomer.
    pub newcomer_pairs: u32,
    /// Probability of a random opponent, so that circles show and all bots stay comparable.
    pub by_lot: f64,
    /// Number of consecutive pairs with distinct opponents, as far as there are enough.
    pub fresh_opponents: usize,
    /// Half width of a rating's interval at which a version sleeps.
    pub known_within: Elo,
    /// Maximum Elo distance at which a newcomer wakes a sleeping version.
    pub neighborhood: Elo,
    /// Number of pairs that a version gets in every 24 hours even if it sleeps, while lanes are free.
    pub daily_pairs: usize,
    /// Number of consecutive games forfeited without a move that suspend a version.
    pub suspend_after: u32,
    /// Number of consecutive pairs of a version that may be lost or void without counting as played.
    /// Later ones count, so that a version whose games are always void does not stay a newcomer.
    pub excused_losses: u32,
    /// Standard deviation of the prior on the difference between a version and its predecessor.
    pub version_change: Elo,
    /// Expected lane time of a pair, until pairs were played.
    pub pair_time: Duration,
}

/// Shares of the lanes that classes get while they have work; unused shares go to the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// Validation games.
    pub validation: f64,
    /// Pairs of newcomers.
    pub newcomers: f64,
    /// Requested pairs.
    pub asked: f64,
    /// Pairs of everybody: at least this, plus unused shares.
    pub everybody: f64,
}

impl Default for LadderSettings {
    fn default() -> Self {
        Self {
            shares: Shares::default(),
            newcomer_pairs: 24,
            by_lot: 0.1,
            fresh_opponents: 6,
            known_within: 20.0,
            neighborhood: 200.0,
            daily_pairs: 4,
            suspend_after: 10,
            excused_losses: 4,
            version_change: 150.0,
            pair_time: Duration::from_secs(10),
        }
    }
}

impl Default for Shares {
    fn default() -> Self {
        Self { validation: 0.5, newcomers: 0.4, asked: 0.1, everybody: 0.1 }
    }
}
