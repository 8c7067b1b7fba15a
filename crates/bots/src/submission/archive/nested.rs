//! Nested archives: a submission that consists of one archive and perhaps documents.

use std::fs::File;
use std::path::{Path, PathBuf};

use pitmaster_core::i18n::said;

use super::super::beneath::{EntryKind, Folder};
use super::super::fault::SnapshotError;
use super::{Archive, ArchiveError, Contents, Refusal, Unpacked, damaged, refused};

/// Maximum number of names examined to find the archive.
const MOST_NAMES: usize = 200;

/// Unpacks the archive that a submission consists of, recursively up to the limit. Archives next to
/// sources are left unchanged. Returns all contents.
///
/// # Errors
/// An archive is refused, or the folder cannot be written.
pub fn unpack_nested(mut unpacked: Unpacked) -> Result<Contents, ArchiveError> {
    let mut found = 0;
    let most = unpacked.limits().nesting;
    while let Some((path, file)) = only_archive(unpacked.folder(), Path::new(""), 0)? {
        if found == most {
            return Err(refused(match most {
                1 => said!("it has more than one archive inside each other"),
                _ => said!("it has more than {} archives inside each other", most),
            }));
        }
        let folder = free_name(unpacked.folder(), &path);
        let entries = unpacked.limits().entries;
        unpacked = unpacked.beneath(&folder)?;
        let archive = Archive::recognize(file).map_err(|error| damaged(&error))?;
        if let Some(mut archive) = archive {
            let named = |error| match error {
                ArchiveError::Refused(Refusal { why, ask }) => {
                    let why = said!("{}: {}", super::super::fault::shown_path(&path), why);
                    ArchiveError::Refused(Refusal { why, ask })
                }
                store @ ArchiveError::Store(_) => store,
            };
            let visit = &mut |entry: super::Entry<'_>| {
                let path = entry.path.clone();
                unpacked.put(&path, entry)
            };
            archive.for_each(entries, visit).map_err(named)?;
        }
        found += 1;
    }
    Ok(unpacked.contents().clone())
}

/// The only archive of a folder that otherwise contains only documents, or of its only subfolder.
fn only_archive(
    folder: &Folder,
    above: &Path,
    depth: usize,
) -> Result<Option<(PathBuf, File)>, ArchiveError> {
    let here = folder.path().to_owned();
    let unreadable = || SnapshotError::at("read", &here);
    let names = folder.names(MOST_NAMES).map_err(unreadable())?;
    let (mut archives, mut folders) = (Vec::new(), Vec::new());
    for name in names {
        let name = PathBuf::from(name);
        match folder.kind(&name).map_err(unreadable())? {
            EntryKind::Folder => folders.push(name),
            EntryKind::File { .. } if is_archive(folder, &name)? => archives.push(name),
            EntryKind::File { .. } if is_paper(&name) => {}
            _ => return Ok(None),
        }
    }
    match (&archives[..], &folders[..]) {
        ([archive], []) => {
            let file = folder.file(archive).map_err(unreadable())?;
            Ok(Some((above.join(archive), file)))
        }
        ([], [only]) if depth < 8 => {
            let inner = folder.folder(only).map_err(unreadable())?;
            only_archive(&inner, &above.join(only), depth + 1)
        }
        _ => Ok(None),
    }
}

/// Whether a file is an archive, and not a program or document in an archive format.
fn is_archive(folder: &Folder, name: &Path) -> Result<bool, ArchiveError> {
    const OTHERS: [&str; 10] =
        ["jar", "war", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "apk"];
    let ending = name.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    if ending.is_some_and(|ending| OTHERS.contains(&&*ending)) {
        return Ok(false);
    }
    let file = folder.file(name).map_err(SnapshotError::at("read", name))?;
    let archive = Archive::recognize(file).map_err(SnapshotError::at("read", name))?;
    Ok(archive.is_some())
}

/// Whether a file is a document or a picture.
fn is_paper(name: &Path) -> bool {
    const ENDINGS: [&str; 14] = [
        "md", "txt", "pdf", "docx", "doc", "odt", "rtf", "tex", "png", "jpg", "jpeg", "svg",
        "html", "pptx",
    ];
    let ending = name.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    ending.is_some_and(|ending| ENDINGS.contains(&&*ending))
}

/// Unused name for the folder of an archive.
fn free_name(folder: &Folder, archive: &Path) -> PathBuf {
    let stem = archive.file_stem().map_or(Path::new("unpacked"), Path::new);
    let stem = PathBuf::from(stem.file_stem().unwrap_or(stem.as_os_str()));
    let numbered = (2..).map(|number| PathBuf::from(format!("{}-{number}", stem.display())));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(|name| !folder.has(name)).unwrap_or(stem)
}
