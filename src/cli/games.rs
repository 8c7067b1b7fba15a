//! `pitmaster games`: which games there are, and what one looks like.

use std::fmt::Write as _;
use std::io::Write;

use super::wrap::wrap;
use super::{Exit, Failure, Outcome, terminal_width};
use crate::games::{GAMES, Game, GameEntry, GameSpec, Turn, find};

const EXAMPLES: &str = "\
Examples:
  pitmaster games
  pitmaster games show coloured-awale
  pitmaster games show coloured-awale,both_40=off";

/// Lists the games, or shows one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, disable_help_subcommand = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Shows a game: options, the start, moves and positions as text
    #[command(after_help = "Examples:\n  pitmaster games show coloured-awale,both_40=off")]
    Show {
        /// The game, with options: coloured-awale,both_40=off
        game: GameSpec,
    },
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let text = match &args.command {
        None => list(terminal_width()),
        Some(Command::Show { game }) => show(game, terminal_width())?,
    };
    out.write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn list(width: usize) -> String {
    let mut text = String::new();
    for entry in GAMES {
        push_lines(&mut text, 0, entry.name, width);
        push_lines(&mut text, 4, entry.about, width);
        push_options(&mut text, entry, width);
    }
    text.push_str("\nOptions are written behind the name: coloured-awale,both_40=off\n");
    text.push_str("`pitmaster games show GAME` draws the start.\n");
    text
}

fn push_options(text: &mut String, entry: &GameEntry, width: usize) {
    for option in entry.options {
        push_lines(text, 4, &format!("option {option}"), width);
    }
}

/// The words, indented; what does not fit on the first line is indented more.
fn push_lines(text: &mut String, indent: usize, words: &str, width: usize) {
    for (number, line) in wrap(words, width.saturating_sub(indent + 2)).iter().enumerate() {
        let indent = indent + if number == 0 { 0 } else { 2 };
        let _ = writeln!(text, "{:indent$}{line}", "");
    }
}

fn show(spec: &GameSpec, width: usize) -> Result<String, Failure> {
    let game = find(spec).map_err(Failure::wrong)?;
    let mut text = format!("{}\n", game.spec());
    if let Some(entry) = GAMES.iter().find(|entry| entry.name == spec.name) {
        push_lines(&mut text, 4, entry.about, width);
        push_options(&mut text, entry, width);
    }
    let _ = writeln!(text, "    rules {}, as records name them\n", game.id());
    let start = game.begin();
    let _ = writeln!(text, "{}", start.board());
    push_moves(&mut text, &*game);
    let _ = writeln!(text, "position     {}", start.position());
    Ok(text)
}

fn push_moves(text: &mut String, game: &dyn Game) {
    let mut table = game.begin();
    let mut texts = String::new();
    table.list_moves(&mut texts);
    let is_template = |text: &&str| text.contains('*');
    let (templates, moves): (Vec<_>, Vec<_>) =
        texts.split_ascii_whitespace().partition(is_template);
    if table.turn() == Turn::Chance {
        text.push_str("moves        none: the game begins with a step of chance\n");
        return;
    }
    let such_as = |list: &[&str]| match list.first() {
        Some(first) => format!("{}, such as {first}", list.len()),
        None => "none".into(),
    };
    let _ = writeln!(text, "legal moves  {}", such_as(&moves));
    if !templates.is_empty() {
        let _ = writeln!(text, "templates    {}", such_as(&templates));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list() {
        insta::assert_snapshot!(list(80), @"
        coloured-awale
            sixteen holes and seeds of three colours; who captures 49 wins
            option both_40=score|draw|off: when both have 40 seeds, the score decides
              (default), the game is drawn, or it goes on

        Options are written behind the name: coloured-awale,both_40=off
        `pitmaster games show GAME` draws the start.
        ");
    }

    #[test]
    fn one_game() {
        let spec = "coloured-awale,both_40=off".parse().unwrap();
        insta::assert_snapshot!(show(&spec, 80).unwrap(), @"
        coloured-awale,both_40=off
            sixteen holes and seeds of three colours; who captures 49 wins
            option both_40=score|draw|off: when both have 40 seeds, the score decides
              (default), the game is drawn, or it goes on
            rules coloured-awale,both_40=off@1, as records name them

        hole           1    2    3    4    5    6    7    8
        owner         P1   P2   P1   P2   P1   P2   P1   P2
        red            2    2    2    2    2    2    2    2
        blue           2    2    2    2    2    2    2    2
        transparent    2    2    2    2    2    2    2    2

        red            2    2    2    2    2    2    2    2
        blue           2    2    2    2    2    2    2    2
        transparent    2    2    2    2    2    2    2    2
        owner         P2   P1   P2   P1   P2   P1   P2   P1
        hole          16   15   14   13   12   11   10    9

        player 1: 0   player 2: 0
        player 1 to move

        legal moves  32, such as 1R
        position     2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2,2.2.2/0-0/1
        ");
    }

    #[test]
    fn what_there_is_not_is_told_what_there_is() {
        let wrong = |text: &str| show(&text.parse().unwrap(), 80).unwrap_err().message;
        insta::assert_snapshot!(wrong("chess"), @r#"there is no game "chess"; there is coloured-awale"#);
        insta::assert_snapshot!(wrong("coloured-awale,both_40=maybe"), @r#"both_40 is score, draw or off, not "maybe""#);
    }
}
