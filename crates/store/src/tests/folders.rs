//! Tests that results without their database are not overwritten, and that other users cannot read
//! results.

use std::fs;

use super::*;

fn refused(folder: &Path) -> String {
    let store = Store::open(folder, Durability::Normal).expect_err("refused").to_string();
    let reader = Reader::open(folder).expect_err("refused").to_string();
    assert_eq!(store, reader);
    store.replace(&folder.display().to_string(), "FOLDER")
}

#[test]
fn results_without_a_readable_database_are_left_alone() {
    let folder = folder();
    drop(open(&folder));
    let path = database_path(folder.path());
    fs::write(folder.path().join("games.csv"), "id\n").expect("writes");
    fs::write(folder.path().join("moves.jsonl"), "").expect("writes");
    drop(open(&folder));
    fs::remove_file(&path).expect("removes");
    insta::assert_snapshot!(refused(folder.path()), @"FOLDER holds results (games.csv, moves.jsonl), but no tournament.db: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh");
    assert!(is_taken(folder.path()) && !path.exists());
    fs::write(&path, "").expect("writes");
    insta::assert_snapshot!(refused(folder.path()), @"FOLDER holds results (games.csv, moves.jsonl), but tournament.db is empty: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh");
    assert_eq!(fs::read(&path).expect("reads"), b"");
    fs::remove_file(folder.path().join("games.csv")).expect("removes");
    fs::remove_file(folder.path().join("moves.jsonl")).expect("removes");
    drop(open(&folder));
}

/// A database without rows was emptied by hand.
#[test]
fn results_beside_a_database_that_holds_nothing_are_left_alone() {
    let folder = folder();
    let emptied = rusqlite::Connection::open(database_path(folder.path())).expect("opens");
    emptied.execute_batch("CREATE TABLE x (y); DROP TABLE x").expect("writes");
    drop(emptied);
    fs::write(folder.path().join("report.html"), "").expect("writes");
    insta::assert_snapshot!(refused(folder.path()), @"FOLDER holds results (report.html), but tournament.db holds nothing: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh");
}

/// SQLite would drop the log.
#[test]
fn games_that_are_in_the_log_only_are_left_alone() {
    let folder = folder();
    let log = folder.path().join("tournament.db-wal");
    fs::write(&log, "games").expect("writes");
    insta::assert_snapshot!(refused(folder.path()), @"FOLDER holds results (tournament.db-wal), but no tournament.db: put the database back from a copy; to play anew, choose another folder, or start beside it with --fresh");
    fs::write(database_path(folder.path()), "").expect("writes");
    refused(folder.path());
    assert_eq!(fs::read(&log).expect("reads"), b"games");
}

#[test]
fn something_else_under_the_name_of_the_database_is_told() {
    let folder = folder();
    let path = database_path(folder.path());
    fs::create_dir(&path).expect("a folder");
    insta::assert_snapshot!(refused(folder.path()), @"FOLDER/tournament.db is no file, so it can be no database; move it away, put the database back from a copy, or choose another folder");
    assert!(is_taken(folder.path()));
    fs::remove_dir(&path).expect("removes");
    std::os::unix::fs::symlink("nowhere", &path).expect("a link");
    refused(folder.path());
}

#[test]
fn a_new_folder_is_its_owners_alone_and_one_that_is_there_stays_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let base = folder();
    let mode = |path: &Path| path.metadata().expect("there").permissions().mode() & 0o777;
    let new = base.path().join("results/cup");
    let store = Store::open(&new, Durability::Normal).expect("opens");
    store.commit(attempt(plain(1))).expect("commits");
    assert_eq!(mode(&new), 0o700);
    for name in ["tournament.db", "tournament.db-wal", "tournament.db-shm", "tournament.lock"] {
        assert_eq!(mode(&new.join(name)), 0o600, "{name}");
    }
    create_file(&new.join("games.csv")).expect("makes");
    assert_eq!(mode(&new.join("games.csv")), 0o600);
    let shared = base.path().join("results/shared");
    make_folder(&shared, Readers::ByUmask).expect("makes");
    let store = Store::open(&shared, Durability::Normal).expect("opens");
    store.commit(attempt(plain(1))).expect("commits");
    // The umask decides, as for any folder and file.
    fs::create_dir(base.path().join("usual")).expect("makes");
    fs::write(base.path().join("usual/file"), "").expect("writes");
    assert_eq!(mode(&shared), mode(&base.path().join("usual")));
    assert_eq!(mode(&shared.join("tournament.db")), mode(&base.path().join("usual/file")));
    assert_eq!(mode(&base.path().join("results")), mode(&base.path().join("usual")));
}
