//! Game endings, from which winner and score follow. There is no "other" ending.
//!
//! Faults of a bot ([`Fault`]) and of the referee ([`RefereeFault`]) never share a name: a game
//! with a referee fault is void and replayed.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::nanos;
use super::{BySide, Score, Side};
use crate::i18n::{Message, said};

/// Reason why a game ended, with its facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Ending {
    /// Ended by the rules; `clause` names the rule.
    Rules {
        /// Short name of the rule, as the game defines it: `49+`.
        clause: Cow<'static, str>,
        /// Winner; `None` for a draw.
        winner: Option<Side>,
        /// Final score.
        score: Score,
    },
    /// The ply limit was reached; the game's adjudication decided.
    PlyLimit {
        /// Winner; `None` for a draw.
        winner: Option<Side>,
        /// Final score.
        score: Score,
    },
    /// The time limit of the whole game was reached; the game's adjudication decided.
    GameTime {
        /// Winner; `None` for a draw.
        winner: Option<Side>,
        /// Final score.
        score: Score,
    },
    /// One side lost by a fault, not by play.
    Forfeit {
        /// Side that lost.
        by: Side,
        /// Fault of that side.
        fault: Fault,
        /// Score at the time of the fault.
        score: Score,
    },
    /// Both sides lost by a fault.
    BothForfeited {
        /// Fault of each side.
        faults: BySide<Fault>,
    },
    /// The referee failed: the game is void and will be replayed.
    RefereeError {
        /// Fault of the referee.
        fault: RefereeFault,
    },
}

/// Result of a game for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Loss.
    Loss,
    /// Draw.
    Draw,
    /// Win.
    Win,
}

impl Ending {
    /// Winner; `None` for a draw, a double forfeit or a void game.
    pub fn winner(&self) -> Option<Side> {
        match self {
            Self::Rules { winner, .. }
            | Self::PlyLimit { winner, .. }
            | Self::GameTime { winner, .. } => *winner,
            Self::Forfeit { by, .. } => Some(by.other()),
            Self::BothForfeited { .. } | Self::RefereeError { .. } => None,
        }
    }

    /// Score on the board when the game ended; 0 to 0 if there was none.
    pub fn score(&self) -> Score {
        match self {
            Self::Rules { score, .. }
            | Self::PlyLimit { score, .. }
            | Self::GameTime { score, .. }
            | Self::Forfeit { score, .. } => *score,
            Self::BothForfeited { .. } | Self::RefereeError { .. } => Score::default(),
        }
    }

    /// Result for a side; `None` for a void game.
    pub fn mark(&self, side: Side) -> Option<Mark> {
        match (self, self.winner()) {
            (Self::RefereeError { .. }, _) => None,
            (Self::BothForfeited { .. }, _) => Some(Mark::Loss),
            (_, None) => Some(Mark::Draw),
            (_, Some(winner)) => Some(if winner == side { Mark::Win } else { Mark::Loss }),
        }
    }

    /// Whether the game is void and will be replayed.
    pub fn is_void(&self) -> bool {
        matches!(self, Self::RefereeError { .. })
    }

    /// Whether a side lost only because the machine was busy.
    pub fn is_starved(&self) -> bool {
        let starved = |side| self.fault_of(side).is_some_and(Fault::is_starvation);
        Side::BOTH.into_iter().any(starved)
    }

    /// Fault by which a side lost, if any.
    pub fn fault_of(&self, side: Side) -> Option<&Fault> {
        match self {
            Self::Forfeit { by, fault, .. } => (*by == side).then_some(fault),
            Self::BothForfeited { faults } => Some(&faults[side]),
            _ => None,
        }
    }

    /// Name of the ending in files: the clause for the rules (`rules:49+`), the fault for a forfeit
    /// (`move-late`), the kind for the rest.
    pub fn name(&self) -> Cow<'static, str> {
        match self {
            Self::Rules { clause, .. } => format!("rules:{clause}").into(),
            Self::PlyLimit { .. } => "ply-limit".into(),
            Self::GameTime { .. } => "game-time".into(),
            Self::Forfeit { fault, .. } => fault.name().into(),
            Self::BothForfeited { .. } => "both-forfeited".into(),
            Self::RefereeError { .. } => "referee-error".into(),
        }
    }
}

/// Short label for a name returned by [`Ending::name`] or [`Fault::name`]; any other text is
/// returned unchanged.
pub fn ending_label(name: &str) -> Message {
    if let Some(clause) = name.strip_prefix("rules:") {
        return said!("rules ({})", clause);
    }
    match name {
        "ply-limit" => said!("limit of plies"),
        "game-time" => said!("time of the game over"),
        "both-forfeited" => said!("both forfeited"),
        "referee-error" => said!("fault of the referee"),
        name => Fault::label(name).unwrap_or_else(|| said!("{}", name)),
    }
}

/// Defines [`Fault`] with one row per kind: documentation, variant with its facts, name in files
/// and label.
macro_rules! faults {
    ($($(#[$doc:meta])* $variant:ident $({ $($facts:tt)* })? => $name:literal, $label:expr;)*) => {
        /// Fault by which a side lost.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "fault")]
        pub enum Fault {
            $($(#[$doc])* #[serde(rename = $name)] $variant $({ $($facts)* })?,)*
        }

        impl Fault {
            /// Names that [`Fault::name`] can return, in the order of the columns in files.
            pub const NAMES: [&'static str; [$($name),*].len()] = [$($name),*];

            /// Name in files.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)*
                }
            }

            /// Short label of the fault with this name.
            fn label(name: &str) -> Option<Message> {
                match name {
                    $($name => Some($label),)*
                    _ => None,
                }
            }
        }
    };
}

// In the order of the columns in files. Append new ones at the end.
faults! {
    /// The side made no move within the limit and its margin.
    MoveLate {
        /// Limit, without the margin.
        #[serde(rename = "limit_ns", alias = "limit", with = "nanos")]
        limit: Duration,
        /// Time taken when it was judged.
        #[serde(rename = "took_ns", alias = "took", with = "nanos")]
        took: Duration,
        /// Time spent waiting for a core, too little to be the cause.
        #[serde(rename = "waiting_ns", default, with = "nanos")]
        waited: Duration,
    } => "move-late", said!("move too late");
    /// The side's time account ran out.
    BankEmpty {
        /// Time taken by the last move.
        #[serde(rename = "took_ns", alias = "took", with = "nanos")]
        took: Duration,
        /// Time spent waiting for a core in all its moves, too little to be the cause.
        #[serde(rename = "waiting_ns", default, with = "nanos")]
        waited: Duration,
    } => "bank-empty", said!("time account empty");
    /// The side used more CPU time than its limit for a game.
    CpuTime {
        /// CPU time limit.
        #[serde(rename = "limit_ns", with = "nanos")]
        limit: Duration,
    } => "cpu-time", said!("too much CPU time");
    /// The side used more CPU time during the opponent's turns than allowed.
    StoleTime {
        /// CPU time used when it was judged.
        #[serde(rename = "used_ns", with = "nanos")]
        used: Duration,
        /// Allowance.
        #[serde(rename = "allowance_ns", with = "nanos")]
        allowance: Duration,
        /// Allowance that was exceeded.
        per: Per,
    } => "stole-time", said!("computed in the opponent's turns");
    /// The bot did not answer the greeting or `newgame` in time.
    StartLate {
        /// Time limit.
        #[serde(rename = "limit_ns", alias = "limit", with = "nanos")]
        limit: Duration,
    } => "start-late", said!("not ready in time");
    /// A move that the rules do not allow in the position.
    IllegalMove => "illegal-move", said!("illegal move");
    /// A line that is not exactly one move.
    MalformedLine => "malformed-line", said!("line that is not a move");
    /// A line longer than the limit.
    LineTooLong {
        /// Maximum length in bytes.
        #[serde(rename = "limit_bytes", alias = "limit")]
        limit: usize,
    } => "line-too-long", said!("line too long");
    /// A line that is not text.
    NotUtf8 => "not-utf8", said!("bytes that are not text");
    /// More output than the limit.
    TooMuchOutput {
        /// Output stream.
        stream: Stream,
        /// Maximum output in bytes.
        #[serde(rename = "limit_bytes", alias = "limit")]
        limit: usize,
    } => "too-much-output", said!("too much output");
    /// The bot wrote something when it had not been asked.
    SpokeOutOfTurn => "spoke-out-of-turn", said!("wrote out of turn");
    /// The bot closed its output but kept running.
    ClosedOutput => "closed-output", said!("closed its output");
    /// The process ended.
    Exited {
        /// Exit of the process.
        exit: Exit,
    } => "exited", said!("process ended");
    /// The process could not be started.
    WouldNotStart {
        /// Reason.
        why: StartFault,
    } => "would-not-start", said!("would not start");
    /// The build failed, or a required tool is missing on the machine.
    DidNotBuild => "did-not-build", said!("did not build");
    /// The bot was suspended after repeated failures, so this game was not played.
    Suspended => "suspended", said!("suspended");
    /// The side was late, but would have been in time with its own core: the machine was busy. Such
    /// a game is void and replayed. It counts only after a certain number of replays.
    Starved {
        /// Exceeded limit, without the margin: of the move, of getting ready, or the rest of the
        /// time account.
        #[serde(rename = "limit_ns", with = "nanos")]
        limit: Duration,
        /// Time taken when it was judged.
        #[serde(rename = "took_ns", with = "nanos")]
        took: Duration,
        /// Time spent waiting for a core: in that move, or in all moves if the time account ran
        /// out.
        #[serde(rename = "waiting_ns", with = "nanos")]
        waited: Duration,
    } => "starved", said!("starved by a busy machine");
}

impl Fault {
    /// Names of the faults of a bot that cannot play at all: its games are no evidence of strength.
    pub const ABSENT: [&str; 2] = ["would-not-start", "did-not-build"];

    /// Whether the side used more wall-clock or CPU time than it had, which a slow machine can
    /// cause.
    pub fn is_overrun(&self) -> bool {
        matches!(
            self,
            Self::MoveLate { .. }
                | Self::BankEmpty { .. }
                | Self::CpuTime { .. }
                | Self::StoleTime { .. }
                | Self::StartLate { .. }
                | Self::Starved { .. }
        )
    }

    /// Whether the machine caused the fault, so that the game is replayed.
    pub fn is_starvation(&self) -> bool {
        matches!(self, Self::Starved { .. })
    }

    /// Time spent waiting for a core in the losing move (in all moves if the time account ran out);
    /// `None` if the fault is not about time.
    pub fn waited(&self) -> Option<Duration> {
        match self {
            Self::MoveLate { waited, .. }
            | Self::BankEmpty { waited, .. }
            | Self::Starved { waited, .. } => Some(*waited),
            _ => None,
        }
    }
}

/// Period of a CPU time allowance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// One rest of a side: from its move to its next turn.
    Turn,
    /// All rests in a game.
    Game,
}

/// Output stream of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        })
    }
}

/// Exit of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exit {
    /// Exited with this code.
    Code(i32),
    /// Killed by this signal.
    Signal(i32),
    /// Unknown.
    Unknown,
}

/// Reason why a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum StartFault {
    /// The program is made for Windows.
    WindowsProgram,
    /// The program is made for macOS.
    MacProgram,
    /// The program is made for another processor.
    OtherProcessor {
        /// Processor.
        machine: String,
    },
    /// The loader named by the program is not on this machine.
    MissingLoader {
        /// Loader.
        loader: String,
    },
    /// The `#!` line ends with CR LF.
    CrlfAfterShebang,
    /// The file is not executable.
    NotExecutable,
    /// The required interpreter is not on this machine.
    InterpreterMissing {
        /// Interpreter.
        interpreter: String,
    },
    /// The program does not exist.
    NotFound {
        /// Program.
        program: String,
    },
    /// The system refused to start it for another reason.
    Refused {
        /// Error text of the system.
        error: String,
    },
}

/// Failure on the referee's side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum RefereeFault {
    /// The system lacked memory, descriptors or disk space.
    Resources {
        /// Error text of the system.
        error: String,
    },
    /// A system call failed unexpectedly.
    System {
        /// Operation and error text of the system.
        error: String,
    },
    /// The referee's code panicked.
    Panic {
        /// Panic message.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forfeit(fault: Fault) -> Ending {
        Ending::Forfeit { by: Side::One, fault, score: Score::new(3, 4) }
    }

    #[test]
    fn winner_and_marks_follow_from_the_ending() {
        let ending = forfeit(Fault::IllegalMove);
        assert_eq!(ending.winner(), Some(Side::Two));
        assert_eq!(ending.mark(Side::One), Some(Mark::Loss));
        assert_eq!(ending.mark(Side::Two), Some(Mark::Win));
        let both =
            Ending::BothForfeited { faults: BySide::new(Fault::DidNotBuild, Fault::Suspended) };
        assert_eq!(both.winner(), None);
        assert_eq!(both.mark(Side::One), Some(Mark::Loss));
        assert_eq!(both.mark(Side::Two), Some(Mark::Loss));
        let void = Ending::RefereeError { fault: RefereeFault::Panic { message: "x".into() } };
        assert_eq!(void.mark(Side::One), None);
    }

    #[test]
    fn endings_survive_json() {
        for ending in [
            Ending::Rules { clause: "49+".into(), winner: None, score: Score::new(1, 2) },
            forfeit(Fault::Exited { exit: Exit::Signal(11) }),
            forfeit(Fault::StoleTime {
                used: Duration::from_millis(21),
                allowance: Duration::from_millis(20),
                per: Per::Turn,
            }),
            forfeit(Fault::WouldNotStart { why: StartFault::NotFound { program: "x".into() } }),
            forfeit(Fault::MoveLate {
                limit: Duration::from_secs(1),
                took: Duration::from_millis(1020),
                waited: Duration::from_millis(3),
            }),
            forfeit(Fault::Starved {
                limit: Duration::from_secs(1),
                took: Duration::from_millis(1520),
                waited: Duration::from_millis(600),
            }),
        ] {
            let json = serde_json::to_string(&ending).expect("serialises");
            assert_eq!(serde_json::from_str::<Ending>(&json).expect(&json), ending);
        }
    }
}
