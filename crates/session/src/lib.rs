//! Use cases of Pitmaster: everything between a parsed command line, or a request to a server, and
//! the libraries that do the work.
//!
//! - [`Contest`] reads a tournament file and finds its bots; [`play`] plays its pending games and
//!   writes the results; `play_remotely` does the same on workers.
//! - [`Results`] opens a results folder: standings, statistics, files and pages.
//! - [`analyze()`] evaluates a played game ply by ply; [`analyze_results`] analyzes those of a
//!   tournament.
//! - [`check::check`] examines bots, or those of a whole class.
//! - [`grade_class`] grades a class from a tournament and a scheme; [`grade_results`] grades any
//!   list of people.
//! - [`intake`] turns an export of a learning platform into a class folder.
//! - [`make_table`] computes an endgame table, and [`find_table`] finds one.
//! - [`merge`], [`void_worker`], [`void_games`], [`void_damaged`] and [`verify`] maintain results.
//! - [`practice`] supports a practice server: uploads as bots, and continuous ladders.
//! - [`bot_arg`], [`game`], [`house`] and [`naming`] resolve names of bots and games.
//!
//! Options are plain structs. Progress and events go to an [`Observer`]. Errors are typed
//! ([`Error`]). Nothing in this crate prints, exits, or reads a terminal. Programs that call
//! [`play`] call [`run_helper`] first in `main`.

mod analyze;
pub mod bot_arg;
pub mod bots;
mod changes;
pub mod check;
mod class_settings;
mod contest;
pub mod cores;
mod dialect_trial;
mod error;
mod facts;
mod forget;
pub mod game;
mod grade;
mod guard;
mod helper;
pub mod house;
mod intake;
mod isolation;
mod isolation_mismatch;
mod jplag;
mod lineup;
mod log;
mod merge;
pub mod naming;
mod observer;
mod openings;
pub mod practice;
mod preflight;
pub mod pseudonym_key;
#[cfg(feature = "cluster")]
pub mod remote;
pub mod results;
mod run;
mod secret_seed;
mod tables;
mod twins;
mod verify;
mod void;

pub use analyze::{Analyses, Analyst, Effort, PlayedGame, analyze, analyze_results, read_game};
pub use class_settings::reminder;
pub use contest::Contest;
pub use error::{Error, Result};
pub use forget::{ForgetOptions, Forgotten, forget};
pub use game::NamedGame;
pub use grade::{
    GradeOptions, Graded, SMALLEST_SPLIT, Written, grade_class, grade_results, write_private,
};
pub use guard::{Guard, start as start_guard};
pub use helper::run_helper;
pub use intake::{Intake, IntakeOptions, intake, read_class, read_settings};
pub use isolation::{IsolationOptions, WantedTier, choose as choose_sandbox};
pub use jplag::{JplagExport, export_for_jplag};
pub use log::{Entry, Games, Log, read_log};
pub use merge::{Merge, merge};
pub use observer::{Observer, Silent, Task};
pub use preflight::{rough, typical_plies};
#[cfg(feature = "cluster")]
pub use remote::{RemoteOptions, play as play_remotely};
pub use results::{NewPage, PUBLIC_PAGE, Results, Summary};
pub use run::{Absentees, Ended, RunOptions, fresh_folder, play};
pub use secret_seed::secret_seed;
pub use tables::{Table, TableOptions, TablePath, find_table, make_table};
pub use twins::{Kit, Pair, Quizzed, Twins, TwinsOptions, twins};
pub use verify::{Again, AgainOutcome, Verified, VerifyOptions, verify};
pub use void::{void_damaged, void_games, void_worker};
