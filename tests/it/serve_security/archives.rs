//! Hostile archives as submissions: refused quickly, with the entry and a remedy, and with little
//! disk usage. Nothing is written outside of the staging folder, and nothing remains there.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use pitmaster::season::course::VersionState;
use pitmaster::session::practice;

use super::beneath;
use crate::generator::{Hostile, hostile, hostile_to_servers};
use crate::scratch::Scratch;
use crate::serve::{Course, PATIENCE, Server, school, zipped};

/// Expected duration of a refusal, and the duration that fails a test, because other tests use the
/// same cores.
const SHOULD_TAKE: Duration = Duration::from_secs(2);
const MAY_TAKE: Duration = Duration::from_secs(20);

/// Maximum of unpacked bytes before an archive is refused.
const MOST_BYTES: u64 = 64 << 20;

/// Unpacks an archive as the server does. Returns the reason of the refusal.
fn is_refused(archive: &Hostile) -> String {
    let scratch = Scratch::new();
    let staging = scratch.path("a/b/c/d/school/staging");
    fs::create_dir_all(&staging).expect("a folder");
    let upload = scratch.path("upload");
    fs::write(&upload, &archive.bytes).expect("writes");
    let before = outside(&scratch, &staging);
    let began = Instant::now();
    let name = format!("bot.{}", archive.ending);
    let unpacked = practice::unpack(&upload, &name, &staging.join("v1")).expect("can be written");
    let took = began.elapsed();
    let what = archive.what;
    let sizes = beneath(&staging).into_iter().map(|path| {
        let facts = fs::symlink_metadata(path).expect("facts");
        if facts.is_file() { (facts.len(), facts.blocks() * 512) } else { (0, 0) }
    });
    let (bytes, on_disk) = sizes.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert_eq!(outside(&scratch, &staging), before, "{what}");
    assert!(!Path::new("/tmp/pitmaster-evil").exists(), "{what}");
    practice::remove_unpacked(&staging, "v1").expect("can be removed");
    assert_eq!(beneath(&staging), [""; 0].map(Into::<std::path::PathBuf>::into), "{what}");
    println!("{what}: {took:.1?}, {} KiB of files, {} KiB on disk", bytes >> 10, on_disk >> 10);
    if took > SHOULD_TAKE {
        println!("{what} takes longer than {SHOULD_TAKE:?}");
    }
    assert!(took <= MAY_TAKE, "{what}: {took:?}");
    assert!(bytes <= MOST_BYTES, "{what}: {bytes} bytes");
    let why = unpacked.err().unwrap_or_else(|| panic!("{what} is taken")).to_string();
    assert!(
        why.ends_with("pack the folder of your bot as a zip, and hand in again"),
        "{what}: {why}"
    );
    why
}

/// Everything in a scratch folder outside of the staging folder.
fn outside(scratch: &Scratch, staging: &Path) -> BTreeSet<(std::path::PathBuf, u64)> {
    let all = beneath(&scratch.path("")).into_iter();
    let outside = all.filter(|path| !path.starts_with(staging));
    outside.map(|path| (path.clone(), fs::symlink_metadata(path).expect("facts").size())).collect()
}

/// Archives that a server must refuse: all except those whose names are merely unusual.
fn refused(with_bombs: bool) -> impl Iterator<Item = Hostile> {
    let of_a_class = hostile(with_bombs).into_iter().filter(|archive| archive.refused.is_some());
    of_a_class.chain(hostile_to_servers())
}

#[test]
fn each_refusal_names_the_entry_and_what_to_do() {
    let told: Vec<_> = refused(false)
        .map(|archive| format!("{}: {}", archive.what, is_refused(&archive)))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
#[ignore = "slow: a minute, for archives that unpack to gigabytes"]
fn bombs_are_refused_within_the_limits_of_an_upload() {
    let all: Vec<_> = refused(true).collect();
    assert!(all.len() >= 55, "{}", all.len());
    for archive in all {
        println!("{}: {}", archive.what, is_refused(&archive));
    }
}

#[test]
fn a_server_refuses_hostile_archives_and_keeps_nothing_of_them() {
    let scratch = school();
    let course = Course::open(&scratch);
    let good = course.bot("good");
    let good = course.hand_in(good, "kit.zip", &zipped(&scratch, "kit", "good"));
    let archives: Vec<_> = refused(false).collect();
    let all: Vec<_> = archives
        .iter()
        .zip(1..)
        .map(|(archive, number): (_, usize)| {
            let bot = course.bot(&format!("h{number}"));
            course.hand_in(bot, &format!("bot.{}", archive.ending), &archive.bytes)
        })
        .collect();
    drop(course);
    let around = || {
        let all = beneath(&scratch.path("")).into_iter();
        let outside = all.filter(|path| !path.starts_with(scratch.path("school")));
        outside.collect::<BTreeSet<_>>()
    };
    let before = around();
    let server = Server::start_with(&scratch, "--listen 127.0.0.1:0 --lanes 1");
    let began = Instant::now();
    while super::hostile::in_work(&scratch) > 0 {
        assert!(began.elapsed() < PATIENCE, "{} are in work", super::hostile::in_work(&scratch));
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("{} uploads in {:.1?}", all.len() + 1, began.elapsed());
    server.stop();
    assert_eq!(around(), before);
    assert_eq!(beneath(&scratch.path("school/staging")).len(), 0);
    assert!(!Path::new("/tmp/pitmaster-evil").exists());
    let course = Course::open(&scratch);
    let good = course.version(good);
    assert_eq!(good.state, VersionState::Active);
    for (id, archive) in all.into_iter().zip(archives) {
        let version = course.version(id);
        let why = version.why.map_or_else(String::new, |why| why.to_string());
        assert_eq!(version.state, VersionState::Refused, "{}: {why}", archive.what);
        assert!(why.contains("hand in again"), "{}: {why}", archive.what);
        // No path of the server is told.
        assert!(!why.contains("staging") && !why.contains("uploads"), "{}: {why}", archive.what);
    }
    // Snapshots are of the good one alone.
    let bots = fs::read_dir(scratch.path("school/bots")).expect("reads").flatten();
    let names = bots.map(|entry| entry.file_name()).filter(|name| name != ".lock");
    let snapshots: Vec<_> = names.collect();
    assert_eq!(snapshots, [good.hash.expect("a hash").as_str()]);
}
