//! The manifest of a submission, read or detected.

use std::io;
use std::path::Path;

use pitmaster_core::i18n::said;

use super::super::beneath::Folder;
use super::super::detect::{Detected, Guess, detect};
use super::super::fault::{BotFault, Wrong};
use super::super::manifest::Manifest;
use super::super::tree::{Tree, TreeLimits, head, unreadable};

/// Reads or detects the manifest at a path. `shown_as` is the bot's name in messages.
pub(super) fn manifest_of(
    path: &Path,
    shown_as: &Path,
    limits: TreeLimits,
) -> Result<(Manifest, Option<Guess>), Wrong> {
    if path.file_name().is_some_and(|name| name == Manifest::FILE) {
        return Err(Wrong::file(
            path,
            said!("this is a manifest; name the folder that it lies in"),
        ));
    }
    let name = Path::new(Manifest::FILE);
    // A single file has no manifest.
    if let Ok(folder) = Folder::open(path)
        && folder.has(name)
    {
        return Ok((read_manifest(&folder, &shown_as.join(name))?, None));
    }
    let tree = Tree::of(path, limits)?;
    match detect(&tree, shown_as).map_err(|fault| BotFault::Files(vec![fault]))? {
        Detected::Program(guess) => Ok((guess.manifest.clone(), Some(*guess))),
        Detected::ManifestIn(further) => {
            let folder = tree.root().folder(&further);
            let folder = folder.map_err(|error| unreadable(&path.join(&further), error))?;
            let manifest = read_manifest(&folder, &shown_as.join(&further).join(name))?;
            let folder = further.join(&manifest.folder);
            Ok((Manifest { folder, ..manifest }, None))
        }
    }
}

fn read_manifest(folder: &Folder, shown_as: &Path) -> Result<Manifest, Wrong> {
    let name = Path::new(Manifest::FILE);
    let bytes = match folder.file(name) {
        Ok(file) => head(file, Manifest::MAX_BYTES as u64 + 1),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
        Err(_) => {
            let what = said!("is not a file; a manifest is a few lines of text");
            return Err(Wrong::file(shown_as, what));
        }
    };
    let bytes = bytes.map_err(|error| unreadable(&folder.path().join(name), error))?;
    Manifest::parse(&bytes, shown_as).map_err(|faults| BotFault::Files(faults).into())
}
