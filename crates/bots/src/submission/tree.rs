//! Submitted file tree: listed within limits, hashed and copied in one pass.
//!
//! Must not depend on what the files mean.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pitmaster_core::BotHash;
use pitmaster_core::i18n::{Message, said};

use super::beneath::{EntryKind, Folder, Special, is_executable};
use super::diagnose::is_lack_of_resources;
use super::fault::{BotFault, FileError, SnapshotError, Wrong};

/// Size limits of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeLimits {
    /// Total bytes in all files.
    pub bytes: u64,
    /// Number of files and folders.
    pub files: usize,
    /// Depth of nested folders.
    pub depth: usize,
}

impl Default for TreeLimits {
    fn default() -> Self {
        Self { bytes: 512 << 20, files: 20_000, depth: 64 }
    }
}

/// Files of version control, systems, editors and interpreters. They are no part of a bot and
/// differ between machines.
const CLUTTER: [&str; 13] = [
    ".git",
    ".hg",
    ".svn",
    ".jj",
    ".vscode",
    ".idea",
    ".vs",
    ".gradle",
    ".DS_Store",
    "Thumbs.db",
    "desktop.ini",
    "__MACOSX",
    "__pycache__",
];

/// Whether a name is left out of a snapshot: clutter, cargo's `target` beside its `Cargo.toml`, and
/// a Python virtual environment, which refers to another machine's Python. `node_modules` is kept,
/// because bots have no network.
fn is_left_out(folder: &Folder, name: &OsStr) -> bool {
    let has = |path: &Path| matches!(folder.kind(path), Ok(EntryKind::File { .. }));
    CLUTTER.iter().any(|clutter| name == *clutter)
        || (name == "target" && has(Path::new("Cargo.toml")))
        || has(&Path::new(name).join("pyvenv.cfg"))
}

/// Entry of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Path relative to the root.
    pub(super) path: PathBuf,
    /// Its kind.
    pub(super) kind: Kind,
}

/// Kind of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file, and whether it has an execute permission.
    File { executable: bool },
    /// A link that stays inside the folder.
    Link { target: PathBuf },
    /// A folder.
    Folder,
}

/// Attributes an unreadable file or folder to the bot, unless the machine lacks resources.
pub(super) fn unreadable(path: &Path, error: io::Error) -> Wrong {
    if is_lack_of_resources(&error) {
        return SnapshotError { doing: "read", path: path.to_owned(), error }.into();
    }
    Wrong::file(path, said!("cannot be read: {}", error.to_string()))
}

/// Entries beneath a root, in byte order of their paths.
#[derive(Debug)]
pub(super) struct Tree {
    root: Folder,
    pub(super) entries: Vec<Entry>,
    limits: TreeLimits,
}

impl Tree {
    /// Lists a folder, or a single file as if it were alone in one. Links on the operator's path to
    /// it are followed.
    #[expect(clippy::disallowed_methods, reason = "a path of the operator's")]
    pub(super) fn of(path: &Path, limits: TreeLimits) -> Result<Self, Wrong> {
        let path = path.canonicalize().map_err(|error| unreadable(path, error))?;
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            let what = said!("this is the whole disk; name the bot's own folder");
            return Err(Wrong::file(&path, what));
        };
        let open = |folder: &Path| Folder::open(folder).map_err(|error| unreadable(folder, error));
        let beside = open(parent)?;
        let name = Path::new(name);
        match beside.kind(name).map_err(|error| unreadable(&path, error))? {
            EntryKind::File { executable } => {
                let entries = vec![Entry { path: name.into(), kind: Kind::File { executable } }];
                Ok(Self { root: beside, entries, limits })
            }
            EntryKind::Special(special) => Err(Wrong::file(&path, no_file(special))),
            EntryKind::Folder | EntryKind::Link => Self::of_folder(open(&path)?, limits),
        }
    }

    /// Lists an open folder.
    pub(super) fn of_folder(root: Folder, limits: TreeLimits) -> Result<Self, Wrong> {
        let mut walk = Walk { root: &root, limits, entries: Vec::new(), faults: Vec::new() };
        walk.folder(&root, Path::new(""), 0)?;
        let Walk { mut entries, faults, .. } = walk;
        if !faults.is_empty() {
            return Err(Wrong::Bot(BotFault::Files(faults)));
        }
        entries.sort_by(|a, b| a.path.as_os_str().as_bytes().cmp(b.path.as_os_str().as_bytes()));
        Ok(Self { root, entries, limits })
    }

    /// The root folder.
    pub(super) fn root(&self) -> &Folder {
        &self.root
    }

    /// Hash of all listed entries.
    pub(super) fn hash(&self) -> Result<BotHash, Wrong> {
        self.read(None)
    }

    /// Copies all listed entries into an empty folder. Returns the hash of the copied bytes, even
    /// if the original changes meanwhile.
    pub(super) fn copy(&self, to: &Folder) -> Result<BotHash, Wrong> {
        let hash = self.read(Some(to))?;
        self.check_links(to)?;
        Ok(hash)
    }

    /// Reads everything once. The hash covers for each entry a byte for its kind, the length of its
    /// path, the path, and the hash of its content.
    fn read(&self, to: Option<&Folder>) -> Result<BotHash, Wrong> {
        let mut all = blake3::Hasher::new();
        all.update(b"pitmaster bot 1\n");
        let mut left = self.limits.bytes;
        for entry in &self.entries {
            let (kind, contents) = self.read_entry(entry, to, &mut left)?;
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
        to: Option<&Folder>,
        left: &mut u64,
    ) -> Result<(u8, blake3::Hash), Wrong> {
        let path = &entry.path;
        let create = |make: &dyn Fn(&Folder) -> io::Result<()>| {
            to.map_or(Ok(()), |to| {
                make(to).map_err(SnapshotError::at("create", &to.path().join(path)))
            })
        };
        match &entry.kind {
            Kind::Folder => {
                create(&|to| to.create_folder(path))?;
                Ok((b'd', blake3::hash(b"")))
            }
            Kind::Link { target } => {
                create(&|to| to.create_link(path, target))?;
                Ok((b'l', blake3::hash(target.as_os_str().as_bytes())))
            }
            Kind::File { executable } => {
                let hash = self.read_file(path, to, *executable, left)?;
                Ok((if *executable { b'x' } else { b'f' }, hash))
            }
        }
    }

    /// Reads a file once and reduces the remaining size limit.
    fn read_file(
        &self,
        path: &Path,
        to: Option<&Folder>,
        executable: bool,
        left: &mut u64,
    ) -> Result<blake3::Hash, Wrong> {
        let from = self.root.path().join(path);
        let mut file = self.root.file(path).map_err(|error| unreadable(&from, error))?;
        if is_executable(&file).map_err(|error| unreadable(&from, error))? != executable {
            let what = said!("was replaced while it was read; try again");
            return Err(Wrong::file(&from, what));
        }
        let mut copy = to.map(|to| create(to, path, executable)).transpose()?;
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let count = match file.read(&mut buffer) {
                Ok(0) => return Ok(hasher.finalize()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(unreadable(&from, error)),
            };
            let rest = left.checked_sub(count as u64);
            *left = rest.ok_or_else(|| too_large(&from, self.limits))?;
            hasher.update(&buffer[..count]);
            if let Some(copy) = &mut copy {
                copy.write_all(&buffer[..count]).map_err(SnapshotError::at("write", path))?;
            }
        }
    }

    /// Checks that every link in the copy leads inside. It may have led through an entry that was
    /// left out.
    fn check_links(&self, copy: &Folder) -> Result<(), Wrong> {
        for entry in self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Link { .. })) {
            if !copy.leads_inside(&entry.path) {
                return Err(Wrong::file(&self.root.path().join(&entry.path), link_outside()));
            }
        }
        Ok(())
    }
}

fn link_outside() -> Message {
    said!("a link that leads to nothing inside the bot's folder; replace it by what it stands for")
}

fn no_file(special: Special) -> Message {
    said!("{} and not a file; remove it", special.describe())
}

struct Walk<'r> {
    root: &'r Folder,
    limits: TreeLimits,
    entries: Vec<Entry>,
    faults: Vec<FileError>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Folder, path: &Path, depth: usize) -> Result<(), Wrong> {
        if depth > self.limits.depth {
            let what = said!("more than {} folders within each other", self.limits.depth);
            return Err(Wrong::file(folder.path(), what));
        }
        let unreadable = |error| unreadable(folder.path(), error);
        // One more than the limit, to detect an excess; clutter does not count.
        let most = self.limits.files.saturating_add(CLUTTER.len() + 2);
        for name in folder.names(most).map_err(unreadable)? {
            if !is_left_out(folder, &name) {
                self.entry(&path.join(name), depth)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, depth: usize) -> Result<(), Wrong> {
        if self.entries.len() >= self.limits.files {
            let what = said!(
                "more than {} files; hand in a folder that holds the bot and nothing else",
                self.limits.files
            );
            return Err(Wrong::file(self.root.path(), what));
        }
        let full = self.root.path().join(path);
        let kind = self.root.kind(path).map_err(|error| unreadable(&full, error))?;
        let Some(kind) = self.accepted(path, &full, kind)? else { return Ok(()) };
        let is_folder = kind == Kind::Folder;
        self.entries.push(Entry { path: path.to_owned(), kind });
        if !is_folder {
            return Ok(());
        }
        let folder = self.root.folder(path).map_err(|error| unreadable(&full, error))?;
        self.folder(&folder, path, depth + 1)
    }

    fn accepted(
        &mut self,
        path: &Path,
        full: &Path,
        kind: EntryKind,
    ) -> Result<Option<Kind>, Wrong> {
        let what = match kind {
            EntryKind::Folder => return Ok(Some(Kind::Folder)),
            EntryKind::File { executable } => return Ok(Some(Kind::File { executable })),
            EntryKind::Special(special) => no_file(special),
            EntryKind::Link => {
                let target = self.root.link_target(path).map_err(|e| unreadable(full, e))?;
                if target.is_relative() && self.root.leads_inside(path) {
                    return Ok(Some(Kind::Link { target }));
                }
                link_outside()
            }
        };
        self.faults.push(FileError::whole(full, what));
        Ok(None)
    }
}

fn too_large(from: &Path, limits: TreeLimits) -> Wrong {
    let what = said!(
        "with this file the bot is larger than {} MiB; hand in less, or build it from sources",
        limits.bytes >> 20
    );
    Wrong::file(from, what)
}

/// Creates a file for writing.
pub(super) fn create(to: &Folder, path: &Path, executable: bool) -> Result<File, SnapshotError> {
    to.create_file(path, executable).map_err(SnapshotError::at("create", &to.path().join(path)))
}

/// Reads the first bytes of a file, to recognize its format.
pub(super) fn head(file: File, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

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
        faults.iter().map(|fault| fault.what.to_string()).collect::<Vec<_>>().join("\n")
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
    fn a_virtual_environment_is_left_out_and_any_other_folder_is_not() {
        let dir = folder(&[(b"venv/pyvenv.cfg", ""), (b"bot.py", "1"), (b"env/x", "2")]);
        fs::create_dir(dir.path().join("venv/bin")).unwrap();
        symlink("/usr/bin/python3", dir.path().join("venv/bin/python3")).unwrap();
        assert_eq!(hash(dir.path()), hash(folder(&[(b"bot.py", "1"), (b"env/x", "2")]).path()));
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
        let tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
        let copied = tree.copy(&Folder::create_all(&to).unwrap()).unwrap();
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
        let fault = tree.copy(&Folder::open(store.path()).unwrap()).unwrap_err();
        assert!(matches!(fault, Wrong::Bot(BotFault::Files(_))), "{fault:?}");
    }

    #[test]
    fn what_is_swapped_for_a_link_after_the_listing_is_not_read() {
        let secret = folder(&[(b"key", "secret")]);
        let dir = folder(&[(b"sub/key", "own"), (b"a", "")]);
        let tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
        fs::remove_dir_all(dir.path().join("sub")).unwrap();
        symlink(secret.path(), dir.path().join("sub")).unwrap();
        let store = tempfile::tempdir().unwrap();
        let wrong = tree.copy(&Folder::open(store.path()).unwrap()).unwrap_err();
        assert!(matches!(wrong, Wrong::Bot(BotFault::Files(_))), "{wrong:?}");
        assert!(!store.path().join("sub/key").exists());
        assert!(tree.hash().is_err());
    }

    #[test]
    fn a_pipe_is_refused_at_once_also_where_it_was_a_file() {
        let dir = folder(&[(b"a", "1")]);
        let tree = Tree::of(dir.path(), TreeLimits::default()).unwrap();
        let pipe = dir.path().join("a");
        fs::remove_file(&pipe).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(tree.hash().is_err());
        let what = "a named pipe and not a file; remove it";
        assert_eq!(refused(dir.path(), TreeLimits::default()), what);
        assert_eq!(refused(&pipe, TreeLimits::default()), what);
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
