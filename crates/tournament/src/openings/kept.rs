//! Openings of earlier runs.

use serde::{Deserialize, Serialize};

use super::{MOST_OPENINGS, OpeningSource, Openings};
use crate::Tournament;

/// Stored openings of a run, with which a resumed run continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptOpenings {
    /// Source of the openings.
    pub source: OpeningSource,
    /// Number of pairs of the run.
    pub pairs: u32,
    /// Openings in order.
    pub list: Vec<String>,
}

impl KeptOpenings {
    /// Takes the openings of a tournament.
    pub fn of(tournament: &Tournament) -> Self {
        let Openings { source, list, .. } = &tournament.openings;
        Self {
            source: source.clone(),
            pairs: tournament.format.highest_pair(),
            list: list.to_vec(),
        }
    }

    /// Value for runs from before openings existed.
    pub fn none() -> Self {
        Self { source: OpeningSource::None, pairs: 1, list: Vec::new() }
    }

    /// Describes how the openings have changed, if played games would now begin differently.
    pub fn change(&self, now: &Openings) -> Option<String> {
        let then = Openings { list: self.list.as_slice().into(), ..Openings::default() };
        // Periodic lists that agree up to here are equal forever (Fine and Wilf 1965).
        let enough = self.pairs.min(2 * MOST_OPENINGS);
        if (1..=enough).all(|pair| then.of_pair(pair) == now.of_pair(pair)) {
            return None;
        }
        let number = |list: &[String]| match list.len() {
            0 => "none".to_owned(),
            len => len.to_string(),
        };
        let others = if then.list.len() == now.list.len() { "others" } else { &number(&now.list) };
        Some(format!("openings ({} there, {others} now)", number(&then.list)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(list: &[&str]) -> Openings {
        let list: Vec<String> = list.iter().map(|&text| text.to_owned()).collect();
        Openings { list: list.into(), ..Openings::default() }
    }

    fn change(pairs: u32, then: &[&str], now: &[&str]) -> Option<String> {
        let list = openings(then).list.to_vec();
        KeptOpenings { source: OpeningSource::None, pairs, list }.change(&openings(now))
    }

    #[test]
    fn more_openings_change_nothing_before_they_come_again() {
        assert_eq!(change(2, &["1", "2"], &["1", "2", "3"]), None);
        assert_eq!(change(2, &["1", "2", "3"], &["1", "2"]), None);
        let change = change(3, &["1", "2"], &["1", "2", "3"]);
        assert_eq!(change.as_deref(), Some("openings (2 there, 3 now)"));
    }

    #[test]
    fn other_openings_are_other_games() {
        assert_eq!(change(1, &["1"], &["2"]).as_deref(), Some("openings (1 there, others now)"));
        assert_eq!(change(1, &["1"], &[]).as_deref(), Some("openings (1 there, none now)"));
        assert_eq!(KeptOpenings::none().change(&openings(&[])), None);
        let then_none = KeptOpenings::none().change(&openings(&["1", "2"]));
        assert_eq!(then_none.as_deref(), Some("openings (none there, 2 now)"));
    }
}
