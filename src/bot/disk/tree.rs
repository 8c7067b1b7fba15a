//! The files that were handed in: listed within bounds, hashed and copied in one reading.
//!
//! Must not know what the files mean.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::record::BotHash;

use super::diagnose::is_lack_of_resources;
use super::fault::{BotFault, FileFault, StoreFault, Wrong};

/// How much one bot may hand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// Bytes in all files together.
    pub bytes: u64,
    /// Files and folders.
    pub files: usize,
    /// Folders within folders.
    pub depth: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { bytes: 512 << 20, files: 20_000, depth: 64 }
    }
}

/// Version control, and what systems and interpreters leave lying about: no part of a bot,
/// and different on every machine.
const CLUTTER: [&str; 9] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "__MACOSX",
    "__pycache__",
];

/// Whether a name is left out of a snapshot: clutter, and cargo's `target` beside its
/// `Cargo.toml`. `node_modules` stays, since a bot cannot fetch anything where it plays.
fn is_left_out(folder: &Path, name: &std::ffi::OsStr) -> bool {
    CLUTTER.iter().any(|clutter| name == *clutter)
        || (name == "target" && folder.join("Cargo.toml").is_file())
}

/// One thing that was handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its path in the folder.
    pub(super) path: PathBuf,
    /// What it is.
    pub(super) kind: Kind,
}

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file, and whether anybody may execute it.
    File { executable: bool },
    /// A link that stays inside the folder.
    Link { target: PathBuf },
    /// A folder.
    Folder,
}

/// A file or folder of the bot's that could not be read: the bot's fault, unless the machine
/// lacks resources.
pub(super) fn unreadable(path: &Path, error: io::Error) -> Wrong {
    if is_lack_of_resources(&error) {
        return StoreFault { doing: "read", path: path.to_owned(), error }.into();
    }
    Wrong::file(path, format!("cannot be read: {error}"))
}

/// A list of entries under a root, in the order of their paths' bytes.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    pub(super) entries: Vec<Entry>,
    limits: TreeLimits,
}

impl Tree {
    /// Lists a folder, or a single file as if it were alone in one.
    pub(super) fn of(path: &Path, limits: TreeLimits) -> Result<Self, Wrong> {
        let path = path.canonicalize().map_err(|error| unreadable(path, error))?;
        let meta = fs::metadata(&path).map_err(|error| unreadable(&path, error))?;
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(Wrong::file(&path, "this is the whole disk; name the bot's own folder"));
        };
        if !meta.is_file() {
            return Self::of_folder(path, limits);
        }
        let kind = Kind::File { executable: is_executable(&meta) };
        let entries = vec![Entry { path: name.into(), kind }];
        Ok(Self { root: parent.to_owned(), entries, limits })
    }

    fn of_folder(root: PathBuf, limits: TreeLimits) -> Result<Self, Wrong> {
        let mut walk = Walk { root: &root, limits, entries: Vec::new(), faults: Vec::new() };
        walk.folder(Path::new(""), 0)?;
        let Walk { mut entries, faults, .. } = walk;
        if !faults.is_empty() {
            return Err(Wrong::Bot(BotFault::Files(faults)));
        }
        entries.sort_by(|a, b| a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes()));
        Ok(Self { root, entries, limits })
    }

    /// The files that lie at the top, with their names.
    pub(super) fn top_files(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| {
            !matches!(entry.kind, Kind::Folder) && entry.path.components().count() == 1
        })
    }

    /// Where the paths begin.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The hash of all that is listed.
    pub(super) fn hash(&self) -> Result<BotHash, Wrong> {
        self.read(None)
    }

    /// Copies all that is listed into a folder that is not there yet; the hash is that of the
    /// bytes that were copied, whatever happens to the original meanwhile.
    pub(super) fn copy(&self, to: &Path) -> Result<BotHash, Wrong> {
        fs::create_dir(to).map_err(StoreFault::at("create", to))?;
        let hash = self.read(Some(to))?;
        self.check_links(to)?;
        Ok(hash)
    }

    /// Reads everything once. What is hashed for each entry: a byte for its kind, the length
    /// of its path and the path, and the hash of its contents.
    fn read(&self, to: Option<&Path>) -> Result<BotHash, Wrong> {
        let mut all = blake3::Hasher::new();
        all.update(b"pitmaster bot 1\n");
        let mut left = self.limits.bytes;
        for entry in &self.entries {
            let copy = to.map(|to| to.join(&entry.path));
            let (kind, contents) = self.read_entry(entry, copy.as_deref(), &mut left)?;
            let path = entry.path.as_os_str().as_bytes();
            all.update(&[kind]);
            all.update(&(path.len() as u64).to_le_bytes());
            all.update(path);
            all.update(contents.as_bytes());
        }
        let mut first = [0; 16];
        first.copy_from_slice(&all.finalize().as_bytes()[..16]);
        Ok(BotHash::from_bytes(first))
    }

    fn read_entry(
        &self,
        entry: &Entry,
        copy: Option<&Path>,
        left: &mut u64,
    ) -> Result<(u8, blake3::Hash), Wrong> {
        match &entry.kind {
            Kind::Folder => {
                copy.map_or(Ok(()), |copy| {
                    fs::create_dir(copy).map_err(StoreFault::at("create", copy))
                })?;
                Ok((b'd', blake3::hash(b"")))
            }
            Kind::Link { target } => {
                copy.map_or(Ok(()), |copy| {
                    symlink(target, copy).map_err(StoreFault::at("create", copy))
                })?;
                Ok((b'l', blake3::hash(target.as_os_str().as_bytes())))
            }
            Kind::File { executable } => {
                let from = self.root.join(&entry.path);
                let hash = read_file(&from, copy, *executable, left, self.limits)?;
                Ok((if *executable { b'x' } else { b'f' }, hash))
            }
        }
    }

    /// In the copy every link leads to something inside: it may have led through what was
    /// left out.
    fn check_links(&self, copy: &Path) -> Result<(), Wrong> {
        let root = copy.canonicalize().map_err(StoreFault::at("open", copy))?;
        for entry in self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Link { .. })) {
            if !leads_inside(&root, &root.join(&entry.path)) {
                return Err(Wrong::file(&self.root.join(&entry.path), LINK_OUTSIDE));
            }
        }
        Ok(())
    }
}

const LINK_OUTSIDE: &str =
    "a link that leads to nothing inside the bot's folder; replace it by what it stands for";

fn leads_inside(root: &Path, link: &Path) -> bool {
    link.canonicalize().is_ok_and(|target| target.starts_with(root))
}

struct Walk<'r> {
    root: &'r Path,
    limits: TreeLimits,
    entries: Vec<Entry>,
    faults: Vec<FileFault>,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path, depth: usize) -> Result<(), Wrong> {
        let folder = self.root.join(path);
        if depth > self.limits.depth {
            let what = format!("more than {} folders within each other", self.limits.depth);
            return Err(Wrong::file(&folder, what));
        }
        let unreadable = |error| unreadable(&folder, error);
        for item in fs::read_dir(&folder).map_err(unreadable)? {
            let name = item.map_err(unreadable)?.file_name();
            if !is_left_out(&folder, &name) {
                self.entry(&path.join(name), depth)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, depth: usize) -> Result<(), Wrong> {
        if self.entries.len() >= self.limits.files {
            let what = format!(
                "more than {} files; hand in a folder that holds the bot and nothing else",
                self.limits.files
            );
            return Err(Wrong::file(self.root, what));
        }
        let full = self.root.join(path);
        let meta = fs::symlink_metadata(&full).map_err(|e| unreadable(&full, e))?;
        let Some(kind) = self.kind(&full, &meta)? else { return Ok(()) };
        let is_folder = kind == Kind::Folder;
        self.entries.push(Entry { path: path.to_owned(), kind });
        if is_folder { self.folder(path, depth + 1) } else { Ok(()) }
    }

    fn kind(&mut self, full: &Path, meta: &fs::Metadata) -> Result<Option<Kind>, Wrong> {
        let file_type = meta.file_type();
        if file_type.is_dir() {
            return Ok(Some(Kind::Folder));
        }
        if file_type.is_file() {
            return Ok(Some(Kind::File { executable: is_executable(meta) }));
        }
        let what = if file_type.is_symlink() {
            let target = fs::read_link(full).map_err(|e| unreadable(full, e))?;
            if target.is_relative() && leads_inside(self.root, full) {
                return Ok(Some(Kind::Link { target }));
            }
            LINK_OUTSIDE.to_owned()
        } else {
            format!("{} and not a file; remove it", special_name(file_type))
        };
        self.faults.push(FileFault::whole(full, what));
        Ok(None)
    }
}

fn special_name(file_type: fs::FileType) -> &'static str {
    if file_type.is_fifo() {
        "a named pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

/// Whether anybody may execute it.
pub(super) fn is_executable(meta: &fs::Metadata) -> bool {
    meta.permissions().mode() & 0o111 != 0
}

/// Reads a file once, counting down what the bot may still hand in.
fn read_file(
    from: &Path,
    copy: Option<&Path>,
    executable: bool,
    left: &mut u64,
    limits: TreeLimits,
) -> Result<blake3::Hash, Wrong> {
    let mut file = open_plain(from).map_err(|error| unreadable(from, error))?;
    let mut copy = copy.map(|to| create(to, executable).map(|file| (to, file))).transpose()?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finalize()),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(unreadable(from, error)),
        };
        *left = left.checked_sub(count as u64).ok_or_else(|| too_large(from, limits))?;
        hasher.update(&buffer[..count]);
        if let Some((to, copy)) = &mut copy {
            copy.write_all(&buffer[..count]).map_err(StoreFault::at("write", to))?;
        }
    }
}

fn too_large(from: &Path, limits: TreeLimits) -> Wrong {
    let what = format!(
        "with this file the bot is larger than {} MiB; hand in less, or build it from sources",
        limits.bytes >> 20
    );
    Wrong::file(from, what)
}

/// Opens what was a plain file when it was listed; should it have become a link or a pipe
/// since, this neither follows nor hangs.
fn open_plain(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it was replaced while it was read; try again"));
    }
    Ok(file)
}

/// A new file, to be written.
pub(super) fn create(path: &Path, executable: bool) -> Result<File, StoreFault> {
    let mode = if executable { 0o755 } else { 0o644 };
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(path)
        .map_err(StoreFault::at("create", path))
}

/// The first bytes of a file, for a look at what it is.
pub(super) fn head(path: &Path, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    fn folder(files: &[(&[u8], &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(OsStr::from_bytes(name));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn hash(path: &Path) -> BotHash {
        Tree::of(path, TreeLimits::default()).unwrap().hash().unwrap()
    }

    fn refused(path: &Path, limits: TreeLimits) -> String {
        let fault = Tree::of(path, limits).and_then(|tree| tree.hash()).unwrap_err();
        let Wrong::Bot(BotFault::Files(faults)) = fault else { panic!("{fault:?}") };
        faults.iter().map(|fault| fault.what.clone()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_hash_is_of_names_bits_and_contents_and_nothing_else() {
        let base = folder(&[(b"a", "1"), (b"b/c", "2")]);
        assert_eq!(hash(base.path()), hash(folder(&[(b"b/c", "2"), (b"a", "1")]).path()));
        for other in [
            &[(&b"a"[..], "1"), (b"b/c", "3")][..],
            &[(b"a", "1"), (b"b/d", "2")],
            &[(b"a", "12"), (b"b/c", "")],
            &[(b"a", "1"), (b"b/c", "2"), (b"d", "")],
        ] {
            assert_ne!(hash(base.path()), hash(folder(other).path()), "{other:?}");
        }
        let cluttered =
            folder(&[(b"a", "1"), (b"b/c", "2"), (b".git/x", ""), (b"b/__pycache__/y", "")]);
        assert_eq!(hash(base.path()), hash(cluttered.path()));
        let before = hash(base.path());
        fs::set_permissions(base.path().join("a"), fs::Permissions::from_mode(0o755)).unwrap();
        assert_ne!(hash(base.path()), before);
        fs::create_dir(base.path().join("empty")).unwrap();
        assert_ne!(hash(base.path()), before);
    }

    #[test]
    fn cargos_target_is_left_out_and_any_other_is_not() {
        let plain = folder(&[(b"target/x", "1")]);
        let cargo = folder(&[(b"target/x", "1"), (b"Cargo.toml", "")]);
        let paths = |dir: &tempfile::TempDir| {
            let tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
            tree.entries.iter().map(|e| e.path.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(paths(&plain), ["target", "target/x"]);
        assert_eq!(paths(&cargo), ["Cargo.toml"]);
    }

    #[test]
    fn a_copy_has_the_same_hash_whatever_the_names() {
        let dir = folder(&[
            (b"two\nlines", "1"),
            (b"\xff\xfe/x", "2"),
            (b"</script>", ""),
            (b"-rf", "3"),
        ]);
        symlink("two\nlines", dir.path().join("link")).unwrap();
        let store = tempfile::tempdir().unwrap();
        let to = store.path().join("src");
        let copied = Tree::of(dir.path(), TreeLimits::default()).unwrap().copy(&to).unwrap();
        assert_eq!(copied, hash(dir.path()));
        assert_eq!(copied, hash(&to));
        assert_eq!(fs::read_to_string(to.join("link")).unwrap(), "1");
    }

    #[test]
    fn a_file_is_a_folder_of_one() {
        let dir = folder(&[(b"bot.py", "1")]);
        assert_eq!(hash(&dir.path().join("bot.py")), hash(dir.path()));
    }

    #[test]
    fn links_that_lead_outside_are_refused() {
        for target in ["/etc/passwd", "..", "nothing", "sub/../../../etc", "self"] {
            let dir = folder(&[(b"sub/x", "")]);
            symlink(target, dir.path().join("self")).unwrap();
            let what = refused(dir.path(), TreeLimits::default());
            assert!(what.starts_with("a link that leads"), "{target}: {what}");
        }
        let through = folder(&[(b"a/b/c/x", "")]);
        symlink("../../..", through.path().join("a/b/c/up")).unwrap();
        symlink("a/b/c/up/../..", through.path().join("out")).unwrap();
        assert!(refused(through.path(), TreeLimits::default()).starts_with("a link"));
    }

    #[test]
    fn a_link_into_what_is_left_out_is_refused_in_the_copy() {
        let dir = folder(&[(b".git/config", "")]);
        symlink(".git/config", dir.path().join("link")).unwrap();
        let store = tempfile::tempdir().unwrap();
        let tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
        let fault = tree.copy(&store.path().join("src")).unwrap_err();
        assert!(matches!(fault, Wrong::Bot(BotFault::Files(_))), "{fault:?}");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let dir = folder(&[]);
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
        assert_eq!(
            refused(dir.path(), TreeLimits::default()),
            "a socket and not a file; remove it"
        );
    }

    #[test]
    fn size_count_and_depth_are_bounded() {
        let dir = folder(&[(b"a", "123"), (b"b/c/d", "456")]);
        let all = TreeLimits { bytes: 6, files: 4, depth: 2 };
        assert!(Tree::of(dir.path(), all).unwrap().hash().is_ok());
        for less in [
            TreeLimits { bytes: 5, ..all },
            TreeLimits { files: 3, ..all },
            TreeLimits { depth: 1, ..all },
        ] {
            assert!(refused(dir.path(), less).contains(" than "), "{less:?}");
        }
    }

    #[test]
    fn what_is_not_there_is_told() {
        assert!(
            refused(Path::new("/nowhere/at/all"), TreeLimits::default()).contains("cannot be read")
        );
    }
}
