//! NATS servers for tests, on the loopback interface.

use pitmaster_bots::toolchain::Tools;

use super::server::{Embedded, Folder, Program, ServerError};

/// Path of `nats-server`. Without it, tests are skipped with a message, and fail if
/// `PITMASTER_ALL_LANGUAGES` requires all tools.
pub(super) fn program() -> Option<Program> {
    let found = Program::find(&Tools::of_this_machine());
    if found.is_none() {
        let promised = std::env::var_os("PITMASTER_ALL_LANGUAGES").is_some();
        assert!(!promised, "nats-server is not on this machine");
        eprintln!("NOT DONE: nats-server is not on this machine");
    }
    found
}

/// A server in a temporary folder.
pub(super) struct Server {
    pub(super) dir: tempfile::TempDir,
    pub(super) running: Embedded,
}

impl Server {
    /// Starts a server with additional configuration lines.
    pub(super) fn with(lines: &str) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let running = start(&program()?, dir.path(), lines).unwrap();
        Some(Self { dir, running })
    }

    /// Address without a login.
    pub(super) fn url(&self, scheme: &str) -> String {
        format!("{scheme}://{}", self.running.addresses()[0])
    }
}

pub(super) fn start(
    program: &Program,
    folder: &std::path::Path,
    lines: &str,
) -> Result<Embedded, ServerError> {
    let folder = Folder::open(folder)?;
    let token = folder.token()?;
    folder.start(program, None, lines, token)
}
