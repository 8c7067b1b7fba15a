//! Admitted bot: a bot with a snapshot, not yet built.

use std::path::{Path, PathBuf};

use pitmaster_core::{BotId, BotName, Untrusted};
use pitmaster_sandbox::SandboxProfile;

use super::super::argv::Program;
use super::super::build::{Options, asking, build};
use super::super::command::PlayerCommand;
use super::super::detect::Guess;
use super::super::diagnose::{Surroundings, preflight};
use super::super::fault::{BotFault, PrepareError, Unfit, Wrong, shown, shown_path};
use super::super::manifest::Manifest;
use super::super::snapshot::Snapshot;
use super::super::tree::TreeLimits;
use super::program::{folder_of, named_program, resolve};
use super::reading::manifest_of;
use super::{Prepared, playing, unfit};
use crate::toolchain::Commands;

/// An accepted bot that is not built yet.
#[derive(Debug, Clone)]
pub struct Admitted {
    /// The bot's identity.
    pub id: BotId,
    /// Its display name.
    pub display: Untrusted,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its snapshot.
    pub snapshot: Snapshot,
    /// The detection result, if it has no manifest.
    pub guess: Option<Guess>,
    /// Its name in messages.
    shown_as: PathBuf,
}

impl Admitted {
    /// A bot that was admitted on another machine, read from its snapshot.
    ///
    /// # Errors
    /// An error in its manifest, or that it does not play the game.
    pub fn elsewhere(
        snapshot: Snapshot,
        name: BotName,
        display: Untrusted,
        game: &str,
        limits: TreeLimits,
    ) -> Result<Self, PrepareError> {
        let shown_as = PathBuf::from(name.as_str());
        Self::of(&shown_as, name, Some(display), snapshot, game, limits)
    }

    /// Reads the manifest from the copy, which the hash covers.
    pub(super) fn of(
        path: &Path,
        name: BotName,
        display: Option<Untrusted>,
        snapshot: Snapshot,
        game: &str,
        limits: TreeLimits,
    ) -> Result<Self, PrepareError> {
        let id = BotId { name, hash: snapshot.hash.clone() };
        let (manifest, guess) = manifest_of(&snapshot.src(), path, limits)
            .and_then(|(manifest, guess)| Ok((playing(manifest, game)?, guess)))
            .map_err(|wrong| unfit(id.name.clone(), Some(&id), wrong))?;
        let own = || manifest.display.clone().unwrap_or_else(|| Untrusted::new(id.name.as_str()));
        let display = display.unwrap_or_else(own);
        Ok(Self { id, display, manifest, snapshot, guess, shown_as: path.to_owned() })
    }

    /// Builds it and returns how to start it.
    ///
    /// # Errors
    /// The reason why it cannot be built or started here, or that the store cannot be used.
    pub fn build(self, options: &Options) -> Result<Prepared, PrepareError> {
        let (command, program) = self.ready(options).map_err(|wrong| {
            match unfit(self.id.name.clone(), Some(&self.id), wrong) {
                PrepareError::Bot(unfit) => {
                    let (ran, is_guessed) = (self.shown_run(&unfit), self.guess.is_some());
                    PrepareError::Bot(Box::new(Unfit { ran, is_guessed, ..*unfit }))
                }
                store @ PrepareError::Store(_) => store,
            }
        })?;
        let is_settled = self.guess.is_none();
        let manifest = Manifest { program, ..self.manifest };
        Ok(Prepared { command, manifest, snapshot: self.snapshot, guess: self.guess, is_settled })
    }

    /// The run command, if it does not start.
    fn shown_run(&self, unfit: &Unfit) -> Option<String> {
        let would_not_start = matches!(unfit.fault, BotFault::WouldNotStart(_));
        let folder: PathBuf = self.shown_as.iter().chain(&self.manifest.folder).collect();
        let words = shown(&self.manifest.shown_run());
        would_not_start.then(|| format!("`{words}` in {}", shown_path(&folder)))
    }

    /// The command, and the program as a manifest names it.
    fn ready(&self, options: &Options) -> Result<(PlayerCommand, Program), Wrong> {
        let Self { id, display, manifest, snapshot, shown_as, .. } = self;
        build(snapshot, manifest, options)?;
        let tools = &options.tools;
        let folder = folder_of(manifest, snapshot)?;
        let mut commands = Commands::new(tools, asking(snapshot, options));
        let program = resolve(shown_as, manifest, snapshot, &mut commands)?;
        let work = snapshot.work();
        let around = Surroundings { tools, own: &work, installed: &commands.installed };
        preflight(&program.file, around).map_err(BotFault::WouldNotStart)?;
        let reads = commands.reads(&snapshot.work_folder());
        let named = named_program(manifest, &program.file, &folder);
        let command = PlayerCommand {
            id: id.clone(),
            display: display.clone(),
            dialect: manifest.dialect,
            lenient: manifest.lenient,
            program: program.file,
            arg0: program.name.into(),
            folder,
            words: manifest.args.clone(),
            cage: SandboxProfile::new(&options.sandbox, reads.clone()),
            reads,
            tools: tools.with_first(&commands.ahead),
        };
        Ok((command, named))
    }
}
