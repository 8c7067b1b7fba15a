use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

const LIMITS: TreeLimits = TreeLimits { bytes: 1 << 20, files: 100, depth: 8 };

/// A scratch folder with the stores of two machines.
struct Machines {
    dir: tempfile::TempDir,
}

impl Machines {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn here(&self) -> PathBuf {
        self.dir.path().join("here")
    }

    fn there(&self) -> PathBuf {
        self.dir.path().join("there")
    }

    /// Takes the snapshot of a bot that is made by `fill`.
    fn take(&self, fill: impl FnOnce(&Path)) -> Snapshot {
        let bot = self.dir.path().join("bot");
        fs::create_dir(&bot).unwrap();
        fill(&bot);
        Snapshot::take(&bot, &self.here(), LIMITS).unwrap()
    }

    fn unpack(&self, bundle: &[u8], hash: &BotHash) -> Result<Snapshot, BundleError> {
        Snapshot::unpack(bundle, hash, &self.there(), LIMITS)
    }

    fn refused(&self, bundle: &[u8]) -> String {
        let told = match self.unpack(bundle, &BotHash::of(b"any")) {
            Err(BundleError::Refused(why)) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(names(&self.there()), [".lock"], "{told}");
        assert_eq!(names(self.dir.path()), ["there"], "{told}");
        told
    }
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

fn packed(snapshot: &Snapshot) -> Vec<u8> {
    let mut bundle = Vec::new();
    snapshot.pack(&mut bundle).unwrap();
    bundle
}

fn write(path: &Path, text: &[u8], mode: u32) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Fills a folder with every kind of entry that a snapshot can hold.
fn of_all_kinds(bot: &Path) {
    fs::create_dir_all(bot.join("a/empty")).unwrap();
    fs::create_dir(bot.join("a b")).unwrap();
    write(&bot.join("a/run"), b"#!/bin/sh\n", 0o755);
    write(&bot.join("a-"), b"between a and a/run", 0o600);
    write(&bot.join("a b/two\nlines"), &vec![7; 70_000], 0o644);
    write(&bot.join(OsStr::from_bytes(b"\xff\xfe \\x")), b"", 0o644);
    let long = "n".repeat(200);
    write(&bot.join("a").join(&long), b"long", 0o644);
    symlink(format!("a/{long}"), bot.join("to long")).unwrap();
    symlink("..//a/./run", bot.join("a/link")).unwrap();
    symlink("a/", bot.join("z")).unwrap();
}

#[test]
fn a_bundle_is_unpacked_to_the_same_snapshot() {
    let machines = Machines::new();
    let snapshot = machines.take(of_all_kinds);
    let bundle = packed(&snapshot);
    let there = machines.unpack(&bundle, &snapshot.hash).unwrap();
    assert_eq!(there.hash, snapshot.hash);
    assert_eq!(packed(&there), bundle);
    let run = fs::metadata(there.src().join("a/run")).unwrap().permissions().mode();
    let plain = fs::metadata(there.src().join("a-")).unwrap().permissions().mode();
    assert_eq!((run & 0o111, plain & 0o111), (0o111, 0));
    assert_eq!(fs::read_link(there.src().join("a/link")).unwrap(), Path::new("..//a/./run"));
    assert_eq!(names(&machines.there()), [".lock", snapshot.hash.as_str()]);
}

#[test]
fn a_bundle_says_nothing_of_times_owners_and_modes() {
    let bundles = [0o600, 0o664]
        .map(|mode| packed(&Machines::new().take(|bot| write(&bot.join("bot.py"), b"1", mode))));
    assert_eq!(bundles[0], bundles[1]);
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&bundles[0][..]));
    let entry = archive.entries().unwrap().next().unwrap().unwrap();
    let header = entry.header();
    assert_eq!((header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap()), (0, 0, 0));
    assert_eq!(header.mode().unwrap(), 0o644);
}

#[test]
fn tar_itself_can_read_a_bundle() {
    let machines = Machines::new();
    let snapshot = machines.take(of_all_kinds);
    let to = machines.dir.path().join("to");
    fs::create_dir(&to).unwrap();
    fs::write(machines.dir.path().join("bundle"), packed(&snapshot)).unwrap();
    let mut tar = std::process::Command::new("tar");
    let status = tar.arg("-xzf").arg(machines.dir.path().join("bundle")).arg("-C").arg(&to);
    assert!(status.status().unwrap().success());
    assert_eq!(Tree::of(&to, LIMITS).unwrap().hash().unwrap(), snapshot.hash);
}

#[test]
fn what_is_there_is_kept_and_what_was_meddled_with_is_replaced() {
    let machines = Machines::new();
    let snapshot = machines.take(|bot| write(&bot.join("bot.py"), b"1", 0o644));
    let bundle = packed(&snapshot);
    let kept = || Snapshot::kept(&snapshot.hash, &machines.there(), LIMITS);
    assert_eq!(kept(), None);
    let there = machines.unpack(&bundle, &snapshot.hash).unwrap();
    assert_eq!(kept(), Some(there.clone()));
    fs::write(there.log(), "of a build").unwrap();
    machines.unpack(&bundle, &snapshot.hash).unwrap();
    assert!(there.log().exists());
    fs::write(there.src().join("bot.py"), "2").unwrap();
    assert_eq!(kept(), None);
    machines.unpack(&bundle, &snapshot.hash).unwrap();
    assert_eq!(fs::read_to_string(there.src().join("bot.py")).unwrap(), "1");
}

#[test]
fn many_at_once_get_the_same_and_leave_nothing_else() {
    let machines = Machines::new();
    let snapshot = machines.take(of_all_kinds);
    let bundle = packed(&snapshot);
    std::thread::scope(|scope| {
        let unpack = || machines.unpack(&bundle, &snapshot.hash).unwrap();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(unpack)).collect();
        assert!(threads.into_iter().all(|thread| thread.join().unwrap().hash == snapshot.hash));
    });
    assert_eq!(names(&machines.there()), [".lock", snapshot.hash.as_str()]);
}

#[test]
fn what_a_crash_left_behind_is_swept_and_what_lives_is_not() {
    let machines = Machines::new();
    let snapshot = machines.take(of_all_kinds);
    fs::create_dir_all(machines.there().join(".new-1/src/half")).unwrap();
    let store = open_store(&machines.there()).unwrap();
    let alive = New::create(&store).unwrap();
    let src = alive.src().unwrap();
    machines.unpack(&packed(&snapshot), &snapshot.hash).unwrap();
    assert!(src.path().exists() && !machines.there().join(".new-1").exists());
}

#[test]
fn a_store_that_cannot_be_written_is_not_the_bundles_fault() {
    let machines = Machines::new();
    let snapshot = machines.take(of_all_kinds);
    fs::write(machines.there(), "a file").unwrap();
    let fault = machines.unpack(&packed(&snapshot), &snapshot.hash).unwrap_err();
    assert!(matches!(fault, BundleError::Store(_)), "{fault}");
}

// Bundles that nobody packed.

/// Handmade archive with arbitrary headers.
struct Forged(Builder<Vec<u8>>);

impl Forged {
    fn new() -> Self {
        Self(Builder::new(Vec::new()))
    }

    fn with(mut self, kind: EntryType, path: &[u8], link: &[u8], contents: &[u8]) -> Self {
        let mut header = header(kind, 0o644);
        put(&mut header.as_old_mut().name, path);
        put(&mut header.as_old_mut().linkname, link);
        header.set_size(contents.len() as u64);
        self.append(header, contents);
        self
    }

    fn append(&mut self, mut header: Header, contents: &[u8]) {
        header.set_cksum();
        self.0.append(&header, contents).unwrap();
    }

    fn file(self, path: &str) -> Self {
        self.with(EntryType::Regular, path.as_bytes(), b"", b"x")
    }

    fn folder(self, path: &str) -> Self {
        self.with(EntryType::Directory, path.as_bytes(), b"", b"")
    }

    fn link(self, path: &str, target: &str) -> Self {
        self.with(EntryType::Symlink, path.as_bytes(), target.as_bytes(), b"")
    }

    fn bundle(self) -> Vec<u8> {
        zipped(&self.0.into_inner().unwrap())
    }
}

fn zipped(archive: &[u8]) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(archive).unwrap();
    gz.finish().unwrap()
}

/// Refusal reasons, one per line.
fn reasons(forged: impl IntoIterator<Item = Forged>) -> String {
    forged.into_iter().fold(String::new(), |mut all, forged| {
        writeln!(all, "{}", Machines::new().refused(&forged.bundle())).unwrap();
        all
    })
}

#[test]
fn another_content_than_its_hash_says_is_refused() {
    insta::assert_snapshot!(reasons([Forged::new().file("bot.py"), Forged::new()]), @"
    its contents have the hash a58e1c2d28e54f766fcadf7f331ad5ae and not fd0b6c0bab658ae9e3e6bf09032b6aec
    its contents have the hash eec890952a3d8dfb90e03ce4936038c9 and not fd0b6c0bab658ae9e3e6bf09032b6aec
    ");
}

#[test]
fn paths_that_lead_outside_are_refused() {
    let forged = ["../x", "a/../../x", "..", ".", "", "/etc/x", "a//x", "a/", "./x", "no/x"];
    insta::assert_snapshot!(reasons(forged.map(|path| Forged::new().folder("a").file(path))), @r#"
    the path "../x" is not that of a file inside a folder
    the path "a/../../x" is not that of a file inside a folder
    the path ".." is not that of a file inside a folder
    the path "." is not that of a file inside a folder
    the path "" is not that of a file inside a folder
    the path "/etc/x" is not that of a file inside a folder
    the path "a//x" is not that of a file inside a folder
    the path "a/" is not that of a file inside a folder
    the path "./x" is not that of a file inside a folder
    the path "no/x" is in no folder that came before it
    "#);
}

#[test]
fn nothing_goes_through_a_link_and_nothing_comes_twice() {
    let forged = [
        Forged::new().folder("a").link("b", "a").file("b/x"),
        Forged::new().link("b", "../..").file("b/x"),
        Forged::new().link("b", "/tmp").folder("b"),
        Forged::new().link("b", "../x").file("b"),
        Forged::new().file("b").file("b"),
        Forged::new().folder("b").folder("b"),
        Forged::new().file("b").file("a"),
    ];
    insta::assert_snapshot!(reasons(forged), @r#"
    the path "b/x" is in no folder that came before it
    the path "b/x" is in no folder that came before it
    the path "b" comes twice, or not in the order of paths
    the path "b" comes twice, or not in the order of paths
    the path "b" comes twice, or not in the order of paths
    the path "b" comes twice, or not in the order of paths
    the path "a" comes twice, or not in the order of paths
    "#);
}

#[test]
fn links_that_lead_outside_are_refused() {
    let targets = ["../x", "/etc/passwd", "..", "nothing", "a/../../..", "l", "", "a\u{1b}[2J"];
    let forged = targets.map(|target| Forged::new().folder("a").link("l", target));
    insta::assert_snapshot!(reasons(forged), @"
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    it holds a link without a usable target
    l: a link that leads to nothing inside the bot's folder; replace it by what it stands for
    ");
    // Each link alone stays inside; together they lead out.
    let through = Forged::new().folder("a").folder("a/b").link("a/b/up", "../..");
    insta::assert_snapshot!(reasons([through.link("out", "a/b/up/..")]), @"out: a link that leads to nothing inside the bot's folder; replace it by what it stands for");
}

#[test]
fn kinds_that_no_bot_holds_are_refused() {
    let kinds = [
        EntryType::Link,
        EntryType::Char,
        EntryType::Block,
        EntryType::Fifo,
        EntryType::Continuous,
        EntryType::GNUSparse,
        EntryType::XHeader,
        EntryType::XGlobalHeader,
        EntryType::new(b'Z'),
    ];
    let forged = kinds.map(|kind| Forged::new().with(kind, b"x", b"y", b""));
    insta::assert_snapshot!(reasons(forged), @"
    x is not a file, an empty entry for a folder, or one for a link (type '1')
    x is not a file, an empty entry for a folder, or one for a link (type '3')
    x is not a file, an empty entry for a folder, or one for a link (type '4')
    x is not a file, an empty entry for a folder, or one for a link (type '6')
    x is not a file, an empty entry for a folder, or one for a link (type '7')
    x is not a file, an empty entry for a folder, or one for a link (type 'S')
    x is not a file, an empty entry for a folder, or one for a link (type 'x')
    x is not a file, an empty entry for a folder, or one for a link (type 'g')
    x is not a file, an empty entry for a folder, or one for a link (type 'Z')
    ");
    let full = [EntryType::Directory, EntryType::Symlink]
        .map(|kind| Forged::new().with(kind, b"x", b"y", b"contents"));
    insta::assert_snapshot!(reasons(full), @"
    x is not a file, an empty entry for a folder, or one for a link (type '5')
    x is not a file, an empty entry for a folder, or one for a link (type '2')
    ");
}

/// Entries that a snapshot leaves out would not change its hash.
#[test]
fn what_is_no_part_of_a_bot_is_refused_although_the_hash_is_right() {
    let machines = Machines::new();
    let snapshot = machines.take(|bot| {
        write(&bot.join("Cargo.toml"), b"x", 0o644);
        write(&bot.join("a.py"), b"x", 0o644);
    });
    let right = || Forged::new().file("Cargo.toml");
    let found = machines.unpack(&right().file("a.py").bundle(), &snapshot.hash).unwrap();
    assert_eq!(found.hash, snapshot.hash);
    for wrong in [
        Forged::new().folder(".git").file("Cargo.toml").file("a.py"),
        right().folder("__pycache__").file("__pycache__/a.cpython-311.pyc").file("a.py"),
        right().file("a.py").folder("target"),
        right().file("Thumbs.db").file("a.py"),
    ] {
        let fault = machines.unpack(&wrong.bundle(), &snapshot.hash).unwrap_err().to_string();
        assert!(fault.contains("what is no part of a bot"), "{fault}");
    }
}

#[test]
fn more_than_a_bot_may_hand_in_is_refused() {
    let many = (0..=LIMITS.files).fold(Forged::new(), |all, at| all.file(&format!("{at:03}")));
    let path = |depth: usize| vec!["d"; depth].join("/");
    let deep = (1..=LIMITS.depth + 2).fold(Forged::new(), |all, depth| all.folder(&path(depth)));
    let big = vec![0; (LIMITS.bytes / 2) as usize];
    let half = |all: Forged, name: &str| all.with(EntryType::Regular, name.as_bytes(), b"", &big);
    let large = half(half(Forged::new(), "a"), "b").file("c");
    insta::assert_snapshot!(reasons([many, deep, large]), @r#"
    the path "100" is one too many: a bot has at most 100
    the path "d/d/d/d/d/d/d/d/d/d" is deeper than 8 folders
    with c it is larger than 1048576 bytes
    "#);
}

/// The declared size is far too large. Nothing is written or allocated.
#[test]
fn sizes_are_not_trusted() {
    let sized = |kind, size| {
        let mut header = header(kind, 0o644);
        put(&mut header.as_old_mut().name, b"x");
        header.set_size(size);
        let mut forged = Forged::new();
        forged.append(header, b"few");
        forged
    };
    let kinds = [EntryType::Regular, EntryType::GNULongName, EntryType::Directory];
    let forged = kinds.into_iter().flat_map(|kind| [10_000_000, u64::MAX].map(|s| sized(kind, s)));
    insta::assert_snapshot!(reasons(forged), @"
    with x it is larger than 1048576 bytes
    it cannot be read: size overflow
    it holds a name that is longer than any
    it cannot be read: size overflow
    x is not a file, an empty entry for a folder, or one for a link (type '5')
    it cannot be read: size overflow
    ");
    let little = [EntryType::Regular, EntryType::GNULongName].map(|kind| sized(kind, 4000));
    insta::assert_snapshot!(reasons(little), @"
    it ends within x
    it ends within a name
    ");
}

/// An endless bundle is read only up to the limit.
#[test]
fn a_bomb_stops_at_the_limit() {
    /// Endless zeros after a prefix, with the number of bytes read.
    struct Endless<'b>(&'b [u8], u64);
    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += buffer.len() as u64;
            match self.0.read(buffer)? {
                0 => io::repeat(0).read(buffer),
                count => Ok(count),
            }
        }
    }
    let mut header = header(EntryType::Regular, 0o644);
    header.set_size(LIMITS.bytes);
    let files = (0..4u8).flat_map(|at| {
        put(&mut header.as_old_mut().name, &[b'a' + at]);
        header.set_cksum();
        let contents = vec![0; LIMITS.bytes as usize];
        header.as_bytes().iter().copied().chain(contents).collect::<Vec<_>>()
    });
    let bomb = zipped(&files.collect::<Vec<_>>());
    assert!(bomb.len() as u64 * 100 < LIMITS.bytes, "{}", bomb.len());
    let machines = Machines::new();
    let mut endless = Endless(&bomb, 0);
    let any = BotHash::of(b"any");
    let fault = Snapshot::unpack(&mut endless, &any, &machines.there(), LIMITS).unwrap_err();
    assert!(fault.to_string().contains("with b it is larger than 1048576 bytes"), "{fault}");
    assert!(endless.1 < LIMITS.bytes, "{}", endless.1);
}

#[test]
fn long_names_are_bounded_and_complete() {
    let long = |text: &[u8]| Forged::new().with(EntryType::GNULongName, b"@", b"", text);
    let nested = |text: &[u8]| long(text).file("x");
    let forged = [
        long(&[b'n'; 5000]),
        nested(&[b'n'; 300]),
        nested(&[&[b'n'; 256][..], b"\0"].concat()),
        nested(b"../x\0"),
        nested(b"a\0b\0"),
        nested(b"\0"),
        long(b"a\0").with(EntryType::GNULongName, b"@", b"", b"b\0"),
    ];
    insta::assert_snapshot!(reasons(forged), @r#"
    it holds a name that is longer than any
    it ends within a name
    the path "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" is not that of a file inside a folder
    the path "../x" is not that of a file inside a folder
    the path "a\u{0}b" is not that of a file inside a folder
    the path "" is not that of a file inside a folder
    it holds a name that is longer than any
    "#);
}

#[test]
fn a_hash_from_elsewhere_is_not_trusted() {
    let machines = Machines::new();
    for text in ["../../x", "", ".", "ABCDEF00112233445566778899aabbcc", "a\u{1b}[31m"] {
        let hash: BotHash = serde_json::from_value(serde_json::json!(text)).unwrap();
        let fault = machines.unpack(&Forged::new().bundle(), &hash).unwrap_err().to_string();
        assert!(fault.contains("no hash of 32 hexadecimal digits"), "{fault}");
        assert!(!machines.there().exists());
        assert_eq!(Snapshot::kept(&hash, machines.dir.path(), LIMITS), None);
    }
}

/// Checks that a bundle is refused or matches its hash.
fn is_refused_or_right(bundle: &[u8], hash: &BotHash) {
    let machines = Machines::new();
    match machines.unpack(bundle, hash) {
        Err(BundleError::Refused(_)) => assert_eq!(names(&machines.there()), [".lock"]),
        Ok(snapshot) => assert!(snapshot.is_intact(LIMITS) && snapshot.hash == *hash),
        Err(BundleError::Store(fault)) => panic!("{fault}"),
    }
    assert_eq!(names(machines.dir.path()), ["there"]);
}

#[test]
fn what_was_cut_off_or_changed_on_the_way_is_refused_or_right() {
    let machines = Machines::new();
    let snapshot = machines.take(|bot| {
        fs::create_dir(bot.join("a")).unwrap();
        write(&bot.join("a/run"), b"#!/bin/sh\n", 0o755);
        symlink("a/run", bot.join("b")).unwrap();
    });
    let bundle = packed(&snapshot);
    for at in 0..bundle.len() {
        is_refused_or_right(&bundle[..at], &snapshot.hash);
        let mut flipped = bundle.clone();
        flipped[at] ^= 1 << (at % 8);
        is_refused_or_right(&flipped, &snapshot.hash);
    }
    // Half of a bundle is never valid.
    Machines::new().unpack(&bundle[..bundle.len() / 2], &snapshot.hash).unwrap_err();
}

/// Entry of a random tree.
#[derive(Debug, Clone)]
enum Thing {
    File(Vec<u8>, bool),
    Folder,
    Link(Vec<u8>),
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let byte =
        any::<u8>().prop_map(|byte| if matches!(byte, 0 | b'/' | b'.') { b'-' } else { byte });
    prop_oneof![
        prop::sample::select(vec![b"a".to_vec(), b"b".to_vec(), b"c d".to_vec()]),
        prop::collection::vec(byte, 1..201),
    ]
}

fn thing() -> impl Strategy<Value = (Vec<Vec<u8>>, Thing)> {
    let contents = prop::collection::vec(any::<u8>(), 0..2000);
    let kind = prop_oneof![
        (contents, any::<bool>()).prop_map(|(contents, runs)| Thing::File(contents, runs)),
        Just(Thing::Folder),
        name().prop_map(Thing::Link),
    ];
    (prop::collection::vec(name(), 1..4), kind)
}

/// Creates an entry if possible. A link gets a target file next to it.
fn plant(bot: &Path, path: &[Vec<u8>], thing: &Thing) -> io::Result<()> {
    let full: PathBuf =
        path.iter().fold(bot.to_owned(), |all, name| all.join(OsStr::from_bytes(name)));
    let parent = full.parent().unwrap();
    fs::create_dir_all(parent)?;
    match thing {
        Thing::File(contents, runs) => {
            fs::write(&full, contents)?;
            let mode = if *runs { 0o755 } else { 0o644 };
            fs::set_permissions(&full, fs::Permissions::from_mode(mode))
        }
        Thing::Folder => fs::create_dir(&full),
        Thing::Link(target) => {
            fs::write(parent.join(OsStr::from_bytes(target)), "")?;
            symlink(OsStr::from_bytes(target), &full)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_survives(things in prop::collection::vec(thing(), 0..12)) {
        let machines = Machines::new();
        let snapshot = machines.take(|bot| {
            for (path, thing) in &things {
                // Existing entries stay.
                let _ = plant(bot, path, thing);
            }
        });
        let bundle = packed(&snapshot);
        let there = machines.unpack(&bundle, &snapshot.hash).unwrap();
        prop_assert!(there.is_intact(LIMITS));
        prop_assert_eq!(packed(&there), bundle);
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..3000), zip: bool) {
        let bundle = if zip { zipped(&bytes) } else { bytes };
        is_refused_or_right(&bundle, &BotHash::of(b"any"));
    }

    #[test]
    fn no_headers_are_too_strange(
        entries in prop::collection::vec(
            (any::<u8>(), prop::collection::vec(any::<u8>(), 0..100), any::<u64>(), any::<u32>()),
            1..6,
        ),
        known: bool,
    ) {
        let mut archive = Vec::new();
        for (kind, text, size, mode) in entries {
            let kind = if known { b"0125LKxS"[usize::from(kind % 8)] } else { kind };
            let mut header = header(EntryType::new(kind), mode);
            put(&mut header.as_old_mut().name, &text);
            put(&mut header.as_old_mut().linkname, &text);
            header.set_size(if known { size % 2000 } else { size });
            header.set_cksum();
            archive.extend_from_slice(header.as_bytes());
            archive.resize(archive.len() + if known { 2048 } else { 512 }, b'n');
        }
        is_refused_or_right(&zipped(&archive), &BotHash::of(b"any"));
    }
}
