//! Openings of a tournament: read from a file, generated at random or kept from the previous run,
//! with remarks.

use std::path::Path;

use pitmaster_bots::submission::shown_path;
use pitmaster_runner::Entrant;
use pitmaster_tournament::{
    Diagnostic, KeptOpenings, OpeningError, OpeningSource, Tournament, random_openings,
    read_openings,
};

use crate::contest::Contest;
use crate::observer::Steps;
use crate::{Error, Observer, Task, game};

/// Default maximum number of random openings.
const MANY: u32 = 1000;

/// Reads the openings file, if there is one; its path is relative to `base`. Returns its errors.
pub(crate) fn read(tournament: &mut Tournament, base: &Path) -> Vec<Diagnostic> {
    let Tournament { openings, game, limits, .. } = tournament;
    let OpeningSource::File(path) = &openings.source else { return Vec::new() };
    let place = openings.place;
    let fault = |message| Diagnostic { place, key: "openings.file".into(), message };
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
                |(line, why): &(usize, OpeningError)| fault(format!("{shown}:{line}: {why}"));
            faults.iter().map(line).collect()
        }
    }
}

/// Number of random openings to find; 0 for none.
pub(crate) fn wanted(tournament: &Tournament) -> u32 {
    match tournament.openings.source {
        OpeningSource::Random { count, .. } => {
            count.unwrap_or(tournament.format.highest_pair().min(MANY))
        }
        OpeningSource::None | OpeningSource::File(_) => 0,
    }
}

/// Finds random openings, unless the previous run found them.
pub(crate) fn deal(
    contest: &mut Contest,
    kept: Option<&KeptOpenings>,
    observer: &dyn Observer,
) -> Result<(), Error> {
    let wanted = wanted(&contest.tournament);
    let Tournament { openings, game, seed, .. } = &mut contest.tournament;
    let OpeningSource::Random { plies, count } = openings.source else { return Ok(()) };
    let before = kept.filter(|kept| kept.source == openings.source);
    let steps = Steps::new(observer, Task::FindOpenings, wanted.into());
    openings.list = match before.filter(|kept| kept.list.len() >= wanted as usize) {
        Some(kept) => kept.list.as_slice().into(),
        None => random_openings(&**game, *seed, plies, wanted, &|| steps.step(""))
            .map_err(|fault| Error::invalid(format!("random openings: {fault}")))?
            .into(),
    };
    drop(steps);
    let found = openings.list.len();
    let place = contest.at(contest.tournament.openings.place);
    if found == 0 {
        return Err(Error::invalid(format!(
            "{place}openings: every game is over after {plies} random plies; write fewer"
        )));
    }
    if count.is_some_and(|count| found < count as usize) {
        return Err(Error::invalid(format!(
            "{place}openings: of {plies} random plies there are {found} different openings that \
             leave neither side far ahead, not {wanted}; write count = {found}, or more plies"
        )));
    }
    Ok(())
}

/// Remarks about the openings before the first game.
pub(crate) fn notes(tournament: &Tournament, entrants: &[Entrant]) -> Vec<String> {
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
