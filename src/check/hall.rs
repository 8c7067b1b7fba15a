//! Where the games of an examination are played: the bot, tapped, against an opponent of the
//! house.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::log::{Log, SharedLog};
use super::opponents::{Manner, Opponent};
use super::tap::{LEAVE, Tap, Weather};
use crate::bot::{Clock, Contender, Heard, LaunchFault};
use crate::games::Game;
use crate::record::{BySide, Ending, GameKey, Limits, Record, RefereeFault, Seed, Side};
use crate::runner::{Entrant, GRACE, OneGame, Players, Seated, Stopping};

/// A game that is to be played.
#[derive(Debug, Clone)]
pub(super) struct Meeting {
    /// The bot's.
    pub(super) side: Side,
    pub(super) opponent: Arc<Entrant>,
    pub(super) manner: Manner,
    pub(super) weather: Weather,
    pub(super) limits: Limits,
    /// Games of the same two differ by it.
    pub(super) number: u32,
}

/// A game that was played.
#[derive(Debug)]
pub(super) struct Met {
    /// The bot's.
    pub(super) side: Side,
    pub(super) record: Record,
    pub(super) log: Log,
}

/// The hall. Processes that can serve another game stay until they are dismissed.
#[derive(Debug)]
pub(super) struct Hall<'a> {
    game: &'a Arc<dyn Game>,
    seed: Seed,
    bot: &'a Entrant,
    log: SharedLog,
    /// Who sits there: the bot, and its opponent.
    seated: [Option<Seated>; 2],
    /// How long the bot is given to go by itself.
    leave: Duration,
}

impl<'a> Hall<'a> {
    pub(super) fn new(game: &'a Arc<dyn Game>, seed: Seed, bot: &'a Entrant) -> Self {
        let log = Rc::new(RefCell::new(Log::default()));
        Self { game, seed, bot, log, seated: [None, None], leave: LEAVE }
    }

    /// Plays a game with new processes, and lets them go.
    pub(super) fn play(&mut self, meeting: &Meeting) -> Result<Met, RefereeFault> {
        self.dismiss();
        let mut met = self.play_on(meeting)?;
        met.log = merged(met.log, self.dismiss());
        // It was shown once that it does not go; waiting for that again shows nothing new.
        if met.log.left.is_some_and(|left| left.exit.is_none()) {
            self.leave = GRACE;
        }
        Ok(met)
    }

    /// Plays a game with the processes that are there, and keeps those that can be kept.
    pub(super) fn play_on(&mut self, meeting: &Meeting) -> Result<Met, RefereeFault> {
        self.log.take();
        let one = self.one_game(meeting);
        let [bot, opponent] = std::mem::take(&mut self.seated);
        let mut seats = on_sides(meeting.side, bot, opponent);
        let mut players = Company { hall: self, meeting, one: &one };
        let record = one.play_among(&mut seats, &mut players, |_| {});
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
            opening: String::new(),
            pair: meeting.number,
        };
        // Never stopped: what it does in the opponent's time is to be seen.
        let stopping = Stopping::Never;
        OneGame { key, game: self.game, seed: self.seed, entrants, stopping }
    }

    /// Says goodbye to everybody; what the bot did then stands in the log.
    pub(super) fn dismiss(&mut self) -> Log {
        self.log.take();
        let clock = Clock::start();
        for seat in &mut self.seated {
            let Some(mut seat) = seat.take() else { continue };
            seat.contender.send(b"quit\n");
            seat.contender.hang_up();
            seat.contender.end(&clock, clock.now() + GRACE);
            while let Heard::Line(_) = seat.contender.glance(&clock) {}
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

/// The log of a game, and what was added to it by the farewell.
fn merged(mut game: Log, parting: Log) -> Log {
    game.lines.extend(parting.lines);
    game.afterwards.extend(parting.afterwards);
    if parting.left.is_some() {
        (game.left, game.stderr, game.audit) = (parting.left, parting.stderr, parting.audit);
    }
    game
}

/// Whoever comes to the table.
struct Company<'a> {
    hall: &'a Hall<'a>,
    meeting: &'a Meeting,
    one: &'a OneGame<'a>,
}

impl Players for Company<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchFault> {
        let OneGame { key, seed, entrants, .. } = self.one;
        let started = entrants[side].start(side, key.seed(*seed), &key.limits)?;
        if side != self.meeting.side {
            return Ok(Box::new(Opponent::new(
                started,
                self.meeting.manner,
                Arc::clone(self.hall.game),
            )));
        }
        let (dialect, weather) = (self.hall.bot.dialect, self.meeting.weather);
        let log = Rc::clone(&self.hall.log);
        Ok(Box::new(Tap::new(started, dialect, weather, log, self.hall.leave)))
    }
}
