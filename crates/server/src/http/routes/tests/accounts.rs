//! Accounts, sessions and tokens.

use super::*;

#[tokio::test]
async fn a_student_joins_logs_out_and_in_and_ends_a_session() {
    let school = School::new().await;
    let code = school.code(Role::Student).await;
    let page =
        text(school.ask("POST", "/join", "", &format!("code={}", code.reveal())).await).await;
    assert!(page.contains("autocomplete=\"new-password\""), "{page}");
    let short = format!("code={}&name=Ada&login=ada&passphrase=short", code.reveal());
    let response = school.ask("POST", "/join", "", &short).await;
    assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let form =
        format!("code={}&name=Ada&login=ada&passphrase=correct+horse+battery", code.reveal());
    let joined = school.ask("POST", "/join", "", &form).await;
    assert_eq!(joined.status(), StatusCode::SEE_OTHER);
    let first = cookie(&joined).unwrap();
    assert!(text(school.ask("GET", "/", &first, "").await).await.contains("Awale 2026"));
    // The code works once.
    let again = school.ask("POST", "/join", "", &form).await;
    assert_eq!(again.status(), StatusCode::UNPROCESSABLE_ENTITY);
    school.ask("POST", "/logout", &first, "").await;
    assert_eq!(school.ask("GET", "/account", &first, "").await.status(), StatusCode::UNAUTHORIZED);
    let form = "login=ada&passphrase=correct+horse+battery&next=%2Faccount";
    let entered = school.ask("POST", "/login", &first, form).await;
    assert_eq!(entered.headers()[header::LOCATION], "/account");
    let second = cookie(&entered).unwrap();
    assert_ne!(first, second);
    assert_eq!(school.ask("GET", "/account", &second, "").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn who_asks_too_often_must_wait_and_nobody_else() {
    let school = School::new().await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let (_, bob) = school.person("bob", Role::Student).await;
    let burst = Rate::PER_ACCOUNT.burst as usize;
    for _ in 0..burst {
        assert_eq!(school.ask("GET", "/", &ada, "").await.status(), StatusCode::OK);
    }
    let refused = school.ask("GET", "/", &ada, "").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    assert_eq!(school.ask("GET", "/", &bob, "").await.status(), StatusCode::OK);
    // The IP address comes from the connection, and this test has none.
    assert_eq!(school.ask("GET", "/", "", "").await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_token_is_shown_once() {
    let school = School::new().await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let form = format!("course={}&name=ci&days=30&upload=on", school.course);
    let page = text(school.ask("POST", "/account/tokens", &ada, &form).await).await;
    assert!(page.contains("<code>pm_"), "{page}");
    let page = text(school.ask("GET", "/account", &ada, "").await).await;
    assert!(page.contains("ci") && !page.contains("pm_"), "{page}");
}

#[tokio::test]
async fn absent_pages_are_html_errors() {
    let school = School::new().await;
    for (method, path, status) in [("GET", "/absent", 404), ("DELETE", "/account", 405)] {
        let response = school.ask(method, path, "", "").await;
        assert_eq!(response.status(), status);
        assert!(response.headers().contains_key(header::CONTENT_SECURITY_POLICY));
        assert!(text(response).await.contains("<html lang=\"en\">"), "{path}");
    }
}

#[tokio::test]
async fn names_are_text() {
    let school = School::new().await;
    let (_, eve) = school.person("eve", Role::Student).await;
    let code = school.code(Role::Student).await;
    let form = format!(
        "code={}&name=%3Cscript%3Ealert(1)%3C%2Fscript%3E&login=mallory&passphrase=correct+horse+battery",
        code.reveal()
    );
    let joined = school.ask("POST", "/join", "", &form).await;
    let mallory = cookie(&joined).unwrap();
    for cookie in [eve, mallory] {
        let page = text(school.ask("GET", "/account", &cookie, "").await).await;
        assert!(!page.contains("<script>"), "{page}");
    }
}

#[tokio::test]
async fn the_api_takes_tokens_and_answers_with_documents() {
    let school = School::new().await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let form = format!("course={}&name=ci&days=30&upload=on", school.course);
    let page = text(school.ask("POST", "/account/tokens", &ada, &form).await).await;
    let begin = page.find("pm_").unwrap();
    let token = page[begin..].split('<').next().unwrap().to_owned();
    let ask = async |path: &str, authorization: &str| {
        let request = Request::get(path).header(header::AUTHORIZATION, authorization);
        school.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    };
    let bearer = format!("Bearer {token}");
    let response = ask("/api/v1/me", &bearer).await;
    assert_eq!(response.status(), StatusCode::OK);
    let me: serde_json::Value = serde_json::from_str(&text(response).await).unwrap();
    assert_eq!((&me["name"], &me["role"]), (&"ada".into(), &"student".into()));
    assert_eq!(me["scopes"], serde_json::json!(["upload"]));
    for (path, authorization, status) in [
        ("/api/v1/me", "", 401),
        ("/api/v1/me", "Bearer pm_", 401),
        ("/api/v1/me", &format!("Basic {token}"), 401),
        ("/api/v1/absent", &bearer, 404),
    ] {
        let response = ask(path, authorization).await;
        assert_eq!(response.status(), status, "{path} {authorization}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json");
    }
    // A token does not authenticate pages.
    assert_eq!(ask("/account", &bearer).await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_login_leads_back_to_the_page_that_was_wanted() {
    let school = School::new().await;
    school.person("ada", Role::Student).await;
    let page = text(school.ask("GET", "/c/awale/me?x=a%20b", "", "").await).await;
    let way = "/login?next=/c/awale/me%3Fx%3Da%2520b";
    assert!(page.contains(&format!("href=\"{way}\"")), "{page}");
    let form = text(school.ask("GET", way, "", "").await).await;
    assert!(form.contains("name=\"next\" value=\"/c/awale/me?x=a%20b\""), "{form}");
    for (next, location) in [
        ("%2Fc%2Fawale%2Fme%3Fx%3Da%2520b", "/c/awale/me?x=a%20b"),
        ("%2F%2Fevil.example%2Fc", "/"),
        ("https%3A%2F%2Fevil.example", "/"),
        ("%2F%5Cevil.example", "/"),
    ] {
        let form = format!("login=ada&passphrase={}&next={next}", PASSPHRASE.replace(' ', "+"));
        let entered = school.ask("POST", "/login", "", &form).await;
        assert_eq!(entered.headers()[header::LOCATION], location, "{next}");
    }
    // A refused form is not submitted again after the login.
    let page = text(school.ask("POST", "/c/awale/me/seen", "", "up_to=1").await).await;
    assert!(page.contains("href=\"/login\""), "{page}");
}

#[tokio::test]
async fn public_routes_are_throttled_by_address() {
    let school = School::new().await;
    let burst = Rate::PER_ADDRESS.burst as usize;
    for (path, port) in [("/readyz", 1), ("/api/v1/openapi.json", 2)] {
        let ask = || {
            let peer = std::net::SocketAddr::from(([192, 0, 2, port], 4000));
            let mut request = Request::builder().uri(path).body(Body::empty()).unwrap();
            request.extensions_mut().insert(axum::extract::ConnectInfo(peer));
            school.router.clone().oneshot(request)
        };
        for _ in 0..burst {
            assert_eq!(ask().await.unwrap().status(), StatusCode::OK, "{path}");
        }
        assert_eq!(ask().await.unwrap().status(), StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
}

#[tokio::test]
async fn a_page_that_refreshes_itself_does_not_keep_its_session_alive() {
    // Each call is an hour later.
    fn hourly() -> Utc {
        static HOURS: AtomicI64 = AtomicI64::new(0);
        Utc(NOW.0 + 3_600_000 * HOURS.fetch_add(1, Ordering::Relaxed))
    }
    let school = School::with_clock(hourly).await;
    let (_, ada) = school.person("ada", Role::Student).await;
    let refresh = header::HeaderName::from_static("x-refresh");
    let mut alive = 0;
    while school
        .send("GET", "/account", &[(header::COOKIE, &ada), (refresh.clone(), "1")], "")
        .await
        .status()
        == StatusCode::OK
    {
        alive += 1;
        assert!(alive < 20, "it never ends");
    }
    assert_eq!(alive, 12);
    let script = include_str!("../../templates/script.js");
    assert!(script.contains("\"x-refresh\": \"1\""));
}

#[tokio::test]
async fn retiring_a_bot_requires_confirmation() {
    let (school, people) = School::with_groups().await;
    let path = "/c/awale/bots/a.one/retire";
    let page = text(school.ask("POST", path, &people.ada, "").await).await;
    assert!(page.contains("cannot be undone") && page.contains("name=\"sure\""), "{page}");
    let me = text(school.ask("GET", "/c/awale/me", &people.ada, "").await).await;
    assert!(me.contains("Hand in a version"), "{me}");
    let done = school.ask("POST", path, &people.ada, "sure=on").await;
    assert_eq!(done.status(), StatusCode::SEE_OTHER);
    let me = text(school.ask("GET", "/c/awale/me", &people.ada, "").await).await;
    assert!(!me.contains("a.one/versions"), "{me}");
}

#[tokio::test]
async fn a_group_sees_that_its_bot_has_no_active_version() {
    let (school, people) = School::with_groups().await;
    let idle = "No version of this bot plays";
    let me = || async { text(school.ask("GET", "/c/awale/me", &people.ada, "").await).await };
    assert!(!me().await.contains(idle));
    school.database.withdraw_version(act(), people.active, "").await.unwrap();
    assert!(me().await.contains(idle));
}

#[tokio::test]
async fn the_tag_of_a_table_changes_with_the_state_of_its_ladder() {
    let (school, people) = School::with_groups().await;
    let token = school.token(people.ada_id, school.course, &[Scope::Read]).await;
    let path = "/api/v1/ladders/main";
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let response = school.send("GET", path, &headers, "").await;
    let tag = response.headers()[header::ETAG].to_str().unwrap().to_owned();
    let headers = [(header::AUTHORIZATION, token.as_str()), (header::IF_NONE_MATCH, tag.as_str())];
    let response = school.send("GET", path, &headers, "").await;
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
    let ladders = school.database.ladders(school.course).await.unwrap();
    let seen = ladders.into_iter().next().unwrap();
    let see = pitmaster_season::course::Action::ViewResults;
    let ladder = seen.open(&crate::player::server(), see).unwrap();
    let state = crate::database::LadderState::Paused;
    school.database.edit_ladder(act(), ladder.id, state, None).await.unwrap();
    let response = school.send("GET", path, &headers, "").await;
    assert_eq!(response.status(), StatusCode::OK);
    assert!(text(response).await.contains("paused"));
}

#[tokio::test]
async fn only_the_staff_sees_past_a_frozen_table() {
    let (school, people) = School::with_groups().await;
    let see = pitmaster_season::course::Action::ViewResults;
    let ladders = school.database.ladders(school.course).await.unwrap();
    let ladder = ladders.into_iter().next().unwrap().open(&crate::player::server(), see).unwrap();
    let open = crate::database::LadderState::Open;
    school.database.edit_ladder(act(), ladder.id, open, Some(NOW)).await.unwrap();
    let table = |games, made| LadderTable { made: Utc(made), games, ..LadderTable::default() };
    school.standings.freeze(ladder.id, table(1111, NOW.0));
    school.standings.publish(ladder.id, table(2222, NOW.0 + 1));
    let token = school.token(people.ada_id, school.course, &[Scope::Read]).await;
    let headers = [(header::AUTHORIZATION, token.as_str())];
    let api = school.send("GET", "/api/v1/ladders/main", &headers, "").await;
    assert!(text(api).await.contains("\"games\":1111"));
    for path in ["/c/awale", "/c/awale/ladder/main"] {
        for (cookie, games) in
            [(&people.ada, "1111"), (&people.teacher, "2222"), (&people.assistant, "2222")]
        {
            let page = text(school.ask("GET", path, cookie, "").await).await;
            assert!(page.contains(games), "{path}: {page}");
        }
    }
    // An instant in the future has no effect yet.
    let later = Some(NOW.plus(Duration::from_hours(1000)));
    school.database.edit_ladder(act(), ladder.id, open, later).await.unwrap();
    let page = text(school.ask("GET", "/c/awale", &people.ada, "").await).await;
    assert!(page.contains("2222"), "{page}");
}
