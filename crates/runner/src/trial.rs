//! Trial before the first game: every bot is started and asked for a move. Bots without a manifest
//! are tried with several dialects.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pitmaster_bots::house::InProcess;
use pitmaster_bots::{Contender, LaunchError};
use pitmaster_core::{
    BySide, Dialect, Ending, Evidence, Fault, GameKey, Limits, RefereeFault, Seed, Side,
};
use pitmaster_games::{DynGame, Turn};
use pitmaster_referee::{Referee, SeatSetup, Setup};

use super::entrant::Entrant;
use super::game::{Players, Stopping, dismiss, play};

/// Result of asking a bot for one move.
#[derive(Debug)]
pub enum Trial {
    /// The bot made a move, after this time.
    Passed(Duration),
    /// The bot forfeited.
    Failed(Fault, Evidence),
    /// The referee could not try the bot.
    Untried(RefereeFault),
}

/// Starts a bot as the player who moves first and asks it for one move, under the limits of the
/// tournament.
pub fn trial(entrant: &Entrant, game: &Arc<dyn DynGame>, limits: &Limits, seed: Seed) -> Trial {
    let seed = seed.derive("trial");
    let first = first_to_move(&**game, seed);
    ask(entrant, first, first, game, limits, seed)
}

/// Time limit of each answer in a trial of a dialect. Much longer than in a contest, to recognize
/// slow bots.
const PATIENCE: Duration = Duration::from_secs(10);

/// Total time after which no further dialect is tried.
const PATIENCE_IN_ALL: Duration = Duration::from_mins(1);

/// Returns the first of these dialects in which a bot makes a legal first move as either player.
/// The bot is started as for any game without extra information.
pub fn first_that_answers<W>(
    ways: impl IntoIterator<Item = (W, Entrant)>,
    game: &Arc<dyn DynGame>,
) -> Option<W> {
    let limits = Limits {
        per_move: Some(PATIENCE),
        first_move: Some(PATIENCE),
        start_up: PATIENCE,
        per_game: None,
        ..Limits::default()
    };
    let seed = Seed(1).derive("trial");
    let first = first_to_move(&**game, seed);
    let began = Instant::now();
    let answers = |entrant: &Entrant| {
        [first, first.other()].into_iter().all(|side| {
            let trial = ask(entrant, side, first, game, &limits, seed);
            matches!(trial, Trial::Passed(_))
        })
    };
    let mut ways = ways.into_iter().take_while(|_| began.elapsed() < PATIENCE_IN_ALL);
    ways.find(|(_, entrant)| answers(entrant)).map(|(way, _)| way)
}

/// Starts a bot as a player and asks it for its first move. If it does not move first, its opponent
/// moves at random.
fn ask(
    entrant: &Entrant,
    side: Side,
    first: Side,
    game: &Arc<dyn DynGame>,
    limits: &Limits,
    seed: Seed,
) -> Trial {
    let plies = if side == first { 1 } else { 2 };
    let limits = Limits { plies: Some(plies), ..limits.clone() };
    let key = GameKey {
        rules: game.id(),
        limits,
        stage: 0,
        round: 0,
        bots: BySide::from_fn(|_| entrant.id.clone()),
        opening: String::new(),
        pair: 0,
    };
    let seat = SeatSetup {
        dialect: entrant.dialect,
        lenient: entrant.lenient,
        greeted: None,
        per_move: None,
    };
    // In a dialect without handshake, an opponent that never moves is never started.
    let dialect = if side == first { Dialect::Arena } else { Dialect::Pitmaster };
    let other = SeatSetup { dialect, lenient: false, greeted: None, per_move: None };
    let seats = BySide::from_fn(|one| if one == side { seat } else { other });
    let game = game.clone();
    let referee = match Referee::new(Setup { key: key.clone(), game, seed, seats, position: None })
    {
        Ok(referee) => referee,
        Err(fault) => return Trial::Untried(RefereeFault::System { error: fault.to_string() }),
    };
    let mut players = Tried { entrant, side, seed, key: &key };
    let mut seats = BySide::default();
    let mut record = play(referee, &mut seats, &mut players, Stopping::Never, |_| {});
    dismiss(seats.one.take().into_iter().chain(seats.two.take()));
    let evidence = record.evidence[side].take().unwrap_or_default();
    match record.ending {
        Ending::Forfeit { by, fault, .. } if by == side => Trial::Failed(fault, evidence),
        Ending::RefereeError { fault } => Trial::Untried(fault),
        _ => {
            let own = record.plies.iter().find(|ply| ply.by == Some(side));
            Trial::Passed(own.map_or(Duration::ZERO, |ply| ply.wall))
        }
    }
}

/// Player to move after the opening chance steps, which match those of the referee.
fn first_to_move(game: &dyn DynGame, seed: Seed) -> Side {
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

struct Tried<'a> {
    entrant: &'a Entrant,
    side: Side,
    seed: Seed,
    key: &'a GameKey,
}

impl Players for Tried<'_> {
    fn start(&mut self, side: Side) -> Result<Box<dyn Contender>, LaunchError> {
        if side == self.side {
            return self.entrant.start(side, self.seed, self.key);
        }
        let player = "random".parse().expect("a player's name");
        Ok(Box::new(InProcess::new(player)))
    }
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{BotHash, BotId};
    use pitmaster_games::{game_of, toy::Toy};
    use pitmaster_sandbox::{Launch, SandboxProfile};

    use super::super::entrant::Start;
    use super::*;

    /// Bot of one shell line that is told which player it is.
    fn entrant(answer: &'static str) -> Entrant {
        let launch = move |side: Side, _: Seed, _: &Limits, _: &str| Launch {
            program: "/bin/sh".into(),
            name: "sh".into(),
            args: vec!["-c".into(), format!("read line; {answer}").into(), side.to_string().into()],
            environment: Vec::new(),
            dir: "/".into(),
            cage: SandboxProfile::open(),
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
    fn a_way_counts_only_if_the_bot_answers_as_both_players() {
        let game = pitmaster_games::find(&"coloured-awale".parse().unwrap()).unwrap();
        let ways = [
            ("nobody", "exit"),
            ("only player 1", "[ $0 = 1 ] && echo 1R"),
            ("only player 2", "[ $0 = 2 ] && echo 2R"),
            ("both", "echo ${0}R"),
            ("later", "echo ${0}B"),
        ];
        let ways = ways.map(|(way, answer)| (way, entrant(answer)));
        assert_eq!(first_that_answers(ways, &game), Some("both"));
        assert_eq!(first_that_answers([("wrong", entrant("echo 0R"))], &game), None);
    }

    #[test]
    fn where_player_2_begins_the_bot_is_tried_as_player_2() {
        let hour = Some(Duration::from_hours(1));
        let limits =
            Limits { per_move: hour, first_move: hour, per_game: None, ..Limits::default() };
        let game = game_of(Toy);
        let tried = |answer| trial(&entrant(answer), &game, &limits, Seed(1));
        assert!(matches!(tried("[ $0 = 2 ] && echo fill=1:3"), Trial::Passed(_)));
        assert!(matches!(tried("[ $0 = 1 ] && echo fill=1:3"), Trial::Failed(..)));
    }
}
