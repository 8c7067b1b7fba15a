//! Attempt at a game: its record, and facts about how it was played and stored.

use std::time::Duration;

use pitmaster_core::{BySide, Dialect, Evidence, GameKey, Ply, Record, Seed, Side};
use rusqlite::{Connection, Row, named_params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::checksum;
use super::columns::{Json, dialect, integer, json, nanos, unreadable};

/// A game that was played to its end, with its circumstances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The game record.
    pub record: Record,
    /// Whether the attempt counts.
    pub state: AttemptState,
    /// The dialect that each side spoke.
    pub dialects: BySide<Dialect>,
    /// Name of the machine.
    pub host: String,
    /// Lane on the machine.
    pub lane: u32,
    /// Start time in milliseconds since 1970, UTC.
    pub started_at: u64,
    /// Number of the isolation of its bots; `None` if it was not known yet.
    pub isolation: Option<u32>,
}

/// Whether an attempt counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttemptState {
    /// The attempt counts.
    Valid,
    /// The attempt does not count, and the game must be replayed.
    Void {
        /// Reason why it is void.
        reason: String,
    },
    /// The attempt was played beyond an early stop.
    Surplus {
        /// Reason why it is surplus.
        reason: String,
    },
}

impl AttemptState {
    /// State that follows from a record alone: void if the referee failed, otherwise valid.
    pub fn of(record: &Record) -> Self {
        if record.ending.is_void() {
            Self::Void { reason: record.ending.to_string() }
        } else {
            Self::Valid
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Void { .. } => "void",
            Self::Surplus { .. } => "surplus",
        }
    }

    pub(super) fn reason(&self) -> Option<&str> {
        match self {
            Self::Valid => None,
            Self::Void { reason } | Self::Surplus { reason } => Some(reason),
        }
    }

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let reason = || row.get("reason");
        match row.get_ref("state")?.as_str()? {
            "valid" => Ok(Self::Valid),
            "void" => Ok(Self::Void { reason: reason()? }),
            "surplus" => Ok(Self::Surplus { reason: reason()? }),
            other => Err(unreadable("state", other)),
        }
    }
}

const INSERT: &str = "
    INSERT INTO attempts (
        game_id, attempt, state, reason, key, rules, stage, round, pair, bot1, hash1, bot2, hash2,
        opening, seed, ending, ending_facts, winner, score1, score2, plies, moves, movers,
        wall_ns, cpu_ns, waiting_ns, stolen_ns, skipped_lines, evidence, remarks, wrong_claims,
        dialect1, dialect2, host, lane, fingerprint, started_at, duration_ns, isolation, checksum)
    VALUES (
        :game_id, (SELECT coalesce(max(attempt), 0) + 1 FROM attempts WHERE game_id = :game_id),
        :state, :reason, :key, :rules, :stage, :round, :pair, :bot1, :hash1, :bot2, :hash2,
        :opening, :seed, :ending, :ending_facts, :winner, :score1, :score2, :plies, :moves, :movers,
        :wall_ns, :cpu_ns, :waiting_ns, :stolen_ns, :skipped_lines, :evidence, :remarks,
        :wrong_claims, :dialect1, :dialect2, :host, :lane, :fingerprint, :started_at, :duration_ns,
        :isolation, :checksum)";

impl Attempt {
    /// Inserts the attempt with its checksum as the next one at its game.
    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let inserted = self.insert_row(connection)?;
        checksum::put(connection, connection.last_insert_rowid())?;
        Ok(inserted)
    }

    fn insert_row(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let record = &self.record;
        let GameKey { rules, stage, round, bots, opening, pair, .. } = &record.key;
        let (score, plies) = (record.ending.score(), &record.plies);
        connection.prepare_cached(INSERT)?.execute(named_params! {
            ":game_id": record.id().as_str(),
            ":state": self.state.name(),
            ":reason": self.state.reason(),
            ":key": Json(&record.key),
            ":rules": rules,
            ":stage": stage,
            ":round": round,
            ":pair": pair,
            ":bot1": bots.one.name.as_str(),
            ":hash1": bots.one.hash.as_str(),
            ":bot2": bots.two.name.as_str(),
            ":hash2": bots.two.hash.as_str(),
            ":opening": opening,
            ":seed": record.seed.0.cast_signed(),
            ":ending": record.ending.name(),
            ":ending_facts": Json(&record.ending),
            ":winner": record.ending.winner().map(Side::number),
            ":score1": score.one,
            ":score2": score.two,
            ":plies": integer(plies.len()),
            ":moves": record.moves().collect::<Vec<_>>().join(" "),
            ":movers": plies.iter().map(|ply| mover(ply.by)).collect::<String>(),
            ":wall_ns": nanos(plies.iter().map(|ply| ply.wall)),
            ":cpu_ns": nanos(plies.iter().map(|ply| ply.cpu)),
            ":waiting_ns": nanos(plies.iter().map(|ply| ply.waiting)),
            ":stolen_ns": nanos(record.stolen.iter().copied()),
            ":skipped_lines": Json(record.skipped_lines),
            ":evidence": some_evidence(record),
            ":remarks": unless_empty(&record.remarks),
            ":wrong_claims": unless_empty(&record.wrong_claims),
            ":dialect1": self.dialects.one.name(),
            ":dialect2": self.dialects.two.name(),
            ":host": self.host,
            ":lane": self.lane,
            ":fingerprint": format!("{:016x}", record.fingerprint()),
            ":started_at": integer(self.started_at),
            ":duration_ns": integer(record.duration.as_nanos()),
            ":isolation": self.isolation,
            // As long as the final checksum, so that the row is not moved.
            ":checksum": checksum::PENDING,
        })
    }

    /// Reads a complete row of `attempts` and verifies its checksum.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        checksum::require(row)?;
        Self::unpack(row)
    }

    /// Reads a complete row of `attempts` without verifying its checksum.
    pub(super) fn unpack(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            record: read_record(row)?,
            state: AttemptState::read(row)?,
            dialects: BySide::new(dialect(row, "dialect1")?, dialect(row, "dialect2")?),
            host: row.get("host")?,
            lane: row.get("lane")?,
            started_at: row.get::<_, i64>("started_at")?.cast_unsigned(),
            isolation: row.get("isolation")?,
        })
    }
}

fn read_record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let [one, two] = json::<[u64; 2]>(row, "stolen_ns")?;
    Ok(Record {
        key: json(row, "key")?,
        seed: Seed(row.get::<_, i64>("seed")?.cast_unsigned()),
        plies: read_plies(row)?,
        ending: json(row, "ending_facts")?,
        duration: Duration::from_nanos(row.get::<_, i64>("duration_ns")?.cast_unsigned()),
        evidence: row.get::<_, Option<Json<_>>>("evidence")?.map(|json| json.0).unwrap_or_default(),
        remarks: list(row, "remarks")?,
        wrong_claims: list(row, "wrong_claims")?,
        skipped_lines: json(row, "skipped_lines")?,
        stolen: BySide::new(Duration::from_nanos(one), Duration::from_nanos(two)),
    })
}

fn read_plies(row: &Row<'_>) -> rusqlite::Result<Vec<Ply>> {
    let moves: Vec<&str> = row.get_ref("moves")?.as_str()?.split_whitespace().collect();
    let movers = row.get_ref("movers")?.as_str()?.as_bytes();
    let times = |column| json::<Vec<u64>>(row, column);
    let (wall, cpu, waiting) = (times("wall_ns")?, times("cpu_ns")?, times("waiting_ns")?);
    let lengths = [movers.len(), wall.len(), cpu.len(), waiting.len()];
    if lengths.iter().any(|length| *length != moves.len()) {
        return Err(unreadable("moves", "not one mover and one time for each"));
    }
    let ply = |at: usize| Ply {
        by: side(movers[at]),
        text: moves[at].into(),
        wall: Duration::from_nanos(wall[at]),
        cpu: Duration::from_nanos(cpu[at]),
        waiting: Duration::from_nanos(waiting[at]),
    };
    Ok((0..moves.len()).map(ply).collect())
}

fn mover(by: Option<Side>) -> char {
    match by {
        Some(Side::One) => '1',
        Some(Side::Two) => '2',
        None => '-',
    }
}

fn side(mover: u8) -> Option<Side> {
    Side::from_number(mover.wrapping_sub(b'0'))
}

/// Evidence. NULL for the many games without evidence, remarks and claims.
fn some_evidence(record: &Record) -> Option<Json<&BySide<Option<Evidence>>>> {
    record.evidence.iter().any(Option::is_some).then_some(Json(&record.evidence))
}

fn unless_empty<T: Serialize>(items: &[T]) -> Option<Json<&[T]>> {
    (!items.is_empty()).then_some(Json(items))
}

fn list<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<Vec<T>> {
    row.get::<_, Option<Json<Vec<T>>>>(column).map(|json| json.map_or_else(Vec::new, |json| json.0))
}
