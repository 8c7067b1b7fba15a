//! Findings: a closed list, each with its level.

use pitmaster_core::i18n::{Message, said};
use serde::{Deserialize, Serialize};

use super::log::Line;
use super::scenario::Scene;

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Worth a look, neither right nor wrong.
    Note,
    /// Works, but is risky.
    Should,
    /// Loses games.
    Must,
}

impl Level {
    /// Name of the level in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Should => "should",
            Self::Must => "must",
        }
    }

    /// Name of the level for people.
    pub fn label(self) -> Message {
        match self {
            Self::Note => said!("note"),
            Self::Should => said!("should"),
            Self::Must => said!("must"),
        }
    }
}

/// A finding of an examination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Kind of the finding.
    pub what: What,
    /// Scenes in which it occurred, the first one first.
    pub scenes: Vec<Scene>,
    /// Number of occurrences.
    pub times: u32,
    /// The expected behavior.
    pub expected: Message,
    /// The observed behavior. Safe to show.
    pub came: Message,
    /// Messages around the finding.
    pub transcript: Vec<Line>,
    /// Advice.
    pub advice: Message,
}

impl Finding {
    /// Severity of the finding.
    pub const fn level(&self) -> Level {
        self.what.level()
    }
}

/// Overall result of all findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No finding requires a change.
    Clean,
    /// The bot plays, with risks.
    Risky,
    /// The bot forfeits games.
    Broken,
}

impl Verdict {
    /// The overall result of these findings.
    pub fn of(findings: &[Finding]) -> Self {
        match findings.iter().map(Finding::level).max() {
            None | Some(Level::Note) => Self::Clean,
            Some(Level::Should) => Self::Risky,
            Some(Level::Must) => Self::Broken,
        }
    }

    /// Name of the result in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Risky => "risky",
            Self::Broken => "broken",
        }
    }

    /// Name of the result for people.
    pub fn label(self) -> Message {
        match self {
            Self::Clean => said!("clean"),
            Self::Risky => said!("risky"),
            Self::Broken => said!("broken"),
        }
    }
}

/// Defines all kinds of findings: each variant with its level, its name in files and its meaning.
macro_rules! whats {
    ($($variant:ident, $level:ident, $name:literal, $about:literal;)*) => {
        /// Kind of a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum What {
            $(#[doc = $about] #[serde(rename = $name)] $variant,)*
        }

        impl What {
            /// All kinds, the most severe first.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Severity of the kind.
            pub const fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }

            /// Name of the kind in files.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Meaning of the kind, in a few words.
            pub fn about(self) -> Message {
                match self { $(Self::$variant => said!($about),)* }
            }
        }
    };
}

whats! {
    HandedIn, Must, "handed-in", "its folder or its bot.toml is wrong";
    OtherGame, Must, "other-game", "it does not play this game";
    MissingTool, Must, "missing-tool", "a command that it needs is not on this machine";
    DoesNotBuild, Must, "does-not-build", "it does not build";
    WouldNotStart, Must, "would-not-start", "its program cannot be started";
    NotReady, Must, "not-ready", "it does not answer the greeting or newgame in time";
    MissingFlush, Must, "missing-flush", "no answer although it is not computing: usually the \
                                          answer is still in a buffer";
    Silent, Must, "silent", "it stops answering in the middle of a game without computing";
    NoLineEnd, Must, "no-line-end", "its answer has no end of line";
    TooSlow, Must, "too-slow", "it exceeds the time limit of a move";
    TooMuchCpu, Must, "too-much-cpu", "it exceeds the CPU time limit of a game";
    Crash, Must, "crash", "it exits with an error in the middle of a game";
    EndsEarly, Must, "ends-early", "it exits in the middle of a game";
    ClosesOutput, Must, "closes-output", "it closes its output in the middle of a game";
    Prompt, Must, "prompt", "it prints prompts or other text around its move";
    MoreThanAMove, Must, "more-than-a-move", "it prints several words instead of one move";
    OtherDialect, Must, "other-dialect", "it speaks another dialect";
    NotAMove, Must, "not-a-move", "it prints a line that is not a move";
    NotText, Must, "not-text", "it prints bytes that are not text";
    WrongSide, Must, "wrong-side", "it plays for the wrong side";
    CountsFromZero, Must, "counts-from-zero", "it numbers the holes from 0";
    LostTrack, Must, "lost-track", "its board differs from the game's";
    IllegalMove, Must, "illegal-move", "it plays an illegal move";
    OutOfTurn, Must, "out-of-turn", "it writes out of turn";
    Flood, Must, "flood", "it writes more than the referee accepts";
    SecondGame, Must, "second-game", "it plays its first game but fails in the next one in the \
                                      same process";
    NeedsWholeLines, Must, "needs-whole-lines", "it fails when a line arrives in pieces";
    NeedsLf, Should, "needs-lf", "it fails when lines end with CR LF";
    TightClock, Should, "tight-clock", "it ignores a shorter time limit";
    NearTheLimit, Should, "near-the-limit", "its slowest move is close to the limit";
    StaysAfterEnd, Should, "stays-after-end", "it does not exit when a game and its input have \
                                               ended";
    CrashAtEnd, Should, "crash-at-end", "it exits with an error after the game";
    StaysAfterInput, Should, "stays-after-input", "it does not exit when its input ends";
    SpinsAfterInput, Should, "spins-after-input", "it computes forever when its input ends";
    CrashAfterInput, Should, "crash-after-input", "it crashes when its input ends";
    WritesAfterEnd, Should, "writes-after-end", "it writes after the end of the game";
    ThinksOnOthersTime, Should, "thinks-on-others-time", "it computes during its opponent's turns";
    LinesBeforeReady, Should, "lines-before-ready", "it writes lines that are skipped";
    Chatter, Should, "chatter", "it writes a lot besides its moves";
    StderrFlood, Should, "stderr-flood", "it writes a lot to standard error";
    WrongClaim, Should, "wrong-claim", "it announces the end of a game that is not over";
    CrlfLines, Should, "crlf-lines", "its lines end with CR LF";
    SmallLetters, Should, "small-letters", "it writes its moves in lowercase";
    LeavesProcesses, Should, "leaves-processes", "it leaves processes behind";
    Memory, Should, "memory", "it uses a lot of memory";
    TriedNetwork, Note, "tried-network", "it tried to reach the network";
    TriedFiles, Note, "tried-files", "it tried to reach files that are not its own";
    TriedProcesses, Note, "tried-processes", "it tried to start processes";
    TriedOthers, Note, "tried-others", "it tried to reach other processes, its limits or the \
                                        kernel";
    AuditCutShort, Note, "audit-cut-short", "its audited game did not finish";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_told_apart_and_musts_come_first() {
        let names: BTreeSet<_> = What::ALL.iter().map(|what| what.name()).collect();
        assert_eq!(names.len(), What::ALL.len());
        assert!(What::ALL.is_sorted_by_key(|what| std::cmp::Reverse(what.level())));
    }
}
