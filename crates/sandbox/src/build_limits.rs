//! Build limits: total resources that a build may use, and which limit it exceeded.
//!
//! Must not depend on how usage is measured.

use pitmaster_core::i18n::{Message, said};

/// Resources that the build of one bot may use at any time, over all its processes and files. A
/// limit that the system cannot enforce is checked while the build runs, and a build found beyond
/// it is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildLimits {
    /// Disk space in bytes, for the submission and everything that the build writes. Less if the
    /// disk would be full before that.
    pub disk: u64,
    /// Number of files, folders and other directory entries.
    pub files: u64,
    /// Memory, in bytes.
    pub memory: u64,
    /// Number of processes and threads.
    pub processes: u32,
}

/// 2 GiB of disk, 200,000 files, 4 GiB of memory, 512 processes and threads.
impl Default for BuildLimits {
    fn default() -> Self {
        Self { disk: 2 << 30, files: 200_000, memory: 4 << 30, processes: 512 }
    }
}

/// Limit that a build exceeded, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    /// Space on the disk, in bytes.
    Disk(u64),
    /// Files.
    Files(u64),
    /// Depth of nested folders.
    Depth(u64),
    /// Memory, in bytes.
    Memory(u64),
    /// Processes and threads.
    Processes(u64),
}

impl Overrun {
    /// Message about the overrun, to follow the build's name.
    pub fn describe(self) -> Message {
        match self {
            Self::Disk(limit) => said!("wrote more than {} bytes to the disk", limit),
            Self::Files(limit) => said!("made more than {} files", limit),
            Self::Depth(limit) => said!("made more than {} folders within each other", limit),
            Self::Memory(limit) => said!("used more than {} bytes of memory", limit),
            Self::Processes(limit) => said!("ran more than {} processes and threads", limit),
        }
    }

    /// Returns whether the excess files affect other builds.
    #[cfg(target_os = "linux")]
    pub(crate) fn is_of_files(self) -> bool {
        matches!(self, Self::Disk(_) | Self::Files(_) | Self::Depth(_))
    }
}
