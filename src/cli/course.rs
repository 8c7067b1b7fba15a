//! `pitmaster course`: administration of a practice server's course on the command line.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use pitmaster_core::i18n::{Lang, said};
use pitmaster_core::{Seed, Untrusted};
use pitmaster_report::Sheet;
use pitmaster_season::course::Role;
use pitmaster_server::database::{self, Act, By, DatabaseError, Imported, Restored};
use pitmaster_server::finals::FinalError;
use pitmaster_server::grades::{CourseGrades, EXAMPLE, GradesError};
use pitmaster_server::player::PlayerError;
use pitmaster_server::service::{self, Invited, ToErase, WantedFinal, now};
use pitmaster_server::students;
use pitmaster_session::practice::FinalSettings;
use pitmaster_session::{game, write_private};
use pitmaster_store::{Readers, make_folder};
use pitmaster_tournament::parse_duration;

use super::lang::LangFlag;
use super::{Exit, Failure, Outcome};

const EXAMPLES: &str = "\
Examples:
  pitmaster course invite my-school --group g1 --count 2   codes for two students of group g1
  pitmaster course invite my-school --role assistant       a code for an assistant
  pitmaster course invite my-school --login ada            a code for a new passphrase of ada's
  pitmaster course import my-school students.csv           codes for all rows of a list
  pitmaster course freeze my-school project-1              freeze what counts at a deadline
  pitmaster course final my-school project-1               write the tournament of what is frozen
  pitmaster course grades my-school --into grades          the files of its grades
  pitmaster course backup my-school                        one copy of the database, now
  pitmaster course restore my-school                       list the backups
  pitmaster course restore my-school my-school/backups/season-20261124T031500000Z.db
  pitmaster course erase my-school ada --yes               erase a person

The server must not be running. While it is, its pages do the same, except erase and restore.";

const FREEZE_EXAMPLES: &str = "\
Examples:
  pitmaster course freeze my-school \"Project 1\"
  pitmaster course freeze my-school project-1     the name of its file is enough

Every group gets the version that was in time. If some are still examined, the exit code is 4,
and freezing again decides for the rest. What is frozen stays.";

const GRADES_EXAMPLES: &str = "\
Examples:
  pitmaster course grades my-school                     show the grades by the latest final
  pitmaster course grades my-school --into grades       and write the files
  pitmaster course grades my-school --final project-1_2 --publish

  grades/grades.csv        id, name, email, grade, max, comment
  grades/moodle.csv        for Moodle's import of grades: ID number or email address
  grades/gradescope.json   for each person what an autograder writes into results.json

The rules are in my-school/grades/COURSE/grading.toml, in the form of `pitmaster grade`. Points
that are given by hand are in parts.csv beside it: a column id (student number, otherwise mail)
or key (bot), and a column for each part. An example of the rules:";

fn grades_examples() -> String {
    format!("{GRADES_EXAMPLES}\n\n{}", EXAMPLE.trim_end())
}

const ERASE_EXAMPLES: &str = "\
Examples:
  pitmaster course erase my-school ada            show who that is
  pitmaster course erase my-school ada --yes      erase her
  pitmaster course erase my-school --due          show whose last course closed a year ago

Name, login, student number, mail, passphrase, sessions, tokens, notes, published grades and
addresses are removed. Versions and games stay under a pseudonym, so that the results of others
do not change.";

/// Invites people to a course, freezes, writes finals, grades, and looks after the database
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Prints codes with which people join
    #[command(after_help = EXAMPLES)]
    Invite(InviteArgs),
    /// Imports a list of students, a row each: number, name, mail, group; prints their codes
    #[command(after_help = EXAMPLES)]
    Import(ImportArgs),
    /// Freezes what counts at a deadline that has passed
    #[command(after_help = FREEZE_EXAMPLES)]
    Freeze(FreezeArgs),
    /// Writes the tournament file of a final: what is frozen at a deadline, at the official clock
    #[command(after_help = EXAMPLES)]
    Final(FinalArgs),
    /// Grades students by the results of a final and the rules in grades/COURSE/grading.toml
    #[command(after_help = grades_examples())]
    Grades(GradesArgs),
    /// Erases people: all that is known of them but a pseudonym
    #[command(after_help = ERASE_EXAMPLES)]
    Erase(EraseArgs),
    /// Backs up the database into the folder's backups, besides the one of each day
    #[command(after_help = EXAMPLES)]
    Backup(BackupArgs),
    /// Puts a backup in place of the database, which is set aside
    #[command(after_help = EXAMPLES)]
    Restore(RestoreArgs),
}

#[derive(Debug, clap::Args)]
struct InviteArgs {
    /// Folder of the course
    folder: PathBuf,
    /// Role of the invited
    #[arg(long, value_enum, default_value = "student")]
    role: RoleArg,
    /// Group of the students; it is created if there is none of that name
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Number of codes; each makes one account
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    count: u32,
    /// Member who forgot the passphrase and gets a code for a new one, also of the staff: a login,
    /// student number or mail address
    #[arg(long, value_name = "WHO", conflicts_with_all = ["role", "group", "count"])]
    login: Option<String>,
    /// Course in the folder [default: the newest]
    #[arg(long, value_name = "NAME")]
    course: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct ImportArgs {
    /// Folder of the course
    folder: PathBuf,
    /// The list, with commas, semicolons or tabs; titles in its first row are left out
    #[arg(value_name = "CSV")]
    list: PathBuf,
    /// Course in the folder [default: the newest]
    #[arg(long, value_name = "NAME")]
    course: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct BackupArgs {
    /// Folder of the course
    folder: PathBuf,
}

#[derive(Debug, clap::Args)]
struct FinalArgs {
    /// Folder of the course
    folder: PathBuf,
    /// Name of the deadline; what counts at it is frozen if that was not done
    deadline: String,
    /// Pairs of games between every two bots
    #[arg(long, value_name = "N", default_value_t = FinalSettings::PAIRS,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Time limit per move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    per_move: Duration,
    /// Seed of all randomness [default: one that nobody can predict]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: Option<u64>,
    /// Course in the folder [default: the newest]
    #[arg(long, value_name = "NAME")]
    course: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct FreezeArgs {
    /// Folder of the course
    folder: PathBuf,
    /// Name of the deadline
    deadline: String,
    /// Course in the folder [default: the newest]
    #[arg(long, value_name = "NAME")]
    course: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct GradesArgs {
    /// Folder of the course
    folder: PathBuf,
    /// Final with results [default: the one that is shown, or the latest]
    #[arg(long = "final", value_name = "NAME")]
    final_name: Option<String>,
    /// Folder for the files; without it, nothing is written
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Show students their grades on their page
    #[arg(long)]
    publish: bool,
    /// Course in the folder [default: the newest]
    #[arg(long, value_name = "NAME")]
    course: Option<String>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct EraseArgs {
    /// Folder of the course
    folder: PathBuf,
    /// Logins, student numbers, mail addresses or ids
    #[arg(value_name = "PERSON", required_unless_present = "due")]
    people: Vec<String>,
    /// Everybody whose last course closed a year ago
    #[arg(long, conflicts_with = "people")]
    due: bool,
    /// Erase them; without it, they are only listed
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, clap::Args)]
struct RestoreArgs {
    /// Folder of the course
    folder: PathBuf,
    /// The backup; without it, all of them are listed
    backup: Option<PathBuf>,
    #[command(flatten)]
    lang: LangFlag,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum RoleArg {
    /// Is responsible for the course
    Teacher,
    /// Looks after groups and what they hand in
    Assistant,
    /// Hands in bots
    Student,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.what {
        What::Invite(args) => invite(args, out),
        What::Import(args) => import(args, out),
        What::Freeze(args) => freeze(args, out),
        What::Final(args) => write_final(args, out),
        What::Grades(args) => grade(args, out),
        What::Erase(args) => erase(args, out),
        What::Backup(args) => {
            writeln!(out, "{}", service::back_up(&args.folder, now())?.display())?;
            Ok(Exit::Done)
        }
        What::Restore(args) => restore(args, out),
    }
}

fn invite(args: &InviteArgs, out: &mut dyn Write) -> Outcome {
    if let Some(login) = &args.login {
        let code = service::renew_code(&args.folder, args.course.as_deref(), login, now())?;
        writeln!(out, "{}", code.reveal())?;
        let said = said!(
            "With the code, a new passphrase is chosen at /join within 30 days. It is shown only here."
        );
        super::progress::say(&said.to(args.lang.lang()));
        return Ok(Exit::Done);
    }
    let role = match args.role {
        RoleArg::Teacher => Role::Teacher,
        RoleArg::Assistant => Role::Assistant,
        RoleArg::Student => Role::Student,
    };
    let (course, group) = (args.course.clone(), args.group.clone());
    let invited = Invited { course, role, group, count: args.count };
    let codes = service::invite(&args.folder, &invited, now())?;
    for code in codes {
        writeln!(out, "{}", code.reveal())?;
    }
    tell_of_codes(args.lang.lang());
    Ok(Exit::Done)
}

/// Prints a hint for people on standard error, so that standard output contains only codes.
fn tell_of_codes(lang: Lang) {
    let said = said!(
        "Each code makes one account, at /join or with `pitmaster join`, within 30 days. It is shown \
         only here."
    );
    super::progress::say(&said.to(lang));
}

fn import(args: &ImportArgs, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let path = args.list.display();
    let wrong = |why: String| Failure::wrong(format!("{path}: {why}"));
    let text = game::text(&args.list).map_err(wrong)?;
    let rows = students::read_list(&text).map_err(|why| wrong(why.to(lang)))?;
    let imported = service::import(&args.folder, args.course.as_deref(), rows, now())?;
    let mut sheet = Sheet::new(out, ["number", "name", "group", "code"])?;
    for Imported { row, code } in &imported {
        sheet.text(&row.student_no)?;
        sheet.text(&row.name)?;
        sheet.text(&row.group)?;
        // People with an account need no code.
        sheet.text(code.as_ref().map_or("", |code| code.reveal()))?;
        sheet.end_row()?;
    }
    sheet.finish()?;
    tell_of_codes(lang);
    Ok(Exit::Done)
}

fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|fault| fault.to_string())
}

fn write_final(args: &FinalArgs, out: &mut dyn Write) -> Outcome {
    let (course, deadline) = (args.course.clone(), args.deadline.clone());
    let (pairs, per_move, seed) = (args.pairs, args.per_move, args.seed.map(Seed));
    let wanted = WantedFinal { course, deadline, pairs, per_move, seed };
    let written = service::write_final(&args.folder, &wanted, now())?;
    let file = written.file.display().to_string();
    writeln!(
        out,
        "{}",
        said!("wrote {}; change it if you like, and play it:", file).to(args.lang.lang())
    )?;
    writeln!(out, "  {}", written.command())?;
    Ok(Exit::Done)
}

fn freeze(args: &FreezeArgs, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let frozen = service::freeze(&args.folder, args.course.as_deref(), &args.deadline, now())?;
    let said = said!("frozen: versions of {} of {} groups", frozen.versions, frozen.groups);
    writeln!(out, "{}", said.to(lang))?;
    if frozen.waiting.is_empty() {
        return Ok(Exit::Done);
    }
    let waiting = frozen.waiting.join(", ");
    Err(Failure::stopped(
        said!(
            "versions of these groups are still examined: {}; serve the course until they are, and \
             freeze again",
            waiting
        )
        .to(lang),
    ))
}

fn grade(args: &GradesArgs, out: &mut dyn Write) -> Outcome {
    let (course, wanted) = (args.course.as_deref(), args.final_name.as_deref());
    let graded = service::grade(&args.folder, course, wanted, args.publish, now())?;
    if let Some(folder) = &args.into {
        write_grades(folder, &graded)?;
    }
    let lang = args.lang.lang();
    show_grades(&graded, out)?;
    if let Some(missing) = graded.missing.filter(|missing| *missing > 0) {
        let name = &graded.final_name;
        let said = said!("{} games of the final {} are missing", missing.to_string(), name);
        super::progress::say(&said.to(lang));
    }
    Ok(Exit::Done)
}

fn write_grades(folder: &Path, graded: &CourseGrades) -> Result<(), Failure> {
    make_folder(folder, Readers::Owner).map_err(|error| {
        Failure::stopped(format!("cannot write {}: {error}; check the folder", folder.display()))
    })?;
    for (name, content) in graded.files()? {
        write_private(&folder.join(name), &content)?;
    }
    Ok(())
}

fn show_grades(graded: &CourseGrades, out: &mut dyn Write) -> Result<(), Failure> {
    let mut sheet = Sheet::new(out, ["name", "group", "bot", "grade", "max", "open"])?;
    for row in &graded.rows {
        let grade = &row.grade;
        sheet.text(&grade.member.name)?;
        sheet.text(&row.group)?;
        sheet.text(row.bot.as_ref().map_or("", |bot| bot.as_str()))?;
        sheet.text(&grade.points.to_string())?;
        sheet.text(&grade.maximum.to_string())?;
        sheet.text(if grade.open { "yes" } else { "no" })?;
        sheet.end_row()?;
    }
    Ok(sheet.finish()?)
}

fn erase(args: &EraseArgs, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let who = if args.due { ToErase::Due } else { ToErase::People(args.people.clone()) };
    let people = service::erase(&args.folder, &who, args.yes, now())?;
    for person in &people {
        let known = &person.known;
        let login = known.login.as_deref().unwrap_or("–");
        let name = Untrusted::new(known.name.as_str()).shown(80);
        writeln!(out, "{name}\t{login}\t{}", person.id)?;
    }
    let said = match (people.is_empty(), args.yes) {
        (true, _) => said!("nobody is to be erased"),
        (false, true) => said!(
            "erased; backups have them until they are replaced, and restoring one erases them again"
        ),
        (false, false) => said!("give --yes to erase them; this cannot be undone"),
    };
    super::progress::say(&said.to(lang));
    Ok(Exit::Done)
}

fn restore(args: &RestoreArgs, out: &mut dyn Write) -> Outcome {
    let lang = args.lang.lang();
    let Some(backup) = &args.backup else { return list(&args.folder, lang, out) };
    let act = Act { by: By::Operator, at: now(), address: None };
    let Restored { set_aside, erased_again } = database::restore(&args.folder, backup, act)?;
    let restored = said!("restored {}", backup.display().to_string());
    writeln!(out, "{}", restored.to(lang))?;
    if let Some(path) = set_aside {
        let said = said!("the database that was there is now {}", path.display().to_string());
        writeln!(out, "{}", said.to(lang))?;
    }
    let said = match erased_again {
        Some(0) => return Ok(Exit::Done),
        Some(people) => said!("people who were erased since, and were erased again: {}", people),
        None => said!(
            "the database that was there cannot be read: erase again whoever was erased since the \
             backup was made"
        ),
    };
    writeln!(out, "{}", said.to(lang))?;
    Ok(Exit::Done)
}

fn list(folder: &Path, lang: Lang, out: &mut dyn Write) -> Outcome {
    let backups = folder.join("backups");
    let entries = std::fs::read_dir(&backups).into_iter().flatten().flatten();
    let is_backup = |path: &PathBuf| path.extension().is_some_and(|end| end == "db");
    let mut all: Vec<_> = entries.map(|entry| entry.path()).filter(is_backup).collect();
    if all.is_empty() {
        return Err(Failure::wrong(
            said!("{} holds no backups", backups.display().to_string()).to(lang),
        ));
    }
    all.sort();
    for path in all {
        writeln!(out, "{}", path.display())?;
    }
    Ok(Exit::Done)
}

impl From<DatabaseError> for Failure {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::Taken { .. }
            | DatabaseError::Full { .. }
            | DatabaseError::Busy
            | DatabaseError::Closed => Self::stopped(error),
            DatabaseError::Bug | DatabaseError::Database { .. } => Self::fault(error),
            _ => Self::wrong(error),
        }
    }
}

impl From<FinalError> for Failure {
    fn from(error: FinalError) -> Self {
        match error {
            FinalError::Database(error) => error.into(),
            FinalError::Session(error) => error.into(),
            FinalError::Write { .. } => Self::stopped(error),
            FinalError::TooFew | FinalError::NoDeadline { .. } => Self::wrong(error),
        }
    }
}

impl From<GradesError> for Failure {
    fn from(error: GradesError) -> Self {
        match error {
            GradesError::Database(error) => error.into(),
            GradesError::Session(error) => (*error).into(),
            GradesError::Unfinished { .. } => Self::stopped(error),
            GradesError::NoRules { .. } => {
                Self::wrong(format!("{error} `pitmaster course grades --help` has an example"))
            }
            GradesError::NoFinal { .. } => Self::wrong(error),
        }
    }
}

impl From<PlayerError> for Failure {
    fn from(error: PlayerError) -> Self {
        match error {
            PlayerError::Session(error) => error.into(),
            PlayerError::Database(error) => error.into(),
            PlayerError::NoLadder => Self::wrong(error),
            PlayerError::Panicked => Self::fault(error),
        }
    }
}
