//! `grades.csv`: grades for any platform.

use pitmaster_core::i18n::Lang;

use super::neutral;
use crate::grading::Grade;

/// Writes `grades.csv`: id, name, email, grade, maximum and comment of every person.
///
/// # Errors
/// None for a list in memory; the error type is that of the writer.
pub fn grades_csv(grades: &[Grade], lang: Lang) -> Result<Vec<u8>, csv::Error> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["id", "name", "email", "grade", "max", "comment"])?;
    for grade in grades {
        let member = &grade.member;
        let own = [grade.points.to_string(), grade.maximum.to_string()];
        let [id, name, email] = [&member.id, &member.name, &member.email].map(|it| neutral(it));
        rows.write_record(
            [id, name, email].iter().chain(&own).chain([&neutral(&grade.comment(lang))]),
        )?;
    }
    rows.into_inner().map_err(|error| error.into_error().into())
}
