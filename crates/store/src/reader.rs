//! Reader: read access to a store.

use std::collections::HashSet;
use std::path::Path;

use pitmaster_core::{BotName, GameId};
use rusqlite::{OptionalExtension as _, Params, Row};
use serde::de::DeserializeOwned;

use super::checksum::ALL_RECORDS;
use super::columns::{Json, unreadable};
use super::database::Database;
use super::outcome::COLUMNS;
use super::{
    Attempt, KnownBot, KnownIsolation, Outcome, StoreError, checksum, database_path, folder, schema,
};

/// A tournament's database, open for reading. There may be any number of readers, also while a
/// store writes. Each call sees the committed data.
#[derive(Debug)]
pub struct Reader {
    pub(super) database: Database,
}

/// A record that differs from the written one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// Number of its row.
    pub(super) number: i64,
    /// Id of the game in its row.
    pub game: String,
}

/// Number of attempts in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Games that count.
    pub valid: u64,
    /// Attempts that do not count because something failed.
    pub void: u64,
    /// Attempts beyond an early stop.
    pub surplus: u64,
}

/// Selection of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// One game.
    Game(GameId),
    /// Both games of the pair that a game belongs to.
    Pair(GameId),
    /// All games of a bot, of any version.
    Bot(BotName),
}

impl Reader {
    /// Opens the database of a results folder.
    ///
    /// # Errors
    /// [`StoreError::Missing`] if there is none, otherwise an error of the database.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        folder::require_file(folder)?;
        folder::require_no_orphans(folder)?;
        if !super::exists(folder) {
            return Err(StoreError::Missing { folder: folder.to_owned() });
        }
        let database = Database::open_to_read(&database_path(folder))?;
        schema::require_current(&database)?;
        Ok(Self { database })
    }

    /// Ids of all games that count.
    pub fn valid_ids(&self) -> Result<HashSet<GameId>, StoreError> {
        let sql = "SELECT game_id FROM attempts WHERE state = 'valid'";
        let mut ids = HashSet::new();
        self.each(sql, (), read_id, |id| {
            ids.insert(id);
        })?;
        Ok(ids)
    }

    /// Ids of attempted games that begin with `prefix`, sorted, at most `limit`.
    pub fn find(&self, prefix: &str, limit: usize) -> Result<Vec<GameId>, StoreError> {
        let prefix = prefix.to_ascii_lowercase();
        // The prefix is followed by hexadecimal digits, which all sort before `g`.
        let sql = "SELECT DISTINCT game_id FROM attempts
            WHERE game_id >= ?1 AND game_id < ?1 || 'g' ORDER BY game_id LIMIT ?2";
        let mut ids = Vec::new();
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.each(sql, (&prefix, limit), read_id, |id| ids.push(id))?;
        Ok(ids)
    }

    /// The attempt that counts for a game, if any.
    pub fn load(&self, id: &GameId) -> Result<Option<Attempt>, StoreError> {
        let sql = "SELECT * FROM attempts WHERE game_id = ?1 AND state = 'valid'";
        self.database.run(|connection| {
            connection.prepare_cached(sql)?.query_row((id.as_str(),), Attempt::read).optional()
        })
    }

    /// The outcome that counts for a game, if any. Its record is not checked for damage.
    pub fn outcome(&self, id: &GameId) -> Result<Option<Outcome>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM attempts WHERE game_id = ?1 AND state = 'valid'");
        self.database.run(|connection| {
            connection.prepare_cached(&sql)?.query_row((id.as_str(),), Outcome::read).optional()
        })
    }

    /// Returns whether an attempt counts for a game.
    pub fn has_valid(&self, id: &GameId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM attempts WHERE game_id = ?1 AND state = 'valid'";
        self.database.run(|connection| connection.prepare_cached(sql)?.exists((id.as_str(),)))
    }

    /// All attempts at a game, in order, without invalidated damaged ones.
    pub fn attempts(&self, id: &GameId) -> Result<Vec<Attempt>, StoreError> {
        let mut attempts = Vec::new();
        let sql = "SELECT * FROM attempts WHERE game_id = ?1 AND checksum IS NOT 'damaged'
            ORDER BY attempt";
        self.each(sql, (id.as_str(),), Attempt::read, |attempt| attempts.push(attempt))?;
        Ok(attempts)
    }

    /// Calls `each` with every game that counts, in the order of commits. Games are read one at a
    /// time, so memory use is constant.
    pub fn for_each_valid(&self, each: impl FnMut(Attempt)) -> Result<(), StoreError> {
        let sql = "SELECT * FROM attempts WHERE state = 'valid' ORDER BY number";
        self.each(sql, (), Attempt::read, each)
    }

    /// Calls `each` with the outcome of every game that counts, in the order of commits. Their
    /// records are not checked for damage.
    pub fn for_each_outcome(&self, each: impl FnMut(Outcome)) -> Result<(), StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM attempts WHERE state = 'valid' ORDER BY number");
        self.each(&sql, (), Outcome::read, each)
    }

    /// Calls `each` with every attempt in any state, in the order of commits, one at a time, until
    /// it fails. Invalidated damaged attempts are skipped.
    pub fn for_each_attempt<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(Attempt) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut failed = None;
        self.database.run(|connection| {
            let mut statement = connection.prepare(ALL_RECORDS)?;
            let mut rows = statement.query(())?;
            while let Some(row) = rows.next()?
                && failed.is_none()
            {
                failed = each(Attempt::read(row)?).err();
            }
            Ok(())
        })?;
        failed.map_or(Ok(()), Err)
    }

    /// Number of attempts at a game that are void because a bot was starved.
    pub fn starved(&self, id: &GameId) -> Result<u32, StoreError> {
        let select = "SELECT count(*) FROM attempts
                      WHERE game_id = ? AND ending = 'starved' AND state = 'void'";
        self.database.run(|connection| {
            connection.prepare_cached(select)?.query_row([id.as_str()], |row| row.get(0))
        })
    }

    /// Number of attempts at all games that are void because a bot was starved.
    pub fn all_starved(&self) -> Result<u64, StoreError> {
        let select = "SELECT count(*) FROM attempts WHERE ending = 'starved' AND state = 'void'";
        self.database.run(|connection| {
            connection.query_row(select, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned)
        })
    }

    /// Number of attempts by state.
    pub fn counts(&self) -> Result<Counts, StoreError> {
        let mut counts = Counts::default();
        let sql = "SELECT state, count(*) FROM attempts GROUP BY state";
        let read = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
        self.each(sql, (), read, |(state, count)| match state.as_str() {
            "valid" => counts.valid = count.cast_unsigned(),
            "void" => counts.void = count.cast_unsigned(),
            _ => counts.surplus = count.cast_unsigned(),
        })?;
        Ok(counts)
    }

    /// Value stored under a key.
    pub(super) fn meta<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, StoreError> {
        let sql = "SELECT value FROM meta WHERE key = ?1";
        let read = |row: &Row<'_>| row.get::<_, Json<T>>(0);
        let found = self.database.run(|c| c.query_row(sql, (key,), read).optional())?;
        Ok(found.map(|json| json.0))
    }

    /// All bots, in the order in which they were added.
    pub fn bots(&self) -> Result<Vec<KnownBot>, StoreError> {
        let mut bots = Vec::new();
        self.each("SELECT * FROM bots ORDER BY rowid", (), KnownBot::read, |bot| bots.push(bot))?;
        Ok(bots)
    }

    /// All isolations, in the order in which they were added.
    pub fn isolations(&self) -> Result<Vec<KnownIsolation>, StoreError> {
        let mut all = Vec::new();
        let sql = "SELECT * FROM isolations ORDER BY number";
        self.each(sql, (), KnownIsolation::read, |isolation| all.push(isolation))?;
        Ok(all)
    }

    /// Numbers of the isolations under which valid games were played; `None` if it was not known
    /// yet.
    pub fn isolations_of_valid(&self) -> Result<Vec<Option<u32>>, StoreError> {
        let mut all = Vec::new();
        let sql =
            "SELECT DISTINCT isolation FROM attempts WHERE state = 'valid' ORDER BY isolation";
        self.each(sql, (), |row| row.get(0), |number| all.push(number))?;
        Ok(all)
    }

    /// Names of the machines that played valid games, each with its number of games.
    pub fn hosts_of_valid(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut all = Vec::new();
        let sql = "SELECT host, count(*) FROM attempts WHERE state = 'valid'
            GROUP BY host ORDER BY host";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned()));
        self.each(sql, (), read, |host| all.push(host))?;
        Ok(all)
    }

    /// Ids of the valid games of a selection.
    pub fn valid_of(&self, selection: &Selection) -> Result<Vec<GameId>, StoreError> {
        let (condition, value) = match selection {
            Selection::Game(id) => ("game_id = ?1", id.to_string()),
            Selection::Pair(id) => (
                "(rules, stage, round, pair, opening, min(bot1, bot2), max(bot1, bot2)) IN
                 (SELECT rules, stage, round, pair, opening, min(bot1, bot2), max(bot1, bot2)
                  FROM attempts WHERE game_id = ?1)",
                id.to_string(),
            ),
            Selection::Bot(name) => ("?1 IN (bot1, bot2)", name.to_string()),
        };
        let sql = format!(
            "SELECT game_id FROM attempts WHERE state = 'valid' AND {condition} ORDER BY game_id"
        );
        let mut all = Vec::new();
        let read = |row: &Row<'_>| row.get::<_, String>(0);
        self.each(&sql, [value], read, |id| all.extend(id.parse::<GameId>().ok()))?;
        Ok(all)
    }

    /// Number of gaps left by deleted attempts. Attempts are numbered without gaps and never
    /// deleted.
    pub fn deleted(&self) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(max(number), 0) - count(*) FROM attempts";
        let gaps: i64 = self.database.run(|c| c.query_row(sql, (), |row| row.get(0)))?;
        Ok(u64::try_from(gaps).unwrap_or(0))
    }

    /// Checks that every record is unchanged, including those that do not count, because the state
    /// itself may be altered. Much cheaper than reading them.
    ///
    /// # Errors
    /// [`StoreError::Altered`] with the first record that differs.
    pub fn require_intact(&self) -> Result<(), StoreError> {
        self.each(ALL_RECORDS, (), checksum::require, drop)
    }

    /// Records that differ from the written ones and are not invalidated yet.
    pub fn damaged(&self) -> Result<Vec<Damage>, StoreError> {
        let mut all = Vec::new();
        let read = |row: &Row<'_>| {
            let damage = || Ok(Damage { number: row.get("number")?, game: checksum::game_of(row) });
            if checksum::is_intact(row)? { Ok(None) } else { damage().map(Some) }
        };
        self.each(ALL_RECORDS, (), read, |damage| all.extend(damage))?;
        Ok(all)
    }

    /// Checks the whole database file.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] with the first damage.
    pub fn check(&self) -> Result<(), StoreError> {
        let sql = "PRAGMA integrity_check(1)";
        let found: String = self.database.run(|c| c.query_row(sql, (), |row| row.get(0)))?;
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged { path: self.database.path.clone(), error: found })
    }

    pub(super) fn each<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
        mut each: impl FnMut(T),
    ) -> Result<(), StoreError> {
        self.database.run(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params)?;
            while let Some(row) = rows.next()? {
                each(read(row)?);
            }
            Ok(())
        })
    }
}

pub(super) fn read_id(row: &Row<'_>) -> rusqlite::Result<GameId> {
    let text = row.get_ref("game_id")?.as_str()?;
    text.parse().map_err(|error: String| unreadable("game_id", &error))
}
