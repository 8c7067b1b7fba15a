//! `pitmaster bot`: a house bot as a process, for this referee or another.

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
  pitmaster bot --list                     the house bots there are
  pitmaster bot greedy                     for Pitmaster's own dialect, any game
  pitmaster bot greedy 1 --dialect arena   player 1 of a game of coloured Awale, bare moves
  pitmaster bot greedy JoueurB --dialect course
  pitmaster match house:greedy mine.py     Pitmaster starts the process by itself

It is spoken to on standard input and answers on standard output, as `pitmaster help protocol`
describes. In arena and course it learns the rest from its arguments, or from PITMASTER_PLAYER,
PITMASTER_SEED, PITMASTER_MOVE_MS and PITMASTER_GAME_MS.";

/// Runs a house bot, to be spoken to by a referee
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The house bot, with options: NAME or NAME,OPTION=VALUE,…
    #[arg(value_parser = spec, required_unless_present = "list")]
    spec: Option<PlayerSpec>,
    /// In arena and course: which player it is, as 1, 2, JoueurA or JoueurB
    #[arg(value_name = "PLAYER", value_parser = side)]
    seat: Option<Side>,
    /// The same
    #[arg(long, value_name = "PLAYER", value_parser = side, conflicts_with = "seat")]
    player: Option<Side>,
    /// What it speaks: pitmaster, arena or course
    #[arg(long, default_value_t = Dialect::Pitmaster)]
    dialect: Dialect,
    /// In arena and course: the game, with options
    #[arg(long, default_value = "coloured-awale")]
    game: String,
    /// List the house bots there are
    #[arg(long, conflicts_with = "spec")]
    list: bool,
}

/// Reads a house bot's name, as it stands on this command line or on others.
fn spec(text: &str) -> Result<PlayerSpec, String> {
    house_bots::player(text.strip_prefix(PREFIX).unwrap_or(text))
}

fn side(text: &str) -> Result<Side, String> {
    match text.trim_start_matches("Joueur") {
        "1" | "A" => Ok(Side::One),
        "2" | "B" => Ok(Side::Two),
        _ => Err("a player is 1, 2, JoueurA or JoueurB".into()),
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

/// Where the list's second column begins.
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

/// What is not told over the wire: by the arguments, or by the environment.
fn bare_game(args: &Args, began: Instant) -> Result<BareGame, Failure> {
    let told = |name: &str| env::var(name).ok();
    let by_environment = || told("PITMASTER_PLAYER").and_then(|text| side(&text).ok());
    let side = args.player.or(args.seat).or_else(by_environment).ok_or_else(|| {
        let dialect = args.dialect;
        Failure::wrong(format!("in {dialect} a bot must know which player it is; add 1 or 2"))
    })?;
    let number = |name: &str| told(name).and_then(|text| text.parse::<u64>().ok());
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

/// For who started it by hand.
fn hint(dialect: Dialect) -> String {
    let how = match dialect {
        Dialect::Pitmaster => {
            "begin with the lines \"pitmaster 1\", \"game kalah\", \"newgame\" and \"go\""
        }
        Dialect::Arena | Dialect::Course => {
            "as player 1 begin with START, as player 2 with a move such as 1R"
        }
    };
    format!(
        "this bot waits for a referee's lines: {how}, end with Ctrl-D, and see `pitmaster help \
         protocol`; `pitmaster play` shows games of it"
    )
}
