//! `pitmaster standings`: tables of a tournament, or of games in a CSV file.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::{Message, said};
use pitmaster_ratings::{Matches, Model, Ranking, Ratings, Standings};
use pitmaster_report::{
    self as report, CsvForm, Forfeits, GameSample, LeftOut, Listing, Names, Times, Workers,
};
use pitmaster_session::{Results, Summary};

use super::lang::LangFlag;
use super::rating_flags::{self, FitFlags};
use super::watcher::Watcher;
use super::{Exit, Failure, Outcome, terminal_width};

const EXAMPLES: &str = "\
Examples:
  pitmaster standings results/demo             also during the run
  pitmaster standings results/demo --files     rewrite the CSV files
  pitmaster standings games.csv                games from any source
  pitmaster standings results/demo --by side   or by opponent, opening, ending, time
  pitmaster standings results/demo --by opening --bot my-bot
  pitmaster standings results/demo --superiority
                                               likelihood of superiority of every two bots
  pitmaster standings results/demo --workers   compare forfeit rates of the machines
  pitmaster standings results/demo --format markdown --columns rank,bot,points,elo
                                               for a chat or a page
  pitmaster standings results/demo --csv excel-fr -o table.csv
                                               CSV that a French Excel opens directly
  pitmaster standings results/demo --anchor house-random=1000
  pitmaster standings results/demo --fit ml --intervals profile

A file of games is CSV with a header. Its columns are bot1 and bot2 (or player1 and player2, white
and black), and result (player-1, player-2, draw, both-lost, or 1-0, 0-1, 1/2-1/2) or winner (a
name, or empty for a draw). The columns pair, stage, round, opening, ending, forfeited_by and plies
are optional; others are ignored.";

/// Shows the standings of a tournament, also during its run, or of games in a CSV file
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Args {
    /// Results folder of a tournament, or a CSV file of games
    source: PathBuf,
    /// Rewrite leaderboard.csv and the other results files, with the default fit
    #[arg(long)]
    files: bool,
    /// List all forfeits by kind, with their evidence
    #[arg(long)]
    forfeits: bool,
    /// Show results broken down by this, instead of the standings
    #[arg(long, value_name = "WHAT", value_enum)]
    by: Option<By>,
    /// With --by, show only this bot
    #[arg(long, value_name = "NAME", requires = "by")]
    bot: Option<String>,
    /// Show the likelihood of superiority of every two bots, instead of the standings
    #[arg(long, conflicts_with = "by")]
    superiority: bool,
    /// Show the machines that played and compare their forfeit rates, instead of the standings
    #[arg(long, conflicts_with_all = ["by", "superiority"])]
    workers: bool,
    /// Output format [default: text]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// CSV for a spreadsheet that cannot read the default CSV
    #[arg(long, value_enum, value_name = "SPREADSHEET")]
    csv: Option<Spreadsheet>,
    /// Columns to show, in this order, by their names in CSV: rank,bot,points,elo
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
    /// Output file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    lang: LangFlag,
    #[command(flatten)]
    fit: FitFlags,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Player 1 or player 2
    Side,
    /// Opponents of a bot
    Opponent,
    /// Openings of the games
    Opening,
    /// Endings, with forfeits by kind
    Ending,
    /// Times of moves; only for results folders, because files of games have no times
    Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Table for a terminal
    Text,
    /// Same as leaderboard.csv
    Csv,
    /// One document, including the notes below the table
    Json,
    /// Table for a chat or a page
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Spreadsheet {
    /// French Excel: byte order mark, semicolons, decimal commas
    ExcelFr,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let form = args.form()?;
    let mut field = Field::read(args)?;
    field.fit(&args.fit)?;
    let mut table = field.table(args)?;
    if !args.columns.is_empty() {
        table = table.select(&args.columns).map_err(Failure::wrong)?;
    }
    let shown = Shown { title: &field.title, table, forfeits: field.forfeits.as_ref() };
    match &args.output {
        None => shown.write(args, form, out)?,
        Some(path) => {
            let mut file = BufWriter::new(create(path)?);
            shown.write(args, form, &mut file)?;
            file.flush()?;
        }
    }
    Ok(Exit::Done)
}

fn create(path: &Path) -> Result<File, Failure> {
    pitmaster_store::create_file(path).map_err(|error| {
        Failure::wrong(format!("cannot write {} ({error}); check the path", shown_path(path)))
    })
}

impl Args {
    /// Output format.
    fn form(&self) -> Result<Format, Failure> {
        let form = match (self.format, self.csv) {
            (None | Some(Format::Csv), Some(_)) => Format::Csv,
            (Some(_), Some(_)) => {
                return Err(Failure::wrong(
                    "--csv cannot be combined with another --format; leave one of them out",
                ));
            }
            (form, None) => form.unwrap_or(Format::Text),
        };
        if self.forfeits && form != Format::Text {
            return Err(Failure::wrong(
                "--forfeits supports only text; leave --format out, or use --by ending",
            ));
        }
        Ok(form)
    }
}

/// Data of the tables.
struct Field {
    title: String,
    names: Names,
    played: GameSample,
    standings: Standings,
    model: Model,
    left_out: Vec<LeftOut>,
    /// Notes on isolation or on data missing in a file.
    notes: Vec<Message>,
    /// Only results folders have times.
    times: Option<Times>,
    forfeits: Option<Forfeits>,
    workers: Option<Workers>,
}

impl Field {
    fn read(args: &Args) -> Result<Self, Failure> {
        let source = &args.source;
        let is_file = source.is_file() || source.extension().is_some_and(|ending| ending == "csv");
        if is_file { Self::of_file(args) } else { Self::of_results(args) }
    }

    fn of_results(args: &Args) -> Result<Self, Failure> {
        let results = Results::open(&args.source)?;
        let summary = if args.files {
            results.write_files(args.lang.lang(), &Watcher::people())?
        } else {
            results.summary()?
        };
        let model = results.model(&summary.roster);
        let (title, notes) = (results.tournament().title.clone(), summary.notes());
        let Summary { names, played, standings, times, forfeits, workers, left_out, .. } = summary;
        let (times, forfeits, workers) = (Some(times), Some(forfeits), Some(workers));
        Ok(Self {
            title,
            names,
            played,
            standings,
            model,
            left_out,
            notes,
            times,
            forfeits,
            workers,
        })
    }

    fn of_file(args: &Args) -> Result<Self, Failure> {
        let path = shown_path(&args.source);
        for (asked, option) in [(args.files, "--files"), (args.forfeits, "--forfeits")] {
            if asked {
                let message = format!("{option} requires a results folder, but {path} is a file");
                return Err(Failure::wrong(format!("{message}; leave it out")));
            }
        }
        let file = File::open(&args.source).map_err(|error| {
            Failure::wrong(format!("cannot read {path}: {error}; check the path"))
        })?;
        let report::GamesRead { names, played, has_moves } =
            report::read_games(file).map_err(|faults| {
                let lines: Vec<_> = faults.iter().map(|fault| format!("{path}:{fault}")).collect();
                Failure::wrong(lines.join("\n"))
            })?;
        let model = Model::default();
        let ranking = Ranking::default();
        let standings = Standings::rated(names.len(), played.games(), &ranking, &model);
        let unknown = said!("The file has no moves: all games count as distinct.");
        let notes = if has_moves { Vec::new() } else { vec![unknown] };
        let (title, left_out) = (String::new(), Vec::new());
        let (times, forfeits, workers) = (None, None, None);
        Ok(Self {
            title,
            names,
            played,
            standings,
            model,
            left_out,
            notes,
            times,
            forfeits,
            workers,
        })
    }

    /// Refits Elo if any option of the fit is set.
    fn fit(&mut self, flags: &FitFlags) -> Result<(), Failure> {
        if flags.is_default() {
            return Ok(());
        }
        let model = flags.model(self.model.clone(), &self.names)?;
        let games = self.played.games();
        let ratings = Ratings::fit(self.names.len(), games, &Matches::new(games), &model);
        self.standings.rate(ratings);
        Ok(())
    }

    fn table(&self, args: &Args) -> Result<Listing, Failure> {
        let Self { names, standings, .. } = self;
        let bot = args.bot.as_ref().map(|name| rating_flags::bot(name, names)).transpose()?;
        let by = |by| report::breakdown(by, &self.played, standings, names, bot);
        let mut table = match args.by {
            Some(By::Side) => by(report::By::Side),
            Some(By::Opponent) => by(report::By::Opponent),
            Some(By::Opening) => by(report::By::Opening),
            Some(By::Ending) => by(report::By::Ending),
            Some(By::Time) => self.times()?.listing(standings, names, bot),
            None if args.workers => self.workers()?.listing(),
            None if args.superiority => report::superiority(standings, names),
            None => report::leaderboard(standings, names),
        };
        if args.by.is_some() || args.workers || args.superiority {
            for note in report::left_out_notes(&self.left_out) {
                table.note(note);
            }
        } else {
            table.add_left_out(&self.left_out);
        }
        self.notes.iter().for_each(|note| table.note(note.clone()));
        Ok(table)
    }

    fn workers(&self) -> Result<&Workers, Failure> {
        self.workers.as_ref().ok_or_else(|| {
            Failure::wrong(
                "a file of games has no machines; name the results folder of the games instead",
            )
        })
    }

    fn times(&self) -> Result<&Times, Failure> {
        self.times.as_ref().ok_or_else(|| {
            Failure::wrong(
                "a file of games has no times; name the results folder of the games instead",
            )
        })
    }
}

/// Output of the command.
struct Shown<'a> {
    title: &'a str,
    table: Listing,
    forfeits: Option<&'a Forfeits>,
}

impl Shown<'_> {
    fn write(&self, args: &Args, form: Format, mut out: &mut dyn Write) -> Result<(), Failure> {
        match form {
            Format::Text => self.text(args, out)?,
            Format::Csv if args.csv.is_some() => self.table.csv(CsvForm::ExcelFr, &mut out)?,
            Format::Csv => self.table.csv(CsvForm::Plain, &mut out)?,
            Format::Json => self.table.json(self.title, &mut out)?,
            Format::Markdown => self.table.markdown(self.title, args.lang.lang(), out)?,
        }
        Ok(())
    }

    fn text(&self, args: &Args, out: &mut dyn Write) -> std::io::Result<()> {
        let lang = args.lang.lang();
        let width = if args.output.is_some() { usize::MAX } else { terminal_width() };
        if !self.title.is_empty() {
            writeln!(out, "{}", self.title)?;
        }
        write!(out, "{}", self.table.render(width, lang))?;
        if args.forfeits
            && let Some(forfeits) = self.forfeits
        {
            write!(out, "\n{}", forfeits.render(width, lang))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// Some flags require others in ways that clap cannot express.
    #[test]
    fn the_examples_of_the_help_are_accepted() {
        let mut names = Names::default();
        names.push("house-random", "");
        let lines: Vec<_> = EXAMPLES
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("pitmaster "))
            .filter_map(|line| line.split("  ").next())
            .collect();
        assert!(lines.len() > 8, "{lines:?}");
        for line in lines {
            let parsed = Line::try_parse_from(line.split_ascii_whitespace());
            let args = parsed.unwrap_or_else(|error| panic!("{line}: {error}")).args;
            args.fit.model(Model::default(), &names).unwrap_or_else(|failure| {
                panic!("{line}: {}", failure.message);
            });
        }
    }
}
