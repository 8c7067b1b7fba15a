//! Test harness: plays the games of an examination, with the bot behind an interceptor, against a
//! house opponent.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use pitmaster_bots::{Clock, Contender, LaunchError, ReadOutcome};
use pitmaster_core::{BySide, Ending, GameKey, Limits, Record, RefereeFault, Seed, Side};
use pitmaster_games::DynGame;
use pitmaster_referee::Referee;
use pitmaster_referee::protocol;
use pitmaster_runner::{Entrant, GRACE, OneGame, Players, Seated, Stopping};

use super::interceptor::{Disturbance, Patience, Tap};
use super::interrupt::Interrupt;
use super::log::{Log, SharedLog};
use super::opponents::{Halt, Manner, Opponent};
use super::subject::{News, Progress, Settings};

/// A game to play.
#[derive(Debug, Clone)]
pub(super) struct Meeting {
    /// Side of the bot.
    pub(super) side: Side,
    pub(super) opponent: Arc<Entrant>,
    pub(super) manner: Manner,
    pub(super) weather: Disturbance,
    /// Condition under which the game is ended early.
    pub(super) halt: Halt,
    pub(super) limits: Limits,
    /// Moves played before the two are asked.
    pub(super) opening: String,
    /// Number that distinguishes games of the same two bots.
    pub(super) number: u32,
}

impl Meeting {
    /// The same game without disturbance, with these limits.
    pub(super) fn undisturbed(&self, limits: &Limits) -> Self {
        Self { weather: Disturbance::Calm, limits: limits.clone(), ..self.clone() }
    }
}

/// A played game.
#[derive(Debug)]
pub(super) struct Met {
    /// Side of the bot.
    pub(super) side: Side,
    pub(super) record: Record,
    pub(super) log: Log,
}

/// Time for a move if no limit is set.
const UNLIMITED: Duration = Duration::from_secs(10);

/// Plays games. Reusable processes are kept until [`Hall::dismiss`].
#[derive(Debug)]
pub(super) struct Hall<'a> {
    game: &'a Arc<dyn DynGame>,
    seed: Seed,
    bot: &'a Entrant,
    log: SharedLog,
    /// Processes in use: the bot, and its opponent.
    seated: [Option<Seated>; 2],
    patience: Patience,
    interrupt: Interrupt,
}

impl<'a> Hall<'a> {
    pub(super) fn new(settings: &'a Settings, bot: &'a Entrant) -> Self {
        let per_move = settings.limits.per_move.unwrap_or(UNLIMITED);
        Self {
            game: &settings.game,
            seed: settings.seed,
            bot,
            log: Rc::new(RefCell::new(Log::default())),
            seated: [None, None],
            patience: Patience::with(per_move),
            interrupt: settings.interrupt.clone(),
        }
    }

    /// Disables all extra waiting, for a bot that may not even understand its messages.
    pub(super) fn hasty(mut self) -> Self {
        (self.patience.leave, self.patience.waits_for_late_lines) = (GRACE, false);
        self
    }

    /// Plays a game with new processes, and ends them.
    pub(super) fn play(
        &mut self,
        meeting: &Meeting,
        progress: &mut Progress<'_>,
    ) -> Result<Met, RefereeFault> {
        self.dismiss();
        let mut met = self.play_on(meeting, progress)?;
        met.log = merged(met.log, self.dismiss());
        self.shorten_waits(&met.log);
        Ok(met)
    }

    /// Shortens the wait for behavior that is already known.
    fn shorten_waits(&mut self, log: &Log) {
        if log.left.is_some_and(|left| left.exit.is_none()) {
            self.patience.leave = GRACE;
        }
        if log.late.as_ref().is_some_and(|late| !late.came_by_itself() && !late.was_at_work()) {
            self.patience.waits_for_late_lines = false;
        }
    }

    /// Plays a game with the existing processes, and keeps those that can serve another one.
    pub(super) fn play_on(
        &mut self,
        meeting: &Meeting,
        progress: &mut Progress<'_>,
    ) -> Result<Met, RefereeFault> {
        self.log.take();
        let one = self.one_game(meeting);
        let [bot, opponent] = std::mem::take(&mut self.seated);
        let mut seats = on_sides(meeting.side, bot, opponent);
        let mut players = Company { hall: self, meeting, one: &one };
        let watch = |referee: &Referee| progress(News::Plies(referee.plies().len()));
        let record = one.play_among(&mut seats, &mut players, watch);
        let (bot, opponent) = (seats[meeting.side].take(), seats[meeting.side.other()].take());
        self.seated = [bot, opponent];
        match record.ending {
            Ending::RefereeError { fault } => Err(fault),
            _ => Ok(Met { side: meeting.side, record, log: self.log.take() }),
        }
    }

    fn one_game<'m>(&self, meeting: &'m Meeting) -> OneGame<'m>
    where
        'a: 'm,
    {
        let entrants = on_sides(meeting.side, self.bot, &*meeting.opponent);
        let key = GameKey {
            rules: self.game.id(),
            limits: meeting.limits.clone(),
            stage: 1,
            round: 0,
            bots: entrants.as_ref().map(|entrant| entrant.id.clone()),
            opening: meeting.opening.clone(),
            pair: meeting.number,
        };
        // Never stopped, so that its behavior in the opponent's time is visible.
        let stopping = Stopping::Never;
        OneGame { key, game: self.game, seed: self.seed, entrants, stopping }
    }

    /// Ends all processes. The returned log contains the bot's behavior at the end.
    pub(super) fn dismiss(&mut self) -> Log {
        self.log.take();
        let clock = Clock::start();
        for seat in &mut self.seated {
            let Some(mut seat) = seat.take() else { continue };
            seat.contender.send(protocol::QUIT);
            seat.contender.close_stdin();
            seat.contender.end(&clock, clock.now() + GRACE);
            while let ReadOutcome::Line(_) = seat.contender.try_read_line(&clock) {}
        }
        self.log.take()
    }
}

fn on_sides<T>(side: Side, bot: T, opponent: T) -> BySide<T> {
    match side {
        Side::One => BySide::new(bot, opponent),
        Side::Two => BySide::new(opponent, bot),
    }
}

/// Log of a game, with the additions of the farewell.
fn merged(mut game: Log, parting: Log) -> Log {
    game.lines.extend(parting.lines);
    game.afterwards.extend(parting.afterwards);
    if parting.left.is_some() {
        (game.left, game.stderr, game.audit) = (parting.left, parting.stderr, parting.audit);
    }
    game
}

/// Players at the table.
struct Company<'a> {
    hall: &'a Hall<'a>,
    meeting: &'a Meeting,
    one: &'a OneGame<'a>,
}

impl Players for Company<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let OneGame { key, seed, entrants, .. } = self.one;
        let started = entrants[side].start(side, key.seed(*seed), key)?;
        if side != self.meeting.side {
            let Meeting { manner, halt, .. } = self.meeting;
            let (game, log) = (Arc::clone(self.hall.game), Rc::clone(&self.hall.log));
            return Ok(Box::new(Opponent::new(started, manner.clone(), *halt, game, log)));
        }
        let (dialect, weather) = (self.hall.bot.dialect, self.meeting.weather);
        let (log, interrupt) = (Rc::clone(&self.hall.log), self.hall.interrupt.clone());
        let patience = self.hall.patience;
        Ok(Box::new(Tap::new(started, dialect, weather, log, patience, interrupt)))
    }
}
