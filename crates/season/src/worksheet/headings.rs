//! Headings of Moodle's grading worksheet, by the language of the page.

/// Words of a worksheet in one language. Moodle finds columns by these exact words.
#[derive(Debug)]
pub(super) struct Headings {
    /// `recordid`.
    pub(super) identifier: &'static str,
    /// `gradenoun`.
    pub(super) grade: &'static str,
    /// `maxgrade`.
    pub(super) maximum: &'static str,
    /// `gradecanbechanged`.
    pub(super) can_be_changed: &'static str,
    /// `lastmodifiedgrade`.
    pub(super) modified: &'static str,
    /// Name of the plugin for comments.
    pub(super) comment: &'static str,
    /// `no`.
    pub(super) no: &'static str,
    /// Whether the language writes a decimal comma.
    pub(super) comma: bool,
}

/// One row per language.
pub(super) const LANGUAGES: [Headings; 3] = [
    Headings {
        identifier: "Identifier",
        grade: "Grade",
        maximum: "Maximum Grade",
        can_be_changed: "Grade can be changed",
        modified: "Last modified (grade)",
        comment: "Feedback comments",
        no: "No",
        comma: false,
    },
    Headings {
        identifier: "Identifiant",
        grade: "Note",
        maximum: "Note maximale",
        can_be_changed: "La note peut être modifiée",
        modified: "Dernière modification (note)",
        comment: "Feedback par commentaires",
        no: "Non",
        comma: true,
    },
    Headings {
        identifier: "ID",
        grade: "Bewertung",
        maximum: "Bestwertung",
        can_be_changed: "Bewertung kann geändert werden",
        modified: "Zuletzt geändert (Bewertung)",
        comment: "Feedback als Kommentar",
        no: "Nein",
        comma: true,
    },
];
