//! `pitmaster check`: examines bots before submission and reports findings.

mod csv;
mod github;
mod json;
mod markdown;
mod table;
mod telling;
mod text;

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use pitmaster_bots::house::panic_message;
use pitmaster_bots::submission::{Options, Prepared, Unfit, shown_path};
use pitmaster_check::{
    Interrupt, Language, Level, News, Report, Scene, Settings, Subject, Verdict, What, examine,
    unfit,
};
use pitmaster_core::MachineLoad;
use pitmaster_core::i18n::{Lang, Message, said};
use pitmaster_core::{BotHash, Dialect, Limits, Seed};
use pitmaster_games::GameSpec;
use pitmaster_report::busy_note;
use pitmaster_runner::{self as runner, Entrant};
use pitmaster_session::{self as session, NamedGame, bot_arg, game, house};
use pitmaster_tournament::parse_duration;
use telling::{Teller, announcement};

use super::cores::CoreFlags;
use super::isolation::IsolationFlags;
use super::lang::LangFlag;
use super::progress::{Steps, say};
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster check mine                         before submitting
  pitmaster check mine --quick                 half a minute, even at 2 s per move
  pitmaster check mine.py --game kalah --per-move 100ms
  pitmaster check handed-in/* --csv check.csv  check all submissions
  pitmaster check class                        check the bots of a class (see intake)
  pitmaster check mine --format github         annotate a workflow run
  pitmaster check handed-in/* --audit          report calls that a contest denies

Bots play under normal and adverse conditions, such as split lines and tight clocks. Exit codes:
0 no findings, 1 findings (must; should only with --strict; never note), 2 invalid command,
3 a guarantee or the audit is missing on this machine, 5 internal error, 130 interrupted (findings
so far are shown).
`pitmaster help check` lists scenes, findings, columns and fields.";

/// Tests bots before submission and reports what must or should be fixed, and how
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
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
    /// Output folder; bots are built in check/bots inside it
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    out: PathBuf,
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

/// Checked bot.
#[derive(Debug)]
struct Checked {
    path: PathBuf,
    name: String,
    hash: Option<BotHash>,
    dialect: Option<Dialect>,
    language: Option<Language>,
    report: Report,
}

/// All checked bots and the settings that they share.
#[derive(Debug)]
struct Checks {
    settings: Settings,
    /// Load of the machine when the check began.
    busy: MachineLoad,
    bots: Vec<Checked>,
    /// Number of bots named on the command line.
    named: usize,
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
    let _ = write!(text, "\n{}\n\n{}", csv::help(), json::HELP);
    text
}

pub(super) fn run(mut args: Args, out: &mut dyn Write) -> Outcome {
    let expanded = args.bots.iter().map(|path| bot_arg::expand(path));
    args.bots = expanded.collect::<Result<Vec<_>, _>>()?.concat();
    let args = &args;
    for path in args.bots.iter().filter(|path| house::name_in(path).is_none()) {
        bot_arg::must_be_there(path)?;
    }
    let watcher = Watcher::people();
    let asked = game::find(&args.game, &watcher)?;
    let settings = settings(args, &asked);
    let audit = settings.audit.then(|| for_audit(&settings)).transpose()?;
    let sheet = args.csv.as_deref().map(create).transpose()?;
    let were_handed_in = !args.bots.iter().all(|bot| house::name_in(bot).is_some());
    let sandbox = args.isolation.options();
    let sandbox = sandbox.choose(&settings.limits.resources, were_handed_in, &watcher)?;
    let guard = session::start_guard();
    let (layout, busy) = session::cores::reserve_one(&args.cores.wish(None), &watcher)?;
    let options = Options::of_this_machine(&sandbox);
    let core = layout.lanes[0];
    let bots = check_all(args, &asked, &settings, &options, audit.as_ref(), core)?;
    let checks = Checks { settings, busy, bots, named: args.bots.len() };
    drop(guard);
    drop(layout);
    if let Some(sheet) = sheet {
        csv::write(&checks, sheet)?;
    }
    let lang = args.lang.lang();
    match args.format {
        Format::Text => text::write(&checks, lang, out)?,
        Format::Json => json::write(&checks, out)?,
        Format::Csv => csv::write(&checks, &mut *out)?,
        Format::Markdown => markdown::write(&checks, lang, out)?,
        Format::Github => github::write(&checks, lang, out)?,
    }
    if checks.settings.interrupt.is_set() {
        return Ok(Exit::Interrupted);
    }
    exit(&checks, args.strict)
}

/// Ends the check on the first interrupt and shows the findings so far. The second interrupt ends
/// the process; so does the first one if no handler can be installed.
fn listen_for_interrupts(interrupt: Interrupt, lang: Lang) {
    let why = said!("interrupted: what was found so far follows; again to stop at once");
    let _ = runner::on_interrupt(move || {
        say(&why.to(lang));
        interrupt.set();
    });
}

/// Launch options of the audit.
fn for_audit(settings: &Settings) -> Result<Options, Failure> {
    let sandbox = pitmaster_bots::probe::auditing(&settings.limits.resources);
    let sandbox = sandbox.map_err(|why| Failure {
        exit: Exit::Missing,
        message: format!("this machine cannot audit bots: {}; check without --audit", why.why),
    })?;
    Ok(Options::of_this_machine(&Arc::new(sandbox)))
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

fn settings(args: &Args, asked: &NamedGame) -> Settings {
    let default = Limits::default();
    let per_move = Some(args.per_move);
    let limits = Limits {
        per_move,
        first_move: args.first_move.or(default.first_move).max(per_move),
        start_up: args.start_up,
        ..default
    };
    let (seed, games, audit, quick) = (Seed(args.seed), args.games, args.audit, args.quick);
    let (game, interrupt) = (asked.game.clone(), Interrupt::default());
    Settings { game, limits, seed, games, audit, quick, interrupt }
}

fn create(path: &Path) -> Result<File, Failure> {
    File::create(path)
        .map_err(|error| Failure::wrong(format!("cannot write {}: {error}", shown_path(path))))
}

/// Checks bots one at a time, so that they do not disturb each other's timing.
fn check_all(
    args: &Args,
    asked: &NamedGame,
    settings: &Settings,
    options: &Options,
    audit: Option<&Options>,
    core: usize,
) -> Result<Vec<Checked>, Failure> {
    let (scenes, lang) = (settings.scenes(), args.lang.lang());
    listen_for_interrupts(settings.interrupt.clone(), lang);
    let steps = Steps::new(args.bots.len() * scenes.len());
    steps.line(&announcement(settings, args.bots.len()).to(lang));
    let mut bots = Vec::new();
    for (place, path) in args.bots.iter().enumerate() {
        let shown = shown_path(path);
        steps.reach(place * scenes.len(), &format!("{shown}: building"));
        let tell = Teller::new(&steps, &scenes, place * scenes.len(), shown, lang);
        let found = prepare(path, args, asked, options, audit)?;
        if settings.interrupt.is_set() {
            break;
        }
        let checked = check(path, found, settings, core, &|news| tell.hear(news));
        if args.bots.len() > 1 {
            let (name, verdict) = (&checked.name, checked.report.verdict().label());
            let said = said!("{} of {}: {}: {}", place + 1, args.bots.len(), name, verdict);
            steps.line(&said.to(lang));
        }
        bots.push(checked);
    }
    steps.finish();
    Ok(bots)
}

fn check(
    path: &Path,
    found: Found,
    settings: &Settings,
    core: usize,
    tell: &(dyn Fn(News) + Sync),
) -> Checked {
    match found {
        Ok((subject, dialect)) => {
            let id = subject.entrant.id.clone();
            let language = subject.language;
            let report = examine_apart(&subject, settings, core, tell);
            Checked {
                path: path.to_owned(),
                name: id.name.to_string(),
                hash: Some(id.hash),
                dialect: Some(dialect),
                language,
                report,
            }
        }
        Err(why) => Checked {
            path: path.to_owned(),
            name: why.name.to_string(),
            hash: why.hash.clone(),
            dialect: None,
            language: None,
            report: Report::of_unfit(unfit(&why), settings),
        },
    }
}

type Found = Result<(Subject, Dialect), Unfit>;

fn prepare(
    path: &Path,
    args: &Args,
    asked: &NamedGame,
    options: &Options,
    audit: Option<&Options>,
) -> Result<Found, Failure> {
    let (entrant, audited, language) = if let Some(name) = house::name_in(path) {
        let bot = |options: &Options| {
            bot_arg::house_bot(name, asked, false, options).map_err(Failure::wrong)
        };
        (bot(options)?, audit.map(bot).transpose()?, None)
    } else {
        let store = args.out.join("check").join("bots");
        match bot_arg::prepare_path(path, &store, &asked.game, options, &Watcher::people())? {
            Ok(Prepared { command, manifest, .. }) => {
                let audited = audit.map(|audit| command.in_sandbox(&audit.sandbox));
                let audited = audited.map(Entrant::process);
                (Entrant::process(command), audited, Language::of(&manifest))
            }
            Err(why) => return Ok(Err(why)),
        }
    };
    let dialect = entrant.dialect;
    Ok(Ok((Subject { entrant, audited, language }, dialect)))
}

/// Examines a bot on a thread of its own, pinned to `core`. A panic ends only this bot's check.
fn examine_apart(
    subject: &Subject,
    settings: &Settings,
    core: usize,
    tell: &(dyn Fn(News) + Sync),
) -> Report {
    let examined = thread::scope(|scope| {
        let examine = || {
            runner::move_to(&[core]);
            let mut progress = |news: News| tell(news);
            catch_unwind(AssertUnwindSafe(|| examine(subject, settings, &mut progress)))
        };
        scope.spawn(examine).join()
    });
    examined.and_then(|caught| caught).unwrap_or_else(|panic| Report {
        failure: Some(format!("panic: {}; please report it", panic_message(&*panic))),
        ..Report::default()
    })
}

impl Checks {
    fn game(&self) -> String {
        self.settings.game.spec()
    }

    /// Note that the machine was busy, if it was.
    fn busy_note(&self) -> Option<Message> {
        self.busy.is_much().then(|| busy_note(self.busy.stalled))
    }

    fn only(&self) -> Option<&Checked> {
        match &*self.bots {
            [bot] if self.named == 1 => Some(bot),
            _ => None,
        }
    }
}

impl Checked {
    /// Verdict as text for people.
    fn verdict(&self) -> Message {
        match self.report.failure {
            _ if self.report.interrupted => said!("interrupted"),
            Some(_) => said!("cut short"),
            None => self.report.verdict().label(),
        }
    }

    fn shown_path(&self) -> String {
        shown_path(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotId, BotName};
    use pitmaster_runner::Start;

    use super::*;

    #[test]
    fn a_panic_cuts_one_check_short_and_no_other() {
        let id = BotId { name: BotName::tamed("x"), hash: BotHash::of(b"x") };
        let start = Start::Process(Arc::new(|_, _, _, _| panic!("made up")));
        let (dialect, lenient, absent) = (Dialect::Arena, false, None);
        let entrant = Entrant { id, dialect, lenient, start, absent, anchor: None };
        let game = game::find(&"coloured-awale".parse().unwrap(), &session::Silent).unwrap().game;
        let (limits, seed) = (Limits::default(), Seed(1));
        let (quick, interrupt) = (false, Interrupt::default());
        let settings = Settings { game, limits, seed, games: 0, audit: true, quick, interrupt };
        let subject = Subject { entrant, audited: None, language: None };
        let report = examine_apart(&subject, &settings, 0, &|_| {});
        assert_eq!(report.failure.as_deref(), Some("a panic: made up"));
        assert_eq!(report.scenes.len(), Scene::ALL.len());
    }
}
