//! Rosters: lists of people from a platform, as CSV in any language.
//!
//! Headings are translated by the platforms, so columns are recognized by their content. Only the
//! time of a submission is found by its heading, because a worksheet has several times.

use crate::time::submission_time;

/// Headings of the time of a submission: Moodle's in English, French and German, GitHub Classroom's,
/// and that of a list by hand.
const TIMES: [&str; 5] = [
    "Last modified (submission)",
    "Dernière modification (travail remis)",
    "Zuletzt geändert (Abgabe)",
    "submission_timestamp",
    "handed_in",
];

/// Name of the test student in Canvas's student view.
const TEST_STUDENT: &str = "Student, Test";

/// A person of a roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The id that the platform uses in its exports.
    pub id: String,
    /// Full name; empty if unknown.
    pub name: String,
    /// Email address; empty if unknown.
    pub email: String,
    /// Time of the submission as the platform writes it; empty if unknown.
    pub handed_in: String,
}

/// Reads the people of a roster, such as Moodle's grading worksheet, or a CSV with the id in the
/// first column. Returns an empty list if no row has an id.
pub fn people(bytes: &[u8]) -> Vec<Person> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let count = |wanted: u8| first.split(|&byte| byte == wanted).count();
    let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|&byte| (count(byte), byte == b','));
    let mut rows = csv::ReaderBuilder::new();
    let mut rows = rows.flexible(true).delimiter(delimiter.unwrap_or(b',')).from_reader(bytes);
    let headings: Vec<String> = rows
        .byte_headers()
        .map(|row| row.iter().map(|cell| String::from_utf8_lossy(cell).trim().into()).collect())
        .unwrap_or_default();
    let time = headings.iter().position(|heading| TIMES.contains(&heading.as_str()));
    // Canvas's gradebook begins with the name.
    let is_gradebook = headings.starts_with(&["Student".to_owned(), "ID".to_owned()]);
    let (id, name) = if is_gradebook { (1, 0) } else { (0, 1) };
    let mut people = Vec::new();
    let mut row = csv::ByteRecord::new();
    while let Ok(true) = rows.read_byte_record(&mut row) {
        let cells: Vec<_> =
            row.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
        let Some(id) = cells.get(id).map(|cell| id_in(cell)).filter(|id| !id.is_empty()) else {
            continue;
        };
        if is_gradebook && cells[0] == TEST_STUDENT {
            continue;
        }
        let email = cells.iter().find(|cell| is_email(cell)).cloned().unwrap_or_default();
        let name = cells.get(name).filter(|cell| !is_email(cell)).cloned().unwrap_or_default();
        let time = time.and_then(|at| cells.get(at)).filter(|cell| submission_time(cell).is_some());
        let handed_in = time.cloned().unwrap_or_default();
        people.push(Person { id: id.to_owned(), name, email, handed_in });
    }
    people
}

/// The number at the end of `Participant 4200101` or `Participant4200101`; any other text is
/// unchanged.
fn id_in(cell: &str) -> &str {
    let word = cell.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &cell[word.len()..];
    // The platform's word is capitalized, unlike user names.
    let is_word = word.starts_with(char::is_uppercase)
        && word.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || c == '/');
    if is_word && !number.is_empty() { number } else { cell }
}

fn is_email(cell: &str) -> bool {
    cell.split_once('@').is_some_and(|(user, host)| {
        !user.is_empty() && host.contains('.') && !cell.contains(char::is_whitespace)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str, name: &str, email: &str) -> Person {
        let handed_in = String::new();
        Person { id: id.into(), name: name.into(), email: email.into(), handed_in }
    }

    #[test]
    fn moodles_worksheet_in_french() {
        let text = "\u{feff}Identifiant,Nom complet,Numéro d'identification,Adresse de courriel\n\
                    Participant4200101,Élodie Lefèvre,20260000,etu0@univ.example\n\
                    Teilnehmer/in 7,\"Hôpital, D\",,\n";
        let wanted = [
            person("4200101", "Élodie Lefèvre", "etu0@univ.example"),
            person("7", "Hôpital, D", ""),
        ];
        assert_eq!(people(text.as_bytes()), wanted);
    }

    #[test]
    fn the_time_of_the_submission_is_not_that_of_the_grade() {
        let text = "Identifiant,Nom complet,Statut,Note,Dernière modification (travail \
                    remis),Dernière modification (note)\n\
                    Participant1,Ada,Remis,,\"vendredi 20 novembre 2026, 23:58\",-\n\
                    Participant2,Bob,-,3,-,\"samedi 21 novembre 2026, 08:00\"\n";
        let times: Vec<_> = people(text.as_bytes()).into_iter().map(|it| it.handed_in).collect();
        assert_eq!(times, ["vendredi 20 novembre 2026, 23:58", ""]);
    }

    #[test]
    fn canvas_gradebook_without_its_row_of_points() {
        let text = "Student,ID,SIS User ID,SIS Login ID,Section,Awale (7)\n    Points Possible,,,,,20\n\
                    \"Lefèvre, Élodie\",101,1,e@x.example,A,\n\"Student, Test\",9,,x,A,\n";
        assert_eq!(people(text.as_bytes()), [person("101", "Lefèvre, Élodie", "e@x.example")]);
    }

    #[test]
    fn a_plain_list_with_semicolons() {
        let text = "id;name;email\nada01;Ada Lovelace;ada@x.example\n";
        assert_eq!(people(text.as_bytes()), [person("ada01", "Ada Lovelace", "ada@x.example")]);
    }
}
