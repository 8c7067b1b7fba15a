//! Notation of durations and sizes, the same in files, on the command line and in messages.

mod duration;
mod size;

pub use duration::{DurationError, parse_duration, show_duration};
pub use size::{parse_size, show_size};
