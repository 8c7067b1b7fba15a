//! Standings from game records: points, tie-breaks, win rates, Elo with confidence intervals,
//! significance tests and sequential tests.
//!
//! The crate does not know how games were played. A [`Record`](pitmaster_core::Record) becomes a
//! [`Game`] (forty bytes, so that a million fit into memory), games become [`Matches`] (one for
//! every two bots that met), and these become [`Standings`]. Every figure is a function of the
//! games.
//!
//! ```
//! use pitmaster_core::{BySide, Mark};
//! use pitmaster_ratings::{Game, Model, PairId, Ranking, Standings};
//!
//! // Bot 0 wins three of its four games against bot 1.
//! let game = |number: u32| Game {
//!     fingerprint: number.into(),
//!     bots: BySide::new(0, 1),
//!     pair: PairId { stage: 1, round: 0, number },
//!     marks: match number {
//!         0 => BySide::new(Mark::Loss, Mark::Win),
//!         _ => BySide::new(Mark::Win, Mark::Loss),
//!     },
//!     faults: BySide::default(),
//! };
//! let games: Vec<_> = (0..4).map(game).collect();
//! let standings = Standings::rated(2, &games, &Ranking::default(), &Model::default());
//! assert_eq!(standings.rows[0].bot, 0);
//! ```

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

#[cfg(test)]
mod calibration;
mod comparison;
mod counts;
mod elo;
mod game;
#[cfg(test)]
mod golden;
mod homogeneity;
mod interval;
mod matches;
mod milestone;
mod outcomes;
mod pairs;
mod points;
mod roster;
mod running_standings;
mod significance;
mod sprt;
mod standings;
mod tie_break;

pub use comparison::{Comparison, Difference};
pub use counts::{PairCounts, PlayedPairs};
pub use elo::{
    Anchor, Bound, Draws, Elo, Estimate, FirstMove, Intervals, Method, Model, Rating, Ratings,
    RunningRatings, Tie, adjusted_by_holm, chances,
};
pub use game::{FORFEIT_KINDS, Game, PairId};
pub use homogeneity::{ChiSquareTest, Deviation, Deviations, Homogeneity};
pub use interval::{Interval, score_of_pairs, wilson, z_for_all};
pub use matches::{Match, Matches, Tally};
pub use milestone::{Milestone, MilestoneResult, MilestoneVerdict, distinct_pairs};
pub use outcomes::Outcomes;
pub use pairs::PairResults;
pub use points::{Points, PointsError, PointsFor};
pub use roster::Roster;
pub use running_standings::Tallies;
pub use significance::{SIGNIFICANT, Significance};
pub use sprt::{
    Sprt, SprtError, SprtEstimate, SprtLength, SprtModel, SprtModelError, SprtRun, SprtVerdict,
};
pub use standings::{Places, Ranking, Row, Standings, TieBreakValues};
pub use tie_break::{TieBreak, TieBreakError};
