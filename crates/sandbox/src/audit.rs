//! Audit results as plain data. Recording them is the sandbox's task.

use pitmaster_core::Untrusted;

/// Refused calls that a bot tried.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// The calls, by class, then by name.
    pub calls: Vec<AuditedCall>,
}

/// A system call that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedCall {
    /// Name of the call, as in its manual page.
    pub name: &'static str,
    /// What the call gives access to.
    pub class: Class,
    /// Short reason for the refusal.
    pub why: &'static str,
    /// Number of attempts.
    pub count: u64,
    /// Up to a few distinct targets: paths, addresses, processes.
    pub examples: Vec<Untrusted>,
}

/// Class of a refused call, by what it gives access to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Other machines, or programs on this one through sockets.
    Network,
    /// Files that do not belong to the bot.
    ForeignFiles,
    /// More processes.
    Processes,
    /// The referee or another bot: signals, tracing, kernel objects for communication.
    Others,
    /// More resources than the bot is given.
    Limits,
    /// Operations that only the machine's owner performs.
    Kernel,
    /// The machine's clock.
    Time,
}

impl Class {
    /// Name of the class in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::ForeignFiles => "foreign files",
            Self::Processes => "processes",
            Self::Others => "other bots or the referee",
            Self::Limits => "more than it is given",
            Self::Kernel => "kernel",
            Self::Time => "the machine's clock",
        }
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
