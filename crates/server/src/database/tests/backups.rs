//! Backups, restores and migrations.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::super::*;
use super::fixture::*;

fn files(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("an entry").file_name().to_string_lossy().into_owned()
    };
    let mut names: Vec<_> = entries.map(name).collect();
    names.sort();
    names
}

/// Error message with the folder's name redacted.
fn error_text<T: std::fmt::Debug>(result: Result<T, DatabaseError>, folder: &Path) -> String {
    let folder = folder.display().to_string();
    result.expect_err("refused").to_string().replace(&folder, "FOLDER")
}

#[test]
fn a_backup_works_in_use_and_fourteen_are_kept() {
    let world = World::new();
    let backups = world.folder.path().join("backups");
    for night in 0..16 {
        let path = world.db.back_up(later(night * 86400)).wait().expect("backed up");
        assert!(path.starts_with(&backups));
    }
    let names = files(&backups);
    assert_eq!(names.len(), BACKUPS, "{names:?}");
    assert_eq!(names[0], "season-20261122T225900000Z.db");
    assert_eq!(names[13], "season-20261205T225900000Z.db");
    // The next start removes an incomplete backup.
    std::fs::write(backups.join("season-x.db.part"), "half").expect("writes");
    let (folder, db) = (world.folder, world.db);
    drop(db);
    drop(open(&folder));
    assert_eq!(files(&backups), names);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for file in ["season.db", "backups/season-20261205T225900000Z.db"] {
            let mode = folder.path().join(file).metadata().expect("there").permissions();
            assert_eq!(mode.mode() & 0o077, 0, "{file}");
        }
    }
}

#[test]
fn a_failed_backup_reports_its_error_and_changes_nothing() {
    let world = World::new();
    std::fs::write(world.folder.path().join("backups"), "a file").expect("writes");
    let message = error_text(world.db.back_up(T0).wait(), world.folder.path());
    assert!(message.starts_with("the backup FOLDER/backups"), "{message}");
    world.upload("1", T0);
}

#[test]
fn a_restored_backup_equals_the_original() {
    let world = World::new();
    let old = world.upload("1", T0);
    let backup = world.db.back_up(later(1)).wait().expect("backed up");
    let new = world.upload("2", later(2));
    let in_use = restore(world.folder.path(), &backup, at(later(3)));
    let owner = format!("process {} on {}", std::process::id(), pitmaster_store::host_name());
    let message = error_text(in_use, world.folder.path()).replace(&owner, "OWNER");
    insta::assert_snapshot!(message, @"FOLDER is in use by OWNER; stop that server first");
    let (folder, db) = (world.folder, world.db);
    drop(db);
    let restored = restore(folder.path(), &backup, at(later(3))).expect("restored");
    let aside = restored.set_aside.expect("there was one");
    assert_eq!(restored.erased_again, Some(0));
    let db = open(&folder);
    assert!(seen(db.version(old).wait().expect("reads")).is_some());
    assert!(seen(db.version(new).wait().expect("reads")).is_none());
    let lines = db.audit(None, 0, 1000).wait().expect("reads");
    assert_eq!(lines.last().expect("a line").action, "server.restore");
    db.check().wait().expect("sound");
    // The replaced database can be restored too.
    drop(db);
    restore(folder.path(), &aside, at(later(4))).expect("restored");
    assert!(seen(open(&folder).version(new).wait().expect("reads")).is_some());
}

#[test]
fn restoring_repeats_later_erasures() {
    let world = World::new();
    let backup = world.db.back_up(later(1)).wait().expect("backed up");
    wait(world.db.erase_person(at(later(2)), world.eva)).expect("erased");
    let (eva, folder, db) = (world.eva, world.folder, world.db);
    drop(db);
    let restored = restore(folder.path(), &backup, at(later(3))).expect("restored");
    assert_eq!(restored.erased_again, Some(1));
    assert!(seen(open(&folder).person(eva).wait().expect("reads")).is_none());
    // If the replaced database is unreadable, the erasures are unknown.
    std::fs::write(database_path(folder.path()), "not a database".repeat(100)).expect("writes");
    let restored = restore(folder.path(), &backup, at(later(4))).expect("restored");
    assert_eq!(restored.erased_again, None);
    assert!(seen(open(&folder).person(eva).wait().expect("reads")).is_some());
}

#[test]
fn a_backup_moves_to_another_machine() {
    let world = World::new();
    let version = world.upload("1", T0);
    let backup = world.db.back_up(later(1)).wait().expect("backed up");
    let other = folder();
    let target = other.path().join("school");
    let restored = restore(&target, &backup, at(later(3))).expect("restored");
    assert_eq!(restored, Restored { set_aside: None, erased_again: Some(0) });
    let db = Database::open(&target, HashCost::Least, T0).expect("opens");
    assert!(seen(db.version(version).wait().expect("reads")).is_some());
}

#[test]
fn a_bad_backup_changes_nothing() {
    let world = World::new();
    world.upload("1", T0);
    let good = world.db.back_up(later(1)).wait().expect("backed up");
    let (folder, db) = (world.folder, world.db);
    drop(db);
    let before = std::fs::read(database_path(folder.path())).expect("reads");
    let bad = |name: &str, content: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("writes");
        path
    };
    let mut flipped = std::fs::read(&good).expect("reads");
    let middle = flipped.len() / 2;
    flipped[middle - 4096..middle + 4096].fill(0xa5);
    let cut = flipped[..middle].to_vec();
    for backup in [
        bad("empty", b""),
        bad("text", b"a text"),
        bad("flipped", &flipped),
        bad("cut", &cut),
        folder.path().join("absent"),
    ] {
        let message = error_text(restore(folder.path(), &backup, at(later(3))), folder.path());
        assert!(message.contains("FOLDER/"), "{message}");
        assert_eq!(std::fs::read(database_path(folder.path())).expect("reads"), before);
    }
    open(&folder);
}

/// Performs the steps of a restore one by one. A crash may interrupt each.
#[test]
fn an_interrupted_restore_is_detected_and_can_be_repeated() {
    let world = World::new();
    world.upload("1", T0);
    let backup = world.db.back_up(later(1)).wait().expect("backed up");
    let (folder, db) = (world.folder, world.db);
    drop(db);
    let path = database_path(folder.path());
    let new = folder.path().join("season.db.restoring");
    std::fs::copy(&backup, &new).expect("copies");
    drop(open(&folder));
    std::fs::rename(&path, folder.path().join("aside")).expect("renames");
    let message = error_text(Database::open(folder.path(), HashCost::Least, T0), folder.path());
    insta::assert_snapshot!(message, @"FOLDER/season.db is missing, but FOLDER/season.db.restoring is there; restore a backup with `pitmaster course restore`");
    restore(folder.path(), &backup, at(later(3))).expect("restored");
    drop(open(&folder));
    assert!(!new.exists());
    // A log without its database.
    std::fs::remove_file(&path).expect("removes");
    std::fs::write(folder.path().join("season.db-wal"), "x").expect("writes");
    for empty in [false, true] {
        if empty {
            std::fs::write(&path, "").expect("writes");
        }
        let opened = Database::open(folder.path(), HashCost::Least, T0);
        assert!(matches!(opened, Err(DatabaseError::Interrupted { .. })), "{opened:?}");
    }
}

const NEXT: &str = "CREATE TABLE later (x INTEGER) STRICT; UPDATE course SET title = 'migrated'";

#[test]
fn a_migration_is_atomic_and_backed_up() {
    let world = World::new();
    let (folder, db) = (world.folder, world.db);
    drop(db);
    let handle = connection::Handle::open_to_write(&database_path(folder.path())).expect("opens");
    let broken = "CREATE TABLE later (x); INSERT INTO nowhere VALUES (1)";
    let with = |next: &'static str| {
        let mut all = schema::MIGRATIONS.to_vec();
        all.push(next);
        all
    };
    let (known, next) = (SCHEMA_VERSION, SCHEMA_VERSION + 1);
    let migrate = |steps: &[&str]| schema::migrate_with(&handle, folder.path(), later(1), steps);
    assert!(matches!(migrate(&with(broken)), Err(DatabaseError::Database { .. })));
    let version = |connection: &Connection| -> u32 {
        connection.query_row("PRAGMA user_version", (), |row| row.get(0)).expect("a version")
    };
    let later_is_there = |connection: &Connection| {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'later'";
        connection.query_row(sql, (), |row| row.get::<_, u32>(0)).expect("counts") == 1
    };
    assert_eq!((version(&handle.connection), later_is_there(&handle.connection)), (known, false));
    migrate(&with(NEXT)).expect("migrates");
    assert_eq!((version(&handle.connection), later_is_there(&handle.connection)), (next, true));
    let backups = files(&folder.path().join("backups"));
    assert_eq!(backups, [format!("season-before-schema-{next}-20261120T225901000Z.db")]);
    let copy = Connection::open(folder.path().join("backups").join(&backups[0])).expect("opens");
    assert_eq!((version(&copy), later_is_there(&copy)), (known, false));
    drop(handle);
    // This program does not support the new schema.
    let newer = Database::open(folder.path(), HashCost::Least, T0);
    insta::assert_snapshot!(error_text(newer, folder.path()), @"FOLDER/season.db was written by a newer Pitmaster (schema 6, this one knows 5); use that one, or restore a backup that was made before the upgrade");
    drop(copy);
    let backup = folder.path().join("backups").join(&backups[0]);
    restore(folder.path(), &backup, at(later(3))).expect("back to the old one");
    drop(open(&folder));
}

/// Undoes the newest migration.
const BEFORE_5: &str = "DROP TABLE ask;
    CREATE TABLE ask (id TEXT PRIMARY KEY, asked_by TEXT, grp TEXT, version TEXT, opponent TEXT,
                      house TEXT, pairs INTEGER, made INTEGER, state TEXT);";

/// Undoes the one before, too.
const BEFORE_4: &str = "ALTER TABLE bot DROP COLUMN plays_people;";

#[test]
fn a_database_of_schema_1_is_migrated() {
    let world = World::new();
    let (folder, db, course) = (world.folder, world.db, world.course);
    drop(db);
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute_batch(&format!("{BEFORE_5} {BEFORE_4} DROP TABLE grade; DROP TABLE final_run;"))
        .expect("done");
    tool.execute_batch("PRAGMA user_version = 1").expect("as schema 1 was");
    drop(tool);
    let db = open(&folder);
    assert_eq!(db.final_runs(course).wait().expect("reads"), []);
    assert!(!db.members(course).wait().expect("reads").is_empty());
    let backups = files(&folder.path().join("backups"));
    assert_eq!(backups.len(), 4);
    assert!(backups[0].starts_with("season-before-schema-2-"), "{backups:?}");
    assert!(backups[1].starts_with("season-before-schema-3-"), "{backups:?}");
}

#[test]
fn a_database_of_schema_2_is_migrated() {
    let world = World::new();
    world.db.play_final(world.staff(later(1)), world.course, "final").wait().expect("asked for");
    let (folder, db, course) = (world.folder, world.db, world.course);
    drop(db);
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute_batch(&format!("{BEFORE_5} {BEFORE_4} DROP TABLE grade;")).expect("done");
    tool.execute_batch("PRAGMA user_version = 2").expect("as schema 2 was");
    drop(tool);
    let db = open(&folder);
    assert_eq!(db.publication(course).wait().expect("reads"), None);
    assert_eq!(db.final_runs(course).wait().expect("reads").len(), 1);
    let backups = files(&folder.path().join("backups"));
    assert!(
        matches!(&backups[..], [one, _, _] if one.starts_with("season-before-schema-3-")),
        "{backups:?}"
    );
}

#[test]
fn a_database_of_schema_3_is_migrated() {
    let world = World::new();
    let (folder, db, bot) = (world.folder, world.db, world.bot);
    drop(db);
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute_batch(&format!("{BEFORE_5} {BEFORE_4} PRAGMA user_version = 3"))
        .expect("as schema 3 was");
    drop(tool);
    let db = open(&folder);
    assert!(seen(db.bot(bot).wait().expect("reads")).expect("there").plays_people);
    db.let_people_play(NOW, bot, false).wait().expect("set");
    assert!(!seen(db.bot(bot).wait().expect("reads")).expect("there").plays_people);
    let backups = files(&folder.path().join("backups"));
    assert!(
        matches!(&backups[..], [one, _] if one.starts_with("season-before-schema-4-")),
        "{backups:?}"
    );
}

#[test]
fn a_database_of_schema_4_is_migrated() {
    let world = World::new();
    let version = world.upload("1", T0);
    world.examine("1", T0);
    let (folder, db, course, eva) = (world.folder, world.db, world.course, world.eva);
    let ladder = db.add_ladder(NOW, course, "main", String::new(), serde_json::json!({}));
    let ladder = ladder.wait().expect("added");
    drop(db);
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute_batch(&format!("{BEFORE_5} PRAGMA user_version = 4")).expect("as schema 4 was");
    drop(tool);
    let db = open(&folder);
    let opponent = Opponent::House("house-greedy".parse().expect("a name"));
    let request = NewGameRequest { ladder, version, opponent, pairs: 1 };
    db.request_games(NOW, eva, request, vec![]).wait().expect("asked");
    assert_eq!(db.waiting_game_requests(ladder).wait().expect("reads").len(), 1);
    let backups = files(&folder.path().join("backups"));
    assert!(
        matches!(&backups[..], [one] if one.starts_with("season-before-schema-5-")),
        "{backups:?}"
    );
}
