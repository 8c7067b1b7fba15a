//! Extraction of entries beneath a folder, within limits.

use std::collections::BTreeMap;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::{Message, said};
use unicode_normalization::UnicodeNormalization as _;

use super::super::beneath::Folder;
use super::super::fault::SnapshotError;
use super::{ArchiveError, Entry, EntryKind, Limits, refused, refused_asking};

/// A folder that receives the files of one person.
#[derive(Debug)]
pub struct Unpacked {
    to: Folder,
    limits: Limits,
    bytes: u64,
    entries: usize,
    /// Case-folded paths, each with its original path and whether it is a folder.
    paths: BTreeMap<String, (String, bool)>,
    contents: Contents,
}

/// Unpacked content.
#[derive(Debug, Clone, Default)]
pub struct Contents {
    /// Paths of all files, including those of nested archives.
    pub files: Vec<String>,
    /// Beginnings of short texts, which may contain an address.
    pub texts: Vec<String>,
    hashes: BTreeMap<String, blake3::Hash>,
}

impl Contents {
    /// Hash of the paths and bytes, regardless of their order, as 32 hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut all = blake3::Hasher::new();
        for (path, hash) in &self.hashes {
            all.update(&(path.len() as u64).to_le_bytes());
            all.update(path.as_bytes());
            all.update(hash.as_bytes());
        }
        all.finalize().to_hex()[..32].to_owned()
    }

    fn add(&mut self, path: &Path, head: &[u8], size: u64, hash: blake3::Hash) {
        const TEXTS: [&str; 6] = ["txt", "md", "html", "htm", "url", "webloc"];
        let name = path.to_string_lossy().into_owned();
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
        let is_text = ending.is_some_and(|ending| TEXTS.contains(&&*ending));
        if is_text && size <= 64 << 10 && self.texts.len() < 8 {
            self.texts.push(String::from_utf8_lossy(head).into_owned());
        }
        self.files.push(name.clone());
        self.hashes.insert(name, hash);
    }
}

/// Bytes kept of each file, to recognize its format.
const HEAD: usize = 4096;
/// Longest path, in bytes.
const LONGEST_PATH: usize = 1024;
/// Longest name, in bytes.
const LONGEST_NAME: usize = 255;
/// Maximum folder depth.
const DEEPEST: usize = 32;
/// Size from which the ratio of unpacked to packed bytes is limited.
const RATIO_FROM: u64 = 1 << 20;

impl Unpacked {
    /// Creates an empty folder at a path of the operator.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn create(path: &Path, limits: Limits) -> Result<Self, SnapshotError> {
        let to = Folder::create_all(path).map_err(SnapshotError::at("create", path))?;
        Ok(Self {
            to,
            limits,
            bytes: 0,
            entries: 0,
            paths: BTreeMap::new(),
            contents: Contents::default(),
        })
    }

    /// The limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Content unpacked so far.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    pub(super) fn folder(&self) -> &Folder {
        &self.to
    }

    /// The same limits and counts, with paths relative to a new subfolder.
    pub(super) fn beneath(self, name: &Path) -> Result<Self, SnapshotError> {
        let path = self.to.path().join(name);
        let created = self.to.create_folder(name).and_then(|()| self.to.folder(name));
        let to = created.map_err(SnapshotError::at("create", &path))?;
        Ok(Self { to, paths: BTreeMap::new(), ..self })
    }

    /// Writes an entry at `path`. Clutter of operating systems and tools is skipped.
    ///
    /// # Errors
    /// A limit is exceeded, the entry cannot be stored safely, or the folder cannot be written.
    pub fn put(&mut self, path: &str, mut entry: Entry<'_>) -> Result<(), ArchiveError> {
        if is_clutter(path) {
            return Ok(());
        }
        self.entries += 1;
        if self.entries > self.limits.entries {
            let most = self.limits.entries;
            return Err(refused(said!("it has more than {} files and folders", most)));
        }
        let path = self.checked(path, entry.kind == EntryKind::Folder)?;
        if path.as_os_str().is_empty() {
            return Ok(());
        }
        self.create_parents(&path)?;
        if let Some(why) = entry.unreadable {
            return Err(why.refuse(shown(&path)));
        }
        match entry.kind {
            EntryKind::Folder => self.create_folder(&path),
            EntryKind::File { executable } => self.put_file(&path, executable, &mut entry),
            EntryKind::Link => self.put_link(&path, entry.content),
            EntryKind::Special => {
                Err(refused(said!("{} is neither a file nor a folder", shown(&path))))
            }
        }
    }

    /// Checks that a path consists of plain names and is unique.
    fn checked(&mut self, path: &str, is_folder: bool) -> Result<PathBuf, ArchiveError> {
        let shown = Untrusted::new(path).shown(200);
        let refuse = |what: Message| Err(refused(said!("the path \"{}\" {}", &shown, what)));
        if path.starts_with('/') || path.contains('\0') || path.get(1..3) == Some(":/") {
            return refuse(said!("is not relative to the archive"));
        }
        let names: Vec<_> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        if names.contains(&"..") {
            return refuse(said!("leads outside of the archive"));
        }
        if path.len() > LONGEST_PATH || names.iter().any(|name| name.len() > LONGEST_NAME) {
            return refuse(said!("is too long"));
        }
        if names.len() > DEEPEST {
            return refuse(said!("has more than {} folders inside each other", DEEPEST));
        }
        if self.limits.portable_names
            && let Some(name) = names.iter().find(|name| is_reserved(name))
        {
            let name = Untrusted::new(*name).shown(200);
            return refuse(said!("has the name \"{}\", which Windows keeps for a device", name));
        }
        let path = names.join("/");
        match self.paths.insert(folded(&path), (path.clone(), is_folder)) {
            Some((other, true)) if is_folder && other == path => {}
            None => {}
            Some((other, _)) if other == path => return refuse(said!("occurs twice")),
            Some((other, _)) => return refuse(difference(&path, &other)),
        }
        Ok(PathBuf::from(path))
    }

    fn create_parents(&mut self, path: &Path) -> Result<(), ArchiveError> {
        let parents = path.ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
        for parent in parents.collect::<Vec<_>>().into_iter().rev() {
            let text = parent.to_string_lossy().into_owned();
            match self.paths.entry(folded(&text)) {
                std::collections::btree_map::Entry::Occupied(found) if !found.get().1 => {
                    return Err(refused(said!("{} is a file and a folder", shown(parent))));
                }
                std::collections::btree_map::Entry::Occupied(found) if found.get().0 != text => {
                    let what = difference(&text, &found.get().0);
                    return Err(refused(said!("{} {}", shown(parent), what)));
                }
                std::collections::btree_map::Entry::Occupied(_) => {}
                std::collections::btree_map::Entry::Vacant(place) => {
                    place.insert((text, true));
                }
            }
            self.create_folder(parent)?;
        }
        Ok(())
    }

    fn create_folder(&self, path: &Path) -> Result<(), ArchiveError> {
        if self.to.has(path) {
            return Ok(());
        }
        Ok(self.to.create_folder(path).map_err(SnapshotError::at("create", path))?)
    }

    fn put_file(
        &mut self,
        path: &Path,
        executable: bool,
        entry: &mut Entry<'_>,
    ) -> Result<(), ArchiveError> {
        let mut file =
            self.to.create_file(path, executable).map_err(SnapshotError::at("create", path))?;
        let mut buffer = vec![0; 64 * 1024];
        let (mut size, mut head, mut hasher) = (0_u64, Vec::new(), blake3::Hasher::new());
        loop {
            let count = entry.content.read(&mut buffer).map_err(|error| {
                let error = Untrusted::new(error.to_string()).shown(120);
                let why = said!("{} cannot be unpacked ({})", shown(path), error);
                refused_asking(why, said!("ask for it again"))
            })?;
            if count == 0 {
                break;
            }
            size += count as u64;
            self.bytes += count as u64;
            self.check_size(path, size, entry)?;
            let wanted = count.min(HEAD.saturating_sub(head.len()));
            head.extend_from_slice(&buffer[..wanted]);
            hasher.update(&buffer[..count]);
            file.write_all(&buffer[..count]).map_err(SnapshotError::at("write", path))?;
        }
        if entry.declared.is_some_and(|declared| declared != size) {
            let why = said!("{} has another size than the archive says", shown(path));
            return Err(refused_asking(why, said!("ask for it again")));
        }
        self.contents.add(path, &head, size, hasher.finalize());
        // Archives from Windows have no execute bit, and upload forms lose it.
        if !executable && (head.starts_with(b"#!") || head.starts_with(b"\x7fELF")) {
            self.to.make_executable(path).map_err(SnapshotError::at("write", path))?;
        }
        Ok(())
    }

    fn check_size(&self, path: &Path, size: u64, entry: &Entry<'_>) -> Result<(), ArchiveError> {
        if self.bytes > self.limits.bytes {
            let (most, path) = (self.limits.bytes >> 20, shown(path));
            return Err(refused(said!("it unpacks to more than {} MiB, with {}", most, path)));
        }
        let (ratio, packed) = (self.limits.ratio, entry.packed);
        if size > RATIO_FROM && packed.is_some_and(|packed| size > packed.saturating_mul(ratio)) {
            return Err(refused(said!(
                "{} unpacks to more than {} times its size, as a zip bomb does",
                shown(path),
                ratio
            )));
        }
        Ok(())
    }

    /// Links must stay inside. They are created, not followed: a later entry beneath a link fails.
    fn put_link(&self, path: &Path, content: &mut dyn Read) -> Result<(), ArchiveError> {
        let mut target = Vec::new();
        let read = content.take(LONGEST_PATH as u64 + 1).read_to_end(&mut target);
        let target = read.ok().and_then(|_| String::from_utf8(target).ok());
        let depth = path.components().count() - 1;
        match target.filter(|target| stays_inside(target, depth)) {
            Some(target) => {
                let made = self.to.create_link(path, Path::new(&target));
                Ok(made.map_err(SnapshotError::at("create", path))?)
            }
            None => Err(refused(said!("{} is a link that leads outside", shown(path)))),
        }
    }
}

/// Whether a link target never leaves the archive, from a folder of that depth.
fn stays_inside(target: &str, depth: usize) -> bool {
    if target.is_empty() || target.starts_with('/') || target.contains('\0') {
        return false;
    }
    let mut depth = depth;
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." if depth == 0 => return false,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    target.len() <= LONGEST_PATH
}

/// Whether a path is clutter of an operating system or a tool.
pub(super) fn is_clutter(path: &str) -> bool {
    const FOLDERS: [&str; 4] = ["__MACOSX", ".git", "__pycache__", ".idea"];
    const FILES: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.split('/').any(|name| FOLDERS.contains(&name))
        || FILES.contains(&last)
        || last.starts_with("._")
}

/// Folds case and Unicode normalization. On systems that ignore these differences, one file would
/// overwrite the other.
fn folded(path: &str) -> String {
    path.nfd().flat_map(char::to_lowercase).nfc().collect()
}

/// Describes the difference between two paths that are equal after [`folded`].
fn difference(path: &str, other: &str) -> Message {
    let shown = Untrusted::new(other).shown(200);
    if path.to_lowercase() == other.to_lowercase() {
        said!("differs from \"{}\" in upper and lower case only", shown)
    } else {
        said!(
            "differs from \"{}\" in the encoding of its accents or in upper and lower case only",
            shown
        )
    }
}

/// Whether Windows reserves this name, with any extension.
fn is_reserved(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port.is_some_and(|number| {
        let mut digits = number.chars();
        let is_digit = |c: char| matches!(c, '1'..='9' | '¹' | '²' | '³');
        digits.next().is_some_and(is_digit) && digits.next().is_none()
    });
    is_port || DEVICES.contains(&&*stem)
}

fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).shown(200)
}

/// Writes a file into a folder that may contain hostile links, replacing any entry of this name. If
/// `keep` is given, the old file is renamed to it.
///
/// # Errors
/// The folder cannot be written.
pub fn replace_file(
    folder: &Path,
    name: &str,
    keep: Option<&str>,
    content: &[u8],
) -> Result<(), SnapshotError> {
    let write = || {
        let folder = Folder::open(folder)?;
        let name = Path::new(name);
        match keep.map(Path::new) {
            Some(keep) if folder.has(name) && !folder.has(keep) => folder.rename(name, keep)?,
            _ => folder.remove(name)?,
        }
        folder.create_file(name, false)?.write_all(content)
    };
    write().map_err(SnapshotError::at("write", &folder.join(name)))
}

/// Reads a small file of a folder that may contain hostile links; `None` if there is none.
pub fn read_file(folder: &Path, name: &str, most: u64) -> Option<Vec<u8>> {
    let file = Folder::open(folder).ok()?.file(Path::new(name)).ok()?;
    let mut content = Vec::new();
    file.take(most).read_to_end(&mut content).ok()?;
    Some(content)
}

/// Removes a folder with everything in it. A missing folder is not an error.
///
/// # Errors
/// An entry cannot be removed.
pub fn remove_folder(parent: &Path, name: &str) -> Result<(), SnapshotError> {
    let removed = Folder::open(parent).and_then(|parent| parent.remove(Path::new(name)));
    removed.map_err(SnapshotError::at("remove", &parent.join(name)))
}
