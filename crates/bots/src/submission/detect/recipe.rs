//! Build and run recipe of a program, in the terms of a manifest.
//!
//! Must not depend on how the program was found.

use std::path::{Path, PathBuf};

use pitmaster_core::Dialect;

use super::super::argv::{Program, Word};
use super::super::manifest::{BuildStep, Manifest};

/// Output name of compiled sources, distinct from any source.
pub(super) const BUILT: &str = "./pitmaster-built";

/// CMake's build folder, with a unique name.
pub(super) const CMAKE: &str = "pitmaster-build";

/// How a program is built and run. All paths are relative to its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recipe {
    /// Folder to build and run in, relative to the top of the submission.
    pub(super) folder: PathBuf,
    pub(super) build: Vec<BuildStep>,
    pub(super) program: Program,
    /// The words before the player's number.
    pub(super) words: Vec<Word>,
    /// Commands that the build needs in addition to those it names.
    pub(super) needs: Vec<String>,
}

impl Recipe {
    fn of(folder: &Path, program: Program, words: &[&str]) -> Self {
        Self {
            folder: folder.to_owned(),
            build: Vec::new(),
            program,
            words: words.iter().map(|word| Word::literal(*word)).collect(),
            needs: Vec::new(),
        }
    }

    /// Recipe of an existing program.
    pub(super) fn file(folder: &Path, path: &str) -> Self {
        Self::of(folder, Program::File(dotted(path)), &[])
    }

    /// Recipe of an interpreted program.
    pub(super) fn interpreted(folder: &Path, interpreter: &str, words: &[&str]) -> Self {
        Self::of(folder, Program::Command(interpreter.into()), words)
    }

    /// Recipe of a single compiler command.
    pub(super) fn compiled(folder: &Path, compiler: &str, words: &[&str]) -> Self {
        let recipe = Self::of(folder, Program::File(BUILT.into()), &[]);
        Self { build: vec![step(compiler, words)], ..recipe }
    }

    /// Recipe of a program that a build tool writes beneath a folder.
    pub(super) fn made(folder: &Path, build: Vec<BuildStep>, left_in: &'static str) -> Self {
        Self { build, ..Self::of(folder, Program::OnlyOneIn(left_in), &[]) }
    }

    /// The recipe as a manifest, with `last` as the last argument.
    pub(super) fn manifest(self, dialect: Dialect, last: Option<Word>) -> Manifest {
        Manifest {
            name: None,
            display: None,
            authors: Vec::new(),
            folder: self.folder,
            build: self.build,
            program: self.program,
            args: self.words.into_iter().chain(last).collect(),
            dialect,
            games: Vec::new(),
            needs: self.needs,
            lenient: false,
        }
    }
}

/// A command of a build.
pub(super) fn step(command: &str, words: &[&str]) -> BuildStep {
    let args = words.iter().map(|&word| word.to_owned()).collect();
    BuildStep { program: Program::Command(command.into()), args }
}

/// A path with a `./` prefix, so that it is never parsed as an option.
pub(super) fn dotted(path: &str) -> String {
    format!("./{path}")
}
