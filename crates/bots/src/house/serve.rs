//! House bot process: serves a conversation over standard input and output.

use std::io::{self, BufRead, ErrorKind, Write};
use std::time::Instant;

use super::conversation::{Talk, TalkError, Then};

/// Reason why a process ends early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// An error in a received message.
    #[error(transparent)]
    Talk(#[from] TalkError),
    /// An error of its pipes.
    #[error("cannot read or write: {0}")]
    Pipes(#[from] io::Error),
}

/// Uses all cores instead of the lane's core, for a player that was requested to use several.
#[cfg(target_os = "linux")]
pub fn take_all_cores() {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut all = CpuSet::new();
    (0..CpuSet::MAX_CPU).for_each(|core| all.set(core));
    // If this is refused, its threads share the core.
    let _ = sched_setaffinity(None, &all);
}

/// Does nothing: this system does not pin processes.
#[cfg(target_os = "macos")]
pub fn take_all_cores() {}

/// Serves a conversation until the referee ends it or closes the pipes.
///
/// # Errors
/// A received message is invalid, or a pipe failed other than by being closed.
pub fn serve(
    mut talk: Talk,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let (mut line, mut out) = (Vec::new(), Vec::new());
    while read(input, &mut line)? {
        let handled = talk.handle_line(&line, Instant::now(), &mut out);
        let is_stdout_open = say(output, &mut out)?;
        if handled? == Then::End || !is_stdout_open {
            break;
        }
    }
    Ok(())
}

/// Reads a line without its line ending. Returns whether there was one; an incomplete last line
/// does not count.
fn read(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    input.read_until(b'\n', line)?;
    if line.pop_if(|byte| *byte == b'\n').is_none() {
        return Ok(false);
    }
    line.pop_if(|byte| *byte == b'\r');
    Ok(true)
}

/// Writes the output. Returns whether the reader is still connected.
fn say(output: &mut dyn Write, out: &mut Vec<u8>) -> io::Result<bool> {
    if out.is_empty() {
        return Ok(true);
    }
    let said = output.write_all(out).and_then(|()| output.flush());
    out.clear();
    match said {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        said => said.map(|()| true),
    }
}

/// Sets the name of this process in process lists, because its path may not be informative.
#[cfg(target_os = "linux")]
pub fn be_called(name: &str) {
    if let Ok(name) = std::ffi::CString::new(name) {
        // If that is refused, only the process list is less informative.
        let _ = rustix::thread::set_name(&name);
    }
}

/// Does nothing: this system cannot set the name of a process.
#[cfg(target_os = "macos")]
pub fn be_called(_: &str) {}
