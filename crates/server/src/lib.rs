//! Practice server of a course.
//!
//! - [`database`]: accounts, courses, versions and jobs. Games are in the ladders' own databases.
//! - [`client`]: HTTP client of a practice server, for the command line.
//! - [`exchange`]: state that the player and the pages share in memory.
//! - [`finals`]: tournament files of the versions that are frozen at a deadline.
//! - [`grades`]: grades computed from a final's results and the grading rules of a course.
//! - [`http`]: connections with limits, errors, pages, the API and metrics.
//! - [`kgp`]: remote players of Kalah, over the Kalah Game Protocol.
//! - [`live`]: running games, for spectators.
//! - [`play`]: games of people against bots.
//! - [`player`]: builds and validates versions, and plays the ladders.
//! - [`uploads`]: content-addressed files of the uploads.
//! - [`students`]: parser of student lists.
//! - [`service`]: entry points for the command line; runs everything above.
//! - [`standings`]: tables of the ladders, as snapshots for the pages.
//!
//! The crate knows neither the rules of games nor how ratings are computed.

pub mod client;
pub mod database;
pub mod exchange;
pub mod finals;
pub mod grades;
pub mod http;
pub mod kgp;
pub mod live;
pub mod play;
pub mod player;
pub mod service;
pub mod standings;
pub mod students;
pub mod uploads;
