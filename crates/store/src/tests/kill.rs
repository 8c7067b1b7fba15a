//! Tests with a process that is killed during a commit: acknowledged records exist, exactly once.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::sync_channel;

use super::*;

const FOLDER: &str = "PITMASTER_TEST_KILL_FOLDER";

#[test]
fn no_acknowledged_game_is_lost_or_doubled_by_kill_9() {
    let folder = folder();
    let mut acknowledged = HashSet::new();
    for round in 0..6 {
        let (mut child, mut lines) = spawn(folder.path());
        // The kill happens at an arbitrary point between two acknowledgments.
        acknowledged.extend(heard(&mut lines).take(1 + 40 * round));
        child.kill().expect("kills");
        child.wait().expect("ends");
        acknowledged.extend(heard(&mut lines));
        let store = open(&folder);
        let reader = store.reader().expect("opens");
        reader.check().expect("sound");
        let there = reader.valid_ids().expect("reads");
        assert!(acknowledged.is_subset(&there), "lost: {:?}", acknowledged.difference(&there));
        assert_eq!(reader.counts().expect("reads").valid, there.len() as u64);
    }
    assert!(acknowledged.len() > 200);
}

fn spawn(folder: &Path) -> (Child, Lines<BufReader<ChildStdout>>) {
    let this = std::env::current_exe().expect("a test has a program");
    let mut child = Command::new(this)
        .args(["--exact", "tests::kill::commits_until_it_is_killed"])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("spawns");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    (child, lines)
}

/// Acknowledged ids until the end of the output.
fn heard(
    lines: &mut Lines<BufReader<ChildStdout>>,
) -> impl Iterator<Item = pitmaster_core::GameId> {
    lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("done ")?.parse().ok())
}

#[test]
#[ignore = "the process that the test above kills"]
fn commits_until_it_is_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let store = Store::open(folder.as_ref(), Durability::Normal).expect("opens");
    let first = store.reader().expect("opens").counts().expect("reads").valid as u32;
    // The test harness has begun a line; the first id must start a new one.
    println!();
    // As many concurrent commits as with a few lanes, so that some share a transaction.
    let (begin, end) = sync_channel(8);
    let end = std::sync::Arc::new(std::sync::Mutex::new(end));
    for pair in first.. {
        begin.send(()).expect("never closed");
        let (id, end) = (plain(pair).id(), end.clone());
        store.submit(attempt(plain(pair)), move |done| {
            done.expect("commits");
            let mut out = std::io::stdout().lock();
            writeln!(out, "done {id}").expect("the parent listens");
            end.lock().expect("not poisoned").recv().expect("one for each");
        });
    }
}
