//! Bundle: a snapshot as a sorted archive, byte-identical on every machinethat another machine
//! unpacks without trust.
//!
//! Must not depend on how bundles are transferred.

mod new;
#[cfg(test)]
mod tests;
mod unpack;

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use pitmaster_core::BotHash;
use tar::{Builder, EntryType, Header};

use self::new::New;
use self::unpack::unpack;
use super::beneath::Folder;
use super::fault::{SnapshotError, Wrong};
use super::snapshot::{Snapshot, open_store};
use super::tree::{Entry, Kind, Tree, TreeLimits};

/// Reason why a bundle did not become a snapshot.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// The bundle does not match its hash or exceeds the size limits. Safe to print.
    #[error("the bundle is refused: {0}; nothing of it was kept")]
    Refused(String),
    /// The snapshot folder cannot be used; the bundle is not at fault.
    #[error(transparent)]
    Store(#[from] SnapshotError),
}

impl From<Wrong> for BundleError {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Bot(fault) => Self::Refused(fault.to_string()),
            Wrong::Store(fault) => Self::Store(fault),
        }
    }
}

fn refused(why: impl Into<String>) -> BundleError {
    BundleError::Refused(why.into())
}

impl Snapshot {
    /// Writes the submission as a bundle: a compressed tar archive in the byte order of its paths,
    /// without times, owners or modes other than 0755 and 0644.
    ///
    /// # Errors
    /// The snapshot cannot be read, or the bundle cannot be written.
    pub fn pack(&self, to: impl Write) -> Result<(), SnapshotError> {
        let src = self.src();
        let tree = Tree::of(&src, UNBOUNDED).map_err(|wrong| in_store(wrong, &src))?;
        write_archive(&tree, to).map_err(SnapshotError::at("pack", &src))
    }

    /// Unpacks a bundle into a store, unless an equal snapshot exists there. A snapshot that has
    /// changed is replaced and will be built again.
    ///
    /// Nothing in the bundle is trusted. Nothing is stored unless the result has this hash, stays
    /// in the snapshot's own folder, and is within the limits. A crash leaves no partial snapshot,
    /// and two processes do not conflict.
    ///
    /// # Errors
    /// The bundle is refused, or the store cannot be used.
    pub fn unpack(
        bundle: impl Read,
        hash: &BotHash,
        store: &Path,
        limits: TreeLimits,
    ) -> Result<Self, BundleError> {
        if !is_plain(hash) {
            return Err(refused("what it is said to be is no hash of 32 hexadecimal digits"));
        }
        let store = open_store(store)?;
        let new = New::create(&store)?;
        let found = unpack(bundle, new.src()?, limits)?;
        if found != *hash {
            let [found, hash] = [&found, hash].map(BotHash::as_str);
            return Err(refused(format!("its contents have the hash {found} and not {hash}")));
        }
        let snapshot = Self::at(store.path(), found);
        new.keep(&snapshot, limits)?;
        Ok(snapshot)
    }

    /// The snapshot with this hash, if it is in the store and unchanged.
    #[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
    pub fn kept(hash: &BotHash, store: &Path, limits: TreeLimits) -> Option<Self> {
        let store = store.canonicalize().ok().filter(|_| is_plain(hash))?;
        Some(Self::at(&store, hash.clone())).filter(|snapshot| snapshot.is_intact(limits))
    }
}

/// No limits: stored snapshots were within the limits when taken.
const UNBOUNDED: TreeLimits = TreeLimits { bytes: u64::MAX, files: usize::MAX, depth: usize::MAX };

/// Whether a received hash is well-formed and can be a folder's name.
fn is_plain(hash: &BotHash) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    hash.as_str().len() == 32 && hash.as_str().bytes().all(is_digit)
}

/// Attributes an unreadable snapshot to the store, never to the bot.
fn in_store(wrong: Wrong, src: &Path) -> SnapshotError {
    match wrong {
        Wrong::Bot(fault) => SnapshotError::at("read", src)(io::Error::other(fault.to_string())),
        Wrong::Store(fault) => fault,
    }
}

fn write_archive(tree: &Tree, to: impl Write) -> io::Result<()> {
    let mut archive = Builder::new(GzEncoder::new(to, Compression::default()));
    for entry in &tree.entries {
        write_entry(&mut archive, tree.root(), entry)?;
    }
    archive.into_inner()?.finish()?.flush()
}

fn write_entry(archive: &mut Builder<impl Write>, root: &Folder, entry: &Entry) -> io::Result<()> {
    let path = entry.path.as_os_str().as_bytes();
    match &entry.kind {
        Kind::Folder => write_one(archive, header(EntryType::Directory, 0o755), path, b""),
        Kind::Link { target } => {
            let target = target.as_os_str().as_bytes();
            write_one(archive, header(EntryType::Symlink, 0o755), path, target)
        }
        Kind::File { executable } => {
            let mode = if *executable { 0o755 } else { 0o644 };
            let file = root.file(&entry.path)?;
            write_file(archive, header(EntryType::Regular, mode), path, file)
        }
    }
}

fn header(kind: EntryType, mode: u32) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    for zero in [Header::set_uid, Header::set_gid, Header::set_mtime, Header::set_size] {
        zero(&mut header, 0);
    }
    header
}

fn write_one(
    archive: &mut Builder<impl Write>,
    mut header: Header,
    path: &[u8],
    link: &[u8],
) -> io::Result<()> {
    name(archive, &mut header, path, link)?;
    archive.append(&header, io::empty())
}

fn write_file(
    archive: &mut Builder<impl Write>,
    mut header: Header,
    path: &[u8],
    file: File,
) -> io::Result<()> {
    let size = file.metadata()?.len();
    header.set_size(size);
    name(archive, &mut header, path, b"")?;
    let mut contents = Counted { file: file.take(size), count: 0 };
    archive.append(&header, &mut contents)?;
    if contents.count == size {
        return Ok(());
    }
    Err(io::Error::other("a file became shorter while it was read; try again"))
}

/// A file with the number of bytes read, which must match the size in the archive's header.
struct Counted {
    file: io::Take<File>,
    count: u64,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.count += count as u64;
        Ok(count)
    }
}

/// Writes names into a header without changes. Names that are too long go into an entry before it,
/// as in GNU tar.
fn name(
    archive: &mut Builder<impl Write>,
    header: &mut Header,
    path: &[u8],
    link: &[u8],
) -> io::Result<()> {
    write_long(archive, EntryType::GNULongName, path)?;
    write_long(archive, EntryType::GNULongLink, link)?;
    let fields = header.as_gnu_mut().ok_or_else(|| io::Error::other("a GNU header"))?;
    put(&mut fields.name, path);
    put(&mut fields.linkname, link);
    header.set_cksum();
    Ok(())
}

/// Longest name in a header, in bytes.
const SHORT: usize = 100;

fn write_long(archive: &mut Builder<impl Write>, kind: EntryType, text: &[u8]) -> io::Result<()> {
    if text.len() <= SHORT {
        return Ok(());
    }
    let mut header = header(kind, 0o644);
    put(&mut header.as_old_mut().name, b"././@LongLink");
    header.set_size(text.len() as u64 + 1);
    header.set_cksum();
    archive.append(&header, [text, b"\0"].concat().as_slice())
}

fn put(field: &mut [u8; SHORT], text: &[u8]) {
    let length = text.len().min(SHORT);
    field[..length].copy_from_slice(&text[..length]);
}
