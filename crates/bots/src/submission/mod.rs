//! Submission: a bot on disk, with its manifest, its snapshot, its build, and the diagnosis if it
//! does not start.
//!
//! [`prepare`] turns a submitted path into a [`PlayerCommand`]. A problem of the bot is a
//! [`BotFault`], and is never confused with a [`SnapshotError`].
//!
//! All submitted data is untrusted until it is checked; see `crates/bots/TRUST.md`.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod archive;
mod argv;
mod beneath;
mod build;
mod bundle;
mod command;
mod detect;
mod diagnose;
mod executable_format;
mod fault;
mod files;
mod keys;
mod manifest;
mod manifest_text;
mod offline;
mod prepare;
mod result;
mod snapshot;
mod tree;

pub use argv::{Placeholder, Program, Word};
pub use build::Options;
pub use bundle::BundleError;
pub use command::PlayerCommand;
pub use detect::{Guess, Way};
pub use fault::{
    BotFault, BuildEnd, BuildFailure, FileError, PrepareError, SnapshotError, Unfit, shown_path,
};
pub use files::SubmittedFiles;
pub use manifest::{BuildStep, Manifest};
pub use prepare::{Admitted, Naming, Prepared, admit, called, hash_of, inspect, name_of, prepare};
pub use snapshot::Snapshot;
pub use tree::TreeLimits;

pub(crate) use diagnose::{Surroundings, blame};
pub(crate) use executable_format::Image;
