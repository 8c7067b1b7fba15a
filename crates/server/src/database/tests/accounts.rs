//! People, invitations, sessions and tokens.

use pitmaster_core::i18n::Lang;
use pitmaster_season::course::{Action, Actor, CourseState, Guarded, PersonId, Role, Scope};

use super::super::*;
use super::fixture::*;

#[test]
fn people_are_added_changed_and_found() {
    let world = World::new();
    let db = &world.db;
    let new = NewPerson {
        name: " Ève ".into(),
        student_no: Some("s123".into()),
        mail: Some("eve@example.org".into()),
        login: Some("EVE".into()),
        language: Some(Lang::French),
    };
    let id = db.add_person(NOW, new.clone()).wait().expect("added");
    let found = seen(db.person(id).wait().expect("reads")).expect("there");
    assert_eq!((&*found.known.name, found.known.login.as_deref()), ("Ève", Some("eve")));
    assert_eq!(found.known.language, Some(Lang::French));
    assert!(!found.is_admin && !found.has_passphrase && found.made == T0);
    let by_number = db.person_with_number("s123 ").wait().expect("reads");
    assert_eq!(seen(by_number).map(|person| person.id), Some(id));
    // Logins and numbers are unique, regardless of case.
    let twin = NewPerson { login: Some("eVe".into()), ..person("Other") };
    assert_eq!(refused(db.add_person(NOW, twin).wait()), Refusal::Exists("login"));
    let twin = NewPerson { student_no: new.student_no.clone(), ..person("Other") };
    assert_eq!(refused(db.add_person(NOW, twin.clone()).wait()), Refusal::Exists("student number"));
    assert_eq!(
        refused(db.edit_person(NOW, world.eva, twin).wait()),
        Refusal::Exists("student number")
    );
    // A person's own login and number are no conflict.
    let edited = NewPerson { mail: None, ..new };
    db.edit_person(NOW, id, edited).wait().expect("edited");
    assert_eq!(seen(db.person(id).wait().expect("reads")).expect("there").known.mail, None);
    let invalid = NewPerson { name: "a\nb".into(), ..NewPerson::default() };
    assert!(matches!(refused(db.add_person(NOW, invalid).wait()), Refusal::Invalid { .. }));
}

#[test]
fn the_last_administrator_stays() {
    let world = World::new();
    let set = |person, is_admin| world.db.set_admin(NOW, person, is_admin).wait();
    set(world.teacher, true).expect("the first");
    assert!(matches!(refused(set(world.teacher, false)), Refusal::Conflict(_)));
    let erased = wait(world.db.erase_person(NOW, world.teacher));
    assert!(matches!(refused(erased), Refusal::Conflict(_)));
    set(world.eva, true).expect("another");
    set(world.teacher, false).expect("now");
}

fn invite(world: &World, person: Option<PersonId>) -> NewInvite {
    let (course, group) = (world.course, Some(world.group));
    NewInvite { course, role: Role::Student, group, person, expires: later(100) }
}

fn newcomer(code: &InviteCode, login: &str) -> Newcomer {
    Newcomer {
        code: InviteCode::typed(&code.reveal().to_lowercase()).expect("a code"),
        name: "New Comer".into(),
        login: login.into(),
        passphrase: Passphrase::new("seeds in a row of holes"),
        agent: None,
    }
}

#[test]
fn an_invitation_is_redeemed_once() {
    let world = World::new();
    let db = &world.db;
    let code = db.invite(world.staff(T0), invite(&world, None)).wait().expect("invited");
    let offer = db.invitation(code.clone(), T0).wait().expect("an offer");
    assert_eq!((offer.offer.role, offer.login), (Role::Student, None));
    let (id, secret) = wait(db.redeem(newcomer(&code, "New"), later(1), None)).expect("redeemed");
    let (session, person, actor) =
        wait(db.session(secret, later(2))).expect("reads").expect("a session");
    assert_eq!((session.person, person.known.login.as_deref()), (id, Some("new")));
    assert_eq!(actor.memberships[0].group, Some(world.group));
    let again = wait(db.redeem(newcomer(&code, "other"), later(3), None));
    assert_eq!(refused(again), Refusal::UsedInvite);
    let unknown = InviteCode::typed("0".repeat(26).as_str()).expect("a code");
    let unknown = wait(db.redeem(newcomer(&unknown, "other"), T0, None));
    assert_eq!(refused(unknown), Refusal::UnknownInvite);
}

#[test]
fn concurrent_redemptions_of_a_code_admit_one_person() {
    let world = World::new();
    let code = world.db.invite(NOW, invite(&world, None)).wait().expect("invited");
    let redeem = |login: &'static str| {
        let (db, newcomer) = (world.db.clone(), newcomer(&code, login));
        std::thread::spawn(move || wait(db.redeem(newcomer, T0, None)))
    };
    let all = ["a", "b", "c", "d"].map(redeem).map(|it| it.join().expect("ends"));
    assert_eq!(all.iter().filter(|it| it.is_ok()).count(), 1, "{all:?}");
    assert_eq!(all.iter().filter(|it| **it == Err(Refusal::UsedInvite.into())).count(), 3);
}

#[test]
fn an_invitation_ends_and_can_be_taken_back() {
    let world = World::new();
    let db = &world.db;
    let code = db.invite(NOW, invite(&world, Some(world.eva))).wait().expect("invited");
    let late = db.invitation(code.clone(), later(100)).wait();
    assert_eq!(refused(late), Refusal::ExpiredInvite);
    assert_eq!(db.revoke_invites(NOW, world.eva).wait(), Ok(1));
    assert_eq!(refused(db.invitation(code, T0).wait()), Refusal::UnknownInvite);
    let wrong = NewInvite { role: Role::Teacher, ..invite(&world, None) };
    assert!(matches!(refused(db.invite(NOW, wrong).wait()), Refusal::Conflict(_)));
}

/// A code for a person who forgot the passphrase: the login is unchanged, old sessions end.
#[test]
fn an_invitation_for_a_person_sets_a_new_passphrase() {
    let world = World::new();
    let db = &world.db;
    let code = || db.invite(NOW, invite(&world, Some(world.eva))).wait().expect("invited");
    let first = wait(db.redeem(newcomer(&code(), "ignored"), T0, None)).expect("redeemed");
    let second = wait(db.redeem(newcomer(&code(), "ignored"), T0, None)).expect("redeemed");
    assert_eq!((first.0, second.0), (world.eva, world.eva));
    assert_eq!(wait(db.session(first.1, T0)), Ok(None));
    assert!(wait(db.session(second.1, T0)).expect("reads").is_some());
    let eva = seen(db.person(world.eva).wait().expect("reads")).expect("there");
    assert_eq!((eva.known.login.as_deref(), eva.has_passphrase), (Some("eva"), true));
    let weak = Newcomer { passphrase: Passphrase::new("password"), ..newcomer(&code(), "") };
    let weak = wait(db.redeem(weak, T0, None));
    assert_eq!(refused(weak), Refusal::Passphrase(WeakPassphrase::Common));
}

#[test]
fn a_logged_in_person_joins_another_course() {
    let world = World::new();
    let db = &world.db;
    let other = db.create_course(NOW, "other", settings()).wait().expect("a course");
    let to_other = NewInvite { course: other, group: None, ..invite(&world, None) };
    let code = db.invite(NOW, to_other).wait().expect("invited");
    let act = world.student(T0);
    assert_eq!(db.redeem_as(act, world.eva, code).wait(), Ok(other));
    let code = db.invite(NOW, to_other).wait().expect("invited");
    assert!(matches!(refused(db.redeem_as(act, world.eva, code).wait()), Refusal::Conflict(_)));
    let code = db.invite(NOW, invite(&world, Some(world.adam))).wait().expect("invited");
    assert_eq!(refused(db.redeem_as(act, world.eva, code).wait()), Refusal::UnknownInvite);
}

#[test]
fn sessions_end_by_timeout_and_on_request() {
    let world = World::new();
    let db = &world.db;
    let open = || db.open_session(NOW, world.eva, Some("x".repeat(1000))).wait().expect("opened");
    let is_there = |secret: &SessionSecret, now| {
        wait(db.session(secret.clone(), now)).expect("reads").is_some()
    };
    let hours = |hours: u64| later(hours * 3600);
    let idle = open();
    assert!(is_there(&idle, hours(11)));
    // The last use was written, because this later write is done.
    db.tidy(T0).wait().expect("writes");
    assert!(is_there(&idle, hours(22)));
    assert!(!is_there(&idle, hours(35)));
    let kept = open();
    for hour in (0..720).step_by(10) {
        assert!(is_there(&kept, hours(hour)), "{hour}");
        db.tidy(T0).wait().expect("writes");
    }
    assert!(!is_there(&kept, hours(720)), "30 days");
    let sessions = db.sessions(world.eva, hours(1)).wait().expect("reads");
    assert_eq!(sessions.iter().map(|it| it.agent.as_ref().map_or(0, String::len)).max(), Some(300));
    let ended = open();
    let id = wait(db.session(ended.clone(), T0)).expect("reads").expect("there").0.id;
    assert_eq!(refused(db.end_session(NOW, world.adam, id).wait()), Refusal::Absent("session"));
    db.end_session(NOW, world.eva, id).wait().expect("ends");
    assert!(!is_there(&ended, T0));
    assert_eq!(refused(db.end_session(NOW, world.eva, id).wait()), Refusal::Absent("session"));
    let (one, two) = (open(), open());
    let id = wait(db.session(one.clone(), T0)).expect("reads").expect("there").0.id;
    assert!(db.end_sessions(NOW, world.eva, Some(id)).wait().expect("ends") >= 1);
    assert!(is_there(&one, T0) && !is_there(&two, T0));
    assert_eq!(
        refused(db.open_session(NOW, PersonId::of([0; 12]), None).wait()),
        Refusal::Absent("person")
    );
}

/// A stolen database file contains no secret of a session, a token or an invitation.
#[test]
fn the_database_holds_hashes_of_secrets_only() {
    let world = World::new();
    let db = &world.db;
    let session = db.open_session(NOW, world.eva, None).wait().expect("opened");
    let (_, token) = db.create_token(NOW, token(&world, &[Scope::Read])).wait().expect("made");
    let code = db.invite(NOW, invite(&world, None)).wait().expect("invited");
    let secrets = [session.reveal(), token.reveal(), code.reveal()].map(str::to_owned);
    let (folder, holds) = (world.folder, |bytes: &[u8], text: &str| {
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    });
    drop(world.db);
    let bytes = std::fs::read(database_path(folder.path())).expect("reads");
    assert!(holds(&bytes, "mancala-26"), "the log was written into the database");
    for secret in &secrets {
        assert!(!holds(&bytes, secret) && !holds(&bytes, &secret[3..]));
    }
}

fn token(world: &World, scopes: &[Scope]) -> NewToken {
    NewToken {
        person: world.eva,
        course: world.course,
        name: "CI".into(),
        scopes: scopes.to_vec(),
        expires: later(500 * 86400),
    }
}

#[test]
fn a_token_has_its_scopes_in_its_course_until_it_ends() {
    let world = World::new();
    let db = &world.db;
    let scopes = [Scope::Read, Scope::Upload, Scope::Read];
    let (id, secret) = db.create_token(NOW, token(&world, &scopes)).wait().expect("made");
    assert!(secret.reveal().starts_with("pm_"));
    let other = db.create_course(NOW, "other", settings()).wait().expect("a course");
    db.set_member(NOW, world.eva, other, Role::Teacher, None).wait().expect("joins");
    db.set_admin(NOW, world.eva, true).wait().expect("runs the server");
    let found = wait(db.token(secret.clone(), T0)).expect("reads").expect("there");
    // It has no membership in the other course, and is not an administrator.
    assert_eq!(found.actor.memberships.len(), 1);
    assert!(!found.actor.is_admin);
    assert_eq!(found.actor.scopes, Some(vec![Scope::Upload, Scope::Read]));
    assert_eq!(found.token.facts.expires, settings().closes, "no longer than the course");
    assert_eq!(wait(db.token(secret.clone(), settings().closes)), Ok(None));
    db.tidy(T0).wait().expect("writes");
    let listed = db.tokens(world.eva).wait().expect("reads");
    assert_eq!((listed[0].id, listed[0].seen), (id, Some(T0)));
    let open = CourseState::Open;
    db.set_course_state(NOW, world.course, open).wait().expect("opened");
    let bot = db.bot(world.bot).wait().expect("reads");
    assert!(bot.open(&found.actor, Action::ViewResults).is_ok());
    db.revoke_token(NOW, id).wait().expect("revoked");
    assert_eq!(wait(db.token(secret, T0)), Ok(None));
    assert_eq!(refused(db.revoke_token(NOW, id).wait()), Refusal::Absent("token"));
    let own = seen_by_owner(&world, db.token_with_id(id).wait().expect("reads"));
    assert_eq!(own.map(|token| token.revoked), Some(Some(T0)));
}

fn seen_by_owner(world: &World, token: Guarded<Token>) -> Option<Token> {
    let eva = Actor { person: Some(world.eva), ..Default::default() };
    token.open(&eva, Action::ManageAccount).ok()
}

#[test]
fn tokens_of_a_person_are_limited() {
    let world = World::new();
    let make = |token| world.db.create_token(NOW, token).wait();
    for _ in 0..20 {
        make(token(&world, &[Scope::Kgp])).expect("made");
    }
    assert!(matches!(refused(make(token(&world, &[Scope::Kgp]))), Refusal::TooMany { .. }));
    assert!(matches!(refused(make(token(&world, &[]))), Refusal::Conflict(_)));
    let late = NewToken { person: world.adam, expires: T0, ..token(&world, &[Scope::Read]) };
    assert!(matches!(refused(make(late)), Refusal::Conflict(_)));
}
