//! Jobs: expiring leases, and faults of the server.

use pitmaster_core::BotHash;
use pitmaster_season::course::{VersionEvent, VersionState as State};
use serde_json::json;

use super::super::*;
use super::fixture::*;

fn fault(world: &World, now: pitmaster_season::course::Utc) -> bool {
    let Some((lease, _)) = world.lease(now) else { return false };
    let outcome = Outcome::Fault("no disk".into());
    world.db.finish_job(lease, outcome, now).wait().expect("given back");
    true
}

#[test]
fn a_lease_ends_and_the_job_goes_to_another_worker() {
    let world = World::new();
    world.upload("1", T0);
    let (first, job) = world.lease(later(0)).expect("a job");
    assert_eq!((job.state, job.tries, job.worker.as_deref()), (JobState::Leased, 1, Some("w1")));
    assert_eq!(world.lease(later(59)), None);
    world.db.extend_lease(first, 60 * SECOND, later(59)).wait().expect("extended");
    assert_eq!(world.lease(later(118)), None);
    let (second, job) = world.lease(later(119)).expect("it came back");
    assert_eq!((second.job, second.number, job.tries), (first.job, 2, 2));
    assert_eq!(job.why.as_deref(), Some("its worker vanished"));
    let late = world.db.extend_lease(first, 60 * SECOND, later(120)).wait();
    assert_eq!(refused(late), Refusal::LeaseLost);
    let unpacked = Progress { event: VersionEvent::Unpacked, hash: None, why: None };
    let late = world.db.advance(first, unpacked, later(120)).wait();
    assert_eq!(refused(late), Refusal::LeaseLost);
    assert_eq!(world.db.release_jobs("w2", later(121)).wait(), Ok(0));
    assert_eq!(world.db.release_jobs("w1", later(121)).wait(), Ok(1));
    assert_eq!(world.lease(later(121)).map(|(lease, _)| lease.number), Some(3));
}

/// After a crash between unpacking and building, the next worker unpacks again.
#[test]
fn a_second_attempt_resumes_at_the_state_of_the_version() {
    let world = World::new();
    let id = world.upload("1", T0);
    let (lease, _) = world.lease(later(1)).expect("a job");
    let hash = Some(BotHash::of(b"1"));
    let unpacked = Progress { event: VersionEvent::Unpacked, hash, why: None };
    world.db.advance(lease, unpacked.clone(), later(1)).wait().expect("unpacked");
    let (lease, _) = world.lease(later(61)).expect("it came back");
    assert_eq!(world.db.advance(lease, unpacked, later(61)).wait(), Ok(None));
    let built = event_outcome(VersionEvent::Built);
    world.db.finish_job(lease, built, later(62)).wait().expect("built");
    assert_eq!(world.state(id), State::Built);
    assert_eq!(world.db.steps(id).wait().expect("reads").len(), 3);
}

#[test]
fn after_five_faults_a_job_is_given_up_until_somebody_retries() {
    let world = World::new();
    let id = world.upload("1", T0);
    assert!(matches!(
        refused(world.db.retry_version(world.staff(T0), id).wait()),
        Refusal::Conflict(_)
    ));
    // The delay increases with each fault.
    for (fails, waits_until) in [(0, 5), (5, 35), (35, 215), (215, 1115)] {
        assert!(fault(&world, later(fails)) && !fault(&world, later(waits_until - 1)));
    }
    assert!(fault(&world, later(1115)) && !fault(&world, later(9999)));
    let failed = world.db.queue_state().wait().expect("reads");
    assert_eq!((failed.waiting, failed.failed, failed.oldest), (0, 1, None));
    assert_eq!(world.state(id), State::Received);
    let notes = world.db.notes(world.eva, 1, 10).wait().expect("reads");
    assert_eq!(notes.iter().map(|note| &*note.kind).collect::<Vec<_>>(), ["fault"]);
    world.db.retry_version(world.staff(later(10_009)), id).wait().expect("retried");
    let waits = world.db.queue_state().wait().expect("reads");
    assert_eq!((waits.waiting, waits.oldest), (1, Some(later(10_009))));
    assert!(fault(&world, later(10_009)) && !fault(&world, later(10_010)));
    world.db.retry_version(world.staff(later(10_010)), id).wait().expect("is not made to wait");
    world.examine("1", later(10_010));
    assert_eq!(world.state(id), State::Active);
    let states: Vec<_> =
        world.db.jobs_of(id).wait().expect("reads").into_iter().map(|job| job.state).collect();
    assert_eq!(states, [JobState::Failed, JobState::Done, JobState::Done, JobState::Done]);
    let retry = world.db.retry_version(world.staff(later(11)), id).wait();
    assert!(matches!(refused(retry), Refusal::Conflict(_)));
}

#[test]
fn the_most_urgent_job_of_the_wanted_kinds_goes_first() {
    let world = World::new();
    let version = world.upload("1", T0);
    let add = |kind, at| world.db.add_job(kind, version, later(at)).wait().expect("added");
    let second = add(JobKind::Check, 1);
    let third = add(JobKind::Check, 2);
    let first = add(JobKind::Validate, 3);
    let lease = |kinds: &[JobKind]| {
        let leased = world.db.lease_job("w", kinds, SECOND, later(4)).wait().expect("leases");
        leased.map(|(lease, job)| {
            assert_eq!(lease.job, job.id);
            job.id
        })
    };
    let kinds = [JobKind::Check, JobKind::Validate];
    assert_eq!(lease(&[]), None);
    assert_eq!([(); 3].map(|()| lease(&kinds)), [Some(first), Some(second), Some(third)]);
    assert_eq!(lease(&kinds), None, "the build is of another kind");
}

#[test]
fn a_ladder_is_created_and_frozen() {
    let world = World::new();
    let db = &world.db;
    let file = || "[tournament]\n".to_owned();
    let add = |slug: &str| {
        db.add_ladder(NOW, world.course, slug, file(), json!({"house:random": 800})).wait()
    };
    let id = add("main").expect("added");
    assert_eq!(refused(add("main")), Refusal::Exists("ladder"));
    db.edit_ladder(NOW, id, LadderState::Paused, Some(later(5))).wait().expect("edited");
    let ladder = seen(db.ladder_at(world.course, "main").wait().expect("reads")).expect("there");
    assert_eq!((ladder.id, ladder.state), (id, LadderState::Paused));
    assert_eq!((ladder.frozen_view_at, ladder.tournament_file), (Some(later(5)), file()));
    assert_eq!(db.ladders(world.course).wait().expect("reads").len(), 1);
    let absent = pitmaster_season::course::LadderId::of([0; 12]);
    let edited = db.edit_ladder(NOW, absent, LadderState::Open, None).wait();
    assert_eq!(refused(edited), Refusal::Absent("ladder"));
}

#[test]
fn leased_jobs_without_a_verdict_count_as_waiting() {
    let world = World::new();
    let waiting = || world.db.examinations().wait().expect("reads").waiting;
    assert_eq!(waiting(), 0);
    world.upload("1", T0);
    assert_eq!(waiting(), 1);
    let (lease, job) = world.lease(later(1)).expect("a job");
    assert_eq!((job.kind, waiting()), (JobKind::Build, 1));
    let fault = Outcome::Fault("no room".into());
    world.db.finish_job(lease, fault, later(2)).wait().expect("given back");
    assert_eq!(waiting(), 1);
    // A full check is not counted, because the verdict exists already.
    world.examine("1", later(60));
    assert_eq!(waiting(), 0);
}
