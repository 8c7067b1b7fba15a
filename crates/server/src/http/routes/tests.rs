//! Every route for everybody: statuses in one table, and a route without a row fails.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt as _;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{CourseId, PersonId, Role, Utc, Visibility};
use tempfile::TempDir;
use tower::ServiceExt as _;

use super::super::app::{App, AppSettings};
use super::super::cookie::Transport;
use super::super::throttle::Rate;
use super::*;
use crate::database::{
    Act, By, CourseSettings, Database, HashCost, InviteCode, NewInvite, NewPerson, Newcomer,
    Passphrase,
};

const NOW: Utc = Utc(1_795_000_000_000);
const PASSPHRASE: &str = "correct horse battery staple";

fn act() -> Act {
    Act { by: By::Operator, at: NOW, address: None }
}

/// A server with a course, a teacher, two students and an admin.
struct School {
    router: Router,
    database: Database,
    course: CourseId,
    _folder: TempDir,
}

impl School {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("school"), HashCost::Least, NOW).unwrap();
        let settings = CourseSettings {
            title: "Awale 2026".into(),
            language: Lang::English,
            opens: NOW,
            closes: NOW.plus(Duration::from_hours(4800)),
            visibility: Visibility::Members,
            guests_play: false,
            other: serde_json::json!({}),
        };
        let course = database.create_course(act(), "awale", settings).await.unwrap();
        database
            .set_course_state(act(), course, pitmaster_season::course::CourseState::Open)
            .await
            .unwrap();
        let settings = AppSettings {
            site: "School".into(),
            transport: Transport::Plain,
            now: || NOW,
            log: Arc::new(|_| ()),
        };
        let router = router(&App::new(database.clone(), settings));
        Self { router, database, course, _folder: folder }
    }

    async fn code(&self, role: Role) -> InviteCode {
        let invite = NewInvite {
            course: self.course,
            role,
            group: None,
            person: None,
            expires: NOW.plus(Duration::from_hours(1)),
        };
        self.database.invite(act(), invite).await.unwrap()
    }

    /// A person with an account, and the cookie of a session.
    async fn person(&self, login: &str, role: Role) -> (PersonId, String) {
        let newcomer = Newcomer {
            code: self.code(role).await,
            name: login.into(),
            login: login.into(),
            passphrase: Passphrase::new(PASSPHRASE),
            agent: None,
        };
        let (person, secret) = self.database.redeem(newcomer, NOW, None).await.unwrap();
        (person, format!("session={}", secret.reveal()))
    }

    async fn ask(&self, method: &str, path: &str, cookie: &str, form: &str) -> Response {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(form.to_owned()))
            .unwrap();
        self.router.clone().oneshot(request).await.unwrap()
    }
}

async fn text(response: Response) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

/// The cookie that an answer gives.
fn cookie(response: &Response) -> Option<String> {
    let cookie = response.headers().get(header::SET_COOKIE)?.to_str().ok()?;
    cookie.split(';').next().map(str::to_owned)
}

/// Statuses for a guest, a student, a teacher and an admin. A form is sent as a person would; what
/// varies in a path names something of another person, or something that is not there.
const EXPECTED: &[(&str, &str, &str, [u16; 4])] = &[
    ("GET", "/", "", [200, 200, 200, 200]),
    ("GET", "/login", "", [200, 200, 200, 200]),
    ("POST", "/login", "login=nobody&passphrase=x", [403, 403, 403, 403]),
    ("GET", "/join", "", [200, 200, 200, 200]),
    ("POST", "/join", "code=x", [422, 422, 422, 422]),
    ("GET", "/account", "", [401, 200, 200, 200]),
    ("POST", "/account/passphrase", "old=x&new=a%20new%20long%20passphrase", [401, 422, 422, 422]),
    ("POST", "/account/sessions/{id}/end", "", [401, 404, 404, 404]),
    ("POST", "/account/sessions/end", "", [401, 303, 303, 303]),
    ("POST", "/account/tokens", "course={course}&name=ci&days=30&read=on", [401, 200, 200, 404]),
    ("POST", "/account/tokens/{id}/revoke", "", [401, 404, 404, 404]),
    ("POST", "/logout", "", [303, 303, 303, 303]),
    // The cookie of a session opens nothing here.
    ("GET", "/api/v1/me", "", [401, 401, 401, 401]),
];

#[tokio::test]
async fn every_route_answers_everybody_as_the_table_says() {
    let listed: BTreeSet<_> = EXPECTED.iter().map(|(method, path, ..)| (*method, *path)).collect();
    let routes = ROUTES.iter().chain(API_ROUTES);
    let routed: BTreeSet<_> = routes.map(|(method, path, _)| (*method, *path)).collect();
    assert_eq!(listed, routed, "a route has no row, or a row no route");
    let school = School::new().await;
    let (_, student) = school.person("ada", Role::Student).await;
    let (_, teacher) = school.person("grace", Role::Teacher).await;
    let admin =
        NewPerson { name: "Root".into(), login: Some("root".into()), ..NewPerson::default() };
    let admin = school.database.add_person(act(), admin).await.unwrap();
    school.database.set_admin(act(), admin, true).await.unwrap();
    let admin = school.database.open_session(act(), admin, None).await.unwrap();
    let admin = format!("session={}", admin.reveal());
    // Another person's session and token, and none at all: the answers must be the same.
    let (bob, _) = school.person("bob", Role::Student).await;
    let foreign = school.database.sessions(bob, NOW).await.unwrap()[0].id.to_string();
    let absent = "0".repeat(20);
    for (method, path, form, statuses) in EXPECTED {
        let form = form.replace("{course}", &school.course.to_string());
        for (cookie, status) in ["", &student, &teacher, &admin].into_iter().zip(statuses) {
            for id in [&foreign, &absent, "../x"] {
                let path = path.replace("{id}", &id.replace('/', "%2F"));
                let answer = school.ask(method, &path, cookie, &form).await;
                assert_eq!(answer.status(), *status, "{method} {path} {cookie}");
                if !path.contains(id) {
                    break;
                }
            }
        }
    }
}

#[tokio::test]
async fn a_student_joins_logs_out_and_in_and_ends_a_session() {
    let school = School::new().await;
    let code = school.code(Role::Student).await;
    let page =
        text(school.ask("POST", "/join", "", &format!("code={}", code.reveal())).await).await;
    assert!(page.contains("autocomplete=\"new-password\""), "{page}");
    let short = format!("code={}&name=Ada&login=ada&passphrase=short", code.reveal());
    let answer = school.ask("POST", "/join", "", &short).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
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
    let burst = Rate::OF_AN_ACCOUNT.burst as usize;
    for _ in 0..burst {
        assert_eq!(school.ask("GET", "/", &ada, "").await.status(), StatusCode::OK);
    }
    let refused = school.ask("GET", "/", &ada, "").await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()[header::RETRY_AFTER], "1");
    assert_eq!(school.ask("GET", "/", &bob, "").await.status(), StatusCode::OK);
    // A guest's address is at hand where the connection is; there is none here.
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
async fn what_is_not_there_is_a_page_for_people() {
    let school = School::new().await;
    for (method, path, status) in [("GET", "/absent", 404), ("DELETE", "/account", 405)] {
        let answer = school.ask(method, path, "", "").await;
        assert_eq!(answer.status(), status);
        assert!(answer.headers().contains_key(header::CONTENT_SECURITY_POLICY));
        assert!(text(answer).await.contains("<html lang=\"en\">"), "{path}");
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
        assert!(!page.contains("<script"), "{page}");
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
    let answer = ask("/api/v1/me", &bearer).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let me: serde_json::Value = serde_json::from_str(&text(answer).await).unwrap();
    assert_eq!((&me["name"], &me["role"]), (&"ada".into(), &"student".into()));
    assert_eq!(me["scopes"], serde_json::json!(["upload"]));
    for (path, authorization, status) in [
        ("/api/v1/me", "", 401),
        ("/api/v1/me", "Bearer pm_", 401),
        ("/api/v1/me", &format!("Basic {token}"), 401),
        ("/api/v1/absent", &bearer, 404),
    ] {
        let answer = ask(path, authorization).await;
        assert_eq!(answer.status(), status, "{path} {authorization}");
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "application/problem+json");
    }
    // A token opens no page.
    assert_eq!(ask("/account", &bearer).await.status(), StatusCode::UNAUTHORIZED);
}
