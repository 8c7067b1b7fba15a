//! Grading of a class: evidence from results, and the files for a teacher and a platform.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_core::i18n::said;
use pitmaster_core::{BotName, Evidence as Traces, Fault, Record, Seed, Side, Untrusted};
use pitmaster_ratings::{Game, Ratings, Row, Significance, distinct_pairs};
use pitmaster_referee::describe_fault;
use pitmaster_season::Class;
use pitmaster_season::feedback::{self, Mail, WayBack, mails_csv};
use pitmaster_season::grading::{
    BotEvidence, Change, EloEvidence, Evidence, Grade, Parts, Reason, Scheme, grade, what_if,
};
use pitmaster_season::worksheet::{Filled, fill, grades_csv};
use pitmaster_store::{Readers, make_folder};

use crate::Error;
use crate::intake::{read_class, read_settings};
use crate::log::{self, Deed, Draft};
use crate::results::{Results, Summary};

/// Table of all grades.
const GRADES: &str = "grades.csv";
/// Table of all mails.
const MAILS: &str = "mail.csv";

/// Options of grading.
#[derive(Debug, Clone)]
pub struct GradeOptions {
    /// Results folder of the class's tournament.
    pub results: PathBuf,
    /// Folder of the class.
    pub class: PathBuf,
    /// Grading scheme.
    pub scheme: PathBuf,
    /// Manually assigned points.
    pub parts: Option<PathBuf>,
    /// Downloaded grading worksheet.
    pub worksheet: Option<PathBuf>,
    /// Another scheme to compare with.
    pub what_if: Option<PathBuf>,
    /// Assignment in a gradebook with several.
    pub column: Option<String>,
    /// Language of comments, pages and mails; `None` for that of the class.
    pub lang: Option<Lang>,
    /// Whether to write mails.
    pub mail: bool,
    /// Maximum size of an archive of feedback, in bytes; `None` for one archive of any size.
    pub split: Option<u64>,
}

/// Minimum of the size limit for feedback archives, in bytes. A page has at most 60 KB.
pub const SMALLEST_SPLIT: u64 = 100_000;

/// Grades of a class.
#[derive(Debug)]
pub struct Graded {
    /// The grades, by key.
    pub grades: Vec<Grade>,
    /// Path of the downloaded worksheet.
    download: Option<PathBuf>,
    /// The filled worksheet with its file name, if one was given.
    pub worksheet: Option<(String, Filled)>,
    /// Effect of the other scheme, if one was given.
    pub changes: Option<Vec<Change>>,
    title: String,
    /// Folders of the class and of the results.
    folders: [PathBuf; 2],
    lang: Lang,
    way_back: WayBack,
    mail: bool,
    split: Option<u64>,
}

/// Files written in addition to the grades.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Archives of feedback for the platform, by file name.
    pub archives: Vec<String>,
    /// Keys of people whose page the platform does not accept.
    pub without_page: Vec<String>,
    /// Number of mails.
    pub mails: usize,
    /// Keys of people without an address, if mails were requested.
    pub without_address: Vec<String>,
}

/// Grades a class. Writes nothing.
///
/// # Errors
/// A file cannot be read or has errors, or the scheme names a house bot that did not play.
pub fn grade_class(options: &GradeOptions) -> Result<Graded, Error> {
    let class = read_class(&options.class)?;
    let scheme = read_scheme(&options.scheme)?;
    let parts = read_parts(options.parts.as_deref(), &class)?;
    let results = Results::open(&options.results)?;
    let lang = match options.lang {
        Some(lang) => lang,
        None => read_settings(&options.class)?.language.unwrap_or_default(),
    };
    let evidence = evidence(&results, &class, lang)?;
    let graded =
        |scheme: &Scheme, path: &Path| grades_by(scheme, path, &results, &class, &evidence, &parts);
    let grades = graded(&scheme, &options.scheme)?;
    let changes = match &options.what_if {
        None => None,
        Some(path) => Some(what_if(&grades, &graded(&read_scheme(path)?, path)?)),
    };
    let worksheet = match &options.worksheet {
        None => None,
        Some(path) => {
            let filled = fill(&read(path)?, &grades, options.column.as_deref(), lang);
            let filled =
                filled.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))?;
            Some((name_of_filled(path), filled))
        }
    };
    let title = match results.tournament().title.as_str() {
        "" => feedback::default_title(lang),
        title => title.to_owned(),
    };
    let (way_back, mail, split) = (WayBack::of(&class), options.mail, options.split);
    let download = options.worksheet.clone();
    let folders = [options.class.clone(), options.results.clone()];
    Ok(Graded { grades, download, worksheet, changes, title, folders, lang, way_back, mail, split })
}

/// Grades a class list by the results of its tournament. Writes nothing; the same input gives the
/// same grades. `lang` is the language of reasons for missing games.
///
/// # Errors
/// A file cannot be read or has errors, or the scheme names a house bot that did not play.
pub fn grade_results(
    results: &Results,
    class: &Class,
    scheme: &Path,
    parts: Option<&Path>,
    lang: Lang,
) -> Result<Vec<Grade>, Error> {
    let (rules, parts) = (read_scheme(scheme)?, read_parts(parts, class)?);
    let evidence = evidence(results, class, lang)?;
    grades_by(&rules, scheme, results, class, &evidence, &parts)
}

/// Grades a class by a scheme from this path.
fn grades_by(
    scheme: &Scheme,
    path: &Path,
    results: &Results,
    class: &Class,
    evidence: &Evidence,
    parts: &Parts,
) -> Result<Vec<Grade>, Error> {
    let grades = grade(scheme, class, evidence, parts);
    let mut grades =
        grades.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))?;
    let seed = results.commitment().map(|(seed, hash)| seed_reason(seed, &hash));
    for grade in &mut grades {
        grade.reasons.extend(seed.clone());
    }
    Ok(grades)
}

fn read_parts(path: Option<&Path>, class: &Class) -> Result<Parts, Error> {
    let Some(path) = path else { return Ok(Parts::default()) };
    let parts = Parts::parse(&read(path)?, class);
    parts.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))
}

/// Name of the filled worksheet: that of the download, unless Pitmaster writes a file with that
/// name.
fn name_of_filled(download: &Path) -> String {
    let name = download.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_ours = [GRADES, MAILS].contains(&&*name);
    if is_ours { format!("worksheet-{name}") } else { name }
}

/// Reason stating that the games were not chosen after the bots were known.
fn seed_reason(seed: Seed, hash: &str) -> Reason {
    let why = said!(
        "{}, committed to before the tournament by its hash {}; `pitmaster seed check` compares them",
        seed.0,
        hash
    );
    Reason { what: "seed".into(), points: None, why }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| {
        Error::invalid(format!("cannot read {}: {error}; check the path", shown_path(path)))
    })
}

fn read_scheme(path: &Path) -> Result<Scheme, Error> {
    let text = String::from_utf8(read(path)?);
    let text = text.map_err(|_| Error::invalid(format!("{}: not UTF-8", shown_path(path))))?;
    Scheme::parse(&text)
        .map_err(|diagnostics| Error::TournamentFile { path: path.to_owned(), diagnostics })
}

impl Graded {
    /// Writes `grades.csv`, the worksheet, a page per person in `feedback/`, the archive
    /// `feedback.zip` for upload to the platform, and mails if requested. Only the owner can read
    /// them. The log of the class has an entry.
    ///
    /// # Errors
    /// The folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Written, Error> {
        let pages = folder.join("feedback");
        self.must_not_replace_the_download(folder)?;
        make_private(folder)?;
        make_private(&pages)?;
        let csv = table(grades_csv(&self.grades, self.lang))?;
        write_private(&folder.join(GRADES), &csv)?;
        if let Some((name, filled)) = &self.worksheet {
            write_private(&folder.join(name), &filled.content)?;
        }
        let mut written = Written::default();
        let mut named = Vec::new();
        for grade in &self.grades {
            let page = feedback::page(grade, &self.title, self.lang).into_bytes();
            write_private(&pages.join(format!("{}.html", grade.member.key)), &page)?;
            match self.way_back.page_name(&grade.member) {
                Some(name) => named.push((name, page)),
                None => written.without_page.push(grade.member.key.to_string()),
            }
        }
        written.archives = self.write_archives(folder, &named)?;
        if self.mail {
            self.write_mails(folder, &mut written)?;
        }
        let [class, results] = &self.folders;
        let digest = &blake3::hash(&csv).to_hex()[..32];
        let about = format!("{}, {GRADES} {digest}", shown_path(results));
        log::append(class, Draft::new(Deed::Grade, about))?;
        Ok(written)
    }

    /// Refuses a folder in which the filled worksheet would replace the downloaded one.
    fn must_not_replace_the_download(&self, folder: &Path) -> Result<(), Error> {
        let Some(((name, _), download)) = self.worksheet.as_ref().zip(self.download.as_ref())
        else {
            return Ok(());
        };
        let place = folder.join(name).canonicalize().ok();
        if place.is_some() && place == download.canonicalize().ok() {
            let (download, folder) = (shown_path(download), shown_path(folder));
            return Err(Error::invalid(format!(
                "{download} is in {folder}, and the filled worksheet would replace it; choose another \
                 folder with --into"
            )));
        }
        Ok(())
    }

    /// Writes the pages as archives of limited size, and removes those of an earlier run.
    fn write_archives(
        &self,
        folder: &Path,
        pages: &[(String, Vec<u8>)],
    ) -> Result<Vec<String>, Error> {
        remove_archives(folder)?;
        if pages.is_empty() {
            return Ok(Vec::new());
        }
        let groups = match self.split {
            None => std::iter::once(0..pages.len()).collect(),
            Some(most) => {
                let size = |page| Ok(archive_of(std::slice::from_ref(page))?.len() as u64);
                let sizes = pages.iter().map(size).collect::<Result<Vec<_>, Error>>()?;
                feedback::split(&sizes, most)
            }
        };
        let name = |number: usize| match self.split {
            None => "feedback.zip".to_owned(),
            Some(_) => format!("feedback-{number}.zip"),
        };
        let mut archives = Vec::new();
        for (number, group) in (1..).zip(groups) {
            write_private(&folder.join(name(number)), &archive_of(&pages[group])?)?;
            archives.push(name(number));
        }
        Ok(archives)
    }

    fn write_mails(&self, folder: &Path, written: &mut Written) -> Result<(), Error> {
        let place = folder.join("mail");
        make_private(&place)?;
        let mut mails = Vec::new();
        for grade in &self.grades {
            match Mail::new(grade, &self.title, self.lang) {
                Some(mail) => mails.push(mail),
                None => written.without_address.push(grade.member.key.to_string()),
            }
        }
        for mail in &mails {
            write_private(&place.join(format!("{}.eml", mail.key)), mail.to_eml().as_bytes())?;
        }
        written.mails = mails.len();
        write_private(&folder.join(MAILS), &table(mails_csv(&mails))?)
    }
}

fn table<E: std::fmt::Display>(table: Result<Vec<u8>, E>) -> Result<Vec<u8>, Error> {
    table.map_err(|error| Error::Internal(error.to_string()))
}

/// An archive of pages. The same pages give the same bytes: entries have no time of day.
fn archive_of(pages: &[(String, Vec<u8>)]) -> Result<Vec<u8>, Error> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for (name, page) in pages {
        archive.start_file(name, options).map_err(std::io::Error::from)?;
        archive.write_all(page)?;
    }
    Ok(archive.finish().map_err(std::io::Error::from)?.into_inner())
}

/// Removes the archives of an earlier run, which may be more numerous.
fn remove_archives(folder: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(|error| cannot_write(folder, &error))? {
        let path = entry.map_err(|error| cannot_write(folder, &error))?.path();
        if is_feedback_archive(&path) {
            fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    Ok(())
}

/// Whether a file is named like an archive of pages: `feedback.zip` or `feedback-2.zip`.
pub(crate) fn is_feedback_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let middle = name.strip_prefix("feedback").and_then(|name| name.strip_suffix(".zip"));
    let number = middle.map(|middle| middle.strip_prefix('-').unwrap_or(middle));
    number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn make_private(folder: &Path) -> Result<(), Error> {
    make_folder(folder, Readers::Owner).map_err(|error| cannot_write(folder, &error))
}

/// Writes a file that only its owner can read. The file appears under its name once it is complete.
///
/// # Errors
/// The file cannot be written.
pub fn write_private(path: &Path, content: &[u8]) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = path.with_file_name(format!(".{name}.part"));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(&part)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    written.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::stopped(format!("cannot write {}: {error}; check the folder", shown_path(path)))
}

/// Gathers the evidence of a tournament. The bots of a class are named by their keys.
fn evidence(results: &Results, class: &Class, lang: Lang) -> Result<Evidence, Error> {
    let summary = results.summary()?;
    let games = summary.played.games();
    let house = results.house();
    let planned_pairs = results.planned_pairs();
    let mut evidence = Evidence { planned_pairs, ..Evidence::default() };
    for row in &summary.standings.rows {
        let name = summary.roster.name(row.bot);
        if house.contains(name) {
            evidence.house.insert(name.clone(), row.elo.map(|elo| elo.elo));
        } else if class.member(name).is_some() {
            let bot = bot_evidence(row, &summary, house, games);
            evidence.bots.insert(name.clone(), bot);
        }
    }
    for bot in &summary.left_out {
        let cannot_play = BotEvidence { cannot_play: bot.why(), ..BotEvidence::default() };
        evidence.bots.insert(bot.id.name.clone(), cannot_play);
    }
    never_played(results, &mut evidence, lang)?;
    if let Some(ratings) = &summary.standings.ratings {
        evidence.ranks = ranks(&evidence, &summary, ratings);
    }
    Ok(evidence)
}

fn bot_evidence(row: &Row, summary: &Summary, house: &[BotName], games: &[Game]) -> BotEvidence {
    let kinds = row.forfeits.iter().zip(Fault::NAMES.iter().copied().chain(["other"]));
    let kinds = kinds.filter(|(count, _)| **count > 0);
    let bots = 0..summary.roster.len() as u32;
    let opponents = bots.filter(|bot| house.contains(summary.roster.name(*bot)));
    BotEvidence {
        cannot_play: String::new(),
        games: row.games,
        forfeits: kinds.map(|(count, kind)| (kind.to_owned(), *count)).collect(),
        pairs: opponents
            .map(|other| {
                let pairs = distinct_pairs(games, row.bot, other);
                (summary.roster.name(other).clone(), pairs)
            })
            .collect(),
        elo: row.elo.map(|elo| EloEvidence { value: elo.elo, low: elo.low, high: elo.high }),
    }
}

/// Ranks of the bots that could play: one more than the number of those that are significantly
/// stronger.
fn ranks(evidence: &Evidence, summary: &Summary, ratings: &Ratings) -> BTreeMap<BotName, u32> {
    let number = |name: &BotName| {
        (0..summary.roster.len() as u32).find(|bot| summary.roster.name(*bot) == name)
    };
    let playing = evidence.bots.iter().filter(|(_, bot)| bot.cannot_play.is_empty());
    let rated = playing.filter_map(|(name, bot)| Some((bot.elo?.value, name, number(name)?)));
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let bots: Vec<_> = rated.iter().map(|(_, _, bot)| *bot).collect();
    let ranks = Significance::new(ratings, &bots).ranks();
    rated.iter().map(|(_, name, _)| (*name).clone()).zip(ranks).collect()
}

/// Finds the reason why bots that took part forfeited every game without a start.
fn never_played(results: &Results, evidence: &mut Evidence, lang: Lang) -> Result<(), Error> {
    let never = |bot: &BotEvidence| {
        let starts = |kind: &str| ["did-not-build", "would-not-start"].contains(&kind);
        let count = bot.forfeits.iter().filter(|(kind, _)| starts(kind)).map(|(_, n)| n);
        bot.games > 0 && count.sum::<u32>() == bot.games
    };
    let mut reasons: BTreeMap<BotName, String> = {
        let bots = evidence.bots.iter().filter(|(_, bot)| never(bot));
        bots.map(|(name, _)| (name.clone(), String::new())).collect()
    };
    if reasons.is_empty() {
        return Ok(());
    }
    results.for_each(|attempt| {
        for side in Side::BOTH {
            let reason = reasons.get_mut(&attempt.record.key.bots[side].name);
            if let Some(reason) = reason.filter(|reason| reason.is_empty()) {
                *reason = why(&attempt.record, side, lang);
            }
        }
        Ok(())
    })?;
    for (name, reason) in reasons {
        if let Some(bot) = evidence.bots.get_mut(&name) {
            bot.cannot_play = reason;
        }
    }
    Ok(())
}

fn why(record: &Record, side: Side, lang: Lang) -> String {
    let fault = describe_fault(record, side).map(|fault| Untrusted::new(fault.to(lang)).shown(400));
    let stderr = |traces: &Traces| traces.stderr.shown_lines(8000);
    let lines = record.evidence[side].iter().map(stderr).filter(|text| !text.is_empty());
    let lines: Vec<_> = fault.into_iter().chain(lines).collect();
    if lines.is_empty() { "the bot never started".to_owned() } else { lines.join("\n") }
}
