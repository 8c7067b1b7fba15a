//! Grading of a class: evidence from results, and the files for a teacher and a platform.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::shown_path;
use pitmaster_core::i18n::Lang;
use pitmaster_core::{BotName, Evidence as Traces, Fault, Record, Seed, Side, Untrusted};
use pitmaster_ratings::{Game, Ratings, Row, adjusted_by_holm, distinct_pairs};
use pitmaster_referee::describe_fault;
use pitmaster_season::Class;
use pitmaster_season::feedback::{self, ArchiveForm};
use pitmaster_season::grading::{
    BotEvidence, Change, EloEvidence, Evidence, Grade, Parts, Reason, Scheme, grade, what_if,
};
use pitmaster_season::worksheet::{Filled, fill, grades_csv};
use pitmaster_store::{Readers, make_folder};

use crate::Error;
use crate::intake::read_class;
use crate::log::{self, Deed, Draft};
use crate::results::{Results, Summary};

/// What to grade, and with which files.
#[derive(Debug, Clone)]
pub struct GradeOptions {
    /// Results folder of the class's tournament.
    pub results: PathBuf,
    /// Folder of the class.
    pub class: PathBuf,
    /// Grading scheme.
    pub scheme: PathBuf,
    /// Points given by hand.
    pub parts: Option<PathBuf>,
    /// Grading worksheet as downloaded.
    pub worksheet: Option<PathBuf>,
    /// Another scheme to compare with.
    pub what_if: Option<PathBuf>,
    /// Form of the names in the feedback archive.
    pub form: ArchiveForm,
}

/// Grades of a class.
#[derive(Debug)]
pub struct Graded {
    /// The grades, by key.
    pub grades: Vec<Grade>,
    /// The filled worksheet with its file name, if one was given.
    pub worksheet: Option<(String, Filled)>,
    /// Effect of the other scheme, if one was given.
    pub changes: Option<Vec<Change>>,
    title: String,
    form: ArchiveForm,
    class: PathBuf,
    results: PathBuf,
}

/// Grades a class. Writes nothing.
///
/// # Errors
/// A file cannot be read or has errors, or the scheme names a house bot that did not play.
pub fn grade_class(options: &GradeOptions) -> Result<Graded, Error> {
    let class = read_class(&options.class)?;
    let scheme = read_scheme(&options.scheme)?;
    let parts = match &options.parts {
        None => Parts::default(),
        Some(path) => {
            let parts = Parts::parse(&read(path)?, &class);
            parts.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))?
        }
    };
    let results = Results::open(&options.results)?;
    let evidence = evidence(&results, &class)?;
    let seed = results.commitment().map(|(seed, hash)| seed_reason(seed, &hash));
    let graded = |scheme: &Scheme, path: &Path| {
        let grades = grade(scheme, &class, &evidence, &parts);
        let mut grades =
            grades.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))?;
        grades.iter_mut().for_each(|grade| grade.reasons.extend(seed.clone()));
        Ok::<_, Error>(grades)
    };
    let grades = graded(&scheme, &options.scheme)?;
    let changes = match &options.what_if {
        None => None,
        Some(path) => Some(what_if(&grades, &graded(&read_scheme(path)?, path)?)),
    };
    let worksheet = match &options.worksheet {
        None => None,
        Some(path) => {
            let filled = fill(&read(path)?, &grades);
            let filled =
                filled.map_err(|error| Error::invalid(format!("{}: {error}", shown_path(path))))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Some((name, filled))
        }
    };
    let title = match results.tournament().title.as_str() {
        "" => "Feedback".to_owned(),
        title => title.to_owned(),
    };
    let (class, results) = (options.class.clone(), options.results.clone());
    Ok(Graded { grades, worksheet, changes, title, form: options.form, class, results })
}

/// Tells that the games could not have been chosen after the bots were known.
fn seed_reason(seed: Seed, hash: &str) -> Reason {
    let why = format!(
        "{}, committed to before the tournament by its hash {hash}; `pitmaster seed check` compares \
         them",
        seed.0
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
    /// Writes `grades.csv`, the worksheet, a page per person in `feedback/` and the archive
    /// `feedback.zip`. Only the owner can read them. The log of the class tells of it.
    ///
    /// # Errors
    /// The folder or a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let pages = folder.join("feedback");
        make_private(folder)?;
        make_private(&pages)?;
        let csv = grades_csv(&self.grades).map_err(|error| Error::Internal(error.to_string()))?;
        write_private(&folder.join("grades.csv"), &csv)?;
        if let Some((name, filled)) = &self.worksheet {
            write_private(&folder.join(name), &filled.content)?;
        }
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for grade in &self.grades {
            let page = feedback::page(grade, &self.title);
            write_private(&pages.join(format!("{}.html", grade.member.key)), page.as_bytes())?;
            if let Some(name) = feedback::archive_name(&grade.member, self.form) {
                // Without the time of day, so that the same input gives the same bytes.
                let options = zip::write::SimpleFileOptions::default()
                    .last_modified_time(zip::DateTime::default());
                archive.start_file(name, options).map_err(std::io::Error::from)?;
                archive.write_all(page.as_bytes())?;
            }
        }
        let archive = archive.finish().map_err(std::io::Error::from)?;
        write_private(&folder.join("feedback.zip"), archive.get_ref())?;
        let digest = &blake3::hash(&csv).to_hex()[..32];
        let about = format!("{}, grades.csv {digest}", shown_path(&self.results));
        log::append(&self.class, Draft::new(Deed::Grade, about))
    }
}

fn make_private(folder: &Path) -> Result<(), Error> {
    make_folder(folder, Readers::Owner).map_err(|error| cannot_write(folder, &error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Writes a file that only its owner can read. It gets its name once it is complete.
fn write_private(path: &Path, content: &[u8]) -> Result<(), Error> {
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

/// Gathers the evidence of a tournament. The bots of a class are called by their keys.
fn evidence(results: &Results, class: &Class) -> Result<Evidence, Error> {
    let summary = results.summary()?;
    let games = summary.played.games();
    let house = results.house();
    let mut evidence = Evidence::default();
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
    never_played(results, &mut evidence)?;
    if let Some(ratings) = &summary.standings.ratings {
        evidence.ladder = ladder(&evidence, &summary, ratings);
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

/// Bots that could play, the strongest first.
fn ladder(
    evidence: &Evidence,
    summary: &Summary,
    ratings: &Ratings,
) -> Vec<(BotName, Option<f64>)> {
    let number = |name: &BotName| {
        (0..summary.roster.len() as u32).find(|bot| summary.roster.name(*bot) == name)
    };
    let playing = evidence.bots.iter().filter(|(_, bot)| bot.cannot_play.is_empty());
    let rated = playing.filter_map(|(name, bot)| Some((bot.elo?.value, name, number(name)?)));
    let mut rated: Vec<_> = rated.collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let p_values: Vec<_> =
        rated.windows(2).map(|two| ratings.p_value(two[0].2, two[1].2)).collect();
    let known: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = adjusted_by_holm(&known).into_iter();
    let p_next = p_values.into_iter().map(|p| p.and_then(|_| adjusted.next())).chain([None]);
    rated.iter().map(|(_, name, _)| (*name).clone()).zip(p_next).collect()
}

/// Finds the reason why bots that took part forfeited every game without a start.
fn never_played(results: &Results, evidence: &mut Evidence) -> Result<(), Error> {
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
                *reason = why(&attempt.record, side);
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

fn why(record: &Record, side: Side) -> String {
    let fault = describe_fault(record, side)
        .map(|fault| Untrusted::new(fault.to(Lang::English)).shown(400));
    let stderr = |traces: &Traces| traces.stderr.shown_lines(8000);
    let lines = record.evidence[side].iter().map(stderr).filter(|text| !text.is_empty());
    let lines: Vec<_> = fault.into_iter().chain(lines).collect();
    if lines.is_empty() { "the bot never started".to_owned() } else { lines.join("\n") }
}
