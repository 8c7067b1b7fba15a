//! `pitmaster check`: examines bots before submission and reports findings.

mod progress;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pitmaster_bots::submission::shown_path;
use pitmaster_check::{Checks, Interrupt, Level, Report, Scene, Settings, Verdict, What};
use pitmaster_core::Seed;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_games::GameSpec;
use pitmaster_report::checks::{self, Style};
use pitmaster_runner as runner;
use pitmaster_session::check::{CheckOptions, check, settings};
use pitmaster_session::game;
use pitmaster_tournament::parse_duration;
use progress::CheckWatcher;

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::lang::LangFlag;
use super::progress::say;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, class, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster check mine                         before submitting
  pitmaster check mine --quick                 half a minute, even at 2 s per move
  pitmaster check mine.py --game kalah --per-move 100ms
  pitmaster check handed-in/* --csv check.csv  check all submissions
  pitmaster check class                        check the bots of a class (see intake)
  pitmaster check mine --format github         annotate a workflow run
  pitmaster check handed-in/* --audit          report calls that a contest denies

Bots play under normal and adverse conditions, such as split lines and tight clocks. Several bots
are checked at a time, one per core. Of several bots, only those that have changed since an earlier
check are played again, so an interrupted check continues where it was. For a class, check/ in its
folder gets check.csv and a text to send to each person, in the class's language.

Exit codes: 0 no findings, 1 findings (must; should only with --strict; never note), 2 invalid
command, 3 a guarantee or the audit is missing on this machine, 4 a folder cannot be written,
5 internal error, 130 interrupted (findings so far are shown).
`pitmaster help check` lists scenes, findings, columns and fields.";

/// Tests bots before submission and reports what must or should be fixed, and how
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Args {
    /// Bots: folders with a bot.toml, single files, or the folder of a class
    #[arg(required = true, value_name = "BOT")]
    bots: Vec<PathBuf>,
    /// Game, as a name or a file, with options: kalah,seeds=5 or ./my-game.toml
    #[arg(long, value_name = "GAME", default_value = "coloured-awale")]
    game: GameSpec,
    /// Time limit per move
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s")]
    per_move: Duration,
    /// Time limit for the first move, which includes start-up in arena and course [default: 5s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    first_move: Option<Duration>,
    /// Time limit for start-up
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s")]
    start_up: Duration,
    /// Number of games against house:random that measure time and memory
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u32).range(0..=100_000))]
    games: u32,
    /// Finish in half a minute, even at 2 s per move: a move or two per scene, no whole games
    #[arg(long)]
    quick: bool,
    /// Seed of all randomness
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also write a table of all bots as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also exit with 1 on findings of level should, not only must
    #[arg(long)]
    strict: bool,
    /// Play once more in an auditing sandbox and report calls that a contest denies
    #[arg(long)]
    audit: bool,
    /// Check all bots again, also those that have not changed since an earlier check
    #[arg(long)]
    fresh: bool,
    /// Number of bots checked at a time [default: one per core, one core for a single bot]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    lanes: Option<u16>,
    /// Folder in which check/ is made, with builds and reports [default: results, or the class]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    cores: CoreFlags,
    #[command(flatten)]
    isolation: IsolationFlags,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Text for people
    Text,
    /// JSON with all details
    Json,
    /// CSV with one row per bot
    Csv,
    /// Markdown for a page or a comment
    Markdown,
    /// GitHub commands that annotate a workflow run
    Github,
}

fn duration(text: &str) -> Result<Duration, String> {
    match parse_duration(text) {
        Ok(time) if time.is_zero() => Err("the time limit must be at least 1ms".into()),
        read => read.map_err(|fault| fault.to_string()),
    }
}

/// Long help: scenes, findings, CSV columns and JSON fields.
fn long_help() -> String {
    let mut text = format!("{EXAMPLES}\n\nScenes:\n");
    for scene in Scene::ALL {
        let _ = writeln!(text, "  {:<12} {}", scene.name(), scene.about());
    }
    for level in [Level::Must, Level::Should, Level::Note] {
        let about = match level {
            Level::Must => "which lose games",
            Level::Should => "which are risks",
            Level::Note => "which an audit reports as evidence, not as a verdict",
        };
        let _ = writeln!(text, "\nFindings of level {}, {about}:", level.name());
        for what in What::ALL.iter().filter(|what| what.level() == level) {
            let _ = writeln!(text, "  {:<21} {}", what.name(), what.about());
        }
    }
    let _ = write!(text, "\n{}\n\n{}", checks::csv_help(), checks::JSON_HELP);
    text
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let options = options(args)?;
    let table = args.csv.as_deref().map(create).transpose()?;
    let lang = args.lang.lang();
    for folder in args.bots.iter().filter(|path| path.is_dir()) {
        class::remind(folder, &Watcher::people())?;
    }
    listen_for_interrupts(options.settings.interrupt.clone(), lang);
    let checked = check(&options, &CheckWatcher::new(lang))?;
    let checks = &checked.checks;
    if let Some(table) = table {
        checks::write_csv(checks, table)?;
    }
    match args.format {
        Format::Text => checks::write_text(checks, style(lang), out)?,
        Format::Json => checks::write_json(checks, out)?,
        Format::Csv => checks::write_csv(checks, &mut *out)?,
        Format::Markdown => checks::write_markdown(checks, lang, out)?,
        Format::Github => checks::write_github(checks, lang, out)?,
    }
    for folder in &checked.written {
        say(&said!("Table and texts to send: {}", shown_path(folder)).to(lang));
    }
    if checks.settings.interrupt.is_set() {
        return Ok(Exit::Interrupted);
    }
    exit(checks, args.strict)
}

fn options(args: &Args) -> Result<CheckOptions, Failure> {
    let game = game::find(&args.game, &Watcher::people())?;
    let settings = settings(&game, args.per_move, args.first_move, args.start_up);
    let (seed, games, audit, quick) = (Seed(args.seed), args.games, args.audit, args.quick);
    Ok(CheckOptions {
        bots: args.bots.clone(),
        settings: Settings { seed, games, audit, quick, ..settings },
        game,
        out: args.out.clone(),
        cores: args.cores.wish(args.lanes),
        isolation: args.isolation.options(),
        fresh: args.fresh,
        lang: args.lang.given(),
    })
}

/// Examines a bot like `--quick` and prints the findings. Used by `push` before it sends.
#[cfg(feature = "server")]
pub(super) fn quick(
    bot: &Path,
    game: game::NamedGame,
    per_move: Duration,
    cores: &CoreFlags,
    isolation: &IsolationFlags,
    lang: Lang,
    out: &mut dyn Write,
) -> Outcome {
    let settings = settings(&game, per_move, None, Duration::from_secs(10));
    let options = CheckOptions {
        bots: vec![bot.to_owned()],
        settings: Settings { quick: true, ..settings },
        game,
        out: None,
        cores: cores.wish(Some(1)),
        isolation: isolation.options(),
        fresh: false,
        lang: None,
    };
    listen_for_interrupts(options.settings.interrupt.clone(), lang);
    let checks = check(&options, &CheckWatcher::new(lang))?.checks;
    checks::write_text(&checks, style(lang), out)?;
    if checks.settings.interrupt.is_set() {
        return Ok(Exit::Interrupted);
    }
    exit(&checks, false)
}

fn style(lang: Lang) -> Style {
    let colors = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    Style { colors, width: terminal_width(), lang }
}

/// Ends the check on the first interrupt and shows the findings so far. The second interrupt ends
/// the process, as does the first one if no handler can be installed.
fn listen_for_interrupts(interrupt: Interrupt, lang: Lang) {
    let why = said!("interrupted: findings so far follow (Ctrl-C again to stop now)");
    let _ = runner::on_interrupt(move || {
        say(&why.to(lang));
        interrupt.set();
    });
}

fn exit(checks: &Checks, strict: bool) -> Outcome {
    let reports = || checks.bots.iter().map(|bot| &bot.report);
    let failures: Vec<_> = reports().filter_map(|report| report.failure.as_deref()).collect();
    if !failures.is_empty() {
        return Err(Failure::fault(format!("a check was cut short: {}", failures.join("\n"))));
    }
    let worst = reports().map(Report::verdict).max().unwrap_or(Verdict::Clean);
    let enough = if strict { Verdict::Risky } else { Verdict::Broken };
    Ok(if worst >= enough { Exit::Findings } else { Exit::Done })
}

fn create(path: &Path) -> Result<File, Failure> {
    File::create(path)
        .map_err(|error| Failure::wrong(format!("cannot write {}: {error}", shown_path(path))))
}
