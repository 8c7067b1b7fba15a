//! `pitmaster help`: help on commands, the bot protocol and the tournament file.

use std::fmt::Write as _;
use std::io::Write;

use clap::CommandFactory as _;
use pitmaster_core::diagnostics::did_you_mean;
use pitmaster_core::i18n::{Lang, wrap};
use pitmaster_tournament::{KEYS, Key};

use super::lang::LangFlag;
use super::{Cli, Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster help                   list all commands
  pitmaster help run               help on one command
  pitmaster help protocol          the bot protocol: how to write a bot
  pitmaster help protocol --lang fr
  pitmaster help tournament        all keys of a tournament file";

/// Protocol between bots and the referee.
const PROTOCOL: &str = include_str!("../../protocol.md");
/// The same in French.
const PROTOCOL_IN_FRENCH: &str = include_str!("../../docs/fr/protocole.md");
/// Complete tournament file.
const DEMO: &str = include_str!("../../tournaments/demo.toml");

/// Help topics other than commands.
const TOPICS: [&str; 2] = ["protocol", "tournament"];

/// Shows help on a command, the bot protocol or the tournament file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Command, `protocol` or `tournament`
    topic: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    out.write_all(text(args.topic.as_deref(), args.lang.lang(), terminal_width())?.as_bytes())?;
    Ok(Exit::Done)
}

/// Text of a topic. Only the protocol is translated.
fn text(topic: Option<&str>, lang: Lang, width: usize) -> Result<String, Failure> {
    match topic {
        Some("protocol") => Ok(match lang {
            Lang::English => PROTOCOL.to_owned(),
            Lang::French => PROTOCOL_IN_FRENCH.to_owned(),
        }),
        Some("tournament") => Ok(tournament(width)),
        _ => command(topic, width),
    }
}

/// Long help of the program or of one command.
fn command(name: Option<&str>, width: usize) -> Result<String, Failure> {
    let mut program = Cli::command().term_width(width);
    program.build();
    let Some(name) = name else { return Ok(program.render_long_help().to_string()) };
    let known: Vec<_> = program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .map(|command| command.get_name().to_owned())
        .chain(TOPICS.map(str::to_owned))
        .collect();
    match program.find_subcommand_mut(name) {
        Some(command) if known.iter().any(|known| known == name) => {
            Ok(command.render_long_help().to_string())
        }
        _ => Err(unknown(name, &known)),
    }
}

fn unknown(topic: &str, known: &[String]) -> Failure {
    let meant = did_you_mean(topic, known.iter().map(String::as_str));
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean {meant}?"));
    Failure::wrong(format!("no help on {topic:?}{meant}\navailable topics: {}", known.join(", ")))
}

/// All keys of a tournament file by section, followed by a complete file.
fn tournament(width: usize) -> String {
    let mut text = String::from("A tournament file is TOML with these keys.\n");
    let mut section = None;
    for key in KEYS {
        if section != Some(key.section) {
            section = Some(key.section);
            let _ = writeln!(text, "\n{}", title(key.section));
        }
        push_key(&mut text, key, width);
    }
    let _ = write!(
        text,
        "\nOptions of a game are further keys in [game]; `pitmaster games show` lists them.\n\n\
         Complete example:\n\n{DEMO}"
    );
    text
}

fn title(section: &str) -> String {
    match section {
        "" => "before all sections".into(),
        "bot" => "[[bot]], repeatable".into(),
        "stage" => "[[stage]], repeatable; replaces the stage keys of [format]".into(),
        section => format!("[{section}]"),
    }
}

fn push_key(text: &mut String, key: &Key, width: usize) {
    let Key { name, form, about, .. } = key;
    let default = key.default.map_or(String::new(), |default| format!(" [default: {default}]"));
    let _ = writeln!(text, "  {name:<11} {form}{default}");
    for line in wrap(about, width.saturating_sub(14)) {
        let _ = writeln!(text, "{:14}{line}", "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(topic: &str) -> String {
        text(Some(topic), Lang::English, 80).unwrap()
    }

    #[test]
    fn the_protocol_is_there_in_french() {
        let french = text(Some("protocol"), Lang::French, 80).unwrap();
        assert!(french.starts_with("# Le protocole\n"));
        assert!(shown("protocol").starts_with("# The protocol\n"));
    }

    #[test]
    fn every_command_has_examples() {
        let mut program = Cli::command();
        program.build();
        for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
            let help = shown(command.get_name());
            assert!(help.contains("\nExamples:\n  pitmaster "), "{help}");
            assert!(help.contains(&format!("Usage: pitmaster {}", command.get_name())), "{help}");
        }
    }

    #[test]
    fn every_key_is_in_the_help() {
        let help = shown("tournament");
        for key in KEYS {
            assert!(help.contains(&format!("  {} ", key.name)), "{key:?}");
            assert!(key.default.is_none_or(|default| help.contains(default)), "{key:?}");
        }
        assert!(help.lines().all(|line| line.len() <= 120), "{help}");
    }

    #[test]
    fn the_file_in_the_help_is_a_tournament() {
        assert!(pitmaster_tournament::read(DEMO).is_ok());
    }

    #[test]
    fn the_first_keys() {
        let help = shown("tournament");
        let (first, _) = help.split_once("[format]").unwrap();
        insta::assert_snapshot!(first, @r#"
        A tournament file is TOML with these keys.

        before all sections
          version     1
                      version of the file format; required
          title       a text [default: ""]
                      shown above the standings
          seed        0 or more [default: 1]
                      seed of all random choices
          seed_commitment 64 hexadecimal digits
                      hash of the seed that was published before the tournament, from
                      `pitmaster seed new`; the seed must match

        [game]
          name        a game, or a path
                      the game: kalah, weg::weg_10_4, ./my-game.toml; its options are
                      further keys of this section

        [clock]
          per_move    a duration or "off" [default: "1s"]
                      limit on a move
          first_move  a duration or "off" [default: "5s"]
                      limit on a bot's first move if its process had no handshake;
                      unless set, at least per_move, and off if per_move is off
          start_up    a duration [default: "10s"]
                      limit on each answer to a greeting or a new game
          per_game    a duration or "off" [default: "3m30s"]
                      limit on the wall-clock time of a game; then the score decides
          plies       a number or "off" [default: 400]
                      limit on the plies of a game; then the score decides
          margin      a duration [default: "10ms"]
                      grace period added to the move limit
          bank        a duration or "off" [default: "off"]
                      time account of each side; a side whose account is empty loses
          increment   a duration [default: "0s"]
                      added to the bank after each move
          starved_replays 0 to 100 [default: 3]
                      most replays of a game in which a bot was late only because other
                      programs used its core (starved); then the game counts
        "#);
    }

    #[test]
    fn what_there_is_no_help_for() {
        // Commands missing in a build without features.
        let more = ", worker, cluster";
        let wrong =
            |topic| text(Some(topic), Lang::English, 80).unwrap_err().message.replace(more, "");
        insta::assert_snapshot!(wrong("tournment"), @r#"
        no help on "tournment"; did you mean tournament?
        available topics: run, plan, match, check, intake, grade, twins, forget, standings, report, merge, verify, void, log, seed, new, play, replay, analyze, export, debug, doctor, games, simulate, sprt, perft, tables, bot, completions, man, serve, course, join, login, push, lost, help, protocol, tournament
        "#);
        insta::assert_snapshot!(wrong("guard"), @r#"
        no help on "guard"
        available topics: run, plan, match, check, intake, grade, twins, forget, standings, report, merge, verify, void, log, seed, new, play, replay, analyze, export, debug, doctor, games, simulate, sprt, perft, tables, bot, completions, man, serve, course, join, login, push, lost, help, protocol, tournament
        "#);
    }
}
