//! Published grades.

use pitmaster_season::course::{Action, Actor, CourseState, Membership, Role};

use super::super::*;
use super::fixture::*;

fn publish(world: &World, points: f64) {
    let grades = vec![(world.eva, shown_grade(points)), (world.adam, shown_grade(1.0))];
    let act = world.staff(later(1));
    world.db.publish_grades(act, world.course, "final", grades, "0".repeat(32)).wait().unwrap();
}

#[test]
fn students_see_their_own_grade_and_nobody_elses() {
    let world = World::new();
    let opened = world.db.set_course_state(NOW, world.course, CourseState::Open);
    opened.wait().unwrap();
    publish(&world, 3.5);
    let group = Some(world.group);
    let student = |person| {
        let memberships = vec![Membership { course: world.course, role: Role::Student, group }];
        Actor { person: Some(person), memberships, ..Actor::default() }
    };
    let grade = |of, by| {
        let found = world.db.published_grade(world.course, of).wait().unwrap();
        found.open(&student(by), Action::ViewGrade).ok().map(|it| it.grade.points.to_string())
    };
    assert_eq!(grade(world.eva, world.eva).as_deref(), Some("3.5"));
    // Members of the same group do not see it either.
    assert_eq!(grade(world.eva, world.adam), None);
    let guest = world.db.published_grade(world.course, world.eva).wait().unwrap();
    assert!(guest.open(&Actor::guest(), Action::ViewGrade).is_err());
}

#[test]
fn grades_are_replaced_as_a_whole_and_withdrawn() {
    let world = World::new();
    publish(&world, 3.5);
    publish(&world, 4.0);
    let shown = world.db.publication(world.course).wait().unwrap().unwrap();
    assert_eq!((shown.final_name.as_str(), shown.people), ("final", 2));
    let own = seen(world.db.published_grade(world.course, world.eva).wait().unwrap()).unwrap();
    assert_eq!(own.grade, shown_grade(4.0));
    let act = world.staff(later(2));
    world.db.withdraw_grades(act, world.course).wait().unwrap();
    assert_eq!(world.db.publication(world.course).wait().unwrap(), None);
    let again = world.db.withdraw_grades(act, world.course).wait();
    assert_eq!(refused(again), Refusal::Conflict("no grades are published"));
}

#[test]
fn erased_people_have_no_grades() {
    let world = World::new();
    publish(&world, 3.5);
    let own = || seen(world.db.published_grade(world.course, world.eva).wait().unwrap());
    assert!(own().is_some());
    wait(world.db.erase_person(at(later(5)), world.eva)).unwrap();
    assert!(own().is_none());
    publish(&world, 3.5);
    assert!(own().is_none());
    assert_eq!(world.db.publication(world.course).wait().unwrap().unwrap().people, 1);
}

#[test]
fn people_are_found_by_any_identifier() {
    let world = World::new();
    let known = NewPerson {
        name: "Zoe".into(),
        login: Some("zoe".into()),
        student_no: Some("77".into()),
        mail: Some("zoe@univ.example".into()),
        language: None,
    };
    let id = world.db.add_person(NOW, known).wait().unwrap();
    let found = |text: &str| {
        let people = world.db.find_people(text).wait().unwrap();
        people.into_iter().map(|person| person.id).collect::<Vec<_>>()
    };
    for text in ["zoe", "77", "zoe@univ.example", &id.to_string()] {
        assert_eq!(found(text), [id], "{text}");
    }
    assert_eq!(found("Zoe"), []);
    wait(world.db.erase_person(NOW, id)).unwrap();
    assert_eq!(found(&id.to_string()), []);
}
