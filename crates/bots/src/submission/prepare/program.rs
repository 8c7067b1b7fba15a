//! The program that starts a bot, and the folder it runs in.

use std::path::{Path, PathBuf};

use pitmaster_core::StartFault;
use pitmaster_core::i18n::said;

use super::super::argv::Program;
use super::super::beneath::{Folder, open_program};
use super::super::detect::only_program;
use super::super::executable_format::{Image, Interpreter};
use super::super::fault::{BotFault, SnapshotError, Wrong, shown};
use super::super::manifest::Manifest;
use super::super::snapshot::Snapshot;
use crate::toolchain::{Commands, Located};

/// Resolves the file to execute, and adds the commands that it needs.
pub(super) fn resolve(
    path: &Path,
    manifest: &Manifest,
    snapshot: &Snapshot,
    commands: &mut Commands,
) -> Result<Located, Wrong> {
    let program = match &manifest.program {
        Program::Command(name) => {
            commands.add(name).ok_or_else(|| BotFault::MissingTool { tool: shown(name) })?
        }
        Program::File(word) => inside(snapshot, &manifest.folder, word)?.into(),
        Program::OnlyOneIn(folder) => only_one_in(folder, path, manifest, snapshot)?.into(),
    };
    add_interpreter(&program.file, commands);
    for name in &manifest.needs {
        commands.add(name);
    }
    Ok(program)
}

/// Adds the interpreter in the first line of a program. It is looked up among the machine's
/// commands and grants nothing else.
fn add_interpreter(program: &Path, commands: &mut Commands) {
    let Ok(file) = open_program(program) else { return };
    let Image::Script(shebang) = Image::of(&file) else { return };
    match shebang.interpreter() {
        Ok(Interpreter::Command(name)) => drop(commands.add(&name)),
        Ok(Interpreter::Path(path)) => commands.add_path(&path),
        // The preflight reports it before the bot is started.
        Err(_) => {}
    }
}

/// Path of a built program as in a manifest; any other program as it was named.
pub(super) fn named_program(manifest: &Manifest, file: &Path, folder: &Path) -> Program {
    let named = file.strip_prefix(folder).ok().and_then(Path::to_str);
    match (&manifest.program, named) {
        (Program::OnlyOneIn(_), Some(name)) => Program::File(format!("./{name}")),
        (program, _) => program.clone(),
    }
}

/// The folder that it runs in.
pub(super) fn folder_of(manifest: &Manifest, snapshot: &Snapshot) -> Result<PathBuf, Wrong> {
    if manifest.folder.as_os_str().is_empty() {
        return Ok(snapshot.work());
    }
    inside(snapshot, &manifest.folder, ".").map_err(|_| {
        let what = said!("there is no such folder; correct {} in its bot.toml", "`folder`");
        Wrong::file(&manifest.folder, what)
    })
}

fn only_one_in(
    place: &str,
    path: &Path,
    manifest: &Manifest,
    snapshot: &Snapshot,
) -> Result<PathBuf, Wrong> {
    let built = inside(snapshot, &manifest.folder, place)?;
    // Files in the build's own folder cannot have been submitted.
    let handed_in = (place == ".").then(|| snapshot.src().join(&manifest.folder));
    let open = |path: PathBuf| Folder::open(&path).map_err(SnapshotError::at("open", &path));
    let handed_in = handed_in.map(open).transpose()?;
    let not_there = StartFault::NotFound { program: shown(place) };
    let folder = Folder::open(&built).map_err(|_| BotFault::WouldNotStart(not_there))?;
    let only = only_program(&folder, handed_in.as_ref(), place, manifest, path);
    Ok(built.join(only.map_err(|fault| BotFault::Files(vec![fault]))?))
}

/// A path in the bot's folder with links followed, if it is still inside. Only the referee can
/// write to that folder.
#[expect(clippy::disallowed_methods, reason = "what is found is held against the folder")]
fn inside(snapshot: &Snapshot, folder: &Path, word: &str) -> Result<PathBuf, BotFault> {
    let work = snapshot.work();
    let found = work.join(folder).join(word);
    let not_there = || StartFault::NotFound { program: shown(word) };
    let program = found.canonicalize().map_err(|_| BotFault::WouldNotStart(not_there()))?;
    if !program.starts_with(&work) {
        let error = format!("{} is a link that leads outside the bot's folder", shown(word));
        return Err(BotFault::WouldNotStart(StartFault::Refused { error }));
    }
    Ok(program)
}
