//! Isolation mismatch check: refuses to mix games played under different isolation.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use pitmaster_core::{Isolation, Promise};
use pitmaster_ratings::Game;
use pitmaster_store::{Reader, Store};
use pitmaster_tournament::{PlannedBot, Tournament};

use crate::Error;

/// Isolation by the store's numbers.
pub(crate) type Known = BTreeMap<u32, Isolation>;

/// Reads the isolations that a store knows.
pub(crate) fn known(reader: &Reader) -> Result<Known, Error> {
    let all = reader.isolations()?;
    Ok(all.into_iter().map(|known| (known.number, known.isolation)).collect())
}

/// Refuses a run that would add games to games played under other guarantees.
///
/// # Errors
/// The run would mix them, and mixing was not requested.
pub(crate) fn refuse(
    store: &Store,
    tournament: &Tournament,
    bots: Vec<PlannedBot>,
    now: &Isolation,
) -> Result<(), Error> {
    let reader = store.reader()?;
    let known = known(&reader)?;
    let there = reader.isolations_of_valid()?;
    let there = there.into_iter().map(|number| number.and_then(|number| known.get(&number)));
    let Some(other) =
        there.into_iter().find(|there| !there.is_some_and(|there| there.is_like(now)))
    else {
        return Ok(());
    };
    let played = reader.valid_ids()?;
    let missing = tournament.walk(bots, &reader.decisions()?, |key, seats| {
        if !played.contains(&key.id()) {
            return ControlFlow::Break(Ok(()));
        }
        match reader.outcome(&key.id()) {
            Ok(outcome) => ControlFlow::Continue(outcome.and_then(|outcome| {
                let fingerprint = || outcome.fingerprint;
                let seats = seats.map(|bot| bot as u32);
                Game::between(key, &outcome.ending, fingerprint, seats)
            })),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    });
    match missing {
        ControlFlow::Continue(_) => return Ok(()),
        ControlFlow::Break(Err(error)) => return Err(error.into()),
        ControlFlow::Break(Ok(())) => {}
    }
    Err(Error::invalid(format!(
        "{} holds games {}; start beside it with --fresh, or add to them with --mix-isolation, \
         which the table tells",
        store.folder().display(),
        difference(other, now)
    )))
}

fn difference(there: Option<&Isolation>, now: &Isolation) -> String {
    let Some(there) = there else {
        return format!(
            "of which it is not known what contained their bots, and this run is {now}"
        );
    };
    let differs = |promise: &&Promise| there.level(**promise) != now.level(**promise);
    let differing: Vec<_> = Promise::ALL.iter().filter(differs).map(|one| one.name()).collect();
    let back = if there.tier == now.tier {
        String::new()
    } else {
        format!("; play on with --isolation {}", there.tier)
    };
    format!(
        "that were played under {there}, and this run is {now}: they differ in {}{back}",
        differing.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use pitmaster_core::{Kept, Level, Tier};

    use super::*;

    fn isolation(tier: Tier, level: Level) -> Isolation {
        let kept = || Kept { level, how: String::new() };
        let promises = [(Promise::Net, kept()), (Promise::Mem, kept())].into();
        Isolation { tier, cgroup: false, promises }
    }

    #[test]
    fn it_is_said_what_differs_and_how_to_go_on() {
        let portable = isolation(Tier::Portable, Level::Enforced);
        let said = [
            difference(Some(&portable), &isolation(Tier::Bare, Level::Absent)),
            difference(Some(&portable), &isolation(Tier::Portable, Level::Limited)),
            difference(None, &portable),
        ];
        insta::assert_snapshot!(said.join("\n"), @"
        that were played under portable, and this run is bare: they differ in mem, net; play on with --isolation portable
        that were played under portable, and this run is portable: they differ in mem, net
        of which it is not known what contained their bots, and this run is portable
        ");
    }
}
