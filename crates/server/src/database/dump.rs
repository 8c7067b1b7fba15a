//! Text dump of a database, for tests that compare states.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::ValueRef;

/// Sorted rows of each table, except the columns with the last use of sessions and tokens, which
/// every request may change.
pub(crate) fn dump(path: &Path) -> BTreeMap<String, Vec<String>> {
    let connection = Connection::open(path).expect("opens");
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut tables = connection.prepare(tables).expect("a schema");
    let names = tables.query_map((), |row| row.get::<_, String>(0)).expect("tables");
    let names: Vec<_> = names.map(|name| name.expect("a name")).collect();
    names.into_iter().map(|name| (name.clone(), rows(&connection, &name))).collect()
}

fn rows(connection: &Connection, table: &str) -> Vec<String> {
    let mut select = connection.prepare(&format!("SELECT * FROM {table}")).expect("a table");
    let columns: Vec<_> = select.column_names().map(str::to_owned).collect();
    let is_use = |column: &str| column == "seen" && ["session", "token"].contains(&table);
    let kept: Vec<_> = columns.iter().enumerate().filter(|(_, column)| !is_use(column)).collect();
    let text = |row: &rusqlite::Row<'_>| {
        let cell = |(at, column): &(usize, &String)| {
            let value = row.get_ref(*at).map(shown)?;
            Ok(format!("{column}={value}"))
        };
        let cells: rusqlite::Result<Vec<_>> = kept.iter().map(cell).collect();
        Ok(cells?.join(" "))
    };
    let rows = select.query_map((), text).expect("rows");
    let mut rows: Vec<_> = rows.map(|row| row.expect("a row")).collect();
    rows.sort();
    rows
}

/// Text of a value. Text in a blob remains readable, so that a test finds a secret in it.
fn shown(value: ValueRef<'_>) -> String {
    let text = |bytes: &[u8]| match str::from_utf8(bytes) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("{bytes:02x?}"),
    };
    match value {
        ValueRef::Null => "null".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => text(bytes),
    }
}
