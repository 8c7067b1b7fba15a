//! The practice server of a course.
//!
//! - [`database`] holds accounts, courses, versions and jobs: everything but games, which are in the
//!   ladders' own databases.
//! - [`http`] has connections with limits, errors, and the pages of accounts.
//! - [`uploads`] keeps what was handed in, as it was sent.
//! - [`standings`] are the tables of ladders, as snapshots for the pages.
//!
//! The crate knows neither the rules of games nor how ratings are computed.

pub mod database;
pub mod http;
pub mod standings;
pub mod uploads;
