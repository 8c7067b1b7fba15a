//! Bot checker: plays one bot through scripted scenarios and produces findings, each with expected
//! behavior, observed behavior and advice.
//!
//! A scenario is a game under the same referee as in a tournament. Disturbances are injected
//! between the referee and the bot, so that the same few lines examine every dialect and every
//! game. The crate does not know how findings are presented.

mod audited;
mod checked;
mod diagnose;
mod estimate;
mod examine;
mod finding;
#[cfg(test)]
mod fixtures;
mod goals;
mod harness;
mod interceptor;
mod interrupt;
mod late;
mod log;
mod moves;
mod numbers;
mod opponents;
mod scenario;
mod scenes;
mod seeker;
mod source_language;
mod start_failure;
mod subject;
mod warnings;

pub use checked::{Checked, Checks, Person};
pub use estimate::duration;
pub use examine::examine;
pub use finding::{Finding, Level, Verdict, What};
pub use goals::Goal;
pub use interrupt::Interrupt;
pub use log::Line;
pub use numbers::Numbers;
pub use scenario::{Came, Scene};
pub use source_language::Language;
pub use start_failure::unfit;
pub use subject::{News, Progress, Report, SceneResult, Settings, Subject, Wait};
