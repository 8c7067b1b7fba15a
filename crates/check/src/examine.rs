//! Examination: plays all scenes in order, as far as they can be played, and evaluates their games.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::submission::{Naming, Options, PlayerCommand};
use pitmaster_core::i18n::{Fill, Message, said};
use pitmaster_core::{RefereeFault, Resources};
use pitmaster_games::DynGame;
use pitmaster_players::{self as players, PlayerSpec};
use pitmaster_runner::{Entrant, Start};
use pitmaster_sandbox::Sandbox;

use super::diagnose::{self, Case, Found};
use super::estimate::QUICK;
use super::finding::{Finding, Level, What};
use super::goals::Goals;
use super::harness::{Hall, Meeting, Met};
use super::numbers::Numbers;
use super::scenario::{Came, Scene};
use super::subject::{News, Progress, Report, SceneResult, Settings, Subject, Wait};
use super::warnings;

/// Maximum number of attempts at a game in which a starved bot is late.
const ATTEMPTS: u32 = 2;

/// Examines a bot on this thread.
pub fn examine(subject: &Subject, settings: &Settings, progress: &mut Progress<'_>) -> Report {
    let mut exam = Exam::new(subject, settings, progress);
    for scene in settings.scenes() {
        let result = if exam.is_out_of_time() {
            SceneResult::new(scene, Came::NotPlayed)
        } else {
            (exam.progress)(News::Scene(scene));
            match exam.scene(scene) {
                Ok(result) => result,
                Err(why) => {
                    exam.report.cut(why);
                    break;
                }
            }
        };
        exam.report.scenes.push(result);
        if exam.is_hopeless {
            break;
        }
    }
    exam.report.reached = exam.goals.reached.into_iter().collect();
    exam.report.not_reached = exam.goals.open.into_iter().collect();
    exam.report.fill(settings);
    exam.report.findings.sort_by_key(|finding| std::cmp::Reverse(finding.level()));
    exam.report
}

/// Reason why an examination ends early.
#[derive(Debug)]
pub(super) enum Cut {
    /// The referee or the machine failed.
    Fault(RefereeFault),
    /// The user interrupted it.
    Interrupted,
}

/// Outcome of a scene: played or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Played {
    Yes,
    /// The scene does not apply to the dialect.
    Not,
}

#[expect(clippy::struct_excessive_bools, reason = "each is about something else")]
pub(super) struct Exam<'a, 'p> {
    pub(super) subject: &'a Subject,
    pub(super) settings: &'a Settings,
    pub(super) hall: Hall<'a>,
    pub(super) opponents: Vec<Arc<Entrant>>,
    pub(super) report: Report,
    pub(super) goals: Goals,
    pub(super) progress: &'p mut Progress<'p>,
    began: Instant,
    /// Findings of this scene.
    found: Vec<What>,
    /// Whether the machine decided a game of this scene.
    pub(super) was_starved: bool,
    /// Whether the remaining time was reported.
    pub(super) has_reported_duration: bool,
    /// Whether it has ever made a legal move.
    pub(super) has_moved: bool,
    /// Whether the bot cannot play at all, so that other scenes would show the same.
    pub(super) is_hopeless: bool,
}

/// A house bot that thinks on this thread; `None` if its endgame table cannot be used.
pub(super) fn of_the_house(player: PlayerSpec) -> Option<Entrant> {
    let options = Options::of_this_machine(&Sandbox::open(&Resources::default()));
    let command = PlayerCommand::house(&player, Naming::default(), &options).ok()?;
    Some(Entrant { start: Start::InProcess(player), ..Entrant::process(command) })
}

/// Opponents that can play the game, of `house:random` and `house:greedy`.
fn opponents(game: &dyn DynGame) -> Vec<Arc<Entrant>> {
    let spec = game.spec().parse().expect("a game writes its own name as it reads it");
    let players = ["random", "greedy"].map(str::parse::<PlayerSpec>);
    let players = players.into_iter().flatten();
    players
        .filter(|player| players::build(&spec, player).is_ok())
        .filter_map(of_the_house)
        .map(Arc::new)
        .collect()
}

impl<'a, 'p> Exam<'a, 'p> {
    fn new(subject: &'a Subject, settings: &'a Settings, progress: &'p mut Progress<'p>) -> Self {
        Self {
            subject,
            settings,
            hall: Hall::new(settings, &subject.entrant),
            opponents: opponents(&*settings.game),
            report: Report::default(),
            goals: if settings.quick {
                Goals::none(&settings.game)
            } else {
                Goals::of(&settings.game)
            },
            progress,
            began: Instant::now(),
            found: Vec::new(),
            was_starved: false,
            has_reported_duration: false,
            has_moved: false,
            is_hopeless: false,
        }
    }

    fn is_out_of_time(&self) -> bool {
        self.settings.quick && self.began.elapsed() > QUICK
    }

    fn scene(&mut self, scene: Scene) -> Result<SceneResult, Cut> {
        self.was_starved = false;
        self.found.clear();
        let came = match self.play_scene(scene)? {
            Played::Not => Came::NotPlayed,
            Played::Yes => self.came(),
        };
        Ok(SceneResult { scene, came, found: std::mem::take(&mut self.found) })
    }

    fn came(&self) -> Came {
        match self.found.iter().map(|what| what.level()).max() {
            Some(Level::Must) => Came::Must,
            Some(Level::Should) => Came::Should,
            _ if self.was_starved => Came::NotJudged,
            Some(Level::Note) => Came::Note,
            None => Came::Well,
        }
    }

    // Games.

    /// Plays a game with a new process, and again if the machine decided it. Returns `None` if the
    /// machine decided every attempt, so that nothing can be concluded about the bot.
    pub(super) fn meet(&mut self, meeting: &Meeting) -> Result<Option<Met>, Cut> {
        for _ in 0..ATTEMPTS {
            let met = self.hall.play(meeting, &mut *self.progress);
            if let Some(met) = self.judged(met)? {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }

    /// Plays the next game with the existing process.
    pub(super) fn meet_again(&mut self, meeting: &Meeting) -> Result<Option<Met>, Cut> {
        let met = self.hall.play_on(meeting, &mut *self.progress);
        self.judged(met)
    }

    /// Returns a game that was played to its end.
    pub(super) fn unless_interrupted(&self, met: Result<Met, RefereeFault>) -> Result<Met, Cut> {
        if self.settings.interrupt.is_set() {
            Err(Cut::Interrupted)
        } else {
            met.map_err(Cut::Fault)
        }
    }

    /// Returns a game that was decided by the bot, not by the machine.
    fn judged(&mut self, met: Result<Met, RefereeFault>) -> Result<Option<Met>, Cut> {
        let met = self.unless_interrupted(met)?;
        let case = self.case(&met);
        let has_moved = case.own_plies().next().is_some();
        let starved = case.starved();
        self.has_moved |= has_moved;
        if let Some((waited, of)) = starved {
            self.was_starved = true;
            let wait = Wait { waited, of };
            self.report.wait =
                self.report.wait.filter(|worst| worst.waited >= waited).or(Some(wait));
            return Ok(None);
        }
        self.goals.note(&met);
        Ok(Some(met))
    }

    // Findings from the observations.

    pub(super) fn case<'m>(&'m self, met: &'m Met) -> Case<'m> {
        Case {
            met,
            game: &*self.settings.game,
            dialect: self.subject.entrant.dialect,
            language: self.subject.language,
        }
    }

    /// Adds the findings of a game. Returns whether the bot forfeited it.
    pub(super) fn judge(&mut self, scene: Scene, met: &Met) -> bool {
        let case = self.case(met);
        let forfeited = case.fault().is_some();
        let found: Vec<_> =
            diagnose::forfeit(&case).into_iter().chain(warnings::manners(&case)).collect();
        self.add_all(scene, met, found);
        forfeited
    }

    /// Adds the findings of a game with a disturbance. A forfeit is attributed to the disturbance
    /// if it was not seen before and does not occur in the same game without it.
    pub(super) fn judge_disturbed(
        &mut self,
        scene: Scene,
        (meeting, met): (&Meeting, &Met),
        what: What,
        advice: Message,
    ) -> Result<(), Cut> {
        let found = diagnose::forfeit(&self.case(met));
        let is_known = |found: &Found| self.report.findings.iter().any(|f| f.what == found.what);
        match found.filter(|found| !is_known(found)) {
            Some(found) if self.survives(meeting)? => {
                let came = said!("{}: {}", found.what.about(), found.came);
                self.add_all(scene, met, [Found { what, came, advice, ..found }]);
            }
            _ => drop(self.judge(scene, met)),
        }
        Ok(())
    }

    /// Returns whether the bot does not forfeit the game.
    fn survives(&mut self, meeting: &Meeting) -> Result<bool, Cut> {
        let met = self.meet(&meeting.undisturbed(&self.settings.limits))?;
        Ok(met.is_none_or(|met| self.case(&met).fault().is_none()))
    }

    pub(super) fn near_the_limit(&mut self, numbers: &Numbers) {
        let limit = self.settings.limits.per_move.unwrap_or(Duration::MAX);
        let Some(worst) = numbers.worst_own().filter(|&worst| worst > limit.mul_f64(0.75)) else {
            return;
        };
        self.add(Finding {
            what: What::NearTheLimit,
            scenes: vec![Scene::Series],
            times: 1,
            expected: said!("moves well below {}", Fill::whole(limit)),
            came: said!("{} for the slowest", Fill::time(worst, 1)),
            transcript: Vec::new(),
            advice: said!(
                "stop searching at two thirds of the limit: a busy machine may take the rest"
            ),
        });
    }

    pub(super) fn add_all(
        &mut self,
        scene: Scene,
        met: &Met,
        found: impl IntoIterator<Item = Found>,
    ) {
        for Found { what, expected, came, advice } in found {
            let transcript = self.case(met).transcript();
            let scenes = vec![scene];
            self.add(Finding { what, scenes, times: 1, expected, came, transcript, advice });
        }
    }

    /// Adds a finding. A known finding is counted once more, in this scene as well.
    pub(super) fn add(&mut self, finding: Finding) {
        if !self.found.contains(&finding.what) {
            self.found.push(finding.what);
        }
        let mut known = self.report.findings.iter_mut();
        match known.find(|known| known.what == finding.what) {
            Some(known) => {
                known.times += finding.times;
                let new = finding.scenes.into_iter().filter(|scene| !known.scenes.contains(scene));
                let new: Vec<_> = new.collect();
                known.scenes.extend(new);
            }
            None => self.report.findings.push(finding),
        }
    }
}
