//! What is wrong with a file that somebody wrote, and where: for every kind of file alike.

mod fault;
mod place;

pub use fault::{Fault, did_you_mean, hint};
pub use place::{Lines, Place, Placed};
