//! Bundle extraction, entry by entry, trusting none of them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use flate2::read::GzDecoder;
use pitmaster_core::{BotHash, Untrusted};
use tar::{Archive, EntryType, Header};

use super::super::beneath::Folder;
use super::super::fault::{BotFault, FileError, SnapshotError, Wrong};
use super::super::tree::{Tree, TreeLimits, create};
use super::{BundleError, refused};

/// Longest path and link target, in bytes, as on Linux.
const LONGEST_PATH: usize = 4095;
/// The longest name of a file or folder, in bytes.
const LONGEST_NAME: usize = 255;

/// Unpacks a bundle into an empty folder and returns its hash.
pub(super) fn unpack(
    bundle: impl Read,
    to: Folder,
    limits: TreeLimits,
) -> Result<BotHash, BundleError> {
    let mut unpacked = Unpacked::new(to, limits);
    let mut archive = Archive::new(GzDecoder::new(bundle));
    // Raw entries, because only two of the many tar extensions are needed.
    for entry in archive.entries().map_err(|error| unreadable(&error))?.raw(true) {
        let mut entry = entry.map_err(|error| unreadable(&error))?;
        let header = entry.header().clone();
        unpacked.entry(&header, &mut entry)?;
    }
    unpacked.hash()
}

fn unreadable(error: &io::Error) -> BundleError {
    refused(format!("it cannot be read: {error}"))
}

/// State of unpacking.
struct Unpacked {
    to: Folder,
    limits: TreeLimits,
    /// Remaining bytes of all files together.
    left: u64,
    count: usize,
    /// The path of the last entry: the next one must be greater.
    last: Vec<u8>,
    folders: BTreeSet<Vec<u8>>,
    /// A name too long for the header, from the entry before it.
    long_path: Option<Vec<u8>>,
    long_link: Option<Vec<u8>>,
}

impl Unpacked {
    fn new(to: Folder, limits: TreeLimits) -> Self {
        Self {
            to,
            limits,
            left: limits.bytes,
            count: 0,
            last: Vec::new(),
            folders: BTreeSet::from([Vec::new()]),
            long_path: None,
            long_link: None,
        }
    }

    fn entry(&mut self, header: &Header, contents: &mut impl Read) -> Result<(), BundleError> {
        let size = header.entry_size().map_err(|error| unreadable(&error))?;
        match header.entry_type() {
            EntryType::GNULongName => keep_long(&mut self.long_path, contents, size),
            EntryType::GNULongLink => keep_long(&mut self.long_link, contents, size),
            kind => {
                let path = self.long_path.take();
                let path = path.unwrap_or_else(|| header.path_bytes().into_owned());
                self.check_place(&path)?;
                let place = Path::new(OsStr::from_bytes(&path));
                self.put(kind, header, place, contents, size)?;
                if kind == EntryType::Directory {
                    self.folders.insert(path.clone());
                }
                self.last = path;
                Ok(())
            }
        }
    }

    fn put(
        &mut self,
        kind: EntryType,
        header: &Header,
        path: &Path,
        contents: &mut impl Read,
        size: u64,
    ) -> Result<(), BundleError> {
        let long_link = self.long_link.take();
        match kind {
            EntryType::Regular => {
                let executable = header.mode().map_err(|error| unreadable(&error))? & 0o111 != 0;
                self.put_file(path, executable, contents, size)
            }
            EntryType::Directory if size == 0 => {
                let made = self.to.create_folder(path);
                Ok(made.map_err(SnapshotError::at("create", &self.to.path().join(path)))?)
            }
            EntryType::Symlink if size == 0 => {
                let short = || Some(header.link_name_bytes()?.into_owned());
                let target = long_link.or_else(short).unwrap_or_default();
                check_target(&target)?;
                let made = self.to.create_link(path, Path::new(OsStr::from_bytes(&target)));
                Ok(made.map_err(SnapshotError::at("create", &self.to.path().join(path)))?)
            }
            other => Err(refused(format!(
                "{} is not a file, an empty entry for a folder, or one for a link (type {:?})",
                shown(path),
                char::from(other.as_byte())
            ))),
        }
    }

    fn put_file(
        &mut self,
        path: &Path,
        executable: bool,
        contents: &mut impl Read,
        size: u64,
    ) -> Result<(), BundleError> {
        let too_large = || {
            let most = self.limits.bytes;
            refused(format!("with {} it is larger than {most} bytes", shown(path)))
        };
        self.left = self.left.checked_sub(size).ok_or_else(too_large)?;
        let mut file = create(&self.to, path, executable)?;
        let mut left = size;
        let mut buffer = vec![0; 64 * 1024];
        while left > 0 {
            let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let count = contents.read(&mut buffer[..most]).map_err(|error| unreadable(&error))?;
            if count == 0 {
                return Err(refused(format!("it ends within {}", shown(path))));
            }
            io::Write::write_all(&mut file, &buffer[..count])
                .map_err(SnapshotError::at("write", path))?;
            left -= count as u64;
        }
        Ok(())
    }

    /// Checks that an entry comes after all others and beneath an unpacked folder. So no entry is
    /// repeated, passes through a link or leads outside.
    fn check_place(&mut self, path: &[u8]) -> Result<(), BundleError> {
        let shown = Untrusted::new(path).shown(400);
        let refuse = |what: &str| Err(refused(format!("the path \"{shown}\" {what}")));
        self.count += 1;
        if self.count > self.limits.files {
            return refuse(&format!("is one too many: a bot has at most {}", self.limits.files));
        }
        if path.len() > LONGEST_PATH || !path.split(|&byte| byte == b'/').all(is_name) {
            return refuse("is not that of a file inside a folder");
        }
        if path.split(|&byte| byte == b'/').count() > self.limits.depth + 1 {
            return refuse(&format!("is deeper than {} folders", self.limits.depth));
        }
        let parent = path.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        if !self.folders.contains(&path[..parent]) {
            return refuse("is in no folder that came before it");
        }
        if path <= self.last.as_slice() {
            return refuse("comes twice, or not in the order of paths");
        }
        Ok(())
    }

    /// Hash of the unpacked files, read like a submission. Reading skips clutter, so all unpacked
    /// entries must be in the result.
    fn hash(self) -> Result<BotHash, BundleError> {
        let Self { to, limits, count, .. } = self;
        let root = to.path().to_owned();
        let tree = Tree::of_folder(to, limits).map_err(|wrong| refusal(wrong, &root))?;
        if tree.entries.len() != count {
            return Err(refused("it holds what is no part of a bot, such as .git or __pycache__"));
        }
        Ok(tree.hash()?)
    }
}

/// Error in its files, with paths relative to the bundle.
fn refusal(wrong: Wrong, root: &Path) -> BundleError {
    let Wrong::Bot(BotFault::Files(faults)) = wrong else { return wrong.into() };
    let texts = faults.into_iter().map(|fault| {
        let inside = fault.file.strip_prefix(root).map(Path::to_owned);
        let file = inside.unwrap_or_else(|_| fault.file.clone());
        FileError { file, ..fault }.to_string()
    });
    refused(texts.collect::<Vec<_>>().join("; "))
}

fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_bytes()).shown(400)
}

/// Whether a name is plain: one component, not `.` or `..`.
fn is_name(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..") && name.len() <= LONGEST_NAME && !name.contains(&0)
}

/// Checks the form of a link target. Its destination is checked after unpacking.
fn check_target(target: &[u8]) -> Result<(), BundleError> {
    if target.is_empty() || target.len() > LONGEST_PATH || target.contains(&0) {
        return Err(refused("it holds a link without a usable target"));
    }
    Ok(())
}

/// Reads a name that is too long for a header: text with a trailing NUL byte.
fn keep_long(
    place: &mut Option<Vec<u8>>,
    contents: &mut impl Read,
    size: u64,
) -> Result<(), BundleError> {
    if place.is_some() || size > LONGEST_PATH as u64 + 1 {
        return Err(refused("it holds a name that is longer than any"));
    }
    let mut text = Vec::new();
    contents.read_to_end(&mut text).map_err(|error| unreadable(&error))?;
    if text.len() as u64 != size || text.pop() != Some(0) {
        return Err(refused("it ends within a name"));
    }
    *place = Some(text);
    Ok(())
}
