//! Source language of a bot, as far as its manifest shows it, and how to flush a line in that
//! language.

use std::fmt;

use pitmaster_bots::submission::{Manifest, Program};
use pitmaster_core::i18n::{Message, said};
use serde::{Deserialize, Serialize};

/// A programming language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript.
    JavaScript,
    /// Python.
    Python,
    /// Rust.
    Rust,
}

impl Language {
    /// Language of a manifest, by the command that runs or builds the bot.
    pub fn of(manifest: &Manifest) -> Option<Self> {
        let built = manifest.build.iter().map(|step| &step.program);
        [&manifest.program].into_iter().chain(built).find_map(|program| match program {
            Program::Command(command) => Self::of_command(command),
            Program::File(_) | Program::OnlyOneIn(_) => None,
        })
    }

    fn of_command(command: &str) -> Option<Self> {
        let stem = command.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
        Some(match stem {
            "cc" | "gcc" | "clang" | "tcc" => Self::C,
            "c++" | "g++" | "clang++" => Self::Cpp,
            "go" => Self::Go,
            "java" | "javac" => Self::Java,
            "node" | "nodejs" | "deno" | "bun" => Self::JavaScript,
            "python" | "pypy" => Self::Python,
            "rustc" | "cargo" => Self::Rust,
            _ => return None,
        })
    }

    /// Advice on writing a line without buffering in this language.
    pub fn flush(self) -> Message {
        match self {
            Self::C => said!("fflush(stdout); after every printf"),
            Self::Cpp => {
                said!("std::cout << std::flush; after every line, or end lines with std::endl")
            }
            Self::Go => {
                said!("writer.Flush() after every line, or fmt.Println without a bufio.Writer")
            }
            Self::Java => said!("System.out.flush(); after every line"),
            Self::JavaScript => said!("process.stdout.write(line + \"\\n\") for every line"),
            Self::Python => said!("print(…, flush=True)"),
            Self::Rust => said!("std::io::stdout().flush() after every line"),
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Go => "Go",
            Self::Java => "Java",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
            Self::Rust => "Rust",
        })
    }
}

/// Advice on writing a line without buffering, in this language or in most.
pub(super) fn flush(language: Option<Language>) -> Message {
    match language {
        Some(language) => said!("write {}", language.flush()),
        None => said!(
            "in Python {}; in C {}; in Java {}",
            Language::Python.flush(),
            Language::C.flush(),
            Language::Java.flush()
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_manifest_shows_the_language() {
        let of = |text: &str| {
            Language::of(&Manifest::parse(text.as_bytes(), Path::new("bot.toml")).unwrap())
        };
        assert_eq!(of("run = ['python3.12', 'bot.py']"), Some(Language::Python));
        assert_eq!(of("build = ['g++', 'bot.cpp']\nrun = ['./a.out']"), Some(Language::Cpp));
        assert_eq!(of("build = ['gcc-13', 'bot.c']\nrun = ['./a.out']"), Some(Language::C));
        assert_eq!(of("run = ['./bot']"), None);
    }
}
