//! Preparation of a submission: turns submitted files into a command that can be started.
//!
//! Must not depend on how bots play.

mod admitted;
mod program;
mod reading;
#[cfg(test)]
mod tests;

use std::path::Path;

use pitmaster_core::{BotHash, BotId, BotName, Untrusted};

pub use admitted::Admitted;
use reading::manifest_of;

use super::build::Options;
use super::command::PlayerCommand;
use super::detect::{Guess, Way};
use super::fault::{BotFault, PrepareError, SnapshotError, Unfit, Wrong, shown_path};
use super::manifest::Manifest;
use super::snapshot::Snapshot;
use super::tree::{Tree, TreeLimits};

/// A bot that can play.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The command that starts it.
    pub command: PlayerCommand,
    /// Its manifest.
    pub manifest: Manifest,
    /// The snapshot with its copy, its build and its log.
    pub snapshot: Snapshot,
    /// The detection result, if it has no manifest.
    pub guess: Option<Guess>,
    /// Whether its dialect is known, by its manifest or by a trial.
    pub is_settled: bool,
}

impl Prepared {
    /// The command that starts a bot without a manifest in this dialect.
    pub fn spoken_to(&self, way: &Way) -> PlayerCommand {
        let guess = self.guess.as_ref().map(|guess| guess.spoken_to(way));
        self.command.with_manifest(guess.as_ref().unwrap_or(&self.manifest))
    }

    /// Records in the snapshot that trials have confirmed this dialect.
    ///
    /// # Errors
    /// The snapshot cannot be written.
    pub fn settle(&mut self, way: &Way) -> Result<(), SnapshotError> {
        let Some(guess) = &self.guess else { return Ok(()) };
        let Manifest { args, dialect, .. } = guess.spoken_to(way);
        self.manifest = Manifest { args, dialect, ..self.manifest.clone() };
        self.command = self.command.with_manifest(&self.manifest);
        self.is_settled = true;
        let place = shown_path(&guess.place);
        let text = format!(
            "# Found without a bot.toml: {place}. A bot.toml with these lines says the same.\n{}",
            self.manifest.to_toml()
        );
        let read = Manifest::parse(text.as_bytes(), Path::new(Manifest::FILE));
        if read.is_ok_and(|read| read == self.manifest) {
            self.snapshot.write_found(text.as_bytes())?;
        }
        Ok(())
    }

    /// Restores the dialect that an earlier trial has determined.
    fn recall(&mut self) {
        let Some(guess) = &self.guess else { return };
        let text = self.snapshot.read_found();
        let read = text.and_then(|text| Manifest::parse(&text, Path::new(Manifest::FILE)).ok());
        let Some(found) = read else { return };
        let is_same = |way: &&Way| {
            let manifest = guess.spoken_to(way);
            (manifest.args, manifest.dialect) == (found.args.clone(), found.dialect)
                && (manifest.folder, manifest.build) == (found.folder.clone(), found.build.clone())
        };
        if let Some(way) = guess.ways.iter().find(is_same) {
            let Manifest { args, dialect, .. } = guess.spoken_to(way);
            self.manifest = Manifest { args, dialect, ..self.manifest.clone() };
            self.command = self.command.with_manifest(&self.manifest);
            self.is_settled = true;
        }
    }
}

/// Names that a tournament assigns to a bot in place of the bot's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Naming {
    /// Replaces the manifest's name.
    pub name: Option<BotName>,
    /// Replaces the manifest's display name.
    pub display: Option<Untrusted>,
}

/// Reads a bot's manifest or detects how it runs, without copying or running anything. `game` is
/// the name of the game to play, if it is known.
///
/// # Errors
/// All errors in its manifest, the reason why detection failed, or that it does not play the game.
pub fn inspect(
    path: &Path,
    game: Option<&str>,
    limits: TreeLimits,
) -> Result<Manifest, PrepareError> {
    let manifest = manifest_of(path, path, limits).map(|(manifest, _)| manifest);
    let manifest = manifest.and_then(|manifest| match game {
        Some(game) => playing(manifest, game),
        None => Ok(manifest),
    });
    manifest.map_err(|wrong| unfit(name_of(path), None, wrong))
}

/// Takes a bot's snapshot into `store` (the folder of all snapshots of a tournament), builds it
/// there and returns how to start it. `game` is the game's name without options.
///
/// # Errors
/// The bot's own fault, with as much of its identity as is known, or that the store cannot be used.
pub fn prepare(
    path: &Path,
    naming: Naming,
    store: &Path,
    game: &str,
    options: &Options,
) -> Result<Prepared, PrepareError> {
    let mut prepared = admit(path, naming, store, game, options.limits)?.build(options)?;
    prepared.recall();
    Ok(prepared)
}

/// Takes a bot's snapshot into `store` without building it. The remaining steps can be done here or
/// on other machines. `game` is the game's name without options.
///
/// # Errors
/// An error in the submission, that it does not play the game, or that the store cannot be used.
pub fn admit(
    path: &Path,
    naming: Naming,
    store: &Path,
    game: &str,
    limits: TreeLimits,
) -> Result<Admitted, PrepareError> {
    let early = naming.name.clone().unwrap_or_else(|| name_of(path));
    let manifest = manifest_of(path, path, limits);
    let (manifest, _) = manifest
        .map_err(|wrong| unfit(early.clone(), known(path, early, limits).as_ref(), wrong))?;
    let name = naming.name.or(manifest.name).unwrap_or_else(|| name_of(path));
    let snapshot = Snapshot::take(path, store, limits)
        .map_err(|wrong| unfit(name.clone(), known(path, name.clone(), limits).as_ref(), wrong))?;
    Admitted::of(path, name, naming.display, snapshot, game, limits)
}

/// Hash of a submission, without copying it; `None` if it cannot be read.
pub fn hash_of(path: &Path, limits: TreeLimits) -> Option<BotHash> {
    Tree::of(path, limits).and_then(|tree| tree.hash()).ok()
}

/// Identity of a submission that is not taken into the store; `None` if it cannot be read.
fn known(path: &Path, name: BotName, limits: TreeLimits) -> Option<BotId> {
    let hash = hash_of(path, limits)?;
    Some(BotId { name, hash })
}

fn playing(manifest: Manifest, game: &str) -> Result<Manifest, Wrong> {
    if manifest.plays(game) {
        return Ok(manifest);
    }
    let plays = manifest.games.join(", ");
    Err(BotFault::OtherGame { game: game.to_owned(), plays }.into())
}

fn unfit(name: BotName, id: Option<&BotId>, wrong: Wrong) -> PrepareError {
    match wrong {
        Wrong::Bot(fault) => {
            let hash = id.map(|id| id.hash.clone());
            Box::new(Unfit { name, hash, ran: None, is_guessed: false, fault }).into()
        }
        Wrong::Store(fault) => fault.into(),
    }
}

/// The name that a bot will have: from its manifest, or from its folder or file.
///
/// # Errors
/// An error in its manifest.
pub fn called(path: &Path) -> Result<BotName, PrepareError> {
    let manifest = inspect(path, None, TreeLimits::default())?;
    Ok(manifest.name.unwrap_or_else(|| name_of(path)))
}

/// The name of a bot by its folder or file.
#[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
pub fn name_of(path: &Path) -> BotName {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let named = if path.file_name().is_some() { path } else { &absolute };
    let part = if absolute.is_dir() { named.file_name() } else { named.file_stem() };
    BotName::tamed(&part.map_or(String::new(), |part| shown_path(Path::new(part))))
}
