//! Run manifest: the description of a contest that workers receive.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use pitmaster_core::{BotId, BySide, Dialect, GameKey, Limits, Seed, Tier, Untrusted};
use pitmaster_players::PlayerSpec;
use pitmaster_runner::Stopping;
use serde::{Deserialize, Serialize};

use super::{Job, JobGame, MAX_GAMES, class_of, id_of};

/// Valid range of the patience: the seconds of silence after which jobs go to other workers.
pub(crate) const PATIENCE_S: RangeInclusive<u64> = 1..=3600;

/// Maximum number of different tool sets of a contest's bots. Each combination of two sets has its
/// own queue.
const MAX_TOOL_SETS: usize = 64;

/// Maximum number of tools of all bots.
const MAX_TOOLS: usize = 1 << 12;

/// Maximum length of a tool's name, in bytes.
const MAX_TOOL_NAME: usize = 256;

/// Description of a contest, sufficient to play its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunManifest {
    /// [`VERSION`].
    pub(crate) version: u32,
    /// Program of the coordinator, with its commit and rules.
    pub(crate) program: String,
    /// Name of the game with all of its options; never a path.
    pub(crate) game: String,
    /// Id of the rules. It must match the name.
    pub(crate) rules: String,
    /// Limits of all games.
    pub(crate) limits: Limits,
    /// Seed of the tournament.
    pub(crate) seed: Seed,
    /// Suspension of the side not to move.
    pub(crate) stopping: Stopping,
    /// Requested tier; `None` for the default of each machine.
    pub(crate) tier: Option<Tier>,
    /// Required guarantees, as in a tournament file.
    pub(crate) require: String,
    /// Seconds of silence after which jobs go to other workers.
    pub(crate) patience_s: u64,
    /// Generation of the run.
    pub(crate) generation: String,
    /// Participating bots. Empty for a practice server, whose jobs have manifests of their own.
    pub(crate) bots: Vec<BotEntry>,
    /// Whether this is the manifest of a practice server.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub(crate) practice: bool,
}

/// A bot in a run manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotEntry {
    /// Name and hash of the bot.
    pub id: BotId,
    /// Display name.
    pub display: Untrusted,
    /// Dialect of its program.
    pub dialect: Dialect,
    /// Whether its lines are parsed leniently.
    pub lenient: bool,
    /// Commands needed to build and run it.
    pub tools: Vec<String>,
    /// Source of its program.
    pub body: Body,
}

impl BotEntry {
    fn tool_set(&self) -> BTreeSet<&str> {
        self.tools.iter().map(String::as_str).collect()
    }
}

/// Source of a bot's program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// A bundle, by the hash of the bot.
    Bundle,
    /// A house bot.
    House {
        /// Name with options, without the prefix.
        player: String,
        /// Whether it runs without a process.
        in_process: bool,
    },
}

impl Body {
    /// Returns whether this is a house bot with an endgame table. Such a bot is refused, because it
    /// would open a path outside the sandbox that the worker's operator has not approved.
    fn has_table(&self) -> bool {
        let Self::House { player, .. } = self else { return false };
        player.parse::<PlayerSpec>().is_ok_and(|player| player.tables().is_some())
    }
}

impl RunManifest {
    /// Id of the contest.
    pub(crate) fn contest(&self) -> String {
        id_of(self)[..16].to_owned()
    }

    /// Tools that some bots need, without duplicates.
    pub(crate) fn tools_of(&self, bots: &[usize]) -> BTreeSet<&str> {
        let bots = bots.iter().filter_map(|&bot| self.bots.get(bot));
        bots.flat_map(|bot| bot.tools.iter().map(String::as_str)).collect()
    }

    /// All possible job classes, with their tools.
    pub(crate) fn classes(&self) -> BTreeMap<String, BTreeSet<String>> {
        let sets = self.tool_sets();
        let unions = sets.iter().enumerate().flat_map(|(at, one)| {
            sets.iter().skip(at).map(move |other| one.union(other).copied().collect())
        });
        let class = |tools: BTreeSet<&str>| {
            (class_of(tools.iter().copied()), tools.into_iter().map(str::to_owned).collect())
        };
        unions.map(class).collect()
    }

    /// Distinct tool sets of the bots.
    fn tool_sets(&self) -> BTreeSet<BTreeSet<&str>> {
        self.bots.iter().map(BotEntry::tool_set).collect()
    }

    /// Validates a received run manifest against the bounds of all contests.
    ///
    /// # Errors
    /// The invalid value.
    pub(crate) fn validate(&self) -> Result<(), String> {
        if !PATIENCE_S.contains(&self.patience_s) {
            return Err(format!("a patience of {} s", self.patience_s));
        }
        let all: Vec<usize> = (0..self.bots.len()).collect();
        let tools = self.tools_of(&all);
        if tools.len() > MAX_TOOLS || tools.iter().any(|tool| tool.len() > MAX_TOOL_NAME) {
            return Err(format!("{} tools", tools.len()));
        }
        if self.bots.iter().any(|bot| bot.body.has_table()) {
            return Err("a house bot with an endgame table".to_owned());
        }
        match self.tool_sets().len() {
            count if count > MAX_TOOL_SETS => Err(format!("{count} different sets of tools")),
            _ => Ok(()),
        }
    }

    /// Bounds the number of tool sets: bots with rare sets get one common set, the union of theirs.
    pub(crate) fn merge_rare_tool_sets(&mut self) {
        let mut counts: BTreeMap<BTreeSet<&str>, usize> = BTreeMap::new();
        for bot in &self.bots {
            *counts.entry(bot.tool_set()).or_default() += 1;
        }
        if counts.len() <= MAX_TOOL_SETS {
            return;
        }
        let mut sets: Vec<_> = counts.into_iter().collect();
        sets.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let rare: BTreeSet<BTreeSet<String>> = sets[MAX_TOOL_SETS - 1..]
            .iter()
            .map(|(set, _)| set.iter().map(|&tool| tool.to_owned()).collect())
            .collect();
        let shared: BTreeSet<&String> = rare.iter().flatten().take(MAX_TOOLS).collect();
        let shared: Vec<String> = shared.into_iter().cloned().collect();
        for bot in &mut self.bots {
            let set: BTreeSet<String> = bot.tools.iter().cloned().collect();
            if rare.contains(&set) {
                bot.tools.clone_from(&shared);
            }
        }
    }

    /// Key of a job's game. The job must be valid for this run manifest.
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

    /// Validates the kind, the bots and the size of a job.
    ///
    /// # Errors
    /// The invalid value.
    pub(crate) fn validate_job(&self, job: &Job) -> Result<(), String> {
        if self.practice != job.practice.is_some() {
            return Err("it belongs to another kind of contest".into());
        }
        if let Some(practice) = &job.practice {
            return practice.validate(job);
        }
        self.validate_bots(job)
    }

    /// Validates the bots and the size of a job.
    pub(super) fn validate_bots(&self, job: &Job) -> Result<(), String> {
        let known = job.bots.iter().all(|&bot| bot < self.bots.len());
        let count = if job.games.is_empty() { 1 } else { 2 };
        if !known || job.bots.len() != count {
            return Err("it has bots that are not in the manifest".into());
        }
        if job.games.len() > MAX_GAMES {
            return Err(format!("it has more than {MAX_GAMES} games"));
        }
        Ok(())
    }

    /// Class of the jobs with these bots.
    pub(crate) fn class(&self, bots: &[usize]) -> String {
        class_of(self.tools_of(bots))
    }
}
