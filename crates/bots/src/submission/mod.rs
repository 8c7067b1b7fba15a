//! A bot on disk: its manifest, its snapshot, building it, and why it would not start.
//!
//! [`prepare`] leads from a path that somebody handed in to a [`PlayerCommand`]; what is wrong
//! with a bot is a [`BotFault`], and never confused with a [`StoreFault`].
//!
//! Everything here is hostile until it was looked at: `crates/bots/TRUST.md` has the whole boundary.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod beneath;
mod build;
mod bundle;
mod command;
mod detect;
mod diagnose;
mod fault;
mod image;
mod manifest;
mod manifest_text;
mod prepare;
mod result;
mod snapshot;
mod toml_text;
mod tree;
mod words;

pub use build::Options;
pub use bundle::BundleFault;
pub use command::PlayerCommand;
pub use detect::{Guess, Way};
pub use fault::{
    BotFault, BuildEnd, BuildFailure, FileFault, PrepareFault, StoreFault, Unfit, shown_path,
};
pub use manifest::{BuildStep, Manifest};
pub use prepare::{Admitted, Naming, Prepared, admit, called, inspect, name_of, prepare};
pub use snapshot::Snapshot;
pub use tree::TreeLimits;
pub use words::{Placeholder, Program, Word};

pub(crate) use diagnose::{Surroundings, blame};
pub(crate) use image::Image;
