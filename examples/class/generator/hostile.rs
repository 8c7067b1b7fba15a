//! Archives that attack whoever unpacks them.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use tar::EntryType;

use super::zips::{Entry, seven_zip, zip};

/// An archive that must be refused, or whose names must come out right.
#[derive(Debug, Clone)]
pub(crate) struct Hostile {
    pub(crate) what: &'static str,
    /// Ending of the file's name.
    pub(crate) ending: &'static str,
    pub(crate) bytes: Vec<u8>,
    /// Part of the reason of the refusal; `None` if it is a bot with a difficult name.
    pub(crate) refused: Option<&'static str>,
    /// The difficult name, as it should come out.
    pub(crate) name: &'static str,
}

/// All of them. The bombs are large, and take a while to make.
pub(crate) fn hostile(with_bombs: bool) -> Vec<Hostile> {
    let mut all = Vec::new();
    all.extend(paths());
    all.extend(links());
    all.extend(names());
    all.extend(damaged());
    if with_bombs {
        all.extend(bombs());
    }
    all
}

/// Those that only a practice server refuses, or that come close to its limits, which are smaller
/// than those of a class.
pub(crate) fn hostile_to_servers() -> Vec<Hostile> {
    let zipped = |name: &str| zip(&[file("bot.py", BOT), file(name, b"evil")]);
    let windows = "which Windows keeps";
    let accents = "the encoding of its accents";
    let entries = |count: usize| {
        let entry = |n: usize| file(&format!("{n:x}"), b"").stored();
        zip(&(0..count).map(entry).collect::<Vec<_>>())
    };
    let nested = |levels: usize, inner: Entry| {
        (0..levels).fold(inner, |inner, level| file(&format!("level{level}.zip"), &zip(&[inner])))
    };
    let zeros = |mib: usize| file("zeros.bin", &vec![0; mib << 20]);
    let noise: Vec<u8> =
        (0..400_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 28) as u8).collect();
    // A thousand times less than it holds, or more.
    let lies = |size: u32| Entry { declared: Some(size), ..file("bot.py", &noise) };
    let size = "another size than the archive says";
    let shared = |n: usize| Entry { shares: Some(0), ..file(&format!("{n}.py"), &noise) };
    let overlap: Vec<_> =
        std::iter::once(file("0.py", &noise)).chain((1..200).map(shared)).collect();
    vec![
        of("device of windows", "zip", zipped("NUL"), windows),
        of("device with an ending", "zip", zipped("data/aux.py"), windows),
        of("port of windows", "tar.gz", tar_gz(&[("com1", EntryType::Regular, "x")]), windows),
        of(
            "accents in two encodings",
            "zip",
            zip(&[file("\u{e9}t\u{e9}.py", BOT), file("e\u{301}te\u{301}.py", b"2")]),
            accents,
        ),
        of("65535 entries", "zip", entries(65_535), "at most 2000"),
        of("2001 entries", "zip", entries(2_001), "at most 2000"),
        of("2001 entries of tar", "tar.gz", many_of_tar(2_001), "at most 2000"),
        of("ratio", "zip", zip(&[zeros(8)]), "as a zip bomb does"),
        of("ratio in an archive", "zip", zip(&[nested(1, zeros(8))]), "level0.zip: zeros.bin"),
        of(
            "two archives deep",
            "zip",
            zip(&[nested(2, file("bot.py", BOT))]),
            "1 archive inside each other",
        ),
        of("too small a size", "zip", zip(&[lies(400)]), "larger than its declared"),
        of("too large a size", "zip", zip(&[lies(u32::MAX - 1)]), size),
        of("overlap of many", "zip", zip(&overlap), "overlap"),
    ]
}

fn of(what: &'static str, ending: &'static str, bytes: Vec<u8>, why: &'static str) -> Hostile {
    Hostile { what, ending, bytes, refused: Some(why), name: "" }
}

fn file(name: &str, content: &[u8]) -> Entry {
    Entry::utf8(name, content)
}

/// A player that never runs: what counts is where it would be written.
const BOT: &[u8] = b"print('a1')\n";

fn paths() -> Vec<Hostile> {
    let outside = "leads outside";
    let zipped = |name: &str| zip(&[file("bot.py", BOT), file(name, b"evil")]);
    let deep = format!("{}x", "d/".repeat(200));
    vec![
        of("parent", "zip", zipped("../../../../evil"), outside),
        of("parent inside", "zip", zipped("a/../../../../evil"), outside),
        of("parent of windows", "zip", zipped("..\\..\\..\\evil"), outside),
        of("absolute", "zip", zipped("/tmp/pitmaster-evil"), "is not relative"),
        of("drive", "zip", zipped("C:\\evil"), "is not relative"),
        of("zero byte", "zip", zipped("bot.py\0/../../evil"), "is not relative"),
        of("deep", "zip", zipped(&deep), "folders inside each other"),
        of("long name", "zip", zipped(&"n".repeat(4000)), "is too long"),
        of("parent in tar", "tar.gz", tar_gz(&[("../../evil", EntryType::Regular, "x")]), outside),
        of(
            "absolute in tar",
            "tar.gz",
            tar_gz(&[("/tmp/pitmaster-evil", EntryType::Regular, "x")]),
            "is not relative",
        ),
        of("parent in 7z", "7z", seven_zip(&[("../../evil", BOT)]), outside),
    ]
}

fn links() -> Vec<Hostile> {
    let link = "a link that leads outside";
    let special = "neither a file nor a folder";
    let through = [file("d/x", BOT), Entry::link("l", "d"), file("l/y", BOT)];
    let twice = [
        file("d/x", BOT),
        Entry::link("d/here", "."),
        Entry::link("out", "d/here/../.."),
        file("out/evil", BOT),
    ];
    vec![
        of("link outside", "zip", zip(&[Entry::link("a", "../../../etc/passwd")]), link),
        of("absolute link", "zip", zip(&[Entry::link("a", "/etc/passwd")]), link),
        of("through a link", "zip", zip(&through), "is a file and a folder"),
        of("two links", "zip", zip(&twice), "out"),
        of("link in tar", "tar.gz", tar_gz(&[("a", EntryType::Symlink, "../../..")]), link),
        of("hard link", "tar.gz", tar_gz(&[("a", EntryType::Link, "/etc/passwd")]), special),
        of("block device", "tar.gz", tar_gz(&[("sda", EntryType::Block, "")]), special),
        of("character device", "tar.gz", tar_gz(&[("null", EntryType::Char, "")]), special),
        of("pipe", "tar.gz", tar_gz(&[("pipe", EntryType::Fifo, "")]), special),
    ]
}

fn bombs() -> Vec<Hostile> {
    let zeros = |mib: usize| file("bot.py", &vec![0; mib << 20]);
    let nested = (0..5).fold(file("bot.py", BOT), |inner, level| {
        file(&format!("level{level}.zip"), &zip(&[inner]))
    });
    let shared = |n: usize| Entry { shares: Some(0), ..file(&format!("{n}"), &vec![7; 1 << 16]) };
    let overlap: Vec<_> =
        std::iter::once(file("0", &vec![7; 1 << 16])).chain((1..2000).map(shared)).collect();
    let one = vec![0; 1 << 20];
    let many_mib: Vec<_> = (0..520).map(|n| file(&format!("{n}"), &one)).collect();
    let entries = |count: usize| {
        let entry = |n: usize| file(&format!("{n:x}"), b"").stored();
        zip(&(0..count).map(entry).collect::<Vec<_>>())
    };
    let directory: Vec<_> = (0..5000)
        .map(|n| Entry { extra: extra(n, 60_000), ..file(&format!("{n}"), b"").stored() })
        .collect();
    let bomb = "as a zip bomb does";
    vec![
        of("bomb", "zip", zip(&[zeros(64)]), bomb),
        of("many bombs", "zip", zip(&many_mib), "more than 512 MiB"),
        of("bomb in tar", "tar.gz", gzipped_tar_of_zeros(8 << 30), "unpacks to more than"),
        of("long name bomb", "tar.gz", extension_of_zeros(EntryType::GNULongName), "longer than"),
        of("long link bomb", "tar.gz", extension_of_zeros(EntryType::GNULongLink), "longer than"),
        of("pax bomb", "tar.gz", extension_of_zeros(EntryType::XHeader), "longer than"),
        of("sparse", "tar.gz", sparse(), "a sparse file"),
        of("bomb in 7z", "7z", seven_zip(&[("bot.py", &vec![0; 64 << 20])]), bomb),
        of("overlap", "zip", zip(&overlap), "overlap"),
        of("nested", "zip", zip(&[nested]), "archives inside each other"),
        of("million entries", "zip", entries(1_000_000), "at most 20000 are accepted"),
        of("million entries of tar", "tar.gz", many_of_tar(1_000_000), "more than 20000"),
        of("million entries of 7z", "7z", many_of_7z(1_000_000), "at most 20000"),
        of("fat directory", "zip", zip(&directory), "directory"),
    ]
}

/// A valid extra field of unknown meaning, with contents that do not compress away.
fn extra(seed: usize, size: usize) -> Vec<u8> {
    let mut state = seed as u32;
    let mut field = vec![0xfe, 0xca];
    field.extend((size as u16).to_le_bytes());
    field.extend((0..size).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 28) as u8
    }));
    field
}

fn names() -> Vec<Hostile> {
    let odd = |what, bytes: &[u8], name| {
        let path = [bytes, b"/bot.py"].concat();
        let bytes = zip(&[Entry::windows(&path, BOT)]);
        Hostile { what, ending: "zip", bytes, refused: None, name }
    };
    let (what, bytes) = ("utf8 name", zip(&[file("dépôt 李/bot.py", BOT)]));
    let utf8 = Hostile { what, ending: "zip", bytes, refused: None, name: "dépôt 李" };
    let case = "upper and lower case";
    vec![
        of("case clash", "zip", zip(&[file("Bot.py", BOT), file("bot.py", BOT)]), case),
        of("case clash of folders", "zip", zip(&[file("A/x", BOT), file("a/y", BOT)]), case),
        of("twice", "zip", zip(&[file("bot.py", BOT), file("./bot.py", b"2")]), "occurs twice"),
        of(
            "file and folder",
            "zip",
            zip(&[file("a", BOT), file("a/b", BOT)]),
            "is a file and a folder",
        ),
        odd("cp437 name", b"d\x82p\x93t", "dépôt"),
        odd("cp850 name", b"\xb7 rendre", "À rendre"),
        odd("cp866 name", b"\x8f\xe0\xae\xa5\xaa\xe2", "Проект"),
        odd("cp1252 name", b"d\xe9p\xf4t", "dépôt"),
        utf8,
    ]
}

fn damaged() -> Vec<Hostile> {
    let text: Vec<u8> =
        (0..20_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let whole = zip(&[file("bot.py", &text)]);
    let seven = seven_zip(&[("bot.py", &text)]);
    let mut flipped = seven.clone();
    flipped[1000] ^= 0xff;
    let tar = tar_gz(&[("bot.py", EntryType::Regular, &"x".repeat(100_000))]);
    let encrypted = Entry { flags: 0x801, ..file("bot.py", BOT).stored() };
    let wrong = Entry { crc: Some(1), ..file("bot.py", BOT) };
    let damaged = "damaged";
    vec![
        of("encrypted", "zip", zip(&[encrypted]), "is encrypted"),
        of("truncated", "zip", whole[..whole.len() / 2].to_vec(), damaged),
        of("truncated tar", "tar.gz", tar[..tar.len() / 2].to_vec(), "ask for it again"),
        of("truncated 7z", "7z", seven[..seven.len() / 2].to_vec(), damaged),
        of("flipped 7z", "7z", flipped, "ask for it again"),
        of("only a head", "zip", b"PK\x03\x04garbage".to_vec(), damaged),
        of("wrong checksum", "zip", zip(&[wrong]), "ask for it again"),
        of("rar as zip", "zip", b"Rar!\x1a\x07\x01\0\x33\x92".to_vec(), "a RAR archive"),
    ]
}

fn header(name: &str, kind: EntryType, size: u64) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(size);
    if let Some(fields) = header.as_gnu_mut() {
        fields.name[..name.len()].copy_from_slice(name.as_bytes());
    }
    header.set_cksum();
    header
}

fn tar_gz(entries: &[(&str, EntryType, &str)]) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::default());
    for (name, kind, content) in entries {
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        let mut header = header(name, *kind, if is_link { 0 } else { content.len() as u64 });
        if is_link && let Some(fields) = header.as_gnu_mut() {
            fields.linkname[..content.len()].copy_from_slice(content.as_bytes());
        }
        header.set_cksum();
        out.write_all(header.as_bytes()).expect("writes to memory");
        if !is_link {
            out.write_all(content.as_bytes()).expect("writes to memory");
            out.write_all(&vec![0; content.len().next_multiple_of(512) - content.len()])
                .expect("writes to memory");
        }
    }
    out.write_all(&[0; 1024]).expect("writes to memory");
    out.finish().expect("writes to memory")
}

/// A gzip stream that unpacks to this header and gibibytes of zeros. Pieces of a deflate stream
/// that end with a flush can be repeated, so the zeros are packed only once. The checksum is wrong,
/// which nobody gets to see.
fn header_and_zeros(header: &tar::Header, zeros: u64) -> Vec<u8> {
    const PIECE: u64 = 64 << 20;
    let packed = |bytes: &[u8]| {
        let mut out = DeflateEncoder::new(Vec::new(), Compression::fast());
        out.write_all(bytes).and_then(|()| out.flush()).expect("writes to memory");
        out.get_ref().clone()
    };
    let mut all = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    all.extend(packed(header.as_bytes()));
    let piece = if zeros > 0 { packed(&vec![0; PIECE as usize]) } else { Vec::new() };
    for _ in 0..zeros / PIECE {
        all.extend(&piece);
    }
    all.extend([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    all
}

fn gzipped_tar_of_zeros(size: u64) -> Vec<u8> {
    header_and_zeros(&header("bot.py", EntryType::Regular, size), size)
}

/// The long name, the long link or the attributes of a file, of one gibibyte.
fn extension_of_zeros(kind: EntryType) -> Vec<u8> {
    header_and_zeros(&header("././@LongLink", kind, 1 << 30), 1 << 30)
}

/// A file of which only the ends are there.
fn sparse() -> Vec<u8> {
    let mut header = header("bot.py", EntryType::GNUSparse, 0);
    if let Some(fields) = header.as_gnu_mut() {
        fields.set_real_size(8 << 30);
    }
    header.set_cksum();
    header_and_zeros(&header, 0)
}

fn many_of_tar(count: usize) -> Vec<u8> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    for n in 0..count {
        let header = header(&format!("{n:x}"), EntryType::Regular, 0);
        out.write_all(header.as_bytes()).expect("writes to memory");
    }
    out.finish().expect("writes to memory")
}

fn many_of_7z(count: usize) -> Vec<u8> {
    let out = std::io::Cursor::new(Vec::new());
    let mut archive = sevenz_rust2::ArchiveWriter::new(out).expect("writes to memory");
    for n in 0..count {
        let entry = sevenz_rust2::ArchiveEntry::new_file(&format!("{n:x}"));
        archive.push_archive_entry::<&[u8]>(entry, None).expect("writes to memory");
    }
    archive.finish().expect("writes to memory").into_inner()
}
