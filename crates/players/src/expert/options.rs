//! Options of the expert: `depth=9,nodes=50000,hash=64MiB,threads=2`.

use std::collections::BTreeMap;

use pitmaster_core::units::parse_size;

use super::search::MAX_PLY;
use crate::PlayerError;

/// Options of the expert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpertOptions {
    /// Maximum depth in plies.
    pub depth: u32,
    /// Maximum number of nodes per move, in addition to the budget.
    pub nodes: u64,
    /// Size of the transposition table in bytes, rounded down to a power of two.
    pub hash: u64,
    /// Number of search threads. With more than one, games are not reproducible.
    pub threads: usize,
    /// Whether late moves are reduced: searched with less depth first. Without reductions, the
    /// value of a pass equals that of an exhaustive search to the same depth. With them a pass is
    /// several times as fast. It cannot be set by text.
    pub reduces: bool,
}

/// Option that names the file of an endgame table.
pub(crate) const TABLES: &str = "tables";

const KIB: u64 = 1 << 10;
/// Allowed sizes of the table.
const HASH: std::ops::RangeInclusive<u64> = 64 * KIB..=64 * KIB * KIB * KIB / 4;
/// Allowed numbers of threads.
const THREADS: std::ops::RangeInclusive<u64> = 1..=256;

impl Default for ExpertOptions {
    /// Limited only by the budget, with 64 MiB and one thread.
    fn default() -> Self {
        let hash = 64 * KIB * KIB;
        Self { depth: MAX_PLY - 1, nodes: u64::MAX, hash, threads: 1, reduces: true }
    }
}

impl ExpertOptions {
    /// Names of the options.
    pub const NAMES: &'static [&'static str] = &["depth", "hash", "nodes", "tables", "threads"];

    /// Parses the given options.
    ///
    /// # Errors
    /// Returns an error for the first invalid option.
    pub fn read(options: &BTreeMap<String, String>) -> Result<Self, PlayerError> {
        let mut read = Self::default();
        options.iter().try_for_each(|(option, value)| read.set(option, value))?;
        Ok(read)
    }

    /// Sets one of [`Self::NAMES`].
    pub(crate) fn set(&mut self, option: &str, value: &str) -> Result<(), PlayerError> {
        let bad = |allowed| PlayerError::bad_value(option, value, allowed);
        match option {
            "depth" => {
                let depth = number(value).filter(|depth| (1..MAX_PLY.into()).contains(depth));
                self.depth = depth.ok_or_else(|| bad("a whole number from 1 to 127"))? as u32;
            }
            "nodes" => {
                let nodes = number(value).filter(|nodes| *nodes > 0);
                self.nodes = nodes.ok_or_else(|| bad("a whole number from 1"))?;
            }
            // The caller reads the file.
            TABLES if value.is_empty() => return Err(bad("the path of a file")),
            TABLES => {}
            "threads" => {
                let threads = number(value).filter(|threads| THREADS.contains(threads));
                self.threads = threads.ok_or_else(|| bad("a whole number from 1 to 256"))? as usize;
            }
            _ => {
                let hash = bytes(value).filter(|bytes| HASH.contains(bytes));
                let allowed = "a size from 64KiB to 16GiB, in KiB, MiB or GiB";
                self.hash = hash.ok_or_else(|| bad(allowed))?;
            }
        }
        Ok(())
    }
}

/// Parses digits in canonical form, without `_`.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Parses a size such as `64MiB`. Plain bytes are not accepted.
fn bytes(text: &str) -> Option<u64> {
    parse_size(text).filter(|_| text.ends_with("iB"))
}
