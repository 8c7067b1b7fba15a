//! Flags, output and exit code of `run` and `match`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_runner::{Finish, Stopper, Stopping};
use pitmaster_session::results::PAGE;
use pitmaster_session::{self as session, Absentees, Contest, Ended, RunOptions, Summary};
use pitmaster_store::Readers;
use serde_json::json;

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::progress::{Mode, say, say_json};
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, lang, terminal_width};

/// Flags common to `run` and `match`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Flags {
    /// Output folder; each tournament has a results folder inside it
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
    /// Start over in a new results folder instead of resuming the existing one
    #[arg(long)]
    fresh: bool,
    /// Make a new results folder readable by others, as the umask permits [default: owner only]
    #[arg(long)]
    shared: bool,
    /// Games played at once [default: physical cores minus one, at least one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: Option<u16>,
    /// Start no new cycle of pairs after this time of day
    #[arg(long, value_name = "HH:MM", value_parser = super::until::parse)]
    until: Option<SystemTime>,
    /// Exit with code 1 if a bot cannot play, so that it was left out or forfeits all games
    #[arg(long)]
    strict: bool,
    /// Print only errors and the final standings
    #[arg(long, short)]
    quiet: bool,
    /// Print events as JSON on standard output, one per line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// When to stop the side not to move, unless the tournament allows pondering
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Stop::Adaptive)]
    stop: Stop,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    pub(super) isolation: IsolationFlags,
    /// Allow mixing games played under different isolation; the standings report it
    #[arg(long)]
    mix_isolation: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum Stop {
    /// Once its opponent has thought for 0.2 ms; at once if it has used its opponent's time
    Adaptive,
    /// At the end of each of its turns
    Always,
    /// Never
    Never,
}

impl From<Stop> for Stopping {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Adaptive => Self::Adaptive,
            Stop::Always => Self::Always,
            Stop::Never => Self::Never,
        }
    }
}

impl Flags {
    /// Observer of the run.
    pub(super) fn watcher(&self) -> Watcher {
        Watcher::new(match (self.quiet, self.json) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Json,
            _ => Mode::People,
        })
    }

    /// Session options for a contest of this name.
    pub(super) fn options(&self, name: &str) -> RunOptions {
        let folder =
            if self.fresh { session::fresh_folder(&self.out, name) } else { self.out.join(name) };
        RunOptions {
            folder,
            readers: readers(self.shared),
            cores: self.cores.wish(self.lanes),
            layout: None,
            until: self.until,
            stopper: Stopper::default(),
            stopping: self.stop.into(),
            isolation: self.isolation.options(),
            mix_isolation: self.mix_isolation,
            lang: lang::of_environment(),
        }
    }
}

/// Readers of a new results folder, by the flag `--shared`.
pub(super) fn readers(shared: bool) -> Readers {
    if shared { Readers::ByUmask } else { Readers::Owner }
}

/// Plays a contest on this machine.
pub(super) fn play(contest: Contest, flags: &Flags, out: &mut dyn Write) -> Outcome {
    let options = flags.options(&contest.name);
    let ended = session::play(contest, &options, &flags.watcher())?;
    conclude(ended, &options, flags, out)
}

/// Shows the standings and reports the end of the run.
pub(super) fn conclude(
    Ended { finish, summary, absentees }: Ended,
    options: &RunOptions,
    flags: &Flags,
    out: &mut dyn Write,
) -> Outcome {
    let finish = finish?;
    if flags.json {
        let (finish, folder) = (name(&finish), &options.folder);
        say_json(&json!({"event": "ended", "finish": finish, "results": folder}));
    }
    let shown = summary.map_err(Failure::from);
    let shown = shown.and_then(|summary| Ok(show(&summary, options, flags, out)?));
    let absent = absent_line(&absentees);
    if let Some(line) = absent.as_ref().filter(|_| !flags.strict && !flags.quiet) {
        say(line);
    }
    match (outcome(&finish), shown) {
        (Ok(Exit::Done), Ok(())) if flags.strict => match absent {
            Some(message) => Err(Failure { exit: Exit::Findings, message }),
            None => Ok(Exit::Done),
        },
        (outcome, Ok(())) => outcome,
        (Ok(_), Err(failure)) => Err(failure),
        // The reason for the end comes first, because it may have caused the second failure.
        (Err(why), Err(Failure { message, .. })) => {
            Err(Failure { message: format!("{}\n{message}", why.message), ..why })
        }
    }
}

/// Summary line of the bots that cannot play.
fn absent_line(Absentees { names, of, left_out }: &Absentees) -> Option<String> {
    let were = match (names.len(), left_out) {
        (0, _) => return None,
        (1, true) => "was left out",
        (_, true) => "were left out",
        (1, false) => "forfeits all games",
        (_, false) => "forfeit all games",
    };
    let shown: Vec<_> = names.iter().take(NAMED).map(ToString::to_string).collect();
    let more = names.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (count, names) = (names.len(), shown.join(", "));
    Some(format!("{count} of {of} bots did not play and {were}: {names}{more}"))
}

/// Maximum number of bots named in the summary line.
const NAMED: usize = 20;

fn show(
    summary: &Summary,
    RunOptions { folder, .. }: &RunOptions,
    flags: &Flags,
    out: &mut dyn Write,
) -> io::Result<()> {
    if flags.json {
        return Ok(());
    }
    if !flags.quiet && !summary.forfeits.is_empty() {
        writeln!(out, "Forfeits\n{}", summary.forfeits.render(terminal_width(), Lang::English))?;
    }
    write!(out, "{}", summary.table(terminal_width()))?;
    if !flags.quiet {
        let first = if summary.has_page() { PAGE } else { "leaderboard.csv" };
        writeln!(out, "\n{first} and other results: {}", folder.display())?;
        if !summary.has_page() {
            let folder = shown_path(folder);
            writeln!(out, "over 100,000 games: `pitmaster report {folder}` creates their page")?;
        }
    }
    Ok(())
}

fn outcome(finish: &Finish) -> Outcome {
    match finish {
        Finish::Complete => Ok(Exit::Done),
        Finish::Interrupted => Err(Failure {
            exit: Exit::Interrupted,
            message: "interrupted; run again to resume".into(),
        }),
        Finish::TimeOver => {
            Err(Failure::stopped("the time set by --until is over; run again to resume"))
        }
        Finish::Incomplete(bots) => {
            let names: Vec<_> = bots.iter().map(ToString::to_string).collect();
            Err(Failure::stopped(format!(
                "games of {} stay pending for the reasons above; run again to resume",
                names.join(", ")
            )))
        }
        Finish::RefereeFailed(fault) => Err(Failure::fault(format!(
            "stopped after three void games in a row: {fault}; finished games are kept, run again \
             to resume"
        ))),
    }
}

fn name(finish: &Finish) -> &'static str {
    match finish {
        Finish::Complete => "complete",
        Finish::Interrupted => "interrupted",
        Finish::TimeOver => "time-over",
        Finish::Incomplete(_) => "incomplete",
        Finish::RefereeFailed(_) => "referee-failed",
    }
}
