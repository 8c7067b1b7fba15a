//! Audit log: an entry for every action of the staff, which no route can change.

use std::collections::BTreeSet;

use super::grades::publish_grade;
use super::matrix::{EXPECTED, all_routes, filled, filled_form, route_of};
use super::*;
use crate::database::AuditEntry;

/// Unsafe routes that a teacher may use and a student may not, by the table of statuses.
fn staff_routes() -> Vec<(&'static str, &'static str, &'static str)> {
    let is_staff = |row: &&(_, _, _, [u16; 6])| row.3[1] == 403 && row.3[4] != 403;
    // Publishing requires played games, which the tests with the real binary cover.
    let is_here = |row: &&(_, &str, _, _)| !row.1.ends_with("/publish");
    let rows = EXPECTED.iter().filter(|row| row.0 != "GET").filter(is_staff).filter(is_here);
    rows.map(|(method, path, form, _)| (*method, *path, *form)).collect()
}

/// Prepares the state that a request of the staff requires. Returns the path of the request.
async fn prepared(school: &School, people: &People, frozen: DeadlineId, path: &str) -> String {
    let database = &school.database;
    let past = NOW.minus(Duration::from_secs(1));
    let with = |id: DeadlineId| filled(&path.replace("{deadline}", &id.to_string()), people);
    if path.contains("/members/") {
        let (bob, course) = (people.bob_id, school.course);
        database.set_member(act(), bob, course, Role::Student, None).await.unwrap();
    }
    if path.ends_with("/suspend") {
        database.choose_version(act(), people.active, false).await.unwrap();
    } else if path.ends_with("/withdraw") && path.contains("/grades/") {
        publish_grade(school, people.ada_id, "").await;
    } else if path.ends_with("/freeze") {
        return with(school.deadline(&format!("Past {}", random()), past).await);
    } else if path.ends_with("/remove") {
        return with(school.deadline(&format!("Gone {}", random()), NOW).await);
    } else if path.ends_with("/replace") {
        let id = school.deadline(&format!("Disputed {}", random()), past).await;
        database.freeze(act(), id).await.unwrap();
        return with(id);
    } else if path.ends_with("/final") {
        return with(frozen);
    } else if path.ends_with("/retry") {
        // The version is delayed until after the request, because of a fault of the server.
        let (kinds, late) = ([JobKind::Build], NOW.plus(Duration::from_hours(1)));
        let leased = database.lease_job("w", &kinds, Duration::from_mins(1), late).await.unwrap();
        let (lease, _) = leased.expect("version 3 waits");
        let fault = Outcome::Fault("no disk".into());
        database.finish_job(lease, fault, late).await.unwrap();
        return filled(&path.replace("{number}", "3"), people);
    }
    filled(path, people)
}

/// Unique name for each request.
fn random() -> i64 {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

async fn log(school: &School) -> Vec<AuditEntry> {
    school.database.audit(None, 0, 100_000).await.unwrap()
}

/// School in which two groups have an active version on a ladder with a tournament file, and a
/// deadline with frozen versions. Version 3 of `a.one` was just received.
async fn school_with_finals() -> (School, People, DeadlineId) {
    let (school, people) = School::with_groups().await;
    let folder = school.database.folder().join("ladders/awale.main");
    std::fs::create_dir_all(&folder).unwrap();
    let file = include_str!("../../../service/ladder.toml");
    std::fs::write(folder.join("tournament.toml"), file).unwrap();
    let bots = school.database.bots(school.course).await.unwrap();
    let admin = Actor { is_admin: true, ..Actor::default() };
    let bots = bots.into_iter().filter_map(|bot| bot.open(&admin, Action::ViewResults).ok());
    let other = bots.map(|bot| bot.id).find(|id| *id != people.bot).expect("b.one");
    school.receive(other, b"other").await;
    while examined(&school).await {}
    let at = NOW.plus(Duration::from_hours(1));
    let deadline = school.deadline("Frozen", at).await;
    school.database.freeze(Act { at, ..act() }, deadline).await.unwrap();
    school.receive(people.bot, b"third").await;
    (school, people, deadline)
}

/// Ends the next job in the queue successfully; `false` if none waits.
async fn examined(school: &School) -> bool {
    let (database, kinds) = (&school.database, [JobKind::Build, JobKind::Validate]);
    let leased = database.lease_job("w", &kinds, Duration::from_mins(1), NOW).await.unwrap();
    let Some((lease, job)) = leased else { return false };
    let progress = |event, hash| Progress { event, hash, why: None };
    let event = if job.kind == JobKind::Build {
        let hash = BotHash::of(job.version.to_string().as_bytes());
        let src = database.folder().join("bots").join(hash.as_str()).join("src");
        std::fs::create_dir_all(&src).unwrap();
        std::fs::write(src.join("bot.py"), "print()\n").unwrap();
        let unpacked = progress(VersionEvent::Unpacked, Some(hash));
        database.advance(lease, unpacked, NOW).await.unwrap();
        VersionEvent::Built
    } else {
        VersionEvent::Validated
    };
    database.finish_job(lease, Outcome::Version(progress(event, None)), NOW).await.unwrap();
    true
}

#[tokio::test]
async fn all_that_the_staff_does_has_a_line_with_who_and_what() {
    let (school, people, frozen) = school_with_finals().await;
    let admin = school.id_of(&people.admin).await;
    let mut told = Vec::new();
    for (who, role, cookie) in
        [(people.teacher_id, "teacher", &people.teacher), (admin, "admin", &people.admin)]
    {
        for (method, path, form) in staff_routes() {
            let form = form.replace("{column}", &format!("9{}", random()));
            let ready = prepared(&school, &people, frozen, path).await;
            let before = log(&school).await;
            let response = school.ask(method, &ready, cookie, &form).await;
            let status = response.status();
            assert!(
                [StatusCode::OK, StatusCode::SEE_OTHER].contains(&status),
                "{method} {path} as {role}: {status} {}: what must be there first?",
                text(response).await
            );
            let after = log(&school).await;
            assert_eq!(after[..before.len()], before, "{path} changed the log");
            let new = &after[before.len()..];
            assert!(!new.is_empty(), "{method} {path} as {role} has no line");
            for line in new {
                assert_eq!((line.who, line.role.as_str()), (Some(who), role), "{path}");
                assert_eq!(line.course, Some(school.course), "{path}");
                assert!(!line.object.is_empty(), "{path}");
            }
            let deeds: BTreeSet<_> =
                new.iter().map(|line| format!("{} of a {}", line.action, line.kind)).collect();
            let deeds: Vec<_> = deeds.into_iter().collect();
            if role == "teacher" {
                told.push(format!("{method} {path}: {}", deeds.join(", ")));
            }
        }
    }
    insta::assert_snapshot!(told.join("\n"));
}

#[tokio::test]
async fn no_route_changes_what_the_log_has() {
    let (school, people) = School::with_groups().await;
    let before = log(&school).await;
    let People { ada, bob, assistant, teacher, admin, .. } = &people;
    for (method, path) in all_routes() {
        let row = EXPECTED.iter().find(|row| row.0 == method && route_of(row.1) == path).unwrap();
        let form = filled_form(row.2, &school, &people);
        for (column, cookie) in ["", ada, bob, assistant, teacher, admin].iter().enumerate() {
            let form = form.replace("{column}", &column.to_string());
            let path = filled(row.1, &people).replace("{id}", &people.active.to_string());
            if path == "/logout" || path.starts_with("/account/sessions/end") {
                continue;
            }
            school.ask(method, &path, cookie, &form).await;
            let after = log(&school).await;
            assert_eq!(after[..before.len()], before, "{method} {path}");
        }
    }
    let after = log(&school).await;
    assert!(after.len() > before.len() + 20, "{} lines more", after.len() - before.len());
    // The numbers have no gaps, and the entries are unchanged.
    assert!(after.iter().zip(1..).all(|(line, number)| line.number == number));
}
