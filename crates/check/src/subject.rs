//! Input and output of an examination.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::{Limits, Seed};
use pitmaster_games::DynGame;
use pitmaster_runner::Entrant;
use pitmaster_sandbox::Audit;
use serde::{Deserialize, Serialize};

use super::examine::Cut;
use super::finding::{Finding, Level, Verdict, What};
use super::goals::Goal;
use super::interrupt::Interrupt;
use super::numbers::Numbers;
use super::scenario::{Came, Scene};
use super::source_language::Language;

/// A bot that can be started.
#[derive(Debug)]
pub struct Subject {
    /// The bot.
    pub entrant: Entrant,
    /// The bot in a sandbox that records refused calls, if there is to be an audit.
    pub audited: Option<Entrant>,
    /// Source language, if known.
    pub language: Option<Language>,
}

/// Settings shared by all bots.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The game.
    pub game: Arc<dyn DynGame>,
    /// The limits.
    pub limits: Limits,
    /// Seed of all randomness.
    pub seed: Seed,
    /// Number of games in the series.
    pub games: u32,
    /// Whether to audit the bot.
    pub audit: bool,
    /// Whether the examination must finish within half a minute for a bot that takes two seconds
    /// per move.
    pub quick: bool,
    /// Flag that ends the examination early.
    pub interrupt: Interrupt,
}

/// Progress of an examination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// The next scene begins.
    Scene(Scene),
    /// Number of plies of the current game.
    Plies(usize),
    /// Time per move, and the remaining time derived from it.
    Left {
        /// Mean time of the moves so far.
        per_move: Duration,
        /// Approximate remaining time.
        left: Duration,
    },
}

/// Callback for progress.
pub type Progress<'a> = dyn FnMut(News) + 'a;

/// Result of a scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneResult {
    /// The scene.
    pub scene: Scene,
    /// Outcome.
    pub came: Came,
    /// All findings in it, including known ones.
    pub found: Vec<What>,
}

/// Wait of a bot for a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// Time waited.
    pub waited: Duration,
    /// Total time in which it waited.
    pub of: Duration,
}

/// Result of an examination. A stored report has no audit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The scenes, in order.
    pub scenes: Vec<SceneResult>,
    /// Findings, the most severe first.
    pub findings: Vec<Finding>,
    /// Statistics of the series, if it was played.
    pub numbers: Option<Numbers>,
    /// Whether the same seed gave the same game, if that was tried.
    pub repeats: Option<bool>,
    /// Rare goals that its games reached.
    pub reached: Vec<Goal>,
    /// Rare goals that none of its games reached.
    pub not_reached: Vec<Goal>,
    /// Attempted calls that are refused in a contest, if it was audited.
    #[serde(skip)]
    pub audit: Option<Audit>,
    /// Longest wait for a core in a game that was not judged for that reason.
    pub wait: Option<Wait>,
    /// Whether the examination was interrupted.
    pub interrupted: bool,
    /// An error of Pitmaster or the machine that ended it early.
    pub failure: Option<String>,
}

impl SceneResult {
    /// Result of a scene without findings.
    pub(super) fn new(scene: Scene, came: Came) -> Self {
        Self { scene, came, found: Vec::new() }
    }
}

impl Settings {
    /// The scenes to play. The last one is included only if there is to be an audit.
    pub fn scenes(&self) -> Vec<Scene> {
        let is_played = |scene: &Scene| match scene {
            Scene::Audit => self.audit,
            // Every other scene that ends covers the end of a game.
            Scene::EarlyEnd | Scene::LongGame | Scene::Series | Scene::Rare => !self.quick,
            _ => true,
        };
        Scene::ALL.into_iter().filter(is_played).collect()
    }
}

impl Report {
    /// Report of a bot that cannot be started.
    pub fn of_unfit(finding: Finding, settings: &Settings) -> Self {
        let mut report = Self { findings: vec![finding], ..Self::default() };
        let found = report.findings.iter().map(|finding| finding.what).collect();
        report.scenes.push(SceneResult { scene: Scene::Start, came: Came::Must, found });
        report.fill(settings);
        report
    }

    /// Overall result.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.findings)
    }

    /// Number of findings of a level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level() == level).count()
    }

    /// Scenes that could not be judged because the machine decided their games.
    pub fn not_judged(&self) -> Vec<Scene> {
        let scenes = self.scenes.iter().filter(|result| result.came == Came::NotJudged);
        scenes.map(|result| result.scene).collect()
    }

    /// Ends the check early.
    pub(super) fn cut(&mut self, why: Cut) {
        match why {
            Cut::Fault(fault) => self.failure = Some(fault.to_string()),
            Cut::Interrupted => self.interrupted = true,
        }
    }

    /// Adds the scenes that were not played.
    pub(super) fn fill(&mut self, settings: &Settings) {
        for &scene in &settings.scenes()[self.scenes.len()..] {
            self.scenes.push(SceneResult::new(scene, Came::NotPlayed));
        }
    }
}
