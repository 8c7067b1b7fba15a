//! Command line: one module per command, with its flags.

mod analyze;
mod bot;
mod check;
mod class;
#[cfg(feature = "cluster")]
mod cluster;
#[cfg(feature = "cluster")]
mod cluster_flags;
mod completions;
mod contest;
mod cores;
#[cfg(feature = "server")]
mod course;
mod debug;
mod doctor;
mod exit;
mod export;
mod features;
mod forget;
mod game_text;
mod games;
mod grade;
mod help;
mod intake;
mod isolation;
#[cfg(feature = "server")]
mod join;
mod lang;
mod log;
#[cfg(feature = "server")]
mod login;
#[cfg(feature = "server")]
mod lost;
mod man;
mod matches;
mod merge;
mod new;
mod pace;
mod perft;
mod plan;
mod play;
mod progress;
#[cfg(feature = "server")]
mod push;
mod rating_flags;
#[cfg(feature = "cluster")]
mod remote;
mod replay;
mod report;
mod run;
#[cfg(feature = "server")]
mod secret_line;
mod seed;
#[cfg(feature = "server")]
mod serve;
mod simulate;
mod sprt;
mod standings;
mod stderr_tail;
mod style;
mod tables;
mod twins;
mod until;
mod verify;
mod version;
mod void;
mod watcher;
#[cfg(feature = "cluster")]
mod worker;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

pub use exit::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster new python my-bot                  create a bot from a template
  pitmaster run tournaments/demo.toml          play or resume a tournament
  pitmaster plan tournaments/demo.toml         estimate its duration and precision
  pitmaster match bots/random-c bots/greedy-c  play ten pairs of games between two bots
  pitmaster play bots/greedy-c house:random    watch one game, move by move
  pitmaster play human house:greedy            play against a house bot
  pitmaster check mine                         check a bot before submitting it
  pitmaster standings results/demo             show the current standings
  pitmaster merge results/cup part-1 part-2    merge shares that were played separately
  pitmaster serve my-school                    a practice server for a course
  pitmaster push mine --wait                   hand a bot in to a practice server
  pitmaster doctor                             report the guarantees of this machine
  pitmaster help protocol                      how to write a bot

Exit codes: 0 done, 1 findings, 2 invalid command or file, 3 a guarantee is missing on this machine,
4 stopped and can be resumed, 5 internal error, 130 interrupted";

/// Runs bot tournaments for mancala games and ranks the bots.
#[derive(Debug, Parser)]
#[command(
    name = "pitmaster",
    version,
    after_help = EXAMPLES,
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    disable_version_flag = true,
    max_term_width = 100
)]
struct Cli {
    #[command(flatten)]
    version: version::Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Args),
    Plan(plan::Args),
    Match(matches::Args),
    Check(check::Args),
    Intake(intake::Args),
    Grade(grade::Args),
    Twins(twins::Args),
    Forget(forget::Args),
    Standings(standings::Args),
    Report(report::Args),
    Merge(merge::Args),
    Verify(verify::Args),
    Void(void::Args),
    Log(log::Args),
    Seed(seed::Args),
    New(new::Args),
    Play(play::Args),
    Replay(replay::Args),
    Analyze(analyze::Args),
    Export(export::Args),
    Debug(debug::Args),
    Doctor(doctor::Args),
    Games(games::Args),
    Simulate(simulate::Args),
    Sprt(sprt::Args),
    Perft(perft::Args),
    Tables(tables::Args),
    Bot(bot::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "server")]
    Serve(serve::Args),
    #[cfg(feature = "server")]
    Course(course::Args),
    #[cfg(feature = "server")]
    Join(join::Args),
    #[cfg(feature = "server")]
    Login(login::Args),
    #[cfg(feature = "server")]
    Push(push::Args),
    #[cfg(feature = "server")]
    Lost(lost::Args),
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
            Self::Intake(args) => intake::run(&args, out),
            Self::Grade(args) => grade::run(&args, out),
            Self::Twins(args) => twins::run(&args, out),
            Self::Forget(args) => forget::run(&args, out),
            Self::Standings(args) => standings::run(&args, out),
            Self::Report(args) => report::run(&args, out),
            Self::Merge(args) => merge::run(&args, out),
            Self::Verify(args) => verify::run(&args, out),
            Self::Void(args) => void::run(&args, out),
            Self::Log(args) => log::run(&args, out),
            Self::Seed(args) => seed::run(&args, out),
            Self::New(args) => new::run(&args, out),
            Self::Play(args) => play::run(&args, out),
            Self::Replay(args) => replay::run(&args, out),
            Self::Analyze(args) => analyze::run(&args, out),
            Self::Export(args) => export::run(&args, out),
            Self::Debug(args) => debug::run(&args, out),
            Self::Doctor(args) => doctor::run(&args, out),
            Self::Games(args) => games::run(&args, out),
            Self::Simulate(args) => simulate::run(&args, out),
            Self::Sprt(args) => sprt::run(&args, out),
            Self::Perft(args) => perft::run(&args, out),
            Self::Tables(args) => tables::run(&args, out),
            Self::Bot(args) => bot::run(&args, out),
            Self::Completions(args) => completions::run(&args, out),
            Self::Man(args) => man::run(&args, out),
            #[cfg(feature = "server")]
            Self::Serve(args) => serve::run(&args, out),
            #[cfg(feature = "server")]
            Self::Course(args) => course::run(&args, out),
            #[cfg(feature = "server")]
            Self::Join(args) => join::run(&args, out),
            #[cfg(feature = "server")]
            Self::Login(args) => login::run(&args, out),
            #[cfg(feature = "server")]
            Self::Push(args) => push::run(&args, out),
            #[cfg(feature = "server")]
            Self::Lost(args) => lost::run(&args, out),
            #[cfg(feature = "cluster")]
            Self::Worker(args) => worker::run(&args, out),
            #[cfg(feature = "cluster")]
            Self::Cluster(args) => cluster::run(&args, out),
            Self::Help(args) => help::run(&args, out),
        }
    }
}

/// Parses and runs the command line of this process.
pub fn main() -> ExitCode {
    pitmaster_sandbox::outlive_full_files();
    if let Some(exit) = pitmaster_session::run_helper() {
        return exit;
    }
    completions::complete(Cli::command);
    let cli = Cli::try_parse().unwrap_or_else(|error| features::explained(error).exit());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let outcome = match cli.command {
        Some(command) => command.run(&mut out),
        None => cli.version.run(&mut out),
    };
    // Flushed before a failure is printed, so that output and error appear in order.
    let flushed = out.flush();
    exit::finish(outcome.and_then(|exit| Ok(flushed.map(|()| exit)?)))
}

/// Width of the terminal in columns; 100 without a terminal.
fn terminal_width() -> usize {
    match rustix::termios::tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 20 => size.ws_col.into(),
        _ => 100,
    }
}
