//! Generator of classes, used by the example and by end-to-end tests.

mod hostile;
mod people;
mod platforms;
mod shapes;
mod worksheets;
mod zips;

pub(crate) use hostile::{Hostile, hostile, hostile_to_servers};
pub(crate) use worksheets::Language;

use zips::{Entry, zip};

/// What to generate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClassOptions {
    pub(crate) people: usize,
    pub(crate) form: Form,
    pub(crate) seed: u64,
    pub(crate) language: Language,
}

/// Form of an export: a platform, and how it is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Moodle,
    MoodleBefore41,
    MoodleFlat,
    MoodleGroups,
    MoodleAnonymous,
    Canvas,
    CanvasAnonymous,
    Blackboard,
    Brightspace,
    Ilias,
    IliasDownload,
    Gradescope,
    Classroom,
    Folders,
}

impl Form {
    pub(crate) const ALL: [(&'static str, Self); 14] = [
        ("moodle", Self::Moodle),
        ("moodle-before-4.1", Self::MoodleBefore41),
        ("moodle-flat", Self::MoodleFlat),
        ("moodle-groups", Self::MoodleGroups),
        ("moodle-anonymous", Self::MoodleAnonymous),
        ("canvas", Self::Canvas),
        ("canvas-anonymous", Self::CanvasAnonymous),
        ("blackboard", Self::Blackboard),
        ("brightspace", Self::Brightspace),
        ("ilias", Self::Ilias),
        ("ilias-download", Self::IliasDownload),
        ("gradescope", Self::Gradescope),
        ("classroom", Self::Classroom),
        ("folders", Self::Folders),
    ];

    /// The form of this name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        let names = || Self::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, form)| *form).ok_or_else(|| format!("the platforms are {}", names()))
    }
}

/// A class as exported.
#[derive(Debug)]
pub(crate) struct Generated {
    /// Paths and contents of the export.
    pub(crate) files: Vec<(String, Vec<u8>)>,
    /// The platform's list of people: worksheet, gradebook or roster.
    pub(crate) people_csv: Vec<u8>,
    /// What intake should make of everybody, by id.
    pub(crate) expected: Vec<Expected>,
}

/// What intake should make of a person.
#[derive(Debug, Clone)]
pub(crate) struct Expected {
    pub(crate) id: String,
    /// Name, with the list of people.
    pub(crate) name: String,
    /// Kind of the submission.
    pub(crate) shape: &'static str,
    pub(crate) state: &'static str,
    /// Part of the reason.
    pub(crate) why: &'static str,
}

/// An archive of these files.
pub(crate) fn archive_of(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let entry = |(path, content): &(String, Vec<u8>)| Entry::utf8(path, content).stored();
    zip(&files.iter().map(entry).collect::<Vec<_>>())
}

/// Generates a class. The same options give the same bytes.
pub(crate) fn generate(options: &ClassOptions) -> Generated {
    let people = people::people(options.people, options.seed);
    platforms::export(options, &people)
}
