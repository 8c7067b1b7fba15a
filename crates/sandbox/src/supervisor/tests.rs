//! Tests in which the testing thread itself makes the calls.

use std::ffi::CString;
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::place::{Places, found};
use super::request::{NAMES, request};
use crate::folder;
use crate::seccomp::{Machine, Refusal, Rules, calls};

const HERE: u64 = libc::AT_FDCWD as u64;
const NO_FOLLOW: u64 = libc::AT_SYMLINK_NOFOLLOW as u64;
const EMPTY: u64 = libc::AT_EMPTY_PATH as u64;

/// Folder of a build with a file, next to a foreign folder.
struct House {
    dir: tempfile::TempDir,
    places: Places,
}

impl House {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join("work/inner");
        fs::create_dir_all(&own).unwrap();
        fs::write(own.join("file"), "").unwrap();
        fs::write(dir.path().join("foreign"), "").unwrap();
        let work = folder::open(&dir.path().join("work")).unwrap();
        let user = rustix::process::geteuid().as_raw();
        Self { dir, places: Places::new(vec![work], user) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    /// Serves a call of this thread.
    fn serve(&self, name: &str, arguments: &[u64]) -> rustix::io::Result<()> {
        let thread = rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned();
        let mut all = [0; 6];
        all[..arguments.len()].copy_from_slice(arguments);
        let request = request(name, thread, &all)?;
        request.change.make(&self.places.own(&found(thread, &request.target)?)?)
    }

    fn chmod(&self, path: &Path, mode: u64) -> rustix::io::Result<()> {
        let path = text(path);
        self.serve("fchmodat", &[HERE, path.as_ptr() as u64, mode])
    }

    fn mode(&self, name: &str) -> u32 {
        self.path(name).symlink_metadata().unwrap().permissions().mode() & 0o7777
    }
}

fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap()
}

#[test]
fn own_files_are_changed_however_they_are_named() {
    let house = House::new();
    let (file, inner) = (house.path("work/inner/file"), house.path("work/inner"));
    house.chmod(&file, 0o751).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o751);
    house.chmod(&inner.join("../inner/./file"), 0o640).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o640);
    symlink(&inner, house.path("work/link")).unwrap();
    house.chmod(&house.path("work/link/file"), 0o600).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o600);
    let open = fs::File::open(&file).unwrap();
    let descriptor = open.as_raw_fd() as u64;
    house.serve("fchmod", &[descriptor, 0o700]).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o700);
    house.chmod(Path::new(&format!("/proc/self/fd/{descriptor}")), 0o710).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o710);
    let empty = c"".as_ptr() as u64;
    house.serve("fchmodat2", &[descriptor, empty, 0o720, EMPTY]).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o720);
    let folder = fs::File::open(&inner).unwrap();
    house.serve("fchmodat", &[folder.as_raw_fd() as u64, c"file".as_ptr() as u64, 0o444]).unwrap();
    assert_eq!(house.mode("work/inner/file"), 0o444);
    house.chmod(&house.path("work"), 0o1755).unwrap();
    assert_eq!(house.mode("work"), 0o1755);
}

#[test]
fn foreign_files_are_refused_however_they_are_named() {
    let house = House::new();
    let foreign = house.path("foreign");
    let before = foreign.metadata().unwrap();
    for (link, target) in [
        ("absolute", foreign.clone()),
        ("relative", "../foreign".into()),
        ("folder", "..".into()),
        ("kernel", "/proc/self/root".into()),
    ] {
        symlink(target, house.path("work").join(link)).unwrap();
    }
    let through = format!("work/kernel{}", foreign.display());
    for named in ["foreign", "work/../foreign", "work/absolute", "work/relative", "."] {
        assert_eq!(house.chmod(&house.path(named), 0o777), Err(Errno::PERM), "{named}");
    }
    assert_eq!(house.chmod(&house.path("work/folder/foreign"), 0o777), Err(Errno::PERM));
    assert!(house.chmod(&house.path(&through), 0o777).is_err());
    // Siblings whose names begin with the folder's name.
    fs::create_dir(house.path("work-2")).unwrap();
    assert_eq!(house.chmod(&house.path("work-2"), 0o777), Err(Errno::PERM));
    let open = fs::File::open(&foreign).unwrap();
    let (descriptor, empty) = (open.as_raw_fd() as u64, c"".as_ptr() as u64);
    assert_eq!(house.serve("fchmod", &[descriptor, 0o777]), Err(Errno::PERM));
    assert_eq!(house.serve("fchmodat2", &[descriptor, empty, 0o777, EMPTY]), Err(Errno::PERM));
    assert_eq!(house.serve("utimensat", &[descriptor, 0, 0, 0]), Err(Errno::PERM));
    let path = text(&foreign);
    assert_eq!(house.serve("utimensat", &[HERE, path.as_ptr() as u64, 0, 0]), Err(Errno::PERM));
    let all = u64::from(u32::MAX);
    let chown = [HERE, path.as_ptr() as u64, all, all, 0];
    assert_eq!(house.serve("fchownat", &chown), Err(Errno::PERM));
    let gone = fs::File::create(house.path("work/gone")).unwrap();
    fs::remove_file(house.path("work/gone")).unwrap();
    assert_eq!(house.serve("fchmod", &[gone.as_raw_fd() as u64, 0o777]), Err(Errno::PERM));
    let after = foreign.metadata().unwrap();
    assert_eq!((after.mode(), after.ctime_nsec()), (before.mode(), before.ctime_nsec()));
}

#[test]
fn somebody_elses_file_is_refused_even_beneath() {
    let mut house = House::new();
    let work = folder::open(&house.path("work")).unwrap();
    house.places = Places::new(vec![work], rustix::process::geteuid().as_raw() + 1);
    assert_eq!(house.chmod(&house.path("work/inner/file"), 0o777), Err(Errno::PERM));
}

#[test]
fn no_program_gains_the_rights_of_its_owner() {
    let house = House::new();
    for mode in [0o4755, 0o2755, 0o6000] {
        assert_eq!(house.chmod(&house.path("work/inner/file"), mode), Err(Errno::PERM));
    }
}

#[test]
fn times_are_told_in_every_unit() {
    let house = House::new();
    let path = text(&house.path("work/inner/file"));
    let (at, file) = (path.as_ptr() as u64, house.path("work/inner/file"));
    let times = || {
        let meta = file.metadata().unwrap();
        [(meta.atime(), meta.atime_nsec()), (meta.mtime(), meta.mtime_nsec())]
    };
    let nanos = [7_i64, 8, 9, 10];
    house.serve("utimensat", &[HERE, at, nanos.as_ptr() as u64, 0]).unwrap();
    assert_eq!(times(), [(7, 8), (9, 10)]);
    let omit = [1_i64, libc::UTIME_OMIT, 3, 4];
    house.serve("utimensat", &[HERE, at, omit.as_ptr() as u64, 0]).unwrap();
    assert_eq!(times(), [(7, 8), (3, 4)]);
    let micros = [11_i64, 12, 13, 14];
    house.serve("utimes", &[at, micros.as_ptr() as u64]).unwrap();
    assert_eq!(times(), [(11, 12_000), (13, 14_000)]);
    house.serve("futimesat", &[HERE, at, micros.as_ptr() as u64]).unwrap();
    let seconds = [21_i64, 22];
    house.serve("utime", &[at, seconds.as_ptr() as u64]).unwrap();
    assert_eq!(times(), [(21, 0), (22, 0)]);
    let wrong = [0_i64, 1_000_000, 0, 0];
    assert_eq!(house.serve("utimes", &[at, wrong.as_ptr() as u64]), Err(Errno::INVAL));
    house.serve("utime", &[at, 0]).unwrap();
    assert!(times()[1].0 > 22, "now");
    let open = fs::File::open(&file).unwrap();
    house.serve("utimensat", &[open.as_raw_fd() as u64, 0, nanos.as_ptr() as u64, 0]).unwrap();
    assert_eq!(times(), [(7, 8), (9, 10)]);
}

#[test]
fn a_link_has_times_and_no_mode_of_its_own() {
    let house = House::new();
    let link = house.path("work/link");
    symlink(house.path("foreign"), &link).unwrap();
    let (path, times) = (text(&link), [5_i64, 0, 6, 0]);
    let at = path.as_ptr() as u64;
    house.serve("utimensat", &[HERE, at, times.as_ptr() as u64, NO_FOLLOW]).unwrap();
    assert_eq!(link.symlink_metadata().unwrap().mtime(), 6);
    let mode = house.serve("fchmodat2", &[HERE, at, 0o700, NO_FOLLOW]);
    assert_eq!(mode, Err(Errno::OPNOTSUPP));
}

#[test]
fn an_owner_can_only_stay() {
    let house = House::new();
    let file = house.path("work/inner/file");
    let (meta, path) = (file.metadata().unwrap(), text(&file));
    let (at, all) = (path.as_ptr() as u64, u64::from(u32::MAX));
    let (user, group) = (u64::from(meta.uid()), u64::from(meta.gid()));
    for [user, group] in [[user, group], [all, group], [all, all]] {
        house.serve("chown", &[at, user, group]).unwrap();
        house.serve("fchownat", &[HERE, at, user, group, NO_FOLLOW]).unwrap();
    }
    assert_eq!(house.serve("lchown", &[at, user + 1, all]), Err(Errno::PERM));
    assert_eq!(house.serve("chown", &[at, all, group + 1]), Err(Errno::PERM));
}

#[test]
fn what_cannot_be_read_or_is_not_there_is_told_as_the_kernel_does() {
    let house = House::new();
    assert_eq!(house.serve("fchmodat", &[HERE, 8, 0o700]), Err(Errno::FAULT));
    assert_eq!(house.chmod(Path::new(""), 0o700), Err(Errno::NOENT));
    assert_eq!(house.chmod(&house.path("work/nothing"), 0o700), Err(Errno::NOENT));
    assert_eq!(house.serve("fchmod", &[100_000, 0o700]), Err(Errno::BADF));
    let long = CString::new(vec![b'a'; 5000]).unwrap();
    assert!(house.serve("fchmodat", &[HERE, long.as_ptr() as u64, 0o700]).is_err());
    let file = text(&house.path("work/inner/file"));
    let strange = house.serve("fchmodat2", &[HERE, file.as_ptr() as u64, 0o700, 0x1]);
    assert_eq!(strange, Err(Errno::INVAL));
}

#[test]
fn every_call_that_is_asked_about_is_served() {
    let (processes, building, truncation) = (true, true, false);
    let rules = Rules { processes, building, truncation, refusal: Refusal::Supervise };
    for machine in [Machine::X86_64, Machine::Aarch64] {
        let calls = calls(machine, rules);
        let asked = calls.iter().filter(|call| call.groups.iter().any(|one| one.is_supervised()));
        let mut asked: Vec<_> = asked.map(|call| call.name).collect();
        asked.sort_unstable();
        let served = NAMES.into_iter().filter(|name| machine.number(name).is_some());
        assert_eq!(asked, served.collect::<Vec<_>>());
    }
}
