//! Tournament file of a final: the frozen versions of a course, at the official clock.

use std::path::Path;
use std::time::Duration;

use pitmaster_core::{BotHash, BotName, Requirements, Seed};
use pitmaster_tournament::{
    BotEntry, Bots, Durability, FormatPlan, Located, Location, Tournament, fitting_cpu,
};

use crate::{Contest, Error, Observer, facts};

/// Settings of a final.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalSettings {
    /// Title shown above the standings.
    pub title: String,
    /// Pairs of games between every two bots.
    pub pairs: u32,
    /// Time limit of a move.
    pub per_move: Duration,
    /// Seed of all randomness.
    pub seed: Seed,
}

impl FinalSettings {
    /// Pairs between every two bots by default: 40 games of a bot in a class of eleven.
    pub const PAIRS: u32 = 2;
    /// Official time limit of a move by default.
    pub const PER_MOVE: Duration = Duration::from_secs(1);
}

/// Text of the tournament file of a final: a round-robin of these versions and of the marks of the
/// ladder in `ladder`, at its game and openings, with the promises of an official tournament. `bots`
/// is the path of the folder of snapshots, relative to the file.
///
/// # Errors
/// The ladder's file cannot be read.
pub fn final_file(
    ladder: &Path,
    versions: &[(BotName, BotHash)],
    bots: &str,
    settings: &FinalSettings,
    observer: &dyn Observer,
) -> Result<String, Error> {
    let practice = Contest::read(&ladder.join(facts::TOURNAMENT_FILE), observer)?.tournament;
    let mut limits = practice.limits;
    limits.per_move = Some(settings.per_move);
    limits.first_move = limits.first_move.max(limits.per_move);
    limits.resources.cpu = fitting_cpu(&limits);
    let mut entries = practice.bots.entries;
    entries.extend(versions.iter().map(|(name, hash)| entry(name, hash, bots)));
    let tournament = Tournament {
        title: settings.title.clone(),
        seed: settings.seed,
        seed_commitment: None,
        limits,
        isolation: None,
        require: Requirements::official(),
        format: FormatPlan::round_robin(settings.pairs),
        bots: Bots { entries, ..Bots::default() },
        durability: Durability::default(),
        ..practice
    };
    Ok(tournament.to_toml())
}

fn entry(name: &BotName, hash: &BotHash, bots: &str) -> BotEntry {
    let place = Location::START;
    // The files as they were handed in: the hash in the final is that on the ladder.
    let path = Located { value: format!("{bots}/{}/src", hash.as_str()), place };
    let name = Some(Located { value: name.clone(), place });
    BotEntry { place, path, name, display: None, anchor: None, in_process: false }
}
