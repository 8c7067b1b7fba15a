//! Finds out of which commit and which rules this program is built.
//!
//! Everything printed depends on the sources alone, so that a build can be reproduced: no clock, no
//! host name, no path.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that decide how a game is played.
const RULES: [&str; 4] = ["core", "games", "players", "referee"];

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed=build.rs");
    let found = given().or_else(|| packaged(&package)).or_else(|| checked_out(&package));
    if let Some(Commit { hash, date }) = found {
        println!("cargo::rustc-env=PITMASTER_BUILD_COMMIT={hash}");
        if let Some(date) = date {
            println!("cargo::rustc-env=PITMASTER_BUILD_DATE={date}");
        }
    }
    if let Some(rules) = rules(&package) {
        println!("cargo::rustc-env=PITMASTER_BUILD_RULES={rules:016x}");
    }
    println!(
        "cargo::rustc-env=PITMASTER_BUILD_TARGET={}",
        env::var("TARGET").expect("cargo sets it")
    );
    if let Some(compiler) =
        output(Command::new(env::var_os("RUSTC").expect("cargo sets it")).arg("--version"))
    {
        println!("cargo::rustc-env=PITMASTER_BUILD_COMPILER={compiler}");
    }
}

/// A commit with its date.
struct Commit {
    hash: String,
    date: Option<String>,
}

/// The commit that a packager names, whose sources are no clone.
fn given() -> Option<Commit> {
    for name in ["PITMASTER_COMMIT", "PITMASTER_COMMIT_DATE"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let hash = env::var("PITMASTER_COMMIT").ok().filter(|hash| is_hash(hash))?;
    let date = env::var("PITMASTER_COMMIT_DATE").ok().filter(|date| !date.is_empty());
    Some(Commit { hash, date })
}

/// The commit that `cargo package` wrote into the package.
fn packaged(package: &Path) -> Option<Commit> {
    let text = fs::read_to_string(package.join(".cargo_vcs_info.json")).ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    let hash = after.split('"').nth(1).filter(|hash| is_hash(hash))?;
    Some(Commit { hash: hash.to_owned(), date: None })
}

/// The commit of a clone. A clone around it that has nothing to do with Pitmaster does not count.
fn checked_out(package: &Path) -> Option<Commit> {
    let root = package.join("../..").canonicalize().ok()?;
    let git = |args: &[&str]| output(Command::new("git").arg("-C").arg(&root).args(args));
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root {
        return None;
    }
    // Both change with each commit; a branch moves without a change of the first.
    for file in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&["rev-parse", "--git-path", file])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let hash = git(&["rev-parse", "HEAD"]).filter(|hash| is_hash(hash))?;
    let date = git(&["show", "--no-patch", "--format=%cs", "HEAD"]);
    Some(Commit { hash, date })
}

fn is_hash(text: &str) -> bool {
    text.len() >= 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What a command prints, on one line; `None` if it fails.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty() && !text.contains('\n'))
}

/// Digest of the sources of [`RULES`]; `None` outside the workspace, where the version of each crate
/// is fixed by the registry.
fn rules(package: &Path) -> Option<u64> {
    let crates = package.parent()?;
    let mut digest = Fnv::default();
    for name in RULES {
        let sources = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", sources.display());
        let mut files = Vec::new();
        list(&sources, &mut files).ok()?;
        files.sort();
        for file in files {
            let place = file.strip_prefix(crates).ok()?;
            digest.add(place.to_string_lossy().replace('\\', "/").as_bytes());
            digest.add(&fs::read(&file).ok()?);
        }
    }
    Some(digest.0)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            list(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// FNV-1a with 64 bits. It tells builds apart; it protects against nobody.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text with its length, so that no two lists of texts look alike.
    fn add(&mut self, text: &[u8]) {
        for byte in (text.len() as u64).to_le_bytes().iter().chain(text) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
