//! `pitmaster bot`: runs a house bot as a process, for this referee or another.

use std::env;
use std::io::{self, BufReader, IsTerminal as _, Write};
use std::time::{Duration, Instant};

use pitmaster_bots::house::{self, BareGame, ServeError, Talk, Times};
use pitmaster_core::i18n::wrap;
use pitmaster_core::{Dialect, Seed, Side};
use pitmaster_players::{Algorithm, PREFIX, PlayerSpec};
use pitmaster_session::house as house_bots;

use super::progress::say;
use super::{Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster bot --list                     list the house bots
  pitmaster bot greedy                     dialect pitmaster, any game
  pitmaster bot greedy 1 --dialect arena   player 1 of a game of coloured Awale, bare moves
  pitmaster bot greedy JoueurB --dialect course
  pitmaster match house:greedy mine.py     Pitmaster starts the process itself

The bot reads standard input and writes standard output, as described by `pitmaster help protocol`.
In the dialects arena and course, other settings come from its arguments, or from PITMASTER_PLAYER,
PITMASTER_SEED, PITMASTER_MOVE_MS and PITMASTER_GAME_MS.";

/// Runs a house bot as a process for a referee
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// House bot with options: NAME or NAME,OPTION=VALUE,…
    #[arg(value_parser = spec, required_unless_present = "list")]
    spec: Option<PlayerSpec>,
    /// Player number in arena and course: 1, 2, JoueurA or JoueurB
    #[arg(value_name = "PLAYER", value_parser = side)]
    seat: Option<Side>,
    /// Same as the argument PLAYER
    #[arg(long, value_name = "PLAYER", value_parser = side, conflicts_with = "seat")]
    player: Option<Side>,
    /// Dialect: pitmaster, arena or course
    #[arg(long, default_value_t = Dialect::Pitmaster)]
    dialect: Dialect,
    /// Game with options, in arena and course
    #[arg(long, default_value = "coloured-awale")]
    game: String,
    /// List the house bots
    #[arg(long, conflicts_with = "spec")]
    list: bool,
}

/// Parses a house bot, with or without the prefix `house:`.
fn spec(text: &str) -> Result<PlayerSpec, String> {
    house_bots::player(text.strip_prefix(PREFIX).unwrap_or(text))
}

fn side(text: &str) -> Result<Side, String> {
    match text.trim_start_matches("Joueur") {
        "1" | "A" => Ok(Side::One),
        "2" | "B" => Ok(Side::Two),
        _ => Err("expected 1, 2, JoueurA or JoueurB".into()),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let began = Instant::now();
    let Some(spec) = args.spec.as_ref().filter(|_| !args.list) else { return list(out) };
    house::be_called("house bot");
    if spec.threads() > 1 {
        house::take_all_cores();
    }
    let talk = match args.dialect {
        Dialect::Pitmaster => Talk::pitmaster(spec.clone()),
        Dialect::Arena | Dialect::Course => {
            Talk::bare(bare_game(args, began)?, spec).map_err(Failure::wrong)?
        }
    };
    if io::stdin().is_terminal() {
        say(&hint(args.dialect));
    }
    let mut input = BufReader::with_capacity(64 * 1024, io::stdin().lock());
    match house::serve(talk, &mut input, out) {
        Ok(()) => Ok(Exit::Done),
        Err(ServeError::Talk(fault)) => Err(Failure::wrong(fault)),
        Err(ServeError::Pipes(error)) => Err(error.into()),
    }
}

/// Indentation of the list's second column.
const INDENT: usize = 23;

fn list(out: &mut dyn Write) -> Outcome {
    for algorithm in Algorithm::ALL {
        let name = format!("{PREFIX}{}", algorithm.name());
        writeln!(out, "{name:<INDENT$}{}", algorithm.about())?;
        let options = algorithm.options();
        if !options.is_empty() {
            let options = format!("options {}", options.join(", "));
            for line in wrap(&options, terminal_width().saturating_sub(INDENT)) {
                writeln!(out, "{:<INDENT$}{line}", "")?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Settings that these dialects do not send, from the arguments or the environment.
fn bare_game(args: &Args, began: Instant) -> Result<BareGame, Failure> {
    let variable = |name: &str| env::var(name).ok();
    let by_environment = || variable("PITMASTER_PLAYER").and_then(|text| side(&text).ok());
    let side = args.player.or(args.seat).or_else(by_environment).ok_or_else(|| {
        let dialect = args.dialect;
        Failure::wrong(format!("dialect {dialect} requires the player number; add 1 or 2"))
    })?;
    let number = |name: &str| variable(name).and_then(|text| text.parse::<u64>().ok());
    let limit = |name| number(name).filter(|&ms| ms > 0).map(Duration::from_millis);
    Ok(BareGame {
        dialect: args.dialect,
        game: args.game.clone(),
        side,
        seed: Seed(number("PITMASTER_SEED").unwrap_or(0)),
        times: Times { per_move: limit("PITMASTER_MOVE_MS"), per_game: limit("PITMASTER_GAME_MS") },
        began,
    })
}

/// Hint for people who start it by hand.
fn hint(dialect: Dialect) -> String {
    let how = match dialect {
        Dialect::Pitmaster => {
            "send the lines \"pitmaster 1\", \"game kalah\", \"newgame\" and \"go\""
        }
        Dialect::Arena | Dialect::Course => {
            "send START to player 1, or a move such as 1R to player 2"
        }
    };
    format!(
        "this bot waits for a referee on standard input: {how}, and end with Ctrl-D; `pitmaster \
         help protocol` describes the protocol, `pitmaster play` shows a game"
    )
}
