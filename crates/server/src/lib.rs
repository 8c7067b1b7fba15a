//! The practice server of a course.
//!
//! - [`database`] holds accounts, courses, versions and jobs: everything but games, which are in the
//!   ladders' own databases.
//! - [`client`] asks a server from afar, for a command line.
//! - [`exchange`] is what the player and the pages share while the server runs.
//! - [`finals`] are tournament files of what is frozen.
//! - [`grades`] are made of a final's results by the rules of a course.
//! - [`http`] has connections with limits, errors, pages, the API and metrics.
//! - [`kgp`] lets remote players of Kalah in.
//! - [`live`] are the games that are being played, for people who watch.
//! - [`play`] are games of people against bots.
//! - [`player`] builds and validates versions, and plays the ladders.
//! - [`uploads`] keeps what was handed in, as it was sent.
//! - [`students`] are lists of them, as teachers have them.
//! - [`service`] is all of it together, for a command line.
//! - [`standings`] are the tables of ladders, as snapshots for the pages.
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
