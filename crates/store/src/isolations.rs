//! Isolation of the stored games' bots.

use pitmaster_core::{Isolation, Tier};
use rusqlite::{Connection, Row, params};

use super::columns::{Json, unreadable};

/// A set of guarantees under which games were played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownIsolation {
    /// Number by which attempts refer to it.
    pub number: u32,
    /// The guarantees.
    pub isolation: Isolation,
    /// Name of the machine.
    pub host: String,
    /// Kernel release of the machine.
    pub kernel: String,
}

impl KnownIsolation {
    /// Returns whether it is equal, except for measured values.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let [this, that] = [self, other].map(|known| &known.isolation);
        (this.tier, this.cgroup) == (that.tier, that.cgroup)
            && this.is_like(that)
            && (&self.host, &self.kernel) == (&other.host, &other.kernel)
    }

    pub(super) fn insert(&self, connection: &Connection) -> rusqlite::Result<usize> {
        let sql = "INSERT INTO isolations (number, tier, cgroup, promises, host, kernel)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        connection.prepare_cached(sql)?.execute(params![
            self.number,
            self.isolation.tier.name(),
            self.isolation.cgroup,
            Json(&self.isolation.promises),
            self.host,
            self.kernel,
        ])
    }

    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let tier: String = row.get("tier")?;
        let isolation = Isolation {
            tier: tier.parse::<Tier>().map_err(|why| unreadable("tier", &why))?,
            cgroup: row.get("cgroup")?,
            promises: row.get::<_, Json<_>>("promises")?.0,
        };
        let (number, host, kernel) = (row.get("number")?, row.get("host")?, row.get("kernel")?);
        Ok(Self { number, isolation, host, kernel })
    }
}

/// Kernel release of this machine; empty if unknown.
pub fn kernel_release() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}
