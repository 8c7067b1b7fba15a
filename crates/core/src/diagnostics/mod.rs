//! What is wrong with a file that somebody wrote, and where: for every kind of file alike.

mod diagnostic;
mod location;

pub use diagnostic::{Diagnostic, did_you_mean, hint};
pub use location::{Lines, Located, Location};
