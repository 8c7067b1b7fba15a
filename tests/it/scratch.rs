//! A scratch folder in which the real binary runs.
//!
//! The repository's sample bots are available there as `bots/…`. Captured output has paths, times,
//! ids and hashes redacted, so that it can be compared verbatim.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use pitmaster::store::Store;
use pitmaster::tournament::{Durability, parse_duration};

/// Longer than almost every run of a test, so that a hang fails soon.
const PATIENCE: Duration = Duration::from_mins(5);

/// A folder that is removed on drop.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

/// Result of running the binary.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; `None` after a signal.
    pub(crate) code: Option<i32>,
    /// Standard output, redacted.
    pub(crate) stdout: String,
    /// The same of standard error.
    pub(crate) stderr: String,
    /// Unredacted output.
    pub(crate) raw: Output,
}

impl Scratch {
    /// A folder that contains only the sample bots and the ready tournaments.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("pitmaster-").tempdir().expect("a folder");
        for shared in ["bots", "tournaments"] {
            let target = repository().join(shared);
            std::os::unix::fs::symlink(target, folder.path().join(shared)).expect("a link");
        }
        Self { folder }
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and creates its folders.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        let shared = ["bots", "tournaments"].iter().any(|shared| name.starts_with(shared));
        assert!(!shared, "{name} would be written into the repository");
        fs::create_dir_all(path.parent().expect("it has a parent")).expect("a folder");
        fs::write(path, text).expect("writes");
        self
    }

    /// Writes a bot in Python: `own/NAME` with a manifest and this source.
    pub(crate) fn bot(&self, name: &str, dialect: &str, source: &str) -> String {
        let args = if dialect == "pitmaster" { "" } else { ", '{n}'" };
        let manifest = format!("run = ['python3', 'bot.py'{args}]\ndialect = '{dialect}'\n");
        self.write(&format!("own/{name}/bot.toml"), manifest);
        self.write(&format!("own/{name}/bot.py"), source);
        format!("own/{name}")
    }

    /// Recomputes the checksums after a manual change to a database.
    pub(crate) fn sum_up_anew(&self, results: &str) -> &Self {
        let store = Store::open(&self.path(results), Durability::Normal).expect("opens");
        store.sum_up_anew().expect("sums");
        self
    }

    /// Reads a file.
    pub(crate) fn read(&self, name: &str) -> String {
        let bytes = fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        String::from_utf8(bytes).expect("UTF-8")
    }

    /// The binary in the folder, with blank-separated arguments.
    pub(crate) fn command(&self, args: &str) -> std::process::Command {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pitmaster"));
        command.args(args.split_ascii_whitespace()).current_dir(self.folder.path());
        on_a_machine_of_its_own(command.env("LC_ALL", "C"));
        command
    }

    /// Runs the binary with blank-separated arguments.
    pub(crate) fn run(&self, args: &str) -> Ran {
        self.run_with(&args.split_ascii_whitespace().collect::<Vec<_>>())
    }

    /// Runs the binary with these arguments.
    pub(crate) fn run_with(&self, args: &[&str]) -> Ran {
        self.run_within(PATIENCE, args)
    }

    /// Runs the binary with a longer timeout.
    pub(crate) fn run_within(&self, patience: Duration, args: &[&str]) -> Ran {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_pitmaster"));
        command.args(args).current_dir(self.folder.path()).timeout(patience);
        command.env("LC_ALL", "C").envs(OF_ITS_OWN);
        self.ran(command.output().expect("the binary starts"))
    }

    /// Redacted output of a manually started process.
    pub(crate) fn ran(&self, raw: Output) -> Ran {
        let redacted = |bytes: &[u8]| self.redact(&String::from_utf8_lossy(bytes));
        Ran {
            code: raw.status.code(),
            stdout: redacted(&raw.stdout),
            stderr: redacted(&raw.stderr),
            raw,
        }
    }

    /// The text without parts that vary between runs.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (path, name) in [(self.folder.path(), "[scratch]"), (repository(), "[repository]")] {
            let real = path.canonicalize().expect("it is there");
            for path in [path, &real] {
                text = text.replace(&path.display().to_string(), name);
            }
        }
        redact_words(&text)
    }
}

impl Ran {
    /// All output in one text, for snapshots.
    pub(crate) fn all(&self) -> String {
        let code = self.code.map_or("by a signal".to_owned(), |code| code.to_string());
        let mut text = format!("exit {code}\n");
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.extend(["--- ", name, "\n", stream]);
            }
        }
        text
    }

    /// The same run after checking that it succeeded.
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.all());
        self
    }
}

/// Many tests play at once on few cores: none waits for the others, or gets a message about a busy
/// machine.
const OF_ITS_OWN: [(&str, &str); 2] =
    [("PITMASTER_LOCKS", ""), ("PITMASTER_PRESSURE", "/dev/null")];

/// Lets a process play as if no other program used the machine.
pub(crate) fn on_a_machine_of_its_own(command: &mut std::process::Command) {
    command.envs(OF_ITS_OWN);
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Times become `[time]` (with one blank before them, as columns are as wide as their times),
/// game ids `[id]`, hashes `[hash]`.
fn redact_words(text: &str) -> String {
    let in_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | 'µ');
    let mut redacted = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = if in_word(c) { rest.find(|c| !in_word(c)) } else { Some(c.len_utf8()) };
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        let (word, dots) = word.split_at(word.trim_end_matches('.').len());
        match name_for(word, redacted.ends_with('(')) {
            Some("[time]") => {
                let blank = redacted.ends_with(' ');
                redacted.truncate(redacted.trim_end_matches(' ').len() + usize::from(blank));
                redacted.push_str("[time]");
            }
            name => redacted.push_str(name.unwrap_or(word)),
        }
        redacted.push_str(dots);
        rest = after;
    }
    redacted
}

fn name_for(word: &str, after_bracket: bool) -> Option<&'static str> {
    let is_hex = !word.is_empty() && word.bytes().all(|b| b.is_ascii_hexdigit());
    match word.len() {
        16 if is_hex => Some("[id]"),
        32 if is_hex => Some("[hash]"),
        8 if is_hex && after_bracket => Some("[hash]"),
        _ => parse_duration(&word.replace('µ', "u")).ok().map(|_| "[time]"),
    }
}

#[test]
fn what_differs_from_run_to_run_is_redacted() {
    let scratch = Scratch::new();
    let path = scratch.path("x");
    let text = format!(
        "{} a (0123abcd) took   12.5ms, 3m30s, 1.0µs.\n77e9b491745c8f35 12345678 in 1s.",
        path.display()
    );
    scratch.write("folder/file", text);
    assert_eq!(
        scratch.redact(&scratch.read("folder/file")),
        "[scratch]/x a ([hash]) took [time], [time], [time].\n[id] 12345678 in [time]."
    );
}
