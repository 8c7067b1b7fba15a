//! Tests of each rule of the server, and of each message that a client cannot handle.

use std::time::Duration;

use pitmaster_core::{At, Seed, Side};
use pitmaster_games::{KgpBoard, find};
use proptest::prelude::*;

use super::client::StrictClient;
use super::*;

/// A connection with its own clock.
struct Scene {
    connection: Connection,
    now: At,
    lines: Vec<String>,
    events: Vec<Event>,
}

impl Scene {
    fn new() -> Self {
        let now = At::millis(1000);
        let mut scene =
            Self { connection: Connection::new(now), now, lines: Vec::new(), events: Vec::new() };
        scene.collect();
        scene
    }

    /// A client that was accepted.
    fn playing() -> Self {
        let mut scene = Self::new();
        scene.say("1 mode freeplay");
        scene.connection.accept(scene.now);
        scene.collect();
        scene.lines.clear();
        scene.events.clear();
        scene
    }

    /// A client whose turn it is.
    fn asked() -> Self {
        let mut scene = Self::playing();
        scene.connection.begin_game(GameFacts::default());
        scene.ask();
        scene.lines.clear();
        scene
    }

    fn ask(&mut self) {
        self.connection.ask(&board(), self.now);
        self.collect();
    }

    fn say(&mut self, line: &str) {
        self.connection.bytes(format!("{line}\r\n").as_bytes(), self.now);
        self.collect();
    }

    fn wait(&mut self, seconds: f64) {
        let end = self.now + Duration::from_secs_f64(seconds);
        while let Some(at) = self.connection.next_timeout().filter(|at| *at < end) {
            self.now = At(at.0 + 1);
            self.connection.timeout(self.now);
            self.collect();
        }
        self.now = end;
        self.connection.timeout(end);
        self.collect();
    }

    fn collect(&mut self) {
        while let Some(line) = self.connection.next_line() {
            self.lines.push(line.strip_suffix("\r\n").expect("CR LF").to_owned());
        }
        self.events.extend(std::iter::from_fn(|| self.connection.next_event()));
    }

    /// Lines sent since the last call.
    fn sent(&mut self) -> String {
        std::mem::take(&mut self.lines).join("\n")
    }

    fn ended(&self) -> Option<End> {
        match self.events.last() {
            Some(Event::Ended(end)) => Some(*end),
            _ => None,
        }
    }

    fn turns(&self) -> Vec<Option<i64>> {
        let pit = |event: &Event| match event {
            Event::Turn { pit, .. } => Some(*pit),
            _ => None,
        };
        self.events.iter().filter_map(pit).collect()
    }
}

fn board() -> KgpBoard {
    "<3,0,0,3,3,3,3,3,3>".parse().expect("a board")
}

#[test]
fn k1_the_first_line_is_the_version() {
    assert_eq!(Scene::new().sent(), "2 kgp 1 0 1");
}

#[test]
fn k2_every_line_but_goodbye_has_an_id() {
    let mut scene = Scene::new();
    scene.say("mode freeplay");
    scene.connection.accept(scene.now);
    scene.connection.begin_game(GameFacts::default());
    scene.connection.check(scene.now);
    scene.ask();
    scene.say("@22 yield");
    scene.connection.stop();
    scene.collect();
    let sent = scene.sent();
    assert!(sent.ends_with("24@22 stop\ngoodbye") || sent.ends_with("goodbye"), "{sent}");
    for line in sent.lines().filter(|line| *line != "goodbye") {
        assert!(line.starts_with(|c: char| c.is_ascii_digit()), "{line}");
    }
}

#[test]
fn k3_every_line_ends_with_cr_lf_and_comes_alone() {
    let mut connection = Connection::new(At::START);
    connection.message(b"1 mode freeplay", At::START);
    connection.accept(At::START);
    connection.begin_game(GameFacts::default());
    connection.ask(&board(), At::START);
    connection.stop();
    let lines: Vec<_> = std::iter::from_fn(|| connection.next_line()).collect();
    assert_eq!(lines.len(), 10);
    for line in lines {
        assert_eq!(line.find('\n'), Some(line.len() - 1), "{line:?}");
        assert!(line.ends_with("\r\n"), "{line:?}");
    }
}

#[test]
fn k4_and_k19_facts_come_before_the_first_state_of_a_game() {
    let mut scene = Scene::playing();
    let opponent = "a \"friend\"\\\n".to_owned();
    scene.connection.begin_game(GameFacts { id: "7".into(), uri: String::new(), opponent });
    scene.ask();
    insta::assert_snapshot!(scene.sent(), @r#"
    6 set game:id "7"
    8 set game:uri ""
    10 set game:opponent "a \"friend\"\\ "
    12 set time:mode "relative"
    14 set time:clock 5
    16 set time:opclock 5
    18 state <3,0,0,3,3,3,3,3,3>
    "#);
    scene.say("@18 move 1");
    scene.say("@18 yield");
    scene.ask();
    assert_eq!(scene.sent(), "20@18 stop\n22 state <3,0,0,3,3,3,3,3,3>");
}

#[test]
fn k5_a_client_gets_nothing_that_it_does_not_know() {
    let known = ["kgp", "ok", "error", "ping", "set", "state", "stop", "goodbye"];
    let mut scene = Scene::playing();
    scene.connection.begin_game(GameFacts::default());
    scene.ask();
    for line in
        ["ping", "problem", "solution 1", "eval 0.5", "ok", "error \"x\"", "state <1,0,0,1,1>"]
    {
        scene.say(line);
    }
    scene.wait(60.0);
    for line in scene.sent().lines() {
        let name = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == '@').trim_start();
        assert!(known.contains(&name.split(' ').next().unwrap()), "{line}");
    }
}

#[test]
fn k6_an_error_has_one_string_and_then_the_connection_ends() {
    let mut scene = Scene::new();
    scene.say("1 mode freeplay");
    scene.sent();
    scene.connection.refuse("no \"such\" token\r\n2 state");
    scene.collect();
    assert_eq!(scene.sent(), "4 error \"no \\\"such\\\" token  2 state\"\ngoodbye");
    assert_eq!(scene.ended(), Some(End::Refused));
    scene.say("3 mode freeplay");
    scene.wait(100.0);
    assert_eq!((scene.sent(), scene.connection.next_timeout()), (String::new(), None));
}

#[test]
fn k6_other_modes_are_not_offered() {
    for mode in ["mode verify", "mode \"eval\"", "mode simple", "mode", "mode 7"] {
        let mut scene = Scene::new();
        scene.say(mode);
        assert_eq!(scene.ended(), Some(End::UnknownMode), "{mode}");
        assert!(scene.sent().ends_with("is freeplay\"\ngoodbye"), "{mode}");
    }
}

#[test]
fn k7_words_and_strings_and_blanks_in_any_form() {
    for hello in [
        "1 set info:name \"b\\\"ot\"\r\n3 set info:authors \"Eva\"\r\n5 set auth:token secret\r\n7 mode freeplay\r\n",
        "set \"info:name\" \"b\\\"ot\"\nset info:author Eva\nset auth:token \"secret\"\nmode \"freeplay\"\n",
        "\r\n\n  1   set  info:name  \"b\\\"ot\r\n\t3 set\tinfo:author \"Eva\nset \"auth:token\" \"secret\"\n@2 mode freeplay more\n",
    ] {
        let mut scene = Scene::new();
        scene.connection.bytes(hello.as_bytes(), scene.now);
        scene.collect();
        let hello = Hello {
            token: Some("secret".into()),
            name: Some("b\"ot".into()),
            authors: Some("Eva".into()),
            description: None,
        };
        assert_eq!(scene.events, [Event::Freeplay(hello)]);
    }
    // The lines do not depend on the chunks.
    let mut scene = Scene::new();
    for byte in b"1 set auth:token \"x\"\r\n3 mode freeplay\r\n" {
        scene.connection.bytes(&[*byte], scene.now);
    }
    scene.collect();
    let hello = Hello { token: Some("x".into()), ..Hello::default() };
    assert_eq!(scene.events, [Event::Freeplay(hello)]);
}

#[test]
fn k7_a_move_may_have_any_id_or_none() {
    for line in
        ["@18 move 2", "7@18 move 2", "7 @18 move 2", "  7@18\tmove  +2  ", "007@018 move 2"]
    {
        let mut scene = Scene::asked();
        scene.say(line);
        scene.say("@18 yield");
        assert_eq!(scene.turns(), [Some(2)], "{line}");
    }
    for line in [
        "move 2",
        "7 move 2",
        "@16 move 2",
        "@18 move",
        "@18 move \"2\"",
        "@18 move x",
        "@18move 2x",
        "@99999999999999999999 move 2",
    ] {
        let mut scene = Scene::asked();
        scene.say(line);
        scene.say("@18 yield");
        assert_eq!(scene.turns(), [None], "{line}");
    }
}

#[test]
fn k8_a_line_that_is_too_long_ends_it() {
    let longest = format!("set info:name {}", "x".repeat(LINE_LIMIT - 14));
    let mut scene = Scene::new();
    scene.say(&longest);
    assert_eq!(scene.ended(), None);
    scene.wait(3.0);
    scene.say(&format!("{longest}x"));
    assert_eq!(scene.ended(), Some(End::LineTooLong));
    // An endless line, and one of blanks.
    for byte in [b"x", b" "] {
        let mut scene = Scene::new();
        for _ in 0..20 {
            scene.connection.bytes(&byte.repeat(1024), scene.now);
        }
        scene.collect();
        assert_eq!(scene.ended(), Some(End::LineTooLong));
        assert!(scene.sent().ends_with("4 error \"a line has more than 16384 bytes\"\ngoodbye"));
    }
}

#[test]
fn k9_too_much_in_a_second_ends_it() {
    let mut fast = Scene::playing();
    (0..200).for_each(|_| fast.say("pong"));
    assert_eq!(fast.ended(), Some(End::TooFast));
    let mut blank = Scene::playing();
    blank.connection.bytes(&b"\n".repeat(1000), blank.now);
    blank.collect();
    assert_eq!(blank.ended(), Some(End::TooFast));
    let mut large = Scene::playing();
    (0..3).for_each(|_| large.say(&format!("set x {}", "x".repeat(16_000))));
    assert_eq!(large.ended(), Some(End::TooFast));
    let mut pings = Scene::playing();
    (0..200).for_each(|_| pings.connection.control_frame(pings.now));
    pings.collect();
    assert_eq!(pings.ended(), Some(End::TooFast));
    // Exactly at the limit it can continue forever.
    let mut steady = Scene::playing();
    for _ in 0..5000 {
        steady.wait(0.0201);
        steady.say("pong");
    }
    assert_eq!(steady.ended(), None);
}

#[test]
fn k10_no_mode_ends_it() {
    let mut scene = Scene::new();
    scene.wait(19.9);
    scene.say("set info:name x");
    assert_eq!(scene.ended(), None);
    scene.wait(0.2);
    assert_eq!(scene.ended(), Some(End::NoMode));
}

#[test]
fn k11_silence_is_asked_about() {
    let mut scene = Scene::playing();
    scene.wait(29.9);
    assert_eq!(scene.sent(), "");
    scene.wait(0.2);
    assert_eq!(scene.sent(), "6 ping");
    // Another command is not an answer.
    scene.say("set info:comment x");
    scene.wait(19.9);
    scene.say("1@6 pong");
    scene.wait(29.9);
    assert_eq!((scene.ended(), scene.sent()), (None, String::new()));
    scene.wait(0.2);
    assert_eq!(scene.sent(), "8 ping");
    scene.wait(20.1);
    assert_eq!(scene.ended(), Some(End::NoPong));
    assert_eq!(scene.sent(), "10 error \"no pong in 20 seconds\"\ngoodbye");
}

#[test]
fn k11_a_client_is_checked_before_it_is_paired() {
    let mut scene = Scene::playing();
    // An unsolicited pong is a sign of life but not an answer.
    scene.say("pong");
    scene.connection.check(scene.now);
    scene.collect();
    assert_eq!((scene.sent(), scene.events.len()), ("6 ping".to_owned(), 0));
    scene.say("pong");
    assert_eq!(scene.events, [Event::Alive]);
    // A pending ping is enough.
    scene.wait(30.1);
    scene.connection.check(scene.now);
    scene.collect();
    assert_eq!(scene.sent(), "8 ping");
    scene.say("@8 pong \"x\"");
    assert_eq!(scene.events, [Event::Alive, Event::Alive]);
}

#[test]
fn k12_the_last_move_counts_and_yield_ends_the_turn() {
    let mut scene = Scene::asked();
    scene.say("@18 move 1");
    scene.say("@18 move 3");
    scene.wait(4.9);
    assert_eq!(scene.turns(), []);
    scene.say("@18 move 2");
    scene.wait(0.2);
    assert_eq!((scene.turns(), scene.sent()), (vec![Some(2)], "20@18 stop".to_owned()));
    // Lines after the stop are silently ignored.
    scene.say("@18 move 1");
    scene.say("@18 yield");
    scene.ask();
    scene.say("@18 move 1");
    scene.say("@22 yield");
    assert_eq!(scene.turns(), [Some(2), None]);
    assert_eq!(scene.sent(), "22 state <3,0,0,3,3,3,3,3,3>\n24@22 stop");
}

#[test]
fn k12_there_is_one_state_at_a_time() {
    let mut scene = Scene::asked();
    scene.ask();
    assert_eq!(scene.sent(), "");
    scene.connection.end_game();
    scene.collect();
    assert_eq!((scene.sent(), scene.turns()), ("20@18 stop".to_owned(), vec![]));
    // A client that cannot move, or was not accepted, is not asked.
    scene.connection.ask(&"<2,0,0,0,0,3,3>".parse().unwrap(), scene.now);
    scene.collect();
    assert_eq!((scene.sent(), scene.turns()), (String::new(), vec![None]));
    let mut early = Scene::new();
    early.sent();
    early.ask();
    assert_eq!(early.sent(), "");
}

#[test]
fn k12_a_move_at_the_last_instant_is_in_time() {
    for (late, pit) in [(0, Some(1)), (1, None)] {
        let mut scene = Scene::asked();
        scene.now = At((scene.now + TURN).0 + late);
        scene.say("@18 move 1");
        scene.wait(1.0);
        assert_eq!(scene.turns(), [pit], "{late}");
    }
}

fn seat(game: &str, side: Side) -> Result<KgpSeat, SeatError> {
    KgpSeat::new(&find(&game.parse().unwrap()).unwrap(), side, Seed(7))
}

const START: &str = "4,4,4,4,4,4,4,4,4,4,4,4;0,0;2";

#[test]
fn k13_without_a_move_one_is_drawn_and_the_third_time_the_game_is_lost() {
    let mut kgp = seat("kalah", Side::Two).unwrap();
    let miss = |kgp: &mut KgpSeat| kgp.answer(START, None, Some("hm")).unwrap();
    let (first, second) = (miss(&mut kgp), miss(&mut kgp));
    for drawn in [&first, &second] {
        let Answer::Move { text, note } = drawn else { panic!("a move") };
        assert!((7..=12).contains(&text.parse().unwrap()), "{text}");
        assert_eq!(note.as_deref(), Some("no move in time: random move; hm"));
    }
    let Answer::Leave { note } = miss(&mut kgp) else { panic!("it leaves") };
    assert_eq!(note, "no move in time, 3 times in a row");
    // The same seed draws the same moves, and a move in between resets the count.
    let mut again = seat("kalah", Side::Two).unwrap();
    assert_eq!((miss(&mut again), miss(&mut again)), (first, second));
    again.answer(START, Some(1), None).unwrap();
    assert!(matches!(miss(&mut again), Answer::Move { .. }));
}

#[test]
fn k14_an_illegal_move_is_the_referees_matter() {
    let mut kgp = seat("kalah", Side::Two).unwrap();
    let beyond = |pit: i64| format!("1 # hole {pit} is not on the board");
    for (pit, text) in [
        (1, "7".to_owned()),
        (6, "12".to_owned()),
        (7, beyond(7)),
        (0, beyond(0)),
        (i64::MAX, beyond(i64::MAX)),
    ] {
        let answer = kgp.answer(START, Some(pit), None).unwrap();
        assert_eq!(answer, Answer::Move { text, note: None });
    }
    assert_eq!(kgp.board(START).unwrap().to_string(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>");
    assert!(kgp.board("nonsense").is_err());
    let refused = seat("oware", Side::One).unwrap_err();
    insta::assert_snapshot!(refused, @"KGP clients know Kalah with any number of holes and seeds, and not oware");
}

#[test]
fn k15_a_second_mode_is_confirmed_and_ignored() {
    let mut scene = Scene::playing();
    scene.say("9 mode freeplay");
    scene.say("11 mode verify");
    assert_eq!((scene.sent(), scene.ended()), ("6@9 ok\n8@11 ok".to_owned(), None));
    assert_eq!(scene.events, []);
}

#[test]
fn k17_a_token_is_that_of_before_the_mode() {
    let mut scene = Scene::new();
    scene.say("set auth:token \"\"");
    scene.say("mode freeplay");
    scene.connection.accept(scene.now);
    scene.say("set auth:token other");
    scene.collect();
    assert_eq!(scene.events, [Event::Freeplay(Hello::default())]);
}

#[test]
fn k18_a_token_is_forgotten_without_an_answer() {
    let mut scene = Scene::playing();
    scene.say("set auth:forget \"secret\"");
    scene.say("set auth:forget \"\"");
    assert_eq!(scene.events, [Event::Forget("secret".into())]);
    assert_eq!(scene.sent(), "");
}

#[test]
fn k20_the_last_comment_before_the_stop_belongs_to_the_move() {
    let mut scene = Scene::asked();
    let comment = |scene: &mut Scene| match scene.events.pop() {
        Some(Event::Turn { comment, .. }) => comment,
        other => panic!("{other:?}"),
    };
    scene.say("set info:comment first");
    scene.say("@18 move 1");
    scene.say("set info:comment \"hello \\\"x\\\"\"");
    scene.say("@18 yield");
    assert_eq!(comment(&mut scene).as_deref(), Some("hello \"x\""));
    scene.ask();
    scene.say("@22 yield");
    assert_eq!(comment(&mut scene), None);
    scene.say(&format!("set info:comment \"{}\"", "é".repeat(4000)));
    scene.ask();
    scene.say("@26 yield");
    assert_eq!(comment(&mut scene).map(|text| text.len()), Some(TEXT_LIMIT));
    let mut kgp = seat("kalah", Side::One).unwrap();
    let Ok(Answer::Move { note, .. }) = kgp.answer(START, Some(1), Some("a\nb\u{7}\u{85} ")) else {
        panic!("a move")
    };
    assert_eq!(note.as_deref(), Some("a b"));
}

#[test]
fn binary_messages_and_a_closed_connection_end_it() {
    let mut scene = Scene::playing();
    scene.connection.binary();
    scene.collect();
    assert_eq!(scene.ended(), Some(End::Binary));
    let mut scene = Scene::playing();
    scene.connection.bytes(b"@18 mo", scene.now);
    scene.connection.closed();
    scene.collect();
    assert_eq!((scene.ended(), scene.sent()), (Some(End::Left), String::new()));
    let mut scene = Scene::asked();
    scene.say("goodbye");
    assert_eq!((scene.ended(), scene.sent()), (Some(End::Left), String::new()));
    let mut scene = Scene::playing();
    scene.connection.bytes(b"\xff\xfe\n\0\0\n", scene.now);
    scene.collect();
    assert_eq!(scene.ended(), None, "what cannot be read is ignored");
}

/// A strict client that waits for its first state.
fn client() -> StrictClient {
    let mut client = StrictClient::new(Some("t"), "x", 1);
    client.handle("2 kgp 1 0 1\r\n").expect("a version");
    client.handle("4@7 ok\r\n").expect("confirmed");
    let facts = ["6 set game:id \"\"", "8 set game:uri \"\"", "10 set game:opponent \"\""];
    for line in facts {
        client.handle(&format!("{line}\r\n")).expect("a fact");
    }
    client
}

#[test]
fn the_strict_client_dies_of_what_clients_do_not_bear() {
    let state = "state <2,0,0,1,1,1,1>";
    for (message, why) in [
        // Ignored by pykgp, or not parsed by kgpc.
        (format!("@12 {state}\r\n"), "a reference without an ID"),
        ("12 ping".to_owned(), "no CR LF at the end"),
        ("12 ping\n".to_owned(), "no CR LF at the end"),
        // Crashes jkgp.
        (format!("{state}\r\n"), "a line without an ID"),
        (format!("12 ping\r\n14 {state}\r\n"), "two lines in one message"),
        ("\r\n".to_owned(), "an empty line"),
        ("12 set time:mode relative\r\n".to_owned(), "a value without quotation marks"),
        ("12 set time:clock \"5\"\r\n".to_owned(), "a clock that is no integer"),
        ("12 problem <2,0,0,1,1,1,1> 1\r\n".to_owned(), "an unknown command"),
        ("12 error \"a\" \"b\"\r\n".to_owned(), "an unknown command"),
        ("12 state <2,0,0,0,0,1,1>\r\n".to_owned(), "a board without a move"),
        ("12 state <2,0,0,1>\r\n".to_owned(), "a board that cannot be read"),
        // Rules of this server.
        ("12@9 stop\r\n".to_owned(), "a stop of another state"),
        ("11 ping\r\n".to_owned(), "an ID that is odd or not new"),
        ("10 ping\r\n".to_owned(), "an ID that is odd or not new"),
        ("12 kgp 1 0 1\r\n".to_owned(), "the first line is not the version"),
    ] {
        assert_eq!(client().handle(&message).expect_err(&message).why, why, "{message:?}");
    }
    let mut angry = client();
    angry.handle("12 error \"a\"\r\n").expect("an error");
    assert_eq!(angry.handle("14 ping\r\n").unwrap_err().why, "an error without a goodbye");
    let mut playing = client();
    let said = playing.handle(&format!("12 {state}\r\n")).expect("a state");
    assert_eq!(said[0], "9@12 move 1\r\n");
    assert_eq!(playing.handle(&format!("14 {state}\r\n")).unwrap_err().why, "two states at once");
}

#[derive(Debug, Clone)]
enum Step {
    Say(String),
    Bytes(Vec<u8>),
    Wait(u32),
    Accept,
    Check,
    Begin,
    Ask,
    EndGame,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        "[0-9]{0,2}(@[0-9]{1,2})? ?(move|yield|pong|set|mode|goodbye|x) ?[a-z:0-9\"\\\\ -]{0,12}"
            .prop_map(Step::Say),
        (4..40_u64).prop_map(|id| Step::Say(format!("@{} move 1", id * 2))),
        (4..40_u64).prop_map(|id| Step::Say(format!("@{} yield", id * 2))),
        Just(Step::Say("1 mode freeplay".into())),
        prop::collection::vec(any::<u8>(), 0..30).prop_map(Step::Bytes),
        (0..40_000_u32).prop_map(Step::Wait),
        Just(Step::Accept),
        Just(Step::Check),
        Just(Step::Begin),
        Just(Step::Ask),
        Just(Step::Ask),
        Just(Step::EndGame),
    ];
    prop::collection::vec(step, 0..60)
}

proptest! {
    /// For any input at any time: a strict client accepts the answers, time always advances, and
    /// each state is followed by its stop before the next one.
    #[test]
    fn the_server_sends_what_every_client_bears(steps in steps()) {
        let mut scene = Scene::new();
        // The strict client's mode command has ID 7; here it may have any ID.
        for step in steps {
            match step {
                Step::Say(line) => scene.say(&line),
                Step::Bytes(bytes) => scene.connection.bytes(&bytes, scene.now),
                Step::Wait(millis) => scene.wait(f64::from(millis) / 1000.0),
                Step::Accept => scene.connection.accept(scene.now),
                Step::Check => scene.connection.check(scene.now),
                Step::Begin => scene.connection.begin_game(GameFacts::default()),
                Step::Ask => scene.ask(),
                Step::EndGame => scene.connection.end_game(),
            }
            scene.collect();
            let next = scene.connection.next_timeout();
            prop_assert!(next.is_none_or(|next| next >= scene.now), "nothing is overdue");
        }
        let mut strict = StrictClient::new(None, "x", 1);
        strict.confirm_any_mode();
        let lines = scene.sent();
        for line in lines.lines() {
            if let Err(death) = strict.handle(&format!("{line}\r\n")) {
                prop_assert!(false, "{death} in\n{lines}");
            }
        }
        prop_assert_eq!(strict.has_ended(), scene.connection.has_ended()
            && scene.ended() != Some(End::Left));
    }

    #[test]
    fn no_line_makes_the_parser_panic(line in ".{0,80}") {
        if let Some(parsed) = parse(&line) {
            prop_assert!(!parsed.name.is_empty());
            for arg in &parsed.args {
                let _ = (arg.integer(), arg.real(), arg.board(), arg.text());
            }
        }
    }

    #[test]
    fn strings_are_read_as_they_were_written(text in ".{0,60}") {
        let line = encode::line(Some(2), None, &Command::Set("game:id", Value::Text(&text)));
        let read = parse(line.trim_end_matches("\r\n")).expect("a line");
        let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        prop_assert_eq!(read.args, [Arg::Word("game:id".into()), Arg::Text(plain)]);
    }
}

#[test]
fn arguments_have_types() {
    let line = parse("8@4 eval -0.5 12 +3 \"12\" <1,0,0,1,1> word a\"b").expect("a line");
    assert_eq!((line.id, line.reference, &*line.name), (Some(8), Some(4), "eval"));
    let [real, whole, plus, text, board, word, glued, rest] = &line.args[..] else {
        panic!("{:?}", line.args)
    };
    assert_eq!((real.real(), real.integer()), (Some(-0.5), None));
    assert_eq!((whole.integer(), plus.integer(), text.integer()), (Some(12), Some(3), None));
    assert_eq!(board.board().map(|board| board.size()), Some(1));
    assert_eq!((word.real(), word.text(), glued.text(), rest.text()), (None, "word", "a", "b"));
    for unreadable in
        ["", "   ", "12", "@", "@x move", "12@ move", "-1 move", "12.5 move", "\"x\"", "m-ve"]
    {
        assert_eq!(parse(unreadable), None, "{unreadable:?}");
    }
}
