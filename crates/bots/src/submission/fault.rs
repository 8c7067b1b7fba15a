//! Bot faults: problems of a bot before its first game, each with its correction.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{BotHash, BotName, Exit, Fault, StartFault, Untrusted};
use pitmaster_sandbox::Overrun;
use pitmaster_tournament::Location;

/// One mistake in what was handed in. Safe to print: whatever a bot wrote is escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file or folder.
    pub file: PathBuf,
    /// Where in the file, if it is about a place.
    pub place: Option<Location>,
    /// What is wrong and what would be right.
    pub what: String,
}

impl FileError {
    /// A mistake that is about a whole file.
    pub fn whole(file: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self { file: file.into(), place: None, what: what.into() }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown_path(&self.file))?;
        if let Some(place) = self.place {
            write!(f, ":{place}")?;
        }
        write!(f, ": {}", self.what)
    }
}

/// A path as it may be printed, whatever characters or bytes its names are made of.
pub fn shown_path(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).shown(400)
}

/// A word that a bot's author wrote, as it may be printed.
pub(super) fn shown(word: &str) -> String {
    Untrusted::new(word).shown(80)
}

/// Why a bot cannot play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotFault {
    /// What was handed in is wrong.
    Files(Vec<FileError>),
    /// It does not play this game.
    OtherGame {
        /// The game asked for.
        game: String,
        /// What it plays.
        plays: String,
    },
    /// A command that it needs is not on this machine.
    MissingTool {
        /// Which.
        tool: String,
    },
    /// Its build failed.
    DidNotBuild(BuildFailure),
    /// Its program cannot be started here.
    WouldNotStart(StartFault),
}

impl BotFault {
    /// For people; what is wrong in files is told in English only.
    pub fn describe(&self) -> Message {
        match self {
            Self::Files(faults) => said!("{}", listed(faults)),
            Self::OtherGame { game, plays } => said!(
                "it plays {} and not {}; leave it out, or add the game to `games` in its bot.toml",
                plays,
                game
            ),
            Self::MissingTool { tool } => {
                said!("it needs {}, which is not on this machine's PATH; install it", tool)
            }
            Self::DidNotBuild(failure) => failure.describe(),
            Self::WouldNotStart(why) => said!("it would not start: {}", why.describe()),
        }
    }

    /// How its games are lost where an absent bot is scored.
    pub fn as_forfeit(&self) -> Fault {
        match self {
            Self::WouldNotStart(why) => Fault::WouldNotStart { why: why.clone() },
            _ => Fault::DidNotBuild,
        }
    }
}

/// In English.
impl fmt::Display for BotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

impl std::error::Error for BotFault {}

fn listed(faults: &[FileError]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A build that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildFailure {
    /// The command, as it may be printed.
    pub command: String,
    /// How it failed.
    pub why: BuildEnd,
    /// The last lines of the log.
    pub tail: Untrusted,
    /// The whole log.
    pub log: PathBuf,
}

/// How a command of a build failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildEnd {
    /// It said so, or crashed.
    Exited(Exit),
    /// It took longer than this.
    TooSlow(Duration),
    /// It said more than so many bytes.
    TooMuchOutput(u64),
    /// It took too much of the machine.
    Overrun(Overrun),
    /// What it started could not be ended.
    LeftProcesses,
    /// It could not be started.
    WouldNotStart(StartFault),
}

impl BuildEnd {
    /// What the command did, to stand behind its name.
    pub fn describe(&self) -> Message {
        match self {
            Self::Exited(exit) => exit.describe(),
            Self::TooSlow(limit) => said!("was not done after {}", Fill::whole(*limit)),
            Self::TooMuchOutput(limit) => said!("said more than {} bytes", *limit),
            Self::Overrun(overrun) => overrun.describe(),
            Self::LeftProcesses => said!("left processes behind that could not be ended"),
            Self::WouldNotStart(why) => said!("would not start: {}", why.describe()),
        }
    }
}

impl BuildFailure {
    /// In lines: the command and how it ended, the end of its log, where the log is.
    pub fn describe(&self) -> Message {
        let tail = self.tail.shown_lines(2000);
        let tail: String = tail.trim_end().lines().map(|line| format!("  | {line}\n")).collect();
        said!(
            "it did not build: `{}` {}\n{}the whole log is {}",
            &self.command,
            self.why.describe(),
            tail,
            shown_path(&self.log)
        )
    }
}

/// A bot that cannot play, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {}", self.shown())]
pub struct Unfit {
    /// Its name.
    pub name: BotName,
    /// What was handed in; `None` where that could not even be copied.
    pub hash: Option<BotHash>,
    /// The command that would not start, and its folder. Safe to print.
    pub ran: Option<String>,
    /// Why.
    pub fault: BotFault,
}

impl Unfit {
    /// Why, and what was run.
    pub fn shown(&self) -> String {
        match &self.ran {
            Some(ran) => format!("{}; run was {ran}", self.fault),
            None => self.fault.to_string(),
        }
    }
}

/// The folder of snapshots cannot be used: never a bot's fault.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}: {error}; is the disk full, or the folder not yours?", shown_path(.path))]
pub struct SnapshotError {
    /// What was being done.
    pub doing: &'static str,
    /// To what.
    pub path: PathBuf,
    /// The system's words.
    #[source]
    pub error: io::Error,
}

impl SnapshotError {
    /// For `map_err`: what was being done, and to what.
    pub(super) fn at<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + 'a {
        move |error| Self { doing, path: path.to_owned(), error }
    }
}

/// Why a bot was not prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The bot's own fault: the others can play without it.
    #[error(transparent)]
    Bot(#[from] Box<Unfit>),
    /// Not the bot's fault.
    #[error(transparent)]
    Store(#[from] SnapshotError),
}

/// Whose fault it was, before the bot's name is known.
#[derive(Debug)]
pub(super) enum Wrong {
    Bot(BotFault),
    Store(SnapshotError),
}

impl Wrong {
    /// One mistake that is about a whole file of the bot's.
    pub(super) fn file(path: &Path, what: impl Into<String>) -> Self {
        BotFault::Files(vec![FileError::whole(path, what)]).into()
    }
}

impl From<BotFault> for Wrong {
    fn from(fault: BotFault) -> Self {
        Self::Bot(fault)
    }
}

impl From<SnapshotError> for Wrong {
    fn from(fault: SnapshotError) -> Self {
        Self::Store(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_path_is_escaped() {
        let fault = FileError::whole("a\n\x1b[31m/</script>", "is wrong");
        assert_eq!(fault.to_string(), "a\\u{a}\\u{1b}[31m/</script>: is wrong");
    }
}
