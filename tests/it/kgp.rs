//! KGP with the real binary: strict clients play over TCP and WebSocket, and hostile ones are
//! disconnected while others continue.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use pitmaster::referee::kgp::client::StrictClient;
use pitmaster::season::course::{Role, Scope};
use pitmaster::server::database::{NewPerson, NewToken};
use pitmaster::server::service::now;

use crate::scratch::Scratch;
use crate::serve::{Course, PATIENCE, Server};

/// Folder of the open ladder.
const OPEN: &str = "school/ladders/school.open";

/// Key of the handshake in RFC 6455, and the answer to it.
const KEY: (&str, &str) = ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");

/// A course, its server with KGP, and the address for TCP.
struct School {
    scratch: Scratch,
    server: Server,
    tcp: String,
}

impl School {
    /// Starts a server for a course with tokens for these groups.
    fn start(groups: &[&str]) -> (Self, Vec<String>) {
        let scratch = Scratch::new();
        scratch.run("new course school").done();
        let course = Course::open(&scratch);
        let tokens = groups.iter().map(|group| token(&course, group, "sower")).collect();
        drop(course);
        (Self::serve(scratch), tokens)
    }

    fn serve(scratch: Scratch) -> Self {
        let server = Server::start_by(&scratch, "serve school --kgp 127.0.0.1:0");
        let line = server.line_with("KGP on ");
        let (_, after) = line.split_once("KGP on ").expect("an address");
        let tcp = after.split(',').next().expect("an address").to_owned();
        Self { scratch, server, tcp }
    }

    fn tcp(&self) -> Wire {
        let stream = TcpStream::connect(&self.tcp).expect("connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("sets");
        Wire { lines: BufReader::new(stream), is_web: false }
    }

    fn web(&self) -> Wire {
        let mut wire = self.tcp();
        let mut stream = TcpStream::connect(&self.server.address).expect("connects");
        stream.set_read_timeout(Some(PATIENCE)).expect("sets");
        let head = format!(
            "GET /socket HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}\r\nUpgrade: websocket\r\n\
             Connection: Upgrade\r\nSec-WebSocket-Key: {1}\r\nSec-WebSocket-Version: 13\r\n\r\n",
            self.server.address, KEY.0
        );
        stream.write_all(head.as_bytes()).expect("writes");
        wire.lines = BufReader::new(stream);
        wire.is_web = true;
        let mut answer = String::new();
        while !answer.ends_with("\r\n\r\n") {
            assert!(wire.lines.read_line(&mut answer).expect("a head") > 0, "{answer}");
        }
        assert!(answer.starts_with("HTTP/1.1 101 ") && answer.contains(KEY.1), "{answer}");
        wire
    }
}

/// A token for a new student of a group, which is created if necessary.
fn token(course: &Course, group: &str, name: &str) -> String {
    let (id, act) = (course.id(), Course::act());
    let known = course.database.groups(id).wait().expect("reads").into_iter();
    let admin = crate::serve::admin();
    let see = pitmaster::season::course::Action::ViewResults;
    let known = known.filter_map(|it| it.open(&admin, see).ok()).find(|it| it.slug == group);
    let group = match known {
        Some(known) => known.id,
        None => course.database.add_group(act, id, group, group).wait().expect("a group"),
    };
    let person = NewPerson { name: "Eva".to_owned(), ..NewPerson::default() };
    let person = course.database.add_person(act, person).wait().expect("a person");
    let joins = course.database.set_member(act, person, id, Role::Student, Some(group));
    joins.wait().expect("joins");
    let expires = now().plus(Duration::from_hours(24));
    let name = name.to_owned();
    let token = NewToken { person, course: id, name, scopes: vec![Scope::Kgp], expires };
    course.database.create_token(act, token).wait().expect("a token").1.reveal().to_owned()
}

/// Messages over TCP or WebSocket.
struct Wire {
    lines: BufReader<TcpStream>,
    is_web: bool,
}

impl Wire {
    fn send(&mut self, line: &str) -> std::io::Result<()> {
        let bytes = if self.is_web { frame(1, line.as_bytes()) } else { line.as_bytes().to_vec() };
        self.lines.get_mut().write_all(&bytes)
    }

    /// The next message; `None` once the connection is closed.
    fn next(&mut self) -> Option<String> {
        if !self.is_web {
            let mut line = String::new();
            return self.lines.read_line(&mut line).ok().filter(|read| *read > 0).map(|_| line);
        }
        loop {
            let mut head = [0; 2];
            self.lines.read_exact(&mut head).ok()?;
            let mut len = usize::from(head[1]);
            if len == 126 {
                let mut long = [0; 2];
                self.lines.read_exact(&mut long).ok()?;
                len = usize::from(u16::from_be_bytes(long));
            }
            let mut payload = vec![0; len];
            self.lines.read_exact(&mut payload).ok()?;
            match head[0] {
                0x81 => return Some(String::from_utf8(payload).expect("UTF-8")),
                0x88 => return None,
                // An answer to a ping of WebSocket.
                0x8a => {}
                other => panic!("a frame of the kind {other:#x}"),
            }
        }
    }

    /// All messages until the connection is closed.
    fn rest(&mut self) -> String {
        std::iter::from_fn(|| self.next()).collect()
    }
}

/// A masked frame of a client.
fn frame(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x80 | kind];
    match payload.len() {
        len @ ..126 => bytes.push(0x80 | len as u8),
        len @ ..0x1_0000 => {
            bytes.push(0x80 | 0x7e);
            bytes.extend((len as u16).to_be_bytes());
        }
        len => {
            bytes.push(0x80 | 127);
            bytes.extend((len as u64).to_be_bytes());
        }
    }
    // A mask of zeros is a mask.
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

/// Plays this many games and starts another one. Fails on anything that an existing client would
/// not accept.
fn play(mut wire: Wire, mut client: StrictClient, games: u64) -> StrictClient {
    while client.games <= games {
        let Some(message) = wire.next() else { panic!("closed after {} games", client.games) };
        match client.handle(&message) {
            Ok(answers) => answers.iter().for_each(|line| wire.send(line).expect("sends")),
            Err(death) => panic!("{death}, after {} games", client.games),
        }
    }
    let _ = wire.send("goodbye\r\n");
    client
}

/// Lets two clients play against each other, over TCP and over WebSocket.
fn play_many(games: u64) {
    let (school, tokens) = School::start(&["g1", "g2"]);
    let one = StrictClient::new(Some(&tokens[0]), "one", 1);
    let two = StrictClient::new(Some(&tokens[1]), "two \"x\\", 2);
    let (tcp, web) = (school.tcp(), school.web());
    let clients = std::thread::scope(|scope| {
        let tcp = scope.spawn(|| play(tcp, one, games));
        let web = scope.spawn(|| play(web, two, games));
        [tcp.join(), web.join()].map(|client| client.expect("no protocol fault"))
    });
    for client in clients {
        assert!(client.states > 5 * games, "{} states", client.states);
    }
    let School { scratch, server, .. } = school;
    server.stop();
    let rows = scratch.run(&format!("standings {OPEN} --format csv --columns bot,games")).done();
    for name in ["g1.sower", "g2.sower"] {
        let count = rows.stdout.lines().find_map(|line| line.strip_prefix(&format!("{name},")));
        let count: u64 = count.expect("a row").parse().expect("a number");
        assert!(count >= games, "{name}: {}", rows.stdout);
    }
    assert_eq!(scratch.run(&format!("verify {OPEN}")).code, Some(0));
}

#[test]
fn kgp_clients_play_over_tcp_and_websocket() {
    play_many(10);
}

#[test]
#[ignore = "200 games"]
fn kgp_clients_play_200_games() {
    play_many(200);
}

/// A bot on the library kgp.py of KWARC/kalah-game, which corrects its first move after a while.
const PYKGP: &str = "import os, random, sys, time\n\
    sys.path.insert(0, os.environ['PITMASTER_PYKGP'])\n\
    import kgp\n\
    def agent(state):\n\
    \x20   moves = state.legal_moves(kgp.SOUTH)\n\
    \x20   yield moves[0]\n\
    \x20   time.sleep(0.05)\n\
    \x20   yield random.choice(moves)\n\
    host, port, token = sys.argv[1:]\n\
    kgp.connect(agent, host=host, port=int(port), token=token, name='Eva\"s \\\\',\n\
    \x20           authors=['Eva', 'Ben'], debug=True)\n";

/// Ends a process, which may wait for ever.
struct Killed(std::process::Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until two entrants have played four games each, without a forfeit. `logs` is what they wrote.
fn wait_until_both_have_played(scratch: &Scratch, logs: impl Fn() -> String) {
    let began = Instant::now();
    loop {
        let standings = format!("standings {OPEN} --format csv --columns bot,games,forfeits");
        let rows = scratch.run(&standings).stdout;
        let games = |name: &str| {
            let row = rows.lines().find_map(|line| line.strip_prefix(&format!("{name},")))?;
            assert!(row.ends_with(",0"), "{row}: {}", logs());
            row.split(',').next()?.parse::<u32>().ok()
        };
        let least = games("g1.sower").min(games("g2.sower"));
        if least.is_some_and(|least| least >= 4) {
            break;
        }
        assert!(began.elapsed() < 3 * PATIENCE, "{rows}\n{}", logs());
        std::thread::sleep(Duration::from_millis(500));
    }
}

#[test]
#[ignore = "needs a copy of kgp.py, which PITMASTER_PYKGP names"]
fn kgp_the_public_client_plays() {
    let folder = std::env::var("PITMASTER_PYKGP").expect("a folder with kgp.py");
    assert!(std::path::Path::new(&folder).join("kgp.py").exists(), "no kgp.py in {folder}");
    let (school, tokens) = School::start(&["g1", "g2"]);
    school.scratch.write("bot.py", PYKGP);
    let (host, port) = school.tcp.split_once(':').expect("a port");
    let web = format!("ws://{}/socket", school.server.address);
    let mut import = std::process::Command::new("python3");
    let second = if import.args(["-c", "import websocket"]).status().is_ok_and(|it| it.success()) {
        [web.as_str(), "0"]
    } else {
        println!("NOT DONE: over WebSocket, for which the package websocket-client is missing");
        [host, port]
    };
    let client = |[host, port]: [&str; 2], token: &str, log: &str| {
        let log = std::fs::File::create(school.scratch.path(log)).expect("creates");
        let mut command = std::process::Command::new("python3");
        command.arg(school.scratch.path("bot.py")).args([host, port, token]);
        Killed(command.stderr(log).spawn().expect("starts"))
    };
    let clients =
        [client([host, port], &tokens[0], "one.log"), client(second, &tokens[1], "two.log")];
    let logs = || ["one.log", "two.log"].map(|name| school.scratch.read(name)).join("\n\n");
    wait_until_both_have_played(&school.scratch, logs);
    assert!(!logs().contains("error"), "{}", logs());
    drop(clients);
    let School { scratch, server, .. } = school;
    server.stop();
    assert_eq!(scratch.run(&format!("verify {OPEN}")).code, Some(0));
}

#[test]
fn kgp_a_client_alone_meets_house_bots_and_pages_show_its_games() {
    let (school, tokens) = School::start(&["g1"]);
    let client = StrictClient::new(Some(&tokens[0]), "alone", 3);
    play(school.web(), client, 2);
    // A second start goes on with the same entrant.
    let School { scratch, server, .. } = school;
    server.stop();
    let school = School::serve(scratch);
    let client = StrictClient::new(Some(&tokens[0]), "alone", 4);
    play(school.tcp(), client, 2);
    let School { scratch, server, .. } = school;
    server.stop();
    let rows = scratch.run(&format!("standings {OPEN} --format csv --columns bot,games")).done();
    let count = rows.stdout.lines().find_map(|line| line.strip_prefix("g1.sower,"));
    assert!(count.expect("a row").parse::<u64>().expect("a number") >= 4, "{}", rows.stdout);
    // Nothing of it is on the ladder of versions.
    let course = Course::open(&scratch);
    let read = token_to_read(&course);
    drop(course);
    let school = School::serve(scratch);
    let games = school.server.get("/api/v1/ladders/open/games", &read);
    assert!(games.contains("g1.sower") && games.contains("house-greedy"), "{games}");
    let practice = school.server.get("/api/v1/ladders/practice/games", &read);
    assert!(!practice.contains("g1.sower"), "{practice}");
    // The table appears soon after the start.
    let began = Instant::now();
    while !school.server.get("/api/v1/ladders/open", &read).contains("g1.sower") {
        assert!(began.elapsed() < PATIENCE, "no table");
        std::thread::sleep(Duration::from_millis(300));
    }
}

fn token_to_read(course: &Course) -> String {
    let bot = course.bot("readers");
    course.token(bot)
}

#[test]
fn kgp_whoever_breaks_a_rule_is_closed_and_others_play_on() {
    let (school, tokens) = School::start(&["g1", "g2"]);
    let refused = |token: &str| {
        let mut wire = school.tcp();
        wire.send(&format!("set auth:token {token}\r\nmode freeplay\r\n")).expect("sends");
        wire.rest()
    };
    std::thread::scope(|scope| {
        let one = StrictClient::new(Some(&tokens[0]), "one", 1);
        let two = StrictClient::new(Some(&tokens[1]), "two", 2);
        let (tcp, web) = (school.tcp(), school.web());
        let tcp = scope.spawn(|| play(tcp, one, 8));
        let web = scope.spawn(|| play(web, two, 8));

        assert!(refused("\"pm_x\"").contains("the token is unknown"), "a token is asked for");
        let mut guest = school.web();
        guest.send("mode freeplay").expect("sends");
        assert!(guest.rest().contains("no place for guests"));

        for (what, bytes, why) in [
            ("a long line", "x".repeat(17_000), "more than 16384 bytes"),
            ("a million blanks", " ".repeat(1_000_000), "more than 16384 bytes"),
            ("a million lines", "\n".repeat(1_000_000), "50 lines in a second"),
            ("another mode", "mode verify\r\n".to_owned(), "only mode"),
        ] {
            for mut wire in [school.tcp(), school.web()] {
                // It may be closed before everything was sent.
                let _ = wire.send(&bytes);
                let rest = wire.rest();
                let is_cut = wire.is_web && bytes.len() > 16_386;
                assert!(rest.contains(why) || is_cut, "{what}: {rest:?}");
            }
        }
        let mut binary = school.web();
        binary.lines.get_mut().write_all(&frame(2, b"\0\xff")).expect("sends");
        assert!(binary.rest().contains("messages are text"));
        let mut pings = school.web();
        for _ in 0..1000 {
            if pings.lines.get_mut().write_all(&frame(9, b"x")).is_err() {
                break;
            }
        }
        assert!(pings.rest().contains("50 lines in a second"));
        // Half a frame, and half a line, are nothing.
        let mut half = school.web();
        half.lines.get_mut().write_all(&frame(1, b"mode freeplay")[..9]).expect("sends");
        let mut silent = school.tcp();
        silent.send("mode freep").expect("sends");
        assert!(silent.rest().contains("no mode was chosen in 20 seconds"));
        assert!(half.rest().contains("no mode was chosen in 20 seconds"));

        for client in [tcp, web] {
            client.join().expect("others play on");
        }
    });
}

#[test]
fn kgp_there_are_64_places_and_two_for_a_token() {
    let (school, tokens) = School::start(&["g1"]);
    let hello = format!("set auth:token {}\r\nmode freeplay\r\n", tokens[0]);
    let mut first: Vec<_> = (0..2).map(|_| school.tcp()).collect();
    for wire in &mut first {
        wire.send(&hello).expect("sends");
        let lines: Vec<_> = (0..2).map(|_| wire.next().expect("a line")).collect();
        assert_eq!(lines, ["2 kgp 1 0 1\r\n", "4 ok\r\n"]);
    }
    let mut third = school.tcp();
    third.send(&hello).expect("sends");
    assert!(third.rest().contains("two connections already"));
    drop(first);
    // One that has just been closed may still hold its place.
    let began = Instant::now();
    let mut all: Vec<Wire> = Vec::new();
    while all.len() < 64 {
        assert!(began.elapsed() < PATIENCE, "{} places", all.len());
        let mut wire = school.tcp();
        match wire.next().as_deref() {
            Some("2 kgp 1 0 1\r\n") => all.push(wire),
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    assert!(school.tcp().rest().contains("no more places"));
    let mut page = TcpStream::connect(&school.server.address).expect("connects");
    let head = "GET /socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    page.write_all(head.as_bytes()).expect("writes");
    let mut answer = [0; 12];
    page.read_exact(&mut answer).expect("answers");
    assert_eq!(&answer, b"HTTP/1.1 503");
    drop(all);
    school.server.stop();
}
