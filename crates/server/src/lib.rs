//! The practice server of a course.
//!
//! - [`database`] holds accounts, courses, versions and jobs: everything but games, which are in the
//!   ladders' own databases.
//! - [`http`] has connections with limits, errors, and the pages of accounts.
//!
//! The crate knows neither the rules of games nor how ratings are computed.

pub mod database;
pub mod http;
