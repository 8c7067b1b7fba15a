//! Database schema and its migrations. Migrations go forward only, one file each.

use std::path::Path;

use pitmaster_season::course::Utc;

use super::DatabaseError;
use super::backup::back_up_before_migration;
use super::connection::Handle;

/// Migrations from each version to the next, starting from an empty database.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

/// Schema version that this program writes.
pub const SCHEMA_VERSION: u32 = MIGRATIONS.len() as u32;

/// Application id in the database header: "Pits". It differs from that of a tournament.
const APPLICATION: i32 = 0x5069_7473;

/// Migrates a database to the newest version. Backs it up before each step.
pub(super) fn migrate(handle: &Handle, folder: &Path, now: Utc) -> Result<(), DatabaseError> {
    migrate_with(handle, folder, now, MIGRATIONS)
}

/// Applies the missing migrations, each in its own transaction.
pub(super) fn migrate_with(
    handle: &Handle,
    folder: &Path,
    now: Utc,
    migrations: &[&str],
) -> Result<(), DatabaseError> {
    let found = version(handle, migrations.len() as u32)?;
    for (step, sql) in (1..).zip(migrations).skip(found as usize) {
        // A new database has nothing to back up.
        if found > 0 {
            back_up_before_migration(handle, folder, step, now)?;
        }
        let done = handle.run(|connection| {
            connection.execute_batch("BEGIN IMMEDIATE")?;
            connection.execute_batch(sql)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", step)?;
            connection.execute_batch("COMMIT")
        });
        if done.is_err() && !handle.connection.is_autocommit() {
            // Fails only if SQLite has already rolled back.
            let _ = handle.connection.execute_batch("ROLLBACK");
        }
        done?;
    }
    Ok(())
}

/// Checks that a database is empty, or a practice server's and not newer than this program. Returns
/// its schema version; 0 if it is empty.
pub(super) fn require_ours(handle: &Handle) -> Result<u32, DatabaseError> {
    version(handle, SCHEMA_VERSION)
}

fn version(handle: &Handle, known: u32) -> Result<u32, DatabaseError> {
    let (application, found, tables) = handle.run(|connection| {
        let number = |sql: &str| connection.query_row(sql, (), |row| row.get::<_, i64>(0));
        Ok((
            number("PRAGMA application_id")?,
            number("PRAGMA user_version")?,
            number("SELECT count(*) FROM sqlite_schema")?,
        ))
    })?;
    let path = handle.path.clone();
    match u32::try_from(found) {
        Ok(0) if tables == 0 && application == 0 => Ok(0),
        _ if application != i64::from(APPLICATION) => Err(DatabaseError::Foreign { path }),
        Ok(found) if found > known => Err(DatabaseError::Newer { path, found, known }),
        Ok(found) if found > 0 => Ok(found),
        _ => Err(DatabaseError::Foreign { path }),
    }
}
