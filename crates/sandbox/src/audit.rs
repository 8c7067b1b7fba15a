//! What an audit has seen, as plain data. Who sees it, and by what, is the sandbox's affair.

use pitmaster_core::Untrusted;

/// What a bot tried that it is refused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Audit {
    /// By class, then by name.
    pub calls: Vec<AuditedCall>,
}

/// One call that was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedCall {
    /// Its name, as manuals have it.
    pub name: &'static str,
    /// What it reaches for.
    pub class: Class,
    /// Why it is refused, in a few words.
    pub why: &'static str,
    /// How often.
    pub count: u64,
    /// What it was tried on, a few different ones: paths, addresses, processes.
    pub examples: Vec<Untrusted>,
}

/// What a refused call reaches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Other machines, or programs of this one by way of sockets.
    Network,
    /// Files that are not the bot's.
    ForeignFiles,
    /// More processes.
    Processes,
    /// The referee or another bot: signals, tracing, kernel objects with which to talk.
    Others,
    /// More of the machine than the bot is given.
    Limits,
    /// What only the machine's owner does.
    Kernel,
    /// The machine's clock.
    Time,
}

impl Class {
    /// Its words in reports.
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
