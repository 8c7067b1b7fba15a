//! Column encoding of types that SQLite does not have.

use std::time::Duration;

use pitmaster_core::{Dialect, DialectError};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value as JSON text in a column.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

/// Value of a JSON column.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get::<_, Json<T>>(column).map(|json| json.0)
}

/// Durations as a JSON list of nanoseconds.
pub(super) fn nanos(times: impl IntoIterator<Item = Duration>) -> Json<Vec<u64>> {
    let whole = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    Json(times.into_iter().map(whole).collect())
}

/// Converts a number to SQLite's 64-bit integer, which covers 292 years in nanoseconds.
pub(super) fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// Dialect of a bot.
pub(super) fn dialect(row: &Row<'_>, column: &'static str) -> rusqlite::Result<Dialect> {
    let name = row.get_ref(column)?.as_str()?;
    name.parse().map_err(|fault: DialectError| unreadable(column, &fault.to_string()))
}

/// Error for an unexpected column value.
pub(super) fn unreadable(column: &'static str, why: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(
        0,
        rusqlite::types::Type::Text,
        format!("column {column}: {why}").into(),
    )
}
