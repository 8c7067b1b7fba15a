//! Rule changes: differences between a tournament and the stored one that would change its games.

use pitmaster_core::{Limits, Resources};
use pitmaster_store::{Reader, Store};
use pitmaster_tournament::{Tournament, fitting_cpu};
use serde::Serialize;

use crate::Error;

/// Refuses to add games to a results folder with games played under other rules. Rules, limits and
/// openings are part of every game's key.
pub(crate) fn refuse(store: &Store, tournament: &Tournament) -> Result<(), Error> {
    let changes = changes(&store.reader()?, tournament)?;
    if changes.is_empty() {
        return Ok(());
    }
    Err(Error::ChangedRules { folder: store.folder().to_owned(), changes })
}

/// Lists the game-changing settings in which a tournament differs from the stored one.
pub(crate) fn changes(reader: &Reader, tournament: &Tournament) -> Result<Vec<String>, Error> {
    let mut changed = Vec::new();
    let Some(there) = reader.facts()? else { return Ok(changed) };
    if there.rules != tournament.game.id() {
        changed.push(format!("game ({} there, {} now)", there.rules, tournament.game.id()));
    }
    changed.extend(changed_limits(&there.limits, &tournament.limits));
    if there.seed != tournament.seed {
        changed.push(format!("seed ({} there, {} now)", there.seed.0, tournament.seed.0));
    }
    if there.format != tournament.fixed_format() {
        changed.push("format (games that were played decided who met whom by it)".to_owned());
    }
    changed.extend(there.openings.change(&tournament.openings));
    Ok(changed)
}

fn changed_limits(there: &Limits, now: &Limits) -> Vec<String> {
    let clock = |limits: &Limits| Limits { resources: Resources::default(), ..limits.clone() };
    let mut resources = now.resources.clone();
    // A default derived from the clock is not a separate change.
    if [there, now].iter().all(|limits| limits.resources.cpu == fitting_cpu(limits)) {
        resources.cpu = there.resources.cpu;
    }
    let mut changed = differing("clock", &clock(there), &clock(now));
    changed.extend(differing("sandbox", &there.resources, &resources));
    changed
}

/// Keys of a section whose values differ.
fn differing(section: &str, there: &impl Serialize, now: &impl Serialize) -> Vec<String> {
    let fields = |of: serde_json::Result<serde_json::Value>| match of {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let [there, now] = [serde_json::to_value(there), serde_json::to_value(now)].map(fields);
    let differ = there.iter().filter(|(key, value)| now.get(*key) != Some(value));
    differ.map(|(key, _)| format!("{section}.{}", key.trim_end_matches("_ns"))).collect()
}
