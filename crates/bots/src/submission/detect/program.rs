//! Program candidate: a source file with an entry point, and how to build and run it with the other
//! files that belong to it.
//!
//! Must not depend on which of several programs is the bot.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::names::is_beside_a_bot;
use super::recipe::{BUILT, Recipe, dotted};
use super::survey::{Language, Source, Survey};

/// Sources with an entry point: those with a `main`, or that no other file imports. The only file
/// of a language is always one.
pub(super) fn entries<'s>(sources: &[&'s Source]) -> Vec<&'s Source> {
    let takers = takers(sources);
    let is_taken_in = |at: usize| {
        let source = sources[at];
        let takers = takers.get(&(source.language, source.stem()));
        source.stem() != "__main__"
            && takers.is_some_and(|takers| takers.iter().any(|&taker| taker != at))
    };
    let begins = |&at: &usize| sources[at].is_entry() && !is_taken_in(at);
    let mut all: Vec<&Source> = (0..sources.len()).filter(begins).map(|at| sources[at]).collect();
    for language in sources.iter().map(|source| source.language).collect::<BTreeSet<_>>() {
        if all.iter().any(|source| source.language == language) {
            continue;
        }
        let mut of_it = sources.iter().copied().filter(|source| source.language == language);
        match (of_it.next(), of_it.next()) {
            (Some(only), None) => all.push(only),
            // Modules that import each other: those that do something when run.
            _ => all.extend(sources.iter().copied().filter(|source| {
                source.language == language && source.is_entry() && source.text.contains("__main__")
            })),
        }
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all
}

/// Sources that import each name. At most two per name are kept, which suffices to find one that is
/// not the source of that name.
fn takers<'s>(sources: &[&'s Source]) -> BTreeMap<(Language, &'s str), Vec<usize>> {
    /// Maximum number of imports of a bot's source file.
    const OF_ONE: usize = 500;
    let mut takers = BTreeMap::<_, Vec<usize>>::new();
    for (at, source) in sources.iter().enumerate() {
        for word in source.imports().take(OF_ONE) {
            let known = takers.entry((source.language, word)).or_default();
            if known.len() < 2 && known.last() != Some(&at) {
                known.push(at);
            }
        }
    }
    takers
}

/// Recipe of the program with this entry point, relative to a folder above it. `None` if a name
/// cannot be written in a command.
pub(super) fn recipe(base: &Path, entry: &Source, survey: &Survey) -> Option<Recipe> {
    let near = Near { base, survey };
    let file = dotted(relative(base, &entry.path)?);
    match entry.language {
        Language::Python => Some(near.python(entry, &file)),
        Language::JavaScript => Some(Recipe::interpreted(base, "node", &[&file])),
        Language::Rust => {
            let words = ["-O", "--edition", "2021", "-o", BUILT, &file];
            Some(Recipe::compiled(base, "rustc", &words))
        }
        Language::Go => {
            let others = near.others(entry, |other| {
                other.path.parent() == entry.path.parent() && !other.stem().ends_with("_test")
            });
            let words = ["build", "-o", BUILT].map(String::from);
            let words: Vec<_> = words.into_iter().chain([file]).chain(others).collect();
            Some(compiled(base, "go", &words))
        }
        Language::C => Some(near.c(entry, file, "cc", &["-O2", "-o", BUILT], &["-lm"])),
        Language::Cpp => Some(near.c(entry, file, "c++", &["-O2", "-std=c++17", "-o", BUILT], &[])),
        Language::Java => near.java(entry, file),
    }
}

/// A path as written in a command.
fn relative<'p>(base: &Path, path: &'p Path) -> Option<&'p str> {
    path.strip_prefix(base).ok()?.to_str()
}

fn compiled(base: &Path, compiler: &str, words: &[String]) -> Recipe {
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    Recipe::compiled(base, compiler, &words)
}

/// Files beneath the folder that a program is built in.
struct Near<'s> {
    base: &'s Path,
    survey: &'s Survey,
}

impl Near<'_> {
    fn sources(&self) -> impl Iterator<Item = &Source> {
        self.survey.sources.iter().filter(|source| source.path.starts_with(self.base))
    }

    /// Other sources of the same language that are neither a program nor a test, as words.
    fn others(&self, entry: &Source, belongs: impl Fn(&Source) -> bool) -> Vec<String> {
        self.sources()
            .filter(|other| other.path != entry.path && other.language == entry.language)
            .filter(|other| !other.is_entry() && !is_beside_a_bot(self.beneath(&other.path)))
            .filter(|other| belongs(other))
            .filter_map(|other| Some(dotted(relative(self.base, &other.path)?)))
            .collect()
    }

    fn beneath<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(self.base).unwrap_or(path)
    }

    /// All sources without a `main`, except those included as text. All header folders are
    /// searched.
    fn c(
        &self,
        entry: &Source,
        file: String,
        compiler: &str,
        before: &[&str],
        after: &[&str],
    ) -> Recipe {
        let included: BTreeSet<_> = self.sources().flat_map(included_sources).collect();
        let others = self.others(entry, |other| {
            other.path.file_name().is_none_or(|name| !included.contains(&*name.to_string_lossy()))
        });
        let headers = self.survey.headers.iter().filter(|folder| folder.starts_with(self.base));
        let headers = headers.filter(|folder| Some(&***folder) != entry.path.parent());
        let headers: BTreeSet<_> = headers
            .filter_map(|folder| {
                let folder = relative(self.base, folder)?;
                Some(format!("-I{}", if folder.is_empty() { "." } else { folder }))
            })
            .collect();
        let before = before.iter().map(ToString::to_string).chain(headers);
        let after = after.iter().map(ToString::to_string);
        let words: Vec<_> = before.chain([file]).chain(others).chain(after).collect();
        compiled(self.base, compiler, &words)
    }

    /// The class with `main`. From the package root, javac finds all other classes that have a file
    /// of their own name.
    fn java(&self, entry: &Source, file: String) -> Option<Recipe> {
        const CLASSES: &str = "./pitmaster-classes";
        let package = package_of(&entry.text);
        let folder = entry.path.parent().unwrap_or(Path::new(""));
        let root = root_of(folder, &package).filter(|root| root.starts_with(self.base));
        let root = root.unwrap_or_else(|| folder.to_owned());
        let class = package.iter().copied().chain([entry.stem()]).collect::<Vec<_>>().join(".");
        let more =
            self.others(entry, |other| other.path.starts_with(&root) && declares_others(other));
        let root = match relative(self.base, &root)? {
            "" => ".".to_owned(),
            root => dotted(root),
        };
        let words = ["-encoding", "UTF-8", "-Xprefer:source", "-sourcepath", &root, "-d", CLASSES];
        let words: Vec<_> =
            words.iter().map(ToString::to_string).chain([file]).chain(more).collect();
        let javac = compiled(self.base, "javac", &words);
        let run = Recipe::interpreted(self.base, "java", &["-cp", CLASSES, &class]);
        Some(Recipe { build: javac.build, ..run })
    }

    /// A file, a folder with `__main__.py`, or a module that declares itself part of a package.
    fn python(&self, entry: &Source, file: &str) -> Recipe {
        match self.module(entry) {
            Some((base, module)) => Recipe::interpreted(&base, "python3", &["-m", &module]),
            None => Recipe::interpreted(self.base, "python3", &[file]),
        }
    }

    /// Start folder and module name, if the source imports relative to its package or by its
    /// package's name.
    fn module(&self, entry: &Source) -> Option<(PathBuf, String)> {
        let parent = entry.path.parent()?;
        let siblings = || self.sources().filter(|source| source.path.starts_with(parent));
        let own = |source: &Source| {
            let mut lines = source.text.lines().map(str::trim_start);
            lines.any(|line| line.starts_with("from ."))
        };
        let named = |folder: &Path| {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // A file of that name in the same folder takes precedence over the package.
            if self.survey.has(parent, &format!("{name}.py")) {
                return false;
            }
            let by_name = |line: &str| {
                let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
                let rest = rest.and_then(|rest| rest.strip_prefix(name));
                rest.is_some_and(|rest| rest.starts_with(['.', ' ']))
            };
            siblings().any(|source| source.text.lines().map(str::trim_start).any(by_name))
        };
        let above = parent.ancestors().filter(|folder| folder.file_name().is_some());
        let package = above
            .clone()
            .filter(|folder| named(folder))
            .last()
            .or_else(|| above.clone().next().filter(|_| own(entry)))?;
        let base = package.parent()?;
        let parts = entry.path.strip_prefix(base).ok()?.with_extension("");
        let parts: Vec<_> = parts.iter().map(OsStr::to_str).collect::<Option<_>>()?;
        let parts: Vec<_> = parts.into_iter().filter(|part| *part != "__main__").collect();
        let is_plain = |part: &&str| part.chars().all(|c| c.is_alphanumeric() || c == '_');
        parts.iter().all(is_plain).then(|| (base.to_owned(), parts.join(".")))
    }
}

/// Names of sources that a file includes as text.
fn included_sources(source: &Source) -> impl Iterator<Item = String> {
    source.text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = line.split('"').nth(1)?.rsplit('/').next()?;
        Language::of(Path::new(name)).map(|_| name.to_owned())
    })
}

/// Parts of a Java source's package name.
fn package_of(text: &str) -> Vec<&str> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("package "));
    let name = line.and_then(|line| line.split(';').next()).unwrap_or_default().trim();
    name.split('.').map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Package root, if the folder matches the package name.
fn root_of(folder: &Path, package: &[&str]) -> Option<PathBuf> {
    let mut root = folder;
    for part in package.iter().rev() {
        if root.file_name()? != *part {
            return None;
        }
        root = root.parent()?;
    }
    Some(root.to_owned())
}

/// Whether a Java source declares top-level classes other than the one that it is named after.
fn declares_others(source: &Source) -> bool {
    const KINDS: [&str; 4] = ["class", "interface", "enum", "record"];
    source.text.lines().any(|line| {
        let is_top = line.starts_with(|c: char| c.is_ascii_lowercase());
        let mut words = line.split([' ', '{', '(', '<']).filter(|word| !word.is_empty());
        is_top
            && words.any(|word| KINDS.contains(&word))
            && words.next().is_some_and(|name| name != source.stem())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_says_where_sources_begin() {
        let package = package_of("// x\npackage fr.univ.awale ;\nclass A {}");
        assert_eq!(package, ["fr", "univ", "awale"]);
        let root = |folder: &str| root_of(Path::new(folder), &package);
        assert_eq!(root("src/main/java/fr/univ/awale"), Some("src/main/java".into()));
        assert_eq!(root("awale"), None);
        assert_eq!(root_of(Path::new("src"), &[]), Some("src".into()));
    }

    #[test]
    fn classes_without_a_file_of_their_name_are_seen() {
        let source = |text: &str| Source {
            path: "A.java".into(),
            language: Language::Java,
            text: text.into(),
        };
        assert!(!declares_others(&source("public class A {\n  class Inner {}\n}\n// a class of")));
        assert!(declares_others(&source("public final class A {}\nenum B { X }\n")));
        assert!(declares_others(&source("record P(int x) {}\nclass A {}\n")));
    }
}
