//! What goes into an examination, and what comes out of it.

use std::sync::Arc;

use super::finding::{Finding, Level, Verdict};
use super::language::Language;
use super::numbers::Numbers;
use super::scene::{Came, Scene};
use crate::bot::Audit;
use crate::games::Game;
use crate::record::{Limits, Seed};
use crate::runner::Entrant;

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
    pub game: Arc<dyn Game>,
    /// Under which limits.
    pub limits: Limits,
    /// All randomness follows from it.
    pub seed: Seed,
    /// How many games the series has.
    pub games: u32,
    /// Whether there is to be an audit.
    pub audit: bool,
}

/// Hears which scene is played next.
pub type Progress<'a> = dyn FnMut(Scene) + 'a;

/// What came of an examination.
#[derive(Debug, Default)]
pub struct Report {
    /// The scenes, in order.
    pub scenes: Vec<(Scene, Came)>,
    /// What was found: what must be otherwise first.
    pub findings: Vec<Finding>,
    /// What the series came to, if it was played.
    pub numbers: Option<Numbers>,
    /// Whether the same seed gave the same game, if that was tried.
    pub repeats: Option<bool>,
    /// What it tried that is refused in a contest, if that was looked at.
    pub audit: Option<Audit>,
    /// A fault of Pitmaster or the machine, which cut it short.
    pub failure: Option<String>,
}

impl Settings {
    /// The scenes that are played: the last one only where there is to be an audit.
    pub fn scenes(&self) -> &'static [Scene] {
        let [without @ .., _] = &Scene::ALL;
        if self.audit { &Scene::ALL } else { without }
    }
}

impl Report {
    /// Of a bot that cannot be started.
    pub fn of_unfit(finding: Finding, settings: &Settings) -> Self {
        let mut report = Self { findings: vec![finding], ..Self::default() };
        report.scenes.push((Scene::Start, Came::Must));
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

    /// Names the scenes that were not played.
    pub(super) fn fill(&mut self, settings: &Settings) {
        for scene in &settings.scenes()[self.scenes.len()..] {
            self.scenes.push((*scene, Came::NotPlayed));
        }
    }
}
