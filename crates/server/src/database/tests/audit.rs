//! Audit log: complete and immutable.

use rusqlite::Connection;

use super::super::*;
use super::fixture::*;

#[test]
fn every_deed_has_a_line_that_tells_who_when_and_from_where() {
    let world = World::new();
    let act = world.staff(later(7));
    let group = world.db.add_group(act, world.course, "g9", "Nine").wait().expect("added");
    let line = world.db.audit(None, 0, 1000).wait().expect("reads").pop().expect("a line");
    assert_eq!((line.who, line.role.as_str()), (Some(world.teacher), "teacher"));
    assert_eq!((line.at, line.action.as_str()), (later(7), "group.add"));
    assert_eq!((line.kind.as_str(), line.object), ("group", group.to_string()));
    assert_eq!((line.course, line.address.as_deref()), (Some(world.course), Some("192.0.2.7")));
    assert_eq!(line.after, Some(serde_json::json!({"slug": "g9"})));
    let roles = [By::Admin(world.eva), By::Person(world.eva), By::Operator, By::Server];
    for (by, role) in roles.into_iter().zip(["admin", "person", "operator", "server"]) {
        let act = Act { by, at: T0, address: None };
        world.db.rename_group(act, group, "Nein").wait().expect("renamed");
        let line = world.db.audit(None, 0, 1000).wait().expect("reads").pop().expect("a line");
        assert_eq!((line.role.as_str(), line.who), (role, by.person()));
    }
}

#[test]
fn a_refused_deed_leaves_neither_a_line_nor_a_change() {
    let world = World::new();
    let lines = || world.db.audit(None, 0, 1000).wait().expect("reads");
    let before = lines();
    refused(world.db.add_group(NOW, world.course, "g1", "Again").wait());
    refused(world.db.set_admin(NOW, pitmaster_season::course::PersonId::of([0; 12]), true).wait());
    assert_eq!(lines(), before);
}

#[test]
fn entries_are_numbered_without_gaps_and_read_by_course() {
    let world = World::new();
    let other = world.db.create_course(NOW, "other", settings()).wait().expect("a course");
    let all = world.db.audit(None, 0, 1000).wait().expect("reads");
    assert!(all.iter().map(|line| line.number).zip(1..).all(|(number, place)| number == place));
    let of_other = world.db.audit(Some(other), 0, 1000).wait().expect("reads");
    assert_eq!(of_other.len(), 1);
    let rest = world.db.audit(None, 2, 3).wait().expect("reads");
    assert_eq!(rest, all[2..5]);
}

/// No code that writes to the database can change an existing entry.
#[test]
fn no_statement_changes_a_line() {
    let world = World::new();
    let path = database_path(world.folder.path());
    let tool = Connection::open(path).expect("opens");
    let last = "(SELECT max(n) FROM audit)";
    let insert = "INSERT OR REPLACE INTO audit (n, at, as_role, action, kind, object)";
    for sql in [
        "UPDATE audit SET action = 'x'".to_owned(),
        "UPDATE audit SET who = NULL, at = 0".to_owned(),
        "UPDATE audit SET address = '192.0.2.9'".to_owned(),
        "DELETE FROM audit".to_owned(),
        format!("{insert} VALUES (1, 0, 'x', 'x', 'x', 'x')"),
        format!("{insert} VALUES ({last}, 0, 'x', 'x', 'x', 'x')"),
        format!("{insert} VALUES ({last} + 2, 0, 'x', 'x', 'x', 'x')"),
        "UPDATE OR REPLACE version_step SET why = 'x'".to_owned(),
    ] {
        let before = world.db.audit(None, 0, 1000).wait().expect("reads");
        let changed = tool.execute(&sql, ());
        let is_empty = sql.contains("version_step");
        assert!(changed.is_err() || is_empty, "{sql}");
        assert_eq!(world.db.audit(None, 0, 1000).wait().expect("reads"), before, "{sql}");
    }
    world.upload("1", T0);
    for sql in ["UPDATE version_step SET why = 'x'", "DELETE FROM version_step"] {
        assert!(tool.execute(sql, ()).is_err(), "{sql}");
    }
}

#[test]
fn actions_have_unique_names() {
    let names: std::collections::HashSet<_> =
        AuditAction::ALL.iter().map(|deed| deed.name()).collect();
    assert_eq!(names.len(), AuditAction::ALL.len());
    assert!(names.iter().all(|name| name.split('.').count() == 2));
}
