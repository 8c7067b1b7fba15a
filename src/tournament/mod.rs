//! A tournament file, checked; and the formats that say which pairing comes next.
//!
//! This room takes the text of a file, never a path, and must not know bots on disk or
//! processes.
//!
//! [`check`] reads the text and finds every fault in one pass, each with its place; [`KEYS`]
//! is the one list of all keys, their forms and their defaults. A [`Tournament`] is what
//! the program runs on; [`Tournament::to_toml`] writes it back as a file.

mod duration;
mod estimate;
mod format;
mod formats;
mod keys;
mod model;
mod openings;
mod read;
mod section;
mod simulate;
mod size;
mod stage;
mod write;

pub use crate::record::file::{Fault, Lines, Place, Placed, did_you_mean};
pub use duration::{DurationFault, parse_duration, show_duration};
pub use estimate::{fitting_cpu, likely_duration, worst_duration, worst_game};
pub use format::{
    Batch, Bound, Decision, Expected, Format, GameKeys, KeptDecision, Meeting, Next, Pairing,
    PlannedBot,
};
pub use formats::{RoundRobin, SequentialTest, TestEnd};
pub use keys::{KEYS, Key};
pub use model::{Absent, BotEntry, Bots, Durability, Part, Tournament};
pub use openings::{
    MOST_OPENINGS, Opening, OpeningFault, OpeningSource, Openings, play_opening, random_openings,
    read_openings,
};
pub use read::{GameFiles, Reading, check, check_with, read};
pub use simulate::{Assumed, Simulated, simulate};
pub use size::{parse_size, show_size};
pub use stage::{FormatKind, FormatPlan, Seeding, SprtPlan, StagePlan};
