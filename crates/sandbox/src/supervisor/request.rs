//! Supervised calls: the file and the requested change.

use rustix::fs::{AtFlags, CWD, FileType, Mode, RawMode, Timespec, Timestamps, chmodat, utimensat};
use rustix::io::{Errno, Result};

use super::place::Own;
use crate::asker::{numbers_at, text_at};
use crate::folder::by_descriptor;

/// Supervised calls.
pub(super) const NAMES: [&str; 12] = [
    "chmod",
    "chown",
    "fchmod",
    "fchmodat",
    "fchmodat2",
    "fchown",
    "fchownat",
    "futimesat",
    "lchown",
    "utime",
    "utimensat",
    "utimes",
];

/// Parsed supervised call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) target: Target,
    pub(super) change: Change,
}

/// File argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// Descriptor of the process.
    Open(i32),
    /// Path relative to an open folder or to the working folder of the process.
    Path { folder: i32, path: Vec<u8>, follow: bool },
}

/// Requested change of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    Mode(RawMode),
    /// Access and modification time.
    Times([(i64, i64); 2]),
    /// User and group. All bits set means unchanged.
    Owner([u32; 2]),
}

const SET_ID: RawMode = libc::S_ISUID | libc::S_ISGID;

/// Parses a call of that name.
pub(super) fn request(name: &str, thread: u32, arguments: &[u64; 6]) -> Result<Request> {
    let asker = Asker { thread, arguments };
    let number = |at: usize| arguments[at] as u32;
    let mode = |at| Change::Mode(number(at) & 0o7777);
    let owner = |at| Change::Owner([number(at), number(at + 1)]);
    let (target, change) = match name {
        "chmod" => (asker.path(0, true)?, mode(1)),
        "fchmod" => (asker.open(0), mode(1)),
        "fchmodat" => (asker.path_in(0, 0)?, mode(2)),
        "fchmodat2" => (asker.path_in(0, number(3))?, mode(2)),
        "chown" => (asker.path(0, true)?, owner(1)),
        "lchown" => (asker.path(0, false)?, owner(1)),
        "fchown" => (asker.open(0), owner(1)),
        "fchownat" => (asker.path_in(0, number(4))?, owner(2)),
        "utime" => (asker.path(0, true)?, asker.times(1, Unit::Seconds)?),
        "utimes" => (asker.path(0, true)?, asker.times(1, Unit::Micros)?),
        "futimesat" => (asker.path_or_open(0)?, asker.times(2, Unit::Micros)?),
        "utimensat" => {
            let null_is_open = arguments[1] == 0 && number(3) == 0;
            let target = if null_is_open { asker.open(0) } else { asker.path_in(0, number(3))? };
            (target, asker.times(2, Unit::Nanos)?)
        }
        _ => return Err(Errno::NOSYS),
    };
    Ok(Request { target, change })
}

/// Time format of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Seconds,
    Micros,
    Nanos,
}

struct Asker<'a> {
    thread: u32,
    arguments: &'a [u64; 6],
}

impl Asker<'_> {
    fn open(&self, at: usize) -> Target {
        Target::Open(self.arguments[at] as i32)
    }

    fn path(&self, at: usize, follow: bool) -> Result<Target> {
        let path = self.text(at)?;
        Ok(Target::Path { folder: libc::AT_FDCWD, path, follow })
    }

    /// Path in the argument after its folder, with flags.
    fn path_in(&self, at: usize, flags: u32) -> Result<Target> {
        const EMPTY: u32 = libc::AT_EMPTY_PATH as u32;
        const NO_FOLLOW: u32 = libc::AT_SYMLINK_NOFOLLOW as u32;
        if flags & !(EMPTY | NO_FOLLOW) != 0 {
            return Err(Errno::INVAL);
        }
        let path = if self.arguments[at + 1] == 0 && flags & EMPTY != 0 {
            Vec::new()
        } else {
            self.text(at + 1)?
        };
        let folder = self.arguments[at] as i32;
        Ok(match (path.is_empty(), flags & EMPTY != 0) {
            (true, true) if folder == libc::AT_FDCWD => {
                Target::Path { folder, path: b".".to_vec(), follow: true }
            }
            (true, true) => Target::Open(folder),
            _ => Target::Path { folder, path, follow: flags & NO_FOLLOW == 0 },
        })
    }

    fn path_or_open(&self, at: usize) -> Result<Target> {
        if self.arguments[at + 1] == 0 { Ok(self.open(at)) } else { self.path_in(at, 0) }
    }

    fn text(&self, at: usize) -> Result<Vec<u8>> {
        text_at(self.thread, self.arguments[at]).ok_or(Errno::FAULT)
    }

    /// Times in memory. A null pointer means now.
    fn times(&self, at: usize, unit: Unit) -> Result<Change> {
        let (thread, address) = (self.thread, self.arguments[at]);
        if address == 0 {
            return Ok(Change::Times([(0, libc::UTIME_NOW); 2]));
        }
        if unit == Unit::Seconds {
            let times = numbers_at::<2>(thread, address).ok_or(Errno::FAULT)?;
            return Ok(Change::Times(times.map(|seconds| (seconds, 0))));
        }
        let times = numbers_at::<4>(thread, address).ok_or(Errno::FAULT)?;
        let fractions = [times[1], times[3]].map(|fraction| match unit {
            Unit::Micros if !(0..1_000_000).contains(&fraction) => Err(Errno::INVAL),
            Unit::Micros => Ok(fraction * 1000),
            _ => Ok(fraction),
        });
        Ok(Change::Times([(times[0], fractions[0]?), (times[2], fractions[1]?)]))
    }
}

impl Change {
    /// Makes the change.
    pub(super) fn make(&self, own: &Own) -> Result<()> {
        match *self {
            Self::Mode(mode) if mode & SET_ID != 0 => Err(Errno::PERM),
            Self::Mode(_) if own.kind() == FileType::Symlink => Err(Errno::OPNOTSUPP),
            Self::Mode(mode) => {
                let (path, mode) = (by_descriptor(own.file()), Mode::from_raw_mode(mode));
                chmodat(CWD, path, mode, AtFlags::empty())
            }
            Self::Times(times) => {
                let time = |(tv_sec, tv_nsec)| Timespec { tv_sec, tv_nsec };
                let [last_access, last_modification] = times.map(time);
                let times = Timestamps { last_access, last_modification };
                utimensat(own.file(), c"", &times, AtFlags::EMPTY_PATH)
            }
            Self::Owner(wanted) => {
                let is_same = |(wanted, now)| wanted == u32::MAX || wanted == now;
                let same = wanted.into_iter().zip(own.owner()).all(is_same);
                if same { Ok(()) } else { Err(Errno::PERM) }
            }
        }
    }
}
