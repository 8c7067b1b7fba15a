//! Removal of a person from a database: the bot gets a pseudonym, and its output is erased.
//!
//! Moves, results and times stay, so that other bots' results remain valid. Nothing of the former
//! content remains in free pages or in the write-ahead log.

mod redact;

use std::path::Path;

use pitmaster_core::{BotName, BySide, Claim, Evidence, GameKey, Remark, Side, Untrusted};
use pitmaster_tournament::Durability;
use rusqlite::{Connection, Row, named_params};
use serde_json::Value;

pub use self::redact::Forgetting;
use super::columns::Json;
use super::database::Database;
use super::lock::Lock;
use super::{StoreError, checksum, database_path, facts, folder, schema};

impl Forgetting {
    /// Replaces the person in the database of a results folder. `order` contains the names of the
    /// bots in plan order, with the pseudonym. Returns the number of changed attempts.
    ///
    /// # Errors
    /// Another process is writing there, or the database cannot be used. Nothing is changed then.
    pub fn apply(&self, folder: &Path, order: &[BotName]) -> Result<usize, StoreError> {
        folder::require_file(folder)?;
        let _lock = Lock::take(folder)?;
        let database = Database::open(&database_path(folder))?;
        schema::require_current(&database)?;
        database.prepare(Durability::Full)?;
        database.run(|c| c.pragma_update_and_check(None, "secure_delete", true, |_| Ok(())))?;
        let changed = database.transaction(|| {
            database.run(|connection| {
                self.replace_bots(connection)?;
                self.replace_facts(connection)?;
                facts::put_order(connection, order)?;
                self.replace_attempts(connection)
            })
        })?;
        database.run(|connection| {
            connection.execute_batch("VACUUM")?;
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
        })?;
        Ok(changed)
    }

    fn replace_bots(&self, connection: &Connection) -> rusqlite::Result<()> {
        let new = self.pseudonym.as_str();
        let sql = "UPDATE bots SET name = :new, display = :new, path = '', build = 'null',
                       reason = iif(reason IS NULL, NULL, 'removed')
                   WHERE name = :old";
        connection.execute(sql, named_params! {":new": new, ":old": self.name.as_str()})?;
        let others = "SELECT rowid, display, path, build, reason FROM bots WHERE name <> ?1";
        let mut select = connection.prepare(others)?;
        let mut rows = select.query((new,))?;
        let update = "UPDATE bots SET path = ?2, build = ?3, reason = ?4 WHERE rowid = ?1";
        let mut update = connection.prepare(update)?;
        while let Some(row) = rows.next()? {
            let path = self.redact(&row.get::<_, String>("path")?);
            let build = self.redact_json(&row.get::<_, String>("build")?);
            let reason = row.get::<_, Option<String>>("reason")?.map(|text| self.redact(&text));
            update.execute((row.get::<_, i64>("rowid")?, path, build, reason))?;
        }
        Ok(())
    }

    fn replace_facts(&self, connection: &Connection) -> rusqlite::Result<()> {
        let mut select = connection.prepare("SELECT key, value FROM meta")?;
        let mut rows = select.query(())?;
        let mut changed = Vec::new();
        while let Some(row) = rows.next()? {
            let (key, Json(mut value)) = (row.get::<_, String>(0)?, row.get::<_, Json<Value>>(1)?);
            let before = value.clone();
            if key == "authors" {
                self.drop_authors(&mut value);
            }
            self.redact_value(&mut value);
            if value != before {
                changed.push((key, value));
            }
        }
        let mut update = connection.prepare("UPDATE meta SET value = ?2 WHERE key = ?1")?;
        changed.iter().try_for_each(|(key, value)| update.execute((key, Json(value))).map(drop))
    }

    /// `[["name", ["author"]]]` becomes `[["name", []]]`.
    fn drop_authors(&self, value: &mut Value) {
        for bot in value.as_array_mut().into_iter().flatten() {
            if bot.get(0).and_then(Value::as_str) == Some(self.name.as_str())
                && let Some(authors) = bot.get_mut(1)
            {
                *authors = Value::Array(Vec::new());
            }
        }
    }

    fn replace_attempts(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let sql = "SELECT * FROM attempts WHERE ?1 IN (bot1, bot2) OR reason IS NOT NULL";
        let mut select = connection.prepare(sql)?;
        let mut rows = select.query((self.name.as_str(),))?;
        let mut numbers = Vec::new();
        while let Some(row) = rows.next()? {
            numbers.push((row.get::<_, i64>("number")?, checksum::is_intact(row)?));
        }
        drop(rows);
        let mut select = connection.prepare("SELECT * FROM attempts WHERE number = ?1")?;
        for (number, is_intact) in &numbers {
            let changes = select.query_row((number,), |row| self.changes(row))?;
            changes.write(connection, *number)?;
            if *is_intact {
                checksum::put(connection, *number)?;
            }
        }
        Ok(numbers.len())
    }

    /// New values of a row, which may be damaged.
    fn changes(&self, row: &Row<'_>) -> rusqlite::Result<Changes> {
        let text = |column: &str| row.get::<_, Option<String>>(column);
        let renamed = |column: &str| -> rusqlite::Result<String> {
            let name: String = row.get(column)?;
            Ok(if name == self.name.as_str() { self.pseudonym.to_string() } else { name })
        };
        let mine = BySide::new(row.get::<_, String>("bot1")?, row.get::<_, String>("bot2")?)
            .map(|name| name == self.name.as_str());
        let key: String = row.get("key")?;
        let (key, game_id) = match self.renamed_key(&key) {
            Some((key, id)) => (key, id),
            None => (self.redact_json(&key), row.get("game_id")?),
        };
        let kept = |column: &str, clear: &dyn Fn(&str) -> Option<String>| {
            Ok::<_, rusqlite::Error>(text(column)?.and_then(|text| clear(&text)))
        };
        Ok(Changes {
            game_id,
            key,
            bots: [renamed("bot1")?, renamed("bot2")?],
            reason: text("reason")?.map(|reason| self.redact(&reason)),
            facts: self.redact_json(&row.get::<_, String>("ending_facts")?),
            evidence: kept("evidence", &|text| cleared_evidence(text, mine))?,
            remarks: kept("remarks", &|text| cleared(text, |remark: &Remark| mine[remark.by]))?,
            claims: kept("wrong_claims", &|text| silenced(text, mine))?,
        })
    }

    fn renamed_key(&self, key: &str) -> Option<(String, String)> {
        let mut key: GameKey = serde_json::from_str(key).ok()?;
        for side in Side::BOTH {
            let name: &mut BotName = &mut key.bots[side].name;
            if *name == self.name {
                name.clone_from(&self.pseudonym);
            }
        }
        Some((serde_json::to_string(&key).ok()?, key.id().to_string()))
    }
}

/// New values of the columns that contain a bot's name or output.
struct Changes {
    game_id: String,
    key: String,
    bots: [String; 2],
    reason: Option<String>,
    facts: String,
    evidence: Option<String>,
    remarks: Option<String>,
    claims: Option<String>,
}

impl Changes {
    fn write(&self, connection: &Connection, number: i64) -> rusqlite::Result<()> {
        let sql = "UPDATE attempts SET game_id = :game_id, key = :key, bot1 = :bot1, bot2 = :bot2,
                       reason = :reason, ending_facts = :facts, evidence = :evidence,
                       remarks = :remarks, wrong_claims = :claims
                   WHERE number = :number";
        connection.prepare_cached(sql)?.execute(named_params! {
            ":number": number,
            ":game_id": self.game_id,
            ":key": self.key,
            ":bot1": self.bots[0],
            ":bot2": self.bots[1],
            ":reason": self.reason,
            ":facts": self.facts,
            ":evidence": self.evidence,
            ":remarks": self.remarks,
            ":claims": self.claims,
        })?;
        Ok(())
    }
}

/// Evidence without the lines and the standard error of those sides. Unreadable evidence is
/// dropped.
fn cleared_evidence(text: &str, mine: BySide<bool>) -> Option<String> {
    let mut evidence: BySide<Option<Evidence>> = serde_json::from_str(text).ok()?;
    for side in Side::BOTH {
        if let Some(evidence) = evidence[side].as_mut().filter(|_| mine[side]) {
            (evidence.line, evidence.stderr) = (None, Untrusted::default());
        }
    }
    serde_json::to_string(&evidence).ok()
}

fn cleared(text: &str, is_mine: impl Fn(&Remark) -> bool) -> Option<String> {
    let mut remarks: Vec<Remark> = serde_json::from_str(text).ok()?;
    remarks.retain(|remark| !is_mine(remark));
    if remarks.is_empty() { None } else { serde_json::to_string(&remarks).ok() }
}

/// Claims with their positions, but without the text of those sides.
fn silenced(text: &str, mine: BySide<bool>) -> Option<String> {
    let mut claims: Vec<Claim> = serde_json::from_str(text).ok()?;
    for claim in claims.iter_mut().filter(|claim| mine[claim.by]) {
        claim.text = Untrusted::default();
    }
    serde_json::to_string(&claims).ok()
}
