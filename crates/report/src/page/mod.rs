//! A page to look at: standings, pictures, and every game to be played again, in one file.

mod audience;
mod chapter;
mod data;
mod html;
mod index;
mod overview;
mod packed;
mod packs;
mod pseudonyms;
mod replay;
mod said;
mod standings;
mod steps;
mod told;
mod write;

pub use audience::Audience;
pub use chapter::Chapter;
pub use pseudonyms::Secret;
pub use told::Told;
pub use write::Page;
