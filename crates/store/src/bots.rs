//! Bots known to a store.

use pitmaster_core::{BotHash, BotId, Dialect, Untrusted};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Row, params};
use serde::Deserialize as _;
use serde::de::IntoDeserializer as _;
use serde::de::value::Error as ValueError;

use super::columns::{Json, dialect, unreadable};

/// A bot that takes part, took part, or was excluded.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownBot {
    /// Name and hash.
    pub id: BotId,
    /// Display name that the bot chose.
    pub display: Untrusted,
    /// Path where it was found.
    pub path: String,
    /// Dialect of the bot.
    pub dialect: Dialect,
    /// Build information: versions, commands, and anything else from the builder.
    pub build: serde_json::Value,
    /// Whether its games count.
    pub state: BotState,
}

/// Whether a bot's games count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BotState {
    /// The bot takes part.
    Active,
    /// Another version of the bot takes part in its place.
    Replaced,
    /// The bot no longer takes part.
    Removed,
    /// The bot was entered but cannot play.
    LeftOut {
        /// Reason in lines. Safe to print.
        reason: String,
    },
}

impl BotState {
    fn name(&self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Replaced => "replaced",
            Self::Removed => "removed",
            Self::LeftOut { .. } => "left-out",
        }
    }

    fn reason(&self) -> Option<&str> {
        match self {
            Self::LeftOut { reason } => Some(reason),
            _ => None,
        }
    }

    fn named(name: &str, reason: Option<String>) -> Option<Self> {
        let plain = [Self::Active, Self::Replaced, Self::Removed];
        match reason {
            Some(reason) => Some(Self::LeftOut { reason }).filter(|state| state.name() == name),
            None => plain.into_iter().find(|state| state.name() == name),
        }
    }
}

const UPSERT: &str = "
    INSERT INTO bots (name, hash, display, path, dialect, build, state, reason)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
    ON CONFLICT (name, hash) DO UPDATE SET
        display = ?3, path = ?4, dialect = ?5, build = ?6, state = ?7, reason = ?8";

impl KnownBot {
    /// Inserts the bot, or replaces its earlier row.
    pub(super) fn put(&self, connection: &Connection) -> rusqlite::Result<usize> {
        connection.prepare_cached(UPSERT)?.execute(params![
            self.id.name.as_str(),
            self.id.hash.as_str(),
            shown(&self.display),
            self.path,
            self.dialect.name(),
            Json(&self.build),
            self.state.name(),
            self.state.reason(),
        ])
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let name: String = row.get("name")?;
        let state: String = row.get("state")?;
        let id = BotId {
            name: name.parse().map_err(|_| unreadable("name", &name))?,
            hash: read_hash(row)?,
        };
        Ok(Self {
            id,
            display: Untrusted::new(bytes(row.get_ref("display")?)),
            path: row.get("path")?,
            dialect: dialect(row, "dialect")?,
            build: row.get::<_, Json<_>>("build")?.0,
            state: BotState::named(&state, row.get("reason")?)
                .ok_or_else(|| unreadable("state", &state))?,
        })
    }
}

fn read_hash(row: &Row<'_>) -> rusqlite::Result<BotHash> {
    let text = row.get::<_, String>("hash")?.into_deserializer();
    BotHash::deserialize(text).map_err(|error: ValueError| unreadable("hash", &error.to_string()))
}

fn shown(text: &Untrusted) -> ToSqlOutput<'static> {
    let bytes = text.as_bytes().to_vec();
    ToSqlOutput::Owned(match String::from_utf8(bytes) {
        Ok(text) => Value::Text(text),
        Err(error) => Value::Blob(error.into_bytes()),
    })
}

fn bytes(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        _ => Vec::new(),
    }
}
