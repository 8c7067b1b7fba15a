//! A bot that cannot even be started, as a finding.

use super::finding::{Finding, What};
use super::log::Line;
use super::scene::Scene;
use crate::bot::disk::{BotFault, Unfit};
use crate::record::StartFault;

/// Why it cannot play.
pub fn unfit(unfit: &Unfit) -> Finding {
    let (what, expected, advice) = match &unfit.fault {
        BotFault::Files(_) => (
            What::HandedIn,
            "a folder with a bot.toml, or one file that shows how to run it",
            "`pitmaster help protocol` shows a whole bot with its bot.toml",
        ),
        BotFault::OtherGame { .. } => {
            (What::OtherGame, "a bot for this game", "name its game with --game")
        }
        BotFault::MissingTool { .. } => (
            What::MissingTool,
            "commands that are on this machine",
            "install it, or look whether its name in bot.toml is spelt right",
        ),
        BotFault::DidNotBuild(_) => (
            What::DoesNotBuild,
            "a build without errors",
            "build it in an empty folder on Linux with the commands of its bot.toml",
        ),
        BotFault::WouldNotStart(why) => {
            (What::WouldNotStart, "a program that starts here", start_advice(why))
        }
    };
    let said = unfit.fault.to_string();
    // What it means says so already.
    let plain = ["it did not build: ", "it would not start: "];
    let said = plain.iter().find_map(|words| said.strip_prefix(words)).unwrap_or(&said);
    let mut lines = said.lines();
    Finding {
        what,
        scene: Scene::Start,
        times: 1,
        expected: expected.into(),
        came: lines.next().unwrap_or_default().to_owned(),
        transcript: lines.map(|line| Line::note(line.trim_start_matches("  | "))).collect(),
        advice: advice.into(),
    }
}

fn start_advice(why: &StartFault) -> &'static str {
    match why {
        StartFault::WindowsProgram => {
            "hand in the source with a `build` in bot.toml, or build it on Linux or in WSL"
        }
        StartFault::MacProgram | StartFault::OtherProcessor { .. } => {
            "hand in the source with a `build` in bot.toml, so that it is built where it plays"
        }
        StartFault::MissingLoader { .. } => "hand in the source with a `build` in bot.toml",
        StartFault::CrlfAfterShebang => "sed -i 's/\\r$//' FILE makes Unix line ends",
        StartFault::NotExecutable => {
            "chmod +x FILE, or name its interpreter in `run`: [\"python3\", \"bot.py\"]"
        }
        StartFault::InterpreterMissing { .. } => "install it, or name another one",
        StartFault::NotFound { .. } => "look at `run` in its bot.toml, and at what its build makes",
        StartFault::Refused { .. } => "try its `run` command in a terminal, on Linux",
    }
}
