//! A bot on disk: its manifest, its snapshot, building it, and why it would not start.
//!
//! [`prepare`] leads from a path that somebody handed in to a [`PlayerCommand`]; what is wrong
//! with a bot is a [`BotFault`], and never confused with a [`SnapshotError`].
//!
//! Everything here is hostile until it was looked at: `crates/bots/TRUST.md` has the whole boundary.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod argv;
mod beneath;
mod build;
mod bundle;
mod command;
mod detect;
mod diagnose;
mod executable_format;
mod fault;
mod manifest;
mod manifest_text;
mod prepare;
mod result;
mod snapshot;
mod toml_text;
mod tree;

pub use argv::{Placeholder, Program, Word};
pub use build::Options;
pub use bundle::BundleError;
pub use command::PlayerCommand;
pub use detect::{Guess, Way};
pub use fault::{
    BotFault, BuildEnd, BuildFailure, FileError, PrepareError, SnapshotError, Unfit, shown_path,
};
pub use manifest::{BuildStep, Manifest};
pub use prepare::{Admitted, Naming, Prepared, admit, called, inspect, name_of, prepare};
pub use snapshot::Snapshot;
pub use tree::TreeLimits;

pub(crate) use diagnose::{Surroundings, blame};
pub(crate) use executable_format::Image;
