//! `pitmaster simulate`: compares games by playing two house bots in process.

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

The players run in process. A pair is two games with sides swapped. Repeated pairs count once.
There is no clock, so the same seed gives the same result on any number of threads.";

/// Compares games by playing two house bots: first-move advantage, length, branching
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(super) struct Args {
    /// Player A: a house bot, with or without the prefix `house:`
    #[arg(value_parser = player, value_name = "PLAYER A")]
    a: PlayerSpec,
    /// Player B
    #[arg(value_parser = player, value_name = "PLAYER B")]
    b: PlayerSpec,
    /// Game, as a name, a file or a pattern such as `weg::*`; may be repeated
    /// [default: coloured-awale]
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// File with one game per line
    #[arg(long, value_name = "FILE")]
    game_list: Option<PathBuf>,
    /// Number of pairs per game
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pairs: u32,
    /// Ply limit, after which the position is adjudicated
    #[arg(long, value_name = "N", default_value_t = 400,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    plies: u32,
    /// Number of random plies at the start of each pair, the same in both games
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=1000))]
    random_plies: u32,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Also write the table as CSV; `-` prints CSV instead of the table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// Long help, with the CSV columns.
fn long_help() -> String {
    let column = |(name, meaning): &(&str, &str)| format!("\n  {name:<16}{meaning}");
    let columns: String = SIMULATION_COLUMNS.iter().map(column).collect();
    format!("{EXAMPLES}\n\nCSV columns:{columns}")
}

fn player(text: &str) -> Result<PlayerSpec, String> {
    let name = text.strip_prefix(PREFIX).unwrap_or(text);
    let player: PlayerSpec =
        name.parse().map_err(|fault| format!("{fault}; only house bots play in process"))?;
    if player.threads() > 1 {
        return Err("a player with threads is not deterministic, and games already run in \
                    parallel; leave threads out"
            .into());
    }
    if player.is_endless() {
        let bound = if player.algorithm == Algorithm::Expert { "nodes=10000" } else { "depth=8" };
        let name = player.algorithm.name();
        return Err(format!("without a clock it might search forever; try {name},{bound}"));
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
        say("some pairs repeat others; try --random-plies 2 for more variety");
    }
    Ok(Exit::Done)
}

const BAR: &str = "{bar:30} {pos}/{len} pairs · {per_sec} · about {eta} left";

impl Args {
    /// Resolves both players for every game before any is played, and reports all errors.
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

/// Requested game with the player settings of its file.
#[derive(Debug, PartialEq)]
struct Listed {
    spec: GameSpec,
    player: Option<file::Player>,
}

impl Listed {
    /// Resolves a player for this game.
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

/// Parameters of a two-row game. Other games have their options in the name.
fn parameters(game: &GameSpec) -> String {
    let Ok(named) = named::look_up(game) else { return String::new() };
    let options = params::options(&named.params).into_iter();
    options.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(",")
}

/// Output of the table: as text, as CSV instead, or both.
enum Target {
    Terminal,
    Csv,
    File(File, PathBuf),
}

impl Target {
    /// Opens the file before any game is played, so that no games are wasted.
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

/// All requested games without duplicates, in the order given.
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
            return Err(Failure::wrong(format!("{} lists no games", path.display())));
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

/// The game with this name, or all games that match a pattern.
fn like(text: &str) -> Result<Vec<Listed>, Failure> {
    if !text.contains(['*', '?', '[']) {
        let spec = text.parse::<GameSpec>().map_err(Failure::wrong)?;
        let NamedGame { game, player } = game::find(&spec, &Watcher::people())?;
        return Ok(vec![Listed { spec: game.spec().parse().map_err(Failure::wrong)?, player }]);
    }
    let pattern = glob::Pattern::new(text)
        .map_err(|error| Failure::wrong(format!("invalid pattern {text:?}: {}", error.msg)))?;
    let games = games::names().filter(|name| *name != named::ANY).map(str::to_owned);
    let mut names: Vec<_> = games.chain(named::variants()).collect();
    names.sort_unstable();
    let found: Vec<_> = names.iter().filter(|name| matches(&pattern, name)).collect();
    if found.is_empty() {
        let message = format!("no game matches {text:?}; `pitmaster games` lists all");
        return Err(Failure::wrong(message));
    }
    let listed = |name: &String| Listed { spec: GameSpec::plain(name), player: None };
    Ok(found.into_iter().map(listed).collect())
}

/// Whether a name matches. A game is its own first variant, so that `weg::*` includes it.
fn matches(pattern: &glob::Pattern, name: &str) -> bool {
    pattern.matches(name) || !name.contains("::") && pattern.matches(&format!("{name}::{name}"))
}
