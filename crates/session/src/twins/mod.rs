//! Twins: bots that answer the same quiz alike, or have the same sources. Evidence, never a verdict.

mod quiz;
mod quizmaster;
mod sources;

use std::fs::File;
use std::io::BufWriter;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pitmaster_bots::submission::{Naming, Options, PrepareError, shown_path};
use pitmaster_core::{BotName, BySide, Record, Side};
use pitmaster_report::GameFile;
use pitmaster_runner::{self as runner, Entrant, Wish};
use pitmaster_season::twins::{Answers, Likeness};
use pitmaster_store::{Readers, create_file, make_folder};
use pitmaster_tournament::Location;
use rayon::prelude::*;

use self::quiz::Quiz;
pub use self::sources::Kit;
use self::sources::Sources;
use crate::bots::{Found, Source};
use crate::game::NamedGame;
use crate::isolation::IsolationOptions;
use crate::observer::Steps;
use crate::{Error, Observer, Task, cores, dialect_trial, guard, helper, house, naming};

/// Options of a comparison.
#[derive(Debug)]
pub struct TwinsOptions {
    /// The bots.
    pub bots: Vec<PathBuf>,
    /// House bots to compare with, without the prefix.
    pub house: Vec<String>,
    /// Templates that the project ships.
    pub kits: Vec<Kit>,
    /// The game.
    pub game: NamedGame,
    /// Time limit of a move.
    pub per_move: Duration,
    /// Folder for snapshots of the bots and for games that are evidence.
    pub out: PathBuf,
    /// Lanes and cores.
    pub cores: Wish,
    /// Isolation of the bots.
    pub isolation: IsolationOptions,
}

/// A quizzed bot.
#[derive(Debug)]
pub struct Quizzed {
    /// Its name.
    pub name: BotName,
    /// Its command-line argument.
    pub path: String,
    /// Whether it is a house bot.
    pub is_house: bool,
    /// The template that it is an unchanged copy of.
    pub kit: Option<String>,
    /// Hash of its files without bot.toml and documents; empty for a house bot.
    pub source: String,
    /// Number of complete games.
    pub games: usize,
    /// Number of answers.
    pub answers: usize,
    /// Time that the quiz took.
    pub took: Duration,
    /// Reason why the quiz failed or is incomplete. Empty if it is complete.
    pub why_not: String,
}

/// Two similar bots.
#[derive(Debug)]
pub struct Pair {
    /// Their positions in the list of bots.
    pub bots: [usize; 2],
    /// Similarity of their answers.
    pub likeness: Likeness,
    /// Whether their sources are equal.
    pub same_source: bool,
    /// A recorded game of the first bot as evidence for the second, and the bot's side in it.
    pub evidence: Option<(PathBuf, Side)>,
}

/// Result of a comparison.
#[derive(Debug)]
pub struct Twins {
    /// All bots, in the order of their names.
    pub bots: Vec<Quizzed>,
    /// Similar bots, the most similar pair first.
    pub pairs: Vec<Pair>,
}

/// A bot with its answers.
struct Asked {
    shown: Quizzed,
    answers: Answers,
    records: Vec<Option<Record>>,
    entrant: Option<Entrant>,
}

/// Quizzes all bots and compares their answers and sources.
///
/// # Errors
/// A required guarantee is missing, snapshots cannot be stored, or two bots cannot be given
/// distinct names.
pub fn twins(options: &TwinsOptions, observer: &dyn Observer) -> Result<Twins, Error> {
    helper::require()?;
    make_folder(&options.out, Readers::Owner)?;
    let quiz = Quiz::new(&options.game.game, options.per_move);
    let sandbox = options.isolation.choose(&quiz.limits.resources, true, observer)?;
    let _guard = guard::start();
    let layout = cores::reserve(&options.cores, observer)?;
    let build = Options::of_this_machine(&sandbox);
    let mut asked = prepare(options, &build, observer)?;
    quiz_all(&quiz, &mut asked, &layout.lanes, observer);
    asked.sort_by(|a, b| a.shown.name.cmp(&b.shown.name));
    let pairs = pairs(&asked, options)?;
    Ok(Twins { bots: asked.into_iter().map(|bot| bot.shown).collect(), pairs })
}

fn prepare(
    options: &TwinsOptions,
    build: &Options,
    observer: &dyn Observer,
) -> Result<Vec<Asked>, Error> {
    let found = |path: &PathBuf| Found {
        source: Source::Path(path.canonicalize().unwrap_or_else(|_| path.clone())),
        place: Location::START,
        entry: None,
    };
    let found: Vec<_> = options.bots.iter().map(found).collect();
    let (names, _) = naming::name_all(&found)?;
    let store = options.out.join("bots");
    let steps = Steps::new(observer, Task::PrepareBots, found.len() as u64);
    let bots: Vec<_> = options.bots.par_iter().zip(names).collect();
    let asked: Result<Vec<_>, Error> = bots
        .into_par_iter()
        .map(|(path, naming)| {
            let asked = prepare_one(path, naming, &store, options, build);
            steps.step("");
            asked
        })
        .collect();
    let mut asked = asked?;
    for name in &options.house {
        let mut bot = house::HouseBot::named(name, true).map_err(Error::invalid)?;
        // A bot that cannot play this game has no answers.
        if bot.apply_game(&options.game).is_ok() {
            let command = bot.command(Naming::default(), build).map_err(Error::invalid)?;
            let entrant = bot.entrant(command);
            let mut house = Asked::new(bot.name(), bot.shown(), Some(entrant));
            house.shown.is_house = true;
            asked.push(house);
        }
    }
    Ok(asked)
}

fn prepare_one(
    path: &Path,
    naming: Naming,
    store: &Path,
    options: &TwinsOptions,
    build: &Options,
) -> Result<Asked, Error> {
    let name = naming.name.clone().unwrap_or_else(|| BotName::tamed("bot"));
    match dialect_trial::prepare(path, naming, store, &options.game.game, build) {
        Ok((prepared, _)) => {
            let sources = Sources::read(&prepared.snapshot.src())?;
            let mut asked =
                Asked::new(name, shown_path(path), Some(Entrant::process(prepared.command)));
            asked.shown.kit = sources.kit(&options.kits).map(str::to_owned);
            asked.shown.source = sources.hash();
            Ok(asked)
        }
        Err(PrepareError::Bot(unfit)) => {
            let mut asked = Asked::new(name, shown_path(path), None);
            asked.shown.why_not = unfit.fault.to_string();
            Ok(asked)
        }
        Err(PrepareError::Store(fault)) => Err(Error::stopped(fault)),
    }
}

impl Asked {
    fn new(name: BotName, path: String, entrant: Option<Entrant>) -> Self {
        let shown = Quizzed {
            name,
            path,
            is_house: false,
            kit: None,
            source: String::new(),
            games: 0,
            answers: 0,
            took: Duration::ZERO,
            why_not: String::new(),
        };
        Self { shown, answers: Answers::default(), records: Vec::new(), entrant }
    }

    fn take_quiz(&mut self, quiz: &Quiz) {
        let Some(entrant) = &self.entrant else { return };
        // Everybody has the unchanged template anyway.
        if self.shown.kit.is_some() {
            return;
        }
        let began = Instant::now();
        let (answers, records, why_not) = quiz.ask(entrant);
        self.shown.took = began.elapsed();
        self.shown.games = answers.games.iter().flatten().count();
        self.shown.answers = answers.len();
        self.shown.why_not = why_not;
        (self.answers, self.records) = (answers, records);
    }
}

/// Quizzes the bots on all lanes, each on one core.
fn quiz_all(quiz: &Quiz, asked: &mut [Asked], lanes: &[usize], observer: &dyn Observer) {
    let steps = Steps::new(observer, Task::Quiz, asked.len() as u64);
    let (next, bots) = (AtomicUsize::new(0), asked.iter_mut().map(Mutex::new).collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for &core in lanes {
            let (next, bots, steps) = (&next, &bots, &steps);
            scope.spawn(move || {
                runner::move_to(&[core]);
                while let Some(bot) = bots.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // No other lane has this number.
                    let Ok(mut bot) = bot.lock() else { continue };
                    bot.take_quiz(quiz);
                    steps.step(bot.shown.name.as_str());
                }
            });
        }
    });
}

/// Similar pairs. House bots and templates are compared with submissions only.
fn pairs(asked: &[Asked], options: &TwinsOptions) -> Result<Vec<Pair>, Error> {
    let all = (0..asked.len()).flat_map(|two| (0..two).map(move |one| [one, two]));
    let all: Vec<_> = all.collect();
    let mut pairs: Vec<_> = all.into_par_iter().filter_map(|bots| pair(asked, bots)).collect();
    let rank = |pair: &Pair| {
        let Likeness { identical, met, agreed, .. } = pair.likeness;
        let share = u64::from(agreed) * 1_000_000 / u64::from(met.max(1));
        std::cmp::Reverse((pair.same_source, identical, share))
    };
    pairs.sort_by_key(|pair| (rank(pair), pair.bots));
    for pair in &mut pairs {
        pair.evidence = keep(&asked[pair.bots[0]], pair, options)?;
    }
    Ok(pairs)
}

fn pair(asked: &[Asked], bots: [usize; 2]) -> Option<Pair> {
    let [one, two] = bots.map(|bot| &asked[bot]);
    let is_known = |bot: &Asked| bot.shown.is_house || bot.shown.kit.is_some();
    if is_known(one) && is_known(two) {
        return None;
    }
    let likeness = one.answers.likeness(&two.answers);
    let source = &one.shown.source;
    let same_source = !source.is_empty() && *source == two.shown.source;
    let is_alike = likeness.is_striking() || same_source;
    // The submission comes first, because its game is the evidence.
    let bots = if one.shown.is_house { [bots[1], bots[0]] } else { bots };
    is_alike.then_some(Pair { bots, likeness, same_source, evidence: None })
}

/// Writes a game of the first bot in which the second one gave similar answers, if there is one.
fn keep(
    asked: &Asked,
    pair: &Pair,
    options: &TwinsOptions,
) -> Result<Option<(PathBuf, Side)>, Error> {
    let differs = pair.likeness.first_difference.map(|(game, _)| game as usize);
    let played = |number: &usize| asked.records.get(*number).is_some_and(Option::is_some);
    let numbers = 0..asked.records.len();
    let number = numbers.clone().find(|number| Some(number + 1) != differs && played(number));
    let Some(number) = number.or_else(|| numbers.clone().find(played)) else { return Ok(None) };
    let Some(record) = asked.records[number].clone() else { return Ok(None) };
    let side = quiz::side(number);
    let path = options.out.join(format!("{}-{:02}.json", asked.shown.name, number + 1));
    if !path.exists() {
        let file: File = create_file(&path)?;
        let mut out = BufWriter::new(file);
        GameFile::new(record, BySide::default(), 0).write(&mut out)?;
        out.flush()?;
    }
    Ok(Some((path, side)))
}
