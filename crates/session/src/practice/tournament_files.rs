//! Tournament files made from that of a ladder: of a final, in which the frozen versions of a course
//! play at the official clock, and of the games that groups ask for.

use std::path::Path;
use std::time::Duration;

use pitmaster_core::{BotHash, BotName, Requirements, Seed};
use pitmaster_tournament::{
    BotEntry, Bots, Durability, FormatPlan, Located, Location, OpeningSource, Tournament,
    fitting_cpu,
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

/// Folder of a ladder, as a file that is made from its file refers to it.
#[derive(Debug, Clone, Copy)]
pub struct LadderPath<'p> {
    /// The folder.
    pub folder: &'p Path,
    /// Its path relative to the new file.
    pub relative: &'p str,
}

impl LadderPath<'_> {
    /// Reads the ladder's file, with paths relative to the new one.
    fn read(self, observer: &dyn Observer) -> Result<Tournament, Error> {
        let file = self.folder.join(facts::TOURNAMENT_FILE);
        let mut tournament = Contest::read(&file, observer)?.tournament;
        if let OpeningSource::File(path) = &mut tournament.openings.source
            && Path::new(path).is_relative()
        {
            *path = format!("{}/{path}", self.relative);
        }
        Ok(tournament)
    }
}

/// Text of the tournament file of the games that groups ask for: as on the ladder, but with other
/// random openings.
///
/// # Errors
/// The ladder's file cannot be read.
pub fn requested_file(ladder: LadderPath<'_>, observer: &dyn Observer) -> Result<String, Error> {
    let practice = ladder.read(observer)?;
    let seed = practice.seed.derive("requested games");
    let title = format!("{}: games that were asked for", practice.title);
    Ok(Tournament { title, seed, ..practice }.to_toml())
}

/// Text of the tournament file of a final: a round-robin of these versions and of the marks of the
/// ladder, at its game and openings, with the promises of an official tournament. `bots` is the path
/// of the folder of snapshots, relative to the file.
///
/// # Errors
/// The ladder's file cannot be read.
pub fn final_file(
    ladder: LadderPath<'_>,
    versions: &[(BotName, BotHash)],
    bots: &str,
    settings: &FinalSettings,
    observer: &dyn Observer,
) -> Result<String, Error> {
    let practice = ladder.read(observer)?;
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
