//! Tournament facts stored next to the games: the game, its rules, the bots and the machines.

use pitmaster_core::{BotName, Limits, MachineLoad, Seed, Untrusted};
use pitmaster_tournament::KeptOpenings;
use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::columns::Json;
use super::{Reader, Store, StoreError};

/// The keys of the table `meta`, one for each fact.
mod key {
    pub(super) const FILE: &str = "tournament";
    pub(super) const RULES: &str = "rules";
    pub(super) const LIMITS: &str = "limits";
    pub(super) const SEED: &str = "seed";
    pub(super) const FORMAT: &str = "format";
    pub(super) const OPENINGS: &str = "openings";
    pub(super) const ANCHORS: &str = "anchors";
    pub(super) const AUTHORS: &str = "authors";
    pub(super) const HOST: &str = "host";
    pub(super) const RUNS: &str = "playings";
    pub(super) const COMMITMENT: &str = "seed commitment";
    pub(super) const ORDER: &str = "order";
    pub(super) const GENERATION: &str = "generation";
    pub(super) const TICKET_KEY: &str = "ticket key";

    pub(super) fn worker(instance: &str) -> String {
        format!("worker {instance}")
    }
}

/// The facts of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// Text of the tournament file.
    pub file: String,
    /// Id of the rules: the game with its options and version.
    pub rules: String,
    /// Limits of every game.
    pub limits: Limits,
    /// The tournament's seed.
    pub seed: Seed,
    /// Settings that must not change between runs, of a format that pairs by results. `None` for
    /// other formats.
    pub format: Option<String>,
    /// Openings of the games.
    pub openings: KeptOpenings,
    /// Bots with a fixed Elo, and its value.
    pub anchors: Vec<(BotName, f64)>,
    /// The authors of each bot.
    pub authors: Vec<(BotName, Vec<Untrusted>)>,
    /// Machine and program of the last run; several after a merge.
    pub hosts: Vec<Value>,
    /// All runs on cores of their own machine.
    pub runs: Vec<LocalRun>,
    /// Hash of the seed that was published before the tournament, if one was.
    pub commitment: Option<String>,
    /// Names of bots in the order of the plan, if it differs from name order: a pseudonym keeps the
    /// position of the former name.
    pub order: Vec<BotName>,
}

/// Cores of a run, and the load of its machine when it began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LocalRun {
    /// The lanes' cores.
    pub lanes: Vec<usize>,
    /// Cores of lanes that were not reserved.
    pub shared: Vec<usize>,
    /// The machine's load.
    #[serde(flatten)]
    pub load: MachineLoad,
}

impl Reader {
    /// The facts of the tournament; `None` if it has not begun.
    pub fn facts(&self) -> Result<Option<Facts>, StoreError> {
        let (file, rules) = (self.meta(key::FILE)?, self.meta(key::RULES)?);
        let (limits, seed) = (self.meta(key::LIMITS)?, self.meta(key::SEED)?);
        let (Some(file), Some(rules), Some(limits), Some(seed)) = (file, rules, limits, seed)
        else {
            return Ok(None);
        };
        let openings = self.meta(key::OPENINGS)?.unwrap_or_else(KeptOpenings::none);
        let hosts = match self.meta(key::HOST)? {
            Some(Value::Array(hosts)) => hosts,
            host => host.into_iter().collect(),
        };
        Ok(Some(Facts {
            file,
            rules,
            limits,
            seed,
            format: self.meta(key::FORMAT)?,
            openings,
            anchors: self.meta(key::ANCHORS)?.unwrap_or_default(),
            authors: self.meta(key::AUTHORS)?.unwrap_or_default(),
            hosts,
            runs: self.meta(key::RUNS)?.unwrap_or_default(),
            commitment: self.meta(key::COMMITMENT)?,
            order: self.meta(key::ORDER)?.unwrap_or_default(),
        }))
    }

    /// Generation of the run that workers of a cluster play; `None` if there is none.
    pub fn generation(&self) -> Result<Option<String>, StoreError> {
        let kept: Option<String> = self.meta(key::GENERATION)?;
        Ok(kept.filter(|generation| !generation.is_empty()))
    }

    /// Secret key of the tickets for games that workers play.
    pub fn ticket_key(&self) -> Result<Option<[u8; 32]>, StoreError> {
        self.meta(key::TICKET_KEY)
    }

    /// Stored data of a worker, by its public key.
    pub fn worker<T: DeserializeOwned>(&self, instance: &str) -> Result<Option<T>, StoreError> {
        self.meta(&key::worker(instance))
    }
}

/// Stores the order of the plan.
pub(super) fn put_order(connection: &Connection, order: &[BotName]) -> rusqlite::Result<()> {
    let put = "INSERT INTO meta (key, value) VALUES (?1, ?2)
               ON CONFLICT (key) DO UPDATE SET value = ?2";
    connection.execute(put, (key::ORDER, Json(order))).map(drop)
}

impl Store {
    /// Stores the facts in place of earlier ones, atomically.
    pub fn put_facts(&self, facts: &Facts) -> Result<(), StoreError> {
        let Facts { file, rules, limits, seed, format, openings, .. } = facts;
        let mut rows = vec![
            self.row(key::FILE, file)?,
            self.row(key::RULES, rules)?,
            self.row(key::LIMITS, limits)?,
            self.row(key::SEED, seed)?,
            self.row(key::OPENINGS, openings)?,
            self.row(key::ANCHORS, &facts.anchors)?,
            self.row(key::AUTHORS, &facts.authors)?,
            self.row(key::RUNS, &facts.runs)?,
            match &*facts.hosts {
                [host] => self.row(key::HOST, host)?,
                hosts => self.row(key::HOST, &hosts)?,
            },
        ];
        rows.extend(format.as_ref().map(|format| self.row(key::FORMAT, format)).transpose()?);
        let Facts { commitment, order, .. } = facts;
        rows.extend(commitment.as_ref().map(|hash| self.row(key::COMMITMENT, hash)).transpose()?);
        if !order.is_empty() {
            rows.push(self.row(key::ORDER, order)?);
        }
        self.put_rows(rows)
    }

    /// Begins a run for the workers of a cluster.
    pub fn put_generation(&self, generation: &str) -> Result<(), StoreError> {
        self.put_meta(key::GENERATION, &generation)
    }

    /// Ends the run for workers. Results that are still in transit are refused.
    pub fn end_generation(&self) -> Result<(), StoreError> {
        self.put_generation("")
    }

    /// Stores the secret key of the tickets for games that workers play.
    pub fn put_ticket_key(&self, key: &[u8; 32]) -> Result<(), StoreError> {
        self.put_meta(key::TICKET_KEY, key)
    }

    /// Stores data of a worker, by its public key.
    pub fn put_worker(&self, instance: &str, kept: &impl Serialize) -> Result<(), StoreError> {
        self.put_meta(&key::worker(instance), kept)
    }
}
