//! Exit codes, and failures that carry one.

use std::fmt;
use std::io;
use std::process::ExitCode;

#[cfg(feature = "cluster")]
use pitmaster_cluster::ClusterError;
use pitmaster_session::Error;
use pitmaster_store::StoreError;

use super::progress::say;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success.
    Done = 0,
    /// Findings: a failed check, or a difference.
    Findings = 1,
    /// The command or a file is invalid.
    Wrong = 2,
    /// This machine lacks a required guarantee.
    Missing = 3,
    /// The command was stopped or refused, and can be resumed.
    Stopped = 4,
    /// Internal error.
    Fault = 5,
    /// The command was interrupted by a signal.
    Interrupted = 130,
}

/// Result of a command.
pub type Outcome = Result<Exit, Failure>;

/// Failure of a command, with a message that states the problem and a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Exit code.
    pub exit: Exit,
    /// Message for people, one line per error. If it is empty, nothing is printed.
    pub message: String,
}

impl Failure {
    /// The command or a file is invalid.
    pub fn wrong(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Wrong, message: message.to_string() }
    }

    /// The command could not continue and can be resumed.
    pub fn stopped(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Stopped, message: message.to_string() }
    }

    /// Internal error, or an error of the machine.
    pub fn fault(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Fault, message: message.to_string() }
    }
}

/// Output error. A closed pipe is not a failure, because its reader may have finished (`| head`).
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self { exit: Exit::Done, message: String::new() }
        } else {
            Self::stopped(format!("cannot write: {error}; is the disk full?"))
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Error::from(error).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match &error {
            Error::Invalid(_)
            | Error::TournamentFile { .. }
            | Error::ChangedRules { .. }
            | Error::TooFewBots { .. } => Exit::Wrong,
            Error::MissingGuarantee(_) => Exit::Missing,
            Error::Stopped(_) => Exit::Stopped,
            Error::Internal(_) => Exit::Fault,
            Error::Store(error) => store_exit(error),
            #[cfg(feature = "cluster")]
            Error::Cluster(error) => cluster_exit(error),
            Error::Io(_) => Exit::Stopped,
        };
        match error {
            Error::Io(error) => error.into(),
            error => Self { exit, message: error.to_string() },
        }
    }
}

fn store_exit(error: &StoreError) -> Exit {
    match error {
        StoreError::Full { .. }
        | StoreError::Taken { .. }
        | StoreError::Closed
        | StoreError::Unfit { .. } => Exit::Stopped,
        StoreError::Folder { .. }
        | StoreError::Missing { .. }
        | StoreError::Foreign { .. }
        | StoreError::Newer { .. }
        | StoreError::Older { .. }
        | StoreError::Damaged { .. }
        | StoreError::Altered { .. }
        | StoreError::Orphaned { .. }
        | StoreError::NotAFile { .. } => Exit::Wrong,
        StoreError::AlreadyValid { .. } | StoreError::Database { .. } => Exit::Fault,
    }
}

#[cfg(feature = "cluster")]
fn cluster_exit(error: &ClusterError) -> Exit {
    match error {
        ClusterError::Missing(_) => Exit::Missing,
        ClusterError::Connect(_)
        | ClusterError::Server(_)
        | ClusterError::Refused(_)
        | ClusterError::Broken(_) => Exit::Stopped,
    }
}

/// Prints a failure on standard error and returns the exit code.
pub(super) fn finish(outcome: Outcome) -> ExitCode {
    let exit = match outcome {
        Ok(exit) => exit,
        Err(failure) => {
            for line in failure.message.lines() {
                say(&format!("error: {line}"));
            }
            failure.exit
        }
    };
    ExitCode::from(exit as u8)
}
