//! Referee tests in simulated time: whole games without a process, a pipe or a clock.

mod dialects;
mod endings;
mod limits;
mod properties;
mod starvation;
mod theft;
mod toy;

use std::sync::Arc;
use std::time::Duration;

use pitmaster_core::{
    At, BotHash, BotId, BySide, Dialect, Ending, Fault, GameKey, Limits, Record, Seed, Side,
};
use pitmaster_games::{self as games, DynGame};

use super::{Action, Leftovers, ProcessFate, Referee, SeatSetup, Setup, SetupError};
use crate::protocol::Want;

/// Position one move after which `8B` and `7TR` win for player 1: 50 to 35.
const NEAR_THE_END: &str = "0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,0.0.0,1.1.1,0.0.0,0.0.0,2.8.0,0.0.0,\
                            0.0.0,0.0.0,0.0.0,0.0.0,0.0.0/48-35/1";

const NANO: Duration = Duration::from_nanos(1);

/// Settings of a game that differ from the contest's.
#[derive(Debug, Clone)]
struct Spec {
    game: Arc<dyn DynGame>,
    dialects: BySide<Dialect>,
    lenient: bool,
    greeted: Option<Want>,
    limits: Limits,
    opening: &'static str,
    position: Option<&'static str>,
}

impl Spec {
    fn of(dialect: Dialect) -> Self {
        let game = games::find(&"coloured-awale".parse().unwrap()).unwrap();
        Self {
            game,
            dialects: BySide::new(dialect, dialect),
            lenient: false,
            greeted: None,
            limits: Limits::default(),
            opening: "",
            position: None,
        }
    }

    fn near_the_end(dialect: Dialect) -> Self {
        Self { position: Some(NEAR_THE_END), ..Self::of(dialect) }
    }

    fn referee(&self) -> Result<Referee, SetupError> {
        let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"") };
        let key = GameKey {
            rules: self.game.id(),
            limits: self.limits.clone(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot("a"), bot("b")),
            opening: self.opening.into(),
            pair: 1,
        };
        let (lenient, greeted) = (self.lenient, self.greeted);
        Referee::new(Setup {
            key,
            game: self.game.clone(),
            seed: Seed(1),
            seats: self.dialects.map(|dialect| SeatSetup {
                dialect,
                lenient,
                greeted,
                per_move: None,
            }),
            position: self.position.map(str::to_owned),
        })
    }

    /// Begins a game, up to the first line that the referee waits for.
    fn play(&self) -> Play {
        self.begin(None)
    }

    /// The same, but the process of a side does not start.
    fn play_without(&self, side: Side) -> Play {
        self.begin(Some(side))
    }

    fn begin(&self, would_not_start: Option<Side>) -> Play {
        let mut play = Play {
            referee: self.referee().unwrap(),
            now: At::START,
            sent: BySide::default(),
            early: BySide::default(),
            would_not_start,
        };
        play.settle();
        play
    }
}

/// Lines that a bot has written before its turn.
#[derive(Debug, Clone)]
enum Early {
    Line(&'static str),
    Part(&'static str),
}

/// A game in simulated time. Time advances only by [`Play::wait`].
#[derive(Debug)]
struct Play {
    referee: Referee,
    now: At,
    /// All lines sent to each side.
    sent: BySide<String>,
    /// Input handed over before a side is asked for its next move.
    early: BySide<Vec<Early>>,
    would_not_start: Option<Side>,
}

impl Play {
    /// Carries out the referee's actions until it waits or the game has ended.
    fn settle(&mut self) {
        loop {
            match self.referee.next() {
                Action::Start(side) if self.would_not_start == Some(side) => {
                    let why = pitmaster_core::StartFault::NotExecutable;
                    self.referee.fault(side, Fault::WouldNotStart { why }, self.now, None);
                }
                Action::Start(side) => self.referee.started(side, self.now),
                Action::Send(side) => self.send(side),
                Action::Listen { .. } | Action::End => break,
            }
        }
    }

    fn send(&mut self, side: Side) {
        if self.referee.is_turn() {
            for early in std::mem::take(&mut self.early[side]) {
                match early {
                    Early::Line(line) => self.referee.early(side, line.as_bytes()),
                    Early::Part(part) => self.referee.early_part(side, part.as_bytes()),
                }
            }
        }
        if self.referee.next() == Action::Send(side) {
            self.sent[side] += std::str::from_utf8(self.referee.outbox()).unwrap();
            self.referee.sent(side, self.now);
        }
    }

    fn wait(&mut self, time: Duration) -> &mut Self {
        self.now = self.now + time;
        self
    }

    /// The listened side writes a line.
    fn line(&mut self, line: impl AsRef<[u8]>) -> &mut Self {
        let side = self.listens().expect("the game is not over").0;
        self.referee.line(side, line.as_ref(), self.now);
        self.settle();
        self
    }

    fn lines(&mut self, lines: &str) -> &mut Self {
        for line in lines.lines() {
            self.line(line.trim());
        }
        self
    }

    /// The driver's timer fires.
    fn timeout(&mut self) -> &mut Self {
        self.referee.timeout(self.now);
        self.settle();
        self
    }

    fn fault(&mut self, side: Side, fault: Fault) -> &mut Self {
        self.referee.fault(side, fault, self.now, None);
        self.settle();
        self
    }

    fn listens(&mut self) -> Option<(Side, Option<At>)> {
        match self.referee.next() {
            Action::Listen { side, until } => Some((side, until)),
            _ => None,
        }
    }

    /// The ending's name; `-` while there is none.
    fn ending(&self) -> String {
        self.referee.ending().map_or("-".into(), |ending| ending.name().into_owned())
    }

    fn moves(&self) -> String {
        self.referee.plies().iter().map(|ply| &*ply.text).collect::<Vec<_>>().join(" ")
    }

    fn farewell(&self, side: Side) -> (ProcessFate, String) {
        let mut words = Vec::new();
        let farewell = self.referee.farewell(side, &mut words);
        (farewell, String::from_utf8(words).unwrap())
    }

    fn finish(&mut self) -> Record {
        assert_eq!(self.referee.next(), Action::End);
        let spent = Spec::of(Dialect::Arena).referee().unwrap();
        std::mem::replace(&mut self.referee, spent).finish(BySide::<Leftovers>::default())
    }
}

/// Game in which both are ready (dialect `pitmaster`).
fn shaken(spec: &Spec) -> Play {
    let mut play = spec.play();
    play.lines("ready\nready\nready\nready");
    play
}

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}
