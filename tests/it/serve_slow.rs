//! The practice server at its limits: killed repeatedly, and at the second of a deadline. Slow:
//! `.ci/full` runs them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pitmaster::season::course::{Deadline, FreezePolicy, GroupId, Utc};
use pitmaster::server::database::DeadlineSettings;
use pitmaster::server::service::now;
use pitmaster::store::Reader;

use crate::new::{LANGUAGES, at_hand};
use crate::scratch::Scratch;
use crate::serve::{Course, LADDER, PATIENCE, Server, school, zipped};

/// Number of kills, unless `PITMASTER_KILLS` sets another.
const KILLS: usize = 200;

/// Uploads that a group may send in an hour.
const UPLOADS_AN_HOUR: usize = 6;

/// A group's bot with a token for submissions.
struct Sender {
    bot: String,
    token: String,
    group: GroupId,
}

fn senders(scratch: &Scratch, count: usize) -> Vec<Sender> {
    let course = Course::open(scratch);
    let sender = |n: usize| {
        let slug = format!("g{n}");
        let bot = course.bot(&slug);
        let row = course.database.bot(bot).wait().expect("reads");
        let row = row.open(&crate::serve::admin(), pitmaster::season::course::Action::ViewResults);
        let group = row.expect("there").group;
        Sender { bot: format!("{slug}.sower"), token: course.token(bot), group }
    };
    (0..count).map(sender).collect()
}

impl Sender {
    /// Submits files. Returns the id of the version if the server has confirmed it.
    fn hand_in(&self, server: &Server, zip: &[u8]) -> Option<String> {
        let path = format!("/api/v1/courses/school/bots/{}/versions", self.bot);
        let answer = server.try_ask("POST", &path, &self.token, zip)?;
        let created = answer.starts_with("HTTP/1.1 201 ");
        assert!(created || answer.is_empty() || !answer.contains("\r\n\r\n"), "{answer}");
        let id = answer.lines().find_map(|line| line.strip_prefix("location: /api/v1/versions/"));
        created.then(|| id.expect("a location").trim().to_owned())
    }
}

/// Keys of the stored games that count.
fn games(scratch: &Scratch) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    let Ok(reader) = Reader::open(&scratch.path(LADDER)) else { return counts };
    let each = reader.for_each_valid(|attempt| {
        *counts.entry(format!("{:?}", attempt.record.key)).or_default() += 1;
    });
    each.expect("reads");
    counts
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn a_server_that_is_killed_200_times_loses_nothing_that_it_confirmed() {
    let kills =
        std::env::var("PITMASTER_KILLS").map_or(KILLS, |kills| kills.parse().expect("a number"));
    let scratch = school();
    let senders = senders(&scratch, kills.div_ceil(UPLOADS_AN_HOUR) + 10);
    let deadline = set_deadline(&scratch, now());
    let seed = now().0.cast_unsigned();
    println!("seed {seed}");
    let (mut confirmed, mut before) = (Vec::new(), BTreeMap::new());
    for kill in 0..kills {
        let server = Server::start(&scratch);
        let sender = &senders[kill % senders.len()];
        let zip = zipped(&scratch, "kit", &format!("kill {kill}"));
        let delay = Duration::from_millis(mixed(seed + kill as u64) % 2_500);
        std::thread::scope(|scope| {
            let sent = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(delay.as_millis() as u64 / 2));
                sender.hand_in(&server, &zip).map(|id| (kill % senders.len(), id))
            });
            std::thread::sleep(delay);
            server.kill_now();
            confirmed.extend(sent.join().expect("sends"));
        });
        server.kill();
        let after = games(&scratch);
        for (key, count) in &after {
            assert_eq!(*count, 1, "{key} counts twice after kill {kill}");
        }
        assert!(before.keys().all(|key| after.contains_key(key)), "a game is lost at kill {kill}");
        before = after;
        let course = Course::open(&scratch);
        course.database.check().wait().expect("sound");
        let lines = course.database.audit(None, 0, 1_000_000).wait().expect("reads");
        assert!(
            lines.iter().zip(1..).all(|(line, n)| line.number == n),
            "a line is lost at kill {kill}"
        );
        // Staff freezes what there is: it is a deed like any other.
        if kill % 10 == 0 {
            course.database.freeze(Course::act(), deadline).wait().expect("frozen");
        }
        println!(
            "kill {kill} after {delay:?}: {} confirmed, {} games",
            confirmed.len(),
            before.len()
        );
    }
    assert!(confirmed.len() > kills / 5, "only {} uploads were confirmed", confirmed.len());
    let server = Server::start(&scratch);
    let began = Instant::now();
    for (who, id) in &confirmed {
        loop {
            let document = server.get(&format!("/api/v1/versions/{id}"), &senders[*who].token);
            assert!(document.starts_with("HTTP/1.1 200 "), "{id} is lost: {document}");
            if document.contains("\"is_in_work\":false") {
                break;
            }
            assert!(began.elapsed() < 2 * PATIENCE, "{document}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    server.stop();
    let verified = scratch.run(&format!("verify {LADDER}"));
    assert_eq!(verified.code, Some(0), "{}", verified.all());
}

/// SplitMix64, which gives each kill a different time.
fn mixed(seed: u64) -> u64 {
    let z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn set_deadline(scratch: &Scratch, at: Utc) -> pitmaster::season::course::DeadlineId {
    let course = Course::open(scratch);
    let rule = Deadline { at, grace: Duration::ZERO, policy: FreezePolicy::NewestPassing };
    let (name, late_rule) = (format!("Project {}", at.0), String::new());
    let settings = DeadlineSettings { name, rule, late_rule, ladder: None };
    course.database.add_deadline(Course::act(), course.id(), settings).wait().expect("is set")
}

/// Time from the first upload to the deadline, in milliseconds.
const EARLIEST_UPLOAD: i64 = 5_000;

/// Starts a server before a deadline comes near, with more time on a busy machine.
fn serve_before_a_deadline(
    scratch: &Scratch,
) -> (Server, pitmaster::season::course::DeadlineId, Utc) {
    for seconds in [20, 60, 180, 540] {
        let at = Utc(now().0 + seconds * 1000);
        let deadline = set_deadline(scratch, at);
        let server = Server::start(scratch);
        if now().0 < at.0 - EARLIEST_UPLOAD {
            return (server, deadline, at);
        }
        server.stop();
    }
    panic!("the server does not start in nine minutes")
}

#[test]
#[ignore = "slow: .ci/full runs it"]
fn a_hundred_uploads_around_a_deadline_land_on_the_side_of_the_rule() {
    const UPLOADS: usize = 100;
    let scratch = school();
    let senders = senders(&scratch, UPLOADS);
    let zips: Vec<_> =
        (0..UPLOADS).map(|n| zipped(&scratch, "kit", &format!("upload {n}"))).collect();
    let (server, deadline, at) = serve_before_a_deadline(&scratch);
    let first = at.0 - EARLIEST_UPLOAD;
    // When each was sent and confirmed.
    let times: Mutex<HashMap<GroupId, (Utc, Utc)>> = Mutex::default();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    let Some(sender) = senders.get(n) else { return };
                    let due = first + i64::try_from(n).expect("few") * 100;
                    let wait = (due - now().0).max(0).cast_unsigned();
                    std::thread::sleep(Duration::from_millis(wait));
                    let sent = now();
                    if sender.hand_in(&server, &zips[n]).is_none() {
                        failed.store(true, Ordering::Relaxed);
                    }
                    let mut times = times.lock().expect("not poisoned");
                    times.insert(sender.group, (sent, now()));
                }
            });
        }
    });
    assert!(!failed.load(Ordering::Relaxed), "an upload was not confirmed");
    server.wait_for_examinations(&senders[0].token);
    server.stop();
    let course = Course::open(&scratch);
    assert!(course.database.freeze(Course::act(), deadline).wait().expect("frozen").is_empty());
    let times = times.into_inner().expect("not poisoned");
    let (mut early, mut late) = (0, 0);
    for frozen in course.database.frozen(deadline).wait().expect("reads") {
        let Some((sent, confirmed)) = times.get(&frozen.group) else { continue };
        // An upload that began before the end counts, however long it took.
        if *confirmed < at {
            assert!(frozen.version.is_some(), "confirmed at {confirmed}, before {at}");
            early += 1;
        } else if *sent > at {
            assert!(frozen.version.is_none(), "sent at {sent}, after {at}");
            late += 1;
        }
    }
    println!("{early} before, {late} after, {} at the instant", UPLOADS - early - late);
    assert!(early > 20 && late > 20, "{early} before, {late} after");
}

/// Maximum time from submission until a version of a sample language is valid, on an idle machine.
const VALID_WITHIN: Duration = Duration::from_mins(1);

#[test]
#[ignore = "slow: .ci/full runs it"]
fn every_language_is_valid_within_a_minute_by_push_and_by_the_api() {
    let scratch = school();
    let languages: Vec<_> = LANGUAGES.iter().copied().filter(|&it| at_hand(it)).collect();
    let senders = senders(&scratch, languages.len());
    let server = Server::start(&scratch);
    for (language, sender) in languages.into_iter().zip(&senders) {
        let name = language.0;
        scratch.run(&format!("new {name} {name}")).done();
        let began = Instant::now();
        let args = format!("push {name} --wait --no-check --to http://{}", server.address);
        let mut push = scratch.command(&args);
        let pushed =
            scratch.ran(push.env("PITMASTER_TOKEN", &sender.token).output().expect("runs"));
        assert_eq!(pushed.code, Some(0), "{name}: {}", pushed.all());
        let by_push = began.elapsed();
        // The same with another file, as a program would send it that knows nothing of Pitmaster.
        let began = Instant::now();
        let zip = zipped(&scratch, name, "another version");
        let version = sender.hand_in(&server, &zip).expect("confirmed").parse().expect("an id");
        crate::serve::wait_for_state(&server, &sender.token, version, "active");
        let by_api = began.elapsed();
        println!(
            "{name}: valid {:.1} s after push, {:.1} s after the API",
            by_push.as_secs_f64(),
            by_api.as_secs_f64()
        );
        // Five times as long is more than a busy machine explains.
        assert!(by_push.max(by_api) < 5 * VALID_WITHIN, "{name}: {by_push:?}, {by_api:?}");
    }
    server.stop();
}
