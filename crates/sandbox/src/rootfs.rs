//! Root file system of a bot in the full tier: only the system's folders and the bot's own.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::sys::{Place, PrivateRoot, c_string};
use crate::system_paths;

/// Path of a bot's scratch space in its private root.
pub(crate) const SCRATCH: &str = "/scratch";

/// Maximum number of files in a scratch space.
const FILES: u32 = 1024;

/// Plans a root with the system's folders, these folders, and scratch space of that many bytes.
pub(crate) fn plan(reads: &[PathBuf], scratch: u64) -> io::Result<PrivateRoot> {
    let mut root = Plan::default();
    for path in system_paths::system().iter().chain(&system_paths::devices(false)).chain(reads) {
        root.show(path)?;
    }
    root.put(Path::new("/proc"), Place::Processes);
    root.put(Path::new("/tmp"), Place::Folder);
    if scratch > 0 {
        root.put(Path::new(SCRATCH), Place::Scratch(scratch_options(scratch)?));
    }
    Ok(PrivateRoot { places: root.into_places()? })
}

/// Mount options of tmpfs for a scratch space with that many bytes.
pub(crate) fn scratch_options(bytes: u64) -> io::Result<CString> {
    c_string(format!("mode=0777,size={bytes},nr_inodes={FILES}"))
}

/// Places in the new root by relative path, in creation order.
#[derive(Default)]
struct Plan(Vec<(PathBuf, Place)>);

impl Plan {
    /// Adds a path of the machine under the same path.
    fn show(&mut self, path: &Path) -> io::Result<()> {
        // /proc is mounted for the bot's own namespace.
        if path.starts_with("/proc") || self.is_shown(path) {
            return Ok(());
        }
        let meta = path.symlink_metadata()?;
        if meta.is_symlink() && path.parent() == Some(Path::new("/")) {
            // `/bin` is a link to `usr/bin` on most systems.
            let target = std::fs::read_link(path)?;
            self.put(path, Place::Link(c_string(target.as_os_str().as_bytes())?));
            return Ok(());
        }
        let source = c_string(path.as_os_str().as_bytes())?;
        let is_folder = path.metadata()?.is_dir();
        self.put(path, if is_folder { Place::Folders(source) } else { Place::File(source) });
        Ok(())
    }

    /// Whether a parent folder is already shown.
    fn is_shown(&self, path: &Path) -> bool {
        let path = relative(path);
        self.0.iter().any(|(shown, place)| {
            matches!(place, Place::Folders(_)) && path.starts_with(shown) || path == *shown
        })
    }

    fn put(&mut self, path: &Path, place: Place) {
        let path = relative(path);
        for folder in path.ancestors().skip(1).collect::<Vec<_>>().into_iter().rev() {
            let is_there = self.0.iter().any(|(there, _)| there == folder);
            if !folder.as_os_str().is_empty() && !is_there {
                self.0.push((folder.to_owned(), Place::Folder));
            }
        }
        if !self.0.iter().any(|(there, _)| *there == path) {
            self.0.push((path, place));
        }
    }

    fn into_places(self) -> io::Result<Vec<(std::ffi::CString, Place)>> {
        let named = |(path, place): (PathBuf, Place)| {
            Ok((c_string(<OsStr as AsRef<OsStr>>::as_ref(path.as_os_str()).as_bytes())?, place))
        };
        self.0.into_iter().map(named).collect()
    }
}

fn relative(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_nothing_comes_twice() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().canonicalize().unwrap();
        let reads = [dir.join("work"), dir.join("work/inner"), "/usr/share".into()];
        std::fs::create_dir_all(&reads[1]).unwrap();
        let root = plan(&reads, 1 << 20).unwrap();
        let paths: Vec<_> = root.places.iter().map(|(path, _)| path.to_str().unwrap()).collect();
        for (place, path) in paths.iter().enumerate() {
            assert!(!paths[..place].contains(path), "{path} comes twice");
            if let Some((parent, _)) = path.rsplit_once('/') {
                assert!(paths[..place].contains(&parent), "{parent} comes after {path}");
            }
        }
        assert!(paths.contains(&relative(&reads[0]).to_str().unwrap()));
        assert!(!paths.contains(&"usr/share") && paths.contains(&"scratch"));
    }
}
