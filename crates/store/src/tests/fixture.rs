//! Tests with databases of every schema version ever written, stored unchanged.

use rusqlite::Connection;

use super::*;

const SCHEMA_1: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/store/schema-1.sql"));
const SCHEMA_2: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/store/schema-2.sql"));

const SCHEMA_3: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/store/schema-3.sql"));

const SCHEMA_4: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/store/schema-4.sql"));

const SCHEMA_5: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/store/schema-5.sql"));

fn restored(sql: &str) -> tempfile::TempDir {
    let folder = folder();
    let database = Connection::open(database_path(folder.path())).expect("opens");
    database.execute_batch(sql).expect("restores");
    folder
}

#[test]
fn a_database_of_every_schema_is_read_and_brought_forward() {
    for schema in [SCHEMA_1, SCHEMA_2, SCHEMA_3, SCHEMA_4, SCHEMA_5] {
        is_read_and_brought_forward(schema);
    }
}

fn is_read_and_brought_forward(schema: &str) {
    let folder = restored(schema);
    let store = open(&folder);
    let reader = store.reader().expect("opens");
    let id = eventful().id();
    assert_eq!(reader.load(&id), Ok(Some(attempt(eventful()))));
    let second = reader.load(&plain(2).id()).expect("reads").expect("is there");
    assert_eq!(Attempt { isolation: None, ..second.clone() }, attempt(plain(2)));
    // Older databases have no isolation.
    let isolations = reader.isolations().expect("reads");
    assert_eq!(second.isolation.is_some(), !isolations.is_empty());
    let states: Vec<_> =
        reader.attempts(&id).expect("reads").into_iter().map(|a| a.state).collect();
    let void = AttemptState::Void { reason: "the machine slept".into() };
    assert_eq!(states, [void, AttemptState::Valid]);
    assert_eq!(reader.meta::<String>("title"), Ok(Some("Contest".into())));
    assert_eq!(reader.bots().expect("reads")[0].id, bot("a"));
    store.commit(attempt(plain(3))).expect("and written");
    // It was migrated.
    let tool = Connection::open(database_path(folder.path())).expect("opens");
    let version: u32 =
        tool.query_row("PRAGMA user_version", (), |row| row.get(0)).expect("a version");
    let count = |view: &str| -> i64 {
        let sql = format!("SELECT count(*) FROM {view}");
        tool.query_row(&sql, (), |row| row.get(0)).expect("a view")
    };
    let counts = ["v_games", "v_not_counted", "v_bots", "v_isolations"].map(count);
    let known = i64::from(second.isolation.is_some());
    assert_eq!((version, counts), (SCHEMA_VERSION, [3, 1, 1, known]));
}

#[test]
fn an_old_database_becomes_what_a_new_one_is() {
    let shape = |folder: &tempfile::TempDir| {
        let database = Connection::open(database_path(folder.path())).expect("opens");
        let sql =
            "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)";
        database.query_row(sql, (), |row| row.get::<_, String>(0)).expect("reads")
    };
    let new = folder();
    drop(open(&new));
    assert_eq!(shape(&restored(SCHEMA_5)), shape(&new));
    for schema in [SCHEMA_1, SCHEMA_2, SCHEMA_3, SCHEMA_4] {
        let old = restored(schema);
        drop(open(&old));
        assert_eq!(shape(&old), shape(&new));
    }
}

/// Writes the database that the fixture of the newest schema is dumped from. Run once for each
/// schema: `PITMASTER_TEST_FIXTURE=DIR cargo test -- --ignored writes_a_fixture`, then `sqlite3
/// DIR/tournament.db .dump`, with both pragmas of the header added.
#[test]
#[ignore = "makes a fixture"]
fn writes_a_fixture() {
    let Some(target) = std::env::var_os("PITMASTER_TEST_FIXTURE") else { return };
    let store = Store::open(target.as_ref(), Durability::Normal).expect("opens");
    store.commit(attempt(plain(1))).expect("commits");
    let void = AttemptState::Void { reason: "the machine slept".into() };
    store.invalidate(vec![plain(1).id()], void).expect("sets aside");
    store.commit(attempt(eventful())).expect("commits");
    let contained = isolation(Tier::Portable, Level::Enforced, "refused");
    let number = store.put_isolation(&contained).expect("puts");
    let second = Attempt { isolation: Some(number), ..attempt(plain(2)) };
    store.commit(second).expect("commits");
    store.put_meta("title", &"Contest").expect("puts");
    let bot = KnownBot {
        id: bot("a"),
        display: Untrusted::new("A"),
        path: "bots/a".into(),
        dialect: Dialect::Arena,
        build: serde_json::json!({}),
        state: BotState::Active,
    };
    store.put_bots(vec![bot]).expect("puts");
}
