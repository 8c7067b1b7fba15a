//! Cluster errors, with what to do about them.

use super::AccessError;

/// Reason why a cluster operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// There is no connection.
    #[error(transparent)]
    Connect(#[from] AccessError),
    /// The server cannot be used.
    #[error("{0}")]
    Server(String),
    /// This machine lacks a required guarantee.
    #[error("{0}")]
    Missing(String),
    /// The other side refused this one.
    #[error("{0}")]
    Refused(String),
    /// This machine is broken; its jobs go to others.
    #[error("{0}; what this worker held goes to others")]
    Broken(String),
}
