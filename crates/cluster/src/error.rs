//! Cluster errors, with what to do about them.

use super::AccessError;

/// Why a cluster does not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// There is no connection.
    #[error(transparent)]
    Connect(#[from] AccessError),
    /// The server cannot be used.
    #[error("{0}")]
    Server(String),
    /// A promise is missing on this machine.
    #[error("{0}")]
    Missing(String),
    /// The other side does not want this one.
    #[error("{0}")]
    Refused(String),
    /// Something is wrong with this machine; what it held goes to others.
    #[error("{0}; what this worker held goes to others")]
    Broken(String),
}
