//! Courses, groups and members.

use pitmaster_season::course::{
    Action, Actor, CourseId, CourseState, GroupId, Membership, Refusal as Denial, Role, Visibility,
};

use super::super::*;
use super::fixture::*;

#[test]
fn a_course_is_made_changed_and_found() {
    let world = World::new();
    let db = &world.db;
    let found = seen(db.course_at("mancala-26").wait().expect("reads")).expect("there");
    assert_eq!((found.facts.id, found.facts.state), (world.course, CourseState::Draft));
    assert_eq!((found.settings, found.made), (settings(), T0));
    let changed =
        CourseSettings { title: "Neu".into(), visibility: Visibility::World, ..settings() };
    db.edit_course(NOW, world.course, changed.clone()).wait().expect("edited");
    db.set_course_state(NOW, world.course, CourseState::Open).wait().expect("opened");
    let found = seen(db.course(world.course).wait().expect("reads")).expect("there");
    assert_eq!((found.settings, found.facts.state), (changed, CourseState::Open));
    let lines = db.audit(Some(world.course), 0, 100).wait().expect("reads");
    let last = lines.last().expect("a line");
    let values = (last.before.clone(), last.after.clone());
    assert_eq!(values, (Some("draft".into()), Some("open".into())));
    let taken = db.create_course(NOW, "mancala-26", settings()).wait();
    assert_eq!(refused(taken), Refusal::Exists("course"));
    for slug in ["", "A", "a b", "../x"] {
        let invalid = db.create_course(NOW, slug, settings()).wait();
        assert!(matches!(refused(invalid), Refusal::Invalid { .. }), "{slug:?}");
    }
    let backwards = CourseSettings { opens: later(1), closes: T0, ..settings() };
    assert!(matches!(refused(db.create_course(NOW, "b", backwards).wait()), Refusal::Conflict(_)));
    let absent = CourseId::of([0; 12]);
    let state = db.set_course_state(NOW, absent, CourseState::Open).wait();
    assert_eq!(refused(state), Refusal::Absent("course"));
    assert_eq!(db.courses().wait().expect("reads").len(), 1);
}

/// A found object remains closed without permission, as if it did not exist.
#[test]
fn found_objects_require_a_permission() {
    let world = World::new();
    let db = &world.db;
    db.set_course_state(NOW, world.course, CourseState::Open).wait().expect("opened");
    let stranger = Actor { person: Some(world.eva), ..Actor::default() };
    for id in [world.course, CourseId::of([0; 12])] {
        let course = db.course(id).wait().expect("reads");
        let denied = course.open(&stranger, Action::ViewResults);
        assert_eq!(denied.map(drop), Err(Denial::Hidden));
    }
    let (course, group) = (world.course, Some(world.group));
    let member = |role, group| Actor {
        person: Some(world.eva),
        memberships: vec![Membership { course, role, group }],
        ..Actor::default()
    };
    let id = world.upload("a", T0);
    let evidence = |actor: &Actor| {
        let version = db.version(id).wait().expect("reads");
        version.open(actor, Action::ViewEvidence).is_ok()
    };
    assert!(evidence(&member(Role::Student, group)));
    assert!(evidence(&member(Role::Assistant, None)));
    assert!(!evidence(&member(Role::Student, None)));
    assert!(!evidence(&stranger));
}

#[test]
fn groups_have_unique_slugs_and_are_removable_when_empty() {
    let world = World::new();
    let db = &world.db;
    let taken = db.add_group(NOW, world.course, "g1", "Other").wait();
    assert_eq!(refused(taken), Refusal::Exists("group"));
    let other = db.add_group(NOW, world.course, "g2", " Two ").wait().expect("added");
    let names = |db: &Database| -> Vec<_> {
        let groups = db.groups(world.course).wait().expect("reads");
        groups.into_iter().filter_map(seen).map(|group| group.name).collect()
    };
    assert_eq!(names(db), ["Group 1", "Two"]);
    db.rename_group(NOW, other, "Zwei").wait().expect("renamed");
    assert_eq!(names(db), ["Group 1", "Zwei"]);
    assert!(matches!(refused(db.remove_group(NOW, world.group).wait()), Refusal::Conflict(_)));
    db.remove_group(NOW, other).wait().expect("removed");
    assert_eq!(names(db), ["Group 1"]);
    assert_eq!(refused(db.rename_group(NOW, other, "x").wait()), Refusal::Absent("group"));
    assert!(seen(db.group(other).wait().expect("reads")).is_none());
}

#[test]
fn a_member_has_one_role_and_group_in_a_course() {
    let world = World::new();
    let db = &world.db;
    let course = world.course;
    let members = |db: &Database| -> Vec<_> {
        let members = db.members(course).wait().expect("reads");
        let summary = |it: Member| (it.person.known.name, it.role, it.group, it.ended);
        members.into_iter().map(summary).collect()
    };
    let student = |name: &str| (name.to_owned(), Role::Student, Some(world.group), None);
    let teacher = ("Tea".to_owned(), Role::Teacher, None, None);
    assert_eq!(members(db), [teacher.clone(), student("Adam"), student("Eva")]);
    let staff = db.set_member(NOW, world.eva, course, Role::Assistant, Some(world.group)).wait();
    assert!(matches!(refused(staff), Refusal::Conflict(_)));
    db.set_member(NOW, world.eva, course, Role::Assistant, None).wait().expect("set");
    db.end_member(at(later(5)), world.adam, course).wait().expect("ended");
    let adam = ("Adam".to_owned(), Role::Student, Some(world.group), Some(later(5)));
    let eva = ("Eva".to_owned(), Role::Assistant, None, None);
    assert_eq!(members(db), [teacher, adam, eva]);
    let again = db.end_member(NOW, world.adam, course).wait();
    assert_eq!(refused(again), Refusal::Absent("member"));
    let lines = db.audit(Some(course), 0, 100).wait().expect("reads");
    let set = lines.iter().rev().find(|line| line.action == "member.set").expect("a line");
    let role = |value: &Option<serde_json::Value>| value.as_ref().map(|it| it["role"].clone());
    assert_eq!(role(&set.before), Some("student".into()));
    assert_eq!(role(&set.after), Some("assistant".into()));
    let nowhere = db.set_member(NOW, world.eva, course, Role::Student, Some(GroupId::of([1; 12])));
    assert_eq!(refused(nowhere.wait()), Refusal::Absent("group"));
}

#[test]
fn nobody_is_in_a_group_of_another_course() {
    let world = World::new();
    let other = world.db.create_course(NOW, "other", settings()).wait().expect("a course");
    let group = Some(world.group);
    let set = world.db.set_member(NOW, world.eva, other, Role::Student, group).wait();
    assert_eq!(refused(set), Refusal::Absent("group"));
    let (course, role, person) = (other, Role::Student, None);
    let invite = NewInvite { course, role, group, person, expires: later(1) };
    assert_eq!(refused(world.db.invite(NOW, invite).wait()), Refusal::Absent("group"));
}
