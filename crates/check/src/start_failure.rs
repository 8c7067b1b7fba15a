//! Start failure: the finding for a bot that cannot be started.

use pitmaster_bots::submission::{BotFault, BuildFailure, FileError, Unfit, shown_path};
use pitmaster_core::StartFault;
use pitmaster_core::i18n::{Message, said};

use super::finding::{Finding, What};
use super::log::Line;
use super::scenario::Scene;

/// Finding for a bot that cannot be started.
pub fn unfit(unfit: &Unfit) -> Finding {
    let (what, expected, advice) = match &unfit.fault {
        BotFault::Files(_) => (
            What::HandedIn,
            said!("a folder with a bot.toml, or one file that shows how to run it"),
            said!("`pitmaster help protocol` shows a whole bot with its bot.toml"),
        ),
        BotFault::OtherGame { .. } => {
            (What::OtherGame, said!("a bot for this game"), said!("name its game with --game"))
        }
        BotFault::MissingTool { .. } => (
            What::MissingTool,
            said!("commands that are on this machine"),
            said!("install it, or check the spelling of its name in bot.toml"),
        ),
        BotFault::DidNotBuild(failure) => (
            What::DoesNotBuild,
            said!("a build without errors"),
            build_advice(failure, unfit.is_guessed),
        ),
        BotFault::WouldNotStart(why) => {
            (What::WouldNotStart, said!("a program that starts here"), start_advice(why))
        }
    };
    let (came, transcript) = came(&unfit.fault);
    Finding { what, scenes: vec![Scene::Start], times: 1, expected, came, transcript, advice }
}

/// Observed failure, and lines with details.
fn came(fault: &BotFault) -> (Message, Vec<Line>) {
    match fault {
        BotFault::Files(faults) => of_files(faults),
        BotFault::OtherGame { .. } | BotFault::MissingTool { .. } => (fault.describe(), Vec::new()),
        BotFault::DidNotBuild(failure) => of_build(failure),
        BotFault::WouldNotStart(why) => (why.describe(), Vec::new()),
    }
}

/// Errors in files, which are reported in English only.
fn of_files(faults: &[FileError]) -> (Message, Vec<Line>) {
    let all: Vec<_> = faults.iter().map(ToString::to_string).collect();
    let mut lines = all.iter().flat_map(|fault| fault.lines()).map(|line| said!("{}", line));
    (lines.next().unwrap_or_else(|| said!("{}", "")), lines.map(Line::Note).collect())
}

fn of_build(failure: &BuildFailure) -> (Message, Vec<Line>) {
    let tail = failure.tail.shown_lines(2000);
    let tail = tail.trim_end().lines().map(|line| said!("{}", line));
    let log = said!("the whole log is {}", shown_path(&failure.log));
    let came = said!("`{}` {}", &failure.command, failure.why.describe());
    (came, tail.chain([log]).map(Line::Note).collect())
}

fn build_advice(failure: &BuildFailure, is_guessed: bool) -> Message {
    match failure.offline_remedy() {
        Some(remedy) => said!("builds have no network: {}", remedy),
        None if is_guessed => {
            said!("build it in an empty folder on Linux with `{}`", &failure.command)
        }
        None => said!("build it in an empty folder on Linux with the commands of its bot.toml"),
    }
}

fn start_advice(why: &StartFault) -> Message {
    match why {
        StartFault::WindowsProgram => {
            said!("hand in the source with a `build` in bot.toml, or build it on Linux or in WSL")
        }
        StartFault::MacProgram | StartFault::OtherProcessor { .. } => said!(
            "hand in the source with a `build` in bot.toml, so that it is built where it plays"
        ),
        StartFault::MissingLoader { .. } => said!("hand in the source with a `build` in bot.toml"),
        StartFault::CrlfAfterShebang => said!("sed -i 's/\\r$//' FILE converts to Unix line ends"),
        StartFault::NotExecutable => {
            said!("chmod +x FILE, or name its interpreter in `run`: [\"python3\", \"bot.py\"]")
        }
        StartFault::InterpreterMissing { .. } => said!("install it, or name another one"),
        StartFault::NotFound { .. } => {
            said!("check `run` in its bot.toml, and the files that its build produces")
        }
        StartFault::Refused { .. } => said!("try its `run` command in a terminal, on Linux"),
    }
}
