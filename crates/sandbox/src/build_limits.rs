//! What a build may take of the machine in all, and which of that it took too much of.
//!
//! It must not know how any of it is counted.

use pitmaster_core::i18n::{Message, said};

/// How much the build of one bot may take at any time, all its processes and files together.
/// Where there is no way to bound it, it is counted while the build runs, and a build that is
/// found beyond it is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildLimits {
    /// Space on the disk, in bytes: what was handed in and all that the build writes. Less where
    /// the disk would be full before that.
    pub disk: u64,
    /// Files, folders and everything else that has a name.
    pub files: u64,
    /// Memory, in bytes.
    pub memory: u64,
    /// Processes and threads.
    pub processes: u32,
}

/// 2 GiB of disk, 200,000 files, 4 GiB of memory, 512 processes and threads.
impl Default for BuildLimits {
    fn default() -> Self {
        Self { disk: 2 << 30, files: 200_000, memory: 4 << 30, processes: 512 }
    }
}

/// What a build took too much of, with the bound that it broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overrun {
    /// Space on the disk, in bytes.
    Disk(u64),
    /// Files.
    Files(u64),
    /// Folders within each other.
    Depth(u64),
    /// Memory, in bytes.
    Memory(u64),
    /// Processes and threads.
    Processes(u64),
}

impl Overrun {
    /// What the build did, to stand behind its name.
    pub fn describe(self) -> Message {
        match self {
            Self::Disk(limit) => said!("wrote more than {} bytes to the disk", limit),
            Self::Files(limit) => said!("made more than {} files", limit),
            Self::Depth(limit) => said!("made more than {} folders within each other", limit),
            Self::Memory(limit) => said!("used more than {} bytes of memory", limit),
            Self::Processes(limit) => said!("ran more than {} processes and threads", limit),
        }
    }

    /// Whether what it has written is in the way of others.
    #[cfg(target_os = "linux")]
    pub(super) fn is_of_files(self) -> bool {
        matches!(self, Self::Disk(_) | Self::Files(_) | Self::Depth(_))
    }
}
