//! Tests of refused operations, which must lose no data.

use rusqlite::Connection;

use super::*;

/// The message without the folder's name.
fn told<T: std::fmt::Debug>(result: Result<T, StoreError>, folder: &tempfile::TempDir) -> String {
    let folder = folder.path().display().to_string();
    result.expect_err("refused").to_string().replace(&folder, "FOLDER")
}

#[test]
fn a_second_writer_is_told_who_the_first_is() {
    let folder = folder();
    let first = open(&folder);
    let message = told(Store::open(folder.path(), Durability::Normal), &folder);
    let owner = format!("process {} on {}", std::process::id(), host_name());
    insta::assert_snapshot!(message.replace(&owner, "OWNER"), @"FOLDER is being written by OWNER; wait for its end, or start beside it with --fresh");
    first.commit(attempt(plain(1))).expect("the first is not disturbed");
    drop(first);
    open(&folder);
}

#[test]
fn a_reader_reads_beside_the_writer() {
    let folder = folder();
    let store = open(&folder);
    let reader = Reader::open(folder.path()).expect("opens");
    assert_eq!(reader.counts(), Ok(Counts::default()));
    store.commit(attempt(plain(1))).expect("commits");
    assert_eq!(reader.valid_ids(), Ok(HashSet::from([plain(1).id()])));
}

#[test]
fn what_is_no_database_of_ours_is_left_alone() {
    let folder = folder();
    insta::assert_snapshot!(told(Reader::open(folder.path()), &folder), @"there are no results in FOLDER; check the path, or play the tournament first");
    std::fs::write(database_path(folder.path()), "rank,bot,games\n".repeat(100)).expect("writes");
    insta::assert_snapshot!(told(Reader::open(folder.path()), &folder), @"FOLDER/tournament.db is damaged: file is not a database; put a copy of it back, or start beside it with --fresh");
    insta::assert_snapshot!(told(Store::open(folder.path(), Durability::Normal), &folder), @"FOLDER/tournament.db is damaged: file is not a database; put a copy of it back, or start beside it with --fresh");
    std::fs::remove_file(database_path(folder.path())).expect("removes");
    let other = Connection::open(database_path(folder.path())).expect("opens");
    other.execute_batch("CREATE TABLE theirs (x); PRAGMA user_version = 1").expect("writes");
    drop(other);
    let before = std::fs::read(database_path(folder.path())).expect("reads");
    insta::assert_snapshot!(told(Store::open(folder.path(), Durability::Normal), &folder), @"FOLDER/tournament.db is not a database of Pitmaster; move it away, or choose another folder with --out");
    insta::assert_snapshot!(told(Reader::open(folder.path()), &folder), @"FOLDER/tournament.db is not a database of Pitmaster; move it away, or choose another folder with --out");
    assert_eq!(std::fs::read(database_path(folder.path())).expect("reads"), before);
}

#[test]
fn a_newer_schema_is_refused() {
    let folder = folder();
    drop(open(&folder));
    let newer = Connection::open(database_path(folder.path())).expect("opens");
    newer.pragma_update(None, "user_version", SCHEMA_VERSION + 1).expect("writes");
    drop(newer);
    insta::assert_snapshot!(told(Store::open(folder.path(), Durability::Normal), &folder), @"FOLDER/tournament.db was written by a newer Pitmaster (schema 6, this one knows 5); use that one");
    assert!(matches!(Reader::open(folder.path()), Err(StoreError::Newer { .. })));
}

/// SQLite reports the same error for a full disk as for a file that may not grow.
#[test]
fn a_full_disk_keeps_what_was_finished() {
    let folder = folder();
    let may_not_grow = |database: &database::Database| {
        database.run(|c| c.pragma_update_and_check(None, "max_page_count", 40, |_| Ok(())))
    };
    let store = Store::open_with(folder.path(), Durability::Normal, may_not_grow).expect("opens");
    let mut finished = HashSet::new();
    let full = (0..1000).find_map(|pair| match store.commit(attempt(plain(pair))) {
        Ok(()) => {
            finished.insert(plain(pair).id());
            None
        }
        Err(error) => Some(error),
    });
    insta::assert_snapshot!(told(full.map_or(Ok(()), Err), &folder), @"cannot write FOLDER/tournament.db: database or disk is full; what was finished is safe: make room on the disk and run again");
    assert!(!finished.is_empty());
    drop(store);
    let store = open(&folder);
    let reader = store.reader().expect("opens");
    reader.check().expect("sound");
    assert_eq!(reader.valid_ids(), Ok(finished));
    store.commit(attempt(plain(2000))).expect("there is room again");
}

#[test]
fn a_damaged_row_is_told_and_not_made_up() {
    let folder = folder();
    let store = open(&folder);
    store.commit(attempt(plain(1))).expect("commits");
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute("UPDATE attempts SET moves = moves || ' 3R'", ()).expect("writes");
    let reader = store.reader().expect("opens");
    let game = plain(1).id();
    let message = told(reader.load(&game), &folder).replace(game.as_str(), "GAME");
    insta::assert_snapshot!(message, @"FOLDER/tournament.db is damaged: the record of game GAME is not what was written; put a copy of the database back, or take damaged records out with `pitmaster void FOLDER --damaged` and play their games again");
    // Even with a valid checksum, no value is invented.
    checksum::put(&tool, 1).expect("sums");
    insta::assert_snapshot!(told(reader.load(&plain(1).id()), &folder), @"FOLDER/tournament.db is damaged: column moves: not one mover and one time for each; put a copy of it back, or start beside it with --fresh");
}

#[test]
fn a_folder_is_tried_out_without_leaving_anything() {
    let folder = folder();
    probe(&folder.path().join("new/deep"), Readers::Owner).expect("fit");
    let deep = folder.path().join("new/deep");
    assert_eq!(std::fs::read_dir(deep).expect("there").count(), 0);
    std::fs::write(folder.path().join("file"), "").expect("writes");
    let message = told(probe(&folder.path().join("file/below"), Readers::Owner), &folder);
    assert!(message.starts_with("cannot use the folder FOLDER/file/below: "), "{message}");
    assert!(message.ends_with("choose another with --out"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_system_without_files_is_refused() {
    assert!(matches!(probe("/proc/self".as_ref(), Readers::Owner), Err(StoreError::Folder { .. })));
    let proc = "/proc/self/fdinfo".as_ref();
    let error = StoreError::Database { path: "/x".into(), error: "no locks".into() };
    insta::assert_snapshot!(error.or_unfit(proc), @"the file system of /proc/self/fdinfo cannot hold a database: no locks; choose a folder on a local disk with --out");
}

/// Reads from a read-only folder with a name that is special in URIs.
#[test]
fn a_database_that_cannot_change_is_read_as_it_is() {
    let folder = folder();
    let odd = folder.path().join("a?b#c%20d é");
    let store = Store::open(&odd, Durability::Full).expect("opens");
    store.commit(attempt(plain(1))).expect("commits");
    drop(store);
    let database = database::Database::open_unchangeable(&database_path(&odd)).expect("opens");
    let count: i64 = database
        .run(|c| c.query_row("SELECT count(*) FROM v_games", (), |row| row.get(0)))
        .expect("reads");
    assert_eq!(count, 1);
}
