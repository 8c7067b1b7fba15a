//! Refused operations and corrupt files, which must lose nothing.

use std::path::Path;

use rusqlite::Connection;

use super::super::*;
use super::fixture::*;

/// Error message with the folder's name redacted.
fn error_text<T: std::fmt::Debug>(result: Result<T, DatabaseError>, folder: &Path) -> String {
    let folder = folder.display().to_string();
    result.expect_err("refused").to_string().replace(&folder, "FOLDER")
}

fn try_open(folder: &tempfile::TempDir) -> Result<Database, DatabaseError> {
    Database::open(folder.path(), HashCost::Least, T0)
}

#[test]
fn a_second_server_learns_the_owner_of_the_lock() {
    let folder = folder();
    let first = open(&folder);
    let owner = format!("process {} on {}", std::process::id(), pitmaster_store::host_name());
    let message = error_text(try_open(&folder), folder.path()).replace(&owner, "OWNER");
    insta::assert_snapshot!(message, @"FOLDER is in use by OWNER; stop that server first");
    first.add_person(NOW, person("Eva")).wait().expect("the first is not disturbed");
    let clone = first.clone();
    drop(first);
    assert!(try_open(&folder).is_err(), "a clone keeps it");
    drop(clone);
    open(&folder);
}

#[test]
fn foreign_databases_are_left_unchanged() {
    let folder = folder();
    let path = database_path(folder.path());
    std::fs::write(&path, "rank,bot,games\n".repeat(100)).expect("writes");
    insta::assert_snapshot!(error_text(try_open(&folder), folder.path()), @"FOLDER/season.db is damaged: file is not a database; stop the server and restore a backup with `pitmaster course restore`");
    for sql in [
        "CREATE TABLE theirs (x); PRAGMA user_version = 1",
        "PRAGMA application_id = 0x5069746d; PRAGMA user_version = 5; CREATE TABLE games (x)",
        "PRAGMA application_id = 7",
    ] {
        std::fs::remove_file(&path).expect("removes");
        Connection::open(&path).and_then(|it| it.execute_batch(sql)).expect("writes");
        let before = std::fs::read(&path).expect("reads");
        insta::allow_duplicates! {
            insta::assert_snapshot!(error_text(try_open(&folder), folder.path()), @"FOLDER/season.db is not the database of a practice server; move it away, or choose another folder");
        }
        assert_eq!(std::fs::read(&path).expect("reads"), before);
    }
    std::fs::remove_file(&path).expect("removes");
    std::fs::create_dir(&path).expect("a folder");
    assert!(matches!(try_open(&folder), Err(DatabaseError::Foreign { .. })));
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let folder = folder();
    std::fs::write(folder.path().join("file"), "").expect("writes");
    let below = folder.path().join("file/below");
    let message = error_text(Database::open(&below, HashCost::Least, T0), folder.path());
    assert!(message.starts_with("cannot use the folder FOLDER/file/below: "), "{message}");
    // Root can write anywhere except to such paths.
    #[cfg(target_os = "linux")]
    {
        let opened = Database::open("/proc/self/fdinfo".as_ref(), HashCost::Least, T0);
        assert!(matches!(opened, Err(DatabaseError::Folder { .. })), "{opened:?}");
    }
}

/// SQLite reports the same error for a read-only database as for a database in a read-only folder.
#[test]
fn a_database_that_cannot_be_written_can_be_read() {
    let folder = folder();
    let world_of = |db: &Database| db.create_course(NOW, "a", settings()).wait();
    world_of(&open(&folder)).expect("made");
    let query_only = |handle: &connection::Handle| {
        handle.run(|connection| connection.pragma_update(None, "query_only", true))
    };
    let db = Database::open_with(folder.path(), HashCost::Least, T0, query_only).expect("opens");
    let message = error_text(db.create_course(NOW, "b", settings()).wait(), folder.path());
    insta::assert_snapshot!(message, @"the database FOLDER/season.db refused: attempt to write a readonly database; see that the file and its folder may be written");
    assert!(seen(db.course_at("a").wait().expect("reads")).is_some());
}

#[test]
fn a_full_disk_keeps_what_was_confirmed() {
    let folder = folder();
    let may_not_grow = |handle: &connection::Handle| {
        handle.run(|c| c.pragma_update_and_check(None, "max_page_count", 130, |_| Ok(())))
    };
    let db = Database::open_with(folder.path(), HashCost::Least, T0, may_not_grow).expect("opens");
    let long = |number: usize| {
        let name = format!("{} {number}", "x".repeat(190));
        NewPerson { name, ..NewPerson::default() }
    };
    let mut confirmed = Vec::new();
    let full = (0..5000).find_map(|number| {
        let added = db.add_person(NOW, long(number)).wait();
        added.map(|id| confirmed.push(id)).err()
    });
    insta::assert_snapshot!(error_text(full.map_or(Ok(()), Err), folder.path()), @"cannot write FOLDER/season.db: database or disk is full; what was confirmed is safe: make room on the disk and try again");
    assert!(confirmed.len() > 50);
    // Concurrent changes share a transaction and its failure. Reads still work.
    let many: Vec<_> = (0..50).map(|number| db.add_person(NOW, long(number))).collect();
    for added in many {
        match added.wait() {
            Ok(id) => confirmed.push(id),
            Err(error) => assert!(matches!(error, DatabaseError::Full { .. }), "{error}"),
        }
    }
    assert!(seen(db.person(confirmed[0]).wait().expect("reads")).is_some());
    drop(db);
    let db = open(&folder);
    db.check().wait().expect("sound");
    for id in &confirmed {
        assert!(seen(db.person(*id).wait().expect("reads")).is_some());
    }
    let lines = db.audit(None, 0, 100_000).wait().expect("reads");
    assert_eq!(lines.len(), confirmed.len(), "a line for each, and for nothing else");
    db.add_person(NOW, person("Eva")).wait().expect("there is room again");
}

#[test]
fn a_damaged_page_is_an_error() {
    let world = World::new();
    for number in 0..200 {
        world.upload(&number.to_string(), T0);
    }
    let (folder, db) = (world.folder, world.db);
    drop(db);
    let path = database_path(folder.path());
    let mut bytes = std::fs::read(&path).expect("reads");
    // All pages except the schema, which is read on opening.
    for page in bytes.chunks_mut(4096).skip(80) {
        page[..64].fill(0xa5);
    }
    std::fs::write(&path, bytes).expect("writes");
    let db = open(&folder);
    let check = db.check().wait();
    assert!(matches!(check, Err(DatabaseError::Damaged { .. })), "{check:?}");
    let read = db.audit(None, 0, 100_000).wait();
    assert!(matches!(read, Err(DatabaseError::Damaged { .. })), "{read:?}");
    // A backup of the database is refused, and no older backup is pruned.
    let backup = db.back_up(later(1)).wait();
    assert!(
        matches!(backup, Err(DatabaseError::Backup { .. } | DatabaseError::Damaged { .. })),
        "{backup:?}"
    );
}

#[test]
fn a_dangling_reference_is_damage() {
    let world = World::new();
    let path = database_path(world.folder.path());
    let tool = Connection::open(path).expect("opens");
    tool.execute_batch(
        "PRAGMA foreign_keys = OFF; UPDATE member SET grp = '0' WHERE grp IS NOT NULL",
    )
    .expect("writes");
    let message = error_text(world.db.check().wait(), world.folder.path());
    insta::assert_snapshot!(message, @"FOLDER/season.db is damaged: a row of the table member refers to one that is not there; stop the server and restore a backup with `pitmaster course restore`");
}

#[test]
fn a_value_that_this_program_never_writes_is_damage() {
    let world = World::new();
    let tool = Connection::open(database_path(world.folder.path())).expect("opens");
    tool.execute("UPDATE person SET id = 'x' WHERE login = 'eva'", ()).expect_err("referred to");
    tool.execute("UPDATE token SET scopes = 'x'", ()).expect("none yet");
    tool.execute_batch("PRAGMA ignore_check_constraints = ON; UPDATE course SET state = 'lost'")
        .expect("writes");
    let read = world.db.course(world.course).wait();
    assert!(matches!(read, Err(DatabaseError::Damaged { .. })), "{read:?}");
}

/// The writer syncs each commit to the disk.
#[test]
fn commits_are_synchronous() {
    let folder = folder();
    let looked = std::sync::Arc::new(std::sync::Mutex::new((0, String::new())));
    let into = looked.clone();
    let look = move |handle: &connection::Handle| {
        *into.lock().expect("not poisoned") = handle.run(|connection| {
            let number = connection.query_row("PRAGMA synchronous", (), |row| row.get(0))?;
            let mode = connection.query_row("PRAGMA journal_mode", (), |row| row.get(0))?;
            Ok((number, mode))
        })?;
        Ok(())
    };
    drop(Database::open_with(folder.path(), HashCost::Least, T0, look).expect("opens"));
    let full: (i64, String) = (2, "wal".into());
    assert_eq!(*looked.lock().expect("not poisoned"), full);
}
