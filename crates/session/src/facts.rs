//! Tournament facts: data that a tournament stores next to its games.

use std::fs;
use std::io::Write as _;

use pitmaster_core::BotName;
use pitmaster_runner::Layout;
use pitmaster_store::{self as store, BotState, Facts, KnownBot, LocalRun, Store};
use pitmaster_tournament::KeptOpenings;
use serde_json::json;

use crate::Error;
use crate::contest::Contest;
use crate::lineup::Lineup;
use crate::run::Participants;

/// Name of the tournament file in a results folder.
pub(crate) const TOURNAMENT_FILE: &str = "tournament.toml";

/// Stores the facts of a run: the bots, the rules and the machine.
/// Returns the names of bots whose games no longer count.
pub(crate) fn keep(
    store: &Store,
    contest: &Contest,
    participants: &Participants,
) -> Result<Vec<BotName>, Error> {
    let Participants { lineup, run, host, .. } = participants;
    keep_rules(store, contest, lineup, run.clone(), host.clone())?;
    keep_bots(store, &lineup.known)
}

/// Stores the facts of a run except its bots, and writes the tournament file.
pub(crate) fn keep_rules(
    store: &Store,
    contest: &Contest,
    lineup: &Lineup,
    run: Option<LocalRun>,
    host: serde_json::Value,
) -> Result<(), Error> {
    let tournament = &contest.tournament;
    let before = store.reader()?.facts()?;
    let (mut runs, order) = before.map(|facts| (facts.runs, facts.order)).unwrap_or_default();
    runs.extend(run);
    store.put_facts(&Facts {
        file: contest.file.clone(),
        rules: tournament.game.id(),
        limits: tournament.limits.clone(),
        seed: tournament.seed,
        format: tournament.fixed_format(),
        openings: KeptOpenings::of(tournament),
        anchors: lineup.anchors.clone(),
        authors: lineup.authors.clone(),
        hosts: vec![host],
        runs,
        commitment: tournament.seed_commitment.as_ref().map(ToString::to_string),
        order,
    })?;
    let file = &store.folder().join(TOURNAMENT_FILE);
    store::create_file(file)?.write_all(contest.file.as_bytes())?;
    Ok(())
}

/// Stores the current participants. Returns the names of bots whose games no longer count.
pub(crate) fn keep_bots(store: &Store, now: &[KnownBot]) -> Result<Vec<BotName>, Error> {
    let known = store.reader()?.bots()?;
    let leaving = leaving(&known, now);
    store.put_bots(with_former(known, now))?;
    Ok(leaving)
}

/// Bot versions that no longer take part.
fn leaving(before: &[KnownBot], now: &[KnownBot]) -> Vec<BotName> {
    let took_part = before.iter().filter(|old| old.state == BotState::Active);
    let left = took_part.filter(|old| now.iter().all(|bot| bot.id != old.id));
    left.map(|bot| bot.id.name.clone()).collect()
}

/// Adds bots that no longer take part. They keep their games, which do not count in the standings.
fn with_former(before: Vec<KnownBot>, now: &[KnownBot]) -> Vec<KnownBot> {
    let former = before.into_iter().filter(|old| now.iter().all(|bot| bot.id != old.id));
    let former = former.map(|old| {
        let replaced = now.iter().any(|bot| bot.id.name == old.id.name);
        let state = if replaced { BotState::Replaced } else { BotState::Removed };
        KnownBot { state, ..old }
    });
    former.chain(now.iter().cloned()).collect()
}

pub(crate) fn of_this_host(layout: &Layout) -> serde_json::Value {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    json!({
        "host": store::host_name(),
        "kernel": store::kernel_release(),
        "processor": model.map(|(_, name)| name),
        "cores": std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        "lanes": layout.lanes,
        "reserved": layout.reserved(),
        "shared": layout.shared,
        "pitmaster": env!("CARGO_PKG_VERSION"),
    })
}
