//! Running games of a practice server, as spectators see them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::scratch::Scratch;
use crate::serve::{Course, PATIENCE, Server, body_of, school, zipped};

/// A slow bot, so that its games can be watched.
const SLOW_BOT: &str = r#"import sys, time
moves = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word in ("pitmaster", "newgame"):
        print("ready", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        time.sleep(0.03)
        print("info a secret of mine", flush=True)
        print("move", moves[0], flush=True)
    elif word == "quit":
        break
"#;

/// Time in which feeds end after the server is asked to stop.
const STOPS_IN: Duration = Duration::from_secs(2);

/// A feed, as lines of JSON.
struct Feed {
    lines: BufReader<TcpStream>,
    /// Id of the last event.
    last: String,
}

impl Feed {
    /// Opens the feed of a game; the status if there is none.
    fn open(server: &Server, token: &str, game: &str, after: &str) -> Result<Self, String> {
        Self::at(server, token, &format!("/api/v1/games/{game}/stream?after="), after)
    }

    /// Opens the feed at an address, after an event; the status if there is none.
    fn at(server: &Server, token: &str, path: &str, after: &str) -> Result<Self, String> {
        let mut stream = TcpStream::connect(&server.address).expect("connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("sets");
        // By this version of HTTP, an answer ends with its connection and has no chunks.
        let head = format!("GET {path}{after} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes()).expect("writes");
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        lines.read_line(&mut line).expect("answers");
        let status = line.split(' ').nth(1).unwrap_or_default().to_owned();
        while line.trim_end() != "" {
            line.clear();
            lines.read_line(&mut line).expect("a head");
        }
        if status == "200" { Ok(Self { lines, last: after.to_owned() }) } else { Err(status) }
    }

    /// The next event; `None` at the end, or if the server is gone.
    fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            assert!(!line.contains("secret"), "{line}");
            if !line.trim().is_empty() {
                let event: Value = serde_json::from_str(&line).expect("JSON");
                if let Some(id) = event["id"].as_str() {
                    id.clone_into(&mut self.last);
                }
                return Some(event);
            }
        }
    }

    /// Reads plies until there are this many, or the game is over. Checks that they arrive in
    /// order.
    fn read(&mut self, plies: &mut Vec<Value>, most: usize) -> bool {
        while plies.len() < most {
            let event = self.next().expect("the game goes on");
            match event["event"].as_str() {
                Some("game") => assert!(plies.is_empty(), "it begins anew: {event}"),
                Some("plies") => {
                    plies.extend(event["data"]["plies"].as_array().expect("plies").clone());
                }
                Some("ended") => {}
                Some("over") => {
                    assert_eq!(event["data"]["is_void"], false, "{event}");
                    return true;
                }
                _ => panic!("{event}"),
            }
            for (at, ply) in plies.iter().enumerate() {
                assert_eq!(ply["n"], at + 1, "a ply is missing or came twice");
            }
        }
        false
    }
}

impl Feed {
    /// The next event of this name for which the test holds; what comes before it is left.
    fn wait(&mut self, name: &str, test: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let event = self.next().expect("it goes on");
            if event["event"] == name && test(&event["data"]) {
                return event["data"].clone();
            }
            assert!(began.elapsed() < PATIENCE, "no {name}: {event}");
        }
    }
}

/// Starts the server with two lanes: a whole check of a slow bot keeps one of them for minutes.
fn start(scratch: &Scratch) -> Server {
    Server::start_with(scratch, "--listen 127.0.0.1:0 --lanes 2 --share-cores")
}

/// Waits for a game that has just begun.
fn running(server: &Server, token: &str) -> String {
    let began = Instant::now();
    loop {
        let list = body_of(&server.get("/api/v1/ladders/practice/games", token));
        let games = list["running"].as_array().expect("a list");
        if let Some(game) = games.iter().find(|game| game["plies"].as_u64() < Some(10)) {
            return game["id"].as_str().expect("an id").to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "nothing is played: {list}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Checks that the stored plies equal the reported ones, with their times.
fn assert_stored(server: &Server, token: &str, game: &str, told: &[Value]) {
    let stored = body_of(&server.get(&format!("/api/v1/games/{game}"), token));
    let plies = stored["record"]["plies"].as_array().expect("plies");
    assert_eq!(plies.len(), told.len(), "{game}");
    for (stored, told) in plies.iter().zip(told) {
        let side = match stored["by"].as_str() {
            Some("one") => Value::from(1),
            Some("two") => Value::from(2),
            _ => stored["by"].clone(),
        };
        let micros = |key: &str| stored[key].as_u64().map(|nanos| nanos / 1000);
        assert_eq!((&side, &stored["text"]), (&told["by"], &told["text"]), "{stored}");
        assert_eq!(micros("wall_ns"), told["wall_us"].as_u64(), "{stored}");
        assert_eq!(micros("cpu_ns"), told["cpu_us"].as_u64(), "{stored}");
    }
}

#[test]
fn a_running_game_is_watched_to_its_end_across_lost_connections_and_kill_9() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    course.hand_in(bot, "bot.py", SLOW_BOT.as_bytes());
    drop(course);
    let server = start(&scratch);

    // One reader stays, another loses its connection every few plies.
    let game = running(&server, &token);
    let mut stays = Feed::open(&server, &token, &game, "").expect("a feed");
    let (mut all, mut parts, mut last) = (Vec::new(), Vec::new(), String::new());
    let mut connections = 0;
    loop {
        let mut feed = Feed::open(&server, &token, &game, &last).expect("a feed");
        connections += 1;
        let most = parts.len() + 7;
        if feed.read(&mut parts, most) {
            break;
        }
        last = feed.last;
    }
    assert!(connections > 2, "{connections}");
    assert!(stays.read(&mut all, usize::MAX));
    assert!(stays.next().is_none(), "nothing comes after the end");
    assert_stored(&server, &token, &game, &all);
    assert_stored(&server, &token, &game, &parts);
    // A game that is over comes as a whole, whatever its reader had.
    let mut stored = Vec::new();
    let mut feed = Feed::open(&server, &token, &game, &last).expect("a feed");
    assert!(feed.read(&mut stored, usize::MAX));
    assert_stored(&server, &token, &game, &stored);

    // The server is killed in mid-game: its reader is not told plies of another attempt as if they
    // went on from those that it has.
    let game = running(&server, &token);
    let mut feed = Feed::open(&server, &token, &game, "").expect("a feed");
    feed.read(&mut Vec::new(), 5);
    server.kill_now();
    while feed.next().is_some() {}
    let last = feed.last;
    drop(server);
    let server = start(&scratch);
    match Feed::open(&server, &token, &game, &last) {
        Ok(mut feed) => assert_eq!(feed.next().expect("an event")["event"], "game"),
        Err(status) => assert_eq!(status, "404"),
    }
    let game = running(&server, &token);
    let mut all = Vec::new();
    assert!(Feed::open(&server, &token, &game, "").expect("a feed").read(&mut all, usize::MAX));
    assert_stored(&server, &token, &game, &all);

    // Feeds end soon after the server is told to stop, also one that nobody reads.
    let game = running(&server, &token);
    let mut feeds: Vec<_> =
        (0..3).map(|_| Feed::open(&server, &token, &game, "").expect("a feed")).collect();
    for feed in &mut feeds {
        feed.next().expect("an event");
    }
    let unread = Feed::open(&server, &token, &game, "").expect("a feed");
    let refused = Feed::open(&server, &token, &game, "").err();
    assert_eq!(refused.as_deref(), Some("429"), "a token has four feeds");
    let told = Instant::now();
    let ends = std::thread::spawn(move || {
        let mut events = Vec::new();
        for feed in &mut feeds {
            events.push(std::iter::from_fn(|| feed.next()).last().expect("an event"));
        }
        (events, told.elapsed())
    });
    server.stop();
    let (events, took) = ends.join().expect("it reads");
    assert!(events.iter().all(|event| event["event"] == "bye"), "{events:?}");
    assert!(took < STOPS_IN, "{took:?}");
    drop(unread);
}

/// What a page of a group and the page of the ladder follow.
const OF_THE_COURSE: &str = "/api/v1/stream?watch=ladder:practice,queue,mine&after=";

#[test]
fn a_course_is_followed_from_an_upload_to_the_ladder_and_across_kill_9() {
    let scratch = school();
    let course = Course::open(&scratch);
    let (bot, other) = (course.bot("g1"), course.bot("g2"));
    let (token, of_other) = (course.token(bot), course.token(other));
    drop(course);
    let server = start(&scratch);
    let mut own = Feed::at(&server, &token, OF_THE_COURSE, "").expect("a feed");
    let mut others = Feed::at(&server, &of_other, OF_THE_COURSE, "").expect("a feed");
    for feed in [&mut own, &mut others] {
        // First everything as it is.
        for name in ["ladder", "running", "queue", "mine"] {
            assert_eq!(feed.next().expect("an event")["event"], name);
        }
    }
    let sent = server.try_ask(
        "POST",
        "/api/v1/courses/school/bots/g1.sower/versions",
        &token,
        &zipped(&scratch, "kit", "first"),
    );
    assert!(sent.as_deref().is_some_and(|it| it.starts_with("HTTP/1.1 201")), "{sent:?}");
    // By itself, without a question.
    let state = |data: &Value| data["versions"][0]["state"].clone();
    let first = own.wait("mine", |data| !data["versions"].as_array().expect("a list").is_empty());
    assert_eq!(
        (&first["versions"][0]["bot"], &first["versions"][0]["number"]),
        (&"g1.sower".into(), &1.into())
    );
    own.wait("mine", |data| state(data) == "active");
    let table = own.wait("ladder", |data| data["games"].as_u64() > Some(0));
    // The other group hears of the table, and nothing of the version.
    let mut seen = 0;
    loop {
        let event = others.next().expect("an event");
        assert_ne!(event["event"], "mine", "{event}");
        if event["event"] == "ladder" && event["data"]["games"].as_u64() > Some(0) {
            break;
        }
        seen += 1;
        assert!(seen < 10_000, "no table");
    }

    // A server that was killed leads its readers on: what was the same is not told again.
    server.kill_now();
    while own.next().is_some() {}
    let last = own.last;
    drop(server);
    let server = start(&scratch);
    let mut own = Feed::at(&server, &token, OF_THE_COURSE, &last).expect("a feed");
    let later = own.wait("ladder", |data| data["revision"].as_u64() > table["revision"].as_u64());
    assert!(later["games"].as_u64() >= table["games"].as_u64(), "{later} after {table}");
    let told = Instant::now();
    let ends = std::thread::spawn(move || {
        let last = std::iter::from_fn(|| own.next()).last().expect("an event");
        (last, told.elapsed())
    });
    server.stop();
    let (last, took) = ends.join().expect("it reads");
    assert_eq!(last["event"], "bye");
    assert!(took < STOPS_IN, "{took:?}");
}
