//! `pitmaster report`: results to look at.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotName, Untrusted};
use pitmaster_report::{Audience, Secret};
use pitmaster_session::results::PAGE;
use pitmaster_session::{NewPage, Results, Summary, pseudonym_key};

use super::lang::LangFlag;
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster report results/demo --open           the page anew, in the browser
  pitmaster report results/* --out semester.html --title 'Awale, autumn'
  pitmaster report results/demo --public         for everybody: pseudonyms, no words of authors
  pitmaster report results/demo --per-bot pages  a page for each author, to hand back
  pitmaster report results/demo --svg pictures   every picture as a file
  pitmaster report results/demo --format text    standings for a chat; markdown for a README

`run` writes results/NAME/report.html at its end. The page is one file that needs no network: it
can be sent, and opened by a double click. With many games it has a folder beside it.

Pseudonyms are made with a secret that stands in pseudonyms.secret beside the results' folder: as
long as it stays, a bot has the same one in every page. Whoever has the secret can find the names.";

/// The page that the public gets.
const PUBLIC: &str = "report-public.html";
/// The page of several tournaments.
const SEVERAL: &str = "report.html";

/// Makes a page of results: standings, pictures, every game to be replayed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results' folders; several are told in one page
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,
    /// What stands above it [default: the tournament's title]
    #[arg(long)]
    title: Option<String>,
    /// Where it goes [default: report.html in the results' folder, or here if there are several]
    #[arg(long, short, value_name = "FILE", conflicts_with = "format")]
    out: Option<PathBuf>,
    /// Show it in the browser
    #[arg(long, conflicts_with_all = ["format", "svg", "per_bot"])]
    open: bool,
    /// For everybody: pseudonyms, no authors, no paths, nothing that bots wrote
    #[arg(long)]
    public: bool,
    /// A page for each bot, with the words and games of that bot only
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "format", "svg"])]
    per_bot: Option<PathBuf>,
    /// Only the pictures, each as a file
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["out", "format"])]
    svg: Option<PathBuf>,
    /// Only the standings, on standard output
    #[arg(long, value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table for a README or a forum
    Markdown,
    /// A table for a terminal or a chat
    Text,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let all: Vec<_> =
        args.results.iter().map(|folder| Results::open(folder)).collect::<Result<_, _>>()?;
    let report = Report { args, lang: args.lang.lang(), for_whom: for_whom(args, &all)?, all };
    match (&args.format, &args.svg, &args.per_bot) {
        (Some(format), ..) => report.standings(*format, out)?,
        (_, Some(folder), _) => report.pictures(folder, out)?,
        (.., Some(folder)) => report.pages_of_bots(folder, out)?,
        _ => report.page(out)?,
    }
    Ok(Exit::Done)
}

fn for_whom(args: &Args, all: &[Results]) -> Result<Audience, Failure> {
    let known = all.iter().flat_map(Results::house).cloned().collect();
    let everybody = if args.public { Some(pseudonyms(&args.results[0])?) } else { None };
    Ok(Audience { everybody, author_of: None, known })
}

/// The secret of the results that stand beside these.
fn pseudonyms(results: &Path) -> Result<Secret, Failure> {
    let folder = results.canonicalize()?;
    let key = folder.parent().unwrap_or(&folder).join("pseudonyms.secret");
    Ok(pseudonym_key::read_or_make(&key)?)
}

/// What was asked for.
struct Report<'a> {
    args: &'a Args,
    lang: Lang,
    for_whom: Audience,
    all: Vec<Results>,
}

impl Report<'_> {
    fn title(&self) -> String {
        if let Some(title) = &self.args.title {
            return Untrusted::new(title.as_str()).shown(200);
        }
        let titles = self.all.iter().map(|results| results.title(&self.for_whom));
        titles.collect::<Vec<_>>().join(", ")
    }

    /// Where the page goes.
    fn path(&self) -> PathBuf {
        let name = if self.args.public { PUBLIC } else { PAGE };
        match (&self.args.out, &self.args.results[..]) {
            (Some(path), _) => path.clone(),
            (None, [folder]) => folder.join(name),
            (None, _) if self.args.public => PUBLIC.into(),
            (None, _) => SEVERAL.into(),
        }
    }

    fn page(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let path = self.path();
        refuse_nowhere(&path)?;
        self.write_page(&path, &self.for_whom)?;
        writeln!(out, "{}", path.display())?;
        if self.args.open { open(&path) } else { Ok(()) }
    }

    fn write_page(&self, path: &Path, for_whom: &Audience) -> Result<(), Failure> {
        let watcher = Watcher::people();
        let mut page = NewPage::new(path, self.title(), self.lang, for_whom.clone(), &watcher);
        for (place, results) in self.all.iter().enumerate() {
            let (summary, chapter) = results.read_for(place + 1, for_whom)?;
            page.add(results, chapter, &summary)?;
        }
        page.finish().map_err(|error| at(path, error.into()))
    }

    /// A page for each bot of any tournament.
    fn pages_of_bots(&self, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        make_folder(folder)?;
        let mut names: Vec<&BotName> = self.all.iter().flat_map(Results::bot_names).collect();
        names.sort();
        names.dedup();
        for name in names {
            let for_whom = Audience { author_of: Some(name.clone()), ..self.for_whom.clone() };
            let path = folder.join(format!("{name}.html"));
            self.write_page(&path, &for_whom)?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(())
    }

    fn pictures(&self, folder: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        make_folder(folder)?;
        for (place, results) in self.all.iter().enumerate() {
            let (summary, chapter) = results.read_for(place + 1, &self.for_whom)?;
            let prefix = if self.all.len() > 1 { format!("{}-", place + 1) } else { String::new() };
            for chart in results.charts(&chapter, &summary, &self.for_whom, self.lang) {
                let path = folder.join(format!("{prefix}{}.svg", chart.name));
                fs::write(&path, chart.svg).map_err(|error| at(&path, error.into()))?;
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
    fs::create_dir_all(folder).map_err(|error| {
        let folder = shown_path(folder);
        Failure::wrong(format!("{folder} cannot be made a folder: {error}; name another one"))
    })
}

/// A page goes into a folder that is there.
fn refuse_nowhere(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => Err(Failure::wrong(format!(
            "there is no folder {}; make it, or name another with --out",
            shown_path(folder)
        ))),
        None => Ok(()),
    }
}

fn at(path: &Path, Failure { exit, message }: Failure) -> Failure {
    Failure { exit, message: format!("{}: {message}", shown_path(path)) }
}

/// What opens files on a desktop, the usual one first.
const OPENERS: [&str; 4] = ["xdg-open", "open", "wslview", "x-www-browser"];

/// Shows a page in whatever the desktop takes for its browser.
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
            "no browser could be started by any of {}; open {} yourself",
            OPENERS.join(", "),
            shown_path(&path)
        ),
    })
}
