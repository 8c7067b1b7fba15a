//! Reports for people and programs: CSV, JSON lines, terminal tables, charts and HTML pages.
//!
//! Everything is a function of standings and records: the same records give the same bytes.
//! Measured times go into a separate file ([`TimingCsv`]). Writers that emit one line per game take
//! one record at a time in the plan's order. So one pass over the store fills every file, and a
//! million games need no memory.
//!
//! The crate does not know how games were played.

mod analysis;
mod breakdown;
mod charts;
pub mod checks;
mod circumstances;
mod course;
mod crosstable;
mod csv_tables;
mod data_table;
mod forfeits;
mod game_file;
mod game_sample;
mod games;
mod head_to_head;
mod isolations;
mod leaderboard;
mod left_out;
mod moves;
mod names;
mod number;
mod page;
mod pgn;
mod read_games;
mod simulation;
mod superiority;
mod svg;
mod table;
mod times;
mod timing;
mod workers;

#[cfg(test)]
mod fixtures;

pub use analysis::{
    AnalysisHead, Change, GameAnalysis, Mistake, PositionAnalysis, analysis_json, analysis_text,
};
pub use breakdown::{By, breakdown};
pub use charts::{Chart, Charts, Drawn, wdl_bar};
pub use circumstances::{Circumstances, busy_note};
pub use course::course_notes;
pub use crosstable::crosstable_csv;
pub use csv_tables::CsvForm;
pub use csv_tables::Sheet;
pub use data_table::{Head, Listing, Shown, UnknownColumns};
pub use forfeits::Forfeits;
pub use game_file::{GameFile, GameFileError};
pub use game_sample::GameSample;
pub use games::GamesCsv;
pub use head_to_head::{comparison_lines, difference, two_bots};
pub use isolations::Isolations;
pub use leaderboard::leaderboard;
pub use left_out::{LeftOut, left_out_notes};
pub use moves::MovesJsonl;
pub use names::Names;
pub use number::millis;
pub use page::{
    Audience, Chapter, Following, LiveReplay, PAGE_STYLE, Page, Secret, ShownEvidence,
    TournamentView, analyzed_game_data, game_data, game_script, live_data, shown_evidence,
    without_words,
};
pub use pgn::Pgn;
pub use read_games::{GamesRead, LineError, read_games};
pub use simulation::{SIMULATION_COLUMNS, SimulationRow, simulation_csv, simulation_table};
pub use superiority::superiority;
pub use svg::STYLE;
pub use table::{Align, Column, Table, fit_width};
pub use times::Times;
pub use timing::TimingCsv;
pub use workers::Workers;
