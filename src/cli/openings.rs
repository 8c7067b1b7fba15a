//! The openings of a tournament: read from their file, found at random or kept from the run
//! before, and what is to be said of them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::before::Contest;
use super::{Failure, game};
use crate::bot::submission::shown_path;
use crate::runner::Entrant;
use crate::tournament::{
    Fault, MOST_OPENINGS, OpeningFault, OpeningSource, Openings, Tournament, random_openings,
    read_openings,
};

/// As many random openings there are where nobody says how many, if there are as many pairs.
const MANY: u32 = 1000;

/// The openings of a run, as the store keeps them: what was played with them goes on with them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    source: OpeningSource,
    /// How many pairs there were.
    pairs: u32,
    pub(super) list: Vec<String>,
}

impl Kept {
    pub(super) fn of(tournament: &Tournament) -> Self {
        let Openings { source, list, .. } = &tournament.openings;
        Self {
            source: source.clone(),
            pairs: tournament.format.highest_pair(),
            list: list.to_vec(),
        }
    }

    /// Of a run before there were any.
    pub(super) fn none() -> Self {
        Self { source: OpeningSource::None, pairs: 1, list: Vec::new() }
    }

    /// How the openings have changed, if games that were played would begin otherwise now.
    pub(super) fn change(&self, now: &Openings) -> Option<String> {
        let then = Openings { list: self.list.as_slice().into(), ..Openings::default() };
        // Lists that agree so far repeat alike for ever (Fine and Wilf 1965).
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

/// Reads the file of openings, if there is one, its path seen from a folder. What is wrong with
/// it.
pub(super) fn read(tournament: &mut Tournament, base: &Path) -> Vec<Fault> {
    let Tournament { openings, game, limits, .. } = tournament;
    let OpeningSource::File(path) = &openings.source else { return Vec::new() };
    let place = openings.place;
    let fault = |message| Fault { place, key: "openings.file".into(), message };
    let shown = shown_path(Path::new(path));
    let read = match game::text(&base.join(path)) {
        Ok(text) => read_openings(&**game, &text, limits.plies),
        Err(why) => return vec![fault(format!("{shown}: {why}"))],
    };
    match read {
        Ok(list) if list.is_empty() => {
            vec![fault(format!("{shown} holds no opening; write one a line"))]
        }
        Ok(list) => {
            openings.list = list.into();
            Vec::new()
        }
        Err(faults) => {
            let line =
                |(line, why): &(usize, OpeningFault)| fault(format!("{shown}:{line}: {why}"));
            faults.iter().map(line).collect()
        }
    }
}

/// How many random openings are wanted; 0: none.
pub(super) fn wanted(tournament: &Tournament) -> u32 {
    match tournament.openings.source {
        OpeningSource::Random { count, .. } => {
            count.unwrap_or(tournament.format.highest_pair().min(MANY))
        }
        OpeningSource::None | OpeningSource::File(_) => 0,
    }
}

/// Finds random openings, unless the run before has found them.
pub(super) fn deal(
    contest: &mut Contest,
    kept: Option<&Kept>,
    progress: &dyn Fn(),
) -> Result<(), Failure> {
    let wanted = wanted(&contest.tournament);
    let Tournament { openings, game, seed, .. } = &mut contest.tournament;
    let OpeningSource::Random { plies, count } = openings.source else { return Ok(()) };
    let before = kept.filter(|kept| kept.source == openings.source);
    openings.list = match before.filter(|kept| kept.list.len() >= wanted as usize) {
        Some(kept) => kept.list.as_slice().into(),
        None => random_openings(&**game, *seed, plies, wanted, progress)
            .map_err(|fault| Failure::wrong(format!("random openings: {fault}")))?
            .into(),
    };
    let found = openings.list.len();
    let place = contest.at(contest.tournament.openings.place);
    if found == 0 {
        return Err(Failure::wrong(format!(
            "{place}openings: every game is over after {plies} random plies; write fewer"
        )));
    }
    if count.is_some_and(|count| found < count as usize) {
        return Err(Failure::wrong(format!(
            "{place}openings: of {plies} random plies there are {found} different openings that \
             leave neither side far ahead, not {wanted}; write count = {found}, or more plies"
        )));
    }
    Ok(())
}

/// What there is to be said of them before the first game.
pub(super) fn notes(tournament: &Tournament, entrants: &[Entrant]) -> Vec<String> {
    let (openings, pairs) = (tournament.openings.list.len(), tournament.format.highest_pair());
    if openings == 0 {
        return Vec::new();
    }
    let playing = || entrants.iter().filter(|entrant| entrant.absent.is_none());
    let deaf = playing().filter(|entrant| !entrant.dialect.hears_openings()).count();
    let mut notes = Vec::new();
    if deaf > 0 {
        notes.push(format!(
            "{deaf} of {} bots {} arena or course and cannot be told of an opening: all their \
             games begin at the plain start; bots that always play the same repeat themselves \
             there, and more pairs bring nothing new",
            playing().count(),
            if deaf == 1 { "speaks" } else { "speak" },
        ));
    }
    if openings < pairs as usize {
        notes.push(format!(
            "{openings} {} for {pairs} pairs: they come again after pair {openings}",
            if openings == 1 { "opening" } else { "openings" },
        ));
    }
    notes
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
        Kept { source: OpeningSource::None, pairs, list }.change(&openings(now))
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
        assert_eq!(Kept::none().change(&openings(&[])), None);
        let then_none = Kept::none().change(&openings(&["1", "2"]));
        assert_eq!(then_none.as_deref(), Some("openings (none there, 2 now)"));
    }
}
