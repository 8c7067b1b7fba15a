//! Completion in bash.
//!
//! The script of `clap_complete` uses bash's words, which are split at colons, and bash expands its
//! unquoted output. This one handles both.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine;
use clap_complete::env::EnvCompleter;

const SCRIPT: &str = include_str!("pitmaster.bash");

/// Variable with the index of the completed word.
const WORD: &str = "PITMASTER_WORD";

/// Completion in bash 3.2 and newer.
#[derive(Debug)]
pub(super) struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        _name: &str,
        _bin: &str,
        _completer: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(SCRIPT.replace("VARIABLE", variable).as_bytes())
    }

    fn write_complete(
        &self,
        command: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let number = std::env::var(WORD).ok().and_then(|text| text.parse().ok());
        let last = words.len().saturating_sub(1);
        for candidate in engine::complete(command, words, number.unwrap_or(last), folder)? {
            let text = candidate.get_value().to_str().filter(|text| is_plain(text));
            text.map_or(Ok(()), |text| writeln!(out, "{text}"))?;
        }
        Ok(())
    }
}

/// Whether bash treats a text as one word without quotes.
fn is_plain(text: &str) -> bool {
    text.chars().all(|one| one.is_alphanumeric() || "/_-.,+=:@%".contains(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_shell_would_expand_is_not_plain() {
        for plain in ["results/cup", "house:greedy", "--lang=fr", "kalah::6x6", "été/jeu_1"] {
            assert!(is_plain(plain), "{plain}");
        }
        for other in
            ["a b", "a\nb", "$(id)", "`id`", "a;b", "a*", "a?", "[a]", "~", "it's", "\"", "a\\"]
        {
            assert!(!is_plain(other), "{other:?}");
        }
    }
}
