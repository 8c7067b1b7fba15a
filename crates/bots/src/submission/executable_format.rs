//! Executable format of a file, recognized by its first bytes.
//!
//! Must not depend on files: it reads bytes from any source.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Random access to bytes.
pub(crate) trait Bytes {
    /// Exactly `count` bytes, or `None` if there are fewer.
    fn at(&self, offset: u64, count: usize) -> Option<Vec<u8>>;
}

impl Bytes for [u8] {
    fn at(&self, offset: u64, count: usize) -> Option<Vec<u8>> {
        let start = usize::try_from(offset).ok()?;
        Some(self.get(start..start.checked_add(count)?)?.to_vec())
    }
}

impl Bytes for std::fs::File {
    fn at(&self, offset: u64, count: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; count];
        std::os::unix::fs::FileExt::read_exact_at(self, &mut bytes, offset).ok()?;
        Some(bytes)
    }
}

/// Format of an executable file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Image {
    /// A Windows program (`MZ`).
    Windows,
    /// A macOS program (a Mach-O magic number).
    Mac,
    /// An ELF file, for Linux and similar systems.
    Elf(Elf),
    /// A script with a `#!` line.
    Script(Shebang),
    /// A script with a byte order mark before `#!`, which the system does not recognize.
    MarkedScript,
    /// Any other file.
    Other,
}

/// Platform information of an ELF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Elf {
    /// The processor's number; 0 if the file is too short.
    pub(crate) machine: u16,
    /// Whether it is little-endian.
    pub(crate) little: bool,
    /// Path of its loader; `None` if it is statically linked.
    pub(crate) loader: Option<Vec<u8>>,
}

/// The first line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shebang {
    /// The interpreter's path.
    pub(crate) interpreter: Vec<u8>,
    /// Text after the interpreter.
    pub(crate) argument: Vec<u8>,
    /// Whether the line ends with CR LF.
    pub(crate) crlf: bool,
}

/// Interpreter named in the first line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Interpreter {
    /// A program at a path: absolute, or relative to the folder that the bot runs in.
    Path(PathBuf),
    /// A command that `env` finds on PATH.
    Command(String),
}

/// A first line that cannot be parsed, with what would be valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnclearShebang(pub(crate) &'static str);

const NO_INTERPRETER: UnclearShebang =
    UnclearShebang("its first line is #! and names no interpreter");
const NO_COMMAND: UnclearShebang =
    UnclearShebang("its first line gives env no command; write #!/usr/bin/env python3");
const MANY_WORDS: UnclearShebang =
    UnclearShebang("its first line gives env more than one word; write #!/usr/bin/env -S …");
const OPTIONS: UnclearShebang = UnclearShebang(
    "its first line gives env an option; write #!/usr/bin/env COMMAND, or \
     #!/usr/bin/env -S COMMAND ARGUMENTS",
);
const QUOTES: UnclearShebang = UnclearShebang(
    "its first line has quotes, backslashes, $ or # behind env -S; write plain words there",
);

impl Shebang {
    /// The interpreter of the script. For `env`, only a command is accepted, or settings and a
    /// command after `-S`, because a wrong guess would grant access.
    pub(crate) fn interpreter(&self) -> Result<Interpreter, UnclearShebang> {
        if self.interpreter.is_empty() {
            return Err(NO_INTERPRETER);
        }
        let path = Path::new(OsStr::from_bytes(&self.interpreter));
        if !["/usr/bin/env", "/bin/env"].map(Path::new).contains(&path) {
            return Ok(Interpreter::Path(path.to_owned()));
        }
        let argument = String::from_utf8_lossy(&self.argument);
        let word = command_of_env(&argument)?;
        if word.contains('/') {
            return Ok(Interpreter::Path(word.into()));
        }
        Ok(Interpreter::Command(word.to_owned()))
    }
}

fn command_of_env(argument: &str) -> Result<&str, UnclearShebang> {
    let mut words = argument.split_ascii_whitespace();
    match words.next() {
        None => Err(NO_COMMAND),
        Some("-S") if argument.contains(['"', '\'', '\\', '$', '#']) => Err(QUOTES),
        Some("-S") => match words.find(|word| !is_setting(word)) {
            None => Err(NO_COMMAND),
            Some(word) if word.starts_with('-') => Err(OPTIONS),
            Some(word) => Ok(word),
        },
        Some(word) if word.starts_with('-') => Err(OPTIONS),
        Some(_) if words.next().is_some() => Err(MANY_WORDS),
        Some(word) if word.contains('=') => Err(NO_COMMAND),
        Some(word) => Ok(word),
    }
}

/// `NAME=VALUE`, which `env` puts into the environment.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| !name.is_empty() && !name.starts_with('-'))
}

/// Mach-O, 32 and 64 bits in both byte orders, and the fat format (which shares its magic number
/// with Java classes; the next number is below 32 for a fat file).
const MACH_O: [[u8; 4]; 4] =
    [*b"\xfe\xed\xfa\xce", *b"\xfe\xed\xfa\xcf", *b"\xce\xfa\xed\xfe", *b"\xcf\xfa\xed\xfe"];
const FAT: [u8; 4] = *b"\xca\xfe\xba\xbe";

impl Image {
    /// Determines the format from a file's bytes.
    pub(crate) fn of(bytes: &(impl Bytes + ?Sized)) -> Self {
        let starts = |magic: &[u8]| bytes.at(0, magic.len()).is_some_and(|head| head == magic);
        if starts(b"MZ") {
            Self::Windows
        } else if MACH_O.iter().any(|magic| starts(magic)) || is_fat(bytes) {
            Self::Mac
        } else if starts(b"\x7fELF") {
            Self::Elf(elf(bytes))
        } else if starts(b"\xef\xbb\xbf#!") {
            Self::MarkedScript
        } else if starts(b"#!") {
            Self::Script(shebang(&first_line(bytes)))
        } else {
            Self::Other
        }
    }
}

fn is_fat(bytes: &(impl Bytes + ?Sized)) -> bool {
    bytes.at(0, 8).is_some_and(|head| {
        head[..4] == FAT && u32::from_be_bytes([head[4], head[5], head[6], head[7]]) < 32
    })
}

/// First line, up to the 256 bytes that Linux reads.
fn first_line(bytes: &(impl Bytes + ?Sized)) -> Vec<u8> {
    (0..256).map_while(|at| bytes.at(at, 1)).flatten().take_while(|&byte| byte != b'\n').collect()
}

fn shebang(line: &[u8]) -> Shebang {
    let (line, crlf) = line.strip_suffix(b"\r").map_or((line, false), |line| (line, true));
    let line = line[2..].trim_ascii();
    let end = line.iter().position(|byte| matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
    let (interpreter, argument) = line.split_at(end);
    Shebang { interpreter: interpreter.to_vec(), argument: argument.trim_ascii().to_vec(), crlf }
}

const PT_INTERP: u64 = 3;

fn elf(bytes: &(impl Bytes + ?Sized)) -> Elf {
    let ident = bytes.at(4, 2).unwrap_or_default();
    let (wide, little) = (ident.first() == Some(&2), ident.get(1) != Some(&2));
    let file = ElfFile { bytes, wide, little };
    let machine = file.number(18, 2).unwrap_or(0) as u16;
    Elf { machine, little, loader: file.loader() }
}

/// An ELF file whose width and byte order are known.
struct ElfFile<'b, B: ?Sized> {
    bytes: &'b B,
    wide: bool,
    little: bool,
}

impl<B: Bytes + ?Sized> ElfFile<'_, B> {
    fn number(&self, offset: u64, width: usize) -> Option<u64> {
        let bytes = self.bytes.at(offset, width)?;
        let add = |number: u64, byte: &u8| (number << 8) | u64::from(*byte);
        Some(if self.little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    /// Reads a number whose offset and width differ between 32 and 64 bits.
    fn sized(&self, base: u64, narrow: u64, wide: u64) -> Option<u64> {
        let (offset, width) = if self.wide { (wide, 8) } else { (narrow, 4) };
        self.number(base.checked_add(offset)?, width)
    }

    /// Loader path from the program header `PT_INTERP`.
    fn loader(&self) -> Option<Vec<u8>> {
        let table = self.sized(0, 28, 32)?;
        let (size_at, count_at) = if self.wide { (54, 56) } else { (42, 44) };
        let (size, count) = (self.number(size_at, 2)?, self.number(count_at, 2)?);
        let header = (0..count)
            .filter_map(|index| table.checked_add(index * size))
            .find(|&header| self.number(header, 4) == Some(PT_INTERP))?;
        let offset = self.sized(header, 4, 8)?;
        let length = self.sized(header, 16, 32)?.min(4096) as usize;
        let text = self.bytes.at(offset, length)?;
        Some(text.split(|&byte| byte == 0).next().unwrap_or_default().to_vec())
    }
}

/// Name of a processor by its ELF number.
pub(super) fn machine_name(machine: u16) -> String {
    let name = match machine {
        2 | 18 | 43 => "SPARC",
        3 => "32-bit x86",
        8 => "MIPS",
        20 => "32-bit PowerPC",
        21 => "64-bit PowerPC",
        22 => "S390",
        40 => "32-bit ARM",
        62 => "x86-64",
        183 => "64-bit ARM",
        243 => "RISC-V",
        258 => "LoongArch",
        other => return format!("ELF machine {other}"),
    };
    name.to_owned()
}

/// ELF numbers of the processors whose programs run here. `None` if unknown.
pub(super) fn own_machines() -> Option<&'static [u16]> {
    match std::env::consts::ARCH {
        // A 64-bit x86 machine runs 32-bit programs if their loader exists.
        "x86_64" => Some(&[62, 3]),
        "x86" => Some(&[3]),
        "aarch64" => Some(&[183]),
        "riscv64" => Some(&[243]),
        _ => None,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A 64-bit ELF header, low byte first, with one program header that names a loader.
    pub(in super::super) fn elf_bytes(machine: u16, loader: &str) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(64 + 56, 0);
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        bytes[32..40].copy_from_slice(&64u64.to_le_bytes());
        bytes[54..56].copy_from_slice(&56u16.to_le_bytes());
        bytes[56..58].copy_from_slice(&1u16.to_le_bytes());
        bytes[64..68].copy_from_slice(&3u32.to_le_bytes());
        bytes[72..80].copy_from_slice(&120u64.to_le_bytes());
        bytes[96..104].copy_from_slice(&(loader.len() as u64 + 1).to_le_bytes());
        bytes.extend_from_slice(loader.as_bytes());
        bytes.push(0);
        bytes
    }

    /// A 32-bit ELF header, high byte first, otherwise the same.
    fn elf32_bytes(machine: u16, loader: &str) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x01\x02\x01".to_vec();
        bytes.resize(52 + 32, 0);
        bytes[18..20].copy_from_slice(&machine.to_be_bytes());
        bytes[28..32].copy_from_slice(&52u32.to_be_bytes());
        bytes[42..44].copy_from_slice(&32u16.to_be_bytes());
        bytes[44..46].copy_from_slice(&1u16.to_be_bytes());
        bytes[52..56].copy_from_slice(&3u32.to_be_bytes());
        bytes[56..60].copy_from_slice(&84u32.to_be_bytes());
        bytes[68..72].copy_from_slice(&(loader.len() as u32 + 1).to_be_bytes());
        bytes.extend_from_slice(loader.as_bytes());
        bytes.push(0);
        bytes
    }

    #[test]
    fn magic_numbers_are_known() {
        for (bytes, image) in [
            (&b"MZ\x90\x00"[..], Image::Windows),
            (b"\xcf\xfa\xed\xfe....", Image::Mac),
            (b"\xca\xfe\xba\xbe\x00\x00\x00\x02", Image::Mac),
            (b"\xca\xfe\xba\xbe\x00\x00\x00\x3d", Image::Other),
            (b"\xef\xbb\xbf#!/bin/sh\n", Image::MarkedScript),
            (b"print(1)\n", Image::Other),
            (b"", Image::Other),
            (b"#", Image::Other),
        ] {
            assert_eq!(Image::of(bytes), image, "{bytes:?}");
        }
    }

    #[test]
    fn elf_headers_are_read_in_both_widths_and_orders() {
        let loader = Some(b"/lib/ld.so".to_vec());
        assert_eq!(
            Image::of(&elf_bytes(62, "/lib/ld.so")[..]),
            Image::Elf(Elf { machine: 62, little: true, loader: loader.clone() })
        );
        assert_eq!(
            Image::of(&elf32_bytes(8, "/lib/ld.so")[..]),
            Image::Elf(Elf { machine: 8, little: false, loader })
        );
    }

    #[test]
    fn our_own_test_program_is_for_this_machine() {
        let own = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        if let (Image::Elf(elf), Some(machines)) = (Image::of(&own), own_machines()) {
            assert!(machines.contains(&elf.machine));
            assert!(elf.loader.is_none_or(|loader| loader.starts_with(b"/")));
        }
    }

    #[test]
    fn first_lines_are_read_as_the_system_does() {
        let script = |line: &str| match Image::of(line.as_bytes()) {
            Image::Script(Shebang { interpreter, argument, crlf }) => (
                String::from_utf8(interpreter).unwrap(),
                String::from_utf8(argument).unwrap(),
                crlf,
            ),
            other => panic!("{other:?}"),
        };
        assert_eq!(script("#!/bin/sh\n"), ("/bin/sh".into(), String::new(), false));
        assert_eq!(script("#! /bin/sh -e x \n"), ("/bin/sh".into(), "-e x".into(), false));
        assert_eq!(script("#!/bin/sh\r\nexit"), ("/bin/sh".into(), String::new(), true));
        assert_eq!(script("#!"), (String::new(), String::new(), false));
    }

    #[test]
    fn only_plain_lines_for_env_are_understood() {
        let of = |line: &str| match Image::of(line.as_bytes()) {
            Image::Script(shebang) => shebang.interpreter(),
            other => panic!("{other:?}"),
        };
        let command = |name: &str| Ok(Interpreter::Command(name.into()));
        let path = |path: &str| Ok(Interpreter::Path(path.into()));
        for (line, found) in [
            ("#!/usr/bin/env python3\n", command("python3")),
            ("#! /bin/env\tpython3 \n", command("python3")),
            ("#!/usr/bin/env -S python3 -u\n", command("python3")),
            ("#!/usr/bin/env -S A=1 B= python3 -u x=y\n", command("python3")),
            ("#!/usr/bin/env ./own\n", path("./own")),
            ("#!/usr/bin/env -S /x/python3 -u\n", path("/x/python3")),
            ("#!/usr/bin/python3 -u\n", path("/usr/bin/python3")),
            ("#!own/env python3\n", path("own/env")),
            ("#!\n", Err(NO_INTERPRETER)),
            ("#!/usr/bin/env\n", Err(NO_COMMAND)),
            ("#!/usr/bin/env A=1\n", Err(NO_COMMAND)),
            ("#!/usr/bin/env -S A=1\n", Err(NO_COMMAND)),
            ("#!/usr/bin/env python3 -u\n", Err(MANY_WORDS)),
            ("#!/usr/bin/env -i\n", Err(OPTIONS)),
            ("#!/usr/bin/env -S -u /home/x/.ssh/id_rsa python3 -u\n", Err(OPTIONS)),
            ("#!/usr/bin/env -S -C / python3\n", Err(OPTIONS)),
            ("#!/usr/bin/env -S--unset=x python3\n", Err(OPTIONS)),
            ("#!/usr/bin/env -Spython3\n", Err(OPTIONS)),
            ("#!/usr/bin/env --split-string=python3\n", Err(OPTIONS)),
            ("#!/usr/bin/env -S 'python3'\n", Err(QUOTES)),
            ("#!/usr/bin/env -S ${X}python3\n", Err(QUOTES)),
            ("#!/usr/bin/env -S A=1\\_-u\\_x python3\n", Err(QUOTES)),
            ("#!/usr/bin/env -S -=x python3\n", Err(OPTIONS)),
        ] {
            assert_eq!(of(line), found, "{line}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_strange(mut bytes in prop::collection::vec(any::<u8>(), 0..200), elf: bool) {
            if elf && bytes.len() > 6 {
                bytes[..4].copy_from_slice(b"\x7fELF");
            }
            Image::of(&bytes[..]);
        }
    }
}
