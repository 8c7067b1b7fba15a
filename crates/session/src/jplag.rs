//! Export of a class for JPlag: a folder of sources per person, and the templates as base code.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use pitmaster_bots::submission::{SubmittedFiles, TreeLimits, shown_path};
use pitmaster_core::BotName;
use pitmaster_store::{Readers, create_file, make_folder, make_subfolder};

use crate::Error;
use crate::intake::read_class;
use crate::twins::Kit;

/// JPlag's names of languages, with their file extensions.
const LANGUAGES: [(&str, &[&str]); 12] = [
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h"]),
    ("csharp", &["cs"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("javascript", &["js", "mjs", "cjs"]),
    ("kotlin", &["kt"]),
    ("python3", &["py"]),
    ("rust", &["rs"]),
    ("scala", &["scala"]),
    ("swift", &["swift"]),
    ("typescript", &["ts"]),
];

/// Result of an export.
#[derive(Debug)]
pub struct JplagExport {
    /// Folder with a folder per person.
    pub submissions: PathBuf,
    /// Folder with the templates.
    pub base: PathBuf,
    /// Number of people with sources in each language, by JPlag's name.
    pub languages: Vec<(&'static str, usize)>,
    /// People without sources.
    pub without: Vec<BotName>,
}

/// Writes the sources of a class into a new folder for JPlag. Names of people are not exported.
///
/// # Errors
/// The class cannot be read, or the folder exists or cannot be written.
pub fn export_for_jplag(class: &Path, into: &Path, kits: &[Kit]) -> Result<JplagExport, Error> {
    let members = read_class(class)?.members;
    if into.exists() {
        let shown = shown_path(into);
        return Err(Error::invalid(format!("{shown} exists; name a new folder with --into")));
    }
    make_folder(into, Readers::Owner)?;
    let (submissions, base) = (into.join("submissions"), into.join("base"));
    make_subfolder(&submissions)?;
    make_subfolder(&base)?;
    for kit in kits {
        for (path, text) in &kit.files {
            if languages_of(path).next().is_some() {
                write(&base.join(&kit.name), path, text.as_bytes())?;
            }
        }
    }
    let (mut counts, mut without) = (BTreeMap::new(), Vec::new());
    for member in members {
        let from = class.join("bots").join(member.key.as_str());
        let to = submissions.join(member.key.as_str());
        let found = copy_sources(&from, &to)?;
        if found.is_empty() {
            without.push(member.key);
        }
        for language in found {
            *counts.entry(language).or_insert(0) += 1;
        }
    }
    Ok(JplagExport { submissions, base, languages: counts.into_iter().collect(), without })
}

/// Possible languages of a file.
fn languages_of(path: &str) -> impl Iterator<Item = &'static str> {
    let ending = Path::new(path).extension().unwrap_or_default().to_string_lossy().to_lowercase();
    LANGUAGES.into_iter().filter(move |(_, all)| all.contains(&&*ending)).map(|(name, _)| name)
}

/// Copies the sources of a submission. Returns their languages. Headers alone have no language. An
/// unreadable submission has no sources.
fn copy_sources(from: &Path, to: &Path) -> Result<Vec<&'static str>, Error> {
    let mut found = Vec::new();
    let Ok(files) = SubmittedFiles::open(from, TreeLimits::default()) else { return Ok(found) };
    for file in files {
        let (path, content) = file?;
        let path = path.to_string_lossy();
        if languages_of(&path).next().is_some() {
            write(to, &path, &content)?;
            if !path.to_lowercase().ends_with(".h") {
                found.extend(languages_of(&path));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Writes a file and its folders, accessible to the owner only.
fn write(folder: &Path, path: &str, content: &[u8]) -> Result<(), Error> {
    let file = folder.join(path);
    let mut missing: Vec<_> = file.ancestors().skip(1).take_while(|path| !path.is_dir()).collect();
    while let Some(folder) = missing.pop() {
        make_subfolder(folder)?;
    }
    Ok(create_file(&file)?.write_all(content)?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LIST: &str = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
                        a,1,Ana,,,,,,,ready,\nb,2,Bo,,,,,,,missing,\n";

    #[test]
    fn only_sources_are_exported_and_templates_are_base_code() {
        let scratch = tempfile::tempdir().unwrap();
        let class = scratch.path().join("class");
        fs::create_dir_all(class.join("bots/a/src")).unwrap();
        for (path, text) in [
            ("class.csv", LIST),
            ("bots/a/src/Bot.java", "class Bot {}"),
            ("bots/a/util.h", "int x;"),
            ("bots/a/bot.toml", "name = 'Ana'"),
            ("bots/a/report.pdf", "Ana"),
        ] {
            fs::write(class.join(path), text).unwrap();
        }
        let files = vec![("Wire.java".into(), "w".into()), ("README.md".into(), "r".into())];
        let kits = [Kit { name: "java".into(), files }];
        let into = scratch.path().join("jplag");
        let export = export_for_jplag(&class, &into, &kits).unwrap();
        assert_eq!(export.languages, [("java", 1)]);
        assert_eq!(export.without, ["b".parse::<BotName>().unwrap()]);
        assert!(into.join("submissions/a/src/Bot.java").is_file());
        assert!(into.join("submissions/a/util.h").is_file());
        assert!(!into.join("submissions/a/bot.toml").exists());
        assert!(!into.join("submissions/a/report.pdf").exists());
        assert!(into.join("base/java/Wire.java").is_file());
        assert!(!into.join("base/java/README.md").exists());
        assert!(export_for_jplag(&class, &into, &kits).is_err());
    }
}
