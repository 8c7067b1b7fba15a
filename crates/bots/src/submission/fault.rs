//! Bot faults: problems of a bot before its first game, each with its correction.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{BotHash, BotName, Exit, Fault, StartFault, Untrusted};
use pitmaster_sandbox::Overrun;
use pitmaster_tournament::Location;

use super::offline;

/// One error in a submission. Safe to print: everything that a bot wrote is escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file or folder.
    pub file: PathBuf,
    /// Location in the file, if the error has one.
    pub place: Option<Location>,
    /// What is wrong, and the correction.
    pub what: Message,
}

impl FileError {
    /// An error that is about a whole file.
    pub fn whole(file: impl Into<PathBuf>, what: Message) -> Self {
        Self { file: file.into(), place: None, what }
    }

    /// Message with the path of the file.
    pub fn describe(&self) -> Message {
        said!("{}: {}", self.located(&self.file), self.what.clone())
    }

    /// The error without the folder that the file is in.
    fn cause(&self) -> Message {
        if self.place.is_none() {
            return self.what.clone();
        }
        let name = Path::new(self.file.file_name().unwrap_or_default());
        said!("{}: {}", self.located(name), self.what.clone())
    }

    fn located(&self, file: &Path) -> String {
        let file = shown_path(file);
        self.place.map_or(file.clone(), |place| format!("{file}:{place}"))
    }
}

/// The English message.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

/// A path that is safe to print, whatever its characters or bytes.
pub fn shown_path(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).shown(400)
}

/// A word from a bot's author that is safe to print.
pub(super) fn shown(word: &str) -> String {
    Untrusted::new(word).shown(80)
}

/// Reason why a bot cannot play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotFault {
    /// The submission has errors.
    Files(Vec<FileError>),
    /// The bot does not play this game.
    OtherGame {
        /// The requested game.
        game: String,
        /// The games it plays.
        plays: String,
    },
    /// A required command is missing on this machine.
    MissingTool {
        /// The command.
        tool: String,
    },
    /// The build failed.
    DidNotBuild(BuildFailure),
    /// The program cannot be started here.
    WouldNotStart(StartFault),
}

impl BotFault {
    /// Message for people. Errors within a manifest are in English only.
    pub fn describe(&self) -> Message {
        match self {
            Self::Files(faults) => lines(faults.iter().map(FileError::describe)),
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

    /// The forfeit reason of its games, if an absent bot is scored.
    pub fn as_forfeit(&self) -> Fault {
        match self {
            Self::WouldNotStart(why) => Fault::WouldNotStart { why: why.clone() },
            _ => Fault::DidNotBuild,
        }
    }
}

/// The English message.
impl fmt::Display for BotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe().fmt(f)
    }
}

impl std::error::Error for BotFault {}

/// Messages on lines of their own.
fn lines(messages: impl Iterator<Item = Message>) -> Message {
    messages.reduce(|all, message| said!("{}\n{}", all, message)).unwrap_or_else(|| said!(""))
}

/// A build that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildFailure {
    /// The command, safe to print.
    pub command: String,
    /// How it failed.
    pub why: BuildEnd,
    /// Last lines of the log.
    pub tail: Untrusted,
    /// Path of the complete log.
    pub log: PathBuf,
}

/// How a build command failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuildEnd {
    /// It exited with an error, or crashed.
    Exited(Exit),
    /// It exceeded this time limit.
    TooSlow(Duration),
    /// It wrote more than this number of bytes.
    TooMuchOutput(u64),
    /// It exceeded a resource limit.
    Overrun(Overrun),
    /// Some of its processes could not be killed.
    LeftProcesses,
    /// It could not be started.
    WouldNotStart(StartFault),
}

impl BuildEnd {
    /// Message about the command, to follow its name.
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
    /// The message without the path of the log; without its end too, if the remedy is known.
    fn cause(&self) -> Message {
        let end = said!("it did not build: {}", self.end());
        let tail = self.shown_tail();
        if self.offline_remedy().is_some() || tail.is_empty() {
            return end;
        }
        said!("{}\n{}", end, tail.trim_end_matches('\n'))
    }

    /// Message in several lines: the command and its end, the end of its log, and the log's path.
    pub fn describe(&self) -> Message {
        said!(
            "it did not build: {}\n{}the whole log is {}",
            self.end(),
            self.shown_tail(),
            shown_path(&self.log)
        )
    }

    /// The end of its log, with a bar before each line.
    fn shown_tail(&self) -> String {
        let tail = self.tail.shown_lines(2000);
        tail.trim_end().lines().map(|line| format!("  | {line}\n")).collect()
    }

    /// The command and its end, and the remedy if it failed without the network.
    pub fn end(&self) -> Message {
        let ended = said!("`{}` {}", &self.command, self.why.describe());
        match self.offline_remedy() {
            Some(remedy) => {
                said!("{}: it needs the network, and builds have none; {}", ended, remedy)
            }
            None => ended,
        }
    }

    /// Advice for a build without the network, if it failed because it has none.
    pub fn offline_remedy(&self) -> Option<Message> {
        offline::remedy(&self.tail)
    }
}

/// A bot that cannot play, as far as its identity is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {}", self.shown())]
pub struct Unfit {
    /// Name of the bot.
    pub name: BotName,
    /// Hash of the submission; `None` if it could not be read.
    pub hash: Option<BotHash>,
    /// The command that does not start, and its folder. Safe to print.
    pub ran: Option<String>,
    /// Whether it has no bot.toml, so that its commands were derived from its files.
    pub is_guessed: bool,
    /// Reason why the bot cannot play.
    pub fault: BotFault,
}

impl Unfit {
    /// The reason without this bot's folder, log and log path. Equal for bots with the same
    /// problem.
    pub fn cause(&self) -> Message {
        match &self.fault {
            BotFault::Files(faults) => lines(faults.iter().map(FileError::cause)),
            BotFault::DidNotBuild(failure) => failure.cause(),
            fault => fault.describe(),
        }
    }

    /// Path of the complete log of a failed build.
    pub fn log(&self) -> Option<&Path> {
        match &self.fault {
            BotFault::DidNotBuild(failure) => Some(&failure.log),
            _ => None,
        }
    }

    /// The reason, and the command that was run.
    pub fn shown(&self) -> String {
        match &self.ran {
            Some(ran) => format!("{}; run was {ran}", self.fault),
            None => self.fault.to_string(),
        }
    }
}

/// The snapshot folder cannot be used; never a bot's fault.
#[derive(Debug, thiserror::Error)]
#[error("cannot {doing} {}: {error}; is the disk full, or the folder not yours?", shown_path(.path))]
pub struct SnapshotError {
    /// The attempted operation.
    pub doing: &'static str,
    /// The path of the operation.
    pub path: PathBuf,
    /// The system's error.
    #[source]
    pub error: io::Error,
}

impl SnapshotError {
    /// For `map_err`: adds the operation and its path.
    pub(super) fn at<'a>(
        doing: &'static str,
        path: &'a Path,
    ) -> impl FnOnce(io::Error) -> Self + 'a {
        move |error| Self { doing, path: path.to_owned(), error }
    }
}

/// Reason why a bot was not prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// The bot is at fault. The others can play without it.
    #[error(transparent)]
    Bot(#[from] Box<Unfit>),
    /// The bot is not at fault.
    #[error(transparent)]
    Store(#[from] SnapshotError),
}

/// An error and who is at fault, before the bot's name is known.
#[derive(Debug)]
pub(super) enum Wrong {
    Bot(BotFault),
    Store(SnapshotError),
}

impl Wrong {
    /// An error that is about a whole file of the bot.
    pub(super) fn file(path: &Path, what: Message) -> Self {
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
        let fault = FileError::whole("a\n\x1b[31m/</script>", said!("{}", "is wrong"));
        assert_eq!(fault.to_string(), "a\\u{a}\\u{1b}[31m/</script>: is wrong");
    }
}
