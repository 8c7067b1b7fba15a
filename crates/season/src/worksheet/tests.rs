use pitmaster_core::i18n::Message;

use super::*;
use crate::State;
use crate::grading::{Reason, fixtures::member};

fn grades() -> Vec<Grade> {
    [("4200101", 17.5), ("4200102", 20.0), ("4200103", 0.0)]
        .map(|(key, points)| Grade {
            member: member(key, "Élodie", State::Ready),
            points: Points::from_number(points),
            maximum: Points::from_number(20.0),
            reasons: vec![Reason {
                what: "greedy".into(),
                points: Some(Points::from_number(points)),
                why: Message::new("reached, \"well\"", Vec::new()),
            }],
            open: false,
            cannot_play: None,
        })
        .to_vec()
}

fn fill_in(downloaded: &[u8], grades: &[Grade]) -> Result<Filled, WorksheetError> {
    fill(downloaded, grades, None, Lang::English)
}

const WORDS: [[&str; 5]; 3] = [
    ["Participant ", "Full name", "Status", "Yes", "No"],
    ["Participant", "Nom complet", "Statut", "Oui", "Non"],
    ["Teilnehmer/in", "Vollständiger Name", "Status", "Ja", "Nein"],
];

fn worksheet(language: usize, comma: bool, delimiter: &str) -> String {
    let Headings { identifier, grade, maximum, can_be_changed, modified, comment, .. } =
        &LANGUAGES[language];
    let [participant, name, status, yes, no] = WORDS[language];
    let max = if comma { "\"20,00\"" } else { "20.00" };
    let quote = |text: &str| format!("\"{text}\"");
    let header = [
        (*identifier).to_owned(),
        quote(name),
        status.to_owned(),
        (*grade).to_owned(),
        quote(maximum),
        quote(can_be_changed),
        quote(modified),
        quote(comment),
    ];
    let row = |number: &str, name: &str, can: &str| {
        [&format!("{participant}{number}"), name, "ok", "", max, can, "-", ""].join(delimiter)
    };
    let rows = [
        header.join(delimiter),
        row("4200101", "\"=1+1, \"\"x\"\"\r\nLefèvre\"", yes),
        row("4200102", "Paul Dupont", yes),
        row("4200103", "Paul Dupont", no),
        row("4200999", "Guest", yes),
    ];
    format!("\u{feff}{}\r\n", rows.join("\r\n"))
}

/// Scripted copy of Moodle's reader (`mod/assign/feedback/offline/importgradeslib.php`): finds
/// columns by exact words, cuts the identifier's word off by its length and skips rows.
fn moodle_reads(
    content: &[u8],
    language: usize,
    comma: bool,
    delimiter: u8,
) -> Vec<(u64, f64, String)> {
    let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap();
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(content);
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).unwrap();
    let words = &LANGUAGES[language];
    column(words.modified);
    let (id, grade) = (column(words.identifier), column(words.grade));
    let (maximum, comment) = (column(words.maximum), column(words.comment));
    let locked = column(words.can_be_changed);
    let number = |text: &str| {
        let text = if comma { text.replace(',', ".") } else { text.to_owned() };
        text.parse::<f64>().ok()
    };
    let participant = WORDS[language][0].trim();
    let taken = |row: csv::StringRecord| {
        let who: u64 = row[id][participant.len()..].trim().parse().unwrap();
        let (given, most) = (number(&row[grade])?, number(&row[maximum])?);
        let skipped = given < 0.0 || given > most || row[locked] == *words.no;
        (!skipped).then(|| (who, given, row[comment].to_owned()))
    };
    reader.records().filter_map(|row| taken(row.unwrap())).collect()
}

#[test]
fn moodle_takes_every_row_in_every_language_and_style() {
    for language in 0..3 {
        for comma in [false, true] {
            for delimiter in [",", ";", "\t"] {
                let downloaded = worksheet(language, comma, delimiter);
                let filled = fill_in(downloaded.as_bytes(), &grades()).unwrap();
                let delimiter = delimiter.as_bytes()[0];
                let taken = moodle_reads(&filled.content, language, comma, delimiter);
                let points: Vec<_> = taken.iter().map(|(who, points, _)| (*who, *points)).collect();
                assert_eq!(points, [(4_200_101, 17.5), (4_200_102, 20.0)]);
                assert_eq!(taken[0].2, "17.5 of 20 | greedy: 17.5; reached, \"well\"");
                assert_eq!((filled.filled, filled.locked.len(), filled.unknown.len()), (2, 1, 1));
                assert!(filled.absent.is_empty() && filled.locked[0].ends_with("4200103"));
            }
        }
    }
}

#[test]
fn nothing_else_changes() {
    let downloaded = worksheet(1, true, ",");
    let filled = fill_in(downloaded.as_bytes(), &grades()).unwrap();
    let filled = String::from_utf8(filled.content).unwrap();
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let comment = |points| cell(&format!("{points} of 20 | greedy: {points}; reached, \"well\""));
    let expected = downloaded
        .replacen(
            ",ok,,\"20,00\",Oui,-,\r\n",
            &format!(",ok,\"17,5\",\"20,00\",Oui,-,{}\r\n", comment("17.5")),
            1,
        )
        .replacen(
            ",ok,,\"20,00\",Oui,-,\r\n",
            &format!(",ok,20,\"20,00\",Oui,-,{}\r\n", comment("20")),
            1,
        );
    assert_eq!(filled, expected);
    // Filling again changes only the same cells.
    let again = fill_in(filled.as_bytes(), &grades()).unwrap();
    assert_eq!((again.content, again.replaced_comments), (filled.into_bytes(), 2));
}

#[test]
fn what_moodle_would_skip_is_refused() {
    let mut above = grades();
    above[1].points = Points::from_number(20.5);
    let error = fill_in(worksheet(0, false, ",").as_bytes(), &above).unwrap_err();
    assert!(matches!(error, WorksheetError::AboveMaximum { .. }), "{error}");
    let scale = worksheet(2, true, ";").replace("Bestwertung", "Skala");
    assert_eq!(fill_in(scale.as_bytes(), &grades()), Err(WorksheetError::Scale));
    assert_eq!(fill_in(b"name;points\nx;1\n", &grades()), Err(WorksheetError::Headings));
    assert_eq!(fill_in(b"\xff\xfe", &grades()), Err(WorksheetError::NotUtf8));
    let short = worksheet(0, false, ",") + "Participant 5,x\r\n";
    assert!(matches!(
        fill_in(short.as_bytes(), &grades()),
        Err(WorksheetError::Row { row: 6, .. })
    ));
    let mut same = grades();
    same[1].member.id = "Participant4200101".into();
    let error = fill_in(worksheet(0, false, ",").as_bytes(), &same).unwrap_err();
    assert!(matches!(error, WorksheetError::SameNumber(_)));
}

#[test]
fn own_cells_are_no_formulas() {
    assert_eq!(neutral("=1+1"), "'=1+1");
    assert_eq!(neutral("17"), "17");
    let mut evil = grades();
    evil[0].member.name = "=cmd()".into();
    let csv = String::from_utf8(grades_csv(&evil, Lang::English).unwrap()).unwrap();
    assert!(csv.contains(",'=cmd(),"), "{csv}");
}

#[test]
fn people_are_joined_by_the_number() {
    assert_eq!(number("Participant 4200101"), Some("4200101"));
    assert_eq!(number("Teilnehmer/in4200101"), Some("4200101"));
    assert_eq!(number("4200101"), Some("4200101"));
    assert_eq!(number("nobody"), None);
}

const GRADEBOOK: &str = "\u{feff}Student,ID,SIS User ID,SIS Login ID,Section,Awale (551203),Report \
    (551204),Current Score\r\n,,,,,Manual Posting,,\r\n    Points Possible,,,,,20.00,10.00,(read only)\r\n\
    \"Lefèvre, Élodie\",4200101,1,etu001,\"A, B\",,7.5,=1+1\r\n\
    \"Dupont, Paul\",4200102,2,etu002,A,3,,\r\n\"Student, Test\",900001,,x,A,,,\r\n";

fn gradebook(column: Option<&str>) -> Result<Filled, WorksheetError> {
    fill(GRADEBOOK.as_bytes(), &grades(), column, Lang::English)
}

#[test]
fn one_cell_a_row_of_a_gradebook_changes() {
    let filled = gradebook(Some("Awale")).unwrap();
    let wanted = GRADEBOOK
        .replace("\"A, B\",,7.5", "\"A, B\",17.5,7.5")
        .replace("etu002,A,3,", "etu002,A,20,");
    assert_eq!(String::from_utf8(filled.content.clone()).unwrap(), wanted);
    assert_eq!((filled.filled, &filled.unknown[..]), (2, &["Student, Test".to_owned()][..]));
    assert_eq!(filled.absent, ["4200103"]);
    assert_eq!(gradebook(Some("551203")).unwrap(), filled);
}

#[test]
fn a_gradebook_needs_an_assignment_and_its_points() {
    let names = ["Awale (551203)".to_owned(), "Report (551204)".to_owned()].to_vec();
    assert_eq!(gradebook(None), Err(WorksheetError::Column(names.clone())));
    assert_eq!(gradebook(Some("Kalah")), Err(WorksheetError::Column(names)));
    let above = gradebook(Some("Report"));
    assert!(matches!(above, Err(WorksheetError::AboveMaximum { .. })), "{above:?}");
    let without = GRADEBOOK.replace("Points Possible", "Points");
    let without = fill(without.as_bytes(), &grades(), Some("Awale"), Lang::English);
    assert_eq!(without, Err(WorksheetError::NoPoints));
}

/// Grades of people whose names and reasons contain formulas or code.
fn hostile() -> Vec<Grade> {
    let mut grades = grades();
    grades[0].member.id = "20260001".into();
    grades[1].member.name = "=HYPERLINK(\"http://x\")".into();
    grades[1].member.id = "@cmd".into();
    grades[2].member.name = "<script>\n\"".into();
    let email = grades[2].member.email.clone();
    grades[2].member.id = email;
    grades[2].open = true;
    let why = Message::new("no points for play: +1\u{202e}\n\u{1b}[2J", Vec::new());
    grades[2].reasons = vec![Reason { what: "gate".into(), points: None, why }];
    grades
}

#[test]
fn moodle_imports_numbers_mails_grades_and_comments() {
    let csv = moodle_csv(&hostile(), "=Awale", Lang::French).unwrap();
    insta::assert_snapshot!(String::from_utf8(csv.clone()).unwrap());
    assert_eq!(moodle_csv(&hostile(), "=Awale", Lang::French).unwrap(), csv);
}

#[test]
fn gradescope_gets_results_with_a_test_for_each_reason() {
    let json = gradescope_json(&hostile(), Lang::English);
    insta::assert_snapshot!(String::from_utf8(json.clone()).unwrap());
    assert_eq!(gradescope_json(&hostile(), Lang::English), json);
}

#[test]
fn a_plain_table_has_no_formulas() {
    insta::assert_snapshot!(
        String::from_utf8(grades_csv(&hostile(), Lang::English).unwrap()).unwrap()
    );
}
