//! Grading worksheets of Moodle and gradebooks of Canvas: the cells of grades and comments are
//! filled in, every other byte is kept.
//!
//! Moodle silently skips rows: an unchanged, empty or negative grade, one above the maximum, a
//! locked row (`mod/assign/feedback/offline/importgradeslib.php`). Such rows are refused or
//! reported here. Rows are found by the number in their identifier: `Participant 4200101`,
//! `Participant4200101`, and in any language.

mod cells;
mod csv_file;
mod gradebook;
mod headings;
mod imports;
#[cfg(test)]
mod tests;

use cells::Cell;
pub use csv_file::grades_csv;
use headings::{Headings, LANGUAGES};
pub use imports::{gradescope_json, moodle_csv};

use pitmaster_core::i18n::Lang;

use crate::grading::{Grade, Points};

/// Filled worksheet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filled {
    /// Content of the file.
    pub content: Vec<u8>,
    /// Number of rows that were filled in.
    pub filled: usize,
    /// Number of comments that were replaced, because they were not empty.
    pub replaced_comments: usize,
    /// Identifiers of locked rows, which were not changed.
    pub locked: Vec<String>,
    /// Identifiers of rows that are not in the class list.
    pub unknown: Vec<String>,
    /// Keys of people who are in the class list and not in the worksheet.
    pub absent: Vec<String>,
}

/// Reason why a worksheet cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorksheetError {
    /// The file is not UTF-8.
    #[error("not UTF-8; use the file as it was downloaded")]
    NotUtf8,
    /// The headings are unknown.
    #[error(
        "these are not the headings of Moodle's grading worksheet in English, French or German, or \
         of Canvas's gradebook; use the file as it was downloaded, or switch Moodle to one of these \
         languages"
    )]
    Headings,
    /// The assignment is graded by a scale.
    #[error("the assignment is graded by a scale; set its grade to points in Moodle")]
    Scale,
    /// A row has another number of cells than the header.
    #[error("row {row} has {cells} cells instead of {columns}; use the file as it was downloaded")]
    Row {
        /// Number of the row, from 1.
        row: usize,
        /// Number of its cells.
        cells: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A grade exceeds the maximum, so Moodle would skip the row.
    #[error(
        "{who}: {grade} is above the worksheet's maximum of {maximum}; correct `maximum` in the \
         scheme, or the maximum grade in Moodle"
    )]
    AboveMaximum {
        /// Identifier.
        who: String,
        /// Grade.
        grade: Points,
        /// Maximum of the worksheet.
        maximum: Points,
    },
    /// A gradebook has several assignments, or none of the given name.
    #[error(
        "the gradebook's assignments are {}; name one with --column",
        if .0.is_empty() { "none".to_owned() } else { .0.join(", ") }
    )]
    Column(Vec<String>),
    /// A gradebook has no row of points.
    #[error("there is no row \"Points Possible\"; use the file as it was downloaded")]
    NoPoints,
    /// Two rows or people have the same number.
    #[error("{0}: two people have this number; correct the ids in class.csv")]
    SameNumber(String),
}

/// Layout of a worksheet.
struct Layout<'t> {
    text: &'t str,
    delimiter: u8,
    language: &'static Headings,
    identifier: usize,
    grade: usize,
    maximum: usize,
    can_be_changed: Option<usize>,
    comment: Option<usize>,
    rows: Vec<Vec<Cell>>,
}

/// Fills in a downloaded worksheet of Moodle, with comments in a language, or a gradebook of
/// Canvas. `column` is the title or the number of the assignment in a gradebook with several.
///
/// # Errors
/// The file is not a worksheet, or a grade exceeds its maximum.
pub fn fill(
    downloaded: &[u8],
    grades: &[Grade],
    column: Option<&str>,
    lang: Lang,
) -> Result<Filled, WorksheetError> {
    let text = std::str::from_utf8(downloaded).map_err(|_| WorksheetError::NotUtf8)?;
    match gradebook::Gradebook::find(text, column)? {
        Some(gradebook) => gradebook.fill(grades),
        None => fill_worksheet(text, grades, lang),
    }
}

fn fill_worksheet(text: &str, grades: &[Grade], lang: Lang) -> Result<Filled, WorksheetError> {
    let layout = Layout::find(text)?;
    let comma = layout.comma();
    let mut result = Filled::default();
    let mut edits: Vec<(&Cell, String)> = Vec::new();
    let mut seen = Vec::new();
    for row in &layout.rows[1..] {
        let who = row[layout.identifier].value(text).into_owned();
        let Some(grade) = find(&who, grades)? else {
            result.unknown.push(who);
            continue;
        };
        if seen.contains(&&grade.member.key) {
            return Err(WorksheetError::SameNumber(who));
        }
        seen.push(&grade.member.key);
        if layout.is_locked(row) {
            result.locked.push(who);
            continue;
        }
        let maximum = Points::parse(&row[layout.maximum].value(text));
        if let Some(maximum) = maximum.filter(|maximum| grade.points > *maximum) {
            return Err(WorksheetError::AboveMaximum { who, grade: grade.points, maximum });
        }
        let points = grade.points.to_string();
        let points = if comma { points.replace('.', ",") } else { points };
        edits.push((&row[layout.grade], points));
        if let Some(cell) = layout.comment.map(|column| &row[column]) {
            result.replaced_comments += usize::from(!cell.value(text).is_empty());
            edits.push((cell, neutral(&grade.comment(lang))));
        }
        result.filled += 1;
    }
    result.content = edited(text, layout.delimiter, edits);
    let absent = grades.iter().filter(|grade| !seen.contains(&&grade.member.key));
    result.absent = absent.map(|grade| grade.member.key.to_string()).collect();
    Ok(result)
}

impl<'t> Layout<'t> {
    fn find(text: &'t str) -> Result<Self, WorksheetError> {
        for delimiter in [b',', b';', b'\t'] {
            let mut rows = cells::rows(text, delimiter);
            // Blank lines at the end are not rows.
            rows.retain(|row| row.len() > 1 || !row[0].range.is_empty());
            let Some(header) = rows.first() else { continue };
            let heading = |cell: &Cell| {
                let value = cell.value(text.strip_prefix('\u{feff}').map_or(text, |_| text));
                value.trim_start_matches('\u{feff}').trim_matches('"').to_owned()
            };
            let header: Vec<_> = header.iter().map(heading).collect();
            let column = |name: &str| header.iter().position(|heading| heading == name);
            for language in &LANGUAGES {
                let (Some(identifier), Some(grade), Some(_)) = (
                    column(language.identifier),
                    column(language.grade),
                    column(language.modified),
                ) else {
                    continue;
                };
                let maximum = column(language.maximum).ok_or(WorksheetError::Scale)?;
                let can_be_changed = column(language.can_be_changed);
                let comment = column(language.comment);
                let columns = header.len();
                if let Some((row, cells)) = rows
                    .iter()
                    .zip(1..)
                    .find(|(row, _)| row.len() != columns)
                    .map(|(r, n)| (n, r.len()))
                {
                    return Err(WorksheetError::Row { row, cells, columns });
                }
                return Ok(Self {
                    text,
                    delimiter,
                    language,
                    identifier,
                    grade,
                    maximum,
                    can_be_changed,
                    comment,
                    rows,
                });
            }
        }
        Err(WorksheetError::Headings)
    }

    /// Whether the file writes a decimal comma.
    fn comma(&self) -> bool {
        let cells = self.rows[1..].iter().flat_map(|row| [&row[self.maximum], &row[self.grade]]);
        let mut marks = cells.filter_map(|cell| {
            let value = cell.value(self.text);
            value.chars().rev().find(|c| matches!(c, '.' | ','))
        });
        marks.next().map_or(self.language.comma, |mark| mark == ',')
    }

    fn is_locked(&self, row: &[Cell]) -> bool {
        let cell = self.can_be_changed.map(|column| row[column].value(self.text));
        cell.is_some_and(|cell| cell == self.language.no)
    }
}

/// The text with some cells replaced.
fn edited(text: &str, delimiter: u8, mut edits: Vec<(&Cell, String)>) -> Vec<u8> {
    edits.sort_by_key(|(cell, _)| cell.range.start);
    let (mut content, mut from) = (String::new(), 0);
    for (cell, value) in edits {
        content.push_str(&text[from..cell.range.start]);
        content.push_str(&cell.written(text, &value, delimiter));
        from = cell.range.end;
    }
    content.push_str(&text[from..]);
    content.into_bytes()
}

/// The last number in an identifier, which Moodle uses as the key.
pub fn number(identifier: &str) -> Option<&str> {
    let end = identifier.trim_end();
    let start = end.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    Some(&end[start..]).filter(|digits| !digits.is_empty())
}

fn find<'g>(identifier: &str, grades: &'g [Grade]) -> Result<Option<&'g Grade>, WorksheetError> {
    let Some(wanted) = number(identifier) else { return Ok(None) };
    let mut found = grades.iter().filter(|grade| number(&grade.member.id) == Some(wanted));
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(WorksheetError::SameNumber(identifier.to_owned())),
        (found, _) => Ok(found),
    }
}

/// Prevents a spreadsheet from parsing a text as a formula.
pub(crate) fn neutral(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r') => format!("'{text}"),
        _ => text.to_owned(),
    }
}
