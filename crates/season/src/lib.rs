//! Rules of a course: submissions from learning platforms, the class list, and grading.
//!
//! - [`platform`] finds people and their files in exports of learning platforms.
//! - [`Class`] is the class list: people, their submissions and the outcome. [`ClassSettings`] has
//!   its language and deadline.
//! - [`grading`] makes grades with reasons from a scheme and the evidence of a tournament.
//! - [`worksheet`] fills in a learning platform's grading worksheet.
//! - [`ClassSettings`] contains the teacher's settings for a class.
//! - [`twins`] compares the answers of bots to the same quiz.
//! - [`feedback`] writes a short page for each person.
//! - [`course`] contains the rules of a practice server: permissions, versions, quotas and
//!   deadlines.
//! - [`ladder`] selects the next pair on a practice server, and computes its ratings.
//!
//! Everything is a function of names and bytes. The crate opens no file.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod class;
pub mod course;
pub mod feedback;
pub mod grading;
mod intake_page;
pub mod ladder;
pub mod platform;
pub mod roster;
mod settings;
mod time;
pub mod twins;
pub mod worksheet;

pub use class::{Class, ClassError, Member, State};
pub use intake_page::intake_page;
pub use settings::ClassSettings;
pub use time::{lateness, submission_time};
