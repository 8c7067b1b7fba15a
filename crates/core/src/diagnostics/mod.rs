//! Diagnostics for files written by people, of every kind of file.

mod collector;
mod diagnostic;
mod location;

pub use collector::Diagnostics;
pub use diagnostic::{Diagnostic, did_you_mean, hint};
pub use location::{Lines, Located, Location};
