//! Templates of `pitmaster new`, embedded from `kits/`.
//!
//! Must not depend on where they are written.

use std::iter;

/// File of a template.
#[derive(Debug, Clone, Copy)]
pub(super) struct File {
    /// Path in the created folder.
    pub(super) path: &'static str,
    /// Content.
    pub(super) text: &'static str,
    /// Path in `kits/`.
    #[cfg(test)]
    source: &'static str,
}

/// Files of a folder in `kits/`. An arrow gives a file another name in the created folder.
macro_rules! files {
    ($folder:literal: $($name:literal $(=> $made:literal)?),+) => {
        &[$(File {
            path: last!($name $(, $made)?),
            text: include_str!(concat!("../../../kits/", $folder, "/", $name)),
            #[cfg(test)]
            source: concat!($folder, "/", $name),
        }),+]
    };
}

/// Last of one or two literals.
macro_rules! last {
    ($one:literal) => {
        $one
    };
    ($one:literal, $two:literal) => {
        $two
    };
}

/// Template of a bot in one language.
#[derive(Debug)]
pub(super) struct Kit {
    /// Name on the command line.
    pub(super) name: &'static str,
    /// Aliases on the command line.
    pub(super) also: &'static [&'static str],
    /// Language, for people.
    pub(super) language: &'static str,
    /// All files.
    files: &'static [File],
    /// Paths of the rules and their test.
    rules: &'static [&'static str],
    /// Replacements for a template without rules.
    without: &'static [File],
    /// Replacements for other games.
    games: &'static [(&'static str, &'static [File])],
    /// Command that runs the tests in the created folder.
    pub(super) test: &'static str,
}

/// Form of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form<'a> {
    /// Includes the rules of this game.
    Rules(&'a str),
    /// Leaves out the rules.
    NoRules,
}

/// Game whose rules all templates include.
pub(super) const GAME: &str = "coloured-awale";

/// Placeholder for the bot's folder in READMEs.
pub(super) const NAME: &str = "my-bot";

/// Placeholder for the bot's name in a manifest.
pub(super) const NAME_LINE: &str = "# name = \"my-bot\"";

/// Template of a contest.
pub(super) const CONTEST: &[File] =
    files!("contest": ".gitignore", "README.md", "bots/README.md", "contest.toml");

/// All languages.
pub(super) const KITS: &[Kit] = &[
    Kit {
        name: "c",
        also: &[],
        language: "C",
        files: files!("c": ".gitignore", "Makefile", "README.md", "bot.toml", "rules.c", "rules.h",
                      "test.c", "think.c", "think.h", "wire.c"),
        rules: &["rules.c", "rules.h", "test.c"],
        without: files!("no-rules": "README.md", "think.c"),
        games: &[],
        test: "make test",
    },
    Kit {
        name: "cpp",
        also: &["c++", "cxx"],
        language: "C++",
        files: files!("cpp": ".gitignore", "Makefile", "README.md", "bot.toml", "rules.cpp",
                      "rules.hpp", "test.cpp", "think.cpp", "think.hpp", "wire.cpp"),
        rules: &["rules.cpp", "rules.hpp", "test.cpp"],
        without: files!("no-rules": "README.md", "think.cpp", "think.hpp"),
        games: &[],
        test: "make test",
    },
    Kit {
        name: "go",
        also: &["golang"],
        language: "Go",
        files: files!("go": ".gitignore", "README.md", "bot.toml", "go.mod", "rules.go",
                      "rules_test.go", "think.go", "wire.go"),
        rules: &["rules.go", "rules_test.go"],
        without: files!("no-rules": "README.md", "think.go"),
        games: &[],
        test: "go test",
    },
    Kit {
        name: "java",
        also: &[],
        language: "Java",
        files: files!("java": ".gitignore", "README.md", "Rules.java", "Test.java", "Think.java",
                      "Wire.java", "bot.toml"),
        rules: &["Rules.java", "Test.java"],
        without: files!("no-rules": "README.md", "Think.java"),
        games: &[],
        test: "javac -encoding UTF-8 -d classes Test.java && java -cp classes Test",
    },
    Kit {
        name: "javascript",
        also: &["js", "node"],
        language: "JavaScript",
        files: files!("javascript": "README.md", "bot.toml", "rules.js", "test.js", "think.js",
                      "wire.js"),
        rules: &["rules.js", "test.js"],
        without: files!("no-rules": "README.md", "think.js"),
        games: &[],
        test: "node test.js",
    },
    Kit {
        name: "python",
        also: &["py", "python3"],
        language: "Python",
        files: files!("python": ".gitignore", "README.md", "bot.toml", "rules.py", "test.py",
                      "think.py", "wire.py"),
        rules: &["rules.py", "test.py"],
        without: files!("no-rules": "README.md", "think.py"),
        games: &[("kalah", files!("python-kalah": "README.md", "rules.py", "test.py"))],
        test: "python3 test.py",
    },
    Kit {
        name: "rust",
        also: &["rs"],
        language: "Rust",
        // cargo excludes folders with a Cargo.toml from a package, hence the other name.
        files: files!("rust": ".gitignore", "Cargo.toml.in" => "Cargo.toml", "README.md", "bot.toml",
                      "src/main.rs", "src/rules.rs", "src/test.rs", "src/think.rs", "src/wire.rs"),
        rules: &["src/rules.rs", "src/test.rs"],
        without: files!("no-rules": "README.md", "main.rs" => "src/main.rs",
                        "think.rs" => "src/think.rs"),
        games: &[],
        test: "cargo test --release",
    },
];

impl Kit {
    /// Games whose rules it includes.
    pub(super) fn games(&self) -> impl Iterator<Item = &'static str> {
        iter::once(GAME).chain(self.games.iter().map(|&(game, _)| game))
    }

    /// Files of a form; `None` if it lacks the rules of the game.
    pub(super) fn files(&self, form: Form<'_>) -> Option<Vec<File>> {
        match form {
            Form::Rules(GAME) => Some(self.files.to_vec()),
            Form::Rules(game) => {
                let (_, others) = self.games.iter().find(|(known, _)| *known == game)?;
                Some(with(self.files, others).collect())
            }
            Form::NoRules => {
                let is_rules = |file: &File| self.rules.contains(&file.path);
                Some(with(self.files, self.without).filter(|file| !is_rules(file)).collect())
            }
        }
    }
}

/// The files, with those replaced that have the same path in `others`.
fn with(files: &'static [File], others: &'static [File]) -> impl Iterator<Item = File> {
    let other = |file: &File| others.iter().find(|other| other.path == file.path).copied();
    files.iter().map(move |file| other(file).unwrap_or(*file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Files left by building and testing a template in place.
    const LEFT_BEHIND: [&str; 6] = ["bot", "tests", "classes", "target", "__pycache__", "go.sum"];

    fn on_disk() -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("kits");
        let mut found = BTreeSet::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                match path.strip_prefix(&root).unwrap().to_str().unwrap() {
                    "README.md" | "LICENSE" => {} // for readers of the repository
                    _ if LEFT_BEHIND.contains(&name) => {}
                    _ if path.is_dir() => folders.push(path),
                    file => drop(found.insert(file.to_owned())),
                }
            }
        }
        found
    }

    #[test]
    fn every_file_of_the_kits_is_embedded() {
        let of_games = |kit: &'static Kit| kit.games.iter().flat_map(|(_, files)| *files);
        let all = KITS.iter().flat_map(|kit| kit.files.iter().chain(kit.without));
        let all = all.chain(KITS.iter().flat_map(of_games)).chain(CONTEST);
        let embedded: BTreeSet<_> = all.map(|file| file.source.to_owned()).collect();
        assert_eq!(embedded, on_disk());
    }

    #[test]
    fn what_stands_in_a_files_place_has_its_name() {
        for kit in KITS {
            let names: Vec<_> = kit.files.iter().map(|file| file.path).collect();
            let others = kit.games.iter().flat_map(|(_, files)| *files).chain(kit.without);
            assert!(others.map(|file| file.path).all(|name| names.contains(&name)), "{kit:?}");
            assert!(kit.rules.iter().all(|name| names.contains(name)), "{kit:?}");
            assert!(kit.files.iter().any(|file| file.text.contains(NAME_LINE)), "{kit:?}");
        }
    }

    #[test]
    fn the_readmes_say_how_to_test() {
        for kit in KITS {
            for game in kit.games() {
                let files = kit.files(Form::Rules(game)).unwrap();
                let readme = files.iter().find(|file| file.path == "README.md").unwrap();
                assert!(readme.text.contains(&format!("```sh\n{}\n```", kit.test)), "{kit:?}");
            }
        }
    }
}
