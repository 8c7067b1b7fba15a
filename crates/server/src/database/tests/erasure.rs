//! Erasure: no identifying data is left, and the data of others is kept.

use pitmaster_season::course::{PersonId, Role, Scope};

use super::super::*;
use super::fixture::*;

/// Words that identify only this person.
const TRACES: [&str; 8] = [
    "Zyxomma",
    "zyxlogin",
    "s-77777",
    "zyx@example.org",
    "zyx agent",
    "zyxnote",
    "198.51.100.77",
    "zyxtoken",
];

fn person_with_traces(world: &World) -> PersonId {
    let db = &world.db;
    let id = db
        .add_person(
            NOW,
            NewPerson {
                name: "Zyxomma Longname".into(),
                student_no: Some("s-77777".into()),
                mail: Some("zyx@example.org".into()),
                login: Some("zyxlogin".into()),
                language: None,
            },
        )
        .wait()
        .expect("added");
    let address = Some([198, 51, 100, 77].into());
    let act = Act { by: By::Member(id, Role::Student), at: T0, address };
    let (course, group) = (world.course, Some(world.group));
    db.set_member(NOW, id, course, Role::Student, group).wait().expect("joins");
    db.open_session(act, id, Some("zyx agent".into())).wait().expect("opened");
    let (name, scopes, expires) = ("zyxtoken".to_owned(), vec![Scope::Upload], later(1000));
    let token = NewToken { person: id, course, name, scopes, expires };
    db.create_token(act, token).wait().expect("made");
    let new = NewVersion { note: "zyxnote".into(), ..new_version(world.bot, "1", T0) };
    db.receive_version(act, new, vec![]).wait().expect("received");
    id
}

fn bytes(folder: &std::path::Path) -> Vec<u8> {
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
    [read("season.db"), read("season.db-wal")].concat()
}

fn traces(bytes: &[u8]) -> Vec<&'static str> {
    let holds = |text: &&str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    TRACES.into_iter().filter(holds).collect()
}

#[test]
fn an_erased_person_is_a_pseudonym() {
    let world = World::new();
    let id = person_with_traces(&world);
    assert_eq!(traces(&bytes(world.folder.path())), TRACES, "the test sees what is there");
    let before = world.db.audit(None, 0, 1000).wait().expect("reads");
    wait(world.db.erase_person(at(later(5)), id)).expect("erased");
    assert_eq!(traces(&bytes(world.folder.path())), [""; 0]);
    assert!(seen(world.db.person(id).wait().expect("reads")).is_none());
    let members = world.db.members(world.course).wait().expect("reads");
    let member = members.iter().find(|member| member.person.id == id).expect("there");
    assert!(member.person.known.name.starts_with("person "), "{}", member.person.known.name);
    assert_eq!((member.person.erased, member.ended), (Some(later(5)), Some(later(5))));
    assert!(world.db.tokens(id).wait().expect("reads").is_empty());
    assert!(world.db.sessions(id, T0).wait().expect("reads").is_empty());
    // The log has the same entries for the same id, but without IP addresses.
    let after = world.db.audit(None, 0, 1000).wait().expect("reads");
    let stripped = |line: &AuditEntry| AuditEntry { address: None, ..line.clone() };
    assert!(before.iter().map(stripped).eq(after[..before.len()].iter().map(stripped)));
    assert!(after.iter().filter(|line| line.who == Some(id)).all(|it| it.address.is_none()));
    let again = wait(world.db.erase_person(NOW, id));
    assert_eq!(refused(again), Refusal::Absent("person"));
    world.db.check().wait().expect("sound");
}

#[test]
fn a_person_with_login_data_is_erased_too() {
    let world = World::new();
    let (course, role, group) = (world.course, Role::Student, Some(world.group));
    let invite = NewInvite { course, role, group, person: Some(world.eva), expires: later(9) };
    let code = world.db.invite(NOW, invite).wait().expect("invited");
    let unused = world.db.invite(NOW, invite).wait().expect("invited");
    let passphrase = || Passphrase::new("seeds in a row of holes");
    let (name, login) = (String::new(), String::new());
    let newcomer = Newcomer { code, name, login, passphrase: passphrase(), agent: None };
    let (_, session) = wait(world.db.redeem(newcomer, T0, None)).expect("redeemed");
    wait(world.db.erase_person(NOW, world.eva)).expect("erased");
    assert_eq!(wait(world.db.session(session, T0)), Ok(None));
    let login = wait(world.db.log_in("eva", passphrase(), T0, None, None, None));
    assert_eq!(login, Ok(Login::Wrong));
    assert_eq!(refused(world.db.invitation(unused, T0).wait()), Refusal::UnknownInvite);
    let next = world.db.add_person(NOW, person("Eva")).wait();
    assert!(next.is_ok(), "the login is free: {next:?}");
}

#[test]
fn members_of_later_courses_are_not_due_for_erasure() {
    let world = World::new();
    let db = &world.db;
    let closes = settings().closes;
    let whom = |now| db.members_to_erase(world.course, now).wait().expect("reads");
    assert!(whom(T0).is_empty(), "the course goes on");
    assert_eq!(whom(closes).len(), 3);
    db.set_admin(NOW, world.teacher, true).wait().expect("runs the server");
    let next = CourseSettings { closes: later(200 * 86400), ..settings() };
    let next = db.create_course(NOW, "next", next).wait().expect("a course");
    db.set_member(NOW, world.adam, next, Role::Student, None).wait().expect("joins");
    assert_eq!(whom(closes), [world.eva]);
}

#[test]
fn old_seen_notes_are_removed_and_their_numbers_not_reused() {
    let world = World::new();
    world.upload("1", T0);
    world.upload("2", T0);
    let notes = || world.db.notes(world.eva, 0, 100).wait().expect("reads");
    assert_eq!(notes().len(), 3);
    world.db.mark_notes_seen(world.eva, 3, T0).wait().expect("seen");
    assert_eq!(world.db.tidy(later(91 * 86400)).wait(), Ok(2));
    assert_eq!(notes().iter().map(|note| note.seq).collect::<Vec<_>>(), [3]);
    world.upload("3", later(1));
    assert_eq!(notes()[1].seq, 4);
}
