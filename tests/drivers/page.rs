//! The bot in `protocol.md` plays as printed.

use pitmaster::bots::LaunchError;
use pitmaster::core::{
    BotHash, BotId, BySide, Dialect, Ending, GameKey, Limits, Record, Seed, Side,
};
use pitmaster::games::find;
use pitmaster::referee::{Referee, SeatSetup, Setup};
use pitmaster::runner::{Players, Seated, Stopping, play};

use super::*;

const PAGE: &str = include_str!("../../protocol.md");

/// The Python program of the page, for both sides.
struct OfThePage;

impl Players for OfThePage {
    fn start(&mut self, _: Side) -> Result<Box<dyn Contender>, LaunchError> {
        let (_, program) = PAGE.split_once("```python\n").expect("a program in Python");
        let (program, _) = program.split_once("```").expect("its end");
        bots::start(&launch("python3", &["-c", program]))
    }
}

fn referee(greeted: [Option<pitmaster::referee::protocol::Want>; 2]) -> Referee {
    let game = find(&"coloured-awale".parse().expect("a game")).expect("it exists");
    let bot = |name: &str| BotId { name: name.parse().expect("a name"), hash: BotHash::of(b"") };
    let key = GameKey {
        rules: game.id(),
        // The speed of this machine is not what is tested.
        limits: Limits {
            per_move: Some(AGES),
            per_game: None,
            start_up: AGES,
            ..Limits::default()
        },
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a"), bot("b")),
        opening: String::new(),
        pair: 1,
    };
    let seat = |greeted| SeatSetup {
        dialect: Dialect::Pitmaster,
        lenient: false,
        greeted,
        per_move: None,
    };
    let seats = BySide::new(seat(greeted[0]), seat(greeted[1]));
    Referee::new(Setup { key, game, seed: Seed(1), seats, position: None }).expect("can begin")
}

fn played(seats: &mut BySide<Option<Seated>>) -> Record {
    let greeted = Side::BOTH.map(|side| seats[side].as_ref().and_then(|seat| seat.greeted));
    play(referee(greeted), seats, &mut OfThePage, Stopping::default(), |_| {})
}

#[test]
fn it_plays_two_games_in_one_process() {
    let _turn = alone();
    let mut seats = BySide::default();
    let first = played(&mut seats);
    assert!(matches!(first.ending, Ending::Rules { .. }), "{:?}", first.ending);
    let before = children();
    let second = played(&mut seats);
    assert!(before.len() == 2 && children() == before, "the same processes served both games");
    assert!(first.moves().eq(second.moves()), "it always plays the first move");
}
