//! Durability: after a process is killed at any instant, everything that it confirmed is complete.
//!
//! A kill preserves the pages that the system has cached. Durability across a power cut relies on
//! `synchronous=FULL`, which another test checks.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_season::course::{Utc, VersionEvent, VersionState};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::super::*;
use super::fixture::*;

const FOLDER: &str = "PITMASTER_TEST_KILL_FOLDER";

#[test]
fn nothing_confirmed_is_lost_by_kill_9_at_20_instants() {
    kill_at(20);
}

#[test]
#[ignore = "slow: 200 instants take minutes"]
fn nothing_confirmed_is_lost_by_kill_9_at_200_instants() {
    kill_at(200);
}

/// Changes that killed processes have confirmed so far.
#[derive(Debug, Default)]
struct Confirmed {
    versions: HashSet<String>,
    states: HashMap<String, VersionState>,
    lines: i64,
    groups: HashSet<String>,
}

impl Confirmed {
    fn record(&mut self, line: &str) {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["version", id] => {
                self.versions.insert(id.into());
            }
            ["state", id, state] => {
                self.states.insert(id.into(), state.parse().expect("a state"));
            }
            ["group", id, line] => {
                self.groups.insert(id.into());
                self.lines = self.lines.max(line.parse().expect("a number"));
            }
            _ => {}
        }
    }

    fn count(&self) -> usize {
        self.versions.len() + self.states.len() + self.groups.len()
    }
}

fn kill_at(instants: u32) {
    let folder = World::new().into_folder();
    let mut random = ChaCha8Rng::seed_from_u64(u64::from(instants));
    let mut confirmed = Confirmed::default();
    for instant in 0..instants {
        // From the first change on; every fifth process is killed while the database is opened.
        let (skip, delay) = match instant % 5 {
            0 => (0, random.random_range(0..30_000)),
            _ => (random.random_range(1..20), random.random_range(0..20_000)),
        };
        run_and_kill(folder.path(), skip, Duration::from_micros(delay), &mut confirmed);
        verify(&folder, &confirmed);
    }
    println!("{instants} kills, {} confirmed", confirmed.count());
    assert!(confirmed.count() > instants as usize * 3, "{}", confirmed.count());
}

/// Runs a process, and kills it when it has confirmed this many changes and a delay has passed.
fn run_and_kill(folder: &Path, skip: usize, delay: Duration, confirmed: &mut Confirmed) {
    let this = std::env::current_exe().expect("a test has a program");
    let mut child = Command::new(this)
        .args(["--exact", "database::tests::kill::works_until_it_is_killed"])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("spawns");
    let mut lines =
        BufReader::new(child.stdout.take().expect("piped")).lines().map_while(Result::ok);
    let is_change = |line: &str| line.contains(' ') && !line.starts_with("running");
    let mut confirmed_count = 0;
    while confirmed_count < skip {
        let Some(line) = lines.next() else { break };
        confirmed.record(&line);
        confirmed_count += usize::from(is_change(&line));
    }
    std::thread::sleep(delay);
    child.kill().expect("kills");
    let status = child.wait().expect("ends");
    assert!(status.code().is_none(), "it ended by itself: {status}");
    lines.for_each(|line| confirmed.record(&line));
}

/// Checks that everything confirmed exists, and that nothing is half done.
fn verify(folder: &tempfile::TempDir, confirmed: &Confirmed) {
    let db = open(folder);
    db.check().wait().expect("sound");
    let course = seen(db.course_at("mancala-26").wait().expect("reads")).expect("there").facts.id;
    let bots = db.bots(course).wait().expect("reads").into_iter().filter_map(seen);
    let mut versions = HashMap::new();
    for bot in bots {
        for version in db.versions(bot.id).wait().expect("reads").into_iter().filter_map(seen) {
            let steps = db.steps(version.id).wait().expect("reads");
            assert_eq!(steps.last().map(|step| step.state), Some(version.state));
            require_job(&db, &version);
            versions.insert(version.id.to_string(), steps);
        }
    }
    for id in &confirmed.versions {
        assert!(versions.contains_key(id), "version {id} is lost");
    }
    for (id, state) in &confirmed.states {
        let steps = versions.get(id).map(Vec::as_slice).unwrap_or_default();
        assert!(steps.iter().any(|step| step.state == *state), "{id} is not {state} any more");
    }
    let groups: HashSet<_> = db
        .groups(course)
        .wait()
        .expect("reads")
        .into_iter()
        .filter_map(seen)
        .map(|group| group.id.to_string())
        .collect();
    assert!(confirmed.groups.is_subset(&groups), "a group is lost");
    let lines = db.audit(None, 0, 1_000_000).wait().expect("reads");
    assert!(lines.iter().zip(1..).all(|(line, place)| line.number == place));
    let last = lines.last().map_or(0, |line| line.number);
    assert!(last >= confirmed.lines, "a line is lost");
    let confirmed_groups: HashSet<_> =
        lines.iter().filter(|line| line.action == "group.add").map(|it| &it.object).collect();
    assert!(groups.iter().all(|group| confirmed_groups.contains(group)), "a group without a line");
    let uploads = lines.iter().filter(|line| line.action == "version.upload").count();
    assert_eq!(uploads, versions.len(), "an upload without a line, or a line without one");
}

/// A version that is being examined must have an active job.
fn require_job(db: &Database, version: &Version) {
    if version.state.is_in_work() {
        let jobs = db.jobs_of(version.id).wait().expect("reads");
        let goes_on = |job: &Job| matches!(job.state, JobState::Waiting | JobState::Leased);
        assert!(jobs.iter().any(goes_on), "{} stands still", version.id);
    }
}

/// Uploads, examines and creates groups concurrently, and confirms each change on standard output.
#[test]
#[ignore = "the process that the tests above kill"]
fn works_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let now = now();
    let db = Database::open(folder.as_ref(), HashCost::Least, now).expect("opens");
    // Ends the line that the test harness has begun, so that the first id is on its own line.
    println!();
    db.release_jobs("w1", now).wait().expect("released");
    let course = seen(db.course_at("mancala-26").wait().expect("reads")).expect("there").facts.id;
    let bots = db.bots(course).wait().expect("reads").into_iter().filter_map(seen);
    let bot = bots.map(|bot| bot.id).next().expect("a bot");
    std::thread::scope(|scope| {
        scope.spawn(|| hand_in(&db, bot));
        scope.spawn(|| examine(&db));
        scope.spawn(|| make_groups(&db, course));
    });
}

fn now() -> Utc {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Utc(since.expect("after 1970").as_millis().try_into().expect("not so soon"))
}

fn confirm(line: &str) {
    writeln!(std::io::stdout().lock(), "{line}").expect("the parent listens");
}

fn hand_in(db: &Database, bot: pitmaster_season::course::EntryId) {
    loop {
        let now = now();
        let bytes = format!("{:?}", std::time::Instant::now());
        let received = db.receive_version(at(now), new_version(bot, &bytes, now), vec![]).wait();
        match received.expect("received") {
            Received::New(id, _) => confirm(&format!("version {id}")),
            Received::Again(..) => {}
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

fn examine(db: &Database) {
    let kinds = [JobKind::Build, JobKind::Validate];
    loop {
        let now = now();
        let leased = db.lease_job("w1", &kinds, Duration::from_mins(1), now).wait();
        let Some((lease, job)) = leased.expect("leases") else {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        };
        let id = job.version;
        if job.kind == JobKind::Build {
            let hash = Some(BotHash::of(id.to_string().as_bytes()));
            let unpacked = Progress { event: VersionEvent::Unpacked, hash, why: None };
            db.advance(lease, unpacked, now).wait().expect("unpacked");
            confirm(&format!("state {id} staged"));
            db.finish_job(lease, event_outcome(VersionEvent::Built), now).wait().expect("built");
            confirm(&format!("state {id} built"));
        } else {
            db.finish_job(lease, event_outcome(VersionEvent::Validated), now)
                .wait()
                .expect("valid");
            confirm(&format!("state {id} active"));
        }
    }
}

fn make_groups(db: &Database, course: pitmaster_season::course::CourseId) {
    let mut last = 0;
    loop {
        let slug = format!("k{}", now().0);
        if let Ok(id) = db.add_group(at(now()), course, &slug, "Group").wait() {
            let lines = db.audit(None, last, 1_000_000).wait().expect("reads");
            let mine = lines.iter().find(|line| line.object == id.to_string()).expect("a line");
            last = mine.number;
            confirm(&format!("group {id} {}", mine.number));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
