//! Examines one bot before it is handed in: scenes in good and bad weather, and findings with
//! what was expected, what came, and what to do.
//!
//! This room must not know how findings are shown. A scene is a game under the same referee as
//! in a tournament; bad weather is made between the referee and the bot, so that every
//! dialect and every game is examined by the same few lines.

mod audited;
mod diagnose;
mod estimate;
mod examine;
mod finding;
mod goals;
mod hall;
mod interrupt;
mod language;
mod late;
mod log;
#[cfg(test)]
mod made_up;
mod manners;
mod moves;
mod numbers;
mod opponents;
mod scene;
mod scenes;
mod seeker;
mod subject;
mod tap;
mod unfit;

pub use estimate::duration;
pub use examine::examine;
pub use finding::{Finding, Level, Verdict, What};
pub use goals::Goal;
pub use interrupt::Interrupt;
pub use language::Language;
pub use log::Line;
pub use numbers::Numbers;
pub use scene::{Came, Scene};
pub use subject::{News, Progress, Report, SceneResult, Settings, Subject, Wait};
pub use unfit::unfit;
