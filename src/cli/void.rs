//! `pitmaster void`: voids games of a bad machine, with damaged records, or named by game, pair or
//! bot, so that they can be replayed.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::{BotName, GameId, Untrusted};
use pitmaster_session as session;
use pitmaster_store::{Damage, Reader, Selection};

use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, lang, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster standings results/cup --workers     list the machines; is one suspect?
  pitmaster void results/cup --worker pc-7 --dry-run
  pitmaster void results/cup --worker pc-7 --reason 'was swapping all night'
  pitmaster void results/cup --damaged          records that do not match their checksums
  pitmaster void results/cup --game 84324d53cba3489f --reason 'power failure'
  pitmaster void results/cup --pair 84324d53cba3489f --reason 'appeal of 3 May'
  pitmaster void results/cup --bot ana --reason 'its GPU was busy' --dry-run

Nothing is deleted: void games stay in tournament.db with the reason. They no longer count, and the
next `pitmaster run` of the tournament replays only them.";

/// Voids games of a machine, a bot or a pair, single games, or games with damaged records
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder
    results: PathBuf,
    /// Void the games of this machine, as named by `standings --workers`
    #[arg(long, value_name = "NAME",
          required_unless_present_any = ["game", "pair", "bot", "damaged"])]
    worker: Option<String>,
    /// Void this game, as named in games.csv
    #[arg(long, value_name = "ID", conflicts_with = "worker")]
    game: Option<GameId>,
    /// Void both games of the pair that this game belongs to
    #[arg(long, value_name = "ID", conflicts_with_all = ["worker", "game"])]
    pair: Option<GameId>,
    /// Void all games of this bot
    #[arg(long, value_name = "NAME", conflicts_with_all = ["worker", "game", "pair"])]
    bot: Option<BotName>,
    /// Void games whose records do not match their checksums
    #[arg(long, conflicts_with_all = ["worker", "game", "pair", "bot"])]
    damaged: bool,
    /// Reason, stored with the games
    #[arg(long, value_name = "TEXT", required_unless_present_any = ["dry_run", "damaged"],
          value_parser = reason)]
    reason: Option<String>,
    /// Only print how many games would be voided
    #[arg(long)]
    dry_run: bool,
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the reason must not be empty".into());
    }
    Ok(text.to_owned())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match (&args.worker, selection(args)) {
        (Some(worker), _) => void_worker(args, worker, out),
        (None, Some(games)) => void_games(args, &games, out),
        (None, None) => void_damaged(args, out),
    }
}

/// Games named one by one, by pair or by bot.
fn selection(Args { game, pair, bot, .. }: &Args) -> Option<Selection> {
    let game = game.clone().map(Selection::Game);
    let pair = || pair.clone().map(Selection::Pair);
    game.or_else(pair).or_else(|| bot.clone().map(Selection::Bot))
}

fn void_games(args: &Args, games: &Selection, out: &mut dyn Write) -> Outcome {
    let (folder, reader) = (shown_path(&args.results), Reader::open(&args.results)?);
    let (count, all) = (reader.valid_of(games)?.len(), reader.valid_ids()?.len());
    if count == 0 {
        return Err(Failure::wrong(match games {
            Selection::Game(id) => format!("{folder} has no valid game {id}; games.csv lists all"),
            Selection::Pair(id) => {
                format!("{folder} has no valid game of the pair of {id}; games.csv lists all")
            }
            Selection::Bot(name) => {
                format!(
                    "{name} has played no valid game in {folder}; leaderboard.csv lists all bots"
                )
            }
        }));
    }
    let of = match games {
        Selection::Game(id) => format!("game {id}"),
        Selection::Pair(id) => format!("the pair of {id}"),
        Selection::Bot(name) => format!("all games of {name}"),
    };
    let Some(reason) = args.reason.as_ref().filter(|_| !args.dry_run) else {
        writeln!(out, "would void {count} of {all} games: {of}")?;
        return Ok(Exit::Done);
    };
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_games(&args.results, games, reason, lang, &watcher)?;
    writeln!(out, "voided {count} of {all} games: {of}; their records are kept")?;
    writeln!(out, "To replay them, repeat the command that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

fn void_worker(args: &Args, worker: &str, out: &mut dyn Write) -> Outcome {
    let folder = shown_path(&args.results);
    let hosts = Hosts::read(&args.results)?;
    let games = hosts.games_of(worker).ok_or_else(|| {
        let (worker, there) = (shown(worker), format!("its machines are {hosts}"));
        let there = if hosts.0.is_empty() { "no game is valid there".to_owned() } else { there };
        Failure::wrong(format!("{worker} has played no valid game in {folder}; {there}"))
    })?;
    let (name, worker, all) = (worker, shown(worker), hosts.games());
    let Some(reason) = args.reason.as_ref().filter(|_| !args.dry_run) else {
        writeln!(out, "would void {games} of {all} games, played by {worker}")?;
        return Ok(Exit::Done);
    };
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_worker(&args.results, name, reason, lang, &watcher)?;
    writeln!(out, "voided {games} of {all} games, played by {worker}; their records are kept")?;
    writeln!(out, "To replay them, repeat the command that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

fn void_damaged(args: &Args, out: &mut dyn Write) -> Outcome {
    let damaged = Reader::open(&args.results)?.damaged()?;
    for Damage { game, .. } in &damaged {
        writeln!(out, "game {game}: the record does not match its checksum")?;
    }
    let count = match damaged.len() {
        0 => {
            writeln!(out, "all records match their checksums")?;
            return Ok(Exit::Done);
        }
        1 => "1 damaged record".to_owned(),
        count => format!("{count} damaged records"),
    };
    if args.dry_run {
        writeln!(out, "would void {count}")?;
        return Ok(Exit::Done);
    }
    let reason = args.reason.as_deref().unwrap_or("its record was damaged");
    let (lang, watcher) = (lang::of_environment(), Watcher::people());
    let summary = session::void_damaged(&args.results, reason, lang, &watcher)?;
    writeln!(out, "voided {count}; the stored data is kept")?;
    writeln!(out, "To replay them, repeat the command that played them\n")?;
    write!(out, "{}", summary.table(terminal_width()))?;
    Ok(Exit::Done)
}

/// Escapes a machine's name, which is untrusted.
fn shown(worker: &str) -> String {
    Untrusted::new(worker).shown(80)
}

/// Machines with their numbers of valid games.
struct Hosts(Vec<(String, u64)>);

impl Hosts {
    fn read(folder: &Path) -> Result<Self, Failure> {
        Ok(Self(Reader::open(folder)?.hosts_of_valid()?))
    }

    fn games_of(&self, worker: &str) -> Option<u64> {
        self.0.iter().find(|(host, _)| host == worker).map(|(_, games)| *games)
    }

    fn games(&self) -> u64 {
        self.0.iter().map(|(_, games)| games).sum()
    }
}

/// `pc-1 (120 games), pc-7 (80 games)`.
impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.0.iter().map(|(host, games)| format!("{} ({games} games)", shown(host)));
        f.write_str(&hosts.collect::<Vec<_>>().join(", "))
    }
}
