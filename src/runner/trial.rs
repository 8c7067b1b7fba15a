//! Before the first game: every bot is started and asked for one move.

use std::sync::Arc;
use std::time::Duration;

use super::entrant::Entrant;
use super::game::{Players, Stopping, dismiss, play};

use crate::bot::{Contender, LaunchFault};
use crate::games::{Game, Turn};
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

/// Starts a bot as whoever moves first and asks it for one move, under the limits of the
/// tournament.
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
    let first = first_to_move(&**game, seed);
    let seats = BySide::from_fn(|side| if side == first { seat } else { nobody });
    let game = game.clone();
    let referee = match Referee::new(Setup { key, game, seed, seats, position: None }) {
        Ok(referee) => referee,
        Err(fault) => return Trial::Untried(RefereeFault::System { error: fault.to_string() }),
    };
    let mut alone = Alone { entrant, seed, limits: &limits };
    let mut seats = BySide::default();
    let mut record = play(referee, &mut seats, &mut alone, Stopping::Never, |_| {});
    dismiss(seats.one.take().into_iter().chain(seats.two.take()));
    let evidence = record.evidence[first].take().unwrap_or_default();
    match record.ending {
        Ending::Forfeit { by, fault, .. } if by == first => Trial::Failed(fault, evidence),
        Ending::RefereeError { fault } => Trial::Untried(fault),
        _ => {
            let own = record.plies.iter().find(|ply| ply.by == Some(first));
            Trial::Passed(own.map_or(Duration::ZERO, |ply| ply.wall))
        }
    }
}

/// The player to move when chance has had its steps: the same that the referee will draw.
fn first_to_move(game: &dyn Game, seed: Seed) -> Side {
    let mut table = game.begin();
    let mut chance = seed.stream("chance");
    loop {
        match table.turn() {
            Turn::Chance => drop(table.draw(&mut chance)),
            Turn::Player(side) => return side,
            Turn::Over(_) => return Side::One,
        }
    }
}

struct Alone<'a> {
    entrant: &'a Entrant,
    seed: Seed,
    limits: &'a Limits,
}

impl Players for Alone<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchFault> {
        self.entrant.start(side, self.seed, self.limits)
    }
}

#[cfg(test)]
mod tests {
    use super::super::entrant::Start;
    use super::*;
    use crate::bot::{Cage, Launch};
    use crate::games::{game_of, toy::Toy};
    use crate::record::{BotHash, BotId};

    /// A bot of a line of shell that knows which player it is.
    fn entrant(answer: &'static str) -> Entrant {
        let launch = move |side: Side, _: Seed, _: &Limits| Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), format!("read line; {answer}").into(), side.to_string().into()],
            environment: Vec::new(),
            dir: "/".into(),
            cage: Cage::open(),
        };
        Entrant {
            id: BotId { name: "a".parse().unwrap(), hash: BotHash::of(b"a") },
            dialect: Dialect::Arena,
            lenient: false,
            start: Start::Process(Arc::new(launch)),
            absent: None,
            anchor: None,
        }
    }

    #[test]
    fn where_player_2_begins_the_bot_is_tried_as_player_2() {
        let hour = Some(Duration::from_secs(3600));
        let limits =
            Limits { per_move: hour, first_move: hour, per_game: None, ..Limits::default() };
        let game = game_of(Toy);
        let tried = |answer| trial(&entrant(answer), &game, &limits, Seed(1));
        assert!(matches!(tried("[ $0 = 2 ] && echo fill=1:3"), Trial::Passed(_)));
        assert!(matches!(tried("[ $0 = 1 ] && echo fill=1:3"), Trial::Failed(..)));
    }
}
