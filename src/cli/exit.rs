//! Exit codes, and failures that carry one.

use std::fmt;
use std::io;
use std::process::ExitCode;

#[cfg(feature = "cluster")]
use pitmaster_cluster::ClusterError;
use pitmaster_session::Error;
use pitmaster_store::StoreError;

use super::progress::say;

/// How a command ended; the number is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// It found something: a check that failed, two things that differ.
    Findings = 1,
    /// The command or a file is wrong.
    Wrong = 2,
    /// This machine cannot keep a promise that is required.
    Missing = 3,
    /// It was stopped, or refused, and can be resumed.
    Stopped = 4,
    /// A fault of Pitmaster.
    Fault = 5,
    /// It was interrupted from outside.
    Interrupted = 130,
}

/// What a command comes to.
pub type Outcome = Result<Exit, Failure>;

/// Why a command failed: a message that says what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The exit code.
    pub exit: Exit,
    /// For people; several lines where there are several faults. Empty: nothing to say.
    pub message: String,
}

impl Failure {
    /// The command or a file is wrong.
    pub fn wrong(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Wrong, message: message.to_string() }
    }

    /// It could not go on and can be resumed.
    pub fn stopped(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Stopped, message: message.to_string() }
    }

    /// A fault of Pitmaster or of the machine.
    pub fn fault(message: impl fmt::Display) -> Self {
        Self { exit: Exit::Fault, message: message.to_string() }
    }
}

/// Output that cannot be written. Whoever reads it may have seen enough (`| head`).
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

/// Says a failure on standard error and makes the exit code.
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
