//! Exports of learning platforms: assignment of the files in an archive to people.
//!
//! A platform is a file of this folder and a row of [`Platform::ALL`]. Each reads file names only.
//! People are matched by number, because names lose characters in exports.

mod blackboard;
mod brightspace;
mod canvas;
mod classroom;
mod folders;
mod gradescope;
mod ilias;
mod moodle;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

/// A learning platform, or another source of submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Moodle: "Download all submissions", with folders or without.
    Moodle,
    /// Canvas: "Download submissions".
    Canvas,
    /// Blackboard: "Assignment file download".
    Blackboard,
    /// Brightspace: "Download submissions".
    Brightspace,
    /// ILIAS: "Multi-feedback" or the download of submissions.
    Ilias,
    /// Gradescope: "Export submissions".
    Gradescope,
    /// GitHub Classroom: `gh classroom clone student-repos`.
    Classroom,
    /// One folder or archive per person.
    Folders,
}

/// The submission of a person or a group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// The id that the platform uses.
    pub id: String,
    /// Name as the platform writes it.
    pub name: String,
    /// Email address; empty if unknown.
    pub email: String,
    /// Group; empty if there are none.
    pub group: String,
    /// Time of the submission as the platform writes it; empty if unknown.
    pub handed_in: String,
    /// Whether the platform marks it as late.
    pub is_late: bool,
    /// Its files.
    pub files: Vec<SubmittedFile>,
}

/// A file of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedFile {
    /// Position in the list of the export's paths.
    pub entry: usize,
    /// Path within the submission.
    pub path: String,
}

/// The paths of an export, with the texts of its metadata files.
#[derive(Debug, Clone, Copy)]
pub struct Export<'e> {
    /// Paths of all files, in their order.
    pub paths: &'e [String],
    /// Texts of metadata files, by position. Files that are no metadata are not here.
    pub texts: &'e BTreeMap<usize, String>,
}

impl Platform {
    /// All platforms, in the order in which they are tried.
    pub const ALL: [Self; 8] = [
        Self::Moodle,
        Self::Gradescope,
        Self::Blackboard,
        Self::Ilias,
        Self::Canvas,
        Self::Brightspace,
        Self::Classroom,
        Self::Folders,
    ];

    /// Name for people and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moodle => "moodle",
            Self::Canvas => "canvas",
            Self::Blackboard => "blackboard",
            Self::Brightspace => "brightspace",
            Self::Ilias => "ilias",
            Self::Gradescope => "gradescope",
            Self::Classroom => "classroom",
            Self::Folders => "folders",
        }
    }

    /// The platform of an export: the first that recognizes at least half of its files.
    pub fn recognize(paths: &[String]) -> Self {
        let fits = |platform: &Self| {
            let known = paths.iter().filter(|path| platform.knows(path)).count();
            known > 0 && known * 2 >= paths.len()
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::Folders)
    }

    fn knows(self, path: &str) -> bool {
        match self {
            Self::Moodle => moodle::parse(path).is_some(),
            Self::Canvas => canvas::parse(path).is_some(),
            Self::Blackboard => blackboard::parse(path).is_some(),
            Self::Brightspace => brightspace::parse(path).is_some(),
            Self::Ilias => ilias::parse(path).is_some(),
            Self::Gradescope => gradescope::is_in_export(path),
            Self::Classroom => classroom::parse(path).is_some(),
            Self::Folders => true,
        }
    }

    /// Name of a person's page in the feedback archive for the platform, from the path of the
    /// person's submission in the export. `None` if the platform does not support it.
    pub fn page_name(self, origin: &str) -> Option<String> {
        match self {
            Self::Canvas => canvas::page_name(origin),
            Self::Ilias => ilias::page_name(origin),
            _ => None,
        }
    }

    /// Whether the file at a path is metadata, which [`submissions`](Self::submissions) needs.
    pub fn is_metadata(self, path: &str) -> bool {
        match self {
            Self::Blackboard => blackboard::is_metadata(path),
            Self::Gradescope => gradescope::is_metadata(path),
            Self::Classroom => classroom::is_metadata(path),
            _ => false,
        }
    }

    /// The submissions of an export, in the order of their ids. Of several attempts the last one
    /// counts.
    pub fn submissions(self, export: Export<'_>) -> Vec<Submission> {
        match self {
            Self::Moodle => by_id(export, moodle::parse),
            Self::Canvas => by_id(export, canvas::parse),
            Self::Blackboard => blackboard::submissions(export),
            Self::Brightspace => brightspace::submissions(export),
            Self::Ilias => by_id(export, ilias::parse),
            Self::Gradescope => gradescope::submissions(export),
            Self::Classroom => classroom::submissions(export),
            Self::Folders => folders::submissions(export),
        }
    }
}

/// Parsed path of a file.
#[derive(Debug, Default)]
struct Parsed<'p> {
    id: &'p str,
    name: &'p str,
    handed_in: &'p str,
    is_late: bool,
    /// Path within the submission.
    file: &'p str,
}

/// Gathers files by the id in their paths.
fn by_id(export: Export<'_>, parse: impl Fn(&str) -> Option<Parsed<'_>>) -> Vec<Submission> {
    let mut all = BTreeMap::<String, Submission>::new();
    for (entry, path) in export.paths.iter().enumerate() {
        let Some(parsed) = parse(path) else { continue };
        let one = all.entry(parsed.id.to_owned()).or_default();
        parsed.id.clone_into(&mut one.id);
        parsed.name.clone_into(&mut one.name);
        one.is_late |= parsed.is_late;
        parsed.handed_in.clone_into(&mut one.handed_in);
        one.files.push(SubmittedFile { entry, path: parsed.file.to_owned() });
    }
    all.into_values().collect()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
