//! Scene implementations: how each scene is played.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_core::i18n::said;
use pitmaster_core::{Dialect, Fault, Side};
use pitmaster_runner::Entrant;

use super::audited;
use super::diagnose;
use super::estimate;
use super::examine::{Cut, Exam, Played};
use super::finding::What;
use super::goals::{self, Goal};
use super::harness::{Hall, Meeting, Met};
use super::interceptor::Disturbance;
use super::numbers::Numbers;
use super::opponents::{Halt, Manner};
use super::scenario::Scene;
use super::seeker::Seeker;
use super::subject::News;
use super::warnings;

/// Additional time for a move while lines arrive in pieces.
const FOR_PIECES: Duration = Duration::from_secs(2);

/// Time for each move of a slow opponent.
const SLOW: Duration = Duration::from_millis(40);

/// Time limit for the answer in another dialect.
const PROBE: Duration = Duration::from_secs(2);

/// Limit of plies of the long game.
const LONG: u32 = 2000;

/// Duration above which a game is not repeated to test determinism.
const AGAIN: Duration = Duration::from_secs(5);

/// Number of consecutive forfeits from the start after which a series ends.
const FORFEITS: u32 = 3;

/// Number of games with a large pile, and their total time limit. A single sowing of a large pile
/// seldom shows a wrong board.
const LARGE_PILES: (u32, Duration) = (24, Duration::from_secs(10));

/// Number of attempts to reach a position that few games reach.
const TRIES: u32 = 4;

impl Exam<'_, '_> {
    pub(super) fn play_scene(&mut self, scene: Scene) -> Result<Played, Cut> {
        match scene {
            Scene::Start => self.start()?,
            Scene::Games if self.settings.quick => self.other_side()?,
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
            Scene::Rare => self.rare()?,
            Scene::Audit => self.audit()?,
        }
        Ok(Played::Yes)
    }

    fn has_handshake(&self) -> bool {
        self.subject.entrant.dialect.has_handshake()
    }

    /// A game without disturbance, as player 1.
    fn meeting(&self, opponent: usize) -> Meeting {
        Meeting {
            side: Side::One,
            opponent: Arc::clone(&self.opponents[opponent]),
            manner: Manner::Plain,
            weather: Disturbance::Calm,
            halt: Halt::default(),
            limits: self.settings.limits.clone(),
            opening: String::new(),
            number: 1,
        }
    }

    /// The same, but the opponent resigns after the bot has made the scene's number of moves.
    fn short(&self, scene: Scene) -> Meeting {
        let moves = Some(estimate::moves_of(scene, self.settings.quick));
        Meeting { halt: Halt { moves, time: None }, ..self.meeting(0) }
    }

    fn start(&mut self) -> Result<(), Cut> {
        let meeting = self.short(Scene::Start);
        let Some(met) = self.meet(&meeting)? else { return Ok(()) };
        match self.spoken(&meeting, &met)? {
            Some(dialect) => {
                let found = diagnose::other_dialect(self.subject.entrant.dialect, dialect);
                self.add_all(Scene::Start, &met, [found]);
                self.is_hopeless = true;
            }
            None => drop(self.judge(Scene::Start, &met)),
        }
        self.report_duration(&met);
        Ok(())
    }

    /// Reports the expected duration once the time of a move is known. Without a handshake the
    /// first move does not count, because it includes the start.
    fn report_duration(&mut self, met: &Met) {
        let cold = usize::from(!self.has_handshake());
        let own: Vec<_> = self.case(met).own_plies().skip(cold).map(|ply| ply.wall).collect();
        let moves = own.len() as u32;
        if moves == 0
            || self.settings.quick
            || std::mem::replace(&mut self.has_reported_duration, true)
        {
            return;
        }
        let per_move = own.iter().sum::<Duration>() / moves;
        let left = estimate::duration(self.settings, self.subject.entrant.dialect, per_move);
        (self.progress)(News::Left { per_move, left });
    }

    /// Dialect in which it makes a move, if it makes none in its declared one for no known reason.
    fn spoken(&mut self, meeting: &Meeting, met: &Met) -> Result<Option<Dialect>, Cut> {
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
            let mut hall = Hall::new(self.settings, &entrant).hasty();
            let met = hall.play(&meeting, &mut *self.progress);
            let met = self.unless_interrupted(met)?;
            if met.record.ending.fault_of(met.side).is_none() {
                return Ok(Some(dialect));
            }
        }
        Ok(None)
    }

    fn games(&mut self) -> Result<(), Cut> {
        for opponent in 0..self.opponents.len() {
            // If a bot finishes no game on either side, the other opponent is skipped.
            let mut forfeits = 0;
            for side in Side::BOTH {
                let meeting = Meeting { side, ..self.meeting(opponent) };
                let Some(met) = self.meet(&meeting)? else { continue };
                self.report_duration(&met);
                let forfeited = self.judge(Scene::Games, &met);
                forfeits += u32::from(forfeited);
                let is_quick = met.record.duration < AGAIN;
                if !forfeited && is_quick && self.report.repeats.is_none() {
                    let again = self.meet(&meeting)?;
                    self.report.repeats =
                        again.map(|again| again.record.fingerprint() == met.record.fingerprint());
                }
            }
            if forfeits == 2 {
                break;
            }
        }
        self.is_hopeless = !self.has_moved && !self.was_starved;
        Ok(())
    }

    /// Replaces whole games if there is no time for them, by one move on the other side.
    fn other_side(&mut self) -> Result<(), Cut> {
        let meeting = Meeting { side: Side::Two, ..self.short(Scene::Games) };
        if let Some(met) = self.meet(&meeting)? {
            self.judge(Scene::Games, &met);
        }
        self.is_hopeless = !self.has_moved && !self.was_starved;
        Ok(())
    }

    fn second_game(&mut self) -> Result<(), Cut> {
        let meeting = self.short(Scene::SecondGame);
        let first = self.meet_again(&meeting)?;
        let meeting = Meeting { side: Side::Two, number: 2, ..meeting };
        let second = self.meet_again(&meeting)?;
        self.hall.dismiss();
        let (Some(first), Some(second)) = (first, second) else { return Ok(()) };
        if self.judge(Scene::SecondGame, &first) {
            return Ok(());
        }
        let advice = said!("reset everything at `newgame`, and keep running until `quit`");
        self.judge_disturbed(Scene::SecondGame, (&meeting, &second), What::SecondGame, advice)
    }

    fn early_end(&mut self) -> Result<(), Cut> {
        if let Some(met) = self.meet(&self.short(Scene::EarlyEnd))? {
            self.judge(Scene::EarlyEnd, &met);
        }
        Ok(())
    }

    fn sudden_end(&mut self) -> Result<(), Cut> {
        let turn = estimate::moves_of(Scene::SuddenEnd, self.settings.quick) + 1;
        for (side, within) in [(Side::One, false), (Side::Two, true)] {
            let weather = Disturbance::Cut { turn, within };
            let Some(met) = self.meet(&Meeting { side, weather, ..self.meeting(0) })? else {
                continue;
            };
            if met.log.cut.is_none() {
                self.judge(Scene::SuddenEnd, &met);
            }
            let found = warnings::after_input(&self.case(&met), within);
            self.add_all(Scene::SuddenEnd, &met, found);
        }
        Ok(())
    }

    fn pieces(&mut self) -> Result<(), Cut> {
        let mut meeting = Meeting { weather: Disturbance::Pieces, ..self.short(Scene::Pieces) };
        let limits = &mut meeting.limits;
        limits.per_move = limits.per_move.map(|limit| limit + FOR_PIECES);
        limits.first_move = limits.first_move.map(|limit| limit + FOR_PIECES);
        let Some(met) = self.meet(&meeting)? else { return Ok(()) };
        let advice = said!(
            "read to the end of the line, however many reads that takes: a pipe may split lines \
             anywhere"
        );
        self.judge_disturbed(Scene::Pieces, (&meeting, &met), What::NeedsWholeLines, advice)
    }

    fn crlf(&mut self) -> Result<(), Cut> {
        let meeting = Meeting { weather: Disturbance::Crlf, ..self.short(Scene::Crlf) };
        let Some(met) = self.meet(&meeting)? else { return Ok(()) };
        let advice = said!(
            "strip white space from the end of each line that it reads: other referees, and \
             files written on Windows, end lines with CR LF"
        );
        self.judge_disturbed(Scene::Crlf, (&meeting, &met), What::NeedsLf, advice)
    }

    fn patience(&mut self) -> Result<(), Cut> {
        let meeting = Meeting { manner: Manner::Slow(SLOW), ..self.short(Scene::Patience) };
        let Some(met) = self.meet(&meeting)? else { return Ok(()) };
        self.judge(Scene::Patience, &met);
        let found = warnings::thinking_on(&self.case(&met));
        self.add_all(Scene::Patience, &met, found);
        Ok(())
    }

    fn long_game(&mut self) -> Result<(), Cut> {
        let halt = Halt { moves: None, time: Some(estimate::LONG_GAME) };
        let mut meeting = Meeting { halt, manner: Manner::Passive, ..self.meeting(0) };
        (meeting.side, meeting.limits.plies) = (Side::Two, Some(LONG));
        if let Some(met) = self.meet(&meeting)? {
            self.judge(Scene::LongGame, &met);
        }
        Ok(())
    }

    fn tight_clock(&mut self) -> Result<(), Cut> {
        let mut meeting = self.meeting(0);
        if self.settings.quick {
            meeting.halt = self.short(Scene::TightClock).halt;
        }
        let limits = &mut meeting.limits;
        limits.per_move = limits.per_move.map(|limit| limit / 10);
        // With a handshake, the start is not part of the first move.
        if self.has_handshake() {
            limits.first_move = limits.per_move;
        }
        let Some(met) = self.meet(&meeting)? else { return Ok(()) };
        let found = diagnose::forfeit(&self.case(&met));
        let is_slow = matches!(self.case(&met).fault(), Some(Fault::MoveLate { .. }))
            && found.as_ref().is_some_and(|found| found.what == What::TooSlow);
        match found {
            Some(found) if is_slow => {
                let advice = diagnose::tight_clock(self.subject.entrant.dialect);
                let found = diagnose::Found { what: What::TightClock, advice, ..found };
                self.add_all(Scene::TightClock, &met, [found]);
            }
            _ => drop(self.judge(Scene::TightClock, &met)),
        }
        Ok(())
    }

    fn series(&mut self) -> Result<(), Cut> {
        let began = Instant::now();
        let (mut numbers, mut forfeits) = (Numbers::default(), 0);
        for game in 0..self.settings.games {
            // Starts no game that would not end in time.
            let average = began.elapsed() / game.max(1);
            if game > 0 && began.elapsed() + average > estimate::SERIES {
                break;
            }
            let side = if game % 2 == 0 { Side::One } else { Side::Two };
            let meeting = Meeting { side, number: 1 + game / 2, ..self.meeting(0) };
            let Some(met) = self.meet_again(&meeting)? else { continue };
            numbers.add(&met, self.subject.entrant.dialect);
            forfeits += u32::from(self.judge(Scene::Series, &met));
            if forfeits >= FORFEITS && forfeits == numbers.games() {
                break;
            }
        }
        self.hall.dismiss();
        self.near_the_limit(&numbers);
        self.report.numbers = Some(numbers);
        Ok(())
    }

    /// Games with an opponent that seeks goals that no earlier game reached. With a bot that
    /// supports openings, they start shortly before the goal.
    fn rare(&mut self) -> Result<(), Cut> {
        let (began, mut games, mut forfeits) = (Instant::now(), 0, 0);
        let mut goals = self.goals.open.clone();
        goals.insert(Goal::LargePile);
        for goal in goals {
            let tries = if goal == Goal::LargePile { LARGE_PILES.0 } else { TRIES };
            for number in 1..=tries {
                // Starts no game that would not end in time.
                let average = began.elapsed() / games.max(1);
                let is_late = games > 0 && began.elapsed() + average > estimate::RARE;
                let is_worth_it = goal == Goal::LargePile && began.elapsed() < LARGE_PILES.1;
                let is_sought = is_worth_it || self.goals.open.contains(&goal);
                if is_late || forfeits >= FORFEITS || !is_sought {
                    break;
                }
                games += 1;
                let meeting = self.meeting_for(&goal, number);
                let Some(met) = self.meet(&meeting)? else { continue };
                forfeits += u32::from(self.judge_rare(&goal, &met));
            }
        }
        Ok(())
    }

    fn meeting_for(&self, goal: &Goal, number: u32) -> Meeting {
        let side = if number.is_multiple_of(2) { Side::One } else { Side::Two };
        let seed = self.settings.seed.derive(&format!("{goal} {number}"));
        let hears_openings = self.subject.entrant.dialect.hears_openings();
        let mut seeker = Seeker::new(&self.settings.game, goal.clone(), seed);
        let opening = hears_openings.then(|| seeker.opening(side)).flatten();
        let (manner, opening) = (Manner::Seek(goal.clone(), seed), opening.unwrap_or_default());
        Meeting { side, manner, opening, number, ..self.meeting(0) }
    }

    /// Judges a game that reached the goal and then ended in a forfeit, since the goal may explain
    /// the forfeit. Returns whether the bot lost it by its behavior.
    fn judge_rare(&mut self, goal: &Goal, met: &Met) -> bool {
        let has_come = goals::reached_in(&*self.settings.game, met).contains(goal);
        match diagnose::forfeit(&self.case(met)).filter(|_| has_come) {
            Some(found) => {
                let came = said!("{}; this game had {}", found.came, goal.describe());
                self.add_all(Scene::Rare, met, [diagnose::Found { came, ..found }]);
                true
            }
            None => self.judge(Scene::Rare, met),
        }
    }

    /// Evaluates only the audit; faults are found in the other scenes.
    fn audit(&mut self) -> Result<(), Cut> {
        let Some(entrant) = &self.subject.audited else { return Ok(()) };
        let mut hall = Hall::new(self.settings, entrant);
        let mut meeting = self.meeting(0);
        if self.settings.quick {
            meeting.halt = self.short(Scene::Audit).halt;
        }
        let met = hall.play(&meeting, &mut *self.progress);
        let met = self.unless_interrupted(met)?;
        for finding in met.log.audit.iter().flat_map(audited::findings) {
            self.add(finding);
        }
        let cut_short = audited::cut_short(diagnose::forfeit(&self.case(&met)));
        self.add_all(Scene::Audit, &met, cut_short);
        self.report.audit.clone_from(&met.log.audit);
        Ok(())
    }
}
