//! A bot on disk: its manifest, its snapshot, building it, and why it would not start.
//!
//! [`prepare`] leads from a path that somebody handed in to a [`PlayerCommand`]; what is wrong
//! with a bot is a [`BotFault`], and never confused with a [`StoreFault`].

mod bounded;
mod build;
#[cfg(feature = "cluster")]
mod bundle;
mod command;
mod detect;
mod diagnose;
mod fault;
mod image;
mod interpreter;
mod language;
mod manifest;
mod prepare;
mod snapshot;
mod toml_text;
mod tools;
mod tree;
mod words;

pub use build::Options;
#[cfg(feature = "cluster")]
pub use bundle::BundleFault;
pub use command::PlayerCommand;
pub use diagnose::{blame, preflight, start_fault};
pub use fault::{
    BotFault, BuildEnd, BuildFailure, FileFault, PrepareFault, StoreFault, Unfit, shown_path,
};
pub use interpreter::SYSTEM_FOLDERS;
pub use manifest::{BuildStep, Manifest};
pub use prepare::{Admitted, Naming, Prepared, admit, called, inspect, prepare, shared_names};
pub use snapshot::Snapshot;
pub use tools::Tools;
pub use tree::TreeLimits;
pub use words::{Placeholder, Program, Word};
