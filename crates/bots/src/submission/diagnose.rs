//! Diagnosis of a program that does not start: inspects it for the reason and for who is
//! responsible.
//!
//! Must not depend on how programs are started.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use pitmaster_core::{RefereeFault, StartFault, Untrusted};

use super::beneath::{is_executable, open_program};
use super::executable_format::{Elf, Image, Interpreter, Shebang, machine_name, own_machines};
use super::fault::shown_path;
use crate::LaunchError;
use crate::toolchain::Tools;

/// Programs that a bot's program may name as its interpreter or loader.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// The tools of the machine.
    pub(crate) tools: &'a Tools,
    /// The folder that the bot runs in, which may contain an interpreter.
    pub(crate) own: &'a Path,
    /// Installation folders of the machine's tools that PATH reaches only indirectly.
    pub(crate) installed: &'a [PathBuf],
}

impl Surroundings<'_> {
    /// Whether the path belongs to the bot or is a command of the machine. Other paths are not
    /// accessed.
    fn has(&self, path: &Path) -> bool {
        path.is_relative()
            || path.starts_with(self.own)
            || self.installed.iter().any(|installed| installed == path)
            || self.tools.has_file(path)
    }
}

/// Attributes the system's error on starting a program.
pub(crate) fn blame(program: &Path, around: Surroundings<'_>, error: &io::Error) -> LaunchError {
    if is_lack_of_resources(error) {
        return LaunchError::Referee(RefereeFault::Resources { error: error.to_string() });
    }
    if error.raw_os_error().is_some_and(|code| OF_THE_COMMAND.contains(&code)) {
        return LaunchError::Bot(start_fault(program, around, error));
    }
    let error = format!("starting {}: {error}", shown_path(program));
    LaunchError::Referee(RefereeFault::System { error })
}

/// Errors of `execve` that are about the executed program.
const OF_THE_COMMAND: [i32; 10] = [
    libc::ENOENT,
    libc::EACCES,
    libc::ENOEXEC,
    libc::ENOTDIR,
    libc::EISDIR,
    libc::EPERM,
    libc::ELOOP,
    libc::E2BIG,
    libc::ENAMETOOLONG,
    libc::EINVAL,
];

/// Whether memory, descriptors, processes or disk space ran out.
pub(super) fn is_lack_of_resources(error: &io::Error) -> bool {
    let lacks =
        [libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::ENOSPC, libc::EAGAIN, libc::EDQUOT];
    error.raw_os_error().is_some_and(|code| lacks.contains(&code))
}

/// Reason why a program could not be started, if the system's error says that the program is at
/// fault.
fn start_fault(program: &Path, around: Surroundings<'_>, error: &io::Error) -> StartFault {
    if let Err(fault) = preflight(program, around) {
        return fault;
    }
    let hint = match error.raw_os_error() {
        Some(libc::EACCES) => "; is its disk mounted noexec, or a folder above it closed?",
        _ => "",
    };
    StartFault::Refused { error: format!("{error}{hint}") }
}

/// Checks a program before it is started, and returns why it would not start.
pub(super) fn preflight(program: &Path, around: Surroundings<'_>) -> Result<(), StartFault> {
    let file = match open_program(program) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(StartFault::NotFound { program: shown_path(program) });
        }
        // An executable program may be unreadable; then only starting it shows the error.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return refused(&error.to_string()),
    };
    look(&file, around)
}

fn look(file: &File, around: Surroundings<'_>) -> Result<(), StartFault> {
    let image = Image::of(file);
    check(&image, around)?;
    if !is_executable(file).unwrap_or(true) {
        return Err(StartFault::NotExecutable);
    }
    match image {
        Image::Other => refused(
            "it is no program and has no #! line; name its interpreter in `run` of its bot.toml",
        ),
        _ => Ok(()),
    }
}

fn refused(error: &str) -> Result<(), StartFault> {
    Err(StartFault::Refused { error: error.to_owned() })
}

fn check(image: &Image, around: Surroundings<'_>) -> Result<(), StartFault> {
    match image {
        Image::Windows => Err(StartFault::WindowsProgram),
        Image::Mac => check_mac(),
        Image::Elf(elf) => check_elf(elf, own_machines(), around),
        Image::Script(shebang) => check_script(shebang, around),
        Image::MarkedScript => {
            refused("a byte order mark stands before its #!; save it as UTF-8 without one")
        }
        Image::Other => Ok(()),
    }
}

fn check_mac() -> Result<(), StartFault> {
    if cfg!(target_os = "macos") { Ok(()) } else { Err(StartFault::MacProgram) }
}

fn check_elf(elf: &Elf, own: Option<&[u16]>, around: Surroundings<'_>) -> Result<(), StartFault> {
    let runs_here = own.is_none_or(|own| own.contains(&elf.machine))
        && elf.little == cfg!(target_endian = "little");
    if !runs_here {
        return Err(StartFault::OtherProcessor { machine: machine_name(elf.machine) });
    }
    match &elf.loader {
        Some(loader) if !around.has(Path::new(OsStr::from_bytes(loader))) => {
            Err(StartFault::MissingLoader { loader: shown_bytes(loader) })
        }
        _ => Ok(()),
    }
}

fn check_script(shebang: &Shebang, around: Surroundings<'_>) -> Result<(), StartFault> {
    if shebang.crlf {
        return Err(StartFault::CrlfAfterShebang);
    }
    match shebang.interpreter() {
        Err(unclear) => refused(unclear.0),
        Ok(Interpreter::Path(path)) if !around.has(&path) => missing(path.as_os_str().as_bytes()),
        Ok(Interpreter::Command(name)) if around.tools.find(&name).is_none() => {
            missing(name.as_bytes())
        }
        Ok(_) => Ok(()),
    }
}

fn missing(interpreter: &[u8]) -> Result<(), StartFault> {
    Err(StartFault::InterpreterMissing { interpreter: shown_bytes(interpreter) })
}

fn shown_bytes(bytes: &[u8]) -> String {
    Untrusted::new(bytes).shown(200)
}

#[cfg(test)]
mod tests {
    use super::super::executable_format::tests::elf_bytes;
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn program(contents: &[u8], mode: u32) -> (tempfile::TempDir, std::path::PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot");
        fs::write(&path, contents).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        (dir, path)
    }

    /// Surroundings with these tools and an empty own folder.
    fn on(tools: &Tools) -> Surroundings<'_> {
        Surroundings { tools, own: Path::new("/nowhere"), installed: &[] }
    }

    fn fault(contents: &[u8], mode: u32) -> StartFault {
        let (_dir, path) = program(contents, mode);
        preflight(&path, on(&Tools::on("/bin:/usr/bin"))).expect_err("would not start")
    }

    fn own_machine() -> u16 {
        own_machines().map_or(0, |machines| machines[0])
    }

    #[test]
    fn every_fault_is_found_without_starting_anything() {
        let elf = |machine, loader| elf_bytes(machine, loader);
        assert_eq!(fault(b"MZ\x90", 0o644), StartFault::WindowsProgram);
        assert_eq!(fault(b"#!/bin/sh\r\n", 0o755), StartFault::CrlfAfterShebang);
        assert_eq!(fault(b"#!/bin/sh\n", 0o644), StartFault::NotExecutable);
        assert_eq!(
            fault(&elf(own_machine(), "/lib/no-such-loader.so"), 0o755),
            StartFault::MissingLoader { loader: "/lib/no-such-loader.so".into() }
        );
        for (line, interpreter) in [
            (&b"#!/no/such/lua\n"[..], "/no/such/lua"),
            (b"#!/usr/bin/env no-such-lua\n", "no-such-lua"),
            (b"#!/usr/bin/env -S A=1 no-such-lua -x\n", "no-such-lua"),
            (b"#!/no/\x1b[31m\n", "/no/\\u{1b}[31m"),
        ] {
            let interpreter = interpreter.to_owned();
            assert_eq!(fault(line, 0o755), StartFault::InterpreterMissing { interpreter });
        }
    }

    #[test]
    fn what_fits_no_name_is_explained() {
        for (contents, words) in [
            (&b"\xef\xbb\xbf#!/bin/sh\n"[..], "byte order mark"),
            (b"print(1)\n", "no #! line"),
            (b"#!\n", "names no interpreter"),
            (b"#!/usr/bin/env sh -e\n", "env -S"),
        ] {
            assert!(fault(contents, 0o755).to_string().contains(words), "{words}");
        }
    }

    #[test]
    fn another_processor_is_named() {
        let elf = |machine, little| Elf { machine, little, loader: None };
        for (elf, machine) in [(elf(183, true), "64-bit ARM"), (elf(62, false), "x86-64")] {
            let machine = machine.to_owned();
            assert_eq!(
                check_elf(&elf, Some(&[62, 3]), on(&Tools::on(""))),
                Err(StartFault::OtherProcessor { machine })
            );
        }
        assert_eq!(check_elf(&elf(3, true), Some(&[62, 3]), on(&Tools::on(""))), Ok(()));
    }

    #[test]
    fn an_interpreter_is_the_bots_own_or_a_command_of_the_machine() {
        let (tools, own) = (Tools::on("/usr/bin"), Path::new("/store/hash/work"));
        let installed = [PathBuf::from("/opt/lua/bin/lua5")];
        let around = Surroundings { tools: &tools, own, installed: &installed };
        for path in ["/bin/sh", "/opt/lua/bin/lua5", "own/lua", "/store/hash/work/lua"] {
            assert!(around.has(Path::new(path)), "{path}");
        }
        for path in
            ["/etc/passwd", "/store/hash/secret", "/usr/../etc/passwd", "/usr/no", "/opt/lua/bin/x"]
        {
            assert!(!around.has(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_would_start_passes() {
        for contents in [&b"#!/bin/sh\n"[..], b"#!/usr/bin/env sh\n", b"#! /usr/bin/env -S sh -e\n"]
        {
            let (_dir, path) = program(contents, 0o755);
            assert_eq!(preflight(&path, on(&Tools::on("/bin:/usr/bin"))), Ok(()), "{contents:?}");
        }
        let own = std::env::current_exe().unwrap();
        assert_eq!(preflight(&own, on(&Tools::on(""))), Ok(()));
    }

    #[test]
    fn the_referee_is_blamed_for_what_the_machine_lacks() {
        let (_dir, path) = program(b"MZ", 0o755);
        let tools = Tools::on("");
        let blame_for = |code| blame(&path, on(&tools), &io::Error::from_raw_os_error(code));
        for code in [libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::ENOSPC, libc::EAGAIN] {
            let fault = blame_for(code);
            assert!(
                matches!(fault, LaunchError::Referee(RefereeFault::Resources { .. })),
                "{fault:?}"
            );
        }
        for code in [libc::ETXTBSY, libc::EIO] {
            let fault = blame_for(code);
            assert!(
                matches!(fault, LaunchError::Referee(RefereeFault::System { .. })),
                "{fault:?}"
            );
        }
        for code in [libc::ENOEXEC, libc::ENOENT, libc::EACCES] {
            assert_eq!(blame_for(code), LaunchError::Bot(StartFault::WindowsProgram));
        }
    }

    #[test]
    fn a_refusal_that_cannot_be_seen_keeps_the_systems_words() {
        let (_dir, path) = program(b"#!/bin/sh\n", 0o755);
        let error = io::Error::from_raw_os_error(libc::EACCES);
        let text = start_fault(&path, on(&Tools::on("")), &error).to_string();
        assert!(text.contains("noexec"), "{text}");
    }
}
