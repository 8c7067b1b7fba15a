//! Game file: one game as a file, with everything needed to display, verify and replay it.

use std::io::{self, Write};

use pitmaster_core::{BySide, Dialect, Record, json_line, json_text};
use serde::{Deserialize, Serialize};

/// Format name at the beginning of the file.
const FORMAT: &str = "pitmaster-game";

/// Version of the format.
const VERSION: u32 = 1;

/// A played game as a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameFile {
    format: String,
    version: u32,
    /// Id of the game, for people; it follows from the record.
    id: String,
    /// Dialect of each side.
    pub dialects: BySide<Dialect>,
    /// Start time in milliseconds since 1970, UTC.
    #[serde(rename = "started_unix_ms")]
    pub started_at: u64,
    /// The complete record.
    pub record: Record,
}

/// Reason why a text is not a game file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameFileError {
    /// The text is something else.
    #[error("it is no game that `pitmaster export` wrote ({0})")]
    Other(String),
    /// The file is for another version of Pitmaster.
    #[error("it has version {0} of the form, and this Pitmaster reads version {VERSION}")]
    Version(u64),
}

/// Fields that are checked before the rest is read.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u64,
}

impl GameFile {
    /// Creates the file of a game.
    pub fn new(record: Record, dialects: BySide<Dialect>, started_at: u64) -> Self {
        let id = record.id().to_string();
        Self { format: FORMAT.into(), version: VERSION, id, dialects, started_at, record }
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// The text is something else, or of another version.
    pub fn read(text: &str) -> Result<Self, GameFileError> {
        let other = |error: serde_json::Error| GameFileError::Other(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(other)?;
        if head.format != FORMAT {
            return Err(GameFileError::Other(format!("its format is {:?}", head.format)));
        }
        if head.version != u64::from(VERSION) {
            return Err(GameFileError::Version(head.version));
        }
        serde_json::from_str(text).map_err(other)
    }

    /// Writes the file as indented JSON.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", json_text(self)?)
    }

    /// Writes the file on one line.
    pub fn write_line(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", json_line(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures;
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let dialects = BySide::new(Dialect::Pitmaster, Dialect::Course);
        for record in fixtures::tournament().0 {
            let file = GameFile::new(record, dialects, 1_700_000_000_123);
            let (mut pretty, mut line) = (Vec::new(), Vec::new());
            file.write(&mut pretty).unwrap();
            file.write_line(&mut line).unwrap();
            assert_eq!(String::from_utf8_lossy(&line).lines().count(), 1);
            for bytes in [pretty, line] {
                assert_eq!(GameFile::read(&String::from_utf8(bytes).unwrap()), Ok(file.clone()));
            }
        }
    }

    #[test]
    fn what_is_something_else_is_told() {
        let fault = |text: &str| GameFile::read(text).unwrap_err().to_string();
        let faults = [
            fault("[1]"),
            fault(r#"{"format": "svg", "version": 1}"#),
            fault(r#"{"format": "pitmaster-game", "version": 2, "moves": []}"#),
            fault(r#"{"format": "pitmaster-game", "version": 1}"#),
        ];
        insta::assert_snapshot!(faults.join("\n"), @r#"
        it is no game that `pitmaster export` wrote (invalid type: integer `1`, expected a string at line 1 column 2)
        it is no game that `pitmaster export` wrote (its format is "svg")
        it has version 2 of the form, and this Pitmaster reads version 1
        it is no game that `pitmaster export` wrote (missing field `id` at line 1 column 42)
        "#);
    }
}
