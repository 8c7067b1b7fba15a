//! Tournament files, and the formats that decide the next pairing.
//!
//! [`check`] parses the text of a file and reports every error in one pass, with line and column.
//! [`KEYS`] is the only list of keys, with their forms and defaults. A [`Tournament`] is the
//! validated value that the program runs on; [`Tournament::to_toml`] writes it back as a file.
//!
//! The crate takes texts, never paths, and knows neither bots on disk nor processes.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod estimate;
mod format;
mod formats;
mod information;
mod keys;
mod kind;
mod model;
mod openings;
mod read;
mod simulate;
mod stage;
mod write;

pub use estimate::{fitting_cpu, likely_duration, worst_duration, worst_game};
pub use format::{
    Batch, Bound, Decision, Expected, Format, GameKeys, KeptDecision, Meeting, Next, Pairing,
    PlannedBot,
};
pub use formats::{
    GauntletPlan, KnockoutPlan, LadderPlan, MilestonesPlan, PracticePlan, RoundRobin,
    RoundRobinPlan, SanityPlan, SequentialTest, SprtPlan, SwissPlan, TestEnd,
};
pub use information::{Knowledge, most, pair_information};
pub use keys::{KEYS, Key};
pub use kind::FormatKind;
pub use model::{Absent, BotEntry, Bots, Durability, Shard, Tournament};
pub use openings::{
    KeptOpenings, MOST_OPENINGS, Opening, OpeningError, OpeningSource, Openings, play_opening,
    random_openings, read_openings,
};
pub use pitmaster_core::diagnostics::{Diagnostic, Lines, Located, Location, did_you_mean};
pub use pitmaster_core::units::{
    DurationError, parse_duration, parse_size, show_duration, show_size,
};
pub use read::{GameFiles, Reading, check, check_with, read};
pub use simulate::{Assumed, Simulated, simulate};
pub use stage::{FormatPlan, Seeding, StagePlan};
