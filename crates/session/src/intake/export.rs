//! Platform export: an archive, or its unpacked folder.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::archive::{
    Archive, ArchiveError, Entry, EntryKind, Unpacked, Unreadable, remove_folder, unpack_nested,
};
use pitmaster_bots::submission::shown_path;
use pitmaster_season::platform::{self, Platform, Submission};

use super::folder::Folder;
use super::limits;
use crate::Error;

/// Maximum number of files of a whole class.
const MOST_FILES: usize = 1_000_000;
/// Number of submissions unpacked per pass. Each needs an open folder, and a process can often open
/// only 1,024 files.
const IN_A_PASS: usize = 200;
/// Maximum bytes read of a metadata file.
const METADATA: u64 = 8 << 20;

/// An export, with the paths of its files.
pub(super) struct Export {
    path: PathBuf,
    paths: Vec<String>,
    source: Source,
}

enum Source {
    Archive(Archive),
    Folder,
}

/// Outcome of each submission: a staged folder with its contents and hash, or the reason for its
/// refusal.
type Outcomes<'s> = Vec<(&'s Submission, super::Unpacked)>;

impl Export {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let cannot = |error| Error::invalid(format!("cannot read {}: {error}", shown_path(path)));
        if fs::metadata(path).map_err(cannot)?.is_dir() {
            let mut paths = Vec::new();
            list(path, "", &mut paths).map_err(cannot)?;
            paths.sort();
            return Ok(Self { path: path.to_owned(), paths, source: Source::Folder });
        }
        let archive = Archive::recognize(File::open(path).map_err(cannot)?).map_err(cannot)?;
        let mut archive = archive.ok_or_else(|| {
            Error::invalid(format!(
                "{} is neither a folder nor an archive (zip, tar, tar.gz, 7z); give the file that \
                 the platform exported",
                shown_path(path)
            ))
        })?;
        let mut paths = Vec::new();
        let listed = archive.for_each(MOST_FILES, &mut |entry| {
            if entry.kind != EntryKind::Folder {
                paths.push(entry.path);
            }
            Ok(())
        });
        listed.map_err(|error| whole(path, error))?;
        Ok(Self { path: path.to_owned(), paths, source: Source::Archive(archive) })
    }

    pub(super) fn platform(&self) -> Platform {
        Platform::recognize(&self.paths)
    }

    pub(super) fn submissions(&mut self, platform: Platform) -> Vec<Submission> {
        let texts = self.metadata(platform);
        platform.submissions(platform::Export { paths: &self.paths, texts: &texts })
    }

    /// Texts of the metadata files. Unreadable files count as missing.
    fn metadata(&mut self, platform: Platform) -> BTreeMap<usize, String> {
        let mut texts = BTreeMap::new();
        if !self.paths.iter().any(|path| platform.is_metadata(path)) {
            return texts;
        }
        let _ = self.for_each(&mut |at, path, entry| {
            if platform.is_metadata(path) {
                let mut text = Vec::new();
                if entry.content.take(METADATA).read_to_end(&mut text).is_ok() {
                    texts.insert(at, String::from_utf8_lossy(&text).into_owned());
                }
            }
            Ok(())
        });
        texts
    }

    /// Path of the first file of a submission.
    pub(super) fn origin(&self, submission: &Submission) -> String {
        let first = submission.files.first().and_then(|file| self.paths.get(file.entry));
        first.cloned().unwrap_or_default()
    }

    /// Unpacks each submission into its own folder, within its limits. Large classes take several
    /// passes over the export.
    pub(super) fn unpack<'s>(
        &mut self,
        submissions: &'s [Submission],
        folder: &Folder,
    ) -> Result<Outcomes<'s>, Error> {
        let mut outcomes = Vec::new();
        for (pass, submissions) in submissions.chunks(IN_A_PASS).enumerate() {
            outcomes.extend(self.unpack_some(submissions, pass * IN_A_PASS, folder)?);
        }
        Ok(outcomes)
    }

    /// Unpacks submissions in one pass. `first` is the number of the first one.
    fn unpack_some<'s>(
        &mut self,
        submissions: &'s [Submission],
        first: usize,
        folder: &Folder,
    ) -> Result<Outcomes<'s>, Error> {
        let mut owners = BTreeMap::new();
        for (number, submission) in submissions.iter().enumerate() {
            for file in &submission.files {
                owners.insert(file.entry, (number, file.path.as_str()));
            }
        }
        let mut stages = Vec::new();
        for number in 0..submissions.len() {
            let place = folder.stage(first + number);
            stages.push(Unpacked::create(&place, limits()).map_err(Error::stopped)?);
        }
        let mut refusals: Vec<Option<String>> = vec![None; submissions.len()];
        let read = self.for_each(&mut |at, _, entry| {
            let Some(&(number, path)) = owners.get(&at) else { return Ok(()) };
            if refusals[number].is_some() {
                return Ok(());
            }
            match stages[number].put(path, entry) {
                Err(ArchiveError::Refused(why)) => refusals[number] = Some(why.to_string()),
                put => put?,
            }
            Ok(())
        });
        read.map_err(|error| whole(&self.path, error))?;
        let mut outcomes = Vec::new();
        for ((number, submission), stage) in submissions.iter().enumerate().zip(stages) {
            let place = folder.stage(first + number);
            let outcome = match refusals[number].take() {
                Some(why) => Err(why),
                None => finished(stage, &place)?,
            };
            if outcome.is_err() {
                let name = (first + number).to_string();
                remove_folder(folder.staging(), &name).map_err(Error::stopped)?;
            }
            outcomes.push((submission, outcome));
        }
        Ok(outcomes)
    }

    /// Visits all files with their position in the list of paths.
    fn for_each(
        &mut self,
        visit: &mut dyn FnMut(usize, &str, Entry<'_>) -> Result<(), ArchiveError>,
    ) -> Result<(), ArchiveError> {
        let Self { path: root, paths, source } = self;
        match source {
            Source::Archive(archive) => {
                let mut at = 0;
                archive.for_each(MOST_FILES, &mut |entry| {
                    if entry.kind == EntryKind::Folder {
                        return Ok(());
                    }
                    at += 1;
                    visit(at - 1, &paths[at - 1], entry)
                })
            }
            Source::Folder => {
                for (at, path) in paths.iter().enumerate() {
                    let opened = File::open(root.join(path));
                    let unreadable = opened.is_err().then_some(Unreadable::Closed);
                    let mut empty = std::io::empty();
                    let mut opened = opened.ok();
                    let content: &mut dyn std::io::Read = match &mut opened {
                        Some(file) => file,
                        None => &mut empty,
                    };
                    let kind = EntryKind::File { executable: false };
                    let path = path.clone();
                    let (packed, declared) = (None, None);
                    let entry = Entry { path, kind, packed, declared, unreadable, content };
                    visit(at, &paths[at], entry)?;
                }
                Ok(())
            }
        }
    }
}

/// Unpacks nested archives. The hash is that of the submitted files.
fn finished(stage: Unpacked, place: &Path) -> Result<super::Unpacked, Error> {
    let hash = stage.contents().hash();
    match unpack_nested(stage) {
        Ok(contents) => Ok(Ok((place.to_owned(), contents, hash))),
        Err(ArchiveError::Refused(why)) => Ok(Err(why.to_string())),
        Err(ArchiveError::Store(fault)) => Err(Error::stopped(fault)),
    }
}

/// An error of the whole export.
fn whole(path: &Path, error: ArchiveError) -> Error {
    match error {
        ArchiveError::Refused(why) => Error::invalid(format!("{}: {why}", shown_path(path))),
        ArchiveError::Store(fault) => Error::stopped(fault),
    }
}

/// Regular files beneath a folder, without following links.
fn list(folder: &Path, above: &str, paths: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if above.is_empty() { name } else { format!("{above}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), &path, paths)?;
        } else if kind.is_file() {
            paths.push(path);
        }
        if paths.len() > MOST_FILES {
            return Err(std::io::Error::other(format!("it has more than {MOST_FILES} files")));
        }
    }
    Ok(())
}
