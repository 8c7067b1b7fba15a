//! Decisions of a format that were based on results. They are stored so that pairings do not change
//! when an earlier game is voided.

use pitmaster_tournament::KeptDecision;

use super::{Reader, Store, StoreError};

fn key(number: usize) -> String {
    format!("decision {number}")
}

impl Store {
    /// Stores a decision. Decisions are numbered from 1 without gaps.
    pub fn put_decision(&self, number: usize, decision: &KeptDecision) -> Result<(), StoreError> {
        self.put_meta(&key(number), decision)
    }
}

impl Reader {
    /// All decisions, in their order.
    pub fn decisions(&self) -> Result<Vec<KeptDecision>, StoreError> {
        let mut all = Vec::new();
        while let Some(decision) = self.meta(&key(all.len() + 1))? {
            all.push(decision);
        }
        Ok(all)
    }
}
