//! Interpreter queries: how to ask an interpreter for its installation folder, and how to parse its
//! answer.
//!
//! Must not depend on how the query is run.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Interpreters that report their installation folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    Node,
    Java,
}

/// Prints the program and all import folders. A virtual environment has two places, and single
/// folders are needed if a prefix is a whole home.
const PYTHON: &str = "\
import os, sys, sysconfig
prefixes = [getattr(sys, name, '') for name in
            ('prefix', 'base_prefix', 'exec_prefix', 'base_exec_prefix')]
libraries = [sysconfig.get_path(name) or '' for name in
             ('stdlib', 'platstdlib', 'purelib', 'platlib')]
settings = os.path.join(sys.prefix, 'pyvenv.cfg')
print('\\n'.join([sys.executable] + prefixes + libraries + [settings]))
";

impl Language {
    pub(super) fn of(found: &Path) -> Option<Self> {
        let name = found.file_name()?.to_str()?;
        match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
            "python" | "pypy" => Some(Self::Python),
            "node" => Some(Self::Node),
            "java" => Some(Self::Java),
            _ => None,
        }
    }

    /// Arguments that make it print paths: first that of its program, then others.
    pub(super) fn question(self) -> &'static [&'static str] {
        match self {
            Self::Python => &["-c", PYTHON],
            Self::Node => &["-p", "process.execPath"],
            Self::Java => &["-XshowSettings:properties", "-version"],
        }
    }

    pub(super) fn path_in(self, line: &OsStr) -> PathBuf {
        match self {
            Self::Python | Self::Node => line.into(),
            Self::Java => match line.as_bytes().strip_prefix(b"java.home = ") {
                Some(home) => Path::new(OsStr::from_bytes(home)).join("bin/java"),
                None => PathBuf::new(),
            },
        }
    }

    /// Path that it reads besides its own folder: Debian keeps Java's settings in `/etc`.
    pub(super) fn beside(self, program: &Path) -> Option<PathBuf> {
        let home = program.parent()?.parent().filter(|_| self == Self::Java)?;
        let settings = home.join("lib/jvm.cfg").canonicalize().ok()?;
        settings.parent().filter(|folder| !folder.starts_with(home)).map(Path::to_owned)
    }
}
