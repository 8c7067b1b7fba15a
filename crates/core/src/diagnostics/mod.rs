//! Diagnostics for files written by people, of every kind of file.

mod diagnostic;
mod location;

pub use diagnostic::{Diagnostic, did_you_mean, hint};
pub use location::{Lines, Located, Location};
