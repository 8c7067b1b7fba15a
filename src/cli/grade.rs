//! `pitmaster grade`: grades of a class from a tournament and a scheme.

use std::io::Write;
use std::path::PathBuf;

use pitmaster_bots::submission::shown_path;
use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use pitmaster_core::units::parse_size;
use pitmaster_season::grading::{Change, Grade};
use pitmaster_session::{self as session, GradeOptions, Graded, SMALLEST_SPLIT, Written};
use unicode_width::UnicodeWidthStr as _;

use super::watcher::Watcher;
use super::{Exit, Outcome, class};

const EXAMPLES: &str = "\
Examples:
  pitmaster grade results/cup --class class --scheme scheme.toml --into grades
  pitmaster grade results/cup --class class --scheme scheme.toml --into grades \\
                  --worksheet Grades-Awale.csv --parts reports.csv
  pitmaster grade results/cup --class class --scheme scheme.toml --what-if other.toml

  pitmaster grade results/cup --class class --scheme scheme.toml --into grades --mail --lang fr

  grades/grades.csv          id, name, email, grade, max, comment
  grades/Grades-Awale.csv    Moodle's worksheet or Canvas's gradebook, filled in
  grades/feedback/KEY.html   a page for each person, with the reason of each number
  grades/feedback.zip        the same pages, as Moodle, Canvas and ILIAS take them back
  grades/mail.csv            with --mail: addresses, subjects and texts for a mail merge
  grades/mail/KEY.eml        with --mail: a draft for each person; nothing is sent

A scheme:

  maximum = 20
  round = 0.5

  [gate]                     # without these there are no points for play
  forfeits = 5               # at most, or \"off\"

  [[milestone]]
  name = \"beats random\"
  against = \"random\"         # a house bot of the tournament
  line = 0.9                 # score to reach
  points = 8
  borderline = \"student\"     # counts as reached; or \"teacher\"

  [elo]
  over = \"greedy\"
  band = [{ elo = 0, points = 2 }, { elo = 100, points = 4 }]

  [rank]
  points = 2                 # for the first place

  [penalty]
  late = 1                   # once
  late_per_day = 0.5         # and for each day that has begun
  forfeit = 0.25
  forfeits_at_most = 2

  [[part]]                   # a column of the CSV file of --parts, beside key or id
  name = \"report\"
  points = 4

A milestone is a sequential test with three verdicts: reached, missed, borderline. A bot on the line
is missed with a probability of at most 2.5 %. A bot's rank is one more than the number of bots
whose Elo is significantly higher. A column of --parts with a milestone's name decides that milestone.";

/// Grades a class by a scheme, with the reason of each number
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Results folder of the tournament
    results: PathBuf,
    /// Folder of the class, written by intake
    #[arg(long, value_name = "CLASS")]
    class: PathBuf,
    /// Grading scheme
    #[arg(long, value_name = "FILE")]
    scheme: PathBuf,
    /// Moodle's grading worksheet in English, French or German, or Canvas's gradebook
    #[arg(long, value_name = "FILE", requires = "into")]
    worksheet: Option<PathBuf>,
    /// Assignment of a gradebook with several: its title or number
    #[arg(long, value_name = "TITLE", requires = "worksheet")]
    column: Option<String>,
    /// CSV file of points given by hand
    #[arg(long, value_name = "FILE")]
    parts: Option<PathBuf>,
    /// Compare with another scheme
    #[arg(long, value_name = "OTHER")]
    what_if: Option<PathBuf>,
    /// Folder for the files; without it, nothing is written
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Split the archive of feedback, for platforms with an upload limit, such as 20MB
    #[arg(long, value_name = "SIZE", requires = "into", value_parser = upload_size)]
    split: Option<u64>,
    /// Write a mail for each person; nothing is sent
    #[arg(long, requires = "into")]
    mail: bool,
    /// Language of comments, pages and mails, en or fr [default: that of the class]
    #[arg(long, value_name = "LANG")]
    lang: Option<Lang>,
}

/// Parses a size in decimal units, as on platforms, or in binary units.
fn upload_size(text: &str) -> Result<u64, String> {
    let decimal = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)];
    let decimal = decimal.into_iter().find_map(|(unit, bytes)| {
        let number: u64 = text.strip_suffix(unit)?.trim().parse().ok()?;
        number.checked_mul(bytes)
    });
    let size = decimal.or_else(|| parse_size(text)).ok_or("write a size such as 20MB")?;
    if size < SMALLEST_SPLIT {
        return Err(format!("at least {}KB, because a page may have that", SMALLEST_SPLIT / 1000));
    }
    Ok(size)
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    class::remind(&args.class, &Watcher::people())?;
    let graded = session::grade_class(&GradeOptions {
        results: args.results.clone(),
        class: args.class.clone(),
        scheme: args.scheme.clone(),
        parts: args.parts.clone(),
        worksheet: args.worksheet.clone(),
        what_if: args.what_if.clone(),
        column: args.column.clone(),
        lang: args.lang,
        mail: args.mail,
        split: args.split,
    })?;
    let written = args.into.as_ref().map(|folder| graded.write(folder)).transpose()?;
    match &graded.changes {
        Some(changes) => show_changes(changes, out)?,
        None => show(&graded.grades, out)?,
    }
    show_worksheet(&graded, out)?;
    if let Some((written, folder)) = written.zip(args.into.as_ref()) {
        show_written(&written, args.mail, out)?;
        writeln!(out, "Written to {}", shown_path(folder))?;
    }
    Ok(Exit::Done)
}

/// Columns of keys and names, padded to the same width.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

fn show(grades: &[Grade], out: &mut dyn Write) -> std::io::Result<()> {
    let names: Vec<_> =
        grades.iter().map(|grade| Untrusted::new(grade.member.name.as_str()).shown(30)).collect();
    let keys = grades.iter().map(|grade| grade.member.key.as_str().width()).max().unwrap_or(0);
    let width = names.iter().map(|name| name.width()).max().unwrap_or(0);
    for (grade, name) in grades.iter().zip(&names) {
        let (key, name) = (padded(grade.member.key.as_str(), keys), padded(name, width));
        let open = if grade.open { "  open" } else { "" };
        writeln!(out, "{key}  {name}  {:>6} / {}{open}", grade.points.to_string(), grade.maximum)?;
    }
    let open = grades.iter().filter(|grade| grade.open).count();
    writeln!(out, "{} people, {open} with open parts", grades.len())
}

fn show_changes(changes: &[Change], out: &mut dyn Write) -> std::io::Result<()> {
    for change in changes {
        writeln!(out, "{}: {} -> {}", change.key, change.before, change.after)?;
        for reason in &change.reasons {
            writeln!(out, "    {}", Untrusted::new(reason.line(Lang::English)).shown(200))?;
        }
    }
    writeln!(out, "{} grades would change", changes.len())
}

fn show_written(written: &Written, mail: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let Written { archives, without_page, mails, without_address } = written;
    match &archives[..] {
        [] => writeln!(out, "No feedback archive: this platform takes none; use --mail")?,
        [one] => writeln!(out, "{one}: pages for the platform")?,
        [first, .., last] => writeln!(out, "{first} to {last}: pages for the platform")?,
    }
    if !archives.is_empty() && !without_page.is_empty() {
        writeln!(out, "The platform takes no page for {}", without_page.join(", "))?;
    }
    if mail {
        writeln!(out, "{mails} mails; nothing was sent")?;
    }
    if !without_address.is_empty() {
        writeln!(out, "No address: {}", without_address.join(", "))?;
    }
    Ok(())
}

fn show_worksheet(graded: &Graded, out: &mut dyn Write) -> std::io::Result<()> {
    let Some((name, filled)) = &graded.worksheet else { return Ok(()) };
    let name = Untrusted::new(name.as_str()).shown(80);
    writeln!(out, "{name}: {} rows filled in", filled.filled)?;
    for (rows, what) in [
        (&filled.locked, "locked, not changed"),
        (&filled.unknown, "not in class.csv, not changed"),
        (&filled.absent, "not in the worksheet"),
    ] {
        for row in rows {
            writeln!(out, "{name}: {}: {what}", Untrusted::new(row.as_str()).shown(80))?;
        }
    }
    if filled.replaced_comments > 0 {
        writeln!(out, "{name}: {} comments replaced", filled.replaced_comments)?;
    }
    Ok(())
}
