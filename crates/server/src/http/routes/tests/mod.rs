//! Tests of all routes, on a small school with two groups.

mod accounts;
mod admin;
mod asks;
mod cross_site;
mod documents;
mod games;
mod grades;
mod hostile;
mod live;
mod matrix;
mod members;
mod metrics;
mod play;
mod remote;
mod sessions;
mod staff;
mod staff_api;
mod stream;
mod uploads;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use http_body_util::BodyExt as _;
use pitmaster_core::BotHash;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{
    Action, Actor, AskId, CourseId, CourseState, Deadline, DeadlineId, EntryId, FreezePolicy,
    GroupId, PersonId, Role, Scope, Utc, VersionEvent, VersionId, Visibility,
};
use tempfile::TempDir;
use tower::ServiceExt as _;

use super::super::app::{App, AppSettings};
use super::super::cookie::Transport;
use super::super::metrics::{LaneUse, metrics_router};
use super::super::throttle::Rate;
use super::*;
use crate::database::{
    Act, By, CourseSettings, Database, DeadlineSettings, HashCost, InviteCode, JobKind,
    LadderState, NewInvite, NewPerson, NewToken, NewVersion, Newcomer, Outcome, Passphrase,
    Progress, Received, Upload, Via,
};
use crate::exchange::Exchange;
use crate::live::Hub;
use crate::play::tests::{HouseBots, settings};
use crate::play::{HumanGames, Owner};
use crate::standings::{LadderTable, Standings, TableRating, TableRow, TableVersion};
use crate::uploads::Uploads;

const NOW: Utc = Utc(1_795_000_000_000);
const PASSPHRASE: &str = "correct horse battery staple";

fn act() -> Act {
    Act { by: By::Operator, at: NOW, address: None }
}

/// Clock that advances at each call, so that nobody is throttled.
fn ticking() -> Utc {
    static TICKS: AtomicI64 = AtomicI64::new(0);
    Utc(NOW.0 + TICKS.fetch_add(100, Ordering::Relaxed))
}

/// Server with a course. [`School::with_groups`] adds two groups with bots and a ladder.
struct School {
    router: Router,
    metrics: Router,
    database: Database,
    standings: Standings,
    live: Hub,
    human: HumanGames,
    course: CourseId,
    folder: TempDir,
}

/// People of a school with groups: the cookies of their sessions, and ids of their objects.
struct People {
    /// Member of group `a`.
    ada: String,
    ada_id: PersonId,
    /// Member of group `b`.
    bob: String,
    bob_id: PersonId,
    assistant: String,
    teacher: String,
    teacher_id: PersonId,
    admin: String,
    group: GroupId,
    bot: EntryId,
    /// Version 1 of `a.one`, which is active.
    active: VersionId,
    /// Deadline in the far future.
    deadline: DeadlineId,
    /// Names of the games on the ladder `main`: see [`games::store`].
    games: Vec<String>,
    /// Request of Ada's group for games against a house bot: see [`asks::store`].
    ask: AskId,
    /// Id of a game that Ada plays.
    play: String,
}

impl School {
    async fn new() -> Self {
        Self::with_clock(|| NOW).await
    }

    async fn with_clock(now: fn() -> Utc) -> Self {
        Self::with_reserve(now, 0).await
    }

    async fn with_reserve(now: fn() -> Utc, reserve: u64) -> Self {
        Self::with(now, reserve, Transport::Plain).await
    }

    async fn with(now: fn() -> Utc, reserve: u64, transport: Transport) -> Self {
        Self::of(AppSettings {
            site: "School".into(),
            transport,
            reserve,
            now,
            log: Arc::new(|_| ()),
            kgp: false,
            plays_here: true,
        })
        .await
    }

    /// School whose games are played by workers.
    async fn with_workers() -> (Self, People) {
        let settings = AppSettings {
            site: "School".into(),
            transport: Transport::Plain,
            reserve: 0,
            now: ticking,
            log: Arc::new(|_| ()),
            kgp: false,
            plays_here: false,
        };
        Self::of(settings).await.grouped().await
    }

    async fn of(settings: AppSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("school");
        let database = Database::open(&path, HashCost::Least, NOW).unwrap();
        let course = add_course(&database, "awale", "Awale 2026").await;
        let uploads = Uploads::open(&path).unwrap();
        let exchange = Exchange::default();
        exchange.people.open(Arc::new(HouseBots));
        let app = App::new(database.clone(), uploads, exchange.clone(), settings);
        let metrics = metrics_router(&app, Arc::new(|| LaneUse { lanes: 3, busy: 1 }));
        let router = router(&app);
        let Exchange { standings, live, people: human, .. } = exchange;
        Self { router, metrics, database, standings, live, human, course, folder }
    }

    async fn code(&self, role: Role) -> InviteCode {
        let expires = NOW.plus(Duration::from_hours(1));
        let invite = NewInvite { course: self.course, role, group: None, person: None, expires };
        self.database.invite(act(), invite).await.unwrap()
    }

    /// Creates a person with an account. Returns the id and the cookie of a session.
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

    /// Begins a game of Kalah of a person, and waits for their turn. Returns its id.
    async fn play(&self, person: PersonId) -> String {
        let who = (Owner::Person(person), self.course);
        let hosted = self.human.begin(who, settings("kalah"), NOW).unwrap();
        hosted.settled(0, Duration::from_mins(1)).await;
        hosted.id().to_owned()
    }

    async fn admin(&self) -> String {
        let admin =
            NewPerson { name: "Root".into(), login: Some("root".into()), ..NewPerson::default() };
        let admin = self.database.add_person(act(), admin).await.unwrap();
        self.database.set_admin(act(), admin, true).await.unwrap();
        let secret = self.database.open_session(act(), admin, None).await.unwrap();
        format!("session={}", secret.reveal())
    }

    /// Owner of a session cookie.
    async fn id_of(&self, cookie: &str) -> PersonId {
        let secret = cookie.trim_start_matches("session=").parse().unwrap();
        let found = self.database.session_without_use(secret, NOW).await.unwrap();
        found.expect("a session").1.id
    }

    /// School with groups `a` and `b` and their bots `a.one` and `b.one`. Version 1 of `a.one` is
    /// active on the ladder `main`, and version 2 was just received.
    async fn with_groups() -> (Self, People) {
        Self::with_groups_and_reserve(0).await
    }

    /// Like [`School::with_groups`], with a reserve of free disk space.
    async fn with_groups_and_reserve(reserve: u64) -> (Self, People) {
        Self::with_reserve(ticking, reserve).await.grouped().await
    }

    async fn grouped(self) -> (Self, People) {
        let school = self;
        let (ada_id, ada) = school.person("ada", Role::Student).await;
        let (bob_id, bob) = school.person("bob", Role::Student).await;
        let (_, assistant) = school.person("emmy", Role::Assistant).await;
        let (teacher_id, teacher) = school.person("grace", Role::Teacher).await;
        let (group, bot) = school.group("a", ada_id).await;
        school.group("b", bob_id).await;
        let active = school.receive(bot, b"first").await;
        school.examine().await;
        school.receive(bot, b"second").await;
        school.publish_table(group, bot, active).await;
        let results = school.database.folder().join("finals/awale/first");
        std::fs::create_dir_all(&results).unwrap();
        std::fs::write(results.join("report-public.html"), "<h1>Results</h1>").unwrap();
        std::fs::write(results.with_extension("toml"), "version = 1\n").unwrap();
        let admin = school.admin().await;
        let deadline = school.deadline("First", NOW.plus(Duration::from_hours(240))).await;
        let people = People {
            ada,
            ada_id,
            bob,
            bob_id,
            assistant,
            teacher,
            teacher_id,
            admin,
            group,
            bot,
            active,
            deadline,
            games: games::store(&school),
            ask: asks::store(&school, ada_id, active).await,
            play: school.play(ada_id).await,
        };
        (school, people)
    }

    /// Creates a group with a member and a bot.
    async fn group(&self, slug: &str, member: PersonId) -> (GroupId, EntryId) {
        let database = &self.database;
        let group = database.add_group(act(), self.course, slug, slug).await.unwrap();
        let role = Role::Student;
        database.set_member(act(), member, self.course, role, Some(group)).await.unwrap();
        (group, database.add_bot(act(), group, "one").await.unwrap())
    }

    async fn receive(&self, bot: EntryId, bytes: &[u8]) -> VersionId {
        let upload = Upload(*blake3::hash(bytes).as_bytes());
        let new = NewVersion {
            bot,
            upload,
            bytes: bytes.len() as u64,
            file_name: String::new(),
            began: NOW,
            via: Via::Web,
            note: String::new(),
            key: None,
        };
        match self.database.receive_version(act(), new, Vec::new()).await.unwrap() {
            Received::New(id, _) => id,
            Received::Again(..) => panic!("these bytes are a version already"),
        }
    }

    /// Writes the file of an upload, which [`School::receive`] does without.
    fn keep(&self, bytes: &[u8]) {
        let mut new = Uploads::open(self.database.folder()).unwrap().begin(1).unwrap();
        new.write(bytes).unwrap();
        new.keep().unwrap();
    }

    /// Examines the next version in the queue, which passes.
    async fn examine(&self) {
        self.examine_files(b"files").await;
    }

    /// Like [`School::examine`], for a version with these files.
    async fn examine_files(&self, files: &[u8]) {
        let database = &self.database;
        for kind in [JobKind::Build, JobKind::Validate] {
            let leased = database.lease_job("w", &[kind], Duration::from_mins(1), NOW).await;
            let (lease, _) = leased.unwrap().expect("a job waits");
            if kind == JobKind::Build {
                let hash = Some(BotHash::of(files));
                let unpacked = Progress { event: VersionEvent::Unpacked, hash, why: None };
                database.advance(lease, unpacked, NOW).await.unwrap();
            }
            let event = match kind {
                JobKind::Build => VersionEvent::Built,
                _ => VersionEvent::Validated,
            };
            let done = Outcome::Version(Progress { event, hash: None, why: None });
            database.finish_job(lease, done, NOW).await.unwrap();
        }
    }

    async fn publish_table(&self, group: GroupId, bot: EntryId, id: VersionId) {
        let anchors = serde_json::json!([]);
        let ladder = self.database.add_ladder(act(), self.course, "main", String::new(), anchors);
        let version = Some(TableVersion { id, number: 1, bot, group });
        let rating = Some(TableRating { elo: 1512.4, within: Some(33.0) });
        let row = TableRow {
            rank: Some(1),
            name: "a.one".parse().unwrap(),
            version,
            is_house_bot: false,
            games: 6,
            wins: 3,
            draws: 2,
            losses: 1,
            forfeits: 0,
            rating,
        };
        let mark = TableRow {
            rank: None,
            name: "house-greedy".parse().unwrap(),
            version: None,
            is_house_bot: true,
            rating: Some(TableRating { elo: 1500.0, within: Some(0.0) }),
            ..row.clone()
        };
        let rows = vec![row, mark];
        let table = LadderTable { made: NOW, games: 6, rows, ..LadderTable::default() };
        self.standings.publish(ladder.await.unwrap(), table);
    }

    async fn deadline(&self, name: &str, at: Utc) -> DeadlineId {
        let policy = FreezePolicy::NewestPassing;
        let rule = Deadline { at, grace: Duration::ZERO, policy };
        let (name, late_rule) = (name.to_owned(), String::new());
        let settings = DeadlineSettings { name, rule, late_rule, ladder: None };
        self.database.add_deadline(act(), self.course, settings).await.unwrap()
    }

    /// Creates a token for a course.
    async fn token(&self, person: PersonId, course: CourseId, scopes: &[Scope]) -> String {
        let (scopes, expires) = (scopes.to_vec(), NOW.plus(Duration::from_hours(24)));
        let token = NewToken { person, course, name: "ci".into(), scopes, expires };
        let (_, secret) = self.database.create_token(act(), token).await.unwrap();
        format!("Bearer {}", secret.reveal())
    }

    async fn ask(&self, method: &str, path: &str, cookie: &str, form: &str) -> Response {
        let headers =
            [(header::COOKIE, cookie), (header::CONTENT_TYPE, "application/x-www-form-urlencoded")];
        self.send(method, path, &headers, form.to_owned()).await
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(header::HeaderName, &str)],
        body: impl Into<Body>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap()
    }

    /// File names in the folder of uploads.
    fn files(&self) -> Vec<String> {
        let folder = std::fs::read_dir(self.folder.path().join("school/uploads")).unwrap();
        let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

async fn add_course(database: &Database, slug: &str, title: &str) -> CourseId {
    let settings = CourseSettings {
        title: title.into(),
        language: Lang::English,
        opens: NOW,
        closes: NOW.plus(Duration::from_hours(4800)),
        visibility: Visibility::Members,
        guests_play: false,
        other: serde_json::json!({}),
    };
    let course = database.create_course(act(), slug, settings).await.unwrap();
    database.set_course_state(act(), course, CourseState::Open).await.unwrap();
    course
}

async fn text(response: Response) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

/// Cookie that a response sets.
fn cookie(response: &Response) -> Option<String> {
    let cookie = response.headers().get(header::SET_COOKIE)?.to_str().ok()?;
    cookie.split(';').next().map(str::to_owned)
}
