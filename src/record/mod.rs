//! The words everybody shares: sides, instants, the record of a game and how it ended.
//!
//! This room must not know how a game was refereed; it only says what can be said of one.

mod bot;
mod dialect;
mod ending;
pub mod file;
mod game;
mod isolation;
mod json;
mod key;
mod limits;
mod resources;
mod seed;
mod side;
mod text;
mod time;
mod told;

pub use bot::{BotHash, BotId, BotName, NameFault};
pub use dialect::{Dialect, DialectFault};
pub use ending::{Ending, Exit, Fault, Mark, Per, RefereeFault, StartFault, Stream};
pub use game::{Claim, Evidence, Ply, Record, Remark};
pub use isolation::{Isolation, Kept, Level, Promise, Requirement, Requirements, Tier};
pub use json::{json_line, json_text};
pub use key::{GameId, GameKey};
pub use limits::{Bank, Limits};
pub use resources::Resources;
pub(crate) use seed::below;
pub use seed::{Seed, shuffle};
pub use side::{BySide, Score, Side};
pub use text::{Untrusted, is_hidden};
pub use time::At;
pub use told::ending_label;
