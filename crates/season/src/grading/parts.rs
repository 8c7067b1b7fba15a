//! Manually assigned points: a CSV file with a row per person and a column per part.

use std::collections::BTreeMap;

use pitmaster_core::BotName;

use super::Points;
use crate::{Class, Member};

/// Manually assigned points by key, id and part. Without an id they apply to all people with the
/// key, because members of a group share one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts(BTreeMap<(BotName, Option<String>, String), Points>);

/// Errors in a file of parts.
#[derive(Debug, thiserror::Error)]
pub enum PartsError {
    /// The file is not CSV.
    #[error("{0}")]
    Csv(#[from] csv::Error),
    /// The header has no column that identifies people.
    #[error("line 1: no column \"key\" or \"id\"; add one with the keys or ids of class.csv")]
    NoKey,
    /// A row names no person of the class.
    #[error("line {line}: {who:?} is not in the class list; correct it, or delete the row")]
    Unknown {
        /// Line.
        line: u64,
        /// The key or id.
        who: String,
    },
    /// A cell is not a number.
    #[error("line {line}: {column}: {text:?} is not a number of points; write one, such as 3.5")]
    NotPoints {
        /// Line.
        line: u64,
        /// Column.
        column: String,
        /// The cell.
        text: String,
    },
}

impl Parts {
    /// Reads a file with a column `key` or `id` and a column for each part. Empty cells are
    /// skipped. The delimiter is a comma or a semicolon; decimals have a point or a comma.
    ///
    /// # Errors
    /// A cell is not a number, or a row names no person of the class.
    pub fn parse(bytes: &[u8], class: &Class) -> Result<Self, PartsError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let header = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let delimiter = if header.contains(&b';') { b';' } else { b',' };
        let mut rows = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
        let header = rows.headers()?.clone();
        let column = |name| header.iter().position(|column| column == name);
        let (key, id) = (column("key"), column("id"));
        let who = key.or(id).ok_or(PartsError::NoKey)?;
        let mut parts = BTreeMap::new();
        for row in rows.records() {
            let row = row?;
            let line = row.position().map_or(0, csv::Position::line);
            let name = row[who].to_owned();
            let found = class.members.iter().find(|member| match key {
                Some(_) => member.key.as_str() == name,
                None => member.id == name,
            });
            let Some(member) = found else { return Err(PartsError::Unknown { line, who: name }) };
            for (column, text) in header.iter().zip(&row) {
                if ["key", "id", "name", "email"].contains(&column) || text.trim().is_empty() {
                    continue;
                }
                let (column, text) = (column.to_owned(), text.to_owned());
                let id = key.is_none().then(|| member.id.clone());
                match Points::parse(&text) {
                    Some(points) => parts.insert((member.key.clone(), id, column), points),
                    None => return Err(PartsError::NotPoints { line, column, text }),
                };
            }
        }
        Ok(Self(parts))
    }

    /// Points of a person for a part: those of the person alone, otherwise those of the key.
    pub fn points(&self, member: &Member, part: &str) -> Option<Points> {
        let of = |id| self.0.get(&(member.key.clone(), id, part.to_owned())).copied();
        of(Some(member.id.clone())).or_else(|| of(None))
    }
}
