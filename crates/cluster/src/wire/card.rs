//! Run manifest: a contest as workers know it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use pitmaster_core::{BotId, BySide, Dialect, GameKey, Limits, Seed, Tier, Untrusted};
use pitmaster_runner::Stopping;
use serde::{Deserialize, Serialize};

use super::{Job, JobGame, MOST_GAMES, class_of, id_of};

/// Seconds of silence after which work may go to others.
pub(crate) const PATIENCE_S: RangeInclusive<u64> = 1..=3600;

/// The most different sets of tools that the bots of a contest may need: every two of them make a
/// queue of their own.
const MOST_TOOL_SETS: usize = 64;

/// The most tools in all, and the longest name of one in bytes.
const MOST_TOOLS: usize = 1 << 12;
const LONGEST_TOOL: usize = 256;

/// All that a worker has to know of a contest to play its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunManifest {
    /// [`VERSION`].
    pub(crate) version: u32,
    /// [`PROGRAM`].
    pub(crate) program: String,
    /// The name of the game with all of its options; never a path.
    pub(crate) game: String,
    /// The id of its rules, which must follow from the name.
    pub(crate) rules: String,
    /// The limits of all games.
    pub(crate) limits: Limits,
    /// The tournament's seed.
    pub(crate) seed: Seed,
    /// How the side not to move is kept from thinking.
    pub(crate) stopping: Stopping,
    /// Which tier is wanted; `None`: the best that is worth its price.
    pub(crate) tier: Option<Tier>,
    /// What must be promised, as a tournament file says it.
    pub(crate) require: String,
    /// After how many seconds of silence work goes to others.
    pub(crate) patience_s: u64,
    /// Which playing of the tournament it is.
    pub(crate) generation: String,
    /// Who takes part.
    pub(crate) bots: Vec<CardBot>,
}

/// A bot, for a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardBot {
    /// Name and hash.
    pub id: BotId,
    /// Display name.
    pub display: Untrusted,
    /// Dialect that it speaks.
    pub dialect: Dialect,
    /// Whether its lines are read leniently.
    pub lenient: bool,
    /// The commands that it is built and run with.
    pub tools: Vec<String>,
    /// Where its program comes from.
    pub body: Body,
}

impl CardBot {
    fn tool_set(&self) -> BTreeSet<&str> {
        self.tools.iter().map(String::as_str).collect()
    }
}

/// What a bot is made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// A bundle, by the hash of the bot.
    Bundle,
    /// A house bot, by its name with options.
    House {
        /// Without what stands before it.
        player: String,
        /// Without a process.
        in_process: bool,
    },
}

impl RunManifest {
    /// What it is known by.
    pub(crate) fn contest(&self) -> String {
        id_of(self)[..16].to_owned()
    }

    /// The tools that some bots need, each once.
    pub(crate) fn tools_of(&self, bots: &[usize]) -> BTreeSet<&str> {
        let bots = bots.iter().filter_map(|&bot| self.bots.get(bot));
        bots.flat_map(|bot| bot.tools.iter().map(String::as_str)).collect()
    }

    /// Every class of jobs that there can be, with its tools.
    pub(crate) fn classes(&self) -> BTreeMap<String, BTreeSet<String>> {
        let sets = self.tool_sets();
        let both = sets.iter().enumerate().flat_map(|(at, one)| {
            sets.iter().skip(at).map(move |other| one.union(other).copied().collect())
        });
        let class = |tools: BTreeSet<&str>| {
            (class_of(tools.iter().copied()), tools.into_iter().map(str::to_owned).collect())
        };
        both.map(class).collect()
    }

    /// The different sets of tools that bots need.
    fn tool_sets(&self) -> BTreeSet<BTreeSet<&str>> {
        self.bots.iter().map(CardBot::tool_set).collect()
    }

    /// Checks a card that came from elsewhere: that nothing in it is beyond what a contest can
    /// have.
    ///
    /// # Errors
    /// What is.
    pub(crate) fn check(&self) -> Result<(), String> {
        if !PATIENCE_S.contains(&self.patience_s) {
            return Err(format!("a patience of {} s", self.patience_s));
        }
        let all: Vec<usize> = (0..self.bots.len()).collect();
        let tools = self.tools_of(&all);
        if tools.len() > MOST_TOOLS || tools.iter().any(|tool| tool.len() > LONGEST_TOOL) {
            return Err(format!("{} tools", tools.len()));
        }
        match self.tool_sets().len() {
            count if count > MOST_TOOL_SETS => Err(format!("{count} different sets of tools")),
            _ => Ok(()),
        }
    }

    /// Bounds the number of tool sets, so that bots that name odd tools cost nobody else a queue:
    /// beyond the most frequent sets, bots share one that has all of their tools.
    pub(crate) fn share_tools(&mut self) {
        let mut counts: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
        for bot in &self.bots {
            *counts.entry(bot.tool_set()).or_default() += 1;
        }
        if counts.len() <= MOST_TOOL_SETS {
            return;
        }
        let mut sets: Vec<_> = counts.into_iter().collect();
        sets.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let rare: BTreeSet<BTreeSet<String>> = sets[MOST_TOOL_SETS - 1..]
            .iter()
            .map(|(set, _)| set.iter().map(|&tool| tool.to_owned()).collect())
            .collect();
        let shared: BTreeSet<&String> = rare.iter().flatten().take(MOST_TOOLS).collect();
        let shared: Vec<String> = shared.into_iter().cloned().collect();
        for bot in &mut self.bots {
            let set: BTreeSet<String> = bot.tools.iter().cloned().collect();
            if rare.contains(&set) {
                bot.tools.clone_from(&shared);
            }
        }
    }

    /// The key of a game of a job whose bots are on the card.
    pub(crate) fn key(&self, job: &Job, game: &JobGame) -> GameKey {
        let [one, other] = [job.bots[0], job.bots[1]];
        let bots = BySide::new(one, other).map(|bot| self.bots[bot].id.clone());
        GameKey {
            rules: self.rules.clone(),
            limits: self.limits.clone(),
            stage: game.stage,
            round: game.round,
            bots: if game.swapped { bots.swapped() } else { bots },
            opening: game.opening.clone(),
            pair: game.pair,
        }
    }

    /// That a job is about bots that are on the card, and is of a size that jobs have.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn judge(&self, job: &Job) -> Result<(), String> {
        let known = job.bots.iter().all(|&bot| bot < self.bots.len());
        let count = if job.games.is_empty() { 1 } else { 2 };
        if !known || job.bots.len() != count {
            return Err("it is about bots that are not on the card".into());
        }
        if job.games.len() > MOST_GAMES {
            return Err(format!("it has more than {MOST_GAMES} games"));
        }
        Ok(())
    }

    /// The class of jobs with these bots.
    pub(crate) fn class(&self, bots: &[usize]) -> String {
        class_of(self.tools_of(bots))
    }
}
