//! Configuration reader, the same for every kind of file that people write.
//!
//! [`read_toml`] turns a text into a tree of [`Node`]s with their locations. [`Section`] and
//! [`Field`] read typed values from it. Nothing stops at an error: all errors go into
//! [`Diagnostics`](crate::diagnostics::Diagnostics). The meaning of keys is up to the caller.

mod node;
mod section;

pub use node::{Entry, Kind, Node, SyntaxError, parse_toml, read_toml};
pub use section::{Field, KnownKeys, Section};
