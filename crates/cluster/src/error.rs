//! Cluster errors, with advice.

use super::AccessError;

/// Reason why a cluster operation failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// The connection failed.
    #[error(transparent)]
    Connect(#[from] AccessError),
    /// An operation of the server failed.
    #[error("{0}")]
    Server(String),
    /// This machine lacks a required guarantee.
    #[error("{0}")]
    Missing(String),
    /// The coordinator refused this worker, or the server has another coordinator.
    #[error("{0}")]
    Refused(String),
    /// This machine is broken. Its jobs go to other workers.
    #[error("{0}; the jobs of this worker go to others")]
    Broken(String),
}
