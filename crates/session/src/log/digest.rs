//! Digest of the games of a tournament, in the order of the plan.

use pitmaster_core::Record;

/// Digest of games: equal if and only if the same games had the same moves and endings. Times do
/// not count.
#[derive(Debug, Clone)]
pub(crate) struct Digest(blake3::Hasher);

impl Default for Digest {
    fn default() -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"pitmaster games 1\n");
        Self(hasher)
    }
}

impl Digest {
    /// Adds the next game.
    pub(crate) fn add(&mut self, record: &Record) {
        let moves: Vec<_> = record.moves().collect();
        let ending = serde_json::to_string(&record.ending).unwrap_or_default();
        let line = format!("{} {} {}\n{ending}\n", record.id(), record.seed.0, moves.join(" "));
        self.0.update(line.as_bytes());
    }

    /// The digest so far: 32 hexadecimal digits.
    pub(crate) fn finish(&self) -> String {
        self.0.finalize().to_hex()[..32].to_owned()
    }
}
