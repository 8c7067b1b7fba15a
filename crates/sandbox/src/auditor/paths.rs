//! Path arguments of a system call, as seen from outside of the calling process.
//!
//! Must not decide which paths are reported.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use crate::asker::text_at;
use crate::sys::notify::Question;

/// Path arguments of a call, each with the argument that holds its base folder.
pub(super) fn places(name: &str) -> &'static [(Option<usize>, usize)] {
    match name {
        "chmod" | "chown" | "chroot" | "creat" | "lchown" | "lremovexattr" | "lsetxattr"
        | "mkdir" | "mknod" | "open" | "removexattr" | "rmdir" | "setxattr" | "truncate"
        | "umount2" | "unlink" | "utime" | "utimes" => &[(None, 0)],
        "symlink" => &[(None, 1)],
        "link" | "rename" => &[(None, 0), (None, 1)],
        "fchmodat" | "fchmodat2" | "fchownat" | "futimesat" | "mkdirat" | "mknodat"
        | "name_to_handle_at" | "openat" | "openat2" | "unlinkat" | "utimensat" => &[(Some(0), 1)],
        "symlinkat" => &[(Some(1), 2)],
        "linkat" | "renameat" | "renameat2" => &[(Some(0), 1), (Some(2), 3)],
        _ => &[],
    }
}

/// Absolute path of the calling thread's argument. Dots are resolved lexically.
pub(super) fn absolute(question: &Question, folder: Option<usize>, path: usize) -> Option<PathBuf> {
    let thread = question.thread;
    let text = text_at(thread, question.arguments[path])?;
    let path = PathBuf::from(std::ffi::OsStr::from_bytes(&text));
    if path.is_absolute() {
        return Some(without_dots(&path));
    }
    let folder = folder.map_or(libc::AT_FDCWD, |argument| question.arguments[argument] as i32);
    let mut entry = format!("/proc/{thread}/");
    match folder {
        libc::AT_FDCWD => entry.push_str("cwd"),
        descriptor => write!(entry, "fd/{descriptor}").ok()?,
    }
    Some(without_dots(&fs::read_link(entry).ok()?.join(path)))
}

fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            component => plain.push(component),
        }
    }
    plain
}

/// Whether a path is an entry of `/proc` about the process itself or its open files.
pub(super) fn is_own_entry(path: &Path, pid: u32) -> bool {
    let own = format!("/proc/{pid}");
    let open = ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"];
    if open.iter().any(|entry| path.starts_with(entry)) {
        return true;
    }
    let own = ["/proc/self", "/proc/thread-self", &own];
    let Some(rest) = own.iter().find_map(|entry| path.strip_prefix(entry).ok()) else {
        return false;
    };
    !rest.components().any(|one| matches!(one.as_os_str().as_bytes(), b"root" | b"cwd"))
}
