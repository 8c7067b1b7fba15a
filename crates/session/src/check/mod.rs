//! Check: examines bots, several at a time, and keeps their reports.
//!
//! Every lane examines one bot at a time on its own core. The report of a bot that could be started
//! is stored before the next one begins, so that a killed check can continue.

mod class;
mod lanes;
mod stored;

use std::path::PathBuf;
use std::time::Duration;

use pitmaster_bots::submission::Options;
use pitmaster_check::{Checks, Interrupt, News, Settings};
use pitmaster_core::i18n::{Lang, Message};
use pitmaster_core::{Limits, Seed};
use pitmaster_runner::Wish;

use self::class::ClassFolder;
pub(crate) use self::lanes::examine_apart;
use self::lanes::{Lanes, Target};
use self::stored::Stored;
use crate::isolation::IsolationOptions;
use crate::{Error, NamedGame, Observer, bot_arg, cores, guard, house};

/// Limit on a move in a check if the tournament has none.
pub(crate) const LONGEST_MOVE: Duration = Duration::from_mins(1);

/// Options of a check.
#[derive(Debug)]
pub struct CheckOptions {
    /// Bots: folders, files, `house:NAME`, or folders of classes.
    pub bots: Vec<PathBuf>,
    /// The game.
    pub game: NamedGame,
    /// Settings of every examination.
    pub settings: Settings,
    /// Output folder; `None` for the class's own folder, or `results`.
    pub out: Option<PathBuf>,
    /// Cores and number of lanes.
    pub cores: Wish,
    /// Isolation.
    pub isolation: IsolationOptions,
    /// Whether stored reports are ignored.
    pub fresh: bool,
    /// Language of the texts for a class; `None` for the class's own.
    pub lang: Option<Lang>,
}

/// Result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The bots with their reports.
    pub checks: Checks,
    /// Folders of the classes in which files were written.
    pub written: Vec<PathBuf>,
}

/// Settings with the limits of a check.
pub fn settings(
    game: &NamedGame,
    per_move: Duration,
    first_move: Option<Duration>,
    start_up: Duration,
) -> Settings {
    let default = Limits::default();
    let first_move = first_move.or(default.first_move).max(Some(per_move));
    let limits = Limits { per_move: Some(per_move), first_move, start_up, ..default };
    Settings {
        game: game.game.clone(),
        limits,
        seed: Seed(1),
        games: 20,
        audit: false,
        quick: false,
        interrupt: Interrupt::default(),
    }
}

/// Event of a check.
#[derive(Debug, Clone, Copy)]
pub enum CheckEvent<'a> {
    /// Examinations begin.
    Started {
        /// Settings of every examination.
        settings: &'a Settings,
        /// Number of bots to examine.
        bots: usize,
        /// Number of bots whose stored report counts.
        stored: usize,
        /// Number of bots that are examined at a time.
        lanes: usize,
    },
    /// A bot is being built.
    Building {
        /// Position of the bot.
        bot: usize,
        /// Its path or name.
        name: &'a str,
    },
    /// Progress of an examination.
    News {
        /// Position of the bot.
        bot: usize,
        /// Its path or name.
        name: &'a str,
        /// The progress.
        news: News,
    },
    /// A bot has been examined.
    Examined {
        /// Position of the bot.
        bot: usize,
        /// Its name.
        name: &'a str,
        /// Its verdict.
        verdict: &'a Message,
    },
    /// All examinations have ended.
    Ended,
}

/// Examines bots. Findings are part of the result, not errors. After an interrupt, the result
/// contains the bots examined so far.
///
/// # Errors
/// A path does not exist, a class list is malformed, a guarantee is missing on this machine, or a
/// folder cannot be written.
pub fn check(options: &CheckOptions, observer: &dyn Observer) -> Result<Checked, Error> {
    let classes = ClassFolder::find(&options.bots)?;
    let targets = targets(options, &classes)?;
    let was_submitted = targets.iter().any(|target| house::name_in(&target.path).is_none());
    let resources = &options.settings.limits.resources;
    let sandbox = options.isolation.choose(resources, was_submitted, observer)?;
    let audit = options.settings.audit.then(|| lanes::audit_options(resources)).transpose()?;
    let guard = guard::start();
    let busy = cores::load(observer);
    let count = options.cores.lanes.unwrap_or(usize::MAX).min(targets.len().max(1));
    let alone = Wish { lanes: Some(1), ..options.cores.clone() };
    let wish = if count == 1 { alone } else { options.cores.clone() };
    let layout = cores::reserve(&wish, observer)?;
    let stored = Stored::new(options, &sandbox, targets.len() > 1 || !classes.is_empty());
    let lanes =
        Lanes { options, launch: Options::of_this_machine(&sandbox), audit, stored, observer };
    let bots = lanes.examine(&targets, &layout.lanes);
    drop(guard);
    drop(layout);
    let mut checks =
        Checks { settings: options.settings.clone(), busy, bots: bots?, named: targets.len() };
    let mut written = Vec::new();
    for class in &classes {
        class.add_members_without_a_bot(&mut checks);
        class.write(&checks, options.lang)?;
        written.push(class.output());
    }
    Ok(Checked { checks, written })
}

/// Bots of all arguments with their build folders.
fn targets(options: &CheckOptions, classes: &[ClassFolder]) -> Result<Vec<Target>, Error> {
    let mut targets = Vec::new();
    for path in &options.bots {
        let class = classes.iter().find(|class| class.root == *path);
        let by_default = class.map_or_else(|| PathBuf::from("results/check"), ClassFolder::output);
        let out = options.out.as_ref().map_or(by_default, |out| out.join("check"));
        for path in bot_arg::expand(path)? {
            let is_house_bot = house::name_in(&path).is_some();
            if !is_house_bot {
                bot_arg::must_be_there(&path)?;
            }
            let member = class.and_then(|class| class.member_at(&path));
            targets.push(Target { path, out: out.clone(), person: member.map(class::person) });
        }
    }
    Ok(targets)
}
