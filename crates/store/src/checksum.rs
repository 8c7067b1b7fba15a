//! Checksums of stored attempts, which detect rows that were altered.
//!
//! They protect against accidental changes, not against a change of a record together with its
//! checksum.

use std::fmt;

use pitmaster_core::Untrusted;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, Row, Statement, named_params};

use super::attempt::Attempt;

/// Checksum column of an invalidated damaged record. The record is kept and never read as an
/// attempt again.
pub(super) const DAMAGED: &str = "damaged";

/// Checksum column of a row that is not completely written yet.
pub(super) const PENDING: &str = "00000000000000000000000000000000";

/// Size in bytes that most rows do not exceed.
const ROW: usize = 8192;

/// A value that no record has as its checksum.
const NONE: &str = "";

/// Condition for all records except those known to be damaged.
pub(super) const ALL_RECORDS: &str =
    "SELECT * FROM attempts WHERE checksum IS NOT 'damaged' ORDER BY number";

/// Hashed first, to identify the checksum format.
const DOMAIN: &[u8] = b"pitmaster attempt 1\n";

/// Columns that a checksum excludes: the row's location and the checksum itself.
const LEFT_OUT: [&str; 2] = ["number", "checksum"];

/// Computes the checksum of a complete row of `attempts`.
///
/// Each column counts with its name, its type and its length. NULL columns do not count, so columns
/// added by later versions do not change checksums.
fn of_row(row: &Row<'_>) -> rusqlite::Result<String> {
    // Hashed at once, which is several times faster than in pieces.
    let mut bytes = Vec::with_capacity(ROW);
    bytes.extend_from_slice(DOMAIN);
    let statement: &Statement<'_> = row.as_ref();
    for column in 0..statement.column_count() {
        let name = statement.column_name(column)?;
        if !LEFT_OUT.contains(&name) {
            add(&mut bytes, name, row.get_ref(column)?);
        }
    }
    Ok(blake3::hash(&bytes).to_hex()[..PENDING.len()].to_owned())
}

fn add(row: &mut Vec<u8>, name: &str, value: ValueRef<'_>) {
    let (integer, real);
    let (kind, bytes): (u8, &[u8]) = match value {
        ValueRef::Null => return,
        ValueRef::Integer(number) => {
            integer = number.to_le_bytes();
            (b'i', &integer)
        }
        ValueRef::Real(number) => {
            real = number.to_le_bytes();
            (b'r', &real)
        }
        ValueRef::Text(bytes) => (b't', bytes),
        ValueRef::Blob(bytes) => (b'b', bytes),
    };
    row.extend_from_slice(&(name.len() as u64).to_le_bytes());
    row.extend_from_slice(name.as_bytes());
    row.push(kind);
    row.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    row.extend_from_slice(bytes);
}

/// A record that differs from the written one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Altered {
    /// Id of the game in the row.
    pub(super) game: String,
}

impl fmt::Display for Altered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the record of game {} is not what was written", self.game)
    }
}

impl std::error::Error for Altered {}

/// Checks that a complete row of `attempts` is unchanged.
pub(super) fn require(row: &Row<'_>) -> rusqlite::Result<()> {
    if is_intact(row)? {
        return Ok(());
    }
    let altered = Altered { game: game_of(row) };
    Err(rusqlite::Error::FromSqlConversionFailure(0, Type::Text, altered.into()))
}

/// Returns whether a complete row of `attempts` is unchanged.
pub(super) fn is_intact(row: &Row<'_>) -> rusqlite::Result<bool> {
    let kept = row.get_ref("checksum")?;
    Ok(matches!(kept, ValueRef::Text(kept) if kept == of_row(row)?.as_bytes()))
}

/// Id of the game in a row, regardless of its other columns.
pub(super) fn game_of(row: &Row<'_>) -> String {
    let bytes = match row.get_ref("game_id") {
        Ok(ValueRef::Text(bytes) | ValueRef::Blob(bytes)) => bytes,
        _ => b"?",
    };
    Untrusted::new(bytes).shown(40)
}

/// Sets the checksum of a row that was just written.
pub(super) fn put(connection: &Connection, number: i64) -> rusqlite::Result<()> {
    let mut select = connection.prepare_cached("SELECT * FROM attempts WHERE number = ?1")?;
    let checksum = select.query_row((number,), of_row)?;
    set(connection, number, &checksum)
}

fn set(connection: &Connection, number: i64, checksum: &str) -> rusqlite::Result<()> {
    let sql = "UPDATE attempts SET checksum = :checksum WHERE number = :number";
    let set = named_params! {":number": number, ":checksum": checksum};
    connection.prepare_cached(sql)?.execute(set).map(drop)
}

/// Computes the checksums of all records of an older database. A record that is unreadable, or
/// whose moves or key do not match their stored fingerprint and id, gets an invalid checksum.
pub(super) fn put_on_all(connection: &Connection) -> rusqlite::Result<()> {
    let mut select = connection.prepare(ALL_RECORDS)?;
    let mut rows = select.query(())?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let checksum = if is_plausible(row) { of_row(row)? } else { NONE.to_owned() };
        found.push((row.get::<_, i64>("number")?, checksum));
    }
    found.iter().try_for_each(|(number, checksum)| set(connection, *number, checksum))
}

fn is_plausible(row: &Row<'_>) -> bool {
    let noted = |column: &str| row.get::<_, String>(column);
    let read = || -> rusqlite::Result<bool> {
        let Attempt { record, .. } = Attempt::unpack(row)?;
        Ok(noted("game_id")? == record.id().as_str()
            && noted("fingerprint")? == format!("{:016x}", record.fingerprint()))
    };
    read().unwrap_or(false)
}
