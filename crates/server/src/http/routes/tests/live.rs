//! Running games: pages, feeds, and their visibility.

use http_body_util::BodyExt as _;
use pitmaster_core::{BotId, BySide, GameKey, Limits, Ply, Record, Side};
use pitmaster_season::course::LadderId;
use serde_json::Value;

use super::*;

/// Pair number of the running game, which differs from those in the store.
const PAIR: u32 = 40;

fn key() -> GameKey {
    let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
    GameKey {
        rules: "coloured-awale,both_40=off@1".into(),
        limits: Limits::default(),
        stage: 1,
        round: 0,
        bots: BySide::new(bot("a.one"), bot("house-greedy")),
        opening: String::new(),
        pair: PAIR,
    }
}

fn plies() -> Vec<Ply> {
    let ply = |(n, text): (usize, &str)| Ply {
        by: Some(Side::BOTH[n % 2]),
        text: text.into(),
        wall: Duration::from_micros(1500),
        cpu: Duration::from_micros(1200),
        waiting: Duration::ZERO,
    };
    ["1B", "2R", "3TR"].into_iter().enumerate().map(ply).collect()
}

impl School {
    async fn ladder(&self) -> LadderId {
        let admin = Actor { is_admin: true, ..Actor::default() };
        let found = self.database.ladder_at(self.course, "main").await.unwrap();
        found.open(&admin, Action::ViewResults).unwrap().id
    }

    /// Starts a game on the ladder `main`. Returns its name in URLs.
    async fn begin(&self) -> String {
        let (key, ladder) = (key(), self.ladder().await);
        let game = self.live.begin((ladder, "main"), &key, &[key.id()], NOW);
        game.watch(&plies()[..2]);
        self.live.publish();
        format!("main.{}", key.id())
    }

    fn go_on(&self, plies: &[Ply]) {
        self.live.get(&key().id()).unwrap().watch(plies);
        self.live.publish();
    }

    async fn feed(&self, path: &str, headers: &[(header::HeaderName, &str)]) -> Response {
        let response = self.send("GET", path, headers, "").await;
        assert_eq!(response.status(), 200, "{path}");
        response
    }
}

/// Next chunk of a feed.
async fn part(feed: &mut Response) -> Option<String> {
    let frame = feed.body_mut().frame();
    let frame = tokio::time::timeout(Duration::from_mins(1), frame).await.expect("something comes");
    let bytes = frame?.unwrap().into_data().unwrap();
    Some(String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test]
async fn a_feed_has_every_ply_and_resumes() {
    let (school, people) = School::with_groups().await;
    let path = format!("/c/awale/games/{}/stream", school.begin().await);
    let cookie = [(header::COOKIE, people.bob.as_str())];
    let mut feed = school.feed(&path, &cookie).await;
    assert_eq!(feed.headers()[header::CONTENT_TYPE], "text/event-stream");
    assert_eq!(feed.headers()[header::CACHE_CONTROL], "no-store");
    let begun = part(&mut feed).await.unwrap();
    let attempt = school.live.get(&key().id()).unwrap().attempt();
    assert!(
        begun.starts_with(&format!("retry: 2000\n\nevent: game\nid: {attempt}:0\ndata: {{")),
        "{begun}"
    );
    assert!(begun.contains("\"bots\":[\"a.one\",\"house-greedy\"]"), "{begun}");
    let two = part(&mut feed).await.unwrap();
    assert!(
        two.starts_with(&format!(
            "event: plies\nid: {attempt}:2\ndata: {{\"plies\":[{{\"n\":1,\"by\":1,\"text\":\"1B\""
        )),
        "{two}"
    );
    school.go_on(&plies());
    let third = part(&mut feed).await.unwrap();
    assert!(
        third.contains(&format!("id: {attempt}:3\n")) && third.contains("\"text\":\"3TR\""),
        "{third}"
    );
    assert!(!third.contains("\"n\":2"), "{third}");
    drop(feed);
    // A reconnecting browser's header has precedence over the URL.
    let last = format!("{attempt}:1");
    let back =
        [cookie[0].clone(), (header::HeaderName::from_static("last-event-id"), last.as_str())];
    let mut feed = school.feed(&format!("{path}?after={attempt}:3"), &back).await;
    let rest = part(&mut feed).await.unwrap();
    assert!(
        rest.contains("\"n\":2") && rest.contains("\"n\":3") && !rest.contains("\"n\":1"),
        "{rest}"
    );
    let mut feed = school.feed(&format!("{path}?after={attempt}:2"), &cookie).await;
    assert!(part(&mut feed).await.unwrap().contains("\"plies\":[{\"n\":3"));
    school.live.stop();
    assert_eq!(part(&mut feed).await.unwrap(), "event: bye\ndata: {}\n\n");
    assert_eq!(part(&mut feed).await, None);
}

#[tokio::test]
async fn a_finished_game_becomes_the_stored_one() {
    let (school, people) = School::with_groups().await;
    let name = &people.games[games::AGAINST_HOUSE];
    let path = format!("/c/awale/games/{name}/stream");
    let all = text(school.feed(&path, &[(header::COOKIE, people.bob.as_str())]).await).await;
    let names: Vec<_> = all.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    assert_eq!(names, ["game", "plies", "over"]);
    assert!(all.contains(&format!("\"page\":\"/c/awale/games/{name}\"")), "{all}");
    assert!(!all.contains("secret"), "{all}");
    // The same as JSON lines, of a game that ends during the request.
    let running = school.begin().await;
    let token = school.token(people.bob_id, school.course, &[Scope::Read]).await;
    let path = format!("/api/v1/games/{running}/stream");
    let feed = school.feed(&path, &[(header::AUTHORIZATION, token.as_str())]).await;
    let ending = pitmaster_core::Ending::Rules {
        clause: "49+".into(),
        winner: Some(Side::One),
        score: pitmaster_core::Score::new(50, 30),
    };
    let record =
        Record { plies: plies(), ..Record::unplayed(key(), pitmaster_core::Seed(1), ending) };
    school.live.get(&key().id()).unwrap().end(&record.plies);
    school.live.over(&record);
    school.live.publish();
    let lines = text(feed).await;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert!(names.starts_with(&["game", "plies"]) && names.ends_with(&["over"]), "{names:?}");
    let plies: Vec<_> = lines.iter().filter(|line| line["event"] == "plies").collect();
    let texts = plies.iter().flat_map(|line| line["data"]["plies"].as_array().unwrap());
    let texts: Vec<_> = texts.map(|ply| ply["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["1B", "2R", "3TR"]);
    let over = &lines.last().unwrap()["data"];
    assert_eq!((&over["winner"], &over["is_void"]), (&1.into(), &false.into()));
}

#[tokio::test]
async fn pages_list_running_games() {
    let (school, people) = School::with_groups().await;
    let ask = async |path: &str, cookie: &str| {
        let response = school.ask("GET", path, cookie, "").await;
        (response.status().as_u16(), text(response).await)
    };
    assert!(ask("/c/awale", &people.bob).await.1.contains("No game is being played."));
    let name = school.begin().await;
    for path in ["/c/awale", "/c/awale/ladder/main"] {
        let (_, page) = ask(path, &people.bob).await;
        assert!(
            page.contains(&format!("<a href=\"/c/awale/games/{name}\">a.one – house-greedy</a>")),
            "{page}"
        );
    }
    let (status, page) = ask(&format!("/c/awale/games/{name}"), &people.bob).await;
    assert_eq!(status, 200);
    assert!(page.contains("The game is being played.") && page.contains("<td>2R</td>"), "{page}");
    assert!(page.contains(&format!("\"stream\":\"/c/awale/games/{name}/stream\"")), "{page}");
    assert!(page.contains("<noscript>") && !page.contains("3TR"), "{page}");
    // A running game has neither evidence nor a file yet.
    assert_eq!(ask(&format!("/c/awale/games/{name}/lost.json"), &people.ada).await.0, 404);
}

#[tokio::test]
async fn the_display_shows_the_most_even_game() {
    let (school, people) = School::with_groups().await;
    let tv = async || {
        let page = text(school.ask("GET", "/c/awale/tv", &people.bob, "").await).await;
        // Removes the position from the URL of the feed.
        match page.split_once("&#38;after=") {
            Some((begin, rest)) => begin.to_owned() + rest.split_once('"').unwrap().1,
            None => page,
        }
    };
    let quiet = tv().await;
    assert!(
        quiet.contains("No game is being played.") && quiet.contains("data-refresh"),
        "{quiet}"
    );
    let ladder = school.ladder().await;
    let rated = |(name, elo): (&str, f64)| TableRow {
        rank: None,
        is_house_bot: false,
        name: name.parse().unwrap(),
        version: None,
        games: 10,
        wins: 5,
        draws: 0,
        losses: 5,
        forfeits: 0,
        rating: Some(TableRating { elo, within: None }),
    };
    let rows = [("a.one", 1500.0), ("house-greedy", 1400.0), ("house-random", 1000.0)];
    let table = LadderTable { rows: rows.map(rated).into(), ..LadderTable::default() };
    school.standings.publish(ladder, table);
    let against = |opponent: &str, pair| {
        let two = BotId { name: opponent.parse().unwrap(), hash: BotHash::of(b"files") };
        GameKey { bots: BySide::new(key().bots.one, two), pair, ..key() }
    };
    // The last game began latest, and its opponent has no rating.
    let order = [("house-greedy", 1), ("house-random", 2), ("house-expert", 3)];
    let keys = order.map(|(opponent, pair)| against(opponent, pair));
    for (key, began) in keys.iter().zip(1..) {
        school.live.begin((ladder, "main"), key, &[key.id()], Utc(NOW.0 + began));
    }
    for key in keys {
        let page = tv().await;
        assert!(page.contains(&format!("/games/main.{}/stream", key.id())), "{page}");
        assert!(page.contains("\"goes_on\":true"), "{page}");
        school.live.get(&key.id()).unwrap().end(&[]);
        school.live.publish();
    }
    assert_eq!(tv().await, quiet);
}

#[tokio::test]
async fn running_games_are_as_visible_as_their_course() {
    let (school, people) = School::with_groups().await;
    let name = school.begin().await;
    let elsewhere = add_course(&school.database, "other", "Other").await;
    for rest in ["", "/stream"] {
        let path = format!("/c/awale/games/{name}{rest}");
        for (cookie, status) in
            [("", 401), (&people.ada, 200), (&people.bob, 200), (&people.assistant, 200)]
        {
            assert_eq!(school.ask("GET", &path, cookie, "").await.status(), status, "{path}");
        }
        for absent in [format!("/c/other/games/{name}{rest}"), path.replace("main.", "none.")] {
            assert_eq!(school.ask("GET", &absent, &people.bob, "").await.status(), 404, "{absent}");
        }
    }
    let path = format!("/api/v1/games/{name}/stream");
    for (course, scopes, status) in [
        (school.course, &[Scope::Read], 200),
        (school.course, &[Scope::Upload], 403),
        (elsewhere, &[Scope::Read], 404),
    ] {
        school
            .database
            .set_member(act(), people.ada_id, elsewhere, Role::Student, None)
            .await
            .unwrap();
        let token = school.token(people.ada_id, course, scopes).await;
        let headers = [(header::AUTHORIZATION, token.as_str())];
        assert_eq!(school.send("GET", &path, &headers, "").await.status(), status);
    }
    // Only the staff sees a draft.
    school.database.set_course_state(act(), school.course, CourseState::Draft).await.unwrap();
    let path = format!("/c/awale/games/{name}/stream");
    assert_eq!(school.ask("GET", &path, &people.ada, "").await.status(), 404);
    assert_eq!(school.ask("GET", &path, &people.teacher, "").await.status(), 200);
}

#[tokio::test]
async fn a_session_has_four_feeds_and_closed_ones_free_slots() {
    let (school, people) = School::with_groups().await;
    let path = format!("/c/awale/games/{}/stream", school.begin().await);
    let mut feeds = Vec::new();
    for _ in 0..4 {
        feeds.push(school.ask("GET", &path, &people.ada, "").await);
    }
    let refused = school.ask("GET", &path, &people.ada, "").await;
    assert_eq!(
        (refused.status().as_u16(), refused.headers().contains_key(header::RETRY_AFTER)),
        (429, true)
    );
    assert!(text(refused).await.contains("close one of their pages"));
    assert_eq!(school.ask("GET", &path, &people.bob, "").await.status(), 200);
    drop(feeds.pop());
    // The feed's task notices the disconnect by itself.
    for _ in 0..100 {
        if school.ask("GET", &path, &people.ada, "").await.status() == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the place is not free");
}
