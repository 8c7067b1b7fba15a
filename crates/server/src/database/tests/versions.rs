//! Versions: unique uploads and allowed state transitions.

use std::time::Duration;

use pitmaster_core::BotHash;
use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{
    Deadline, EntryId, FreezePolicy, Quota, Role, Utc, VersionEvent, VersionId,
    VersionState as State, WrongEvent,
};
use serde_json::json;

use super::super::*;
use super::fixture::*;

#[test]
fn an_upload_becomes_an_active_version() {
    let world = World::new();
    let id = world.upload("bytes", T0);
    let version = world.get(id);
    assert_eq!((version.number, version.state, version.began), (1, State::Received, T0));
    assert_eq!((version.uploaded_by, version.group), (Some(world.eva), world.group));
    assert_eq!((version.name.as_str(), version.hash), ("g1.sower", None));
    assert_eq!(version.upload.to_string(), blake3::hash(b"bytes").to_hex().to_string());
    world.examine("files", later(3));
    let version = world.get(id);
    assert_eq!((version.state, version.hash), (State::Active, Some(BotHash::of(b"files"))));
    assert_eq!(version.check_report, Some(json!({"findings": []})));
    let steps = world.db.steps(id).wait().expect("reads");
    let states: Vec<_> = steps.iter().map(|step| step.state).collect();
    let way = [State::Received, State::Staged, State::Built, State::Valid, State::Active];
    assert_eq!(states, way);
    assert_eq!((steps[0].at, steps[4].at), (T0, later(3)));
    // Both students of the group are notified, in order.
    for person in [world.eva, world.adam] {
        let notes = world.db.notes(person, 0, 100).wait().expect("reads");
        let states: Vec<_> = notes.iter().map(|note| note.data["state"].clone()).collect();
        assert_eq!(states, ["received", "staged", "built", "valid", "active"]);
        assert_eq!(notes.iter().map(|note| note.seq).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    }
    assert!(world.db.notes(world.teacher, 0, 100).wait().expect("reads").is_empty());
    assert_eq!(world.db.mark_notes_seen(world.eva, 3, T0).wait(), Ok(3));
    assert_eq!(world.db.mark_notes_seen(world.eva, 3, T0).wait(), Ok(0));
    let active = world.db.active_versions(world.course).wait().expect("reads");
    assert_eq!(active.iter().map(|it| it.id).collect::<Vec<_>>(), [id]);
}

#[test]
fn the_same_bytes_of_a_bot_are_one_version() {
    let world = World::new();
    let id = world.upload("bytes", T0);
    assert_eq!(world.receive("bytes", later(1)), Ok(Received::Again(id, 1)));
    world.examine("files", later(2));
    assert_eq!(world.receive("bytes", later(3)), Ok(Received::Again(id, 1)));
    // For another bot, the same bytes are another version.
    let other = world.db.add_bot(NOW, world.group, "other").wait().expect("added");
    let act = world.student(later(4));
    let received = world.db.receive_version(act, new_version(other, "bytes", T0), vec![]).wait();
    assert!(matches!(received, Ok(Received::New(_, 1))), "{received:?}");
    // Withdrawn or failed bytes are examined again.
    world.db.withdraw_version(act, id, "a bug").wait().expect("withdrawn");
    assert!(matches!(world.receive("bytes", later(5)), Ok(Received::New(_, 2))));
    let lines = world.db.audit(None, 0, 1000).wait().expect("reads");
    assert_eq!(lines.iter().filter(|it| it.action == "version.upload").count(), 5);
}

/// A different archive of the same files is recognized after unpacking.
#[test]
fn the_same_files_point_to_the_older_version() {
    let world = World::new();
    let old = world.upload("archive 1", T0);
    world.examine("files", later(1));
    let new = world.upload("archive 2", later(2));
    let (lease, _) = world.lease(later(3)).expect("a job");
    let hash = Some(BotHash::of(b"files"));
    let unpacked = Progress { event: VersionEvent::Unpacked, hash, why: None };
    assert_eq!(world.db.advance(lease, unpacked, later(3)).wait(), Ok(Some(old)));
    let version = world.get(new);
    assert_eq!((version.state, version.same_as), (State::Superseded, Some(old)));
    let why = version.why.expect("a reason");
    assert_eq!(why.to(Lang::French), "les fichiers sont ceux de la version 1");
    assert_eq!(world.state(old), State::Active);
    let done = event_outcome(VersionEvent::Built);
    assert_eq!(refused(world.db.finish_job(lease, done, later(4)).wait()), Refusal::LeaseLost);
    assert_eq!(world.lease(later(500)), None);
}

#[test]
fn withdrawing_the_active_version_reactivates_an_earlier_one() {
    let world = World::new();
    let versions = ["1", "2", "3"].map(|files| {
        let id = world.upload(files, T0);
        world.examine(files, later(1));
        id
    });
    let [first, second, third] = versions;
    let withdraw = |id| world.db.withdraw_version(world.student(later(5)), id, "a bug").wait();
    assert_eq!(withdraw(second), Ok(()));
    // The third version remains active.
    assert_eq!(world.state(third), State::Active);
    assert_eq!(withdraw(third), Ok(()));
    assert_eq!((world.state(third), world.state(second)), (State::Withdrawn, State::Withdrawn));
    assert_eq!(world.state(first), State::Active);
    assert_eq!(withdraw(first), Ok(()));
    assert!(world.db.active_versions(world.course).wait().expect("reads").is_empty());
}

#[test]
fn past_active_versions_can_be_queried() {
    let world = World::new();
    let [first, second] = [("1", 10), ("2", 20)].map(|(files, second)| {
        let id = world.upload(files, later(second));
        world.examine(files, later(second + 1));
        id
    });
    world.db.withdraw_version(world.student(later(30)), second, "a bug").wait().expect("withdrawn");
    let at = |second| {
        let active = world.db.active_versions_at(world.course, later(second)).wait();
        active.expect("reads").into_iter().map(|version| version.id).collect::<Vec<_>>()
    };
    assert_eq!([at(10), at(11), at(20)], [vec![], vec![first], vec![first]]);
    assert_eq!([at(21), at(29), at(30)], [vec![second], vec![second], vec![first]]);
}

#[test]
fn a_newer_version_replaces_active_and_waiting_ones() {
    let world = World::new();
    let first = world.upload("1", T0);
    world.examine("1", later(1));
    let second = world.upload("2", later(2));
    let third = world.upload("3", later(3));
    assert_eq!((world.state(second), world.state(first)), (State::Superseded, State::Active));
    world.examine("3", later(4));
    assert_eq!((world.state(third), world.state(first)), (State::Active, State::Replaced));
    // The first version is pinned: the fourth becomes valid and does not play.
    let act = world.student(later(5));
    world.db.choose_version(act, first, true).wait().expect("chosen");
    assert_eq!((world.state(third), world.state(first)), (State::Passed, State::Active));
    let fourth = world.upload("4", later(6));
    world.examine("4", later(7));
    assert_eq!((world.state(fourth), world.state(first)), (State::Passed, State::Active));
    world.db.unpin(act, world.bot).wait().expect("unpinned");
    let fifth = world.upload("5", later(8));
    world.examine("5", later(9));
    assert_eq!((world.state(fifth), world.state(first)), (State::Active, State::Replaced));
}

/// A version that is being examined is not superseded. If it passes late, the newer one remains
/// active.
#[test]
fn an_older_version_that_passes_late_does_not_play() {
    let world = World::new();
    let old = world.upload("old", T0);
    let (lease, _) = world.lease(later(1)).expect("a job");
    let new = world.upload("new", later(2));
    assert_eq!(world.state(old), State::Received);
    assert_eq!(world.lease(later(3)), None, "a group has one version in work");
    // The worker of the old version is slow: its lease expires, and the new version passes first.
    assert_eq!(world.lease(later(62)).map(|(it, _)| it.job), Some(lease.job));
    let lost = world.db.finish_job(lease, event_outcome(VersionEvent::Built), later(63)).wait();
    assert_eq!(refused(lost), Refusal::LeaseLost);
    let _ = new;
}

#[test]
fn a_version_that_waits_for_a_deadline_is_not_superseded_by_one_after_it() {
    let world = World::new();
    let rule = Deadline { at: later(10), grace: SECOND, policy: FreezePolicy::NewestPassing };
    let (name, late_rule, ladder) = ("final".to_owned(), String::new(), None);
    let settings = DeadlineSettings { name, rule, late_rule, ladder };
    world.db.add_deadline(NOW, world.course, settings).wait().expect("added");
    let in_time = world.upload("1", Utc(later(11).0 - 1));
    let late = world.upload("2", later(11));
    assert_eq!((world.state(in_time), world.state(late)), (State::Received, State::Received));
    let later_still = world.upload("3", later(12));
    assert_eq!(world.state(in_time), State::Received);
    assert_eq!((world.state(late), world.state(later_still)), (State::Superseded, State::Received));
}

#[test]
fn only_allowed_transitions_happen() {
    let world = World::new();
    let id = world.upload("1", T0);
    let act = world.student(later(1));
    let choose = |id, for_good| world.db.choose_version(act, id, for_good).wait();
    let (state, event) = (State::Received, VersionEvent::Chosen);
    let wrong = WrongEvent { state, event };
    assert_eq!(refused(choose(id, false)), Refusal::State(wrong));
    assert!(matches!(refused(world.db.suspend_version(act, id, "").wait()), Refusal::State(_)));
    let (lease, _) = world.lease(later(1)).expect("a job");
    for event in [VersionEvent::Built, VersionEvent::Validated] {
        let early = world.db.finish_job(lease, event_outcome(event), later(1)).wait();
        assert!(matches!(refused(early), Refusal::State(_)), "{event}");
    }
    // A refused outcome leaves the lease unchanged.
    world
        .db
        .finish_job(lease, event_outcome(VersionEvent::Refused), later(1))
        .wait()
        .expect("ends");
    assert_eq!(world.state(id), State::Refused);
    assert!(matches!(refused(world.db.withdraw_version(act, id, "").wait()), Refusal::State(_)));
    assert_eq!(refused(choose(VersionId::of([0; 12]), false)), Refusal::Absent("version"));
    assert!(world.db.steps(id).wait().expect("reads").len() == 2);
}

#[test]
fn a_group_reactivates_a_version_that_staff_suspended() {
    let world = World::new();
    let id = world.upload("1", T0);
    world.examine("1", later(1));
    let act = world.staff(later(2));
    world.db.suspend_version(act, id, "it attacks the server").wait().expect("stopped");
    let version = world.get(id);
    assert_eq!(version.state, State::Suspended);
    assert_eq!(version.why.expect("a reason").to_string(), "it attacks the server");
    world.db.choose_version(world.student(later(3)), id, true).wait().expect("chosen");
    world.db.withdraw_version(world.student(later(4)), id, "").wait().expect("withdrawn");
    let bot = seen(world.db.bot(world.bot).wait().expect("reads")).expect("there");
    assert_eq!((world.state(id), bot.pinned), (State::Withdrawn, None));
    assert_eq!(world.last_actions(3), ["version.suspend", "version.choose", "version.withdraw"]);
}

#[test]
fn a_group_has_an_upload_quota() {
    let world = World::new();
    let quotas = || vec![Quota { limit: 2, window: Duration::from_mins(1) }];
    let receive = |bot: EntryId, bytes: &str, now| {
        world.db.receive_version(world.student(now), new_version(bot, bytes, now), quotas()).wait()
    };
    receive(world.bot, "1", T0).expect("received");
    // The same bytes do not count; other bots of the group do.
    receive(world.bot, "1", later(1)).expect("received");
    let other = world.db.add_bot(NOW, world.group, "other").wait().expect("added");
    receive(other, "1", later(10)).expect("received");
    let wait = Duration::from_secs(40);
    assert_eq!(refused(receive(world.bot, "2", later(20))), Refusal::Quota { wait });
    receive(world.bot, "2", later(60)).expect("received");
    let backwards = new_version(world.bot, "3", later(101));
    let backwards = world.db.receive_version(world.student(later(100)), backwards, vec![]).wait();
    assert!(matches!(refused(backwards), Refusal::Conflict(_)));
}

#[test]
fn a_refused_archive_uses_up_only_the_quota_of_attempts() {
    let world = World::new();
    let receive = |bytes: &str, now| {
        let quotas = vec![Quota { limit: 1, window: Duration::from_mins(1) }];
        let new = new_version(world.bot, bytes, now);
        world.db.receive_version(world.student(now), new, quotas).wait()
    };
    for second in 0..4 {
        receive(&second.to_string(), later(second)).expect("received");
        world.finish(JobKind::Build, VersionEvent::Refused, later(second));
    }
    let wait = Duration::from_secs(56);
    assert_eq!(refused(receive("4", later(4))), Refusal::Quota { wait });
    receive("4", later(60)).expect("received");
    // An archive that is not refused counts immediately.
    let wait = Duration::from_secs(59);
    assert_eq!(refused(receive("5", later(61))), Refusal::Quota { wait });
}

#[test]
fn a_group_has_three_bots_and_one_is_ranked() {
    let world = World::new();
    let db = &world.db;
    let add = |name: &str| db.add_bot(NOW, world.group, name).wait();
    let second = add("second").expect("added");
    add("third").expect("added");
    assert!(matches!(refused(add("fourth")), Refusal::TooMany { limit: 3, .. }));
    assert_eq!(refused(add("second")), Refusal::Exists("name"));
    assert!(matches!(refused(add("Ö")), Refusal::Invalid { .. }));
    let ranked = || -> Vec<_> {
        let bots = db.bots(world.course).wait().expect("reads").into_iter().filter_map(seen);
        bots.filter(|bot| bot.is_ranked).map(|bot| bot.name.to_string()).collect()
    };
    assert_eq!(ranked(), ["g1.sower"]);
    db.rank_bot(NOW, second).wait().expect("ranked");
    assert_eq!(ranked(), ["g1.second"]);
    let active = world.upload("1", T0);
    world.examine("1", later(1));
    let waiting = world.upload("2", later(2));
    db.retire_bot(at(later(3)), world.bot).wait().expect("retired");
    assert_eq!((world.state(active), world.state(waiting)), (State::Passed, State::Withdrawn));
    assert_eq!(world.lease(later(4)), None);
    let name = "g1.sower".parse().expect("a name");
    let bot = seen(db.bot_named(world.course, name).wait().expect("reads")).expect("kept");
    assert_eq!(bot.retired, Some(later(3)));
    assert_eq!(refused(world.receive("3", later(5))), Refusal::Absent("bot"));
    assert_eq!(refused(db.rank_bot(NOW, world.bot).wait()), Refusal::Absent("bot"));
    assert_eq!(refused(add("sower")), Refusal::Exists("name"));
    add("fourth").expect("there is room again");
    let act = Act { by: By::Member(world.eva, Role::Student), at: later(6), address: None };
    assert_eq!(refused(db.choose_version(act, active, false).wait()), Refusal::Absent("bot"));
}
