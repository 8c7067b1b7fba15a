//! Replay of a recorded game to a bot, with the same opponent and referee and without limits.
//!
//! Must not depend on how answers are shown.

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

/// Recorded game and the bot that is asked about it.
#[derive(Debug)]
pub(super) struct Script {
    /// Record of the game.
    pub(super) record: Record,
    /// Rules of the game.
    pub(super) game: Arc<dyn DynGame>,
    /// Position before each ply, and the final one.
    pub(super) positions: Vec<String>,
    /// Bot that is asked.
    pub(super) entrant: Entrant,
    /// Side of the bot.
    pub(super) side: Side,
}

/// Event of a debugged game.
#[derive(Debug)]
pub(super) enum Event {
    /// The bot wrote to its standard error.
    Stderr(Untrusted),
    /// The bot sent a comment.
    Info(Untrusted),
    /// The bot chose a move.
    Answer(Answer),
    /// The bot forfeited by a violation other than time.
    Failed(Fault),
    /// The referee failed.
    Void(String),
}

/// Move that the bot chooses now.
#[derive(Debug)]
pub(super) struct Answer {
    /// Number of plies before it.
    pub(super) place: usize,
    /// Text of the move, in normal form if it is legal.
    pub(super) text: Untrusted,
    /// Whether the move is legal.
    pub(super) is_legal: bool,
    /// Whether it equals the recorded move.
    pub(super) is_same: bool,
    /// Thinking time.
    pub(super) took: Duration,
}

impl Script {
    /// Plies at which the bot chose a move or forfeited, counted from 0.
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

    /// Replays the game to the bot on a separate thread, with the plies before `from` as the
    /// opening. Ends once the bot answers at ply `last` or chooses another move.
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
        // Sending fails only once the output is closed.
        drop(event.map(|event| tell.send(event)));
    }

    fn referee(&self, from: usize) -> Result<Referee, String> {
        let played: Vec<_> = self.record.moves().take(from).collect();
        let key = GameKey { opening: played.join(" "), ..self.record.key.clone() };
        let Entrant { dialect, lenient, .. } = self.entrant;
        let bot = SeatSetup { dialect, lenient, greeted: None, per_move: None };
        // A script needs no handshake.
        let script =
            SeatSetup { dialect: Dialect::Arena, lenient: false, greeted: None, per_move: None };
        let seats = BySide::from_fn(|side| if side == self.side { bot } else { script });
        let (game, seed) = (Arc::clone(&self.game), self.record.seed);
        Referee::new(Setup { key, game, seed, seats, position: None })
            .map_err(|why| why.to_string())
    }
}

/// Source of the two contenders.
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
