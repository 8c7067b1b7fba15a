//! Manifest serialization as the text of a `bot.toml`.
//!
//! Must not depend on where it is written.

use std::fmt::Write as _;

use super::argv::{Program, Word};
use super::manifest::{BuildStep, Manifest};

impl Manifest {
    /// The run command, separated by spaces.
    pub fn shown_run(&self) -> String {
        let words = self.args.iter().map(Word::text);
        std::iter::once(word_of(&self.program)).chain(words).collect::<Vec<_>>().join(" ")
    }

    /// The manifest as TOML, without keys that have their default value.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(text, "{key} = {value}");
        };
        if let Some(name) = &self.name {
            line("name", quoted(name.as_str()));
        }
        if let Some(display) = &self.display {
            line("display", quoted(&String::from_utf8_lossy(display.as_bytes())));
        }
        if !self.authors.is_empty() {
            let authors =
                self.authors.iter().map(|author| String::from_utf8_lossy(author.as_bytes()));
            line("authors", list(authors));
        }
        if !self.folder.as_os_str().is_empty() {
            line("folder", quoted(&self.folder.to_string_lossy()));
        }
        match &self.build[..] {
            [] => {}
            [only] => line("build", command(only)),
            several => {
                let steps: Vec<_> = several.iter().map(command).collect();
                line("build", format!("[{}]", steps.join(", ")));
            }
        }
        let words = self.args.iter().map(Word::text);
        line("run", list(std::iter::once(word_of(&self.program)).chain(words)));
        line("dialect", quoted(self.dialect.name()));
        for (key, names) in [("games", &self.games), ("needs", &self.needs)] {
            if !names.is_empty() {
                line(key, list(names));
            }
        }
        if self.lenient {
            line("lenient", "true".into());
        }
        text
    }
}

fn command(step: &BuildStep) -> String {
    list(std::iter::once(word_of(&step.program)).chain(step.args.iter().cloned()))
}

fn word_of(program: &Program) -> String {
    match program {
        Program::Command(word) | Program::File(word) => word.clone(),
        Program::OnlyOneIn(folder) => format!("./{folder}"),
    }
}

fn list(words: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let words: Vec<_> = words.into_iter().map(|word| quoted(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

/// A TOML string, the same for every text: in quotes, with escapes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::*;

    fn again(manifest: &Manifest) -> Manifest {
        let text = manifest.to_toml();
        Manifest::parse(text.as_bytes(), Path::new("bot.toml"))
            .unwrap_or_else(|f| panic!("{text}{f:?}"))
    }

    #[test]
    fn a_manifest_is_written_as_it_is_read() {
        for text in [
            "run = [\"./bot\"]\ndialect = \"arena\"\n",
            "name = \"a\"\ndisplay = \"A \\\"B\\\"\"\nauthors = [\"x\"]\nfolder = \"src/bot\"\n\
             build = [[\"make\"], [\"./x\", \"y z\"]]\nrun = [\"java\", \"Joueur{J}\", \"{seed}\"]\n\
             dialect = \"course\"\ngames = [\"kalah\"]\nneeds = [\"python3\"]\nlenient = true\n",
        ] {
            let manifest = Manifest::parse(text.as_bytes(), Path::new("bot.toml")).unwrap();
            assert_eq!(manifest.to_toml(), text);
        }
    }

    proptest! {
        #[test]
        fn every_word_survives(word in "[^{}\0]*") {
            let text = "run = ['./bot']";
            let mut manifest = Manifest::parse(text.as_bytes(), Path::new("bot.toml")).unwrap();
            prop_assume!(super::super::argv::check_inside(&word).is_ok());
            manifest.args = vec![Word::literal(word)];
            manifest.args.retain(|word| !word.text().is_empty());
            prop_assert_eq!(again(&manifest), manifest);
        }
    }
}
