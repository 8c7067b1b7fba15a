//! Database schema and its versions. Migrations go forward only, one file each.

use std::path::Path;

use rusqlite::Connection;

use super::database::Database;
use super::{StoreError, checksum, folder};

/// Migrations from each version to the next, beginning with an empty database.
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

/// First version whose records have checksums.
const WITH_CHECKSUMS: u32 = 4;

/// Version that this program writes.
pub const SCHEMA_VERSION: u32 = MIGRATIONS.len() as u32;

/// Application id in the database header: "Pitm".
const APPLICATION: i32 = 0x5069_746d;

/// Migrates a database to [`SCHEMA_VERSION`], atomically.
pub(super) fn migrate(database: &Database) -> Result<(), StoreError> {
    let found = version(database)?;
    if found == SCHEMA_VERSION {
        return Ok(());
    }
    database.transaction(|| {
        for (step, sql) in MIGRATIONS.iter().enumerate().skip(found as usize) {
            database.run(|connection| step_to(connection, sql, step + 1))?;
        }
        if (1..WITH_CHECKSUMS).contains(&found) {
            database.run(checksum::put_on_all)?;
        }
        Ok(())
    })
}

fn step_to(connection: &Connection, sql: &str, version: usize) -> rusqlite::Result<()> {
    connection.execute_batch(sql)?;
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", version as u32)
}

/// Checks that a database may be written: it is empty, or Pitmaster's own and not newer than this
/// program. Returns whether it is empty.
pub(super) fn require_ours(database: &Database) -> Result<bool, StoreError> {
    version(database).map(|version| version == 0)
}

/// Checks that a database can be read as it is.
pub(super) fn require_current(database: &Database) -> Result<(), StoreError> {
    let path = database.path.clone();
    match version(database)? {
        SCHEMA_VERSION => Ok(()),
        0 => {
            let folder = path.parent().unwrap_or(Path::new("."));
            folder::refuse_orphans(folder, "tournament.db holds nothing")?;
            Err(StoreError::Missing { folder: folder.into() })
        }
        found => Err(StoreError::Older { path, found }),
    }
}

/// Version of a database; 0 if it is empty.
fn version(database: &Database) -> Result<u32, StoreError> {
    let (application, found, tables) = database.run(|connection| {
        let number = |sql: &str| connection.query_row(sql, (), |row| row.get::<_, i64>(0));
        Ok((
            number("PRAGMA application_id")?,
            number("PRAGMA user_version")?,
            number("SELECT count(*) FROM sqlite_schema")?,
        ))
    })?;
    let path = database.path.clone();
    match u32::try_from(found) {
        Ok(0) if tables == 0 => Ok(0),
        _ if application != i64::from(APPLICATION) => Err(StoreError::Foreign { path }),
        Ok(found) if found > SCHEMA_VERSION => {
            Err(StoreError::Newer { path, found, known: SCHEMA_VERSION })
        }
        Ok(found) if found > 0 => Ok(found),
        _ => Err(StoreError::Foreign { path }),
    }
}
