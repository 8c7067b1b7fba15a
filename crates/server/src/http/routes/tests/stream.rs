//! Live feed of a course: events, visibility, and resumption.

use http_body_util::BodyExt as _;
use pitmaster_core::{BotId, BySide, GameKey, Limits};
use pitmaster_season::course::LadderId;
use serde_json::Value;

use super::*;

/// Longer than anything takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Feed that is parsed event by event.
struct Read {
    feed: Response,
    /// Received part of the next event.
    rest: String,
    /// Id of the last event.
    last: String,
}

impl Read {
    /// Name and data of the next event; `None` at the end.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.rest.split_once("\n\n") {
                let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                let (name, data) = (field("event: "), field("data: "));
                let found = name.map(str::to_owned).zip(data.map(str::to_owned));
                self.last = field("id: ").unwrap_or(&self.last).to_owned();
                self.rest = rest.to_owned();
                if let Some((name, data)) = found {
                    return Some((name, serde_json::from_str(&data).unwrap()));
                }
                continue;
            }
            let frame = tokio::time::timeout(TIMEOUT, self.feed.body_mut().frame()).await;
            let bytes = frame.expect("something comes")?.unwrap().into_data().unwrap();
            self.rest += std::str::from_utf8(&bytes).unwrap();
        }
    }

    /// Data of the next event, whose name must match.
    async fn event(&mut self, name: &str) -> Value {
        let (found, data) = self.next().await.expect("it goes on");
        assert_eq!(found, name, "{data}");
        data
    }

    /// Whether nothing arrives for longer than the feed's minimum interval.
    async fn is_silent(&mut self) -> bool {
        tokio::time::timeout(Duration::from_millis(2500), self.next()).await.is_err()
    }
}

impl School {
    async fn watch(&self, cookie: &str, watch: &str) -> Read {
        let response = self.ask("GET", &format!("/c/awale/stream?watch={watch}"), cookie, "").await;
        assert_eq!(response.status(), 200, "{watch}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Read { feed: response, rest: String::new(), last: String::new() }
    }

    async fn main_ladder(&self) -> LadderId {
        let admin = Actor { is_admin: true, ..Actor::default() };
        let found = self.database.ladder_at(self.course, "main").await.unwrap();
        found.open(&admin, Action::ViewResults).unwrap().id
    }

    async fn new_table(&self, made: Utc, games: u64) {
        let table = LadderTable { made, games, ..LadderTable::default() };
        self.standings.publish(self.main_ladder().await, table);
    }

    /// Starts a game on the ladder `main`. Returns its name in URLs.
    async fn game(&self) -> String {
        let bot = |name: &str| BotId { name: name.parse().unwrap(), hash: BotHash::of(b"files") };
        let key = GameKey {
            rules: "coloured-awale,both_40=off@1".into(),
            limits: Limits::default(),
            stage: 1,
            round: 0,
            bots: BySide::new(bot("a.one"), bot("b.one")),
            opening: String::new(),
            pair: 77,
        };
        self.live.begin((self.main_ladder().await, "main"), &key, &[key.id()], NOW);
        format!("main.{}", key.id())
    }

    async fn freeze_view(&self, at: Option<Utc>) {
        let ladder = self.main_ladder().await;
        self.database.edit_ladder(act(), ladder, LadderState::Open, at).await.unwrap();
    }
}

/// URL of the feed that a page follows.
fn stream_of(page: &str) -> String {
    let (_, rest) = page.split_once("data-stream=\"").expect("it follows a feed");
    let (address, _) = rest.split_once('"').unwrap();
    address.replace("&#38;", "&").replace("&amp;", "&")
}

#[tokio::test]
async fn a_feed_reports_changes_and_resumes() {
    let (school, people) = School::with_groups().await;
    let mut feed = school.watch(&people.bob, "ladder:main,queue").await;
    let table = feed.event("ladder").await;
    assert_eq!((&table["ladder"], &table["games"]), (&"main".into(), &6.into()));
    assert_eq!(table["revision"], NOW.0);
    let none = feed.event("running").await;
    assert_eq!(none, serde_json::json!({"ladder": "main", "games": []}));
    let queue = feed.event("queue").await;
    // Version 2 of a.one was just received.
    assert_eq!((&queue["waiting"], &queue["final"]), (&1.into(), &Value::Null));
    school.new_table(NOW.plus(TIMEOUT), 8).await;
    assert_eq!(feed.event("ladder").await["games"], 8);
    let name = school.game().await;
    let running = feed.event("running").await;
    assert_eq!(running["games"][0]["id"], name.as_str());
    assert_eq!(running["games"][0]["plies"], 0);
    school.examine_files(b"others").await;
    assert_eq!(feed.event("queue").await["waiting"], 0);
    // A reconnecting reader gets events of changed items only.
    let last = feed.last.clone();
    drop(feed);
    school.new_table(NOW.plus(2 * TIMEOUT), 10).await;
    let back = [
        (header::COOKIE, people.bob.as_str()),
        (header::HeaderName::from_static("last-event-id"), last.as_str()),
    ];
    let path = "/c/awale/stream?watch=ladder:main,queue&after=1-2-3";
    let response = school.send("GET", path, &back, "").await;
    let mut feed = Read { feed: response, rest: String::new(), last: String::new() };
    assert_eq!(feed.event("ladder").await["games"], 10);
    assert!(feed.is_silent().await);
    school.live.stop();
    assert_eq!(feed.next().await.unwrap().0, "bye");
    assert!(feed.next().await.is_none());
}

#[tokio::test]
async fn a_page_follows_a_feed_from_its_rendering_on() {
    let (school, people) = School::with_groups().await;
    for (path, watch) in [
        ("/c/awale", "ladder:main,queue"),
        ("/c/awale/ladder/main", "ladder:main"),
        ("/c/awale/tv", "ladder:main"),
        ("/c/awale/me", "queue,mine"),
        ("/c/awale/bots/a.one", "mine"),
        ("/c/awale/bots/a.one/versions/2", "mine"),
    ] {
        let page = text(school.ask("GET", path, &people.ada, "").await).await;
        let address = stream_of(&page);
        let begin = format!("/c/awale/stream?watch={watch}&after=");
        assert!(address.starts_with(&begin), "{path}: {address}");
        let response = school.ask("GET", &address, &people.ada, "").await;
        let mut feed = Read { feed: response, rest: String::new(), last: String::new() };
        let first = tokio::time::timeout(Duration::from_millis(200), feed.next()).await;
        assert!(first.is_err(), "{path}: {first:?}");
    }
    // Pages of other groups have no feed.
    for path in ["/c/awale/bots/a.one", "/c/awale/bots/a.one/versions/1"] {
        for cookie in [&people.bob, &people.teacher] {
            let page = text(school.ask("GET", path, cookie, "").await).await;
            assert!(!page.contains("data-stream"), "{path}");
        }
    }
}

#[tokio::test]
async fn the_topic_mine_is_for_the_own_group_only() {
    let (school, people) = School::with_groups().await;
    let mut own = school.watch(&people.ada, "mine").await;
    let mut other = school.watch(&people.bob, "mine").await;
    let mut staff = school.watch(&people.teacher, "mine").await;
    let versions = own.event("mine").await["versions"].clone();
    let states: Vec<_> = versions.as_array().unwrap().iter().map(|it| &it["state"]).collect();
    assert_eq!(states, ["received", "active"]);
    assert!(other.event("mine").await["versions"].as_array().unwrap().is_empty());
    assert!(staff.event("mine").await["versions"].as_array().unwrap().is_empty());
    school.examine_files(b"others").await;
    let state = own.event("mine").await;
    assert_eq!(state["versions"][0]["number"], 2);
    assert!(state["unread"].as_i64() > Some(0), "{state}");
    assert!(other.is_silent().await && staff.is_silent().await);
    // Events also report a decision that changes no version, and a note that was read elsewhere.
    while !own.is_silent().await {}
    school.database.mark_notes_seen(people.ada_id, i64::MAX, NOW).await.unwrap();
    assert_eq!(own.event("mine").await["unread"], 0);
    let group = people.group;
    school.database.add_bot(act(), group, "two").await.unwrap();
    own.event("mine").await;
    // A former member of the group gets no further events.
    let (ada, course) = (people.ada_id, school.course);
    school.database.set_member(act(), ada, course, Role::Student, None).await.unwrap();
    let state = own.event("mine").await;
    assert!(state["versions"].as_array().unwrap().is_empty(), "{state}");
    school.receive(people.bot, b"third").await;
    assert!(own.is_silent().await);
}

#[tokio::test]
async fn new_tables_of_a_frozen_view_are_for_the_staff_only() {
    let (school, people) = School::with_groups().await;
    let mut student = school.watch(&people.bob, "ladder:main").await;
    let mut staff = school.watch(&people.assistant, "ladder:main").await;
    for feed in [&mut student, &mut staff] {
        assert_eq!(feed.event("ladder").await["games"], 6);
        feed.event("running").await;
    }
    // Frozen from the instant of the table on.
    school.freeze_view(Some(NOW)).await;
    school.new_table(NOW.plus(TIMEOUT), 20).await;
    assert_eq!(staff.event("ladder").await["games"], 20);
    assert!(
        matches!(student.next().await, Some((name, data)) if name == "ladder" && data["games"].is_null())
    );
    let frozen = LadderTable { made: NOW, games: 6, ..LadderTable::default() };
    school.standings.freeze(school.main_ladder().await, frozen);
    assert_eq!(student.event("ladder").await["games"], 6);
    school.new_table(NOW.plus(2 * TIMEOUT), 30).await;
    assert_eq!(staff.event("ladder").await["games"], 30);
    assert!(student.is_silent().await);
    school.freeze_view(None).await;
    assert_eq!(student.event("ladder").await["games"], 30);
}

#[tokio::test]
async fn a_feed_ends_with_the_right_to_it() {
    let (school, people) = School::with_groups().await;
    let token = school.token(people.bob_id, school.course, &[Scope::Read]).await;
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let response = school.send("GET", "/api/v1/stream?watch=queue,mine", &headers, "").await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-ndjson");
    let mut program = Read { feed: response, rest: String::new(), last: String::new() };
    let mut page = school.watch(&people.bob, "queue,mine").await;
    let mut drafted = school.watch(&people.ada, "ladder:main").await;
    for event in ["queue", "mine"] {
        page.event(event).await;
    }
    for event in ["ladder", "running"] {
        drafted.event(event).await;
    }
    let frame = program.feed.body_mut().frame().await.unwrap().unwrap().into_data().unwrap();
    let lines = String::from_utf8(frame.to_vec()).unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["queue", "mine"]);
    assert!(lines.iter().all(|line| line["id"].is_string() && line["data"].is_object()));
    // The session and the token end, and the course returns to a draft.
    let id = school.database.tokens(people.bob_id).await.unwrap()[0].id;
    school.database.revoke_token(act(), id).await.unwrap();
    school.ask("POST", "/logout", &people.bob, "").await;
    assert!(page.next().await.is_none() && program.next().await.is_none());
    school.database.set_course_state(act(), school.course, CourseState::Draft).await.unwrap();
    assert!(drafted.next().await.is_none());
}

#[tokio::test]
async fn guests_watch_public_courses() {
    let (school, people) = School::with_groups().await;
    assert_eq!(school.ask("GET", "/c/awale/stream?watch=queue", "", "").await.status(), 401);
    let admin = Actor { is_admin: true, ..Actor::default() };
    let course = school.database.course(school.course).await.unwrap();
    let course = course.open(&admin, Action::ViewResults).unwrap();
    let settings = CourseSettings { visibility: Visibility::World, ..course.settings };
    school.database.edit_course(act(), school.course, settings).await.unwrap();
    let mut feed = school.watch("", "ladder:main,queue").await;
    feed.event("ladder").await;
    for (watch, status) in
        [("mine", 401), ("ladder:main,mine", 401), ("ladder:absent", 401), ("ladder:main,x", 400)]
    {
        let response = school.ask("GET", &format!("/c/awale/stream?watch={watch}"), "", "").await;
        assert_eq!(response.status(), status, "{watch}");
    }
    let response = school.ask("GET", "/c/awale/stream?watch=x", &people.ada, "").await;
    assert!(text(response).await.contains("Say what to watch"));
}
