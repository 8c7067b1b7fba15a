//! The examination: every scene in order, as long as there is use in it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::audited;
use super::diagnose::{self, Case, Found};
use super::finding::{Finding, Level, What};
use super::hall::{Hall, Meeting, Met};
use super::manners;
use super::numbers::Numbers;
use super::opponents::Manner;
use super::scene::{Came, Scene};
use super::subject::{Progress, Report, Settings, Subject};
use super::tap::Weather;
use crate::bot::Sandbox;
use crate::bot::submission::{Naming, Options, PlayerCommand};
use crate::games::Game;
use crate::language::{Fill, Message, said};
use crate::players::{self, PlayerSpec};
use crate::record::Resources;
use crate::record::{Dialect, Fault, RefereeFault, Side};
use crate::runner::{Entrant, Start};

/// How long a short scene is, in plies.
const SHORT: u32 = 12;

/// How much longer than usual a move may take while lines come in pieces.
const FOR_PIECES: Duration = Duration::from_secs(2);

/// How long the scene is in which the opponent takes its time, in plies.
const PATIENCE: u32 = 20;

/// For each move of an opponent who takes its time.
const SLOW: Duration = Duration::from_millis(40);

/// How long it is awaited that a bot shows that it speaks another dialect.
const PROBE: Duration = Duration::from_secs(2);

/// How long the long game may last, in plies and in time.
const LONG: (u32, Duration) = (2000, Duration::from_secs(20));

/// A game that took longer is not played again to see whether it is the same.
const AGAIN: Duration = Duration::from_secs(5);

/// How long a series may last: then it is shorter than was asked for.
const SERIES: Duration = Duration::from_secs(120);

/// Examines a bot on this thread. `progress` hears of every scene before it is played.
pub fn examine(subject: &Subject, settings: &Settings, progress: &mut Progress<'_>) -> Report {
    let mut exam = Exam::new(subject, settings);
    for &scene in settings.scenes() {
        progress(scene);
        exam.worst = None;
        let came = match exam.play(scene) {
            Ok(Played::Not) => Came::NotPlayed,
            Ok(_) => exam.came(),
            Err(fault) => {
                exam.report.failure = Some(fault.to_string());
                break;
            }
        };
        exam.report.scenes.push((scene, came));
        if exam.is_hopeless {
            break;
        }
    }
    exam.report.fill(settings);
    exam.report.findings.sort_by_key(|finding| std::cmp::Reverse(finding.level()));
    exam.report
}

/// Whether a scene was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Played {
    Yes,
    /// The dialect has no such thing.
    Not,
}

struct Exam<'a> {
    subject: &'a Subject,
    settings: &'a Settings,
    hall: Hall<'a>,
    opponents: Vec<Arc<Entrant>>,
    report: Report,
    /// The worst that was found in this scene.
    worst: Option<Level>,
    /// It cannot play: other scenes would show the same.
    is_hopeless: bool,
}

/// A player of the house that thinks on this thread.
fn of_the_house(player: PlayerSpec) -> Entrant {
    let command = PlayerCommand::house(
        &player,
        Naming::default(),
        &Options::of_this_machine(&Sandbox::open(&Resources::default())),
    );
    Entrant { start: Start::InProcess(player), ..Entrant::process(command) }
}

/// Those of `house:random` and `house:greedy` that play the game.
fn opponents(game: &dyn Game) -> Vec<Arc<Entrant>> {
    let spec = game.spec().parse().expect("a game writes its own name as it reads it");
    let players = ["random", "greedy"].map(str::parse::<PlayerSpec>);
    let players = players.into_iter().flatten();
    players
        .filter(|player| players::seat(&spec, player).is_ok())
        .map(of_the_house)
        .map(Arc::new)
        .collect()
}

impl<'a> Exam<'a> {
    fn new(subject: &'a Subject, settings: &'a Settings) -> Self {
        Self {
            subject,
            settings,
            hall: Hall::new(&settings.game, settings.seed, &subject.entrant),
            opponents: opponents(&*settings.game),
            report: Report::default(),
            worst: None,
            is_hopeless: false,
        }
    }

    fn came(&self) -> Came {
        match self.worst {
            None => Came::Well,
            Some(Level::Note) => Came::Note,
            Some(Level::Should) => Came::Should,
            Some(Level::Must) => Came::Must,
        }
    }

    fn play(&mut self, scene: Scene) -> Result<Played, RefereeFault> {
        match scene {
            Scene::Start => self.start()?,
            Scene::Games => self.games()?,
            Scene::SecondGame if !self.has_handshake() => return Ok(Played::Not),
            Scene::SecondGame => self.second_game()?,
            Scene::EarlyEnd => self.early_end()?,
            Scene::SuddenEnd => self.sudden_end()?,
            Scene::Pieces => self.pieces()?,
            Scene::Crlf => self.crlf()?,
            Scene::Patience => self.patience()?,
            Scene::LongGame => self.long_game()?,
            Scene::TightClock => self.tight_clock()?,
            Scene::Series => self.series()?,
            Scene::Audit => self.audit()?,
        }
        Ok(Played::Yes)
    }

    fn has_handshake(&self) -> bool {
        self.subject.entrant.dialect.has_handshake()
    }

    /// A game in good weather, as player 1.
    fn meeting(&self, opponent: usize) -> Meeting {
        Meeting {
            side: Side::One,
            opponent: Arc::clone(&self.opponents[opponent]),
            manner: Manner::Plain,
            weather: Weather::Calm,
            limits: self.settings.limits.clone(),
            number: 1,
        }
    }

    fn short(&self) -> Meeting {
        let mut meeting = self.meeting(0);
        meeting.limits.plies = Some(SHORT);
        meeting
    }

    // The scenes.

    fn start(&mut self) -> Result<(), RefereeFault> {
        let mut meeting = self.meeting(0);
        meeting.limits.plies = Some(2);
        let met = self.hall.play(&meeting)?;
        match self.spoken(&meeting, &met)? {
            Some(dialect) => {
                let found = diagnose::other_dialect(self.subject.entrant.dialect, dialect);
                self.add_all(Scene::Start, &met, [found]);
                self.is_hopeless = true;
            }
            None => self.is_hopeless = self.judge(Scene::Start, &met),
        }
        Ok(())
    }

    /// The dialect in which it does make a move, if it makes none in the one that is said of
    /// it and has not shown why.
    fn spoken(&self, meeting: &Meeting, met: &Met) -> Result<Option<Dialect>, RefereeFault> {
        if !self.case(met).may_not_have_understood() {
            return Ok(None);
        }
        let mut meeting = meeting.clone();
        let limits = &mut meeting.limits;
        limits.start_up = limits.start_up.min(PROBE);
        limits.first_move = limits.first_move.map(|limit| limit.min(PROBE));
        let said = &self.subject.entrant;
        for dialect in Dialect::ALL.into_iter().filter(|&dialect| dialect != said.dialect) {
            let entrant = Entrant { dialect, ..said.clone() };
            let mut hall = Hall::new(&self.settings.game, self.settings.seed, &entrant);
            let met = hall.play(&meeting)?;
            if met.record.ending.fault_of(met.side).is_none() {
                return Ok(Some(dialect));
            }
        }
        Ok(None)
    }

    fn games(&mut self) -> Result<(), RefereeFault> {
        let mut forfeits = 0;
        for opponent in 0..self.opponents.len() {
            // Who plays to the end on neither side is not asked against the other opponent.
            for side in Side::BOTH {
                let meeting = Meeting { side, ..self.meeting(opponent) };
                let met = self.hall.play(&meeting)?;
                forfeits += usize::from(self.judge(Scene::Games, &met));
                let is_quick = met.record.duration < AGAIN;
                if forfeits == 0 && is_quick && self.report.repeats.is_none() {
                    let again = self.hall.play(&meeting)?;
                    let same = again.record.fingerprint() == met.record.fingerprint();
                    self.report.repeats = Some(same);
                }
            }
            self.is_hopeless = forfeits == 2 * (opponent + 1);
            if self.is_hopeless {
                break;
            }
        }
        Ok(())
    }

    fn second_game(&mut self) -> Result<(), RefereeFault> {
        let meeting = self.short();
        let first = self.hall.play_on(&meeting)?;
        let second = self.hall.play_on(&Meeting { side: Side::Two, number: 2, ..meeting })?;
        self.hall.dismiss();
        if !self.judge(Scene::SecondGame, &first) {
            let advice = said!("at `newgame` set up everything anew, and stay until `quit`");
            self.judge_weather(Scene::SecondGame, &second, What::SecondGame, advice);
        }
        Ok(())
    }

    fn early_end(&mut self) -> Result<(), RefereeFault> {
        let met = self.hall.play(&Meeting { manner: Manner::Leaves(3), ..self.meeting(0) })?;
        self.judge(Scene::EarlyEnd, &met);
        Ok(())
    }

    fn sudden_end(&mut self) -> Result<(), RefereeFault> {
        for (side, within) in [(Side::One, false), (Side::Two, true)] {
            let weather = Weather::Cut { turn: 3, within };
            let met = self.hall.play(&Meeting { side, weather, ..self.meeting(0) })?;
            if met.log.cut.is_none() {
                self.judge(Scene::SuddenEnd, &met);
            }
            let found = manners::after_input(&self.case(&met), within);
            self.add_all(Scene::SuddenEnd, &met, found);
        }
        Ok(())
    }

    fn pieces(&mut self) -> Result<(), RefereeFault> {
        let mut meeting = Meeting { weather: Weather::Pieces, ..self.short() };
        let limits = &mut meeting.limits;
        limits.per_move = limits.per_move.map(|limit| limit + FOR_PIECES);
        limits.first_move = limits.first_move.map(|limit| limit + FOR_PIECES);
        let met = self.hall.play(&meeting)?;
        let advice = said!(
            "read up to the end of a line, however many reads that takes: a pipe may cut \
                      lines anywhere"
        );
        self.judge_weather(Scene::Pieces, &met, What::NeedsWholeLines, advice);
        Ok(())
    }

    fn crlf(&mut self) -> Result<(), RefereeFault> {
        let met = self.hall.play(&Meeting { weather: Weather::Crlf, ..self.short() })?;
        let advice = said!(
            "cut all white space off the end of each line that it reads: other referees, \
                      and files written on Windows, end lines with CR LF"
        );
        self.judge_weather(Scene::Crlf, &met, What::NeedsLf, advice);
        Ok(())
    }

    fn patience(&mut self) -> Result<(), RefereeFault> {
        let mut meeting = Meeting { manner: Manner::Slow(SLOW), ..self.meeting(0) };
        meeting.limits.plies = Some(PATIENCE);
        let met = self.hall.play(&meeting)?;
        self.judge(Scene::Patience, &met);
        let found = manners::thinking_on(&self.case(&met));
        self.add_all(Scene::Patience, &met, found);
        Ok(())
    }

    fn long_game(&mut self) -> Result<(), RefereeFault> {
        let mut meeting = self.meeting(0);
        (meeting.limits.plies, meeting.limits.per_game) = (Some(LONG.0), Some(LONG.1));
        (meeting.side, meeting.manner) = (Side::Two, Manner::Passive);
        let met = self.hall.play(&meeting)?;
        self.judge(Scene::LongGame, &met);
        Ok(())
    }

    /// Only who was computing is late by its own doing: a machine that is busy makes short
    /// limits shorter.
    fn tight_clock(&mut self) -> Result<(), RefereeFault> {
        let mut meeting = self.meeting(0);
        meeting.limits.per_move = meeting.limits.per_move.map(|limit| limit / 10);
        let met = self.hall.play(&meeting)?;
        let is_late = matches!(self.case(&met).fault(), Some(Fault::MoveLate { .. }));
        let computed = met.log.late.as_ref().is_some_and(|late| late.used.cpu * 2 > late.wall);
        if !is_late {
            self.judge(Scene::TightClock, &met);
        } else if computed {
            let advice = said!(
                "search until a share of the limit it is told, not for a fixed time or \
                          depth: tournaments differ"
            );
            self.judge_weather(Scene::TightClock, &met, What::TightClock, advice);
        }
        Ok(())
    }

    fn series(&mut self) -> Result<(), RefereeFault> {
        let began = Instant::now();
        let mut numbers = Numbers::default();
        for game in 0..self.settings.games {
            if began.elapsed() > SERIES {
                break;
            }
            let side = if game % 2 == 0 { Side::One } else { Side::Two };
            let meeting = Meeting { side, number: 1 + game / 2, ..self.meeting(0) };
            let met = self.hall.play_on(&meeting)?;
            numbers.add(&met, self.subject.entrant.dialect);
            self.judge(Scene::Series, &met);
        }
        self.hall.dismiss();
        self.near_the_limit(&numbers);
        self.report.numbers = Some(numbers);
        Ok(())
    }

    /// Looked at from outside only: what it does wrong was found in the other scenes.
    fn audit(&mut self) -> Result<(), RefereeFault> {
        let Some(entrant) = &self.subject.audited else { return Ok(()) };
        let met =
            Hall::new(&self.settings.game, self.settings.seed, entrant).play(&self.meeting(0))?;
        for finding in met.log.audit.iter().flat_map(audited::findings) {
            self.add(finding);
        }
        let cut_short = audited::cut_short(diagnose::forfeit(&self.case(&met)));
        self.add_all(Scene::Audit, &met, cut_short);
        self.report.audit.clone_from(&met.log.audit);
        Ok(())
    }

    // What is made of them.

    fn case<'m>(&'m self, met: &'m Met) -> Case<'m> {
        Case {
            met,
            game: &*self.settings.game,
            dialect: self.subject.entrant.dialect,
            language: self.subject.language,
        }
    }

    /// Adds what is found in a game; whether the bot lost it by its behaviour.
    fn judge(&mut self, scene: Scene, met: &Met) -> bool {
        let case = self.case(met);
        let forfeited = case.fault().is_some();
        let found: Vec<_> =
            diagnose::forfeit(&case).into_iter().chain(manners::manners(&case)).collect();
        self.add_all(scene, met, found);
        forfeited
    }

    /// The same for a game in bad weather, which is to blame if there was no forfeit in good
    /// weather.
    fn judge_weather(&mut self, scene: Scene, met: &Met, what: What, advice: Message) {
        let lost = |finding: &Finding| finding.level() == Level::Must;
        if self.report.findings.iter().any(lost) {
            self.judge(scene, met);
        } else if let Some(found) = diagnose::forfeit(&self.case(met)) {
            let came = said!("{}: {}", found.what.about(), found.came);
            self.add_all(scene, met, [Found { what, came, advice, ..found }]);
        } else {
            self.judge(scene, met);
        }
    }

    fn near_the_limit(&mut self, numbers: &Numbers) {
        let limit = self.settings.limits.per_move.unwrap_or(Duration::MAX);
        let Some(worst) = numbers.worst().filter(|&worst| worst > limit.mul_f64(0.75)) else {
            return;
        };
        self.add(Finding {
            what: What::NearTheLimit,
            scene: Scene::Series,
            times: 1,
            expected: said!("moves well below {}", Fill::whole(limit)),
            came: said!("{} for the slowest", Fill::time(worst, 1)),
            transcript: Vec::new(),
            advice: said!(
                "stop searching at two thirds of the limit: a busy machine may take the rest"
            ),
        });
    }

    fn add_all(&mut self, scene: Scene, met: &Met, found: impl IntoIterator<Item = Found>) {
        for Found { what, expected, came, advice } in found {
            let transcript = self.case(met).transcript();
            self.add(Finding { what, scene, times: 1, expected, came, transcript, advice });
        }
    }

    fn add(&mut self, finding: Finding) {
        self.worst = self.worst.max(Some(finding.level()));
        let mut known = self.report.findings.iter_mut();
        match known.find(|known| known.what == finding.what) {
            Some(known) => known.times += 1,
            None => self.report.findings.push(finding),
        }
    }
}
