//! Tests of conversations with scripted players, and of the in-process contender.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use pitmaster_core::{At, Dialect, Exit, Seed, Side};
use pitmaster_games::{GameSpec, MoveError, TextError, Turn};
use pitmaster_players::{Budget, Choice, Player, PlayerSpec, build};
use proptest::prelude::*;

use super::board::Board;
use super::conversation::Kind;
use super::handshake_dialect::Long;
use super::plain_dialects::Bare;
use super::*;
use crate::{Clock, Contender as _, ReadOutcome};

const HOUR: Duration = Duration::from_hours(1);

type Think = Box<dyn FnMut(&mut dyn Budget) + Send>;

/// Plays at random after inspecting its budget.
struct Fake {
    inner: Box<dyn Player>,
    think: Think,
}

impl Player for Fake {
    fn begin(&mut self, seed: Seed) {
        self.inner.begin(seed);
    }

    fn begin_at(&mut self, position: &str, seed: Seed) -> Result<(), TextError> {
        self.inner.begin_at(position, seed)
    }

    fn go_to(&mut self, position: &str, plies: u32) -> Result<(), TextError> {
        self.inner.go_to(position, plies)
    }

    fn follow(&mut self, step: &str) -> Result<(), MoveError> {
        self.inner.follow(step)
    }

    fn limit_plies(&mut self, plies: Option<u32>) {
        self.inner.limit_plies(plies);
    }

    fn turn(&self) -> Turn {
        self.inner.turn()
    }

    fn position(&self) -> String {
        self.inner.position()
    }

    fn choose(&mut self, budget: &mut dyn Budget) -> Choice {
        (self.think)(budget);
        self.inner.choose(budget)
    }
}

fn random() -> PlayerSpec {
    "random".parse().expect("a house bot")
}

fn board(think: Think) -> Board {
    let inner = build(&GameSpec::plain("kalah"), &random()).expect("it plays");
    Board::of("kalah", Box::new(Fake { inner, think }))
}

/// Board that reports for each move whether its budget was already spent.
fn asking() -> (Board, Receiver<bool>) {
    let (tell, told) = channel();
    (board(Box::new(move |budget| tell.send(budget.spent(1)).expect("it is told"))), told)
}

fn hear(talk: &mut Talk, lines: &[&str]) -> Result<String, TalkError> {
    let mut out = Vec::new();
    for line in lines {
        talk.handle_line(line.as_bytes(), Instant::now(), &mut out)?;
    }
    Ok(String::from_utf8(out).expect("UTF-8"))
}

#[test]
fn the_time_that_is_told_is_the_budget() {
    let (board, told) = asking();
    let mut talk = Talk(Kind::Long(Box::new(Long::at(random(), board))));
    hear(&mut talk, &["game kalah", "newgame", "time move 3600000", "go"]).expect("it plays");
    hear(&mut talk, &["game kalah", "newgame", "time move 3600000 game 0", "go"])
        .expect("it plays");
    // Settings of one move do not carry over to the next.
    hear(&mut talk, &["game kalah", "newgame", "go"]).expect("it plays");
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn the_start_of_a_process_falls_into_its_first_move() {
    let (board, told) = asking();
    let began = Instant::now().checked_sub(Duration::from_mins(1)).expect("it ran");
    let times = Times { per_move: Some(Duration::from_secs(50)), per_game: Some(HOUR) };
    let dialect = Dialect::Arena;
    let game =
        BareGame { dialect, game: "kalah".into(), side: Side::One, seed: Seed(1), times, began };
    let mut talk = Talk(Kind::Bare(Box::new(Bare::at(game, board).expect("it plays"))));
    let moved = hear(&mut talk, &["START"]).expect("it plays");
    if moved == "3\n" {
        hear(&mut talk, &["START"]).expect("a move that grants another");
    } else {
        hear(&mut talk, &["7"]).expect("it plays");
    }
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_position_that_was_not_followed_is_taken_as_it_is_told() {
    let mut talk = Talk::pitmaster(random());
    let begin = ["game kalah", "side 2", "newgame"];
    hear(&mut talk, &begin).expect("ready");
    let position = "position 0,0,0,0,0,0,0,0,0,3,0,0;30,15;2";
    let answer = hear(&mut talk, &["played 9", position, "go"]);
    assert_eq!(answer.expect("a move"), "move 10\n");
    hear(&mut talk, &begin).expect("ready");
    let fault = hear(&mut talk, &["played 9", "go"]).expect_err("it is lost");
    insta::assert_snapshot!(fault, @r#""9" cannot be followed in kalah: not a legal move here; is that the game that is played?"#);
    let fault = hear(&mut talk, &["position 1,2"]).expect_err("no position");
    insta::assert_snapshot!(fault, @"the position cannot be read: a position is 12 numbers of seeds;two stores;1 or 2, and parts like ;moves=7: the seeds");
}

proptest! {
    #[test]
    fn no_line_makes_a_talk_panic(lines in prop::collection::vec(
        prop::sample::select(vec![
            "pitmaster 1", "game kalah", "game bao", "game x,y", "side 1", "side 2", "seed 5",
            "opening 1 2", "newgame", "played 3", "played 8 pass", "position 1,2;3",
            "position 0,0,0,0,0,0,0,0,0,3,0,0;30,15;2", "time move 5", "time bank x", "moves 1",
            "go", "end win 1 2 x", "quit", "", "START", "END", "4", "10",
        ]),
        0..30,
    )) {
        let times = Times::default();
        let (game, side, began) = ("kalah".to_owned(), Side::Two, Instant::now());
        let game = BareGame { dialect: Dialect::Arena, game, side, seed: Seed(1), times, began };
        for mut talk in [Talk::pitmaster(random()), Talk::bare(game, &random()).expect("plays")] {
            let _ = hear(&mut talk, &lines);
        }
    }
}

/// Reads like a lane until there is a line or the stream ends.
fn read_line(bot: &mut InProcess, clock: &Clock) -> ReadOutcome {
    loop {
        match bot.read_line(clock, Some(clock.now() + HOUR)) {
            ReadOutcome::Nothing(_) => {}
            heard => return heard,
        }
    }
}

fn ask(bot: &mut InProcess, clock: &Clock, lines: &str) -> ReadOutcome {
    bot.new_turn();
    bot.send(lines.as_bytes());
    read_line(bot, clock)
}

#[test]
fn without_a_process_the_conversation_is_the_same() {
    let (mut bot, clock) = (InProcess::new(random()), Clock::start());
    let mut line = |lines: &str| {
        let heard = ask(&mut bot, &clock, lines);
        assert!(matches!(heard, ReadOutcome::Line(at) if at <= clock.now()), "{heard:?}");
        String::from_utf8(bot.line().to_vec()).expect("UTF-8")
    };
    assert_eq!(line("pitmaster 1\n"), "want position");
    assert_eq!(line("game kalah\nnewgame\n"), "ready house:random");
    assert_eq!(line(""), "ready");
    assert!(line("go\n").starts_with("move "));
    assert!(bot.used(HOUR).cpu > Duration::ZERO);
    assert_eq!(bot.used(HOUR).cpu, Duration::ZERO, "it does not think on others' time");
}

#[test]
fn it_thinks_only_after_the_opponent_was_stopped() {
    let (board, told) = asking();
    let talk = Talk(Kind::Long(Box::new(Long::at(random(), board))));
    let (mut bot, clock) = (InProcess::with("fake".into(), talk), Clock::start());
    bot.send(b"game kalah\nnewgame\ngo\n");
    assert!(matches!(bot.read_line(&clock, None), ReadOutcome::Nothing(_)));
    assert_eq!(told.try_iter().count(), 0);
    assert!(matches!(bot.read_line(&clock, None), ReadOutcome::Line(_)));
    assert_eq!(told.try_iter().count(), 1);
}

#[test]
fn its_end_is_like_that_of_a_process() {
    let (mut bot, clock) = (InProcess::new(random()), Clock::start());
    let heard = ask(&mut bot, &clock, "game chess\nnewgame\n");
    assert!(matches!(heard, ReadOutcome::Exited(Exit::Code(2), _)), "{heard:?}");
    let ended = bot.end(&clock, At::START);
    assert_eq!(ended.exit, Some(Exit::Code(2)));
    insta::assert_snapshot!(ended.stderr.shown(200), @r#"error: there is no game "chess"; `pitmaster games` lists all\u{a}"#);
    let mut bot = InProcess::new(random());
    let heard = ask(&mut bot, &clock, "quit\n");
    assert!(matches!(heard, ReadOutcome::Exited(Exit::Code(0), _)), "{heard:?}");
}

#[test]
fn silence_lasts_until_it_is_no_longer_listened_to() {
    let (mut bot, clock) = (InProcess::new(random()), Clock::start());
    bot.read_line(&clock, None);
    let until = clock.now() + Duration::from_millis(2);
    assert!(matches!(bot.read_line(&clock, Some(until)), ReadOutcome::Nothing(at) if at > until));
    assert!(matches!(bot.read_line(&clock, None), ReadOutcome::Closed(_)));
}

#[test]
fn a_panic_says_who_it_was() {
    // Panics without printing a message.
    let broken = board(Box::new(|_| std::panic::resume_unwind(Box::new("broken"))));
    let talk = Talk(Kind::Long(Box::new(Long::at(random(), broken))));
    let (mut bot, clock) = (InProcess::with("house:broken".into(), talk), Clock::start());
    let asked = catch_unwind(AssertUnwindSafe(|| {
        ask(&mut bot, &clock, "game kalah\nnewgame\n");
        ask(&mut bot, &clock, "go\n")
    }));
    let panic = asked.expect_err("it breaks");
    assert_eq!(panic_message(&*panic), "house:broken: broken");
}
