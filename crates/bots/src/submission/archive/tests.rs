use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};

use super::*;

/// An entry of a zip archive, written byte by byte so that any field can be wrong.
#[derive(Clone)]
struct Raw {
    name: Vec<u8>,
    content: Vec<u8>,
    mode: u32,
    flags: u16,
    is_deflated: bool,
    crc: Option<u32>,
    /// A wrong size.
    size: Option<u32>,
    /// Position of an earlier entry whose data is used instead.
    shares: Option<usize>,
}

fn file(name: &str, content: &[u8]) -> Raw {
    let (name, content) = (name.as_bytes().to_vec(), content.to_vec());
    Raw {
        name,
        content,
        mode: 0o100_644,
        flags: 0,
        is_deflated: false,
        crc: None,
        size: None,
        shares: None,
    }
}

fn link(name: &str, target: &str) -> Raw {
    Raw { mode: 0o120_777, ..file(name, target.as_bytes()) }
}

fn zipped(entries: &[Raw]) -> Vec<u8> {
    let (mut out, mut central, mut starts) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let mut crc = flate2::Crc::new();
        crc.update(&entry.content);
        let crc = entry.crc.unwrap_or(crc.sum());
        let data = if entry.is_deflated {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&entry.content).unwrap();
            encoder.finish().unwrap()
        } else {
            entry.content.clone()
        };
        let start = entry.shares.map_or(out.len(), |earlier| starts[earlier]);
        starts.push(start);
        let method = if entry.is_deflated { 8_u16 } else { 0 };
        let mut common = Vec::new();
        for field in [20, entry.flags, method, 0, 0x5a74] {
            common.extend(field.to_le_bytes());
        }
        let size = entry.size.unwrap_or(entry.content.len() as u32);
        for field in [crc, data.len() as u32, size] {
            common.extend(field.to_le_bytes());
        }
        common.extend((entry.name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        if entry.shares.is_none() {
            out.extend(b"PK\x03\x04");
            out.extend(&common);
            out.extend(&entry.name);
            out.extend(&data);
        }
        central.extend(b"PK\x01\x02\x14\x03");
        central.extend(&common);
        central.extend([0; 6]);
        central.extend((entry.mode << 16).to_le_bytes());
        central.extend((start as u32).to_le_bytes());
        central.extend(&entry.name);
    }
    let start = out.len() as u32;
    out.extend(&central);
    out.extend(b"PK\x05\x06\0\0\0\0");
    let count = (entries.len() as u16).to_le_bytes();
    out.extend([count, count].concat());
    out.extend((central.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn tarred(entries: &[(&str, tar::EntryType, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, content) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        let fields = header.as_gnu_mut().unwrap();
        fields.name[..name.len()].copy_from_slice(name.as_bytes());
        let is_link = matches!(kind, tar::EntryType::Symlink | tar::EntryType::Link);
        if is_link {
            fields.linkname[..content.len()].copy_from_slice(content.as_bytes());
        }
        header.set_size(if is_link { 0 } else { content.len() as u64 });
        header.set_cksum();
        archive.append(&header, if is_link { &[][..] } else { content.as_bytes() }).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

fn archive(bytes: &[u8]) -> Archive {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    Archive::recognize(file).unwrap().expect("an archive")
}

/// Unpacks with nested archives, as the submission of one person.
fn unpack(bytes: &[u8], to: &Path, limits: Limits) -> Result<Contents, ArchiveError> {
    let mut unpacked = Unpacked::create(to, limits)?;
    archive(bytes).for_each(limits.entries, &mut |entry| {
        let path = entry.path.clone();
        unpacked.put(&path, entry)
    })?;
    unpack_nested(unpacked)
}

const LIMITS: Limits =
    Limits { bytes: 4 << 20, entries: 100, ratio: 200, nesting: 3, portable_names: true };

/// All paths beneath a folder.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        found.push(entry.path());
        if entry.file_type().unwrap().is_dir() {
            found.extend(listed(&entry.path()));
        }
    }
    found
}

fn hostile() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    use tar::EntryType::{
        Block, Fifo, GNULongLink, GNULongName, GNUSparse, Link, Regular, Symlink, XHeader,
    };
    let long = "n".repeat(70_000);
    let zip = |entries: &[Raw]| zipped(entries);
    let nested = |levels: usize| {
        (0..levels).fold(file("bot.py", b"print()"), |inner, level| {
            file(&format!("level{level}.zip"), &zipped(&[inner]))
        })
    };
    let plain = || zip(&[file("bot.py", &[b'x'; 5000])]);
    let bomb = Raw { is_deflated: true, ..file("bot.py", &vec![0; 3 << 20]) };
    let mut seven = b"7z\xbc\xaf\x27\x1c\0\x04".to_vec();
    seven.extend([0xff; 60]);
    vec![
        ("parent", zip(&[file("../evil", b"x")]), "leads outside"),
        ("parent within", zip(&[file("a/../../evil", b"x")]), "leads outside"),
        ("backslashes", zip(&[file("..\\evil", b"x")]), "leads outside"),
        ("absolute", zip(&[file("/tmp/evil", b"x")]), "is not relative"),
        ("drive", zip(&[file("C:\\evil", b"x")]), "is not relative"),
        ("a link outside", zip(&[link("a", "../../etc/passwd")]), "a link that leads outside"),
        ("an absolute link", zip(&[link("a", "/etc/passwd")]), "a link that leads outside"),
        (
            "through a link",
            zip(&[file("d/x", b""), link("l", "d"), file("l/y", b"")]),
            "is a file and a folder",
        ),
        ("twice", zip(&[file("a", b"1"), file("./a", b"2")]), "occurs twice"),
        ("cases", zip(&[file("Bot.py", b"1"), file("bot.py", b"2")]), "upper and lower case"),
        ("cases of folders", zip(&[file("A/x", b"1"), file("a/y", b"2")]), "upper and lower case"),
        (
            "accents in two encodings",
            zip(&[file("\u{e9}.py", b"1"), file("e\u{301}.py", b"2")]),
            "in the encoding of its accents",
        ),
        (
            "accents of folders",
            zip(&[file("\u{e9}/x", b"1"), file("E\u{301}/y", b"2")]),
            "in the encoding of its accents",
        ),
        ("a device of Windows", zip(&[file("a/NUL", b"1")]), "\"NUL\", which Windows keeps"),
        ("one with an ending", zip(&[file("aux.py", b"1")]), "\"aux.py\", which Windows keeps"),
        ("a port of Windows", zip(&[file("com1 .tar.gz/x", b"1")]), "which Windows keeps"),
        (
            "a size that is too small",
            zip(&[Raw { is_deflated: true, size: Some(1), ..file("a", &[1; 5000]) }]),
            "a cannot be unpacked (File is larger than its declared",
        ),
        (
            "a size that is too large",
            zip(&[Raw { is_deflated: true, size: Some(u32::MAX - 1), ..file("a", &[1; 5000]) }]),
            "a has another size than the archive says",
        ),
        ("file and folder", zip(&[file("a", b"1"), file("a/b", b"2")]), "is a file and a folder"),
        ("deep", zip(&[file(&"d/".repeat(40), b"")]), "folders inside each other"),
        ("a long name", zip(&[file(&"n".repeat(300), b"")]), "is too long"),
        ("a zero byte", zip(&[file("a\0b", b"")]), "is not relative"),
        ("a bomb", zip(&[bomb]), "as a zip bomb does"),
        ("large", zip(&[file("a", &vec![1; 5 << 20])]), "more than 4 MiB, with a"),
        ("many", zip(&vec![file("a", b""); 101]), "at most 100 are accepted"),
        (
            "overlapping",
            zip(&[file("a", b"1234"), Raw { shares: Some(0), ..file("b", b"1234") }]),
            "a and b overlap",
        ),
        ("encrypted", zip(&[Raw { flags: 1, ..file("a", &[7; 40]) }]), "is encrypted"),
        ("a wrong checksum", zip(&[Raw { crc: Some(1), ..file("a", b"1") }]), "ask for it again"),
        ("truncated", plain()[..2000].to_vec(), "is damaged"),
        ("only its beginning", b"PK\x03\x04garbage".to_vec(), "is damaged"),
        ("RAR called zip", b"Rar!\x1a\x07\x01\0rest".to_vec(), "a RAR archive"),
        ("a damaged 7z", seven, "is damaged"),
        ("nested too deeply", zip(&[nested(5)]), "more than 3 archives inside each other"),
        ("a long name in a tar", tarred(&[("././@LongLink", GNULongName, &long)]), "longer than"),
        ("a long target", tarred(&[("././@LongLink", GNULongLink, &long)]), "longer than"),
        ("long attributes", tarred(&[("x", XHeader, &long)]), "longer than"),
        ("two sizes", tarred(&[("x", XHeader, "10 size=5\n"), ("a", Regular, "")]), "8 GiB"),
        ("a sparse file", tarred(&[("a", GNUSparse, "x")]), "a sparse file"),
        ("a device", tarred(&[("sda", Block, "")]), "neither a file nor a folder"),
        ("a pipe", tarred(&[("pipe", Fifo, "")]), "neither a file nor a folder"),
        ("a hard link", tarred(&[("a", Link, "/etc/passwd")]), "neither a file nor a folder"),
        ("a link in a tar", tarred(&[("a", Symlink, "../../..")]), "a link that leads outside"),
        ("a parent in a tar", tarred(&[("../evil", Regular, "x")]), "leads outside"),
        ("a large tar", tarred(&[("a", Regular, &"x".repeat(5 << 20))]), "more than 4 MiB"),
    ]
}

#[test]
fn hostile_archives_are_refused_and_write_nothing_outside() {
    for (what, bytes, reason) in hostile() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("a/b/person");
        let error =
            unpack(&bytes, &inside, LIMITS).err().unwrap_or_else(|| panic!("{what}: taken"));
        let ArchiveError::Refused(why) = error else { panic!("{what}: {error}") };
        assert!(why.to_string().contains(reason), "{what}: {why}");
        let outside = listed(dir.path()).into_iter().filter(|path| !inside.starts_with(path));
        let outside: Vec<_> = outside.filter(|path| !path.starts_with(&inside)).collect();
        assert!(outside.is_empty(), "{what}: {outside:?}");
    }
}

#[test]
fn long_names_of_a_tar_are_read() {
    use tar::EntryType::{GNULongName, Regular, XHeader};
    let long = format!("{}bot.py", "folder/".repeat(30));
    let attribute = "21 path=été/bot.py\n";
    let gnu = tarred(&[("././@LongLink", GNULongName, &format!("{long}\0")), ("x", Regular, "1")]);
    let pax = tarred(&[("x", XHeader, attribute), ("x", Regular, "1")]);
    for (archive, name) in [(gnu, &*long), (pax, "été/bot.py")] {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(unpack(&archive, dir.path(), LIMITS).unwrap().files, [name]);
    }
}

#[test]
fn a_file_behind_a_link_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let secret = dir.path().join("secret");
    fs::create_dir(&secret).unwrap();
    // Each target alone stays inside; together they lead out.
    let entries =
        [file("d/x", b""), link("d/here", "."), link("out", "d/here/../.."), file("out/evil", b"")];
    let error = unpack(&zipped(&entries), &dir.path().join("person"), LIMITS).unwrap_err();
    assert!(matches!(error, ArchiveError::Refused(_)), "{error}");
    assert!(!dir.path().join("evil").exists());
}

#[test]
fn archives_of_one_archive_are_unpacked_with_papers_beside_them() {
    let inner = zipped(&[file("rendu final/bot.py", b"print()"), file("__MACOSX/._bot.py", b"")]);
    let outer = [file("rendu/rendu.zip", &inner), file("rendu/rapport.pdf", b"%PDF")];
    let dir = tempfile::tempdir().unwrap();
    let contents = unpack(&zipped(&outer), dir.path(), LIMITS).unwrap();
    // One folder with only an archive and documents.
    assert_eq!(contents.files, ["rendu/rendu.zip", "rendu/rapport.pdf", "rendu final/bot.py"]);
    assert!(dir.path().join("rendu-2/rendu final/bot.py").exists());
    let beside = zipped(&[file("old.zip", &inner), file("bot.py", b"print()")]);
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(unpack(&beside, dir.path(), LIMITS).unwrap().files, ["old.zip", "bot.py"]);
}

#[test]
fn programs_get_their_run_bit_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let entries = [file("run.sh", b"#!/bin/sh\n"), file("bot", b"\x7fELF"), file("a.txt", b"#")];
    unpack(&zipped(&entries), dir.path(), LIMITS).unwrap();
    let mode = |name: &str| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
    assert_eq!(
        [mode("run.sh"), mode("bot"), mode("a.txt")].map(|mode| mode & 0o111 != 0),
        [true, true, false]
    );
}

#[test]
fn the_hash_does_not_depend_on_the_order() {
    let hash = |entries: &[Raw]| {
        let dir = tempfile::tempdir().unwrap();
        unpack(&zipped(entries), dir.path(), LIMITS).unwrap().hash()
    };
    let (a, b) = (file("a", b"1"), file("b", b"2"));
    assert_eq!(hash(&[a.clone(), b.clone()]), hash(&[b, a.clone()]));
    assert_ne!(hash(&[a]), hash(&[file("a", b"2")]));
}

#[test]
fn names_that_only_look_like_devices_are_taken() {
    let names = ["console.py", "auxiliary.py", "com10", "lpt", "nul_.txt", "x.con", "comé"];
    let dir = tempfile::tempdir().unwrap();
    let files = names.map(|name| file(name, b"1"));
    assert_eq!(unpack(&zipped(&files), dir.path(), LIMITS).unwrap().files, names);
    // Submissions of a class are used on this machine only.
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { portable_names: false, ..LIMITS };
    assert_eq!(
        unpack(&zipped(&[file("aux.c", b"1")]), dir.path(), limits).unwrap().files,
        ["aux.c"]
    );
}

#[test]
fn names_of_windows_are_read_in_their_code_page() {
    let name = b"projet/\x85 lire.txt".to_vec();
    let dir = tempfile::tempdir().unwrap();
    let contents = unpack(&zipped(&[Raw { name, ..file("", b"") }]), dir.path(), LIMITS).unwrap();
    assert_eq!(contents.files, ["projet/à lire.txt"]);
}
