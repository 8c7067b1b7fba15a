//! Standings from records: points and tie-breaks, win rates, Elo, and how sure they are.
//!
//! This room must not know how games were played.
//!
//! A [`Record`](crate::record::Record) becomes a [`Game`] (forty bytes, so that a million
//! fit), games become [`Matches`] (one for every two bots that met), and these become
//! [`Standings`]. Every number is a function of the games alone.

#[cfg(test)]
mod calibration;
mod difference;
mod elo;
mod game;
#[cfg(test)]
mod golden;
mod homogeneity;
mod interval;
mod matches;
mod outcomes;
mod pairs;
mod points;
mod roster;
mod sprt;
mod standings;
mod tallies;
mod tie_break;

pub use difference::{Comparison, Difference};
pub use elo::{
    Anchor, Bound, Draws, Elo, Estimate, FirstMove, Intervals, Model, Rating, Ratings,
    adjusted_by_holm, chances,
};
pub use game::{FORFEIT_KINDS, Game, PairId};
pub use homogeneity::{ChiSquareTest, Deviation, Deviations, Homogeneity};
pub use interval::{Interval, score_of_pairs, wilson, z_for_all};
pub use matches::{Match, Matches, Tally};
pub use outcomes::Outcomes;
pub use pairs::PairResults;
pub use points::{Points, PointsFault, PointsFor};
pub use roster::Roster;
pub use sprt::{
    Sprt, SprtEstimate, SprtFault, SprtLength, SprtModel, SprtModelFault, SprtRun, SprtVerdict,
};
pub use standings::{Places, Ranking, Row, SIGNIFICANT, Standings};
pub use tallies::Tallies;
pub use tie_break::{TieBreak, TieBreakFault};
