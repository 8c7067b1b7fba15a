//! Tar archives, with long names read within limits.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::read::GzDecoder;
use tar::{EntryType, Header, PaxExtensions};

use pitmaster_core::i18n::said;

use super::{
    ArchiveError, Entry, EntryKind, Unreadable, Visit, damaged, encoding, refused, within,
};

/// Longest extension entry (name, link target or attributes), in bytes.
const LONGEST: u64 = 64 << 10;

pub(super) fn visit_gzipped(
    file: &File,
    most: usize,
    visit: &mut Visit<'_>,
) -> Result<(), ArchiveError> {
    let packed = file.metadata().map_err(|error| damaged(&error))?.len();
    let unpacked = Inflated { from: GzDecoder::new(BufReader::new(file)), left: largest(packed) };
    visit_tar(unpacked, Some(packed), most, visit)
}

/// Maximum unpacked size of a gzip file of this size. Skipped files cost time too.
fn largest(packed: u64) -> u64 {
    let small = packed.saturating_mul(200).saturating_add(64 << 20);
    small.min(packed.saturating_mul(10).saturating_add(2 << 30))
}

/// Reader that fails beyond a limit.
struct Inflated<R> {
    from: R,
    left: u64,
}

impl<R: Read> Read for Inflated<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.from.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other("it unpacks to too much, as a zip bomb does")),
        }
        Ok(count)
    }
}

/// Extension entries that apply to the next entry.
#[derive(Default)]
struct Extensions {
    path: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
}

/// Visits a tar archive. The entries are read raw, because the library reads long names without a
/// limit.
pub(super) fn visit_tar(
    file: impl Read,
    packed: Option<u64>,
    most: usize,
    visit: &mut Visit<'_>,
) -> Result<(), ArchiveError> {
    let mut archive = tar::Archive::new(file);
    let entries = archive.entries().map_err(|error| damaged(&error))?.raw(true);
    let (mut count, mut before) = (0, Extensions::default());
    for entry in entries {
        let mut entry = entry.map_err(|error| damaged(&error))?;
        let kind = entry.header().entry_type();
        if before.take(kind, &mut entry)? {
            continue;
        }
        count += 1;
        within(count, most)?;
        let Extensions { path, link } = std::mem::take(&mut before);
        let path = path.unwrap_or_else(|| entry.header().path_bytes().into_owned());
        let path = encoding::of_bytes(&path);
        let target = link.or_else(|| entry.header().link_name_bytes().map(Cow::into_owned));
        let (kind, unreadable) = kind_of(entry.header());
        let mut target = target.as_deref().unwrap_or_default();
        let content: &mut dyn Read = if kind == EntryKind::Link { &mut target } else { &mut entry };
        visit(Entry { path, kind, packed, declared: None, unreadable, content })?;
    }
    Ok(())
}

fn kind_of(header: &Header) -> (EntryKind, Option<Unreadable>) {
    let kind = match header.entry_type() {
        EntryType::Regular | EntryType::Continuous => {
            EntryKind::File { executable: header.mode().unwrap_or_default() & 0o111 != 0 }
        }
        EntryType::Directory => EntryKind::Folder,
        EntryType::Symlink => EntryKind::Link,
        EntryType::GNUSparse => {
            return (EntryKind::File { executable: false }, Some(Unreadable::Sparse));
        }
        _ => EntryKind::Special,
    };
    (kind, None)
}

impl Extensions {
    /// Reads an extension entry. Returns `false` for any other entry.
    fn take(&mut self, kind: EntryType, entry: &mut impl Read) -> Result<bool, ArchiveError> {
        match kind {
            EntryType::GNULongName => self.path = Some(text(entry)?),
            EntryType::GNULongLink => self.link = Some(text(entry)?),
            EntryType::XHeader => self.attributes(&text(entry)?)?,
            // Global attributes contain no names.
            EntryType::XGlobalHeader => drop(text(entry)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn attributes(&mut self, text: &[u8]) -> Result<(), ArchiveError> {
        for attribute in PaxExtensions::new(text) {
            let attribute = attribute.map_err(|error| damaged(&error))?;
            match attribute.key_bytes() {
                b"path" => self.path = Some(attribute.value_bytes().to_vec()),
                b"linkpath" => self.link = Some(attribute.value_bytes().to_vec()),
                // Only files above 8 GiB need it, and two sizes would make the archive ambiguous.
                b"size" => return Err(refused(said!("it has a file of more than 8 GiB"))),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Content of an extension entry without its trailing NUL byte.
fn text(entry: &mut impl Read) -> Result<Vec<u8>, ArchiveError> {
    let mut text = Vec::new();
    let read = entry.take(LONGEST + 1).read_to_end(&mut text);
    let length = read.map_err(|error| damaged(&error))? as u64;
    if length > LONGEST {
        return Err(refused(said!("it has a name longer than {} KiB", LONGEST >> 10)));
    }
    if text.last() == Some(&0) {
        text.pop();
    }
    Ok(text)
}
