//! `pitmaster intake`: unpacks an export of a learning platform into a class folder.

use std::io::Write;
use std::path::PathBuf;

use jiff::civil::DateTime;
use pitmaster_bots::submission::shown_path;
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use pitmaster_season::platform::Platform;
use pitmaster_season::{ClassSettings, Member, State, submission_time};
use pitmaster_session::{self as session, Intake, IntakeOptions};

use super::watcher::Watcher;
use super::{Exit, Outcome, class};

const EXAMPLES: &str = "\
Examples:
  pitmaster intake awale-218733.zip --into class
  pitmaster intake awale-218733.zip --into class --worksheet Grades-Awale.csv
  pitmaster intake new.zip --into class          only what has changed is replaced
  pitmaster intake --into class                  apply the files in class/fix again
  pitmaster intake a.zip --into class --deadline 2026-11-20T23:59 --lang fr

The platform is recognized: Moodle, Canvas, Blackboard, Brightspace, ILIAS, Gradescope, GitHub
Classroom, or one folder or archive per person. Nothing is executed.

  class/class.csv      everybody, with the reason if there is no bot
  class/intake.html    the same as a page
  class/class.toml     settings: language, deadline
  class/bots/KEY/      the bot of a person; tournament files include class/bots/*
  class/fix/KEY.toml   your own bot.toml for a bot, applied to every version
  class/earlier/KEY/   earlier versions

The key is made from the platform's number. Bots of a class are called by their keys, whatever
their manifests say.";

/// Unpacks the submissions of a class and finds the bots in them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Exports of a learning platform: archives, or folders that they were unpacked to
    #[arg(value_name = "EXPORT")]
    exports: Vec<PathBuf>,
    /// Folder of the class, created if necessary
    #[arg(long, value_name = "CLASS")]
    into: PathBuf,
    /// List of all people: a grading worksheet, or a CSV with ids in the first column
    #[arg(long, value_name = "FILE")]
    worksheet: Option<PathBuf>,
    /// Platform of the exports, if it is not recognized
    #[arg(long = "as", value_name = "PLATFORM", value_parser = platform)]
    platform: Option<Platform>,
    /// Time after which a submission is late, in the platform's time zone: "2026-11-20 23:59"
    #[arg(long, value_name = "TIME", value_parser = deadline)]
    deadline: Option<DateTime>,
    /// Language of texts for the class, en or fr; stored in class.toml
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
}

fn deadline(text: &str) -> Result<DateTime, &'static str> {
    submission_time(text).ok_or("write a time such as \"2026-11-20 23:59\"")
}

fn platform(text: &str) -> Result<Platform, String> {
    let found = Platform::ALL.into_iter().find(|platform| platform.name() == text);
    found.ok_or_else(|| {
        format!("the platforms are {}", Platform::ALL.map(Platform::name).join(", "))
    })
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let options = IntakeOptions {
        hand_ins: args.exports.clone(),
        class: args.into.clone(),
        worksheet: args.worksheet.clone(),
        platform: args.platform,
        settings: ClassSettings {
            language: args.lang,
            deadline: args.deadline,
            ..ClassSettings::default()
        },
    };
    let watcher = Watcher::people();
    class::remind(&args.into, &watcher)?;
    let intake = session::intake(&options, &watcher)?;
    for (path, platform) in &intake.platforms {
        writeln!(out, "{}: read as {}", shown_path(path), platform.name())?;
    }
    write_class(&intake, &shown_path(&args.into), out)?;
    let has_bots = intake.class.members.iter().any(|member| member.state == State::Ready);
    Ok(if has_bots { Exit::Done } else { Exit::Findings })
}

fn write_class(intake: &Intake, folder: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let members = &intake.class.members;
    let counts = intake.class.counts();
    let counts: Vec<_> = counts.iter().map(|(state, count)| format!("{count} {state}")).collect();
    writeln!(out, "{} people: {}", members.len(), counts.join(", "))?;
    if !intake.platforms.is_empty() {
        writeln!(out, "{} new or changed", intake.changed.len())?;
    }
    let open: Vec<_> = members.iter().filter(|member| member.state != State::Ready).collect();
    if !open.is_empty() {
        writeln!(out)?;
    }
    let width = open.iter().map(|member| member.key.as_str().len()).max().unwrap_or_default();
    for member in open {
        writeln!(out, "{:width$}  {}", member.key.as_str(), line(member))?;
    }
    writeln!(out, "\nWritten to {folder}/class.csv and intake.html. Next: pitmaster check {folder}")
}

/// Name, state and first line of the reason.
fn line(member: &Member) -> String {
    let why = member.why.lines().next().unwrap_or_default();
    // The suggested lines are in the class list.
    let why = match (why.split_once("; write a bot.toml"), member.state) {
        (Some((why, _)), State::Unclear) => format!("{why}; write fix/{}.toml", member.key),
        (Some((why, _)), _) => why.to_owned(),
        (None, _) => why.to_owned(),
    };
    let name = Untrusted::new(member.name.as_str()).shown(60);
    format!("{name}: {}: {}", member.state, Untrusted::new(why).shown(300))
}
