//! The machine's commands: compilers and interpreters on the operator's PATH, where they are
//! installed, and which version they are.
//!
//! Everything here is found by the PATH and the home that Pitmaster was started with. What a
//! submission says is at most a name that is looked up there. A command that has to be asked
//! about itself is asked inside of a sandbox.

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
