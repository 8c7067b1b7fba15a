//! Survey of a submission, file by file: languages, entry points, and references between files.
//!
//! Must not depend on which file is the bot. Limited are the number of opened files, the bytes read
//! of each, and the total bytes read.

use std::path::{Path, PathBuf};

use super::super::beneath::Folder;
use super::super::executable_format::Image;
use super::super::tree::{Entry, Kind, Tree, head};
use super::names::{is_hidden, may_hold_programs, may_hold_sources};

/// Maximum bytes read of one file.
const OF_ONE: u64 = 256 << 10;
/// Maximum total bytes read.
const OF_ALL: usize = 32 << 20;
/// Maximum number of source files read, far more than any bot has.
const MOST_SOURCES: usize = 2_000;
/// Maximum number of files opened that are not named like sources.
const MOST_LOOKED_AT: usize = 2_000;

/// A language that bots are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Language {
    C,
    Cpp,
    Go,
    Java,
    JavaScript,
    Python,
    Rust,
}

impl Language {
    /// Language of a file by its extension.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match &*ending {
            "c" => Self::C,
            "cpp" | "cc" | "cxx" => Self::Cpp,
            "go" => Self::Go,
            "java" => Self::Java,
            "js" | "mjs" | "cjs" => Self::JavaScript,
            "py" => Self::Python,
            "rs" => Self::Rust,
            _ => return None,
        })
    }

    /// Language of a script by the name of its interpreter.
    fn of_interpreter(shebang: &super::super::executable_format::Shebang) -> Option<Self> {
        let line = [&shebang.interpreter[..], b" ", &shebang.argument].concat();
        let line = String::from_utf8_lossy(&line).into_owned();
        let word = line.split([' ', '/']).find(|word| {
            word.starts_with("python")
                || word.starts_with("pypy")
                || matches!(*word, "node" | "nodejs")
        })?;
        Some(if word.starts_with('n') { Self::JavaScript } else { Self::Python })
    }
}

/// Kind of a file that needs no build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// An archive of Java classes.
    Jar,
    /// An ELF program.
    Elf,
    /// A script with `#!`.
    Script,
    /// A program for Windows or macOS, which cannot run here.
    Foreign(&'static str),
}

/// A source file.
#[derive(Debug)]
pub(super) struct Source {
    /// Path relative to the submission's root.
    pub(super) path: PathBuf,
    pub(super) language: Language,
    /// The text read, up to the limit.
    pub(super) text: String,
}

/// Relevant files of a submission, in path order.
#[derive(Debug, Default)]
pub(super) struct Survey {
    pub(super) sources: Vec<Source>,
    /// Folders with C and C++ headers.
    pub(super) headers: Vec<PathBuf>,
    /// Programs that need no build.
    pub(super) ready: Vec<(PathBuf, Ready)>,
    /// Every regular file, by its path.
    pub(super) files: Vec<PathBuf>,
    left: usize,
}

impl Survey {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut survey = Self { left: OF_ALL, ..Self::default() };
        let mut looked_at = 0;
        for entry in &tree.entries {
            if let Kind::Folder = entry.kind {
                continue;
            }
            survey.look(tree.root(), entry, &mut looked_at);
        }
        survey.headers.dedup();
        survey
    }

    fn look(&mut self, root: &Folder, entry: &Entry, looked_at: &mut usize) {
        let path = &entry.path;
        let hidden = path.file_name().is_none_or(|name| is_hidden(&name.to_string_lossy()));
        if hidden || !may_hold_programs(path) {
            return;
        }
        self.files.push(path.clone());
        if is_header(path) && may_hold_sources(path) {
            self.headers.push(path.parent().unwrap_or(Path::new("")).to_owned());
        }
        if let Some(language) = Language::of(path) {
            if may_hold_sources(path) {
                self.add_source(root, path, language);
            }
            return;
        }
        if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("jar")) {
            return self.ready.push((path.clone(), Ready::Jar));
        }
        if *looked_at < MOST_LOOKED_AT {
            *looked_at += 1;
            self.look_into(root, path);
        }
    }

    /// Recognizes a file by its first bytes, if its name does not suffice.
    fn look_into(&mut self, root: &Folder, path: &Path) {
        let Ok(file) = root.file_by_links(path) else { return };
        let ready = match Image::of(&file) {
            Image::Windows => Ready::Foreign("Windows"),
            Image::Mac => Ready::Foreign("macOS"),
            Image::Elf(_) if is_library(path) => return,
            Image::Elf(_) => Ready::Elf,
            Image::Script(shebang) => match Language::of_interpreter(&shebang) {
                Some(language) if may_hold_sources(path) => {
                    return self.add_source(root, path, language);
                }
                _ => Ready::Script,
            },
            Image::MarkedScript => Ready::Script,
            Image::Other => return,
        };
        self.ready.push((path.to_owned(), ready));
    }

    fn add_source(&mut self, root: &Folder, path: &Path, language: Language) {
        if self.sources.len() == MOST_SOURCES {
            return;
        }
        let text = text_of(root, path, OF_ONE.min(self.left as u64));
        self.left = self.left.saturating_sub(text.len());
        self.sources.push(Source { path: path.to_owned(), language, text });
    }

    /// Whether there is a file of that name in a folder.
    pub(super) fn has(&self, folder: &Path, name: &str) -> bool {
        let path = folder.join(name);
        self.files.binary_search_by(|file| by_bytes(file, &path)).is_ok()
    }

    /// Whether a folder contains sources, all of them in Python, JavaScript or Java.
    pub(super) fn is_interpreted(&self, folder: &Path) -> bool {
        let mut beneath =
            self.sources.iter().filter(|source| source.path.starts_with(folder)).peekable();
        let of_make =
            |language| matches!(language, Language::Python | Language::JavaScript | Language::Java);
        beneath.peek().is_some() && beneath.all(|source| of_make(source.language))
    }
}

/// Order of a tree's entries.
fn by_bytes(a: &Path, b: &Path) -> std::cmp::Ordering {
    a.as_os_str().as_encoded_bytes().cmp(b.as_os_str().as_encoded_bytes())
}

/// The beginning of a file as text. Empty if it cannot be read.
pub(super) fn text_of(root: &Folder, path: &Path, most: u64) -> String {
    let bytes = root.file_by_links(path).and_then(|file| head(file, most));
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

fn is_header(path: &Path) -> bool {
    const ENDINGS: [&str; 4] = ["h", "hh", "hpp", "hxx"];
    path.extension().is_some_and(|ending| ENDINGS.iter().any(|&known| ending == known))
}

/// Objects, libraries and modules of interpreters are ELF too.
pub(super) fn is_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "o" | "obj" | "a" | "so" | "lo" | "ko" | "dylib") || name.contains(".so.")
}

impl Source {
    /// Whether this file has an entry point.
    pub(super) fn is_entry(&self) -> bool {
        let mut lines = self.text.lines();
        match self.language {
            Language::C | Language::Cpp => lines.any(defines_main),
            Language::Java => {
                lines.any(|line| line.contains("void main") && line.contains("static"))
            }
            Language::Go => lines.any(|line| line.starts_with("func main(")),
            Language::Rust => lines.any(|line| line.contains("fn main(")),
            Language::Python => self.path.file_name().is_some_and(|name| name != "__init__.py"),
            Language::JavaScript => true,
        }
    }

    /// Whether it reads standard input.
    pub(super) fn reads_input(&self) -> bool {
        const WORDS: [&str; 12] = [
            "stdin",
            "input(",
            "system.in",
            "cin >>",
            "cin>>",
            "scanf",
            "fgets",
            "getline",
            "getchar",
            "readline",
            "fmt.scan",
            "read(0",
        ];
        let text = self.text.to_lowercase();
        WORDS.iter().any(|word| text.contains(word))
    }

    /// Whether it starts other programs, as a referee does and no bot may.
    pub(super) fn starts_programs(&self) -> bool {
        const WORDS: [&str; 14] = [
            "ProcessBuilder",
            "getRuntime().exec",
            "subprocess",
            "Popen",
            "os.system",
            "child_process",
            "execv",
            "execl",
            "popen(",
            "fork()",
            "posix_spawn",
            "CreateProcess",
            "Command::new",
            "exec.Command",
        ];
        WORDS.iter().any(|word| self.text.contains(word))
    }

    /// Words of its import lines.
    pub(super) fn imports(&self) -> impl Iterator<Item = &str> {
        let is_import = |line: &&str| {
            let line = line.trim_start();
            match self.language {
                Language::Python => line.starts_with("import ") || line.starts_with("from "),
                Language::JavaScript => {
                    line.contains("require(") || line.contains("import ") || line.contains("from ")
                }
                _ => false,
            }
        };
        let mark = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'));
        self.text.lines().filter(is_import).flat_map(move |line| line.split(mark))
    }

    /// File name without its extension.
    pub(super) fn stem(&self) -> &str {
        self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
    }
}

/// Whether a line defines `main`, as opposed to a call, a declaration or a comment.
fn defines_main(line: &str) -> bool {
    let line = line.trim();
    let Some((before, after)) = line.split_once("main") else { return false };
    let is_type = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | '\t' | ':' | '[' | ']');
    before.chars().all(is_type)
        && !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        && !before.trim_start().starts_with("return")
        && after.trim_start().starts_with('(')
        && !line.ends_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        let path = PathBuf::from(path);
        Source { language: Language::of(&path).unwrap(), path, text: text.into() }
    }

    #[test]
    fn an_entry_is_where_a_program_begins() {
        for (path, text, entry) in [
            ("a.c", "int main(int argc, char **argv) {", true),
            ("a.c", "int\r\nmain (void)\r\n{\r\n", true),
            ("a.c", "int main(void);", false),
            ("a.c", "  return main(1);\n// int main()\nvoid domain(int x) {", false),
            ("a.cpp", "auto main() -> int {", true),
            ("A.java", "  public static void main (String[] args) {", true),
            ("A.java", "class A { void main() {} }", false),
            ("a.go", "func main() {", true),
            ("a.rs", "pub fn remain() {}", false),
            ("__init__.py", "", false),
            ("a.py", "", true),
        ] {
            assert_eq!(source(path, text).is_entry(), entry, "{path} {text:?}");
        }
    }

    #[test]
    fn what_a_file_takes_in_is_read() {
        let python =
            source("a.py", "import board, rules as r\nfrom .x import y\nz = 'import no'\n");
        let words: Vec<_> = python.imports().collect();
        assert!(["board", "rules", "x", "y"].iter().all(|word| words.contains(word)), "{words:?}");
        let script =
            source("a.js", "const b = require('./lib/board.js');\nimport c from \"./c.mjs\";");
        let words: Vec<_> = script.imports().collect();
        assert!(["lib", "board", "c"].iter().all(|word| words.contains(word)), "{words:?}");
    }
}
