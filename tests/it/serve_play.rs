//! Games of people against bots on a practice server, with the forms of its pages.

use std::time::{Duration, Instant};

use crate::scratch::Scratch;
use crate::serve::{Course, PATIENCE, Server, school, wait_for_state};
use crate::serve_security::Answer;

const PASSPHRASE: &str = "correct+horse+battery";

/// A person with a session.
struct Person<'s> {
    server: &'s Server,
    cookie: String,
}

/// Repeats a request while it is rate-limited, because a test sends more than people do.
fn patiently(ask: impl Fn() -> Answer) -> Answer {
    loop {
        let answer = ask();
        if answer.status != 429 {
            return answer;
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

/// A login code for a student.
fn code(scratch: &Scratch, group: &str) -> String {
    let code = scratch.run(&format!("course invite school --group {group}")).done().raw.stdout;
    let code = String::from_utf8(code).expect("text");
    code.lines().find(|line| !line.is_empty()).expect("a code").trim().to_owned()
}

impl<'s> Person<'s> {
    fn join(server: &'s Server, login: &str, code: &str) -> Self {
        let form = format!("code={code}&login={login}&name={login}&passphrase={PASSPHRASE}");
        let answer = server.form("/join", "", &form);
        assert_eq!(answer.status, 303, "{}", answer.body);
        Self { server, cookie: answer.cookie() }
    }

    fn send(&self, path: &str, form: &str) -> u16 {
        patiently(|| self.server.form(path, &self.cookie, form)).status
    }

    fn get(&self, path: &str) -> (u16, String) {
        let answer = patiently(|| self.server.page(path, &self.cookie));
        (answer.status, answer.body)
    }

    /// Starts a game. Returns the address of its page.
    fn begin(&self, bot: &str, game: &str, side: u8) -> String {
        let form = format!("bot={bot}&game={game}&side={side}&clock=5000");
        let answer = patiently(|| self.server.form("/c/school/play", &self.cookie, &form));
        assert_eq!(answer.status, 303, "{form}: {}", answer.body);
        answer.header("location").expect("an address").to_owned()
    }

    /// The page of a game once it is the person's turn; `None` once the game is over.
    fn turn(&self, game: &str) -> Option<String> {
        let began = Instant::now();
        loop {
            let (status, page) = self.get(game);
            assert_eq!(status, 200, "{page}");
            if page.contains("class=\"row go-on\"") {
                return None;
            }
            if page.contains("<strong>Your move</strong>") {
                return Some(page);
            }
            assert!(began.elapsed() < PATIENCE, "{page}");
        }
    }
}

/// Values of the fields of a page that start with this text.
fn values<'p>(page: &'p str, before: &str) -> Vec<&'p str> {
    page.split(before).skip(1).filter_map(|after| after.split('"').next()).collect()
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Form data of the move at this index on a page.
fn choice(page: &str, place: usize) -> String {
    let moves = values(page, "<button name=\"move\" value=\"");
    if let Some(text) = moves.get(place % moves.len().max(1)) {
        return format!("move={}", encoded(text));
    }
    let templates = values(page, "<option value=\"");
    let seeds = values(page, "data-seeds=\"")[0];
    let holes = values(page, "name=\"at.");
    let hole = holes[place % holes.len()];
    format!("move={}&at.{hole}={seeds}", encoded(templates[0]))
}

fn next_ply(page: &str) -> usize {
    values(page, "name=\"ply\" value=\"")[0].parse().expect("a number")
}

/// Plays a whole game. Tries illegal moves at each turn, and sends each move twice.
fn play_out(person: &Person<'_>, game: &str) -> usize {
    let (moves, mut turns) = (format!("{game}/moves"), 0);
    while let Some(page) = person.turn(game) {
        let ply = next_ply(&page);
        assert_eq!(person.send(&moves, &format!("ply={ply}&move=nonsense")), 422);
        let form = format!("ply={ply}&{}", choice(&page, turns));
        let ahead = form.replacen(&format!("ply={ply}"), &format!("ply={}", ply + 1), 1);
        assert_eq!(person.send(&moves, &ahead), 409, "{ahead}");
        for _ in 0..2 {
            assert_eq!(person.send(&moves, &form), 303, "{form}");
        }
        if turns == 0 {
            assert_eq!(person.send(&moves, &format!("ply={ply}&move=nonsense")), 409);
            let page = person.turn(game).expect("it goes on");
            let seen = next_ply(&page) - 1;
            assert_eq!(person.send(&format!("{game}/back"), &format!("ply={}", seen + 1)), 409);
            assert_eq!(person.send(&format!("{game}/back"), &format!("ply={seen}")), 303);
            let again = person.turn(game).expect("it goes on");
            assert_eq!(next_ply(&again), ply, "it is back");
            assert_eq!(person.send(&moves, &form), 303, "{form}");
        }
        turns += 1;
        assert!(turns < 500, "{game}");
    }
    turns
}

#[test]
fn people_play_whole_games_and_nobody_elses() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let kit = crate::serve::zipped(&scratch, "kit", "");
    let version = course.hand_in(bot, "bot.zip", &kit);
    drop(course);
    let codes = [code(&scratch, "g1"), code(&scratch, "g2")];
    let server = Server::start(&scratch);
    let ada = Person::join(&server, "ada", &codes[0]);
    let bob = Person::join(&server, "bob", &codes[1]);

    for (game, side) in [("kalah", 1), ("coloured-awale", 2), ("isholo-3", 1)] {
        let address = ada.begin("house:random", game, side);
        let turns = play_out(&ada, &address);
        assert!(turns > 4, "{game}: {turns}");
        let (_, page) = ada.get(&address);
        assert!(page.contains("Play on from here") && !page.contains("forfeited"), "{page}");
        if game == "kalah" {
            assert_eq!(ada.send(&format!("{address}/evaluate"), ""), 303);
            let began = Instant::now();
            while !ada.get(&address).1.contains("\"analysis\":") {
                assert!(began.elapsed() < PATIENCE, "it is evaluated");
                std::thread::sleep(Duration::from_millis(300));
            }
        }
        // The game goes on from a position of it.
        let id = address.rsplit('/').next().expect("an id");
        let from = format!("bot=house:greedy&side={side}&clock=200&from={id}&ply=6");
        let answer = patiently(|| server.form("/c/school/play", &ada.cookie, &from));
        assert_eq!(answer.status, 303, "{}", answer.body);
        let address = answer.header("location").expect("an address").to_owned();
        let page = ada.turn(&address).expect("it goes on");
        assert!(next_ply(&page) > 6, "{page}");
        assert_eq!(ada.send(&format!("{address}/leave"), ""), 303);
        assert_eq!(ada.turn(&address), None);
    }

    // A version of a group plays the game of its ladder.
    wait_for_state(&server, &token, version, "active");
    let began = Instant::now();
    let rules = loop {
        let (_, form) = bob.get("/c/school/play");
        if let Some((_, rules)) = form.split_once(">g1.sower (") {
            break rules.split(')').next().expect("a game").to_owned();
        }
        assert!(began.elapsed() < PATIENCE, "{form}");
    };
    let refused = "bot=g1.sower&game=kalah&side=1&clock=1000";
    assert_eq!(bob.send("/c/school/play", refused), 422);
    let of_group = bob.begin("g1.sower", &encoded(&rules), 1);
    let page = bob.turn(&of_group).expect("it begins");
    let form = format!("ply=1&{}", choice(&page, 0));
    assert_eq!(bob.send(&format!("{of_group}/moves"), &form), 303);
    assert!(next_ply(&bob.turn(&of_group).expect("it goes on")) > 2);

    // Two games at once, and nobody else's.
    let second = bob.begin("house:greedy", "kalah", 1);
    let third = "bot=house:greedy&game=kalah&side=1&clock=200";
    assert_eq!(bob.send("/c/school/play", third), 409);
    for address in [&of_group, &second] {
        assert_eq!(ada.get(address).0, 404);
        for (form, at) in [("ply=1&move=1", "moves"), ("", "back"), ("", "leave")] {
            assert_eq!(ada.send(&format!("{address}/{at}"), form), 404);
        }
        assert_eq!(server.page(address, "").status, 401);
    }

    // A group keeps others from playing against its bot, but not itself.
    let bots = |person: &Person<'_>| person.get("/c/school/play").1.contains(">g1.sower (");
    assert_eq!(bob.send("/c/school/bots/g1.sower/people", ""), 404, "it is not bob's");
    assert_eq!(ada.send("/c/school/bots/g1.sower/people", ""), 303);
    let began = Instant::now();
    while bots(&bob) {
        assert!(began.elapsed() < PATIENCE, "it is offered to others");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(bots(&ada));
    assert_eq!(bob.send(&format!("{second}/leave"), ""), 303);
    assert_eq!(bob.turn(&second), None);
    let wanted = format!("bot=g1.sower&game={}&side=1&clock=1000", encoded(&rules));
    assert_eq!(bob.send("/c/school/play", &wanted), 422);
    let own = ada.begin("g1.sower", &encoded(&rules), 1);
    assert!(ada.turn(&own).is_some());
    assert_eq!(ada.send("/c/school/bots/g1.sower/people", "play=on"), 303);
    let began = Instant::now();
    while !bots(&bob) {
        assert!(began.elapsed() < PATIENCE, "it is not offered to others");
        std::thread::sleep(Duration::from_millis(100));
    }

    // A restart ends them all.
    let cookie = bob.cookie;
    server.stop();
    let server = Server::start(&scratch);
    let bob = Person { server: &server, cookie };
    assert_eq!(bob.get(&second).0, 404);
    bob.begin("house:greedy", "kalah", 2);
    server.stop();
}
