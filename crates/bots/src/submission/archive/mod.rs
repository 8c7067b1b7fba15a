//! Bounded archive reader: zip, tar, gzipped tar and 7z from untrusted people.
//!
//! [`Archive::for_each`] reads the entries of an archive, and [`Unpacked`] writes them beneath a
//! folder. Both have limits. An entry is never written through a link, over another entry, or
//! outside the folder.

mod encoding;
mod nested;
mod seven_zip;
mod tarball;
#[cfg(test)]
mod tests;
mod unpack;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Message, said};
use sevenz_rust2::{ArchiveReader, Password};
use zip::read::Config;
use zip::unstable::read::ZipIterable;

use super::fault::SnapshotError;

pub use nested::unpack_nested;
pub use unpack::{Contents, Unpacked, read_file, remove_folder, replace_file};

/// Limits of what one person may submit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of all unpacked files, in bytes.
    pub bytes: u64,
    /// Maximum number of entries.
    pub entries: usize,
    /// Maximum ratio of unpacked to packed bytes of files above 1 MiB.
    pub ratio: u64,
    /// Maximum nesting depth of archives.
    pub nesting: usize,
    /// Whether device names reserved by Windows are refused.
    pub portable_names: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 512 << 20, entries: 20_000, ratio: 200, nesting: 3, portable_names: false }
    }
}

/// Reason why an archive was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive is at fault.
    #[error("{0}")]
    Refused(Refusal),
    /// The folder cannot be written; the archive is not at fault.
    #[error(transparent)]
    Store(#[from] SnapshotError),
}

/// Reason why an archive is refused. Safe to print.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The problem.
    pub why: Message,
    /// The correction to ask of its author.
    pub ask: Option<Message>,
}

/// The English message.
impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.why.fmt(f)?;
        self.ask.as_ref().map_or(Ok(()), |ask| write!(f, "; {ask}"))
    }
}

pub(super) fn refused(why: Message) -> ArchiveError {
    ArchiveError::Refused(Refusal { why, ask: None })
}

pub(super) fn refused_asking(why: Message, ask: Message) -> ArchiveError {
    ArchiveError::Refused(Refusal { why, ask: Some(ask) })
}

/// Reason why the content of an entry cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It is encrypted.
    Encrypted,
    /// The archive is damaged, or uses an unknown method.
    Damaged,
    /// It is a sparse file of a tar archive.
    Sparse,
    /// The system denies reading it.
    Closed,
}

impl Unreadable {
    /// The refusal of an entry with this path, safe to print.
    pub(super) fn refuse(self, path: String) -> ArchiveError {
        match self {
            Self::Encrypted => refused_asking(
                said!("{} is encrypted", path),
                said!("ask for an archive without a password"),
            ),
            Self::Damaged => refused(said!(
                "{} cannot be unpacked: the archive is damaged or uses a rare method",
                path
            )),
            Self::Sparse => refused_asking(
                said!("{} is a sparse file, which cannot be read here", path),
                said!("ask for an archive without any"),
            ),
            Self::Closed => refused(said!("{} cannot be read", path)),
        }
    }
}

/// Format of an archive, recognized by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// A tar archive compressed with gzip.
    GzippedTar,
    /// A 7z archive.
    SevenZip,
    /// A RAR archive, which is unsupported.
    Rar,
}

impl Format {
    /// Number of bytes needed to recognize a format.
    pub const HEAD: usize = 512;

    /// Format of a file with these first bytes.
    pub fn of(head: &[u8]) -> Option<Self> {
        let is_tar = head.get(257..262) == Some(b"ustar");
        match head {
            [b'P', b'K', 3 | 5 | 7, 4 | 6 | 8, ..] => Some(Self::Zip),
            [0x1f, 0x8b, 8, ..] => Some(Self::GzippedTar),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(Self::SevenZip),
            [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some(Self::Rar),
            _ => is_tar.then_some(Self::Tar),
        }
    }
}

/// Kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file, and whether the archive marks it as executable.
    File {
        /// Whether it has an execute permission.
        executable: bool,
    },
    /// A folder.
    Folder,
    /// A symbolic link. Its target is the content of the entry.
    Link,
    /// A device, a pipe or a hard link.
    Special,
}

/// An entry of an archive.
#[expect(missing_debug_implementations, reason = "a reader within")]
pub struct Entry<'a> {
    /// Path as text, with `/` between names.
    pub path: String,
    /// Its kind.
    pub kind: EntryKind,
    /// Size in the archive, in bytes; or that of the whole archive if the format has no entry
    /// sizes.
    pub packed: Option<u64>,
    /// Size of its content in bytes, if the archive's directory declares it.
    pub declared: Option<u64>,
    /// Reason why its content cannot be read.
    pub unreadable: Option<Unreadable>,
    /// Its content.
    pub content: &'a mut dyn Read,
}

/// A file that is an archive.
#[derive(Debug)]
pub struct Archive {
    file: File,
    format: Format,
}

/// Memory for the dictionary of a 7z archive, in KiB.
const MEMORY_KIB: usize = 128 << 10;
/// Maximum average size of an entry's name and attributes, in bytes.
const ENTRY_BYTES: usize = 1 << 10;
/// Maximum average size of a file's description in a 7z directory, in bytes.
const DESCRIPTION_BYTES: usize = 100;

type Visit<'v> = dyn FnMut(Entry<'_>) -> Result<(), ArchiveError> + 'v;

impl Archive {
    /// Recognizes an archive by its first bytes; `None` for any other file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn recognize(mut file: File) -> io::Result<Option<Self>> {
        let mut head = Vec::new();
        file.by_ref().take(Format::HEAD as u64).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(Format::of(&head).map(|format| Self { file, format }))
    }

    /// The format.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Visits all entries in their order. An error of `visit` stops the iteration.
    ///
    /// # Errors
    /// The archive is damaged, has more than `most` entries, or has an unsupported format, or
    /// `visit` failed.
    pub fn for_each(&mut self, most: usize, visit: &mut Visit<'_>) -> Result<(), ArchiveError> {
        self.file.seek(SeekFrom::Start(0)).map_err(|error| damaged(&error))?;
        match self.format {
            Format::Zip => self.visit_zip(most, visit),
            Format::Tar => tarball::visit_tar(BufReader::new(&self.file), None, most, visit),
            Format::GzippedTar => tarball::visit_gzipped(&self.file, most, visit),
            Format::SevenZip => self.visit_7z(most, visit),
            Format::Rar => Err(refused_asking(
                said!("it is a RAR archive, which cannot be read here"),
                said!("ask for a zip or tar.gz"),
            )),
        }
    }

    fn visit_zip(&self, most: usize, visit: &mut Visit<'_>) -> Result<(), ArchiveError> {
        self.check_directory(most)?;
        let file = BufReader::new(&self.file);
        let mut archive = zip::ZipArchive::new(file).map_err(|error| damaged(&error))?;
        if archive.has_overlapping_files().map_err(|error| damaged(&error))? {
            let which = overlapping(&mut archive);
            let which = which.map_or_else(
                || said!("its entries"),
                |both| {
                    let [one, other] = both.map(|name| Untrusted::new(name).shown(200));
                    said!("{} and {}", one, other)
                },
            );
            return Err(refused(said!("{} overlap each other, as those of a zip bomb do", which)));
        }
        for index in 0..archive.len() {
            let data = archive.by_index_data(index).map_err(|error| damaged(&error))?;
            let name = encoding::of_zip(data.name_raw());
            let kind = if data.is_dir() {
                EntryKind::Folder
            } else if data.is_symlink() {
                EntryKind::Link
            } else {
                let mode = data.unix_mode().unwrap_or_default();
                EntryKind::File { executable: mode & 0o111 != 0 }
            };
            let (packed, encrypted) = (Some(data.compressed_size()), data.encrypted());
            let declared = Some(data.size());
            let mut entry = |unreadable, content: &mut dyn Read| {
                let (path, kind) = (name.clone(), kind.clone());
                visit(Entry { path, kind, packed, declared, unreadable, content })
            };
            if encrypted {
                entry(Some(Unreadable::Encrypted), &mut io::empty())?;
                continue;
            }
            match archive.by_index(index) {
                Ok(mut content) => entry(None, &mut content)?,
                Err(_) => entry(Some(Unreadable::Damaged), &mut io::empty())?,
            }
        }
        Ok(())
    }

    /// Checks the number of entries and the size of their names before memory is allocated for
    /// them.
    fn check_directory(&self, most: usize) -> Result<(), ArchiveError> {
        let largest = (most * ENTRY_BYTES) as u64;
        let file = BufReader::new(&self.file);
        let entries = ZipIterable::try_new(file, Config::default());
        let mut entries = entries.map_err(|error| damaged(&error))?;
        within(entries.len(), most)?;
        if self.size()? <= largest {
            return Ok(());
        }
        let files = entries.files().map_err(|error| damaged(&error))?;
        let start = files.reader_mut().stream_position().map_err(|error| damaged(&error))?;
        while let Some(entry) = files.next() {
            drop(entry.map_err(|error| damaged(&error))?);
            let at = files.reader_mut().stream_position().map_err(|error| damaged(&error))?;
            if at - start > largest {
                return Err(refused(said!("its directory is larger than {} MiB", largest >> 20)));
            }
        }
        Ok(())
    }

    fn size(&self) -> Result<u64, ArchiveError> {
        Ok(self.file.metadata().map_err(|error| damaged(&error))?.len())
    }

    fn visit_7z(&self, most: usize, visit: &mut Visit<'_>) -> Result<(), ArchiveError> {
        let password = Password::empty();
        let list = seven_zip::list_size(&self.file).map_err(|error| damaged(&error))?;
        if list > (most * DESCRIPTION_BYTES + (256 << 10)) as u64 {
            return Err(refused(said!(
                "its list of files is too large; at most {} are accepted",
                most
            )));
        }
        let archive = ArchiveReader::new_with_memory_limit(&self.file, password, MEMORY_KIB);
        let mut archive = archive.map_err(|error| damaged(&error))?;
        let packed = Some(self.size()?);
        archive.set_thread_count(1);
        within(archive.archive().files.len(), most)?;
        let mut stopped = None;
        let read = archive.for_each_entries(|entry, content| {
            let kind = if entry.is_directory() {
                EntryKind::Folder
            } else {
                EntryKind::File { executable: false }
            };
            let path = entry.name().replace('\\', "/");
            let (declared, unreadable) = (Some(entry.size()), None);
            let visited = visit(Entry { path, kind, packed, declared, unreadable, content });
            stopped = visited.err();
            Ok(stopped.is_none())
        });
        match stopped {
            Some(error) => Err(error),
            None => read.map_err(|error| damaged(&error)),
        }
    }
}

/// Names of two entries of a zip archive that share bytes.
fn overlapping<R: Read + Seek>(archive: &mut zip::ZipArchive<R>) -> Option<[String; 2]> {
    let mut ranges = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).ok()?;
        let start = file.data_start()?;
        if file.compressed_size() > 0 {
            let end = start.saturating_add(file.compressed_size());
            ranges.push((start, end, encoding::of_zip(file.name_raw())));
        }
    }
    ranges.sort_by_key(|(start, end, _)| (*start, *end));
    let pair = ranges.windows(2).find(|pair| pair[0].1 > pair[1].0)?;
    Some([pair[0].2.clone(), pair[1].2.clone()])
}

fn within(entries: usize, most: usize) -> Result<(), ArchiveError> {
    if entries > most {
        return Err(refused(said!("it has {} entries; at most {} are accepted", entries, most)));
    }
    Ok(())
}

fn damaged(error: &dyn std::fmt::Display) -> ArchiveError {
    let error = Untrusted::new(error.to_string()).shown(200);
    refused_asking(said!("the archive is damaged ({})", error), said!("ask for it again"))
}
