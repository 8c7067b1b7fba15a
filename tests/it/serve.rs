//! The practice server with the real binary: submissions play on the ladder, and a killed server
//! continues.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pitmaster::core::i18n::Lang;
use pitmaster::season::course::{
    Action, Actor, CourseId, Deadline, EntryId, FreezePolicy, PersonId, Role, Scope, VersionId,
    VersionState,
};
use pitmaster::server::database::{
    Act, By, Database, DeadlineSettings, FinalState, HashCost, JobKind, NewPerson, NewToken,
    NewVersion, Received, Version, Via,
};
use pitmaster::server::finals;
use pitmaster::server::service::now;
use pitmaster::server::uploads::Uploads;
use pitmaster::store::Reader;
use serde_json::Value;

use crate::scratch::Scratch;

/// Timeout of all waits, long enough for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// Folder of the ladder of a new course.
pub(crate) const LADDER: &str = "school/ladders/school.practice";

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// What it said when it began to serve.
    pub(crate) announced: String,
    lines: Mutex<Receiver<String>>,
}

impl Server {
    pub(crate) fn start(scratch: &Scratch) -> Self {
        Self::start_by(scratch, "serve school")
    }

    /// Starts it with a command, at a free port.
    pub(crate) fn start_by(scratch: &Scratch, command: &str) -> Self {
        Self::spawn(scratch, &format!("{command} --listen 127.0.0.1:0 --lanes 1"))
    }

    /// Starts it with these flags.
    pub(crate) fn start_with(scratch: &Scratch, flags: &str) -> Self {
        Self::spawn(scratch, &format!("serve school {flags}"))
    }

    fn spawn(scratch: &Scratch, command: &str) -> Self {
        let mut command = scratch.command(command);
        command.stderr(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let stderr = child.stderr.take().expect("piped");
        let stdout = child.stdout.take().expect("piped");
        let (tell, lines) = channel();
        let also = tell.clone();
        std::thread::spawn(move || pass_on(stderr, &tell));
        std::thread::spawn(move || pass_on(stdout, &also));
        let mut said = Vec::new();
        let serving = loop {
            match lines.recv_timeout(PATIENCE) {
                Ok(line) if line.starts_with("serving ") => break line,
                Ok(line) => said.push(line),
                Err(error) => panic!("it does not serve ({error}): {said:?}"),
            }
        };
        assert!(serving.contains("only this machine can reach it"), "{serving}");
        let (_, after) = serving.split_once("http://").expect("an address");
        let address = after.split('/').next().expect("an address").to_owned();
        Self { child, address, announced: serving, lines: Mutex::new(lines) }
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> String {
        self.ask("GET", path, token, &[])
    }

    fn ask(&self, method: &str, path: &str, token: &str, zip: &[u8]) -> String {
        self.try_ask(method, path, token, zip).expect("an answer")
    }

    /// The answer, or the error; `None` if the server is gone.
    pub(crate) fn try_ask(
        &self,
        method: &str,
        path: &str,
        token: &str,
        zip: &[u8],
    ) -> Option<String> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Authorization: Bearer {token}\r\nContent-Type: application/zip\r\n\
             Content-Length: {}\r\n\r\n",
            self.address,
            zip.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(zip).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    fn lines(&self) -> MutexGuard<'_, Receiver<String>> {
        self.lines.lock().expect("not poisoned")
    }

    /// Waits until the server has printed this text.
    fn wait_for_line(&self, wanted: &str) {
        self.line_with(wanted);
    }

    /// Waits for a line that contains this text.
    pub(crate) fn line_with(&self, wanted: &str) -> String {
        let mut said = Vec::new();
        loop {
            match self.lines().recv_timeout(PATIENCE) {
                Ok(line) if line.contains(wanted) => return line,
                Ok(line) => said.push(line),
                Err(error) => panic!("it does not say {wanted:?} ({error}): {said:?}"),
            }
        }
    }

    /// Its process.
    pub(crate) fn id(&self) -> rustix::process::Pid {
        rustix::process::Pid::from_child(&self.child)
    }

    /// Kills it while others still hold it.
    pub(crate) fn kill_now(&self) {
        rustix::process::kill_process(self.id(), rustix::process::Signal::KILL).expect("kills");
    }

    /// Waits until no version is being examined, as long as their number decreases.
    pub(crate) fn wait_for_examinations(&self, token: &str) {
        let (mut fewest, mut since) = (u64::MAX, Instant::now());
        while fewest > 0 {
            let waiting = body_of(&self.get("/api/v1/queue", token))["waiting"].as_u64();
            let waiting = waiting.expect("a number");
            if waiting < fewest {
                (fewest, since) = (waiting, Instant::now());
            }
            assert!(since.elapsed() < PATIENCE, "{waiting} versions still wait");
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().expect("kills");
        self.child.wait().expect("ends");
    }

    /// Stops it as a service manager does. Returns its output since it began to serve.
    pub(crate) fn stop(mut self) -> Vec<String> {
        let id = self.id();
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("signals");
        let status = self.child.wait().expect("ends");
        let said: Vec<_> = self.lines().iter().collect();
        assert_eq!(status.code(), Some(0), "{said:?}");
        assert_eq!(said.last().map(String::as_str), Some("stopped: everything is stored"));
        said
    }
}

/// Stops the server if a test fails.
impl Drop for Server {
    fn drop(&mut self) {
        // It has ended unless the test panics.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pass_on(from: impl std::io::Read, to: &std::sync::mpsc::Sender<String>) {
    let lines = BufReader::new(from).lines().map_while(Result::ok);
    lines.for_each(|line| drop(to.send(line)));
}

/// Direct access to the database while no server runs.
pub(crate) struct Course {
    pub(crate) database: Database,
    uploads: Uploads,
}

impl Course {
    pub(crate) fn open(scratch: &Scratch) -> Self {
        Self::in_folder(scratch, "school")
    }

    fn in_folder(scratch: &Scratch, name: &str) -> Self {
        let folder = scratch.path(name);
        let database = Database::open(&folder, HashCost::Least, now()).expect("opens");
        Self { database, uploads: Uploads::open(&folder).expect("opens") }
    }

    pub(crate) fn act() -> Act {
        Act { by: By::Operator, at: now(), address: None }
    }

    pub(crate) fn id(&self) -> CourseId {
        let course = self.database.course_at("school").wait().expect("reads");
        course.open(&admin(), Action::ViewResults).expect("there").facts.id
    }

    /// A token for a student of a group, for submissions and queries.
    pub(crate) fn token(&self, bot: EntryId) -> String {
        let (course, bot) = (self.id(), self.database.bot(bot).wait().expect("reads"));
        let group = bot.open(&admin(), Action::ViewResults).expect("there").group;
        let name = "Eva".to_owned();
        let person = NewPerson { name, ..NewPerson::default() };
        let person = self.database.add_person(Self::act(), person).wait().expect("a person");
        let joins =
            self.database.set_member(Self::act(), person, course, Role::Student, Some(group));
        joins.wait().expect("joins");
        let (name, scopes) = ("test".to_owned(), vec![Scope::Upload, Scope::Read]);
        let expires = now().plus(Duration::from_hours(24));
        let token = NewToken { person, course, name, scopes, expires };
        let (_, secret) = self.database.create_token(Self::act(), token).wait().expect("a token");
        secret.reveal().to_owned()
    }

    /// A group with a bot.
    pub(crate) fn bot(&self, group: &str) -> EntryId {
        let course = self.id();
        let group = self.database.add_group(Self::act(), course, group, group);
        let group = group.wait().expect("a group");
        self.database.add_bot(Self::act(), group, "sower").wait().expect("a bot")
    }

    pub(crate) fn hand_in(&self, bot: EntryId, name: &str, bytes: &[u8]) -> VersionId {
        let mut upload = self.uploads.begin(1).expect("begins");
        upload.write(bytes).expect("writes");
        let (upload, bytes) = upload.keep().expect("keeps");
        let (began, via, note) = (now(), Via::File, String::new());
        let file_name = name.to_owned();
        let new = NewVersion { bot, upload, bytes, file_name, began, via, note, key: None };
        match self.database.receive_version(Self::act(), new, Vec::new()).wait() {
            Ok(Received::New(id, _)) => id,
            other => panic!("not received: {other:?}"),
        }
    }

    pub(crate) fn version(&self, id: VersionId) -> Version {
        let found = self.database.version(id).wait().expect("reads");
        found.open(&admin(), Action::ViewResults).expect("there")
    }
}

pub(crate) fn admin() -> Actor {
    Actor { person: Some(PersonId::of([9; 12])), is_admin: true, ..Actor::default() }
}

/// Packs a folder as a zip archive.
pub(crate) fn zipped(scratch: &Scratch, folder: &str, more: &str) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let root = scratch.path(folder);
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("reads") {
            let path = entry.expect("reads").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).expect("below").to_str().expect("UTF-8");
            writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("writes");
            writer.write_all(&std::fs::read(&path).expect("reads")).expect("writes");
        }
    }
    writer.start_file("notes.txt", zip::write::SimpleFileOptions::default()).expect("writes");
    writer.write_all(more.as_bytes()).expect("writes");
    writer.finish().expect("finishes").into_inner()
}

/// A course with a template to submit and with patient clock limits for its ladder.
pub(crate) fn school() -> Scratch {
    let scratch = Scratch::new();
    scratch.run("new course school").done();
    scratch.run("new python kit --no-rules").done();
    be_patient(&scratch, "school");
    scratch
}

/// Writes the file of a new course's ladder with patient clock limits.
pub(crate) fn be_patient(scratch: &Scratch, name: &str) {
    let course = Course::in_folder(scratch, name);
    let found = course.database.course_at(name).wait().expect("reads");
    let found = found.open(&admin(), Action::ViewResults).expect("there");
    let ladder = course.database.ladder_at(found.facts.id, "practice").wait().expect("reads");
    let ladder = ladder.open(&admin(), Action::ViewResults).expect("there");
    let patient =
        ladder.tournament_file.replace("\"200ms\"", "\"30s\"").replace("\"2s\"", "\"1m\"");
    assert_ne!(patient, ladder.tournament_file);
    scratch.write(&format!("{name}/ladders/{name}.practice/tournament.toml"), patient);
}

/// Counted games of a bot, by the ordinary command, which works while the server plays.
pub(crate) fn games_of(scratch: &Scratch, bot: &str) -> u64 {
    let ran = scratch.run(&format!("standings {LADDER} --format csv --columns bot,games"));
    if ran.code != Some(0) {
        return 0;
    }
    let prefix = format!("{bot},");
    let games = ran.stdout.lines().find_map(|line| line.strip_prefix(&prefix));
    games.map_or(0, |games| games.parse().expect("a number"))
}

pub(crate) fn wait_for_games(scratch: &Scratch, bot: &str, more_than: u64) -> u64 {
    let began = Instant::now();
    loop {
        let games = games_of(scratch, bot);
        if games > more_than {
            return games;
        }
        assert!(began.elapsed() < PATIENCE, "{bot} has {games} games");
        std::thread::sleep(Duration::from_millis(300));
    }
}

pub(crate) fn wait_for_state(server: &Server, token: &str, version: VersionId, state: &str) {
    let began = Instant::now();
    loop {
        let document = server.get(&format!("/api/v1/versions/{version}"), token);
        if document.contains(&format!("\"state\":\"{state}\"")) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{document}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn what_is_handed_in_plays_on_the_ladder_and_survives_kill_9() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let good = course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", "first"));
    let [mute, flat] = ["g2", "g3"].map(|group| course.bot(group));
    let [mute_token, paper_token] = [mute, flat].map(|bot| course.token(bot));
    let silent = course.hand_in(mute, "bot.py", b"import sys; sys.exit(3)\n");
    let paper = course.hand_in(flat, "report.pdf", b"%PDF-1.7");
    drop(course);

    let server = Server::start(&scratch);
    let page = server.get("/login", "");
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    let again = scratch.run("serve school --listen 127.0.0.1:0");
    assert_eq!(again.code, Some(4), "{}", again.all());
    assert!(again.stderr.contains("stop that server first"), "{}", again.all());
    wait_for_games(&scratch, "g1.sower", 3);
    server.kill();
    let games = games_of(&scratch, "g1.sower");

    let server = Server::start(&scratch);
    let games = wait_for_games(&scratch, "g1.sower", games);
    // What was in work when the server was killed begins again.
    wait_for_state(&server, &mute_token, silent, "failed-validation");
    wait_for_state(&server, &paper_token, paper, "refused");
    server.stop();
    assert!(games_of(&scratch, "g1.sower") >= games);
    let verified = scratch.run(&format!("verify {LADDER}"));
    assert_eq!(verified.code, Some(0), "{}", verified.all());

    let course = Course::open(&scratch);
    course.database.check().wait().expect("sound");
    assert_eq!(course.version(good).state, VersionState::Active);
    let silent = course.version(silent);
    assert_eq!(silent.state, VersionState::FailedValidation);
    let why = silent.why.expect("a reason");
    let french = why.to(Lang::French);
    assert!(french.contains("comme joueur 1 contre lui-même"), "{french}");
    let why = why.to_string();
    assert!(why.contains("as player 1 against itself"), "{why}");
    assert!(why.contains("`pitmaster check`"), "{why}");
    let paper = course.version(paper);
    assert_eq!(paper.state, VersionState::Refused);
    let why = paper.why.expect("a reason").to_string();
    assert!(why.contains("pack the folder of your bot"), "{why}");
    drop(course);

    // A better version comes by the API while the other one plays, and takes its place.
    let server = Server::start(&scratch);
    wait_for_games(&scratch, "g1.sower", games);
    let zip = zipped(&scratch, "kit", "second");
    let path = "/api/v1/courses/school/bots/g1.sower/versions";
    let answer = server.ask("POST", path, &token, &zip);
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    let id = location(&answer);
    let better: VersionId =
        id.rsplit('/').next().expect("an id").parse().expect("an id of a version");
    let began = Instant::now();
    loop {
        let document = server.get(&id, &token);
        let hash = document.split("\"hash\":\"").nth(1).and_then(|after| after.get(..32));
        let is_active = document.contains("\"state\":\"active\"");
        if is_active && hash.is_some_and(|hash| pairs_begun(&scratch, hash, 0) > 0) {
            break;
        }
        assert!(began.elapsed() < PATIENCE, "{document}");
        std::thread::sleep(Duration::from_millis(200));
    }
    wait_for_version(&server, &token, "g1.sower", 2);
    server.stop();
    let course = Course::open(&scratch);
    assert_eq!(course.version(good).state, VersionState::Replaced);
    let jobs = course.database.jobs_of(better).wait().expect("reads");
    let kinds: Vec<_> = jobs.iter().map(|job| job.facts.kind).collect();
    assert_eq!(kinds, [JobKind::Build, JobKind::Validate, JobKind::Check]);
    let steps = course.database.steps(better).wait().expect("reads");
    let active = steps.iter().find(|step| step.state == VersionState::Active).expect("it plays");
    let hash = course.version(good).hash.expect("it was built");
    assert_eq!(pairs_begun(&scratch, hash.as_str(), active.at.0 + 1000), 0);
    assert_ne!(pairs_begun(&scratch, hash.as_str(), 0), 0);
}

/// Waits until the table of the ladder shows this version of a bot.
fn wait_for_version(server: &Server, token: &str, bot: &str, number: u64) {
    let began = Instant::now();
    loop {
        let table = body_of(&server.get("/api/v1/ladders/practice", token));
        let row = table["rows"].as_array().expect("rows").iter().find(|row| row["name"] == bot);
        if row.is_some_and(|row| row["version"] == number) {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "{table}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The document of an answer.
pub(crate) fn body_of(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// Address of the created object, from the head of an answer.
fn location(answer: &str) -> String {
    let line = answer.lines().find_map(|line| line.strip_prefix("location: "));
    line.unwrap_or_else(|| panic!("no location: {answer}")).trim().to_owned()
}

/// Number of pairs of a version whose games both began after an instant.
fn pairs_begun(scratch: &Scratch, hash: &str, after: i64) -> usize {
    let reader = Reader::open(&scratch.path(LADDER)).expect("opens");
    let mut pairs: HashMap<_, Vec<i64>> = HashMap::new();
    reader
        .for_each_valid(|attempt| {
            let key = &attempt.record.key;
            let mut names = [key.bots.one.clone(), key.bots.two.clone()];
            names.sort();
            if names.iter().any(|bot| bot.hash.as_str() == hash) {
                let began = pairs.entry((names, key.pair)).or_default();
                began.push(attempt.started_at.cast_signed());
            }
        })
        .expect("reads");
    pairs.values().filter(|began| began.iter().all(|at| *at > after)).count()
}

#[test]
fn a_final_is_what_run_plays_with_the_frozen_versions() {
    let scratch = school();
    let course = Course::open(&scratch);
    let bots = ["g1", "g2"].map(|group| course.bot(group));
    let tokens = bots.map(|bot| course.token(bot));
    let versions =
        bots.map(|bot| course.hand_in(bot, "kit.zip", &zipped(&scratch, "kit", &bot.to_string())));
    drop(course);
    let early = scratch.run("course final school Project");
    assert_eq!(early.code, Some(2), "{}", early.all());
    assert!(early.stderr.contains("no deadline \"Project\"; the staff sets"), "{}", early.all());
    let server = Server::start(&scratch);
    for (token, version) in tokens.iter().zip(versions) {
        wait_for_state(&server, token, version, "active");
    }
    server.stop();
    let course = Course::open(&scratch);
    let rule = Deadline { at: now(), grace: Duration::ZERO, policy: FreezePolicy::NewestPassing };
    let (name, late_rule) = ("Project 1".to_owned(), String::new());
    let settings = DeadlineSettings { name, rule, late_rule, ladder: None };
    course.database.add_deadline(Course::act(), course.id(), settings).wait().expect("is set");
    let mut frozen = versions
        .map(|version| course.version(version).hash.expect("it was built").as_str().to_owned());
    frozen.sort();
    drop(course);

    let written = scratch
        .run_with(&[
            "course",
            "final",
            "school",
            "Project 1",
            "--pairs=1",
            "--per-move=30s",
            "--seed=7",
        ])
        .done();
    let command = written.stdout.lines().last().expect("a command").trim().to_owned();
    let command = command.strip_prefix("pitmaster ").expect("a command").to_owned();
    assert_eq!(command, "run school/finals/school/project-1.toml --out school/finals/school");
    scratch.run(&command).done();
    let file = "school/finals/school/project-1.toml";
    scratch.run(&format!("run {file} --out by-hand")).done();
    for promised in ["leaderboard.csv", "games.csv"] {
        let by_hand = scratch.read(&format!("by-hand/project-1/{promised}"));
        let from_page = scratch.read(&format!("school/finals/school/project-1/{promised}"));
        assert_eq!(by_hand, from_page, "{promised}");
    }
    let mut played: Vec<String> = Vec::new();
    let reader = Reader::open(&scratch.path("by-hand/project-1")).expect("opens");
    let each = reader.for_each_valid(|attempt| {
        let bots = &attempt.record.key.bots;
        let hashes =
            [&bots.one, &bots.two].map(|bot| (bot.name.as_str(), bot.hash.as_str().to_owned()));
        played.extend(hashes.into_iter().filter(|(name, _)| name.starts_with('g')).map(|it| it.1));
    });
    each.expect("reads");
    played.sort();
    played.dedup();
    assert_eq!(played, frozen);
    let wrong = scratch.run("course final school project-2");
    assert_eq!(wrong.code, Some(2), "{}", wrong.all());
    assert!(wrong.stderr.contains("it has \"Project 1\""), "{}", wrong.all());
    // Another final of the same deadline replaces nothing.
    let again = scratch.run("course final school project-1").done();
    assert!(again.stdout.contains("project-1_2.toml"), "{}", again.all());
    plays_it_too(&scratch, "project-1");
}

/// The server produces the same files of a final, even if it is stopped and killed meanwhile.
fn plays_it_too(scratch: &Scratch, name: &str) {
    let results = format!("school/finals/school/{name}");
    let by_hand = ["leaderboard.csv", "games.csv"].map(|file| {
        let text = scratch.read(&format!("{results}/{file}"));
        (file, text)
    });
    std::fs::remove_dir_all(scratch.path(&results)).expect("removes");
    let course = Course::open(scratch);
    let id = course.id();
    course.database.play_final(Course::act(), id, name).wait().expect("asked for");
    drop(course);
    // It begins by itself, and a killed server begins again where it was.
    let server = Server::start(scratch);
    server.wait_for_line(&format!("final {name}: the ladders wait"));
    server.kill();
    let server = Server::start(scratch);
    server.wait_for_line(&format!("final {name}: played: all games are stored"));
    // Then the ladder goes on.
    let games = games_of(scratch, "g1.sower");
    wait_for_games(scratch, "g1.sower", games);
    server.stop();
    for (file, text) in by_hand {
        assert_eq!(scratch.read(&format!("{results}/{file}")), text, "{file}");
    }
    let course = Course::open(scratch);
    let runs = course.database.final_runs(course.id()).wait().expect("reads");
    assert_eq!(runs.iter().map(|run| run.state).collect::<Vec<_>>(), [FinalState::Played]);
    let row = course.database.course(course.id()).wait().expect("reads");
    let row = row.open(&admin(), Action::ViewResults).expect("there");
    let folder = scratch.path("school");
    finals::publish(&folder, &row, name).expect("published");
    assert_eq!(finals::published(&folder, "school"), [name]);
    let page = finals::public_page(&folder, "school", name).expect("a page");
    let page = String::from_utf8(page).expect("UTF-8");
    assert!(!page.contains("g1.sower") && page.contains("greedy"), "pseudonyms");
    let again = course.database.play_final(Course::act(), course.id(), name).wait();
    again.expect("a final that is complete can be asked for again");
    course.database.stop_final(Course::act(), course.id(), name).wait().expect("stopped");
}

#[test]
fn what_is_no_course_is_told() {
    let scratch = Scratch::new();
    let ran = scratch.run("serve bots");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.contains("it has no server.toml; `pitmaster new course bots`"),
        "{}",
        ran.all()
    );
    scratch.run("new course school").done();
    let open = scratch.run("serve school --listen 0.0.0.0:0");
    assert_eq!(open.code, Some(2));
    assert!(open.stderr.contains("--trust-bots"), "{}", open.all());
    let used = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
    let address = used.local_addr().expect("an address");
    let used = scratch.run(&format!("serve school --listen {address}"));
    assert_eq!(used.code, Some(4));
    assert!(used.stderr.contains("choose another with --listen"), "{}", used.all());
    let taken = scratch.run("new course school");
    assert_eq!(taken.code, Some(2));
    assert!(taken.stderr.contains("not empty"), "{}", taken.all());
}

#[test]
fn a_course_is_restored_from_a_backup() {
    let scratch = Scratch::new();
    scratch.run("new course school").done();
    let none = scratch.run("course restore school");
    assert_eq!(none.code, Some(2), "{}", none.all());
    let course = Course::open(&scratch);
    let backup = course.database.back_up(now()).wait().expect("a backup");
    drop(course);
    let codes = scratch.run("course invite school --group g1 --count 3").done();
    assert_eq!(codes.stdout.lines().count(), 3, "{}", codes.all());
    let listed = scratch.run("course restore school").done();
    let name = backup.file_name().expect("a name").to_string_lossy().into_owned();
    assert_eq!(listed.stdout.lines().count(), 1);
    let restored = scratch.run(&format!("course restore school school/backups/{name}")).done();
    assert!(restored.stdout.contains("before-restore"), "{}", restored.all());
    let course = Course::open(&scratch);
    let found = course.database.course_at("school").wait().expect("reads");
    let found = found.open(&admin(), Action::ViewResults).expect("there").facts.id;
    // The group of the invitations came after the backup.
    assert!(course.database.groups(found).wait().expect("reads").is_empty());
}
