//! The commands: one file each, flags beside what they do.

mod bot;
mod check;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod cluster_flags;
mod contest;
mod cores;
mod debug;
mod doctor;
mod errors;
mod exit;
mod export;
mod fit;
mod games;
mod help;
mod ink;
mod integrity;
mod isolation;
mod lang;
mod matches;
mod merge;
mod new;
mod pace;
mod perft;
mod plan;
mod play;
mod progress;
#[cfg(feature = "cluster")]
mod remote;
mod replay;
mod report;
mod run;
mod simulate;
mod sprt;
mod standings;
mod telling;
mod until;
mod void;
mod watcher;
#[cfg(feature = "cluster")]
mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use exit::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster new python my-bot                  a bot of your own to begin with
  pitmaster run tournaments/demo.toml          play a tournament, or go on with it
  pitmaster plan tournaments/demo.toml         games and time, before it is played
  pitmaster match bots/random-c bots/greedy-c  two bots, ten pairs
  pitmaster play bots/greedy-c house:random    one game, move by move
  pitmaster play human house:greedy            play yourself
  pitmaster check mine                         before handing in: what is wrong with a bot
  pitmaster standings results/demo             the table as it stands
  pitmaster merge results/cup part-1 part-2    shares that were played apart, joined
  pitmaster doctor                             what this machine promises about bots
  pitmaster help protocol                      how to write a bot

Exit codes: 0 done, 1 findings, 2 wrong command or file, 3 a promise is missing on this machine,
4 stopped and can be resumed, 5 Pitmaster's own fault, 130 interrupted";

/// Pits bots against each other at mancala games, and ranks them.
#[derive(Debug, Parser)]
#[command(
    name = "pitmaster",
    version,
    after_help = EXAMPLES,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Plan(plan::Args),
    Match(matches::Args),
    Check(check::Args),
    Standings(standings::Args),
    Report(report::Args),
    Merge(merge::Args),
    Verify(integrity::Args),
    Void(void::Args),
    New(new::Args),
    Play(play::Args),
    Replay(replay::Args),
    Export(export::Args),
    Debug(debug::Args),
    Doctor(doctor::Args),
    Games(games::Args),
    Simulate(simulate::Args),
    Sprt(sprt::Args),
    Perft(perft::Args),
    Bot(bot::Args),
    #[cfg(feature = "cluster")]
    Worker(worker::Args),
    #[cfg(feature = "cluster")]
    Cluster(cluster::Args),
    Help(help::Args),
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Outcome {
        match self {
            Self::Run(args) => run::run(&args, out),
            Self::Plan(args) => plan::run(&args, out),
            Self::Match(args) => matches::run(&args, out),
            Self::Check(args) => check::run(&args, out),
            Self::Standings(args) => standings::run(&args, out),
            Self::Report(args) => report::run(&args, out),
            Self::Merge(args) => merge::run(&args, out),
            Self::Verify(args) => integrity::run(&args, out),
            Self::Void(args) => void::run(&args, out),
            Self::New(args) => new::run(&args, out),
            Self::Play(args) => play::run(&args, out),
            Self::Replay(args) => replay::run(&args, out),
            Self::Export(args) => export::run(&args, out),
            Self::Debug(args) => debug::run(&args, out),
            Self::Doctor(args) => doctor::run(&args, out),
            Self::Games(args) => games::run(&args, out),
            Self::Simulate(args) => simulate::run(&args, out),
            Self::Sprt(args) => sprt::run(&args, out),
            Self::Perft(args) => perft::run(&args, out),
            Self::Bot(args) => bot::run(&args, out),
            #[cfg(feature = "cluster")]
            Self::Worker(args) => worker::run(&args, out),
            #[cfg(feature = "cluster")]
            Self::Cluster(args) => cluster::run(&args, out),
            Self::Help(args) => help::run(&args, out),
        }
    }
}

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    pitmaster_sandbox::outlive_full_files();
    if let Some(exit) = pitmaster_session::run_helper() {
        return exit;
    }
    let cli = Cli::parse();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let outcome = cli.command.run(&mut out);
    // Before anything is said of a failure, so that the two stand in the order of events.
    let flushed = out.flush();
    exit::finish(outcome.and_then(|exit| Ok(flushed.map(|()| exit)?)))
}

/// Columns of the terminal, or what a page holds where there is none.
fn terminal_width() -> usize {
    match rustix::termios::tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 20 => size.ws_col.into(),
        _ => 100,
    }
}
