//! Bot detection without a manifest: the one obvious way to build and run the submitted files.
//!
//! Must not depend on other kinds of bots. Ambiguous submissions need a manifest. All reads are
//! limited, and no submitted file is executed, so the same folder always gives the same program.

mod built;
mod names;
mod program;
mod project;
mod recipe;
mod survey;
#[cfg(test)]
mod tests;
mod ways;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::{Message, said};
use pitmaster_core::{Dialect, Untrusted};

use self::names::{is_beside_a_bot, is_called_main, is_referee, may_hold_sources};
use self::recipe::Recipe;
use self::survey::{Ready, Source, Survey, text_of};
use self::ways::Mentions;
use super::fault::{FileError, shown_path};
use super::manifest::Manifest;
use super::tree::Tree;

pub(super) use self::built::only_program;
pub use self::ways::Way;

/// Detection result for a folder without a manifest at the top.
#[derive(Debug)]
pub(super) enum Detected {
    /// A manifest in a subfolder.
    ManifestIn(PathBuf),
    /// A program.
    Program(Box<Guess>),
}

/// A program that was found without a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess {
    /// The chosen file, or the file that defines the folder's build.
    pub place: PathBuf,
    /// Protocol candidates, the most likely first.
    pub ways: Vec<Way>,
    /// How it is built and run, with the first protocol candidate.
    pub(super) manifest: Manifest,
}

impl Guess {
    /// Manifest of the same program with another protocol candidate.
    pub(super) fn spoken_to(&self, way: &Way) -> Manifest {
        let own = self.manifest.args.len() - usize::from(self.ways[0].word().is_some());
        let args = self.manifest.args[..own].iter().cloned().chain(way.word()).collect();
        Manifest { args, dialect: way.dialect, ..self.manifest.clone() }
    }
}

/// Detects how a submission is built and run. `shown_as` is the bot's name in messages.
pub(super) fn detect(tree: &Tree, shown_as: &Path) -> Result<Detected, FileError> {
    let survey = Survey::of(tree);
    let found = candidates(&survey, tree);
    let found = if found.is_empty() { ready_programs(&survey) } else { found };
    let mut found = narrow(found);
    if let Some(folder) = further_manifest(&found, &survey, shown_as)? {
        return Ok(Detected::ManifestIn(folder));
    }
    if found.len() != 1 {
        return Err(not_obvious(&found, &survey, shown_as));
    }
    let found = found.remove(0);
    let (recipe, place) = (found.recipe(&survey), found.place);
    let ways = mentions(&survey, tree, &place).ways();
    let Some(recipe) = recipe else {
        let what = said!("its name is not UTF-8; rename it to plain letters");
        return Err(FileError::whole(shown_as.join(&place), what));
    };
    let manifest = recipe.manifest(ways[0].dialect, ways[0].word());
    Ok(Detected::Program(Box::new(Guess { place, ways, manifest })))
}

/// The only subfolder with a manifest, unless there are other files above it.
fn further_manifest(
    found: &[Candidate<'_>],
    survey: &Survey,
    shown_as: &Path,
) -> Result<Option<PathBuf>, FileError> {
    let is_manifest = |path: &&PathBuf| path.file_name().is_some_and(|name| name == Manifest::FILE);
    let above = found.iter().map(|one| depth(&one.place)).min().unwrap_or(usize::MAX);
    let places = survey.files.iter().filter(is_manifest).filter(|path| depth(path) <= above);
    let folders = places.filter_map(|path| path.parent()).map(Path::to_owned);
    let own: Vec<_> = folders.filter(|folder| !is_referee(folder)).collect();
    let own = narrowed(own, |folder| !is_beside_a_bot(folder));
    match &own[..] {
        [] => Ok(None),
        [only] => Ok(Some(only.clone())),
        several => Err(FileError::whole(
            shown_as,
            said!("there are several bots in it: {}; hand in one of these folders", list(several)),
        )),
    }
}

fn depth(path: &Path) -> usize {
    path.components().count()
}

/// A program or project that could be the bot.
#[derive(Debug)]
struct Candidate<'s> {
    /// The file that suggests it.
    place: PathBuf,
    kind: Kind<'s>,
    /// Whether any of its files reads standard input.
    reads_input: bool,
    /// Whether it starts other programs.
    starts_programs: bool,
}

#[derive(Debug)]
enum Kind<'s> {
    Project(Recipe),
    Source(&'s Source),
    Ready(Ready),
}

impl Candidate<'_> {
    /// How it is built and run. `None` if its name cannot be written in a manifest. Computed only
    /// for the remaining candidates, because it examines all files around it.
    fn recipe(&self, survey: &Survey) -> Option<Recipe> {
        let base = base(survey);
        let name = || self.place.strip_prefix(&base).ok()?.to_str();
        match &self.kind {
            Kind::Project(recipe) => Some(recipe.clone()),
            Kind::Source(entry) => program::recipe(&base, entry, survey),
            Kind::Ready(Ready::Jar) => {
                let name = recipe::dotted(name()?);
                Some(Recipe::interpreted(&base, "java", &["-jar", &name]))
            }
            Kind::Ready(_) => Some(Recipe::file(&base, name()?)),
        }
    }
}

/// Projects, and programs among the sources outside of projects.
fn candidates<'s>(survey: &'s Survey, tree: &Tree) -> Vec<Candidate<'s>> {
    let projects = projects(survey, tree);
    let within = |path: &Path| projects.iter().any(|(folder, ..)| path.starts_with(folder));
    let free: Vec<_> = survey.sources.iter().filter(|source| !within(&source.path)).collect();
    let of_source = |entry: &'s Source| Candidate {
        place: entry.path.clone(),
        kind: Kind::Source(entry),
        reads_input: entry.reads_input(),
        starts_programs: entry.starts_programs(),
    };
    let of_project = |(folder, place, recipe): &(PathBuf, PathBuf, Recipe)| {
        let mut inside = survey.sources.iter().filter(|source| source.path.starts_with(folder));
        Candidate {
            place: place.clone(),
            kind: Kind::Project(recipe.clone()),
            reads_input: inside.any(Source::reads_input),
            starts_programs: false,
        }
    };
    let entries = program::entries(&free);
    projects.iter().map(of_project).chain(entries.into_iter().map(of_source)).collect()
}

/// The outermost folders with a build definition, each with its file.
fn projects(survey: &Survey, tree: &Tree) -> Vec<(PathBuf, PathBuf, Recipe)> {
    /// Enough for the message; two projects are already ambiguous.
    const MOST_PROJECTS: usize = 20;
    let sources = |path: &&PathBuf| may_hold_sources(path);
    let folders = survey.files.iter().filter(sources).filter_map(|path| path.parent());
    let mut folders: Vec<_> = folders.collect::<BTreeSet<_>>().into_iter().collect();
    folders.sort_by_key(|folder| depth(folder));
    let mut projects: Vec<(PathBuf, PathBuf, Recipe)> = Vec::new();
    for folder in folders {
        let is_inside = projects.iter().any(|(outer, ..)| folder.starts_with(outer));
        if projects.len() == MOST_PROJECTS {
            break;
        }
        if let Some((place, recipe)) =
            (!is_inside).then(|| project::project(folder, survey, tree)).flatten()
        {
            projects.push((folder.to_owned(), place, recipe));
        }
    }
    projects
}

/// The folder in which programs are built and run: the root, or its only folder if the submission
/// was packed with one.
fn base(survey: &Survey) -> PathBuf {
    let mut base = PathBuf::new();
    loop {
        let mut beneath = survey.files.iter().filter(|file| file.starts_with(&base));
        let rest = |file: &PathBuf| {
            file.strip_prefix(&base).ok()?.parent()?.iter().next().map(PathBuf::from)
        };
        let Some(first) = beneath.clone().find_map(rest) else { return base };
        let is_paper = |file: &PathBuf| is_paper(file) && rest(file).is_none();
        let is_alone = beneath.all(|file| is_paper(file) || rest(file).as_ref() == Some(&first));
        if !is_alone || ["src", "source", "sources"].iter().any(|name| first == Path::new(name)) {
            return base;
        }
        base.push(first);
    }
}

/// Whether a file is a document or a picture, which is irrelevant for detection.
fn is_paper(path: &Path) -> bool {
    const ENDINGS: [&str; 9] = ["md", "txt", "pdf", "docx", "odt", "tex", "png", "jpg", "svg"];
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    ending.is_none_or(|ending| ENDINGS.contains(&&*ending))
}

/// Programs that need no build. Sources are preferred, because prebuilt programs are often outdated
/// or for other systems.
fn ready_programs(survey: &Survey) -> Vec<Candidate<'_>> {
    let programs = survey.ready.iter().filter(|(_, ready)| !matches!(ready, Ready::Foreign(_)));
    let programs = narrowed(programs.collect(), |(_, ready)| *ready != Ready::Script);
    let candidate = |(path, ready): &(PathBuf, Ready)| Candidate {
        place: path.clone(),
        kind: Kind::Ready(*ready),
        reads_input: true,
        starts_programs: false,
    };
    programs.into_iter().map(candidate).collect()
}

/// Removes unlikely candidates as long as one remains: tests, tools, programs that start others or
/// read nothing, deeper ones, and those not named `bot` or `main`. Referees are always removed.
fn narrow(all: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    let own: Vec<_> = all.into_iter().filter(|one| !is_referee(&one.place)).collect();
    let own = narrowed(own, |one| !is_beside_a_bot(&one.place));
    let own = narrowed(own, |one| !one.starts_programs);
    let own = narrowed(own, |one| one.reads_input);
    let least = own.iter().map(|one| depth(&one.place)).min().unwrap_or_default();
    let own = narrowed(own, |one| depth(&one.place) == least);
    narrowed(own, |one| is_called_main(&one.place))
}

/// Items that fit, or all items if none fits.
fn narrowed<T>(all: Vec<T>, fits: impl Fn(&T) -> bool) -> Vec<T> {
    if all.iter().any(&fits) { all.into_iter().filter(|one| fits(one)).collect() } else { all }
}

/// Protocol words in the sources, or in the program itself if there are none. Referees are skipped,
/// because they mention the words of every dialect.
fn mentions(survey: &Survey, tree: &Tree, place: &Path) -> Mentions {
    const OF_A_PROGRAM: u64 = 4 << 20;
    let mut mentions = Mentions::default();
    for source in survey.sources.iter().filter(|source| !is_referee(&source.path)) {
        mentions.add(&source.text);
    }
    if survey.sources.is_empty() {
        mentions.add(&text_of(tree.root(), place, OF_A_PROGRAM));
    }
    mentions
}

fn not_obvious(found: &[Candidate<'_>], survey: &Survey, shown_as: &Path) -> FileError {
    let places: Vec<_> = found.iter().map(|one| one.place.clone()).collect();
    let what = match &places[..] {
        [] => nothing_fits(survey),
        some => said!("more than one file could be the bot: {}", list(some)),
    };
    let way = Mentions::default().ways().remove(0);
    let manifest = |one: &Candidate<'_>| {
        Some((one.place.clone(), one.recipe(survey)?.manifest(way.dialect, way.word())))
    };
    let mut manifests: Vec<_> = found.iter().take(SHOWN).filter_map(manifest).collect();
    if manifests.is_empty() {
        let recipe = Recipe::made(Path::new(""), vec![recipe::step("make", &[])], ".");
        let program = super::argv::Program::File("./bot".into());
        let manifest = Recipe { program, ..recipe }.manifest(Dialect::Arena, way.word());
        manifests.push(("bot".into(), manifest));
    }
    FileError::whole(shown_as, said!("{}; {}", what, write_a_manifest(&manifests)))
}

/// Message that no candidate was found, with the files that were seen and skipped.
fn nothing_fits(survey: &Survey) -> Message {
    let mut what = said!("nothing here is a program or a source that could be built");
    let programs = survey.ready.iter().map(|(path, _)| path);
    let sources = survey.sources.iter().filter(|source| source.is_entry());
    let mut referees =
        programs.chain(sources.map(|source| &source.path)).filter(|path| is_referee(path));
    if let Some(path) = referees.next() {
        what = said!("{} ({} is a referee)", what, shown_path(path));
    }
    let foreign = survey.ready.iter().find_map(|(path, ready)| match ready {
        Ready::Foreign(system) => Some((path, system)),
        _ => None,
    });
    if let Some((path, system)) = foreign {
        let path = shown_path(path);
        what = said!("{} ({} runs on {} only: hand in its sources)", what, path, *system);
    }
    what
}

/// Maximum number of programs for which manifest lines are shown.
const SHOWN: usize = 4;

/// Manifest lines to choose from, for each of these programs.
fn write_a_manifest(programs: &[(PathBuf, Manifest)]) -> Message {
    let mut text = String::new();
    for (place, manifest) in programs.iter().take(SHOWN) {
        if programs.len() > 1 {
            let _ = write!(text, "\n  # {}", shown_path(place));
        }
        for line in Untrusted::new(manifest.to_toml()).shown_lines(4000).lines() {
            let _ = write!(text, "\n  {line}");
        }
    }
    if programs.len() > 1 {
        said!("write a bot.toml with the lines of one of them:{}", text)
    } else {
        said!("write a bot.toml:{}", text)
    }
}

/// List of names, shortened if it is long.
fn list(paths: &[PathBuf]) -> String {
    let shown: Vec<_> = paths.iter().take(8).map(|path| shown_path(path)).collect();
    shown.join(", ") + if paths.len() > 8 { ", …" } else { "" }
}
