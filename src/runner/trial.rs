//! Before the first game: every bot is started and asked for its first moves.

use std::sync::Arc;
use std::time::Duration;

use super::entrant::Entrant;
use super::game::{Players, Stopping, dismiss, play};
use super::sparring::Sparring;
use crate::bot::{self, Contender, LaunchFault};
use crate::games::Game;
use crate::record::{
    BySide, Dialect, Ending, Evidence, Fault, GameKey, Limits, RefereeFault, Seed, Side,
};
use crate::referee::{Referee, SeatSetup, Setup};

/// Plies of a trial: two moves of the bot. Without a handshake the first contains the start of
/// its interpreter, the second says how long it thinks.
const PLIES: u32 = 3;

/// What came of asking a bot for its first moves.
#[derive(Debug)]
pub enum Trial {
    /// It made them, and took so long for the last.
    Passed(Duration),
    /// It lost by behaviour.
    Failed(Fault, Evidence),
    /// The referee could not try it.
    Untried(RefereeFault),
}

/// Starts a bot as player 1 and asks it for two moves, under the limits of the tournament; a
/// sparring partner answers.
pub fn trial(entrant: &Entrant, game: &Arc<dyn Game>, limits: &Limits, seed: Seed) -> Trial {
    let plies = limits.plies.map_or(PLIES, |plies| plies.min(PLIES));
    let limits = Limits { plies: Some(plies), ..limits.clone() };
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
    let partner = SeatSetup { dialect: Dialect::Arena, ..seat };
    let seed = seed.derive("trial");
    let seats = BySide::new(seat, partner);
    let setup = Setup { key, game: game.clone(), seed, seats, position: None };
    let referee = match Referee::new(setup) {
        Ok(referee) => referee,
        Err(fault) => return Trial::Untried(RefereeFault::System { error: fault.to_string() }),
    };
    let mut sparring = Spar { entrant, game, seed, limits: &limits };
    let mut seats = BySide::default();
    let mut record = play(referee, &mut seats, &mut sparring, Stopping::Never, |_| {});
    dismiss(seats.one.take().into_iter().chain(seats.two.take()));
    let evidence = record.evidence.one.take().unwrap_or_default();
    match record.ending {
        Ending::Forfeit { by: Side::One, fault, .. } => Trial::Failed(fault, evidence),
        Ending::RefereeError { fault } => Trial::Untried(fault),
        _ => {
            let own = record.plies.iter().rfind(|ply| ply.by == Some(Side::One));
            Trial::Passed(own.map_or(Duration::ZERO, |ply| ply.wall))
        }
    }
}

struct Spar<'a> {
    entrant: &'a Entrant,
    game: &'a Arc<dyn Game>,
    seed: Seed,
    limits: &'a Limits,
}

impl Players for Spar<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchFault> {
        match side {
            Side::One => bot::start(&(self.entrant.launch)(side, self.seed, self.limits)),
            Side::Two => Ok(Box::new(Sparring::new(self.game.begin(), self.seed))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Launch;
    use crate::games::{GameSpec, find};
    use crate::record::{BotHash, BotId};

    /// A bot that is a line of shell.
    fn tried(script: &'static str) -> Trial {
        let launch = move |_: Side, _: Seed, _: &Limits| Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), script.into()],
            environment: Vec::new(),
            dir: "/".into(),
        };
        let entrant = Entrant {
            id: BotId { name: "x".parse().expect("a name"), hash: BotHash::of(b"x") },
            dialect: Dialect::Arena,
            lenient: false,
            launch: Arc::new(launch),
            absent: None,
        };
        let game = find(&GameSpec::plain("coloured-awale")).expect("known");
        let patient = Limits { per_move: None, first_move: None, ..Limits::default() };
        trial(&entrant, &game, &patient, Seed(1))
    }

    #[test]
    fn two_moves_are_asked_for_and_answered_in_between() {
        let trial = tried("read start; echo 1R; read answer; echo 3R; read end");
        assert!(matches!(trial, Trial::Passed(_)), "{trial:?}");
    }

    #[test]
    fn a_second_move_that_is_none_is_found() {
        let trial = tried("read start; echo 1R; read answer; echo $answer; read end");
        assert!(matches!(trial, Trial::Failed(Fault::IllegalMove, _)), "{trial:?}");
        let trial = tried("exit 3");
        assert!(matches!(trial, Trial::Failed(Fault::Exited { .. }, _)), "{trial:?}");
    }
}
