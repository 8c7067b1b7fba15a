//! Input and output of an examination.

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::{Limits, Seed};
use pitmaster_games::DynGame;
use pitmaster_runner::Entrant;
use pitmaster_sandbox::Audit;

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
    /// How.
    pub entrant: Entrant,
    /// How in a sandbox that tells what is refused, where there is to be an audit.
    pub audited: Option<Entrant>,
    /// What it is written in, if that is known.
    pub language: Option<Language>,
}

/// What is the same for all bots.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What is played.
    pub game: Arc<dyn DynGame>,
    /// Under which limits.
    pub limits: Limits,
    /// All randomness follows from it.
    pub seed: Seed,
    /// How many games the series has.
    pub games: u32,
    /// Whether there is to be an audit.
    pub audit: bool,
    /// Whether half a minute must do for a bot that takes two seconds for a move.
    pub quick: bool,
    /// Ends it early.
    pub interrupt: Interrupt,
}

/// What is heard of an examination while it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// This scene is played next.
    Scene(Scene),
    /// So many plies of the game that is played.
    Plies(usize),
    /// A move takes so long, from which follows how long the rest takes.
    Left {
        /// The mean of the moves so far.
        per_move: Duration,
        /// About the rest.
        left: Duration,
    },
}

/// Hears how an examination goes on.
pub type Progress<'a> = dyn FnMut(News) + 'a;

/// What came of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneResult {
    /// Which.
    pub scene: Scene,
    /// In short.
    pub came: Came,
    /// All that was found in it, whether it had been found before or not.
    pub found: Vec<What>,
}

/// How long a bot waited for a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    /// So long.
    pub waited: Duration,
    /// Of so long a time.
    pub of: Duration,
}

/// What came of an examination.
#[derive(Debug, Default)]
pub struct Report {
    /// The scenes, in order.
    pub scenes: Vec<SceneResult>,
    /// What was found: what must be otherwise first.
    pub findings: Vec<Finding>,
    /// What the series came to, if it was played.
    pub numbers: Option<Numbers>,
    /// Whether the same seed gave the same game, if that was tried.
    pub repeats: Option<bool>,
    /// What its games came to that few games come to.
    pub reached: Vec<Goal>,
    /// What none of them came to.
    pub not_reached: Vec<Goal>,
    /// What it tried that is refused in a contest, if that was looked at.
    pub audit: Option<Audit>,
    /// The longest that it waited for a core in a game that was therefore not judged.
    pub wait: Option<Wait>,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// A fault of Pitmaster or the machine, which cut it short.
    pub failure: Option<String>,
}

impl SceneResult {
    /// Of a scene in which nothing was found.
    pub(super) fn new(scene: Scene, came: Came) -> Self {
        Self { scene, came, found: Vec::new() }
    }
}

impl Settings {
    /// The scenes that are played: the last one only where there is to be an audit.
    pub fn scenes(&self) -> Vec<Scene> {
        let is_played = |scene: &Scene| match scene {
            Scene::Audit => self.audit,
            // What else has an end shows how it takes one.
            Scene::EarlyEnd | Scene::LongGame | Scene::Series | Scene::Rare => !self.quick,
            _ => true,
        };
        Scene::ALL.into_iter().filter(is_played).collect()
    }
}

impl Report {
    /// Of a bot that cannot be started.
    pub fn of_unfit(finding: Finding, settings: &Settings) -> Self {
        let mut report = Self { findings: vec![finding], ..Self::default() };
        let found = report.findings.iter().map(|finding| finding.what).collect();
        report.scenes.push(SceneResult { scene: Scene::Start, came: Came::Must, found });
        report.fill(settings);
        report
    }

    /// What it all comes to.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(&self.findings)
    }

    /// How many findings of a level there are.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|finding| finding.level() == level).count()
    }

    /// The scenes of which nothing can be said, because the machine decided their games.
    pub fn not_judged(&self) -> Vec<Scene> {
        let scenes = self.scenes.iter().filter(|result| result.came == Came::NotJudged);
        scenes.map(|result| result.scene).collect()
    }

    /// It goes on no further.
    pub(super) fn cut(&mut self, why: Cut) {
        match why {
            Cut::Fault(fault) => self.failure = Some(fault.to_string()),
            Cut::Interrupted => self.interrupted = true,
        }
    }

    /// Names the scenes that were not played.
    pub(super) fn fill(&mut self, settings: &Settings) {
        for &scene in &settings.scenes()[self.scenes.len()..] {
            self.scenes.push(SceneResult::new(scene, Came::NotPlayed));
        }
    }
}
