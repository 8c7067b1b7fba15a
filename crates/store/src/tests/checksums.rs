//! Tests that one changed byte anywhere in a stored game is detected.

use rusqlite::Connection;
use rusqlite::types::Value;

use super::*;

/// Creates a closed store with a game with all fields, and a void one.
fn kept() -> tempfile::TempDir {
    let folder = folder();
    let store = open(&folder);
    let void = AttemptState::Void { reason: "the machine slept".into() };
    store.commit(Attempt { state: void, ..attempt(plain(1)) }).expect("commits");
    store.commit(attempt(eventful())).expect("commits");
    store.commit(attempt(plain(2))).expect("commits");
    folder
}

fn tool(folder: &tempfile::TempDir) -> Connection {
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    tool.execute_batch("PRAGMA ignore_check_constraints = ON").expect("set");
    tool
}

fn columns(tool: &Connection) -> Vec<String> {
    let select = tool.prepare("SELECT * FROM attempts").expect("a table");
    let names = select.column_names().map(str::to_owned);
    names.filter(|name| name != "number").collect()
}

/// Slightly damaged variants of a value, as SQL expressions.
fn damaged(value: &Value) -> Vec<Vec<u8>> {
    let Value::Text(text) = value else { return Vec::new() };
    let places = [0, text.len() / 2, text.len().saturating_sub(1)];
    let flipped = |place: usize| {
        let mut bytes = text.clone().into_bytes();
        bytes[place] ^= 1;
        bytes
    };
    places.into_iter().filter(|place| *place < text.len()).map(flipped).collect()
}

#[test]
fn a_flipped_byte_in_any_text_of_a_stored_game_is_noticed() {
    let folder = kept();
    let tool = tool(&folder);
    let reader = Reader::open(folder.path()).expect("opens");
    reader.require_intact().expect("nothing was changed yet");
    let (mut flips, mut noticed_in) = (0, HashSet::new());
    for number in 1..=3 {
        for column in columns(&tool) {
            let sql = format!("SELECT {column} FROM attempts WHERE number = {number}");
            let value: Value = tool.query_row(&sql, (), |row| row.get(0)).expect("reads");
            let set = format!(
                "UPDATE OR IGNORE attempts SET {column} = CAST(?1 AS TEXT) WHERE number = {number}"
            );
            for bytes in damaged(&value) {
                tool.execute(&set, (bytes,)).expect("changes");
                let found = reader.require_intact();
                assert!(matches!(found, Err(StoreError::Altered { .. })), "{column}: {found:?}");
                assert_eq!(reader.damaged().expect("reads").len(), 1, "{column}");
                let read = reader.for_each_attempt(|_| Ok::<_, StoreError>(()));
                assert!(matches!(read, Err(StoreError::Altered { .. })), "{column}: {read:?}");
                tool.execute(
                    &format!("UPDATE attempts SET {column} = ?1 WHERE number = {number}"),
                    (&value,),
                )
                .expect("changes back");
                flips += 1;
                noticed_in.insert(column.clone());
            }
        }
    }
    reader.require_intact().expect("all is as it was");
    for column in
        ["moves", "movers", "ending_facts", "key", "reason", "state", "checksum", "wall_ns"]
    {
        assert!(noticed_in.contains(column), "{column}");
    }
    assert!(flips > 150, "{flips}");
}

#[test]
fn a_changed_number_of_a_stored_game_is_noticed() {
    let folder = kept();
    let tool = tool(&folder);
    let reader = Reader::open(folder.path()).expect("opens");
    for column in columns(&tool) {
        let sql = format!("SELECT {column} FROM attempts WHERE number = 2");
        let value: Value = tool.query_row(&sql, (), |row| row.get(0)).expect("reads");
        if let Value::Integer(number) = value {
            let set = format!("UPDATE attempts SET {column} = ?1 WHERE number = 2");
            tool.execute(&set, (number ^ 1,)).expect("changes");
            let found = reader.load(&eventful().id());
            assert!(matches!(found, Err(StoreError::Altered { .. })), "{column}: {found:?}");
            tool.execute(&set, (number,)).expect("changes back");
        }
    }
    reader.require_intact().expect("all is as it was");
}

/// Changes the file directly, like a failing disk, so that indexes keep the old value.
#[test]
fn a_game_that_no_longer_says_that_it_counts_is_noticed_and_can_be_played_again() {
    let folder = kept();
    let path = database_path(folder.path());
    let mut bytes = std::fs::read(&path).expect("reads");
    let row = [plain(2).id().as_str().as_bytes(), b"valid"].concat();
    let place = bytes.windows(row.len()).position(|window| window == row).expect("the row");
    bytes[place + row.len() - 1] ^= 1;
    std::fs::write(&path, bytes).expect("writes");
    let reader = Reader::open(folder.path()).expect("opens");
    let game = plain(2).id().to_string();
    assert_eq!(reader.require_intact(), Err(StoreError::Altered { path, game: game.clone() }));
    assert_eq!(reader.damaged().expect("reads")[0].game, game);
    drop(reader);
    let store = open(&folder);
    assert_eq!(store.invalidate_damaged("its record was damaged"), Ok(1));
    let reader = store.reader().expect("opens");
    reader.require_intact().expect("what is damaged is known");
    reader.check().expect("sound");
    assert_eq!(reader.attempts(&plain(2).id()), Ok(vec![]));
    assert_eq!(reader.counts(), Ok(Counts { valid: 1, void: 2, surplus: 0 }));
    store.commit(attempt(plain(2))).expect("it is played again");
    assert_eq!(reader.load(&plain(2).id()), Ok(Some(attempt(plain(2)))));
}

#[test]
fn a_damaged_game_is_not_vouched_for_by_setting_it_aside() {
    let folder = kept();
    tool(&folder)
        .execute("UPDATE attempts SET moves = '2R 9TB' WHERE number = 3", ())
        .expect("sets");
    let store = open(&folder);
    let void = AttemptState::Void { reason: "worker".into() };
    let told = store.invalidate(vec![plain(2).id()], void.clone());
    assert!(matches!(told, Err(StoreError::Altered { .. })), "{told:?}");
    let told = store.invalidate_of("here", void);
    assert!(matches!(told, Err(StoreError::Altered { .. })), "{told:?}");
}

#[test]
fn an_older_database_gets_checksums_and_what_does_not_fit_is_told() {
    let schema = include_str!("../../../../tests/golden/store/schema-3.sql");
    let folder = folder();
    let old = Connection::open(database_path(folder.path())).expect("opens");
    old.execute_batch(schema).expect("restores");
    // The fingerprint belongs to other moves.
    let game = plain(2).id();
    let set = "UPDATE attempts SET moves = '2R 9TB' WHERE game_id = ?1";
    assert_eq!(old.execute(set, (game.as_str(),)), Ok(1));
    drop(old);
    let store = open(&folder);
    let damaged = store.reader().expect("opens").damaged().expect("reads");
    assert_eq!(damaged.iter().map(|damage| &*damage.game).collect::<Vec<_>>(), [game.as_str()]);
    assert!(store.reader().expect("opens").load(&eventful().id()).expect("reads").is_some());
}

#[test]
fn outcomes_of_checked_records_are_in_order_however_many_read_them() {
    let folder = folder();
    let store = open(&folder);
    // Three parts of records, the last of which is not full.
    let mut attempts: Vec<_> = (1..=4_500).map(|pair| attempt(plain(pair))).collect();
    let void = AttemptState::Void { reason: "the machine slept".into() };
    attempts[17].state = void;
    store.commit_together(attempts).expect("commits");
    let reader = store.reader().expect("opens");
    let mut expected = Vec::new();
    reader.for_each_outcome(|outcome| expected.push(outcome)).expect("reads");
    assert_eq!(expected.len(), 4_499);
    for connections in [1, 2, 4] {
        let mut outcomes = Vec::new();
        reader.read_parts(connections, |outcome| outcomes.push(outcome)).expect("reads");
        assert_eq!(outcomes, expected, "{connections}");
    }
}

#[test]
fn an_altered_record_is_noticed_while_outcomes_are_read() {
    let folder = kept();
    let tool = tool(&folder);
    let reader = Reader::open(folder.path()).expect("opens");
    let read = || {
        let mut ids = Vec::new();
        let done = reader.for_each_intact_outcome(|outcome| ids.push(outcome.id));
        done.map(|()| ids)
    };
    let intact = read();
    assert_eq!(intact, Ok(vec![eventful().id(), plain(2).id()]));
    // The same for a record that does not count.
    tool.execute("UPDATE attempts SET plies = 77 WHERE number = 1", ()).expect("changes");
    assert!(matches!(read(), Err(StoreError::Altered { .. })));
    tool.execute("UPDATE attempts SET checksum = 'damaged' WHERE number = 1", ()).expect("changes");
    assert_eq!(read(), intact);
}
