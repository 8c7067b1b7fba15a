//! Jobs: expiring leases, faults of the server, and requested games.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_season::course::{Quota, VersionEvent, VersionState as State};
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
    let add = |priority, name: &str| {
        let payload = json!({"name": name});
        let job = NewJob { kind: JobKind::Pair, version: None, payload, priority };
        world.db.add_job(job, T0).wait().expect("added");
    };
    add(50, "second");
    add(10, "first");
    add(50, "third");
    let lease = |kinds: &[JobKind]| {
        let leased = world.db.lease_job("w", kinds, SECOND, T0).wait().expect("leases");
        leased.map(|(lease, job)| (lease, job.facts.payload["name"].clone()))
    };
    assert_eq!(lease(&[JobKind::Build, JobKind::Check]), None);
    let (first, name) = lease(&[JobKind::Pair]).expect("a job");
    assert_eq!(name, "first");
    world.db.finish_job(first, Outcome::Played, T0).wait().expect("played");
    let rest = [lease(&[JobKind::Pair]), lease(&[JobKind::Pair]), lease(&[JobKind::Pair])];
    assert_eq!(rest.iter().flatten().count(), 2);
    // A job without a version accepts no event of one.
    let lease = rest[0].as_ref().expect("a job").0;
    let wrong = world.db.finish_job(lease, event_outcome(VersionEvent::Built), T0).wait();
    assert!(matches!(refused(wrong), Refusal::Conflict(_)));
}

#[test]
fn games_are_requested_played_and_canceled() {
    let world = World::new();
    let id = world.upload("1", T0);
    let quotas = || vec![Quota { limit: 3, window: Duration::from_secs(100) }];
    let ask = |pairs, opponent, now| {
        let ask = NewGameRequest { version: id, opponent, pairs };
        world.db.request_games(world.student(now), world.eva, ask, quotas()).wait()
    };
    let house = || Opponent::House("house:greedy".into());
    assert!(matches!(refused(ask(1, house(), T0)), Refusal::Conflict(_)), "it has not passed");
    world.examine("1", later(1));
    let first = ask(2, house(), later(2)).expect("asked");
    assert!(matches!(refused(ask(2, house(), later(3))), Refusal::Quota { .. }));
    let second = ask(1, Opponent::Version(id), later(3)).expect("asked");
    let state = |ask| seen(world.db.game_request(ask).wait().expect("reads")).expect("there").state;
    let play = |now| {
        let (lease, job) = world.lease(now).expect("a job");
        assert_eq!(job.facts.kind, JobKind::Requested);
        world.db.finish_job(lease, Outcome::Played, now).wait().expect("played");
    };
    play(later(4));
    assert_eq!(state(first), GameRequestState::Waiting);
    play(later(5));
    assert_eq!((state(first), state(second)), (GameRequestState::Done, GameRequestState::Waiting));
    world.db.cancel_game_request(world.student(later(6)), second).wait().expect("canceled");
    assert_eq!((state(second), world.lease(later(7))), (GameRequestState::Canceled, None));
    let again = world.db.cancel_game_request(world.student(later(6)), second).wait();
    assert_eq!(refused(again), Refusal::Absent("request that waits"));
    // A canceled request does not count.
    ask(1, house(), later(8)).expect("asked");
    let asks = world.db.game_requests_of(world.group).wait().expect("reads");
    assert_eq!(
        asks.into_iter().filter_map(seen).map(|it| it.facts.pairs).collect::<Vec<_>>(),
        [1, 1, 2]
    );
    for pairs in [0, 101, u32::MAX] {
        let asked = ask(pairs, house(), later(500));
        assert!(matches!(refused(asked), Refusal::TooMany { .. }));
    }
    let strange = Opponent::House("a\nb".into());
    let now = later(500);
    assert!(matches!(refused(ask(1, strange, now)), Refusal::Invalid { .. }));
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
    assert_eq!((job.facts.kind, waiting()), (JobKind::Build, 1));
    let fault = Outcome::Fault("no room".into());
    world.db.finish_job(lease, fault, later(2)).wait().expect("given back");
    assert_eq!(waiting(), 1);
    // A full check is not counted, because the verdict exists already.
    world.examine("1", later(60));
    assert_eq!(waiting(), 0);
}
