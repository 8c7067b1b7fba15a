//! Every decision has its entry in the audit log, and automatic writes decide nothing.

use std::collections::BTreeSet;
use std::time::Duration;

use pitmaster_season::course::{
    CourseState, Deadline, DeadlineId, FreezePolicy, Role, Scope, VersionId,
};
use rusqlite::Connection;
use serde_json::Value;

use super::super::*;
use super::fixture::*;

const GOOD: &str = "seeds in a row of holes";

fn deadline(name: &str) -> DeadlineSettings {
    let rule =
        Deadline { at: later(50), grace: Duration::ZERO, policy: FreezePolicy::NewestPassing };
    DeadlineSettings { name: name.into(), rule, late_rule: String::new(), ladder: None }
}

/// Courses, ladders, groups and deadlines.
fn act_as_staff(world: &World) -> Result<DeadlineId, DatabaseError> {
    let (db, course, act) = (&world.db, world.course, world.staff(later(1)));
    db.edit_course(act, course, settings()).wait()?;
    db.set_course_state(act, course, CourseState::Open).wait()?;
    let group = db.add_group(act, course, "g2", "Two").wait()?;
    db.rename_group(act, group, "Zwei").wait()?;
    db.remove_group(act, group).wait()?;
    let ladder = db.add_ladder(act, course, "main", String::new(), Value::Null).wait()?;
    db.edit_ladder(act, ladder, LadderState::Paused, None).wait()?;
    let removed = db.add_deadline(act, course, deadline("gone")).wait()?;
    db.remove_deadline(act, removed).wait()?;
    let id = db.add_deadline(act, course, deadline("final")).wait()?;
    db.edit_deadline(act, id, deadline("final")).wait()?;
    Ok(id)
}

/// People, invitations, logins, sessions and tokens.
fn act_as_people(world: &World) -> Result<(), DatabaseError> {
    let (db, course, act) = (&world.db, world.course, world.staff(later(2)));
    db.edit_person(act, world.adam, person("Adam")).wait()?;
    db.set_admin(act, world.teacher, true).wait()?;
    let (role, group) = (Role::Student, Some(world.group));
    let invite = NewInvite { course, role, group, person: Some(world.eva), expires: later(999) };
    let code = db.invite(act, invite).wait()?;
    let (name, login, agent) = (String::new(), String::new(), None);
    let newcomer = Newcomer { code, name, login, passphrase: Passphrase::new(GOOD), agent };
    wait(db.redeem(newcomer, later(2), None))?;
    db.invite(act, invite).wait()?;
    db.revoke_invites(act, world.eva).wait()?;
    for passphrase in ["1", "2", "3", "4", "5"] {
        wait(db.log_in("eva", Passphrase::new(passphrase), later(2), None, None, None))?;
    }
    let eva = Act { by: By::Person(world.eva), at: later(9), address: None };
    let login = wait(db.log_in("eva", Passphrase::new(GOOD), later(9), None, None, None))?;
    let Login::In { session, .. } = login else { panic!("{login:?}") };
    let (old, new) = (Passphrase::new(GOOD), Passphrase::new("another row of seeds"));
    let changed = wait(db.change_passphrase(eva, world.eva, session, old, new))?;
    let Login::In { session, .. } = changed else { panic!("{changed:?}") };
    db.end_session(eva, world.eva, session).wait()?;
    let (name, scopes, expires) = ("CI".to_owned(), vec![Scope::Read], later(999));
    let token = NewToken { person: world.eva, course, name, scopes, expires };
    let (id, _) = db.create_token(eva, token).wait()?;
    db.revoke_token(eva, id).wait()?;
    db.end_member(act, world.adam, course).wait()?;
    wait(db.erase_person(act, world.adam))
}

/// Bots, versions and requested games.
fn act_as_group(world: &World) -> Result<VersionId, DatabaseError> {
    let (db, act) = (&world.db, world.student(later(20)));
    let first = world.upload("1", later(20));
    world.examine("1", later(20));
    let opponent = Opponent::House("house-greedy".parse().expect("a name"));
    let ladder = world.ladder("requests");
    let ask = NewGameRequest { ladder, version: first, opponent, pairs: 1 };
    let asked = db.request_games(act, world.eva, ask, vec![]).wait()?;
    db.cancel_game_request(act, asked).wait()?;
    db.suspend_version(world.staff(later(21)), first, "why").wait()?;
    db.choose_version(act, first, true).wait()?;
    db.unpin(act, world.bot).wait()?;
    let second = world.upload("2", later(22));
    let (lease, _) = world.lease(later(22)).expect("a job");
    db.finish_job(lease, Outcome::Fault("no disk".into()), later(22)).wait()?;
    db.retry_version(world.staff(later(23)), second).wait()?;
    db.withdraw_version(act, second, "").wait()?;
    let other = db.add_bot(act, world.group, "other").wait()?;
    db.rank_bot(act, other).wait()?;
    db.rank_bot(act, world.bot).wait()?;
    db.let_people_play(act, other, false).wait()?;
    db.retire_bot(act, other).wait()?;
    Ok(first)
}

#[test]
fn every_action_of_a_season_is_logged() {
    let world = World::new();
    let deadline = act_as_staff(&world).expect("works");
    act_as_people(&world).expect("works");
    let first = act_as_group(&world).expect("works");
    let act = world.staff(later(60));
    world.db.freeze(act, deadline).wait().expect("frozen");
    world.db.refreeze(act, deadline, world.group, Some(first), "why").wait().expect("frozen");
    world.db.log_final(act, deadline, "final".into()).wait().expect("logged");
    world.db.play_final(act, world.course, "final").wait().expect("asked for");
    world.db.stop_final(act, world.course, "final").wait().expect("stopped");
    world.db.show_final(act, deadline, Some("final".into())).wait().expect("shown");
    let grades = vec![(world.eva, shown_grade(3.5))];
    world
        .db
        .publish_grades(act, world.course, "final", grades, "0".repeat(32))
        .wait()
        .expect("shown");
    world.db.withdraw_grades(act, world.course).wait().expect("hidden");
    let backup = world.db.back_up(later(61)).wait().expect("backed up");
    let (folder, db) = (world.folder, world.db);
    drop(db);
    restore(folder.path(), &backup, at(later(62))).expect("restored");
    let lines = open(&folder).audit(None, 0, 1000).wait().expect("reads");
    let logged: BTreeSet<_> = lines.iter().map(|line| line.action.as_str()).collect();
    let all: BTreeSet<_> = AuditAction::ALL.iter().map(|deed| deed.name()).collect();
    assert_eq!(logged, all);
}

/// All rows of decisions, as text.
fn decisions(folder: &tempfile::TempDir) -> Vec<String> {
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    let columns = [
        ("course", "*"),
        ("person", "*"),
        ("grp", "*"),
        ("member", "*"),
        ("invite", "*"),
        ("token", "id, hash, person, course, scopes, expires, revoked"),
        ("bot", "*"),
        ("ladder", "*"),
        ("deadline", "*"),
        ("frozen", "*"),
        ("grade", "*"),
        ("audit", "*"),
    ];
    let mut rows = Vec::new();
    for (table, columns) in columns {
        let mut select = tool.prepare(&format!("SELECT {columns} FROM {table}")).expect("a table");
        let count = select.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let value = |column| row.get::<_, rusqlite::types::Value>(column);
            let values = (0..count).map(value).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("{table} {values:?}"))
        };
        rows.extend(select.query_map((), row).expect("rows").map(|row| row.expect("a row")));
    }
    rows
}

#[test]
fn automatic_writes_decide_nothing() {
    let world = World::new();
    let db = &world.db;
    world.upload("1", T0);
    let session = db.open_session(NOW, world.eva, None).wait().expect("opened");
    let (name, scopes, expires) = ("CI".to_owned(), vec![Scope::Read], later(999));
    let token = NewToken { person: world.eva, course: world.course, name, scopes, expires };
    let (_, token) = db.create_token(NOW, token).wait().expect("made");
    let before = decisions(&world.folder);
    wait(db.session(session, later(70))).expect("reads").expect("a session");
    wait(db.token(token, later(70))).expect("reads").expect("a token");
    let (lease, _) = world.lease(T0).expect("a job");
    db.extend_lease(lease, SECOND, T0).wait().expect("extended");
    db.release_jobs("w1", T0).wait().expect("released");
    world.examine("1", later(1));
    wait(db.log_in("eva", Passphrase::new("x"), T0, None, None, None)).expect("tries");
    db.mark_notes_seen(world.eva, 9, T0).wait().expect("seen");
    db.tidy(later(100 * 86400)).wait().expect("tidied");
    db.back_up(T0).wait().expect("backed up");
    assert_eq!(decisions(&world.folder), before);
}
