//! One game fed to a bot again: its opponent and the referee are as they were, and no limit is
//! enforced.
//!
//! Must not know how it is shown.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pitmaster_bots::{Contender, LaunchError};
use pitmaster_core::{BySide, Dialect, Ending, Fault, GameKey, Record, Side, Untrusted};
use pitmaster_games::DynGame;
use pitmaster_referee::{Referee, SeatSetup, Setup};
use pitmaster_runner::{self as runner, Entrant, Players, Stopping};

use super::prompted::{Prompted, Scripted};

/// A recorded game, and the bot that is asked about it.
#[derive(Debug)]
pub(super) struct Script {
    /// What was played.
    pub(super) record: Record,
    /// By these rules.
    pub(super) game: Arc<dyn DynGame>,
    /// The position before each ply, and the last one.
    pub(super) positions: Vec<String>,
    /// The bot.
    pub(super) entrant: Entrant,
    /// Its side.
    pub(super) side: Side,
}

/// What comes of asking.
#[derive(Debug)]
pub(super) enum Event {
    /// It has written to its standard error.
    Stderr(Untrusted),
    /// It has said something about its thinking.
    Info(Untrusted),
    /// It has chosen a move.
    Answer(Answer),
    /// It has lost by behaviour that no clock is needed for.
    Failed(Fault),
    /// The referee has failed.
    Void(String),
}

/// A move that the bot has chosen now.
#[derive(Debug)]
pub(super) struct Answer {
    /// How many plies were before it.
    pub(super) place: usize,
    /// Its text, in the form that the game writes if it is legal.
    pub(super) text: Untrusted,
    /// Whether the rules allow it.
    pub(super) is_legal: bool,
    /// Whether it is what was played then.
    pub(super) is_same: bool,
    /// How long it took.
    pub(super) took: Duration,
}

impl Script {
    /// Where the bot chose its moves, as numbers of plies before; where it forfeited, too.
    pub(super) fn own_places(&self) -> Vec<usize> {
        let (plies, opening) = (&self.record.plies, self.record.key.opening_plies());
        let is_own = |&place: &usize| plies[place].by == Some(self.side);
        let mut own: Vec<_> = (opening..plies.len()).filter(is_own).collect();
        let forfeit = matches!(&self.record.ending, Ending::Forfeit { by, .. } if *by == self.side);
        if forfeit && self.record.evidence[self.side].is_some() {
            own.push(plies.len());
        }
        own
    }

    /// Feeds it the game from that place on, what was played before being told as the opening,
    /// until it has answered at the place `last`, or otherwise than then, on a thread of its own.
    pub(super) fn feed(
        self: &Arc<Self>,
        from: usize,
        last: Option<usize>,
    ) -> (Receiver<Event>, JoinHandle<()>) {
        let (tell, hear) = channel();
        let script = Arc::clone(self);
        (hear, thread::spawn(move || script.play(from, last, &tell)))
    }

    fn play(self: Arc<Self>, from: usize, last: Option<usize>, tell: &Sender<Event>) {
        let referee = match self.referee(from) {
            Ok(referee) => referee,
            Err(why) => return drop(tell.send(Event::Void(why))),
        };
        let is_asked_enough = Rc::new(Cell::new(false));
        let mut players =
            Table { script: &self, from, last, tell, is_asked_enough: &is_asked_enough };
        let mut seats = BySide::default();
        let record = runner::play(referee, &mut seats, &mut players, Stopping::Never, |_| {});
        let event = match &record.ending {
            Ending::RefereeError { fault } => Some(Event::Void(fault.to_string())),
            ending if !is_asked_enough.get() => {
                ending.fault_of(self.side).cloned().map(Event::Failed)
            }
            _ => None,
        };
        // Nobody listens only when nobody reads what is shown.
        drop(event.map(|event| tell.send(event)));
    }

    fn referee(&self, from: usize) -> Result<Referee, String> {
        let played: Vec<_> = self.record.moves().take(from).collect();
        let key = GameKey { opening: played.join(" "), ..self.record.key.clone() };
        let Entrant { dialect, lenient, .. } = self.entrant;
        let bot = SeatSetup { dialect, lenient, greeted: None };
        // A script needs no handshake.
        let script = SeatSetup { dialect: Dialect::Arena, lenient: false, greeted: None };
        let seats = BySide::from_fn(|side| if side == self.side { bot } else { script });
        let (game, seed) = (Arc::clone(&self.game), self.record.seed);
        Referee::new(Setup { key, game, seed, seats, position: None })
            .map_err(|why| why.to_string())
    }
}

/// Where the two contenders come from.
struct Table<'a> {
    script: &'a Arc<Script>,
    from: usize,
    last: Option<usize>,
    tell: &'a Sender<Event>,
    is_asked_enough: &'a Rc<Cell<bool>>,
}

impl Players for Table<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let Script { record, entrant, .. } = &**self.script;
        if side != self.script.side {
            return Ok(Box::new(Scripted::new(record, side, self.from)));
        }
        let inner = entrant.start(side, record.seed, &record.key)?;
        Ok(Box::new(Prompted::new(
            inner,
            Arc::clone(self.script),
            self.from,
            self.last,
            self.tell.clone(),
            Rc::clone(self.is_asked_enough),
        )))
    }
}
