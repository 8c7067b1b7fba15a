//! The practice server with workers: what is handed in is built, validated, checked and played by
//! them alone, and a worker that dies costs nobody anything.

use std::fs;
use std::time::{Duration, Instant};

use pitmaster::season::course::{VersionId, VersionState};
use pitmaster::server::database::JobKind;
use pitmaster::store::Reader;
use rustix::process::Signal;

use super::harness::{Worker, nats_server};
use crate::scratch::Scratch;
use crate::serve::{
    ASKED, Course, LADDER, PATIENCE, Server, ask, body_of, games_of, school, wait_for_asked,
    wait_for_games, wait_for_state, zipped,
};

/// Isolation under which bots write where the test sees it.
const BARE: &str = "--isolation bare --require friendly";

/// Starts a server that plays nothing itself, with a NATS server of its own.
fn serve(scratch: &Scratch, flags: &str) -> Server {
    let flags = format!("--listen 127.0.0.1:0 --cluster embedded --patience 2 {flags}");
    Server::start_with(scratch, &flags)
}

/// Starts a worker by the command that the server announces.
fn join(scratch: &Scratch, server: &Server, name: &str, flags: &str) -> Worker {
    let (_, after) = server.announced.split_once("`pitmaster worker ").expect("a command");
    let args = after.split('`').next().expect("a command");
    scratch.worker_with(&format!("{args} --name {name} --lanes 1 {flags}"), name)
}

/// The kit as an archive, with a line at the start of its program.
fn kit_with(scratch: &Scratch, line: &str) -> Vec<u8> {
    let program = scratch.read("kit/wire.py");
    scratch.write("kit/wire.py", format!("{line}\n{program}"));
    let zip = zipped(scratch, "kit", line);
    scratch.write("kit/wire.py", program);
    zip
}

fn document(server: &Server, token: &str, version: VersionId) -> serde_json::Value {
    body_of(&server.get(&format!("/api/v1/versions/{version}"), token))
}

/// Names of the machines of all games that count, without repeats.
fn machines(scratch: &Scratch) -> Vec<String> {
    let mut machines = Vec::new();
    let reader = Reader::open(&scratch.path(LADDER)).expect("opens");
    reader.for_each_valid(|attempt| machines.push(attempt.host.clone())).expect("reads");
    machines.sort();
    machines.dedup();
    machines
}

#[test]
fn workers_build_validate_check_and_play_what_is_handed_in() {
    if nats_server().is_none() {
        return;
    }
    let scratch = school();
    let course = Course::open(&scratch);
    let [good_bot, broken_bot] = ["g1", "g2"].map(|group| course.bot(group));
    let [token, broken_token] = [good_bot, broken_bot].map(|bot| course.token(bot));
    // It plays only if it can read nothing of the server's.
    let secret = scratch.path("school/season.db");
    let spy =
        format!("try:\n    open({secret:?}, 'rb'); raise SystemExit(3)\nexcept OSError: pass");
    let good = course.hand_in(good_bot, "kit.zip", &kit_with(&scratch, &spy));
    scratch.write(
        "broken/bot.toml",
        "build = ['python3', 'build.py']\nrun = ['python3', 'build.py']\n",
    );
    scratch.write("broken/build.py", "import sys; sys.exit('no flux capacitor')\n");
    let broken = course.hand_in(broken_bot, "broken.zip", &zipped(&scratch, "broken", ""));
    drop(course);

    let server = serve(&scratch, "");
    assert!(server.announced.contains("this process runs no bot"), "{}", server.announced);
    // Nobody is there: uploads wait, and are accepted.
    let queue = body_of(&server.get("/api/v1/queue", &token));
    assert_eq!(queue["waiting"], 2, "{queue}");
    assert_eq!(document(&server, &token, good)["state"], "received");
    let worker = join(&scratch, &server, "w1", "");
    server.line_with("the worker w1 joined with 1 lane");
    wait_for_state(&server, &token, good, "active");
    wait_for_state(&server, &broken_token, broken, "failed-build");
    let log = server.get(&format!("/api/v1/versions/{broken}/log"), &broken_token);
    assert!(log.contains("no flux capacitor"), "{log}");
    wait_for_games(&scratch, "g1.sower", 3);
    until_checked(&server, &token, good);
    assert_eq!(machines(&scratch), ["w1"]);
    let asked = ask(&server, &token, good, "house-random", 1);
    let asked = wait_for_asked(&server, &token, &asked, |document| document["state"] == "done");
    assert_eq!(asked["games"].as_array().map(Vec::len), Some(2), "{asked}");
    // Nothing was built where the server is.
    for entry in fs::read_dir(scratch.path("school/bots")).expect("reads") {
        let folder = entry.expect("an entry").path();
        assert!(!folder.join("work").exists() && !folder.join("built.json").exists(), "{folder:?}");
    }

    // The worker waits for the next server, which need not ask what it has reported.
    server.stop();
    worker.wait_until_it_says("waiting for another one");
    let games = games_of(&scratch, "g1.sower");
    let server = serve(&scratch, "");
    let games = wait_for_games(&scratch, "g1.sower", games);
    worker.signal(Signal::TERM);
    assert_eq!(worker.end().0, Some(0));
    server.line_with("the worker w1 has left");
    server.stop();
    assert!(wait_for_games(&scratch, "g1.sower", games - 1) >= games);
    for folder in [LADDER, ASKED] {
        let verified = scratch.run(&format!("verify {folder}"));
        assert_eq!(verified.code, Some(0), "{}", verified.all());
    }
    let course = Course::open(&scratch);
    course.database.check().wait().expect("sound");
    let jobs = course.database.jobs_of(good).wait().expect("reads");
    let kinds: Vec<_> = jobs.iter().map(|job| job.kind).collect();
    assert_eq!(kinds, [JobKind::Build, JobKind::Validate, JobKind::Check]);
    let report = course.version(good).check_report.expect("a report");
    assert_eq!(report["language"], "python", "{report}");
    assert!(report["report"]["scenes"].as_array().is_some_and(|it| !it.is_empty()), "{report}");
    let broken = course.version(broken).why.expect("a reason").to_string();
    assert!(!broken.contains("caches"), "no path of a worker: {broken}");
}

fn wait_for_file(scratch: &Scratch, worker: &Worker, name: &str) {
    let began = Instant::now();
    while !scratch.path(name).exists() {
        assert!(began.elapsed() < PATIENCE, "{name} never comes: {}", worker.said());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn until_checked(server: &Server, token: &str, version: VersionId) {
    let began = Instant::now();
    while document(server, token, version)["is_checked"] != true {
        let document = document(server, token, version);
        assert!(began.elapsed() < PATIENCE, "{document}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Lines of a program that holds on as long as there is a file `hold-WHAT`. It and what it writes are
/// outside of any sandbox.
fn holding(scratch: &Scratch, what: &str) -> String {
    let [hold, reached] = ["hold", "reached"].map(|name| {
        let path = scratch.path(&format!("{name}-{what}"));
        path.to_str().expect("UTF-8").to_owned()
    });
    format!(
        "import os, time\nif os.path.exists({hold:?}):\n    open({reached:?}, 'w').close()\n    \
         while os.path.exists({hold:?}): time.sleep(0.01)\n"
    )
}

/// A bot that can be held up in its build and in its games.
fn holding_kit(scratch: &Scratch) -> Vec<u8> {
    let manifest = scratch.read("kit/bot.toml");
    scratch.write("kit/bot.toml", format!("build = ['python3', 'wait.py']\n{manifest}"));
    scratch.write("kit/wait.py", holding(scratch, "build"));
    kit_with(scratch, &holding(scratch, "play"))
}

#[test]
fn a_worker_that_is_killed_costs_nobody_anything() {
    if nats_server().is_none() {
        return;
    }
    let scratch = school();
    let course = Course::open(&scratch);
    let bot = course.bot("g1");
    let token = course.token(bot);
    let version = course.hand_in(bot, "kit.zip", &holding_kit(&scratch));
    drop(course);
    let server = serve(&scratch, BARE);
    let let_go = |what: &str| {
        fs::remove_file(scratch.path(&format!("hold-{what}"))).expect("removes");
        fs::remove_file(scratch.path(&format!("reached-{what}"))).expect("removes");
    };
    // In the middle of a build, of a validation, and of a pair; each time another worker comes.
    scratch.write("hold-build", "").write("hold-play", "");
    let worker = join(&scratch, &server, "w1", "--bare");
    wait_for_file(&scratch, &worker, "reached-build");
    assert_eq!(document(&server, &token, version)["state"], "staged");
    worker.kill();
    let_go("build");
    let worker = join(&scratch, &server, "w2", "--bare");
    wait_for_file(&scratch, &worker, "reached-play");
    assert_eq!(document(&server, &token, version)["state"], "built");
    worker.kill();
    let_go("play");
    let worker = join(&scratch, &server, "w3", "--bare");
    wait_for_state(&server, &token, version, "active");
    scratch.write("hold-play", "");
    wait_for_file(&scratch, &worker, "reached-play");
    worker.kill();
    let_go("play");
    let before = games_of(&scratch, "g1.sower");
    let worker = join(&scratch, &server, "w4", "--bare");
    wait_for_games(&scratch, "g1.sower", before);
    assert!(machines(&scratch).contains(&"w4".to_owned()));
    server.stop();
    worker.signal(Signal::TERM);
    assert_eq!(worker.end().0, Some(0));
    let course = Course::open(&scratch);
    let version = course.version(version);
    assert_eq!((version.state, version.why), (VersionState::Active, None));
    let jobs = course.database.jobs_of(version.id).wait().expect("reads");
    let blamed: Vec<_> = jobs.iter().filter(|job| job.faults > 1).collect();
    assert!(blamed.is_empty(), "{blamed:?}");
    let verified = scratch.run(&format!("verify {LADDER}"));
    assert_eq!(verified.code, Some(0), "{}", verified.all());
}

#[test]
fn a_worker_without_what_the_ladder_requires_is_refused() {
    let Some(_) = nats_server() else { return };
    let scratch = school();
    let server = serve(&scratch, "--isolation bare --require official");
    let worker = join(&scratch, &server, "w1", "--bare");
    let (code, said) = worker.end();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("bare isolation lacks what is required"), "{said}");
    // Nor is one that would run submissions without a sandbox and was not told that it may.
    server.stop();
    let server = serve(&scratch, BARE);
    let (code, said) = join(&scratch, &server, "w2", "").end();
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("start the worker with --bare only if"), "{said}");
    server.stop();
    let lanes = scratch.run("serve school --cluster embedded --lanes 2");
    assert_eq!(lanes.code, Some(2), "{}", lanes.all());
    assert!(lanes.stderr.contains("give --lanes and --cores to the workers"), "{}", lanes.all());
}
