//! Concurrent readers and writers.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::*;
use super::fixture::*;

#[test]
fn concurrent_writers_lose_nothing() {
    let world = World::new();
    let threads = 8;
    let each = 50;
    let run = |thread: usize| {
        let (db, course) = (world.db.clone(), world.course);
        std::thread::spawn(move || {
            let add = |number| {
                // All threads compete for every other name. One gets it; the others are refused in
                // the middle of shared transactions.
                let slug = match number % 2 {
                    0 => format!("all-{number}"),
                    _ => format!("t{thread}-{number}"),
                };
                db.add_group(NOW, course, &slug, "Group")
            };
            let answers: Vec<_> = (0..each).map(add).collect();
            answers.into_iter().map(Answer::wait).collect::<Vec<_>>()
        })
    };
    let threads: Vec<_> = (0..threads).map(run).collect();
    let answers: Vec<_> = threads.into_iter().flat_map(|it| it.join().expect("ends")).collect();
    let added: HashSet<_> = answers.iter().flatten().copied().collect();
    assert_eq!(added.len(), 25 + 8 * 25);
    let others = answers.iter().filter_map(|it| it.as_ref().err());
    assert!(others.clone().all(|it| *it == Refusal::Exists("group").into()));
    assert_eq!(others.count(), 7 * 25);
    let groups = world.db.groups(world.course).wait().expect("reads");
    assert_eq!(groups.len(), added.len() + 1);
    let lines = world.db.audit(None, 0, 100_000).wait().expect("reads");
    assert_eq!(lines.iter().filter(|line| line.action == "group.add").count(), added.len() + 1);
}

#[test]
fn readers_see_only_whole_transactions() {
    let world = World::new();
    world.upload("first", T0);
    world.examine("first", T0);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !stop.load(Ordering::Relaxed) {
                // At most one version is active, whatever is being replaced.
                let active = world.db.active_versions(world.course).wait().expect("reads");
                assert!(active.len() == 1, "{}", active.len());
                reads += 1;
            }
            reads
        });
        for number in 0..20 {
            let now = later(number);
            world.upload(&number.to_string(), now);
            world.examine(&number.to_string(), now);
        }
        stop.store(true, Ordering::Relaxed);
        assert!(reader.join().expect("ends") > 0);
    });
}

#[test]
fn uploads_of_one_group_at_once_respect_its_quota() {
    let world = World::new();
    let quota = pitmaster_season::course::Quota { limit: 3, window: SECOND };
    let received: Vec<_> = (0..20)
        .map(|number| {
            let new = new_version(world.bot, &number.to_string(), T0);
            world.db.receive_version(world.student(T0), new, vec![quota])
        })
        .collect();
    let received: Vec<_> = received.into_iter().map(Answer::wait).collect();
    assert_eq!(received.iter().filter(|it| it.is_ok()).count(), 3);
}

#[test]
fn one_job_goes_to_one_worker() {
    let world = World::new();
    let version = world.upload("1", T0);
    for _ in 0..30 {
        world.db.add_job(JobKind::Check, version, T0).wait().expect("added");
    }
    let lease = |number| {
        let worker = format!("w{number}");
        world.db.lease_job(&worker, &[JobKind::Check], SECOND, T0)
    };
    let leases: Vec<_> = (0..40).map(lease).collect();
    let leases: Vec<_> = leases.into_iter().filter_map(|it| it.wait().expect("leases")).collect();
    let jobs: HashSet<_> = leases.iter().map(|(lease, _)| lease.job).collect();
    assert_eq!((leases.len(), jobs.len()), (30, 30));
}

/// Operations beyond the queue's capacity wait, in async code and in threads.
#[test]
fn a_full_queue_makes_answers_wait() {
    let world = World::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let add = |number: i32| world.db.add_person(NOW, person(&format!("p{number}")));
        let answers: Vec<_> = (0..3000).map(add).collect();
        for answer in answers {
            answer.await.expect("added");
        }
    });
    assert_eq!(world.db.audit(None, 0, 100_000).wait().expect("reads").len(), 3009);
}

#[test]
fn a_dropped_answer_does_not_undo_the_change() {
    let world = World::new();
    drop(world.db.rename_group(NOW, world.group, "Renamed"));
    let (folder, db, group) = (world.folder, world.db, world.group);
    drop(db);
    let group = seen(open(&folder).group(group).wait().expect("reads")).expect("there");
    assert_eq!(group.name, "Renamed");
}

/// A panicking operation ends neither its thread nor the transaction of others.
#[test]
fn a_panic_is_an_error_of_its_operation_alone() {
    let world = World::new();
    let before = world.db.add_group(NOW, world.course, "before", "x");
    let broken: Answer<()> = world.db.write_unaudited(|tx| {
        tx.execute("UPDATE person SET name = 'lost'", ())?;
        panic!("a bug, on purpose")
    });
    let after = world.db.add_group(NOW, world.course, "after", "x");
    before.wait().expect("added");
    assert_eq!(broken.wait(), Err(DatabaseError::Bug));
    after.wait().expect("added");
    for _ in 0..8 {
        let broken: Answer<()> = world.db.read(|_| panic!("a bug, on purpose"));
        assert_eq!(broken.wait(), Err(DatabaseError::Bug));
    }
    let eva = seen(world.db.person(world.eva).wait().expect("reads")).expect("there");
    assert_eq!(eva.known.name, "Eva");
}

/// The players poll for work many times a second, which must not wake code that waits for a change.
#[test]
fn only_what_changes_something_counts_as_a_change() {
    let world = World::new();
    let (changes, minute) = (world.db.changes(), 60 * SECOND);
    // Earlier operations are counted when this one is answered.
    let look = || {
        let leased = world.db.lease_job("w", &[JobKind::Build], minute, T0).wait();
        assert_eq!(leased.expect("looks"), None);
        *changes.borrow()
    };
    let before = look();
    look();
    assert_eq!(look(), before);
    world.db.add_group(NOW, world.course, "another", "x").wait().expect("added");
    assert_eq!(look(), before + 1);
    world.db.groups(world.course).wait().expect("reads");
    assert_eq!(look(), before + 1);
}
