//! Status matrix: every route for every role. A route without a row fails the test.

use std::collections::BTreeSet;

use super::*;

/// Statuses for a guest, a student of the group, a student of another group, an assistant, a
/// teacher and an administrator. Forms are submitted with valid data. `{id}` names an object of
/// another person; `{hidden}` is the number of a version that outsiders may not see.
pub(super) const EXPECTED: &[(&str, &str, &str, [u16; 6])] = &[
    ("GET", "/", "", [200; 6]),
    ("GET", "/healthz", "", [200; 6]),
    ("GET", "/readyz", "", [200; 6]),
    // Remote players are disabled here.
    ("GET", "/socket", "", [404; 6]),
    ("GET", "/login", "", [200; 6]),
    ("POST", "/login", "login=nobody{column}&passphrase=x", [403; 6]),
    ("GET", "/join", "", [200; 6]),
    ("POST", "/join", "code=x", [422; 6]),
    ("GET", "/account", "", [401, 200, 200, 200, 200, 200]),
    (
        "POST",
        "/account/passphrase",
        "old=x&new=a%20new%20long%20passphrase",
        [401, 422, 422, 422, 422, 422],
    ),
    ("POST", "/account/sessions/{id}/end", "", [401, 404, 404, 404, 404, 404]),
    ("POST", "/account/sessions/end", "", [401, 303, 303, 303, 303, 303]),
    (
        "POST",
        "/account/tokens",
        "course={course_id}&name=ci&days=30&read=on",
        [401, 200, 200, 200, 200, 404],
    ),
    ("POST", "/account/tokens/{id}/revoke", "", [401, 404, 404, 404, 404, 404]),
    ("GET", "/c/{course}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/ladder/{ladder}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/finals/{final}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/ladder/{ladder}/games", "", [401, 200, 200, 200, 200, 200]),
    (
        "GET",
        "/c/{course}/ladder/{ladder}/versus/{bot}/{opponent}",
        "",
        [401, 200, 200, 200, 200, 200],
    ),
    ("GET", "/c/{course}/games/{game}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/games/{game}/stream", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/games/{game}/lost.json", "", [401, 200, 404, 200, 200, 200]),
    ("GET", "/c/{course}/tv", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/stream", "", [401, 400, 400, 400, 400, 400]),
    ("GET", "/c/{course}/stream?watch=ladder:{ladder}", "", [401, 200, 200, 200, 200, 200]),
    // The topic `mine` is empty for people without a group.
    ("GET", "/c/{course}/stream?watch=queue,mine", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/play", "", [401, 200, 200, 200, 200, 200]),
    // Each request begins a game.
    (
        "POST",
        "/c/{course}/play",
        "bot=house:random&game=kalah&side=1&clock=1000",
        [401, 303, 303, 303, 303, 303],
    ),
    ("GET", "/c/{course}/play/{play}", "", [401, 200, 404, 404, 404, 404]),
    ("GET", "/c/{course}/play/{play}/stream", "", [401, 200, 404, 404, 404, 404]),
    ("POST", "/c/{course}/play/{play}/moves", "ply=1&move=1", [401, 303, 404, 404, 404, 404]),
    ("POST", "/c/{course}/play/{play}/back", "", [401, 303, 404, 404, 404, 404]),
    ("POST", "/c/{course}/play/{play}/leave", "", [401, 303, 404, 404, 404, 404]),
    ("POST", "/c/{course}/play/{play}/evaluate", "", [401, 303, 404, 404, 404, 404]),
    ("GET", "/c/{course}/docs", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/me", "", [401, 200, 200, 200, 200, 200]),
    ("POST", "/c/{course}/me/seen", "up_to=1", [401, 303, 303, 303, 303, 303]),
    ("GET", "/c/{course}/bots/{bot}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/bots/{bot}/versions/{number}", "", [401, 200, 200, 200, 200, 200]),
    ("GET", "/c/{course}/bots/{bot}/versions/{hidden}", "", [401, 200, 404, 200, 200, 200]),
    ("GET", "/c/{course}/bots/{bot}/versions/{number}/upload", "", [401, 200, 404, 200, 200, 200]),
    // The body has a wrong type, so that the permission is checked and nothing is stored.
    ("POST", "/c/{course}/bots/{bot}/versions", "", [401, 415, 404, 403, 403, 403]),
    ("POST", "/c/{course}/bots", "name=two", [401, 303, 303, 404, 404, 404]),
    (
        "POST",
        "/c/{course}/asks",
        "version={active}&opponent=house-greedy&pairs=1",
        [401, 303, 404, 403, 403, 403],
    ),
    ("GET", "/c/{course}/asks/{ask}", "", [401, 200, 404, 200, 200, 200]),
    ("POST", "/c/{course}/asks/{ask}/cancel", "", [401, 303, 404, 403, 403, 403]),
    ("POST", "/c/{course}/bots/{bot}/rank", "", [401, 303, 404, 403, 403, 403]),
    ("POST", "/c/{course}/bots/{bot}/unpin", "", [401, 303, 404, 403, 403, 403]),
    (
        "POST",
        "/c/{course}/bots/{bot}/versions/{number}/choose",
        "for_good=on",
        [401, 303, 404, 403, 403, 403],
    ),
    (
        "POST",
        "/c/{course}/bots/{bot}/versions/{number}/suspend",
        "why=x",
        [401, 403, 403, 303, 303, 303],
    ),
    ("POST", "/c/{course}/bots/{bot}/versions/{number}/retry", "", [401, 403, 403, 409, 409, 409]),
    (
        "POST",
        "/c/{course}/bots/{bot}/versions/{number}/withdraw",
        "",
        [401, 303, 404, 403, 403, 403],
    ),
    ("POST", "/c/{course}/bots/{bot}/people", "play=on", [401, 303, 404, 403, 403, 403]),
    ("POST", "/c/{course}/bots/{bot}/retire", "sure=on", [401, 303, 404, 403, 403, 403]),
    ("GET", "/c/{course}/admin", "", [401, 403, 403, 200, 200, 200]),
    ("GET", "/c/{course}/admin/audit", "", [401, 403, 403, 403, 200, 200]),
    // The final of these tests has no games, and the course has no grading rules.
    ("GET", "/c/{course}/admin/grades", "", [401, 403, 403, 200, 200, 200]),
    ("GET", "/c/{course}/admin/grades/{file}", "", [401, 403, 403, 409, 409, 409]),
    ("POST", "/c/{course}/admin/grades/publish", "", [401, 403, 403, 403, 409, 409]),
    ("POST", "/c/{course}/admin/grades/withdraw", "", [401, 403, 403, 403, 409, 409]),
    (
        "POST",
        "/c/{course}/admin/people",
        "people=7%2CZoe%2Czoe%40x%2Cc",
        [401, 403, 403, 403, 200, 200],
    ),
    ("POST", "/c/{course}/admin/invite", "role=student&group=", [401, 403, 403, 403, 200, 200]),
    ("POST", "/c/{course}/admin/groups", "slug=g{column}&name=G", [401, 403, 403, 303, 303, 303]),
    (
        "POST",
        "/c/{course}/admin/deadlines",
        "name=d{column}&at=2027-01-01T00%3A00&grace=1&policy=chosen",
        [401, 403, 403, 403, 303, 303],
    ),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/freeze", "", [401, 403, 403, 403, 409, 409]),
    ("POST", "/c/{course}/admin/deadlines/{deadline}/final", "", [401, 403, 403, 403, 422, 422]),
    ("GET", "/c/{course}/admin/deadlines/{deadline}", "", [401, 403, 403, 200, 200, 200]),
    // Nothing is frozen yet.
    (
        "POST",
        "/c/{course}/admin/deadlines/{deadline}/replace",
        "group=a&version=&why=x",
        [401, 403, 403, 403, 404, 404],
    ),
    // The administrator comes after the teacher, who has already removed it.
    ("POST", "/c/{course}/admin/deadlines/{deadline}/remove", "", [401, 403, 403, 403, 303, 404]),
    // Nothing is played in these tests, so the administrator finds the final as the teacher left
    // it.
    ("POST", "/c/{course}/admin/finals/{final}/play", "", [401, 403, 403, 403, 303, 409]),
    ("POST", "/c/{course}/admin/finals/{final}/stop", "", [401, 403, 403, 403, 303, 409]),
    // The final has no results, and belongs to no deadline.
    ("POST", "/c/{course}/admin/finals/{final}/publish", "", [401, 403, 403, 403, 404, 404]),
    (
        "POST",
        "/c/{course}/admin/ladders/{ladder}",
        "state=open&frozen_view_at=",
        [401, 403, 403, 403, 303, 303],
    ),
    ("POST", "/c/{course}/admin/state", "state=open", [401, 403, 403, 403, 303, 303]),
    (
        "POST",
        "/c/{course}/admin/settings",
        "title=T&lang=en&closes=2027-01-01T00%3A00&visibility=members",
        [401, 403, 403, 403, 303, 303],
    ),
    ("GET", "/c/{course}/admin/members/{person}", "", [401, 403, 403, 200, 200, 200]),
    ("POST", "/c/{course}/admin/members/{person}", "group=", [401, 403, 403, 303, 303, 303]),
    ("POST", "/c/{course}/admin/members/{person}/code", "", [401, 403, 403, 403, 200, 200]),
    // The administrator comes after the teacher, who has ended it already.
    ("POST", "/c/{course}/admin/members/{person}/end", "sure=on", [401, 403, 403, 403, 303, 404]),
    ("POST", "/logout", "", [303; 6]),
    // A session cookie does not authenticate the API.
    ("GET", "/api/v1/openapi.json", "", [200; 6]),
    ("GET", "/api/v1/me", "", [401; 6]),
    ("POST", "/api/v1/join", "", [400; 6]),
    ("POST", "/api/v1/courses/{course}/bots", "", [401; 6]),
    ("GET", "/api/v1/versions/{version}", "", [401; 6]),
    ("GET", "/api/v1/versions/{version}/log", "", [401; 6]),
    ("GET", "/api/v1/versions/{version}/check", "", [401; 6]),
    ("POST", "/api/v1/versions/{version}/activate", "", [401; 6]),
    ("GET", "/api/v1/ladders/{ladder}", "", [401; 6]),
    ("GET", "/api/v1/ladders/{ladder}/games", "", [401; 6]),
    ("GET", "/api/v1/games/{game}", "", [401; 6]),
    ("GET", "/api/v1/games/{game}/stream", "", [401; 6]),
    ("GET", "/api/v1/games/{game}/evidence", "", [401; 6]),
    ("POST", "/api/v1/invites", "", [401; 6]),
    ("PUT", "/api/v1/groups", "", [401; 6]),
    ("GET", "/api/v1/deadlines", "", [401; 6]),
    ("POST", "/api/v1/deadlines", "", [401; 6]),
    ("POST", "/api/v1/deadlines/{deadline}/freeze", "", [401; 6]),
    ("GET", "/api/v1/audit", "", [401; 6]),
    ("POST", "/api/v1/asks", "", [401; 6]),
    ("GET", "/api/v1/asks/{ask}", "", [401; 6]),
    ("GET", "/api/v1/stream?watch=ladder:{ladder}", "", [401; 6]),
    ("GET", "/api/v1/courses/{course}/grades", "", [401; 6]),
    ("GET", "/api/v1/queue", "", [401; 6]),
    ("POST", "/api/v1/courses/{course}/bots/{bot}/versions", "", [401; 6]),
];

/// Statuses without a token, and for tokens of: a student of the group with the scopes read, upload
/// and kgp; a student of another group with read and upload; a teacher with all scopes; and the
/// student of the group with all scopes in another course.
const TOKENS: &[(&str, &str, [u16; 8])] = &[
    ("GET", "/api/v1/openapi.json", [200; 8]),
    ("GET", "/api/v1/me", [401, 200, 200, 200, 200, 200, 200, 200]),
    ("POST", "/api/v1/join", [400; 8]),
    ("POST", "/api/v1/courses/{course}/bots", [401, 403, 400, 403, 403, 400, 404, 404]),
    ("GET", "/api/v1/versions/{version}", [401, 200, 403, 403, 404, 404, 200, 404]),
    ("GET", "/api/v1/versions/{version}/log", [401, 200, 403, 403, 404, 404, 200, 404]),
    ("GET", "/api/v1/versions/{version}/check", [401, 200, 403, 403, 404, 404, 200, 404]),
    ("POST", "/api/v1/versions/{version}/activate", [401, 403, 200, 403, 404, 404, 403, 404]),
    ("GET", "/api/v1/ladders/{ladder}", [401, 200, 403, 403, 200, 403, 200, 404]),
    ("GET", "/api/v1/ladders/{ladder}/games", [401, 200, 403, 403, 200, 403, 200, 404]),
    ("GET", "/api/v1/games/{game}", [401, 200, 403, 403, 200, 403, 200, 404]),
    ("GET", "/api/v1/games/{game}/stream", [401, 200, 403, 403, 200, 403, 200, 404]),
    ("GET", "/api/v1/games/{game}/evidence", [401, 200, 403, 403, 404, 404, 200, 404]),
    ("POST", "/api/v1/invites", [401, 403, 403, 403, 403, 403, 400, 403]),
    ("PUT", "/api/v1/groups", [401, 403, 403, 403, 403, 403, 400, 403]),
    ("GET", "/api/v1/deadlines", [401, 200, 403, 403, 200, 403, 200, 200]),
    ("POST", "/api/v1/deadlines", [401, 403, 403, 403, 403, 403, 400, 403]),
    ("POST", "/api/v1/deadlines/{deadline}/freeze", [401, 403, 403, 403, 403, 403, 409, 404]),
    ("GET", "/api/v1/audit", [401, 403, 403, 403, 403, 403, 200, 403]),
    ("POST", "/api/v1/asks", [401, 403, 400, 403, 403, 400, 404, 404]),
    ("GET", "/api/v1/asks/{ask}", [401, 200, 403, 403, 404, 404, 200, 404]),
    ("GET", "/api/v1/stream", [401, 400, 400, 400, 400, 400, 400, 400]),
    ("GET", "/api/v1/stream?watch=ladder:{ladder}", [401, 200, 403, 403, 200, 403, 200, 404]),
    ("GET", "/api/v1/stream?watch=queue,mine", [401, 200, 403, 403, 200, 403, 200, 200]),
    ("GET", "/api/v1/courses/{course}/grades", [401, 403, 403, 403, 403, 403, 409, 404]),
    ("GET", "/api/v1/queue", [401, 200, 403, 403, 200, 403, 200, 200]),
    (
        "POST",
        "/api/v1/courses/{course}/bots/{bot}/versions",
        [401, 403, 415, 403, 404, 404, 403, 404],
    ),
];

/// Parameters of paths, with an existing value and absent ones.
fn values(people: &People) -> [(&'static str, String, &'static [&'static str]); 14] {
    [
        ("{course}", "awale".into(), &["absent", "..%2Fx", "%00", "%ff"]),
        ("{bot}", "a.one".into(), &["a.none", "..", "%3Cscript%3E"]),
        ("{number}", "1".into(), &["99", "-1", "x", "1%20"]),
        ("{hidden}", "2".into(), &["99"]),
        ("{deadline}", people.deadline.to_string(), &["00000000000000000000", "x"]),
        ("{person}", people.bob_id.to_string(), &["00000000000000000000", "x"]),
        ("{opponent}", "b.one".into(), &["b.none", "%3Cscript%3E"]),
        (
            "{game}",
            people.games[games::AGAINST_HOUSE].clone(),
            &["main", "main.", "main.0000000000000000", "absent.0000000000000000", "main.%22"],
        ),
        ("{ask}", people.ask.to_string(), &["00000000000000000000", "x", "..%2F"]),
        ("{play}", people.play.clone(), &["00000000000000000000", "x", "..%2Fx", "%00"]),
        ("{ladder}", "main".into(), &["absent", "%22"]),
        ("{file}", "grades.csv".into(), &["absent.csv", "..", "%00"]),
        ("{final}", "first".into(), &["absent", "..", "%00"]),
        ("{version}", people.active.to_string(), &["00000000000000000000", "x", "..%2F"]),
    ]
}

/// Fills the parameters of a path with existing values.
pub(super) fn filled(path: &str, people: &People) -> String {
    values(people).iter().fold(path.to_owned(), |path, (name, value, _)| path.replace(name, value))
}

/// Fills the ids of a form.
pub(super) fn filled_form(form: &str, school: &School, people: &People) -> String {
    let form = form.replace("{course_id}", &school.course.to_string());
    form.replace("{active}", &people.active.to_string())
}

/// Paths in which one parameter has an absent value.
pub(super) fn with_absent(path: &str, people: &People) -> Vec<String> {
    let mut paths = Vec::new();
    for (name, _, absent) in values(people).iter().filter(|(name, ..)| path.contains(name)) {
        paths.extend(absent.iter().map(|value| filled(&path.replace(name, value), people)));
    }
    paths
}

pub(super) fn all_routes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let api = of_api(api::ROUTES).into_iter().chain(of_api(api::UPLOADS));
    ROUTES.iter().chain(UPLOADS).copied().chain(api).map(|(method, path, _)| (method, path))
}

/// Restores the initial states, before each request that stops or starts a version.
async fn reset(school: &School, people: &People) {
    school.database.choose_version(act(), people.active, false).await.unwrap();
}

#[tokio::test]
async fn every_route_answers_everybody_as_the_table_says() {
    let listed: BTreeSet<_> =
        EXPECTED.iter().map(|(method, path, ..)| (*method, route_of(path))).collect();
    let routed: BTreeSet<_> =
        all_routes().map(|(method, path)| (method, path.to_owned())).collect();
    assert_eq!(listed, routed, "a route has no row, or a row no route");
    let (school, people) = School::with_groups().await;
    school.keep(b"first");
    let foreign = school.database.sessions(people.bob_id, NOW).await.unwrap()[0].id.to_string();
    let absent = "0".repeat(20);
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    // Permitted clients come last, because some actions succeed only once.
    let order = [(0, ""), (2, bob), (3, assistant), (4, teacher), (5, admin), (1, ada)];
    for (method, path, form, statuses) in EXPECTED {
        let form = filled_form(form, &school, &people);
        for (column, cookie) in order {
            let form = form.replace("{column}", &column.to_string());
            for id in [&absent, &foreign, "..%2Fx"] {
                // A person's own session does not exist for others.
                if id == foreign && column == 2 {
                    continue;
                }
                if path.ends_with("/suspend") {
                    reset(&school, &people).await;
                }
                let path = filled(path, &people).replace("{id}", id);
                let response = school.ask(method, &path, cookie, &form).await;
                assert_eq!(response.status(), statuses[column], "{method} {path} column {column}");
                if !path.contains(id) {
                    break;
                }
            }
        }
    }
}

/// Route of a path in the table.
pub(super) fn route_of(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    path.replace("/versions/{version}", "/versions/{id}").replace("{hidden}", "{number}")
}

#[tokio::test]
async fn absent_and_hidden_objects_look_the_same() {
    let (school, people) = School::with_groups().await;
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    for (method, path, form, statuses) in EXPECTED.iter().filter(|row| row.1.contains("/c/")) {
        // Response to a client that must not know of the object: the same as for an absent one.
        let hidden = match statuses[2] {
            404 => Some(text(school.ask(method, &filled(path, &people), bob, form).await).await),
            _ => None,
        };
        for absent in with_absent(path, &people) {
            let response = school.ask(method, &absent, "", form).await;
            assert_eq!(response.status(), 401, "{method} {absent} as a guest");
            for cookie in [ada, bob, assistant, teacher, admin] {
                let response = school.ask(method, &absent, cookie, form).await;
                // Staff and students learn that their role lacks the permission, whatever the
                // object.
                let refused = statuses[2..].contains(&403) && response.status() == 403;
                assert!(response.status() == 404 || refused, "{method} {absent}: {response:?}");
                if cookie == bob
                    && let Some(hidden) = &hidden
                {
                    assert_eq!(&text(response).await, hidden, "{method} {absent}");
                }
            }
        }
    }
}

#[tokio::test]
async fn every_token_opens_what_the_table_says() {
    let listed: BTreeSet<_> =
        TOKENS.iter().map(|(method, path, _)| (*method, route_of(path))).collect();
    let api = of_api(api::ROUTES).into_iter().chain(of_api(api::UPLOADS));
    let routed: BTreeSet<_> = api.map(|(method, path, _)| (method, path.to_owned())).collect();
    assert_eq!(listed, routed, "a route has no row, or a row no route");
    let (school, people) = School::with_groups().await;
    let log = school.folder.path().join("school/bots").join(BotHash::of(b"files").as_str());
    std::fs::create_dir_all(&log).unwrap();
    std::fs::write(log.join("build.log"), "cc -o bot bot.c\n\x1b[31mdone\n").unwrap();
    let elsewhere = add_course(&school.database, "other", "Other").await;
    school.database.set_member(act(), people.ada_id, elsewhere, Role::Student, None).await.unwrap();
    let all = Scope::ALL;
    let course = school.course;
    let tokens = [
        String::new(),
        school.token(people.ada_id, course, &[Scope::Read]).await,
        school.token(people.ada_id, course, &[Scope::Upload]).await,
        school.token(people.ada_id, course, &[Scope::Kgp]).await,
        school.token(people.bob_id, course, &[Scope::Read]).await,
        school.token(people.bob_id, course, &[Scope::Upload]).await,
        school.token(people.teacher_id, course, all).await,
        school.token(people.ada_id, elsewhere, all).await,
    ];
    for (method, path, statuses) in TOKENS {
        for (token, status) in tokens.iter().zip(statuses) {
            let headers = [(header::AUTHORIZATION, token.as_str())];
            let response = school.send(method, &filled(path, &people), &headers, "").await;
            assert_eq!(response.status(), *status, "{method} {path} {token}");
            if *status >= 400 {
                let kind = &response.headers()[header::CONTENT_TYPE];
                assert_eq!(kind, "application/problem+json", "{method} {path}");
            }
            // A successful response may be a feed, which has no end.
            let hidden = if *status == 404 { text(response).await } else { String::new() };
            // A value that is not UTF-8 is malformed, whatever the route.
            let absent = with_absent(path, &people).into_iter().filter(|it| !it.contains("%ff"));
            for absent in absent {
                let response = school.send(method, &absent, &headers, "").await;
                let expected = if token.is_empty() { 401 } else { 404 };
                assert_eq!(response.status(), expected, "{method} {absent} {token}");
                if *status == 404 {
                    assert_eq!(text(response).await, hidden, "{method} {absent} {token}");
                }
            }
        }
    }
    let headers = [(header::AUTHORIZATION, tokens[1].as_str())];
    let log = format!("/api/v1/versions/{}/log", people.active);
    let log = text(school.send("GET", &log, &headers, "").await).await;
    assert_eq!(log, "cc -o bot bot.c\n\\u{1b}[31mdone\n");
}

#[tokio::test]
async fn retired_bots_and_closed_courses_refuse_changes() {
    let (school, people) = School::with_groups().await;
    let upload = "/c/awale/bots/a.one/versions";
    school.database.retire_bot(act(), people.bot).await.unwrap();
    let zip = [(header::COOKIE, people.ada.as_str()), (header::CONTENT_TYPE, "application/zip")];
    let response = school.send("POST", upload, &zip, "PK").await;
    assert_eq!((response.status(), school.files()), (StatusCode::NOT_FOUND, Vec::new()));
    assert_eq!(school.ask("GET", "/c/awale/bots/a.one", &people.bob, "").await.status(), 200);
    for state in [CourseState::Paused, CourseState::Frozen, CourseState::Closed] {
        school.database.set_course_state(act(), school.course, state).await.unwrap();
        let response = school.send("POST", upload, &zip, "PK").await;
        assert_eq!(response.status(), StatusCode::CONFLICT, "{state}");
    }
    // Only the staff sees a draft.
    school.database.set_course_state(act(), school.course, CourseState::Draft).await.unwrap();
    for (cookie, status) in [(&people.ada, 404), (&people.teacher, 200), (&people.admin, 200)] {
        assert_eq!(school.ask("GET", "/c/awale", cookie, "").await.status(), status);
    }
}

#[tokio::test]
async fn a_course_for_the_world_shows_results_and_no_evidence() {
    let (school, people) = School::with_groups().await;
    let game = &people.games[games::FORFEITED];
    let settings = CourseSettings {
        title: "Awale 2026".into(),
        language: Lang::English,
        opens: NOW,
        closes: NOW.plus(Duration::from_hours(4800)),
        visibility: Visibility::World,
        guests_play: false,
        other: serde_json::json!({}),
    };
    school.database.edit_course(act(), school.course, settings).await.unwrap();
    for (path, status) in [
        ("/c/awale", 200),
        ("/c/awale/docs", 200),
        ("/c/awale/ladder/main", 200),
        ("/c/awale/ladder/main/games", 200),
        ("/c/awale/ladder/main/versus/a.one/b.one", 200),
        ("/c/awale/ladder/main/versus/a.one/b.none", 401),
        (&format!("/c/awale/games/{game}"), 200),
        (&format!("/c/awale/games/{game}/lost.json"), 401),
        ("/c/awale/games/main.0000000000000000", 401),
        ("/c/awale/bots/a.one", 200),
        ("/c/awale/bots/a.one/versions/1", 200),
        ("/c/awale/bots/a.one/versions/2", 401),
        ("/c/awale/bots/a.none", 401),
        ("/c/awale/me", 401),
        ("/c/awale/admin", 401),
    ] {
        let response = school.ask("GET", path, "", "").await;
        assert_eq!(response.status(), status, "{path}");
        let page = text(response).await;
        for evidence in
            ["Build log", "Findings", "History", "Hash of the upload", "Evidence", "secret"]
        {
            assert!(!page.contains(evidence), "{path}: {evidence}");
        }
    }
}
