//! Before the first game: every bot is started and asked for one move.

use std::sync::Arc;
use std::time::Duration;

use super::entrant::Entrant;
use super::game::{Players, Stopping, dismiss, play};

use crate::bot::{self, Contender, LaunchFault};
use crate::games::Game;
use crate::record::{
    BySide, Dialect, Ending, Evidence, Fault, GameKey, Limits, RefereeFault, Seed, Side,
};
use crate::referee::{Referee, SeatSetup, Setup};

/// What came of asking a bot for one move.
#[derive(Debug)]
pub enum Trial {
    /// It made one, and took so long.
    Passed(Duration),
    /// It lost by behaviour.
    Failed(Fault, Evidence),
    /// The referee could not try it.
    Untried(RefereeFault),
}

/// Starts a bot as player 1 and asks it for one move, under the limits of the tournament.
pub fn trial(entrant: &Entrant, game: &Arc<dyn Game>, limits: &Limits, seed: Seed) -> Trial {
    let limits = Limits { plies: Some(1), ..limits.clone() };
    let key = GameKey {
        rules: game.id(),
        limits: limits.clone(),
        stage: 0,
        round: 0,
        bots: BySide::from_fn(|_| entrant.id.clone()),
        opening: String::new(),
        pair: 0,
    };
    let seat = SeatSetup { dialect: entrant.dialect, lenient: entrant.lenient, greeted: None };
    // Its opponent is never asked, so in a dialect without handshake it is never started.
    let nobody = SeatSetup { dialect: Dialect::Arena, ..seat };
    let seed = seed.derive("trial");
    let (seats, game) = (BySide::new(seat, nobody), game.clone());
    let referee = match Referee::new(Setup { key, game, seed, seats, position: None }) {
        Ok(referee) => referee,
        Err(fault) => return Trial::Untried(RefereeFault::System { error: fault.to_string() }),
    };
    let mut alone = Alone { entrant, seed, limits: &limits };
    let mut seats = BySide::default();
    let mut record = play(referee, &mut seats, &mut alone, Stopping::Never, |_| {});
    dismiss(seats.one.take().into_iter().chain(seats.two.take()));
    let evidence = record.evidence.one.take().unwrap_or_default();
    match record.ending {
        Ending::Forfeit { by: Side::One, fault, .. } => Trial::Failed(fault, evidence),
        Ending::RefereeError { fault } => Trial::Untried(fault),
        _ => Trial::Passed(record.plies.first().map_or(Duration::ZERO, |ply| ply.wall)),
    }
}

struct Alone<'a> {
    entrant: &'a Entrant,
    seed: Seed,
    limits: &'a Limits,
}

impl Players for Alone<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchFault> {
        bot::start(&(self.entrant.launch)(side, self.seed, self.limits))
    }
}
