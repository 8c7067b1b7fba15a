//! Plays a tournament: lanes, queue, resume, events.
//!
//! This room must not know how results are shown.

mod game;

pub use game::{GRACE, Players, Seated, Stopping, play};
