//! Files of a class and of results that name a person.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{TreeLimits, hash_of};
use pitmaster_core::BotName;
use pitmaster_season::Class;
use pitmaster_store::{Forgetting, KnownBot};

use crate::Error;
use crate::grade::is_feedback_archive;
use crate::log;
use crate::results::NewFile;

/// Snapshots of a person's bot that no other bot shares.
pub(super) fn snapshots(folder: &Path, bots: &[KnownBot], key: &BotName) -> Vec<PathBuf> {
    let (theirs, others): (Vec<_>, Vec<_>) = bots.iter().partition(|bot| bot.id.name == *key);
    let shared = others.iter().filter(|bot| super::takes_part(bot));
    let shared: BTreeSet<_> = shared.map(|bot| &bot.id.hash).collect();
    let own: BTreeSet<_> = theirs.iter().map(|bot| &bot.id.hash).collect();
    let paths = own.difference(&shared).map(|hash| folder.join("bots").join(hash.as_str()));
    paths.filter(|path| path.exists()).collect()
}

/// Files of a member in a class folder.
pub(super) fn of_member(root: &Path, key: &BotName) -> Vec<PathBuf> {
    let folders = ["bots", "other", "earlier"].map(|name| root.join(name).join(key.as_str()));
    let fix = root.join("fix").join(format!("{key}.toml"));
    let all = folders.into_iter().chain([fix]);
    all.filter(|path| path.symlink_metadata().is_ok()).collect()
}

/// Snapshots that checks of the class took of a member's submissions.
pub(super) fn checked(root: &Path, key: &BotName) -> Vec<PathBuf> {
    let mut versions = vec![root.join("bots").join(key.as_str())];
    let earlier = fs::read_dir(root.join("earlier").join(key.as_str()));
    versions.extend(earlier.into_iter().flatten().flatten().map(|entry| entry.path()));
    let hashes = versions.iter().filter_map(|path| hash_of(path, TreeLimits::default()));
    let snapshots = hashes.map(|hash| root.join("check/bots").join(hash.as_str()));
    let all: BTreeSet<_> = snapshots.filter(|path| path.exists()).collect();
    all.into_iter().collect()
}

/// Removes pages and packed games, which can be regenerated.
pub(super) fn remove_pages(folder: &Path, forgetting: &Forgetting) -> Result<Vec<PathBuf>, Error> {
    let mut removed = Vec::new();
    for path in all_files(folder)? {
        let is_page = path.extension().is_some_and(|ext| ext == "html" || ext == "svg");
        if is_page && names_the_person(&path, forgetting)? {
            fs::remove_file(&path)?;
            removed.push(path);
        }
    }
    Ok(removed)
}

/// Removes the person from files of `grade` and `check` in the class folder: the page, table rows,
/// and archives of pages, which `grade` can regenerate. Returns the removed and the changed files.
pub(super) fn from_grades(
    root: &Path,
    forgetting: &Forgetting,
) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Error> {
    let (mut removed, mut changed) = (Vec::new(), Vec::new());
    for path in all_files(root)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_own = path.file_stem().is_some_and(|stem| stem == forgetting.name.as_str());
        // Other people's submissions may contain the same words.
        if is_submitted(root, &path) {
            continue;
        }
        let is_archive = is_feedback_archive(&path);
        let is_report = path.extension().is_some_and(|ext| ext == "json");
        if is_own || is_archive || is_report && names_the_person(&path, forgetting)? {
            fs::remove_file(&path)?;
            removed.push(path);
        } else if path.extension().is_some_and(|ext| ext == "csv")
            && name != Class::FILE
            && drop_rows(&path, forgetting)?
        {
            changed.push(path);
        }
    }
    Ok((removed, changed))
}

/// Whether a file of a class or of results is part of a submission.
fn is_submitted(root: &Path, path: &Path) -> bool {
    let is_in = |folder: &str| path.starts_with(root.join(folder));
    ["bots", "other", "earlier", "fix", "check/bots"].into_iter().any(is_in)
}

/// Removes the rows of a table that have the person in a cell. Other rows keep their bytes.
fn drop_rows(path: &Path, forgetting: &Forgetting) -> Result<bool, Error> {
    let text = fs::read(path)?;
    let mut kept = Vec::with_capacity(text.len());
    for row in rows(&text) {
        let shown = String::from_utf8_lossy(row);
        // A short key is ambiguous in other columns.
        let first = shown.split([',', ';', '\t', '\r', '\n']).next().unwrap_or_default();
        let is_key = first.trim().trim_matches('"') == forgetting.name.as_str();
        if !is_key && !forgetting.is_in(&shown) {
            kept.extend_from_slice(row);
        }
    }
    if kept.len() == text.len() {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    let file = NewFile::create(folder, name, Ok)?;
    file.finish(|mut out| out.write_all(&kept).and_then(|()| out.flush()))?;
    Ok(true)
}

/// Rows of a CSV file with their line ends. A quoted cell may contain line ends.
fn rows(text: &[u8]) -> Vec<&[u8]> {
    let (mut rows, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => {
                rows.push(&text[start..=at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    rows.push(&text[start..]);
    rows
}

/// Files whose name or content still contains the person's name, and archives, whose content is not
/// examined.
pub(super) fn mentions(folder: &Path, forgetting: &Forgetting) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for path in all_files(folder)? {
        let inside = path.strip_prefix(folder).unwrap_or(&path);
        let parts = inside.components().map(|part| part.as_os_str().to_string_lossy());
        let is_named = parts.into_iter().any(|part| {
            forgetting.is_in(&part) || part.split('.').next() == Some(forgetting.name.as_str())
        });
        let is_archive = is_archive(&path) && !is_submitted(folder, &path);
        if is_named || is_archive || names_the_person(&path, forgetting)? {
            found.push(path);
        }
    }
    Ok(found)
}

fn is_archive(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    ["zip", "gz", "tgz", "tar", "7z"].contains(&&*ending)
}

fn names_the_person(path: &Path, forgetting: &Forgetting) -> Result<bool, Error> {
    let name = path.file_name().unwrap_or_default();
    if name == log::FILE {
        return Ok(false);
    }
    Ok(forgetting.is_in(&String::from_utf8_lossy(&fs::read(path)?)))
}

/// Regular files beneath a folder, sorted, without following links.
fn all_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_ends_outside_of_quotes() {
        let text = b"a,b\n\"x\ny\",\"say \"\"hi\"\"\"\nlast";
        let rows = rows(text);
        assert_eq!(rows, [&b"a,b\n"[..], b"\"x\ny\",\"say \"\"hi\"\"\"\n", b"last"]);
    }

    #[test]
    fn only_the_persons_rows_are_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("grades.csv");
        let text = "id,name,grade\r\n7,\"Zoë\r\nMüller\",20\r\n20,Ömer,7\r\n";
        fs::write(&path, text).unwrap();
        let forgetting = Forgetting {
            name: "20".parse().unwrap(),
            pseudonym: "gone".parse().unwrap(),
            words: vec!["Ömer".into()],
        };
        assert!(drop_rows(&path, &forgetting).unwrap());
        let left = fs::read_to_string(&path).unwrap();
        assert_eq!(left, "id,name,grade\r\n7,\"Zoë\r\nMüller\",20\r\n");
    }
}
