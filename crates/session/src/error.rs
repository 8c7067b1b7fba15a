//! Errors of the use cases.

use std::fmt;
use std::io;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
#[cfg(feature = "cluster")]
use pitmaster_cluster::ClusterError;
use pitmaster_store::StoreError;
use pitmaster_tournament::Diagnostic;

/// Result of a use case.
pub type Result<T> = std::result::Result<T, Error>;

/// Reason why a use case failed. Every message contains the problem, its location and a remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An argument, a bot or a file is invalid. Several errors are reported one per line.
    #[error("{0}")]
    Invalid(String),
    /// A tournament file has errors.
    #[error("{}", located(.path, .diagnostics))]
    TournamentFile {
        /// The path of the file.
        path: PathBuf,
        /// The errors, in the order of their lines.
        diagnostics: Vec<Diagnostic>,
    },
    /// The results folder holds games played under other rules.
    #[error(
        "{} was played under other rules: {}; change them back, or start beside it with --fresh",
        .folder.display(),
        .changes.join(", ")
    )]
    ChangedRules {
        /// The results folder.
        folder: PathBuf,
        /// The settings that differ, with both values.
        changes: Vec<String>,
    },
    /// Fewer than two bots can play.
    #[error(
        "a tournament needs two bots that can play, and there {}; check `bots` in the file",
        if *.playing == 1 { "is one" } else { "are none" }
    )]
    TooFewBots {
        /// The number of bots that can play.
        playing: usize,
    },
    /// This machine lacks a required guarantee.
    #[error("{0}")]
    MissingGuarantee(String),
    /// The operation was refused or stopped before it finished, and can be repeated.
    #[error("{0}")]
    Stopped(String),
    /// An error in Pitmaster or on the machine.
    #[error("{0}")]
    Internal(String),
    /// An error of the tournament's database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An error of the cluster.
    #[cfg(feature = "cluster")]
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A file of the results cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    pub(crate) fn invalid(message: impl fmt::Display) -> Self {
        Self::Invalid(message.to_string())
    }

    pub(crate) fn stopped(message: impl fmt::Display) -> Self {
        Self::Stopped(message.to_string())
    }
}

fn located(path: &std::path::Path, diagnostics: &[Diagnostic]) -> String {
    let path = shown_path(path);
    let lines: Vec<_> = diagnostics.iter().map(|fault| format!("{path}:{fault}")).collect();
    lines.join("\n")
}
