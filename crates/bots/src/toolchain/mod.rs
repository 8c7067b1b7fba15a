//! Toolchains: compilers and interpreters on the operator's PATH, their installation folders and
//! versions.
//!
//! Everything is found by the PATH and the home directory that Pitmaster was started with. A
//! submission contributes at most a name that is looked up there. A command that has to be queried
//! about itself runs inside a sandbox.

mod interpreter;
mod language;
mod machine_path;
mod tools;

pub use machine_path::MachinePath;
pub use tools::Tools;

pub(super) use interpreter::{Commands, Located};
pub(super) use tools::Asking;
#[cfg(test)]
pub(super) use tools::tests::script;
