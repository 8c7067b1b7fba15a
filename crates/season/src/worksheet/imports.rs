//! Grade files for other programs: Moodle's import of a gradebook, and Gradescope's results.

use pitmaster_core::Untrusted;
use pitmaster_core::i18n::Lang;
use serde_json::{Value, json};

use super::neutral;
use crate::grading::{Grade, Reason};

/// Maximum length of a reason, in characters.
const REASON: usize = 400;

/// Maximum length of all reasons together, in characters.
const FEEDBACK: usize = 8000;

/// Writes a table for Moodle's import of grades. It can match users by ID number or mail address,
/// so both are included. `title` is the heading of the grades.
///
/// # Errors
/// None for a list in memory; the error type is that of the writer.
pub fn moodle_csv(grades: &[Grade], title: &str, lang: Lang) -> Result<Vec<u8>, csv::Error> {
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(["ID number", "Email address", "Full name", &neutral(title), "Feedback"])?;
    for grade in grades {
        let member = &grade.member;
        // Without a number the id is another text, which Moodle does not know.
        let id = if member.id == member.email { "" } else { &member.id };
        let [id, email, name] = [id, &member.email, &member.name].map(neutral);
        let feedback = Untrusted::new(grade.comment(lang)).shown(FEEDBACK);
        let (points, feedback) = (grade.points.to_string(), neutral(&feedback));
        rows.write_record([&id, &email, &name, &points, &feedback])?;
    }
    rows.into_inner().map_err(|error| error.into_error().into())
}

/// Writes a JSON list with a row for each person. Its `results` have the form of Gradescope's
/// `results.json`.
pub fn gradescope_json(grades: &[Grade], lang: Lang) -> Vec<u8> {
    let row = |grade: &Grade| {
        let member = &grade.member;
        let tests: Vec<_> = grade.reasons.iter().map(|reason| test(reason, lang)).collect();
        json!({
            "student_id": member.id,
            "name": member.name,
            "email": member.email,
            "results": {
                "score": grade.points.number(),
                "output": grade.total(lang),
                "tests": tests,
            },
        })
    };
    let rows: Vec<_> = grades.iter().map(row).collect();
    format!("{:#}\n", Value::from(rows)).into_bytes()
}

fn test(reason: &Reason, lang: Lang) -> Value {
    let why = Untrusted::new(reason.why.to(lang)).shown(REASON);
    let mut test = json!({"name": reason.what.to(lang), "output": why});
    if let Some(points) = reason.points {
        test["score"] = points.number().into();
    }
    test
}
