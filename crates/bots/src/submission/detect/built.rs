//! Built program: the executable that a build has produced.
//!
//! Must not depend on how it was built.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::said;

use super::super::argv::Program;
use super::super::beneath::{EntryKind, Folder};
use super::super::executable_format::Image;
use super::super::fault::{FileError, shown_path};
use super::super::manifest::Manifest;
use super::names::{is_beside_a_bot, is_called_main, is_referee, may_hold_programs};
use super::survey::is_library;
use super::{list, narrowed, write_a_manifest};

/// Maximum folder depth of a built program.
const DEPTH: usize = 6;
/// Maximum number of names examined.
const MOST: usize = 50_000;

/// Finds the only program that a build produced in a folder. Returns its relative path. Submitted
/// programs count only if there is no other; tests, tools and referees only if nothing else is
/// left. Among several, the one named `bot` or `main` is chosen.
///
/// `manifest` describes the build, for advice on ambiguous results. `place` is the folder's path in
/// the build folder.
pub(in super::super) fn only_program(
    built: &Folder,
    handed_in: Option<&Folder>,
    place: &str,
    manifest: &Manifest,
    shown_as: &Path,
) -> Result<PathBuf, FileError> {
    let all = programs_in(built, place);
    let is_new = |name: &PathBuf| handed_in.is_none_or(|folder| !is_same(folder, built, name));
    let own = narrowed(all, is_new);
    let own: Vec<_> = own.into_iter().filter(|path| !is_referee(path)).collect();
    let own = narrowed(own, |path| !is_beside_a_bot(path));
    let own = narrowed(own, |path| is_called_main(path));
    match &own[..] {
        [only] => Ok(only.clone()),
        _ => Err(no_only_program(&own, place, manifest, shown_as)),
    }
}

/// Executable programs in a folder, sorted; for cargo only those at the top.
fn programs_in(folder: &Folder, place: &str) -> Vec<PathBuf> {
    let depth = if place.starts_with("target") { 0 } else { DEPTH };
    let mut found = Vec::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    let mut left = MOST;
    while let Some((path, level)) = folders.pop() {
        for name in names_in(folder, &path, left) {
            left = left.saturating_sub(1);
            let path = path.join(name);
            match folder.kind(&path) {
                Ok(EntryKind::Folder) if level < depth && may_hold_programs(&path.join("x")) => {
                    folders.push((path, level + 1));
                }
                Ok(EntryKind::File { executable: true }) if is_program(folder, &path) => {
                    found.push(path);
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn names_in(folder: &Folder, path: &Path, most: usize) -> Vec<std::ffi::OsString> {
    let names = if path.as_os_str().is_empty() {
        folder.names(most.max(1))
    } else {
        folder.folder(path).and_then(|folder| folder.names(most.max(1)))
    };
    names.unwrap_or_default()
}

fn is_program(folder: &Folder, path: &Path) -> bool {
    let image = folder.file(path).map(|file| Image::of(&file));
    matches!(image, Ok(Image::Elf(_) | Image::Script(_))) && !is_library(path)
}

/// Whether a submitted file is unchanged after the build.
fn is_same(handed_in: &Folder, built: &Folder, name: &Path) -> bool {
    let (Ok(before), Ok(now)) = (handed_in.file(name), built.file(name)) else { return false };
    let [mut before, mut now] = [before, now].map(BufReader::new);
    loop {
        let (Ok(one), Ok(two)) = (before.fill_buf(), now.fill_buf()) else { return false };
        let count = one.len().min(two.len());
        if one[..count] != two[..count] || (count == 0 && one.len() != two.len()) {
            return false;
        }
        if count == 0 {
            return true;
        }
        before.consume(count);
        now.consume(count);
    }
}

fn no_only_program(
    candidates: &[PathBuf],
    place: &str,
    manifest: &Manifest,
    shown_as: &Path,
) -> FileError {
    let found = match candidates {
        [] => said!("its build leaves no program where it was looked for"),
        some => said!("its build leaves several programs: {}", list(some)),
    };
    let place = place.trim_end_matches('.');
    let at = |path: &Path| match place {
        "" => format!("./{}", shown_path(path)),
        place => format!("./{place}/{}", shown_path(path)),
    };
    let named = |path: &PathBuf| {
        let program = Program::File(at(path));
        (path.clone(), Manifest { program, ..manifest.clone() })
    };
    let mut manifests: Vec<_> = candidates.iter().map(named).collect();
    if manifests.is_empty() {
        manifests.push(named(&"bot".into()));
    }
    FileError::whole(shown_as, said!("{}; {}", found, write_a_manifest(&manifests)))
}
