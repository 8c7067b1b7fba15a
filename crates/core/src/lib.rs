//! Shared vocabulary: sides, instants, game records, endings, bot identities, untrusted text,
//! diagnostics, the configuration reader, units and translations.
//!
//! Every other crate depends on this one. It describes what happened in a game, not how the game
//! was refereed.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod bot;
pub mod config;
pub mod diagnostics;
mod dialect;
mod ending;
mod ending_text;
mod game;
pub mod i18n;
mod isolation;
mod json;
mod key;
mod limits;
mod machine_load;
mod resources;
mod seed;
mod side;
mod text;
mod time;
pub mod units;

pub use bot::{BotHash, BotId, BotName, NameError};
pub use dialect::{Dialect, DialectError};
pub use ending::{Ending, Exit, Fault, Mark, Per, RefereeFault, StartFault, Stream, ending_label};
pub use game::{Claim, Evidence, Ply, Record, Remark};
pub use isolation::{Isolation, Kept, Level, Promise, Requirement, Requirements, Tier};
pub use json::{json_line, json_text};
pub use key::{GameId, GameKey};
pub use limits::{Bank, Limits};
pub use machine_load::MachineLoad;
pub use resources::Resources;
pub use seed::{Seed, SeedCommitment, below, shuffle};
pub use side::{BySide, Score, Side};
pub use text::{Untrusted, is_hidden};
pub use time::At;
