//! HTML page with standings, charts and all games for replay, in one file.

mod chunks;
mod data;
mod game_page;
mod html;
mod index;
mod live;
mod overview;
mod packed;
mod pseudonyms;
mod redaction;
mod replay;
mod said;
mod standings;
mod steps;
mod tournament_section;
mod view;
mod write;

pub use game_page::{analyzed_game_data, game_data, game_script};
pub use live::{Following, LiveReplay, live_data};
pub use pseudonyms::Secret;
pub use redaction::{Audience, without_words};
pub use replay::{ShownEvidence, shown_evidence};
pub use tournament_section::Chapter;
pub use view::TournamentView;
pub use write::{PAGE_STYLE, Page};
