//! `pitmaster lost`: fetches a game of the own group from a practice server, to debug it.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_core::i18n::said;
use pitmaster_store::create_file;
use serde_json::Value;

use super::lang::LangFlag;
use super::{Exit, Failure, Outcome, push};

const EXAMPLES: &str = "\
Examples:
  pitmaster lost https://bots.example.org/c/awale/games/practice.3f0c…   the address of its page
  pitmaster lost practice.3f0c… -o game.json                             its name, and another file
  pitmaster debug my-bot lost.json                                       what your bot does now

The file has the moves, the times, and what your own bot wrote. `pitmaster replay` shows it.";

/// Fetches a game of your group from a practice server, for debug
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Address of the game's page, or its name
    #[arg(value_name = "GAME")]
    game: String,
    /// Address of the server [default: that of the page, or of the last login]; PITMASTER_TOKEN needs it
    #[arg(long, value_name = "URL")]
    to: Option<String>,
    /// File to write
    #[arg(short, long, value_name = "FILE", default_value = "lost.json")]
    out: PathBuf,
    #[command(flatten)]
    lang: LangFlag,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let (server, game) = named(&args.game)?;
    let remote = push::remote(args.to.as_deref(), server)?;
    let game = remote.evidence(game, lang.code())?;
    let at =
        |error: std::io::Error| super::Failure::stopped(format!("{}: {error}", args.out.display()));
    let mut file = create_file(&args.out).map_err(at)?;
    let text = serde_json::to_vec_pretty(&game).map_err(|error| at(error.into()))?;
    file.write_all(&text).map_err(at)?;
    let side = own_side(&game, &remote.identity()?.bots);
    let side = side.map(|side| format!(" --side {side}")).unwrap_or_default();
    let shown = args.out.display().to_string();
    writeln!(out, "{}", said!("wrote {}; debug it:", shown.clone()).to(lang))?;
    writeln!(out, "  pitmaster debug my-bot {shown}{side}")?;
    Ok(Exit::Done)
}

/// Side of the own group's bot.
fn own_side(game: &Value, own: &[String]) -> Option<usize> {
    let bots = game["record"]["key"]["bots"].as_array()?;
    let is_own = |bot: &Value| own.iter().any(|name| bot["name"].as_str() == Some(name));
    bots.iter().position(is_own).map(|place| place + 1)
}

/// The server, if the address of a page is given, and the name of the game.
fn named(game: &str) -> Result<(Option<&str>, &str), Failure> {
    let page = game.split_once("/c/").and_then(|(server, path)| {
        let (_, name) = path.split_once("/games/")?;
        Some((server, name.split(['/', '?', '#']).next()?))
    });
    let name = page.map_or(game, |(_, name)| name);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.contains('.') && name.chars().all(is_plain) {
        return Ok((page.map(|(server, _)| server), name));
    }
    Err(Failure::wrong(format!(
        "{game:?} is no game; give the address of its page, or its name such as practice.3f0c62a1"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_the_address_of_its_page_or_its_name() {
        let server = Some("https://bots.example.org");
        for (given, found) in [
            ("practice.3f0c", (None, "practice.3f0c")),
            ("https://bots.example.org/c/awale/games/practice.3f0c", (server, "practice.3f0c")),
            ("https://bots.example.org/c/awale/games/p.3f#ply=4", (server, "p.3f")),
            ("https://bots.example.org/c/a/games/p.3f/lost.json", (server, "p.3f")),
        ] {
            assert_eq!(named(given).map_err(|it| it.message), Ok(found));
        }
        for wrong in ["", "3f0c", "https://bots.example.org/c/awale", "a.b c", "../x.y%2f"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
