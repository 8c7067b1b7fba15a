//! Snapshot and properties of the permission table.

use super::*;
use crate::course::{CourseId, GroupId, PersonId};

const COURSE: CourseFacts = CourseFacts {
    id: CourseId::of([1; 12]),
    state: CourseState::Open,
    visibility: Visibility::Members,
    guests_play: false,
};
const OWN: GroupId = GroupId::of([2; 12]);
const OTHER: GroupId = GroupId::of([3; 12]);
const ADA: PersonId = PersonId::of([4; 12]);
const BOB: PersonId = PersonId::of([5; 12]);

fn member(role: Role, group: Option<GroupId>) -> Actor {
    let memberships = vec![Membership { course: COURSE.id, role, group }];
    Actor { person: Some(ADA), memberships, ..Actor::default() }
}

fn admin() -> Actor {
    Actor { person: Some(ADA), is_admin: true, ..Actor::default() }
}

/// All kinds of actors, by name.
fn actors() -> [(&'static str, Actor); 6] {
    let stranger = Actor { person: Some(ADA), ..Actor::default() };
    [
        ("admin", admin()),
        ("teacher", member(Role::Teacher, None)),
        ("assistant", member(Role::Assistant, None)),
        ("student", member(Role::Student, Some(OWN))),
        ("stranger", stranger),
        ("guest", Actor::guest()),
    ]
}

fn of_group<'a>(course: &'a CourseFacts, group: &'a [GroupId]) -> Facts<'a> {
    Facts { course: Some(course), groups: group, ..Facts::default() }
}

fn shown(answer: Result<(), Refusal>) -> String {
    match answer {
        Ok(()) => "yes".into(),
        Err(Refusal::LogIn) => "log in".into(),
        Err(Refusal::Hidden) => "hidden".into(),
        Err(Refusal::No(why)) => format!("no: {why:?}"),
    }
}

/// Rows of actions with the answer for each actor. Equal adjacent answers are joined.
fn table(facts: &Facts<'_>) -> String {
    let line = |action: Action| {
        let actors = actors();
        let cells = actors.iter().map(|(name, actor)| (*name, shown(may(actor, action, facts))));
        let cells: Vec<_> = cells.collect();
        let joined = cells.chunk_by(|a, b| a.1 == b.1).map(|same| {
            let names: Vec<_> = same.iter().map(|(name, _)| *name).collect();
            format!("{}: {}", names.join(" "), same[0].1)
        });
        format!("{action:?} · {}", joined.collect::<Vec<_>>().join(" · "))
    };
    Action::ALL.map(line).join("\n")
}

#[test]
fn what_belongs_to_the_students_own_group() {
    insta::assert_snapshot!(table(&of_group(&COURSE, &[OWN])), @"
    ViewResults · admin teacher assistant student: yes · stranger: hidden · guest: log in
    ViewEvidence · admin teacher assistant student: yes · stranger: hidden · guest: log in
    Upload · admin teacher assistant: no: NotYourGroup · student: yes · stranger: hidden · guest: log in
    ChooseVersion · admin teacher assistant: no: NotYourGroup · student: yes · stranger: hidden · guest: log in
    AskForGames · admin teacher assistant: no: NotYourGroup · student: yes · stranger: hidden · guest: log in
    Play · admin teacher assistant student: yes · stranger: hidden · guest: log in
    ViewGrade · admin teacher assistant student: yes · stranger: hidden · guest: log in
    ViewPeople · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    ManageGroups · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    Suspend · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    Invite · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    SetDeadline · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    Freeze · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    Void · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ExportGrades · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    PublishGrades · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    EditCourse · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ViewAudit · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    SetRole · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ManageAccount · admin: no: NotYourGroup · teacher assistant: hidden · student: yes · stranger: hidden · guest: log in
    ErasePerson · admin: yes · teacher assistant student: no: Role · stranger: hidden · guest: log in
    Administer · admin: yes · teacher assistant student: no: Role · stranger: hidden · guest: log in
    ");
}

#[test]
fn what_belongs_to_another_group() {
    insta::assert_snapshot!(table(&of_group(&COURSE, &[OTHER])), @"
    ViewResults · admin teacher assistant student: yes · stranger: hidden · guest: log in
    ViewEvidence · admin teacher assistant: yes · student stranger: hidden · guest: log in
    Upload · admin teacher assistant: no: NotYourGroup · student stranger: hidden · guest: log in
    ChooseVersion · admin teacher assistant: no: NotYourGroup · student stranger: hidden · guest: log in
    AskForGames · admin teacher assistant: no: NotYourGroup · student stranger: hidden · guest: log in
    Play · admin teacher assistant student: yes · stranger: hidden · guest: log in
    ViewGrade · admin teacher assistant: yes · student stranger: hidden · guest: log in
    ViewPeople · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    ManageGroups · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    Suspend · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    Invite · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    SetDeadline · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    Freeze · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    Void · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ExportGrades · admin teacher assistant: yes · student: no: Role · stranger: hidden · guest: log in
    PublishGrades · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    EditCourse · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ViewAudit · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    SetRole · admin teacher: yes · assistant student: no: Role · stranger: hidden · guest: log in
    ManageAccount · admin: no: NotYourGroup · teacher assistant student stranger: hidden · guest: log in
    ErasePerson · admin: yes · teacher assistant: no: Role · student stranger: hidden · guest: log in
    Administer · admin: yes · teacher assistant student: no: Role · stranger: hidden · guest: log in
    ");
}

#[test]
fn accounts() {
    let of = |person| Facts { person: Some(person), ..Facts::default() };
    let answer = |actor: &Actor, person| shown(may(actor, Action::ManageAccount, &of(person)));
    let all = |person| actors().map(|(_, actor)| answer(&actor, person));
    assert_eq!(all(ADA), ["yes", "yes", "yes", "yes", "yes", "log in"]);
    assert_eq!(all(BOB), ["no: NotYours", "hidden", "hidden", "hidden", "hidden", "log in"]);
}

/// Hidden objects are indistinguishable from missing ones.
#[test]
fn hidden_is_absent() {
    struct Thing;
    impl Object for Thing {
        fn facts(&self) -> Facts<'_> {
            Facts { is_deleted: true, ..of_group(&COURSE, &[OWN]) }
        }
    }
    for (name, actor) in actors() {
        for action in Action::ALL {
            let absent = Guarded::<Thing>::new(None).open(&actor, action).map(|_| ());
            assert!(absent.is_err(), "{name} {action:?}");
            let deleted = Guarded::new(Some(Thing)).open(&actor, action).map(|_| ());
            assert_eq!(deleted, absent, "{name} {action:?}");
            let foreign = may(&actor, action, &of_group(&COURSE, &[OTHER]));
            if matches!(foreign, Err(Refusal::Hidden | Refusal::LogIn)) {
                assert_eq!(foreign, absent, "{name} {action:?}");
            }
        }
    }
}

#[test]
fn evidence_is_for_its_owners_and_staff() {
    let both = [OTHER, OWN];
    let see = |actor: &Actor, groups| {
        may(actor, Action::ViewEvidence, &of_group(&COURSE, groups)).is_ok()
    };
    let student = member(Role::Student, Some(OWN));
    assert!(see(&student, &both) && see(&student, &both[1..]) && !see(&student, &both[..1]));
    // A student without a group owns nothing.
    assert!(!see(&member(Role::Student, None), &[]));
    // A student of another course is a stranger.
    let mut elsewhere = student.clone();
    elsewhere.memberships[0].course = CourseId::of([9; 12]);
    assert!(!see(&elsewhere, &both));
    assert!(see(&member(Role::Assistant, None), &both));
}

#[test]
fn staff_hand_in_for_a_group_of_their_own() {
    let teacher = member(Role::Teacher, Some(OWN));
    let upload = |groups| may(&teacher, Action::Upload, &of_group(&COURSE, groups));
    assert_eq!(upload(&[OWN]), Ok(()));
    assert_eq!(upload(&[OTHER]), Err(Refusal::No(Why::NotYourGroup)));
}

#[test]
fn the_state_of_the_course_bounds_what_is_done() {
    let student = member(Role::Student, Some(OWN));
    let answers = |action| {
        let mut answers = Vec::new();
        for &state in CourseState::ALL {
            let course = CourseFacts { state, ..COURSE };
            answers.push(shown(may(&student, action, &of_group(&course, &[OWN]))));
        }
        answers.join(", ")
    };
    let upload = "hidden, yes, no: Course(Paused), no: Course(Frozen), no: Course(Closed)";
    assert_eq!(answers(Action::Upload), upload);
    assert_eq!(answers(Action::AskForGames), "hidden, yes, yes, yes, no: Course(Closed)");
    assert_eq!(answers(Action::ViewEvidence), "hidden, yes, yes, yes, yes");
}

#[test]
fn guests_see_what_the_course_shows_the_world() {
    let guest = Actor::guest();
    let ask = |visibility, guests_play, action| {
        let course = CourseFacts { visibility, guests_play, ..COURSE };
        may(&guest, action, &of_group(&course, &[OWN]))
    };
    let (members, world) = (Visibility::Members, Visibility::World);
    assert_eq!(ask(members, true, Action::ViewResults), Err(Refusal::LogIn));
    assert_eq!(ask(world, false, Action::ViewResults), Ok(()));
    assert_eq!(ask(world, false, Action::Play), Err(Refusal::No(Why::MembersOnly)));
    assert_eq!(ask(world, true, Action::Play), Ok(()));
    assert_eq!(ask(world, true, Action::ViewEvidence), Err(Refusal::LogIn));
}

#[test]
fn a_token_does_what_its_scopes_say() {
    let with = |scopes: &[Scope]| Actor {
        scopes: Some(scopes.to_vec()),
        ..member(Role::Student, Some(OWN))
    };
    let ask = |scopes: &[Scope], action| may(&with(scopes), action, &of_group(&COURSE, &[OWN]));
    assert_eq!(ask(&[Scope::Upload], Action::Upload), Ok(()));
    let missing = Err(Refusal::No(Why::NeedsScope(Scope::Upload)));
    assert_eq!(ask(&[Scope::Read, Scope::Kgp, Scope::Admin], Action::Upload), missing);
    assert_eq!(ask(Scope::ALL, Action::Play), Err(Refusal::No(Why::NeedsSession)));
    let own = Facts { person: Some(ADA), ..Facts::default() };
    let account = may(&with(Scope::ALL), Action::ManageAccount, &own);
    assert_eq!(account, Err(Refusal::No(Why::NeedsSession)));
    // A scope grants nothing beyond the person's permissions.
    assert_eq!(ask(Scope::ALL, Action::Freeze), Err(Refusal::No(Why::Role)));
}
