//! `pitmaster simulate`: many games between two house bots, in process, to compare games.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use pitmaster_core::Seed;
use pitmaster_games::two_row::{file, named, params};
use pitmaster_games::{self as games, GameSpec};
use pitmaster_players::{Algorithm, PREFIX, PlayerSpec, Series, build, by_file};
use pitmaster_report::{SIMULATION_COLUMNS, SimulationRow, simulation_csv, simulation_table};
use pitmaster_session::{NamedGame, game};

use super::progress::{bar, say};
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster simulate random random --game kalah --pairs 50000
  pitmaster simulate expert,nodes=1000 preset,level=2 --random-plies 4 --pairs 100
  pitmaster simulate greedy greedy --game 'weg::*' --game oware
  pitmaster simulate greedy greedy --game-list games.txt --csv first-move.csv

A pair is two games with the sides swapped. Pairs that repeat an earlier one count once. There is
no clock: the same seed gives the same result on any number of threads.";

/// Plays many games between two house bots in process, and compares the games
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(super) struct Args {
    /// Player A: a house bot, with or without `house:` in front
    #[arg(value_parser = player, value_name = "PLAYER A")]
    a: PlayerSpec,
    /// Player B
    #[arg(value_parser = player, value_name = "PLAYER B")]
    b: PlayerSpec,
    /// A game by name or as a file, or all whose names are like `weg::*`; may be repeated
    /// [default: coloured-awale]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// A file that names a game in each line
    #[arg(long, value_name = "FILE")]
    game_list: Option<PathBuf>,
    /// How many pairs of each game
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: u32,
    /// After so many plies a game is settled as it stands
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    plies: u32,
    /// So many plies at the beginning of each pair are random, the same in both games
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    random_plies: u32,
    /// All randomness follows from it
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// How many threads play [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Writes the table as CSV too; `-` writes it in place of the drawing
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// The columns of the file, told where they are asked for.
fn long_help() -> String {
    let column = |(name, meaning): &(&str, &str)| format!("\n  {name:<16}{meaning}");
    let columns: String = SIMULATION_COLUMNS.iter().map(column).collect();
    format!("{EXAMPLES}\n\nColumns of the CSV file:{columns}")
}

fn player(text: &str) -> Result<PlayerSpec, String> {
    let name = text.strip_prefix(PREFIX).unwrap_or(text);
    let player: PlayerSpec =
        name.parse().map_err(|fault| format!("{fault}; only house bots play in process"))?;
    if player.threads() > 1 {
        return Err("a player with threads plays otherwise each time, and here many games are \
                    played at once; leave threads out"
            .into());
    }
    if player.is_endless() {
        let bound = if player.algorithm == Algorithm::Expert { "nodes=10000" } else { "depth=8" };
        let name = player.algorithm.name();
        return Err(format!(
            "there is no clock here, and it might search for ever; try {name},{bound}"
        ));
    }
    Ok(player)
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let games = games(args)?;
    let series = args.series(&games)?;
    let target = Target::open(args.csv.as_deref())?;
    let mut pool = rayon::ThreadPoolBuilder::new();
    if let Some(threads) = args.threads {
        pool = pool.num_threads(threads.into());
    }
    let pool = pool.build().map_err(|error| {
        Failure::stopped(format!("cannot start the threads: {error}; try fewer with --threads"))
    })?;
    let bar = bar(false, u64::from(args.pairs) * games.len() as u64, BAR);
    let rows: Result<Vec<_>, _> =
        series.iter().map(|series| pool.install(|| row(series, &bar))).collect();
    bar.finish_and_clear();
    let rows = rows?;
    target.write(&rows, out)?;
    if rows.iter().any(|row| row.tally.distinct < row.tally.pairs) {
        say("some pairs repeat others; --random-plies 2 makes them differ");
    }
    Ok(Exit::Done)
}

const BAR: &str = "{bar:30} {pos}/{len} pairs · {per_sec} · about {eta} left";

impl Args {
    /// Both players in every game, before any is played; all that is wrong is told.
    fn series(&self, games: &[Listed]) -> Result<Vec<Series>, Failure> {
        let (mut series, mut faults) = (Vec::new(), Vec::new());
        for game in games {
            let seated = [&self.a, &self.b].map(|player| game.seated(player));
            match seated {
                [Ok(a), Ok(b)] => series.push(self.series_of(&game.spec, [a, b])),
                _ => faults.extend(seated.into_iter().filter_map(Result::err)),
            }
        }
        faults.dedup();
        if faults.is_empty() { Ok(series) } else { Err(Failure::wrong(faults.join("\n"))) }
    }

    fn series_of(&self, game: &GameSpec, players: [PlayerSpec; 2]) -> Series {
        Series {
            game: game.clone(),
            players,
            pairs: self.pairs,
            plies: self.plies,
            random_plies: self.random_plies,
            seed: Seed(self.seed),
        }
    }
}

/// A game that is to be played, with how its own file plays it.
#[derive(Debug, PartialEq)]
struct Listed {
    spec: GameSpec,
    player: Option<file::Player>,
}

impl Listed {
    /// A player as it plays this game.
    fn seated(&self, player: &PlayerSpec) -> Result<PlayerSpec, String> {
        let Self { spec, player: file } = self;
        let player = match file {
            Some(file) => by_file(spec, file, player),
            None => Ok(player.clone()),
        };
        let seated = player.and_then(|player| build(spec, &player).map(|_| player));
        seated.map_err(|fault| format!("{spec}: {fault}"))
    }
}

fn row(series: &Series, bar: &indicatif::ProgressBar) -> Result<SimulationRow, Failure> {
    let game = series.game.to_string();
    let tally = series.play(|| bar.inc(1));
    let tally = tally.map_err(|fault| Failure::wrong(format!("{game}: {fault}")))?;
    Ok(SimulationRow { parameters: parameters(&series.game), game, tally })
}

/// What makes a two-row game what it is; of other games the options stand in the name.
fn parameters(game: &GameSpec) -> String {
    let Ok(named) = named::look_up(game) else { return String::new() };
    let options = params::options(&named.params).into_iter();
    options.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

/// Where the table goes: drawn, as CSV in its place, or both.
enum Target {
    Terminal,
    Csv,
    File(File, PathBuf),
}

impl Target {
    /// Opened before anything is played, so that nothing is played in vain.
    fn open(path: Option<&Path>) -> Result<Self, Failure> {
        match path {
            None => Ok(Self::Terminal),
            Some(path) if path == Path::new("-") => Ok(Self::Csv),
            Some(path) => {
                let file = File::create(path).map_err(|error| {
                    let path = path.display();
                    Failure::wrong(format!("cannot write {path} ({error}); check the path"))
                })?;
                Ok(Self::File(file, path.to_owned()))
            }
        }
    }

    fn write(self, rows: &[SimulationRow], out: &mut dyn Write) -> Result<(), Failure> {
        if !matches!(self, Self::Csv) {
            out.write_all(simulation_table(rows, terminal_width()).as_bytes())?;
            out.flush()?;
        }
        match self {
            Self::Terminal => {}
            Self::Csv => simulation_csv(rows, out)?,
            Self::File(file, path) => simulation_csv(rows, file).map_err(|error| {
                Failure::stopped(format!(
                    "cannot write {} ({error}); is the disk full?",
                    path.display()
                ))
            })?,
        }
        Ok(())
    }
}

/// All games that are asked for, each once, in the order they were named in.
fn games(args: &Args) -> Result<Vec<Listed>, Failure> {
    let mut asked = args.games.clone();
    if let Some(path) = &args.game_list {
        let text = game::text(path);
        let text = text.map_err(|fault| Failure::wrong(format!("{}: {fault}", path.display())))?;
        let lines = text.lines().map(str::trim);
        asked.extend(
            lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned),
        );
        if asked.is_empty() {
            return Err(Failure::wrong(format!("{} names no game", path.display())));
        }
    }
    if asked.is_empty() {
        asked.push("coloured-awale".into());
    }
    let mut games: Vec<Listed> = Vec::new();
    for text in &asked {
        for game in like(text)? {
            if !games.contains(&game) {
                games.push(game);
            }
        }
    }
    Ok(games)
}

/// The game of that name, or those whose names are like a pattern.
fn like(text: &str) -> Result<Vec<Listed>, Failure> {
    if !text.contains(['*', '?', '[']) {
        let spec = text.parse::<GameSpec>().map_err(Failure::wrong)?;
        let NamedGame { game, player } = game::find(&spec, &Watcher::people())?;
        return Ok(vec![Listed { spec: game.spec().parse().map_err(Failure::wrong)?, player }]);
    }
    let pattern = glob::Pattern::new(text)
        .map_err(|error| Failure::wrong(format!("{text:?} is no pattern: {}", error.msg)))?;
    let games = games::names().filter(|name| *name != named::ANY).map(str::to_owned);
    let mut names: Vec<_> = games.chain(named::variants()).collect();
    names.sort_unstable();
    let found: Vec<_> = names.iter().filter(|name| matches(&pattern, name)).collect();
    if found.is_empty() {
        let message = format!("no game is called like {text:?}; `pitmaster games` lists all");
        return Err(Failure::wrong(message));
    }
    let listed = |name: &String| Listed { spec: GameSpec::plain(name), player: None };
    Ok(found.into_iter().map(listed).collect())
}

/// A game is the first of its own variants: `weg::*` means it too.
fn matches(pattern: &glob::Pattern, name: &str) -> bool {
    pattern.matches(name) || !name.contains("::") && pattern.matches(&format!("{name}::{name}"))
}
