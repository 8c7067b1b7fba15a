//! House bots: the bot side of the protocol. Reads the lines of a referee, asks a player for its
//! moves, and answers.
//!
//! A [`Talk`] takes lines and instants and returns the answers. [`serve`] connects it to the pipes
//! of a process, [`InProcess`] to the board of a lane. Neither depends on how a player finds its
//! moves.

mod board;
mod clock_budget;
mod conversation;
mod handshake_dialect;
mod in_process;
mod plain_dialects;
mod serve;
mod table_file;
#[cfg(test)]
mod tests;
mod time_management;

/// The name (`argv[0]`) under which this program is started to serve as a house bot.
pub const ARG0: &str = "pitmaster-house-bot";

pub use clock_budget::ClockBudget;
pub use conversation::{Talk, TalkError, Then};
pub use in_process::InProcess;
pub use in_process::panic_message;
pub use plain_dialects::{BareGame, Times};
pub use serve::{ServeError, be_called, serve, take_all_cores};
pub(crate) use table_file::NamedTable;
pub use table_file::{
    PlayerSetupError, TableFileError, build_player, check_player, load_table, read_table_header,
};
