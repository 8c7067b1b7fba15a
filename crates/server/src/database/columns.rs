//! Column encoding of types that SQLite does not have.

use std::fmt::Display;
use std::str::FromStr;

use pitmaster_core::i18n::{Message, said};
use pitmaster_season::course::Utc;
use pitmaster_store::Json;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use serde::de::DeserializeOwned;

/// Text encoding of a value: ids, and enums by their names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<T>(pub(super) T);

impl<T: Display> ToSql for Text<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.to_string().into())
    }
}

impl<T: FromStr<Err: Display>> FromSql for Text<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        text.parse()
            .map(Self)
            .map_err(|error: T::Err| FromSqlError::other(UnknownText(error.to_string())))
    }
}

/// A column has a text that this program never writes.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct UnknownText(String);

/// Value of a text column.
pub(super) fn text<T: FromStr<Err: Display>>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get::<_, Text<T>>(column).map(|text| text.0)
}

/// Value of a text column that may be NULL.
pub(super) fn maybe<T: FromStr<Err: Display>>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<_, Option<Text<T>>>(column).map(|text| text.map(|text| text.0))
}

/// Value of a column with an instant.
pub(super) fn instant(row: &Row<'_>, column: &str) -> rusqlite::Result<Utc> {
    row.get(column).map(Utc)
}

/// Value of a column with an instant that may be NULL.
pub(super) fn maybe_instant(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Utc>> {
    row.get::<_, Option<i64>>(column).map(|at| at.map(Utc))
}

/// JSON encoding of a message, which is translated when it is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored<'m>(pub(super) &'m Message);

impl ToSql for Stored<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(self.0);
        Ok(text.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?.into())
    }
}

/// Message of a column that may be NULL. Older databases have plain text instead of encoded
/// messages.
pub(super) fn maybe_message(row: &Row<'_>, column: &str) -> rusqlite::Result<Option<Message>> {
    let text: Option<String> = row.get(column)?;
    Ok(text.map(|text| serde_json::from_str(&text).unwrap_or_else(|_| said!("{}", text))))
}

/// Value of a JSON column.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    row.get::<_, Json<T>>(column).map(|json| json.0)
}

/// Value of a JSON column that may be NULL.
pub(super) fn maybe_json<T: DeserializeOwned>(
    row: &Row<'_>,
    column: &str,
) -> rusqlite::Result<Option<T>> {
    row.get::<_, Option<Json<T>>>(column).map(|json| json.map(|json| json.0))
}
