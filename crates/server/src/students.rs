//! Parser of student lists.

use pitmaster_core::i18n::{Message, said};

use crate::database::ImportRow;

/// Parses a list of students: number, name, mail and group, separated by commas, semicolons or
/// tabs. A header row is skipped.
///
/// # Errors
/// The text is not such a list, or it has no rows.
pub fn read_list(text: &str) -> Result<Vec<ImportRow>, Message> {
    let first = text.lines().next().unwrap_or_default();
    let separator = [b'\t', b';'].into_iter().find(|it| first.as_bytes().contains(it));
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator.unwrap_or(b','))
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| said!("The list cannot be read: {}.", error.to_string()))?;
        let cell = |n: usize| record.get(n).unwrap_or_default().to_owned();
        let is_title = rows.is_empty() && !cell(0).contains(|c: char| c.is_ascii_digit());
        if !record.iter().all(str::is_empty) && !is_title {
            let [student_no, name, mail, group] = [0, 1, 2, 3].map(cell);
            rows.push(ImportRow { student_no, name, mail, group });
        }
    }
    if rows.is_empty() {
        Err(said!("The list has no rows with a student number."))
    } else {
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_with_any_separator_and_titles() {
        let row = |student_no: &str, name: &str, mail: &str, group: &str| {
            let [student_no, name, mail, group] =
                [student_no, name, mail, group].map(str::to_owned);
            ImportRow { student_no, name, mail, group }
        };
        let expected = Ok(vec![row("1", "Lu, Éva", "e@x", "Groupe 1"), row("2", "Adam", "", "")]);
        assert_eq!(read_list("1,\"Lu, Éva\",e@x,Groupe 1\r\n2,Adam\r\n"), expected);
        assert_eq!(
            read_list("Numéro;Nom;Mail;Groupe\n1;Lu, Éva;e@x;Groupe 1\n\n2;Adam;;\n"),
            expected
        );
        assert_eq!(read_list("1\tLu, Éva\te@x\tGroupe 1\n2\tAdam\t\t\n"), expected);
        for text in ["", "number,name", "\n\n"] {
            assert!(read_list(text).is_err(), "{text:?}");
        }
    }
}
