//! Practice: versions of bots that come in one by one, and ladders that go on for months.
//!
//! - [`pack`] makes the archive that is handed in.
//! - [`unpack`] turns an upload into a folder of files.
//! - [`Workshop`] takes snapshots of versions, builds them, and prepares their validation games.
//! - [`Workers`] build, check and play versions in other processes, so that the server's own runs none.
//! - [`final_file`] writes the tournament in which what is frozen plays for the grade, and
//!   [`requested_file`] that of the games that groups ask for.
//! - [`play_remote`] plays a game with KGP clients, whose side of the wire is [`kgp`].
//! - [`PracticeLadder`] is an ordinary results folder whose bots change while games are played.
//! - [`HumanGame`] is a game of a person against an [`Opponent`], which is not stored; [`evaluate`] is for
//!   after it.
//!
//! Who plays whom, and what a result means for a version, is decided elsewhere.

mod evaluation;
#[cfg(feature = "cluster")]
mod examiner;
mod human_game;
mod ladder;
mod opponent;
mod pack;
mod remote;
mod tournament_files;
mod unpack;
mod validation;
mod workers;
mod workshop;

pub use evaluation::evaluate;
#[cfg(feature = "cluster")]
pub use examiner::Examiner;
pub use human_game::{BoardView, Choice, HoleView, HumanGame, LayoutChoice, PATIENCE, WantedGame};
pub use ladder::{Kept, PracticeLadder, UnreadLadder};
pub use opponent::{HOUSE_BOTS, Opponent, game_names};
pub use pack::pack;
/// Answers of people and remote players.
pub use pitmaster_bots::RemoteReply;
/// The protocol of remote players.
pub use pitmaster_referee::kgp;
pub use remote::{AskClient, KgpTurn, play_remote, remote_bot};
pub use tournament_files::{FinalSettings, LadderPath, final_file, requested_file};
pub use unpack::{remove_unpacked, unpack};
pub use validation::{Validation, Verdict};
pub use workers::{BuildReport, BuiltVersion, VersionOrder, Workers};
#[cfg(feature = "cluster")]
pub(crate) use workshop::LIMITS;
pub use workshop::{PracticeBot, Workshop};
