//! Canvas's gradebook: a row per student with a column per assignment, `TITLE (ID)`, and a row of
//! maximum points above the students. Rows are found by the student's number in the column `ID`.

use super::cells::{self, Cell};
use super::{Filled, WorksheetError, edited, find};
use crate::grading::{Grade, Points};

/// Column of the student's number.
const ID: usize = 1;

/// Layout of a gradebook.
pub(super) struct Gradebook<'t> {
    text: &'t str,
    delimiter: u8,
    column: usize,
    maximum: Points,
    comma: bool,
    /// Rows of students.
    rows: Vec<Vec<Cell>>,
}

impl<'t> Gradebook<'t> {
    /// Finds the layout; `None` if the file is not a gradebook.
    ///
    /// # Errors
    /// The assignment or the row of points is missing, or a row has another number of cells.
    pub(super) fn find(
        text: &'t str,
        column: Option<&str>,
    ) -> Result<Option<Self>, WorksheetError> {
        for delimiter in [b',', b';', b'\t'] {
            let mut rows = cells::rows(text, delimiter);
            rows.retain(|row| row.len() > 1);
            let Some(header) = rows.first() else { continue };
            let heading = |cell: &Cell| cell.value(text).trim_start_matches('\u{feff}').to_owned();
            let headings: Vec<_> = header.iter().map(heading).collect();
            if headings[0].trim_matches('"') != "Student" || headings[ID] != "ID" {
                continue;
            }
            if let Some(at) = rows.iter().position(|row| row.len() != headings.len()) {
                let (row, cells, columns) = (at + 1, rows[at].len(), headings.len());
                return Err(WorksheetError::Row { row, cells, columns });
            }
            let column = assignment(&headings, column)?;
            let is_points = |row: &&Vec<Cell>| row[0].value(text).trim() == "Points Possible";
            let points = rows.iter().find(is_points).ok_or(WorksheetError::NoPoints)?;
            let points = points[column].value(text);
            let maximum = Points::parse(&points).ok_or(WorksheetError::NoPoints)?;
            let comma = points.contains(',');
            rows.retain(|row| super::number(&row[ID].value(text)).is_some());
            return Ok(Some(Self { text, delimiter, column, maximum, comma, rows }));
        }
        Ok(None)
    }

    pub(super) fn fill(&self, grades: &[Grade]) -> Result<Filled, WorksheetError> {
        let (mut result, mut edits, mut seen) = (Filled::default(), Vec::new(), Vec::new());
        for row in &self.rows {
            let id = row[ID].value(self.text);
            let Some(grade) = find(&id, grades)? else {
                result.unknown.push(row[0].value(self.text).into_owned());
                continue;
            };
            let (who, maximum) = (id.into_owned(), self.maximum);
            if seen.contains(&&grade.member.key) {
                return Err(WorksheetError::SameNumber(who));
            }
            seen.push(&grade.member.key);
            if grade.points > maximum {
                return Err(WorksheetError::AboveMaximum { who, grade: grade.points, maximum });
            }
            let points = grade.points.to_string();
            let points = if self.comma { points.replace('.', ",") } else { points };
            edits.push((&row[self.column], points));
            result.filled += 1;
        }
        result.content = edited(self.text, self.delimiter, edits);
        let absent = grades.iter().filter(|grade| !seen.contains(&&grade.member.key));
        result.absent = absent.map(|grade| grade.member.key.to_string()).collect();
        Ok(result)
    }
}

/// The column of an assignment, by its title or number; without one, the only assignment.
fn assignment(headings: &[String], wanted: Option<&str>) -> Result<usize, WorksheetError> {
    let parts = |heading: &'_ String| {
        let (title, id) = heading.strip_suffix(')')?.rsplit_once(" (")?;
        id.bytes().all(|byte| byte.is_ascii_digit()).then(|| (title.to_owned(), id.to_owned()))
    };
    let all: Vec<_> =
        headings.iter().enumerate().filter_map(|(at, text)| Some((at, parts(text)?))).collect();
    let fits = |(_, (title, id)): &&(usize, (String, String))| {
        wanted.is_none_or(|wanted| title == wanted || id == wanted)
    };
    let found: Vec<_> = all.iter().filter(fits).collect();
    match found[..] {
        [(at, _)] => Ok(*at),
        _ => {
            let name = |(_, (title, id)): &(usize, (String, String))| format!("{title} ({id})");
            Err(WorksheetError::Column(all.iter().map(name).collect()))
        }
    }
}
