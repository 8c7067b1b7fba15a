//! Private root file system, built by the new process in its own mount namespace.
//!
//! Like everything before the exec, this uses only system calls on prepared data.

use std::ffi::CStr;

use libc::{c_int, c_long};

use super::child_setup::{Place, PrivateRoot};
use super::pre_exec::{Errno, address, call};

/// Mount point for assembling the new root: a folder that every system has.
const SITE: &CStr = c"/tmp";

/// Maximum number of places from outside.
const MOST: usize = 96;

const AT: c_long = libc::AT_FDCWD as c_long;

/// `struct mount_attr` of the kernel.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

pub(super) fn enter(root: &PrivateRoot) -> Result<(), Errno> {
    mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    // Opened first, because the mount may hide them.
    let mut sources = [-1; MOST];
    if root.places.len() > MOST {
        return Err(libc::E2BIG);
    }
    for ((_, place), source) in root.places.iter().zip(&mut sources) {
        *source = open_source(place)?;
    }
    let careful = libc::MS_NOSUID | libc::MS_NODEV;
    mount(Some(c"tmpfs"), SITE, Some(c"tmpfs"), careful, Some(c"mode=0755,size=1m"))?;
    call(libc::SYS_chdir, [address(SITE), 0, 0, 0, 0])?;
    for ((path, place), source) in root.places.iter().zip(sources) {
        furnish(path, place, source)?;
    }
    let here = address(c".");
    call(libc::SYS_pivot_root, [here, here, 0, 0, 0])?;
    call(libc::SYS_umount2, [here, libc::MNT_DETACH.into(), 0, 0, 0])?;
    call(libc::SYS_chdir, [address(c"/"), 0, 0, 0, 0])?;
    protect(c"/", 0)
}

/// Mounts a private tmpfs over a folder, visible in this mount namespace only.
pub(super) fn cover(folder: &CStr, options: &CStr) -> Result<(), Errno> {
    mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None)?;
    let careful = libc::MS_NOSUID | libc::MS_NODEV;
    mount(Some(c"tmpfs"), folder, Some(c"tmpfs"), careful, Some(options))
}

/// Detached copy of the mounts at a place. -1 if the place has no outside source.
fn open_source(place: &Place) -> Result<c_int, Errno> {
    let (Place::Folders(source) | Place::File(source)) = place else { return Ok(-1) };
    let flags = libc::OPEN_TREE_CLONE | libc::OPEN_TREE_CLOEXEC | libc::AT_RECURSIVE as u32;
    call(libc::SYS_open_tree, [AT, address(source), flags.into(), 0, 0]).map(|fd| fd as c_int)
}

fn furnish(path: &CStr, place: &Place, source: c_int) -> Result<(), Errno> {
    let recursive = libc::AT_RECURSIVE;
    match place {
        Place::Folder => make_folder(path),
        Place::Link(target) => {
            call(libc::SYS_symlinkat, [address(target), AT, address(path), 0, 0]).map(drop)
        }
        Place::Folders(_) => {
            make_folder(path)?;
            attach(source, path)?;
            protect(path, recursive)
        }
        Place::File(_) => {
            make_file(path)?;
            attach(source, path)?;
            protect(path, recursive)
        }
        Place::Scratch(options) => {
            make_folder(path)?;
            let careful = libc::MS_NOSUID | libc::MS_NODEV;
            mount(Some(c"tmpfs"), path, Some(c"tmpfs"), careful, Some(options))
        }
        Place::Processes => {
            make_folder(path)?;
            let careful = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
            mount(Some(c"proc"), path, Some(c"proc"), careful, None)
        }
    }
}

fn make_folder(path: &CStr) -> Result<(), Errno> {
    match call(libc::SYS_mkdirat, [AT, address(path), 0o755, 0, 0]) {
        Ok(_) | Err(libc::EEXIST) => Ok(()),
        Err(errno) => Err(errno),
    }
}

fn make_file(path: &CStr) -> Result<(), Errno> {
    let flags = libc::O_CREAT | libc::O_WRONLY | libc::O_CLOEXEC;
    let fd = call(libc::SYS_openat, [AT, address(path), flags.into(), 0o644, 0])?;
    call(libc::SYS_close, [fd, 0, 0, 0, 0]).map(drop)
}

fn attach(source: c_int, path: &CStr) -> Result<(), Errno> {
    let empty = address(c"");
    let flags = c_long::from(libc::MOVE_MOUNT_F_EMPTY_PATH);
    call(libc::SYS_move_mount, [source.into(), empty, AT, address(path), flags])?;
    call(libc::SYS_close, [source.into(), 0, 0, 0, 0]).map(drop)
}

/// Remounts read-only and `nosuid`.
fn protect(path: &CStr, flags: c_int) -> Result<(), Errno> {
    let set = libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID;
    let attributes = MountAttributes { set, clear: 0, propagation: 0, user_namespace: 0 };
    let size = length(size_of::<MountAttributes>());
    let attributes = (&raw const attributes) as c_long;
    call(libc::SYS_mount_setattr, [AT, address(path), flags.into(), attributes, size]).map(drop)
}

fn mount(
    source: Option<&CStr>,
    target: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> Result<(), Errno> {
    let text = |text: Option<&CStr>| text.map_or(0, address);
    let args = [text(source), address(target), text(kind), flags.cast_signed(), text(options)];
    call(libc::SYS_mount, args).map(drop)
}

fn length(bytes: usize) -> c_long {
    bytes.cast_signed() as c_long
}

pub(super) fn write(path: &CStr, text: &CStr) -> Result<(), Errno> {
    let flags = libc::O_WRONLY | libc::O_CLOEXEC;
    let fd = call(libc::SYS_openat, [AT, address(path), flags.into(), 0, 0])?;
    let written = call(libc::SYS_write, [fd, address(text), length(text.count_bytes()), 0, 0]);
    call(libc::SYS_close, [fd, 0, 0, 0, 0])?;
    written.map(drop)
}
