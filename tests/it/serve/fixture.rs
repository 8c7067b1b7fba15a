//! A course, its server, and what tests ask of both.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use pitmaster::season::course::{
    Action, Actor, CourseId, EntryId, PersonId, Role, Scope, VersionId,
};
use pitmaster::server::database::{
    Act, By, Database, HashCost, NewPerson, NewToken, NewVersion, Received, Version, Via,
};
use pitmaster::server::service::now;
use pitmaster::server::uploads::Uploads;
use serde_json::Value;

use crate::scratch::Scratch;

/// Timeout of all waits, long enough for a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(5);

/// Folder of the ladder of a new course.
pub(crate) const LADDER: &str = "school/ladders/school.practice";

/// Folder of the games that groups of a new course ask for.
pub(crate) const ASKED: &str = "school/requested/school.practice";

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

    pub(super) fn ask(&self, method: &str, path: &str, token: &str, zip: &[u8]) -> String {
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
    pub(super) fn wait_for_line(&self, wanted: &str) {
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

/// Address of the created object, from the head of an answer.
pub(super) fn location(answer: &str) -> String {
    let line = answer.lines().find_map(|line| line.strip_prefix("location: "));
    line.unwrap_or_else(|| panic!("no location: {answer}")).trim().to_owned()
}

/// Asks for games of a version. Returns the address of the request.
pub(crate) fn ask(
    server: &Server,
    token: &str,
    version: VersionId,
    opponent: &str,
    pairs: u32,
) -> String {
    let version = version.to_string();
    let wish = serde_json::json!({"version": version, "opponent": opponent, "pairs": pairs});
    let answer = server.ask("POST", "/api/v1/asks", token, wish.to_string().as_bytes());
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    location(&answer)
}

/// Waits until the document of a request is as wanted.
pub(crate) fn wait_for_asked(
    server: &Server,
    token: &str,
    address: &str,
    is_it: impl Fn(&Value) -> bool,
) -> Value {
    let began = Instant::now();
    loop {
        let document = body_of(&server.get(address, token));
        if is_it(&document) {
            return document;
        }
        assert!(began.elapsed() < PATIENCE, "{document}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The document of an answer.
pub(crate) fn body_of(answer: &str) -> Value {
    let body = answer.split_once("\r\n\r\n").expect("a body").1;
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}
