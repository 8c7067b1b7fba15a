//! `pitmaster report`: creates pages, charts and tables of results.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotName, Untrusted};
use pitmaster_report::{Audience, Secret, Sheet};
use pitmaster_session::results::PAGE;
use pitmaster_session::{
    Analyses, Analyst, Effort, NewPage, Results, Summary, analyze_results, pseudonym_key,
};
use pitmaster_store::{create_file, make_subfolder};

use super::lang::LangFlag;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, tables, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster report results/demo --open           create the page and open it in the browser
  pitmaster report results/* --out semester.html --title 'Awale, autumn'
  pitmaster report results/demo --public         for publication: pseudonyms, no text of authors
  pitmaster report results/demo --per-bot pages  one page per submitted bot, for its author
  pitmaster report results/demo --per-bot pages --public    other bots under pseudonyms
  pitmaster report results/demo --analyze 200ms  every game analyzed by house:expert
  pitmaster report results/demo --svg charts     every chart as a file
  pitmaster report results/demo --format text    standings for a chat; markdown for a README

`run` writes results/NAME/report.html when it ends. The page is a single file that needs no network
and can be sent by mail. If there are many games, they go into a folder next to the page.

Pseudonyms are derived from the secret in pseudonyms.secret next to the results folder. As long as
that file exists, a bot has the same pseudonym on every page. Anyone who has the secret can recover
the names.";

/// File name of the public page.
const PUBLIC: &str = pitmaster_session::PUBLIC_PAGE;
/// Table of bots with their display names and pages, next to the pages of bots.
const INDEX: &str = "index.csv";
/// File name of a page of several tournaments.
const SEVERAL: &str = "report.html";

/// Creates a page of results with standings, charts and a replay of every game
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folders; several of them share one page
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,
    /// Title of the page [default: the tournament's title]
    #[arg(long)]
    title: Option<String>,
    /// Output file [default: report.html in the results folder, or here if there are several]
    #[arg(long, short, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long, conflicts_with_all = ["format", "svg", "per_bot"])]
    open: bool,
    /// For publication: pseudonyms, no authors, no paths, no bot output
    #[arg(long)]
    public: bool,
    /// Write one page per submitted bot, with the output and games of that bot only
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "format", "svg"])]
    per_bot: Option<PathBuf>,
    /// Write only the charts, one file each
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "format"])]
    svg: Option<PathBuf>,
    /// Print only the standings
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Analyze every game: search each position for TIME, or nodes=N; uses all cores
    #[arg(long, value_name = "TIME", conflicts_with_all = ["format", "svg"])]
    analyze: Option<Effort>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Table for a README or a forum
    Markdown,
    /// Table for a terminal or a chat
    Text,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let all: Vec<_> =
        args.results.iter().map(|folder| Results::open(folder)).collect::<Result<_, _>>()?;
    // Checked first, because an analysis can take hours.
    prepare_target(args)?;
    let (for_whom, analyses) = (for_whom(args, &all)?, analyses(args, &all)?);
    let report = Report { args, lang: args.lang.lang(), for_whom, all, analyses };
    match (&args.format, &args.svg, &args.per_bot) {
        (Some(format), ..) => report.standings(*format, out)?,
        (_, Some(folder), _) => report.pictures(folder, out)?,
        (.., Some(folder)) => report.pages_of_bots(folder, out)?,
        _ => report.page(out)?,
    }
    Ok(Exit::Done)
}

/// Creates the output folder, or refuses a path in a missing folder.
fn prepare_target(args: &Args) -> Result<(), Failure> {
    match (&args.format, args.svg.as_ref().or(args.per_bot.as_ref())) {
        (Some(_), _) => Ok(()),
        (None, Some(folder)) => make_folder(folder),
        (None, None) => refuse_nowhere(&page_path(args)),
    }
}

fn for_whom(args: &Args, all: &[Results]) -> Result<Audience, Failure> {
    let known = all.iter().flat_map(Results::house).cloned().collect();
    let everybody = if args.public { Some(pseudonyms(&args.results[0])?) } else { None };
    Ok(Audience { everybody, author_of: None, known })
}

/// Analyses of the games of each results folder; empty unless requested.
fn analyses(args: &Args, all: &[Results]) -> Result<Vec<Analyses>, Failure> {
    let Some(effort) = args.analyze else {
        return Ok(all.iter().map(|_| Analyses::default()).collect());
    };
    let analyst = Analyst::new("expert", effort).map_err(Failure::wrong)?;
    let watcher = Watcher::people();
    let folder = tables::folder();
    let analyze = |one| analyze_results(one, &analyst, folder.as_deref(), &watcher);
    Ok(all.iter().map(analyze).collect::<Result<_, _>>()?)
}

/// Pseudonym key shared by the results folders next to this one.
fn pseudonyms(results: &Path) -> Result<Secret, Failure> {
    let folder = results.canonicalize()?;
    let key = folder.parent().unwrap_or(&folder).join(pseudonym_key::FILE);
    Ok(pseudonym_key::read_or_make(&key)?)
}

/// Path of the page.
fn page_path(args: &Args) -> PathBuf {
    let name = if args.public { PUBLIC } else { PAGE };
    match (&args.out, &args.results[..]) {
        (Some(path), _) => path.clone(),
        (None, [folder]) => folder.join(name),
        (None, _) if args.public => PUBLIC.into(),
        (None, _) => SEVERAL.into(),
    }
}

/// Requested report.
struct Report<'a> {
    args: &'a Args,
    lang: Lang,
    for_whom: Audience,
    all: Vec<Results>,
    /// One for each results folder.
    analyses: Vec<Analyses>,
}

impl Report<'_> {
    fn title(&self) -> String {
        if let Some(title) = &self.args.title {
            return Untrusted::new(title.as_str()).shown(200);
        }
        let titles = self.all.iter().map(|results| results.title(&self.for_whom));
        titles.collect::<Vec<_>>().join(", ")
    }

    fn page(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = page_path(self.args);
        self.write_page(&path, &self.for_whom)?;
        writeln!(out, "{}", path.display())?;
        if self.args.open { open(&path) } else { Ok(()) }
    }

    fn write_page(&self, path: &Path, for_whom: &Audience) -> Result<(), Failure> {
        let watcher = Watcher::people();
        let mut page = NewPage::new(path, self.title(), self.lang, for_whom.clone(), &watcher);
        for (place, results) in self.all.iter().enumerate() {
            let (summary, chapter) = results.read_for(place + 1, for_whom)?;
            page.add(results, chapter, &summary, &self.analyses[place])?;
        }
        page.finish().map_err(|error| at(path, error.into()))
    }

    /// Writes one page per submitted bot of all tournaments, and an index for the operator.
    fn pages_of_bots(&self, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        let bots: BTreeMap<&BotName, String> =
            self.all.iter().flat_map(Results::submissions).collect();
        let index = folder.join(INDEX);
        let file = create_file(&index).map_err(|error| at(&index, error.into()))?;
        let mut index = Sheet::new(file, ["bot", "display", "page"])?;
        for (name, display) in bots {
            let for_whom = Audience { author_of: Some(name.clone()), ..self.for_whom.clone() };
            let path = folder.join(format!("{name}.html"));
            self.write_page(&path, &for_whom)?;
            writeln!(out, "{}", path.display())?;
            for cell in [name.as_str(), &display, &format!("{name}.html")] {
                index.text(cell)?;
            }
            index.end_row()?;
        }
        Ok(index.finish()?)
    }

    fn pictures(&self, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        for (place, results) in self.all.iter().enumerate() {
            let (summary, chapter) = results.read_for(place + 1, &self.for_whom)?;
            let prefix = if self.all.len() > 1 { format!("{}-", place + 1) } else { String::new() };
            for chart in results.charts(&chapter, &summary, &self.for_whom, self.lang) {
                let path = folder.join(format!("{prefix}{}.svg", chart.name));
                let written =
                    create_file(&path).and_then(|mut file| file.write_all(chart.svg.as_bytes()));
                written.map_err(|error| at(&path, error.into()))?;
                writeln!(out, "{}", path.display())?;
            }
        }
        Ok(())
    }

    fn standings(&self, format: Format, out: &mut dyn Write) -> Result<(), Failure> {
        for (place, results) in self.all.iter().enumerate() {
            let (summary, _) = results.read_for(place + 1, &self.for_whom)?;
            if place > 0 {
                writeln!(out)?;
            }
            let title = match &self.args.title {
                Some(_) if self.all.len() == 1 => self.title(),
                _ => results.title(&self.for_whom),
            };
            self.table(&summary, &title, format, out)?;
        }
        Ok(())
    }

    fn table(
        &self,
        summary: &Summary,
        title: &str,
        format: Format,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let table = summary.leaderboard();
        match format {
            Format::Markdown => table.markdown(title, self.lang, out),
            Format::Text => {
                writeln!(out, "{title}\n{}", table.render(terminal_width(), self.lang))
            }
        }
    }
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    make_subfolder(folder).map_err(|error| {
        let folder = shown_path(folder);
        Failure::wrong(format!("cannot create the folder {folder}: {error}; name another one"))
    })
}

/// Refuses a path in a missing folder, or one that is a folder.
fn refuse_nowhere(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        let folder = shown_path(path);
        return Err(Failure::wrong(format!("{folder} is a folder; name a file with --out")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::wrong(format!(
            "the folder {} does not exist; create it, or name another one with --out",
            shown_path(folder)
        ))),
        None => Ok(()),
    }
}

fn at(path: &Path, Failure { exit, message }: Failure) -> Failure {
    Failure { exit, message: format!("{}: {message}", shown_path(path)) }
}

/// Commands that open a file on a desktop, the most common first.
const OPENERS: [&str; 4] = ["xdg-open", "open", "wslview", "x-www-browser"];

/// Opens a page in the default browser of the desktop.
fn open(path: &Path) -> Result<(), Failure> {
    let path = path.canonicalize()?;
    let quiet = |name: &&&str| {
        let mut command = Command::new(**name);
        command.arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if OPENERS.iter().any(|name| quiet(&name)) {
        return Ok(());
    }
    Err(Failure {
        exit: Exit::Missing,
        message: format!(
            "no browser could be started with {}; open {} yourself",
            OPENERS.join(", "),
            shown_path(&path)
        ),
    })
}
