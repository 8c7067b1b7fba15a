//! House bots against the referee, line by line and without a clock: every example of
//! `protocol.md`, and whole games in every dialect.

use std::collections::VecDeque;
use std::time::Instant;

use pitmaster::bots::house::{BareGame, Talk, TalkError, Then, Times};
use pitmaster::core::{
    At, BotHash, BotId, BySide, Dialect, Ending, GameKey, Limits, Record, Seed, Side,
};
use pitmaster::games::{GameState, Turn, find};
use pitmaster::players::PlayerSpec;
use pitmaster::referee::{Action, ProcessFate, Referee, SeatSetup, Setup};

use crate::protocol;

/// A house bot in a game.
struct Bot {
    talk: Talk,
    /// Lines that it has written and that were not read yet.
    said: VecDeque<String>,
}

impl Bot {
    fn new(player: &str, dialect: Dialect, game: &str, side: Side) -> Result<Self, TalkError> {
        let player: PlayerSpec = player.parse().expect("a house bot");
        let talk = if dialect == Dialect::Pitmaster {
            Talk::pitmaster(player)
        } else {
            let (times, began) = (Times::default(), Instant::now());
            let (game, seed) = (game.to_owned(), Seed(3));
            Talk::bare(BareGame { dialect, game, side, seed, times, began }, &player)?
        };
        Ok(Self { talk, said: VecDeque::new() })
    }

    /// Passes input to the bot. Returns its state after the last line.
    fn hear(&mut self, sent: &[u8]) -> Then {
        let mut then = Then::Listen;
        for line in std::str::from_utf8(sent).expect("UTF-8").lines() {
            let mut out = Vec::new();
            let heard = self.talk.handle_line(line.as_bytes(), Instant::now(), &mut out);
            then = heard.unwrap_or_else(|fault| panic!("{line}: {fault}"));
            let said = String::from_utf8(out).expect("UTF-8");
            self.said.extend(said.lines().map(str::to_owned));
        }
        then
    }
}

/// Player of a side: a house bot or random moves.
enum Seat {
    House(Box<Bot>),
    Dice,
}

/// Plays a game to its end.
fn play(
    mut referee: Referee,
    seats: &mut BySide<Seat>,
    resume: impl Fn(&str) -> Box<dyn GameState>,
) -> Record {
    let mut dice = Seed(5).stream("dice");
    loop {
        match referee.next() {
            Action::Start(side) => referee.started(side, At::START),
            Action::Send(side) => {
                if let Seat::House(bot) = &mut seats[side] {
                    let then = bot.hear(referee.outbox());
                    assert_eq!(then, Then::Listen);
                }
                referee.sent(side, At::START);
            }
            Action::Listen { side, .. } => {
                let line = match &mut seats[side] {
                    Seat::House(bot) => bot.said.pop_front().expect("it answers"),
                    Seat::Dice => {
                        let mut table = resume(&referee.table().position());
                        table.play_random(&mut dice).expect("it is a player's turn")
                    }
                };
                referee.line(side, line.as_bytes(), At::START);
            }
            Action::End => break,
        }
    }
    say_goodbye(&referee, seats);
    referee.finish(BySide::default())
}

/// Sends the final lines; a house bot does not answer them.
fn say_goodbye(referee: &Referee, seats: &mut BySide<Seat>) {
    for side in Side::BOTH {
        let mut words = Vec::new();
        let farewell = referee.farewell(side, &mut words);
        let Seat::House(bot) = &mut seats[side] else { continue };
        assert_eq!(bot.said, [""; 0], "it owes nothing and said too much");
        let then = bot.hear(&words);
        let stays = match bot.talk.dialect() {
            Dialect::Pitmaster => matches!(farewell, ProcessFate::Keep(_)),
            Dialect::Arena => false,
            // Its input is closed, and nothing is said.
            Dialect::Course => true,
        };
        assert_eq!(then == Then::Listen, stays, "{words:?}");
    }
}

/// A referee for a game between two house bots, each with its dialect.
fn referee(game: &str, dialects: BySide<Dialect>, greeted: bool) -> Referee {
    let rules = find(&game.parse().expect(game)).expect(game);
    let bot = |name: &str| BotId { name: name.parse().expect("a name"), hash: BotHash::of(b"") };
    let key = GameKey {
        rules: rules.id(),
        limits: Limits { plies: Some(300), ..Limits::default() },
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a"), bot("b")),
        opening: String::new(),
        pair: 1,
    };
    let seats = dialects.map(|dialect| SeatSetup {
        dialect,
        lenient: false,
        greeted: (greeted && dialect.has_handshake()).then(Default::default),
        per_move: None,
    });
    Referee::new(Setup { key, game: rules, seed: Seed(11), seats, position: None }).expect(game)
}

fn assert_no_forfeit(record: &Record, what: &str) {
    let ending = &record.ending;
    assert!(matches!(ending, Ending::Rules { .. } | Ending::PlyLimit { .. }), "{what}: {ending:?}");
}

/// Each example of the page, from its beginning to the end of the game.
#[test]
fn every_example_is_played_to_its_end() {
    let mut played = 0;
    for block in protocol::blocks() {
        let facts = protocol::facts(block.head);
        if facts.position.is_some() && facts.dialect != Dialect::Pitmaster {
            // Whoever is told moves only cannot begin elsewhere.
            continue;
        }
        let game = find(&facts.game.parse().expect("a game")).expect("it exists");
        let resume = |position: &str| game.resume(position).expect("a position");
        for player in ["random", "greedy"] {
            let bot = Bot::new(player, facts.dialect, facts.game, facts.player).expect("a bot");
            let house = Seat::House(Box::new(bot));
            let mut seats = match facts.player {
                Side::One => BySide::new(house, Seat::Dice),
                Side::Two => BySide::new(Seat::Dice, house),
            };
            let record = play(protocol::referee(&facts), &mut seats, resume);
            assert_no_forfeit(&record, &format!("protocol.md:{}, {player}", block.place));
        }
        played += 1;
    }
    assert!(played >= 20, "{played}");
}

/// Two-row games with laps, layouts, repeated turns, passes, rounds, the pie rule, and coloured
/// Awale.
const GAMES: [&str; 10] = [
    "coloured-awale",
    "kalah",
    "oware",
    "bao",
    "jongkak",
    "weg::weg_10_4",
    "san_yao",
    "long_night_game",
    "pallam_kuzhi",
    "kalah,swap=ALWAYS",
];

#[test]
fn whole_games_are_played_in_every_dialect() {
    for game in GAMES {
        // What chance does before the first move is told in one dialect only.
        let told: &[Dialect] =
            if begins_with_chance(game) { &[Dialect::Pitmaster] } else { &Dialect::ALL };
        for &dialect in told {
            let dialects = BySide::new(dialect, Dialect::Pitmaster);
            let bot = |player, side| Bot::new(player, dialects[side], game, side);
            let mut seats = BySide::new(bot("greedy", Side::One), bot("random", Side::Two))
                .map(|bot| Seat::House(Box::new(bot.expect(game))));
            let resume = |_: &str| unreachable!("house bots only");
            let record = play(referee(game, dialects, false), &mut seats, resume);
            assert_no_forfeit(&record, &format!("{game} in {dialect}"));
        }
    }
}

/// One process for several games, also of different kinds: each must be played as if it were the
/// first.
#[test]
fn a_process_plays_many_games() {
    let dialects = BySide::new(Dialect::Pitmaster, Dialect::Pitmaster);
    let resume = |_: &str| unreachable!("house bots only");
    let moves = |record: &Record| record.moves().map(str::to_owned).collect::<Vec<_>>();
    let mut seats = BySide::from_fn(|side| {
        Seat::House(Box::new(Bot::new("random", Dialect::Pitmaster, "", side).expect("a bot")))
    });
    let first = play(referee("kalah", dialects, false), &mut seats, resume);
    let other = play(referee("coloured-awale", dialects, true), &mut seats, resume);
    let again = play(referee("kalah", dialects, true), &mut seats, resume);
    let once_more = play(referee("kalah", dialects, true), &mut seats, resume);
    assert_no_forfeit(&other, "coloured-awale");
    assert_eq!(moves(&first), moves(&again));
    assert_eq!(moves(&first), moves(&once_more));
}

#[test]
fn a_game_that_begins_with_chance_needs_the_long_dialect() {
    let game = "long_night_game";
    assert!(begins_with_chance(game));
    let fault = Bot::new("random", Dialect::Arena, game, Side::One).err().expect("a fault");
    insta::assert_snapshot!(fault, @"long_night_game begins with a step of chance, and arena does not tell which; use --dialect pitmaster");
}

fn begins_with_chance(game: &str) -> bool {
    find(&game.parse().expect(game)).expect(game).begin().turn() == Turn::Chance
}
