//! What students hand in.

use std::fs;
use std::path::Path;

use super::zips::{Entry, seven_zip, tar_gz, zip};

/// A submission.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// Kind.
    pub(crate) name: &'static str,
    /// Its files, as uploaded.
    pub(crate) files: Vec<(&'static str, Vec<u8>)>,
    /// Whether it is a text written online instead of files.
    pub(crate) is_text: bool,
    /// What intake should make of it.
    pub(crate) state: &'static str,
    /// Part of the reason.
    pub(crate) why: &'static str,
}

/// All kinds. The first twelve are those of a small class.
pub(crate) fn all() -> Vec<Shape> {
    vec![
        single_file(),
        windows_zip(),
        ide_project(),
        node_package(),
        zip_in_zip(),
        broken_build(),
        other_dialect(),
        needs_network(),
        cargo_project(),
        several_files(),
        tarball(),
        address(),
        my_bot(),
        seven_zipped(),
        papers(),
        windows_program(),
        rar(),
        nothing(),
        loose_files(),
        old_code_page(),
        cpp_makefile(),
        two_versions(),
        kit(),
        go_kit(),
    ]
}

fn read(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sample(path: &str) -> Vec<u8> {
    read(&format!("bots/{path}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const PDF: &[u8] = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n";

fn ready(name: &'static str, files: Vec<(&'static str, Vec<u8>)>, why: &'static str) -> Shape {
    Shape { name, files, is_text: false, state: "ready", why }
}

/// One file with the rules inside, which speaks arena, and no manifest.
fn single_file() -> Shape {
    let bot = text(&sample("greedy-python/bot.py")).replace("from awale import Board\n", "");
    let source = text(&sample("greedy-python/awale.py")) + "\n" + &bot;
    ready("single-file", vec![("ia.py", source.into_bytes())], "ia.py")
}

/// Names in code page 850, no modes, and a Makefile with the ends of lines of Windows.
fn windows_zip() -> Shape {
    let makefile = b"bot: bot.c awale.h\r\n\tcc -O2 -o bot bot.c\r\n";
    let archive = zip(&[
        Entry::windows(b"projet/bot.c", &sample("greedy-c/bot.c")),
        Entry::windows(b"projet/awale.h", &sample("greedy-c/awale.h")),
        Entry::windows(b"projet/Makefile", makefile),
        Entry::windows(b"projet/\x85 lire.txt", b"R\x8agles"),
    ]);
    ready("windows-zip", vec![("projet awalé.zip", archive)], "")
}

/// Java with what a development environment leaves behind.
fn ide_project() -> Shape {
    let file = |name: &str| {
        Entry::utf8(&format!("AwaleBot/src/{name}"), &sample(&format!("greedy-java/{name}")))
    };
    let archive = zip(&[
        file("Bot.java"),
        file("Awale.java"),
        file("Dice.java"),
        Entry::utf8("AwaleBot/.idea/misc.xml", b"<project/>"),
        Entry::utf8("AwaleBot/out/production/Bot.class", b"\xca\xfe\xba\xbe"),
        Entry::utf8("AwaleBot/AwaleBot.iml", b"<module/>"),
    ]);
    ready("ide-project", vec![("AwaleBot.zip", archive)], "")
}

/// JavaScript with a `package.json` and its modules.
fn node_package() -> Shape {
    let package = br#"{"name":"awale","main":"index.js","scripts":{"start":"node index.js"}}"#;
    let mut entries = vec![
        Entry::utf8("package.json", package),
        Entry::utf8("index.js", &sample("greedy-javascript/bot.js")),
        Entry::utf8("awale.js", &sample("greedy-javascript/awale.js")),
    ];
    let module = |n: usize| format!("node_modules/lodash/{n}.js");
    entries.extend((0..300).map(|n| Entry::utf8(&module(n), b"module.exports = x => x;\n")));
    ready("node-package", vec![("bot.zip", zip(&entries))], "index.js")
}

/// Zipped twice on a Mac.
fn zip_in_zip() -> Shape {
    let manifest = b"run = [\"python3\", \"bot.py\"]\ndialect = \"pitmaster\"\n";
    let inner = zip(&[
        Entry::utf8("rendu final/bot.py", &sample("random-python/bot.py")),
        Entry::utf8("rendu final/awale.py", &sample("random-python/awale.py")),
        Entry::utf8("rendu final/bot.toml", manifest),
        Entry::utf8("rendu final/.DS_Store", b"\0\0\0\x01Bud1"),
        Entry::utf8("__MACOSX/rendu final/._bot.py", b"\0\x05\x16\x07"),
    ]);
    let outer = zip(&[
        Entry::utf8("rendu/rendu.zip", &inner).stored(),
        Entry::utf8("__MACOSX/rendu/._rendu.zip", b"\0\x05\x16\x07"),
    ]);
    ready("zip-in-zip", vec![("rendu.zip", outer)], "bot.py")
}

fn broken_build() -> Shape {
    let source =
        text(&sample("random-c/bot.c")).replacen("int main", "int mian", 1) + "\nint x = ;\n";
    let files = vec![("bot.c", source.into_bytes()), ("awale.h", sample("random-c/awale.h"))];
    ready("broken-build", files, "bot.c")
}

/// A manifest that names another dialect than the bot speaks, and a name with signs.
fn other_dialect() -> Shape {
    let manifest =
        b"name = \"Super Bot!!\"\nrun = [\"python3\", \"bot.py\", \"{n}\"]\ndialect = \"pitmaster\"\n";
    let archive = zip(&[
        Entry::utf8("bot.toml", manifest),
        Entry::utf8("bot.py", &sample("greedy-python/bot.py")),
        Entry::utf8("awale.py", &sample("greedy-python/awale.py")),
    ]);
    ready("other-dialect", vec![("paul.zip", archive)], "bot.py")
}

fn cargo(dependencies: &str) -> Vec<u8> {
    let package = "[package]\nname = \"awale_bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let mut program = b"\x7fELF".to_vec();
    program.resize(100_004, 0);
    let program = Entry::utf8("awale_bot/target/release/awale_bot", &program);
    zip(&[
        Entry::utf8("awale_bot/Cargo.toml", format!("{package}{dependencies}").as_bytes()),
        Entry::utf8("awale_bot/src/main.rs", &sample("greedy-rust/bot.rs")),
        Entry::utf8("awale_bot/src/awale.rs", &sample("greedy-rust/awale.rs")),
        Entry { mode: Some(0o100_755), ..program },
        Entry::utf8("awale_bot/.git/HEAD", b"ref: refs/heads/main\n"),
    ])
}

fn needs_network() -> Shape {
    let archive = cargo("[dependencies]\nrand = \"0.8\"\n");
    ready("needs-network", vec![("awale_bot.zip", archive)], "cargo")
}

fn cargo_project() -> Shape {
    ready("cargo-project", vec![("awale_bot.zip", cargo(""))], "cargo")
}

/// Several files of Python, none of which is called main.
fn several_files() -> Shape {
    let files = vec![
        ("awale.py", sample("random-python/awale.py")),
        ("joueur.py", sample("random-python/bot.py")),
        ("rapport.pdf", PDF.to_vec()),
        ("notes.txt", b"x".to_vec()),
    ];
    ready("several-files", files, "joueur.py")
}

fn tarball() -> Shape {
    let archive = tar_gz(&[
        ("bot/bot.py", &sample("greedy-python/bot.py"), 0o644),
        ("bot/awale.py", &sample("greedy-python/awale.py"), 0o644),
        ("bot/run.sh", b"#!/bin/sh\nexec python3 bot.py \"$@\"\n", 0o755),
    ]);
    let files = vec![("bot.tar.gz", archive), ("rapport.pdf", PDF.to_vec())];
    ready("tarball", files, "")
}

fn address() -> Shape {
    let page = "<p dir=\"ltr\">Mon projet&nbsp;: <a href=\"https://gitlab.univ.example/lucie/awale\">\
                https://gitlab.univ.example/lucie/awale</a></p>";
    Shape {
        name: "address",
        files: vec![("onlinetext.html", page.into())],
        is_text: true,
        state: "only-an-address",
        why: "https://gitlab.univ.example/lucie/awale",
    }
}

/// A manifest with the name that several keep.
fn my_bot() -> Shape {
    let manifest = b"name = \"my-bot\"\nrun = [\"python3\", \"bot.py\"]\ndialect = \"pitmaster\"\n";
    let archive = zip(&[
        Entry::utf8("bot/bot.toml", manifest),
        Entry::utf8("bot/bot.py", &sample("random-python/bot.py")),
        Entry::utf8("bot/awale.py", &sample("random-python/awale.py")),
    ]);
    ready("my-bot", vec![("bot.zip", archive)], "bot.py")
}

fn seven_zipped() -> Shape {
    let archive = seven_zip(&[
        ("bot/bot.cpp", &sample("greedy-cpp/bot.cpp")),
        ("bot/awale.hpp", &sample("greedy-cpp/awale.hpp")),
    ]);
    ready("7z", vec![("bot.7z", archive)], "")
}

fn papers() -> Shape {
    let files = vec![("rapport.pdf", PDF.to_vec()), ("notes.txt", b"Voir le rapport.".to_vec())];
    let why = "only documents";
    Shape { name: "papers", files, is_text: false, state: "only-papers", why }
}

fn windows_program() -> Shape {
    let files = vec![("joueur.exe", [b"MZ\x90\0".as_slice(), &[0; 2000]].concat())];
    let why = "runs on Windows only";
    Shape { name: "exe", files, is_text: false, state: "only-for-another-system", why }
}

fn rar() -> Shape {
    let files = vec![("bot.zip", b"Rar!\x1a\x07\x01\0\x33\x92\xb5\xe5".to_vec())];
    Shape { name: "rar", files, is_text: false, state: "refused", why: "a RAR archive" }
}

fn nothing() -> Shape {
    let why = "nothing was submitted";
    Shape { name: "nothing", files: Vec::new(), is_text: false, state: "missing", why }
}

fn loose_files() -> Shape {
    let files = vec![
        ("bot.js", sample("random-javascript/bot.js")),
        ("awale.js", sample("random-javascript/awale.js")),
    ];
    ready("loose-files", files, "bot.js")
}

/// Names in code page 437.
fn old_code_page() -> Shape {
    let archive = zip(&[
        Entry::windows(b"d\x82p\x93t/bot.py", &sample("random-python/bot.py")),
        Entry::windows(b"d\x82p\x93t/awale.py", &sample("random-python/awale.py")),
    ]);
    ready("old-code-page", vec![("devoir.zip", archive)], "dépôt")
}

fn cpp_makefile() -> Shape {
    let archive = zip(&[
        Entry::utf8("src/bot.cpp", &sample("random-cpp/bot.cpp")),
        Entry::utf8("src/awale.hpp", &sample("random-cpp/awale.hpp")),
        Entry::utf8("src/Makefile", b"bot: bot.cpp awale.hpp\n\tc++ -O2 -o bot bot.cpp\n"),
    ]);
    ready("cpp-makefile", vec![("bot.zip", archive)], "make")
}

/// Two versions side by side: nobody can know which is meant.
fn two_versions() -> Shape {
    let archive = zip(&[
        Entry::utf8("ia.py", &sample("random-python/bot.py")),
        Entry::utf8("ia2.py", &sample("greedy-python/bot.py")),
        Entry::utf8("awale.py", &sample("random-python/awale.py")),
    ]);
    let why = "more than one file could be the bot";
    let files = vec![("ia.zip", archive)];
    Shape { name: "two-versions", files, is_text: false, state: "unclear", why }
}

/// A kit of `pitmaster new`, as it was given out.
fn kit() -> Shape {
    let names = ["bot.toml", "rules.py", "test.py", "think.py", "wire.py"];
    let file =
        |name: &str| Entry::utf8(&format!("my-bot/{name}"), &read(&format!("kits/python/{name}")));
    ready("kit", vec![("my-bot.zip", zip(&names.map(file)))], "wire.py")
}

fn go_kit() -> Shape {
    let names = ["bot.toml", "go.mod", "rules.go", "think.go", "wire.go"];
    let file =
        |name: &str| Entry::utf8(&format!("my-bot/{name}"), &read(&format!("kits/go/{name}")));
    ready("go-kit", vec![("my-bot.zip", zip(&names.map(file)))], "go build")
}
