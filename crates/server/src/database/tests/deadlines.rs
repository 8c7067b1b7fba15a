//! Deadlines and frozen versions.

use std::time::Duration;

use pitmaster_season::course::{
    Deadline, DeadlineId, FreezePolicy, GroupId, Utc, VersionEvent, VersionId, VersionState,
};

use super::super::*;
use super::fixture::*;

fn deadline(name: &str, at: Utc) -> DeadlineSettings {
    let rule = Deadline { at, grace: SECOND, policy: FreezePolicy::NewestPassing };
    DeadlineSettings { name: name.into(), rule, late_rule: "−2 a day".into(), ladder: None }
}

fn frozen(world: &World, id: DeadlineId) -> Vec<(GroupId, Option<VersionId>)> {
    let frozen = world.db.frozen(id).wait().expect("reads");
    frozen.into_iter().map(|it| (it.group, it.version.map(|(version, _)| version))).collect()
}

#[test]
fn versions_that_passed_in_time_are_frozen() {
    let world = World::new();
    let db = &world.db;
    let empty = db.add_group(NOW, world.course, "g2", "Empty").wait().expect("added");
    let id = db.add_deadline(NOW, world.course, deadline("final", later(100))).wait().expect("set");
    let in_time = world.upload("1", Utc(later(101).0 - 1));
    assert!(matches!(refused(db.freeze(world.staff(later(100)), id).wait()), Refusal::Conflict(_)));
    // The version is still being examined: its group waits, and the other group has none.
    assert_eq!(db.freeze(world.staff(later(101)), id).wait(), Ok(vec![world.group]));
    assert_eq!(frozen(&world, id), [(empty, None)]);
    world.examine("1", later(102));
    // A version after the deadline changes nothing.
    let late = world.upload("2", later(101));
    world.examine("2", later(103));
    assert_eq!(
        (world.state(in_time), world.state(late)),
        (VersionState::Replaced, VersionState::Active)
    );
    assert_eq!(db.freeze(world.staff(later(104)), id).wait(), Ok(vec![]));
    assert_eq!(frozen(&world, id), [(world.group, Some(in_time)), (empty, None)]);
    // The decision is final.
    assert_eq!(db.freeze(world.staff(later(105)), id).wait(), Ok(vec![]));
    let lines = db.audit(Some(world.course), 0, 1000).wait().expect("reads");
    let freezes: Vec<_> = lines.iter().filter(|it| it.action == "deadline.freeze").collect();
    let logged = freezes[1].after.as_ref().expect("values");
    assert_eq!(logged[world.group.to_string()], in_time.to_string());
    assert_eq!(freezes[2].after, Some(serde_json::json!({})));
    let notes = db.notes(world.eva, 0, 100).wait().expect("reads");
    assert!(notes.iter().any(|it| it.kind == "frozen" && it.data["number"] == 1));
}

/// Uploads at each millisecond around a deadline.
#[test]
fn the_first_byte_decides_on_the_millisecond() {
    for (offset, counts) in [(-2, true), (-1, true), (0, false), (1, false)] {
        let world = World::new();
        let db = &world.db;
        let set = deadline("final", later(100));
        let id = db.add_deadline(NOW, world.course, set).wait().expect("set");
        let (began, stored) = (Utc(later(101).0 + offset), later(400));
        let new = new_version(world.bot, "1", began);
        let received = db.receive_version(world.student(stored), new, vec![]).wait();
        let Ok(Received::New(version, 1)) = received else { panic!("{received:?}") };
        world.examine("1", stored);
        db.freeze(world.staff(stored), id).wait().expect("frozen");
        assert_eq!(frozen(&world, id), [(world.group, counts.then_some(version))], "{offset}");
    }
}

#[test]
fn a_dispute_replaces_what_is_frozen() {
    let world = World::new();
    let db = &world.db;
    let id = db.add_deadline(NOW, world.course, deadline("final", later(10))).wait().expect("set");
    let first = world.upload("1", T0);
    world.examine("1", later(1));
    let act = world.staff(later(20));
    let refreeze = |group, version, why: &str| db.refreeze(act, id, group, version, why).wait();
    assert_eq!(refused(refreeze(world.group, Some(first), "x")), Refusal::Absent("frozen version"));
    db.freeze(act, id).wait().expect("frozen");
    let second = world.upload("2", later(15));
    let not_passed = refreeze(world.group, Some(second), "the network was down");
    assert!(matches!(refused(not_passed), Refusal::Conflict(_)));
    world.examine("2", later(21));
    refreeze(world.group, Some(second), "the network was down").expect("replaced");
    assert_eq!(frozen(&world, id), [(world.group, Some(second))]);
    assert!(matches!(refused(refreeze(world.group, None, " ")), Refusal::Invalid { .. }));
    refreeze(world.group, None, "copied").expect("replaced");
    assert_eq!(frozen(&world, id), [(world.group, None)]);
    assert_eq!(world.last_actions(2), ["deadline.refreeze"; 2]);
    let nobody = refreeze(GroupId::of([0; 12]), None, "x");
    assert_eq!(refused(nobody), Refusal::Absent("group"));
}

#[test]
fn a_deadline_is_changed_only_before_something_is_frozen() {
    let world = World::new();
    let db = &world.db;
    let id = db.add_deadline(NOW, world.course, deadline("one", later(10))).wait().expect("set");
    let two = db.add_deadline(NOW, world.course, deadline("two", later(5))).wait().expect("set");
    assert_eq!(
        refused(db.edit_deadline(NOW, two, deadline("one", T0)).wait()),
        Refusal::Exists("name")
    );
    let moved = DeadlineSettings {
        rule: Deadline { at: later(20), grace: Duration::ZERO, policy: FreezePolicy::Chosen },
        ..deadline("zwei", T0)
    };
    db.edit_deadline(NOW, two, moved.clone()).wait().expect("edited");
    let row = seen(db.deadline(two).wait().expect("reads")).expect("there");
    assert_eq!((row.settings, row.course.id), (moved, world.course));
    let names = || -> Vec<_> {
        let rows = db.deadlines(world.course).wait().expect("reads");
        rows.into_iter().filter_map(seen).map(|row| row.settings.name).collect()
    };
    assert_eq!(names(), ["one", "zwei"]);
    db.remove_deadline(NOW, two).wait().expect("removed");
    assert_eq!(names(), ["one"]);
    db.add_deadline(NOW, world.course, deadline("zwei", T0)).wait().expect("the name is free");
    db.freeze(at(later(30)), id).wait().expect("frozen");
    for changed in
        [db.edit_deadline(NOW, id, deadline("one", T0)).wait(), db.remove_deadline(NOW, id).wait()]
    {
        assert!(matches!(refused(changed), Refusal::Conflict(_)));
    }
    db.show_final(NOW, id, Some("final-1".into())).wait().expect("shown");
    let row = seen(db.deadline(id).wait().expect("reads")).expect("there");
    assert_eq!(row.shown_final.as_deref(), Some("final-1"));
    let traversal = db.show_final(NOW, id, Some("../x".into())).wait();
    assert!(matches!(refused(traversal), Refusal::Invalid { .. }));
    assert_eq!(refused(db.freeze(NOW, two).wait()), Refusal::Absent("deadline"));
}

/// A suspended or withdrawn version does not count as passed.
#[test]
fn stopped_versions_are_not_frozen() {
    let world = World::new();
    let db = &world.db;
    let id = db.add_deadline(NOW, world.course, deadline("final", later(10))).wait().expect("set");
    let first = world.upload("1", T0);
    world.examine("1", later(1));
    let second = world.upload("2", later(2));
    world.examine("2", later(3));
    db.withdraw_version(world.student(later(4)), second, "").wait().expect("taken back");
    world.upload("3", later(5));
    let (lease, _) = world.lease(later(6)).expect("a job");
    let refused = event_outcome(VersionEvent::Refused);
    db.finish_job(lease, refused, later(6)).wait().expect("ends");
    db.freeze(world.staff(later(20)), id).wait().expect("frozen");
    assert_eq!(frozen(&world, id), [(world.group, Some(first))]);
}
