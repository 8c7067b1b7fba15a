//! Lists of people as platforms export them.

use std::fmt::Write as _;

use super::people::Person;

/// Language of Moodle's pages, which decides headings and decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    French,
    German,
}

impl Language {
    pub(crate) const ALL: [(&'static str, Self); 3] =
        [("english", Self::English), ("french", Self::French), ("german", Self::German)];

    /// The language of this name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, it)| *it).ok_or_else(|| "english, french or german".to_owned())
    }
}

/// Words of Moodle: headings from the identifier to the comments, then the words of cells.
struct Words {
    headings: [&'static str; 11],
    participant: &'static str,
    handed_in: &'static str,
    nothing: &'static str,
    yes: &'static str,
    maximum: &'static str,
    date: &'static str,
}

const ENGLISH: Words = Words {
    headings: [
        "Identifier",
        "Full name",
        "ID number",
        "Email address",
        "Status",
        "Grade",
        "Maximum Grade",
        "Grade can be changed",
        "Last modified (submission)",
        "Last modified (grade)",
        "Feedback comments",
    ],
    participant: "Participant ",
    handed_in: "Submitted for grading - ",
    nothing: "No submission - ",
    yes: "Yes",
    maximum: "20.00",
    date: "Friday, 20 November 2026, 11:58 PM",
};

const FRENCH: Words = Words {
    headings: [
        "Identifiant",
        "Nom complet",
        "Numéro d'identification",
        "Adresse de courriel",
        "Statut",
        "Note",
        "Note maximale",
        "La note peut être modifiée",
        "Dernière modification (travail remis)",
        "Dernière modification (note)",
        "Feedback par commentaires",
    ],
    participant: "Participant",
    handed_in: "Remis pour évaluation - ",
    nothing: "Aucun travail remis - ",
    yes: "Oui",
    maximum: "20,00",
    date: "vendredi 20 novembre 2026, 23:58",
};

const GERMAN: Words = Words {
    headings: [
        "ID",
        "Vollständiger Name",
        "ID-Nummer",
        "E-Mail-Adresse",
        "Status",
        "Bewertung",
        "Bestwertung",
        "Bewertung kann geändert werden",
        "Zuletzt geändert (Abgabe)",
        "Zuletzt geändert (Bewertung)",
        "Feedback als Kommentar",
    ],
    participant: "Teilnehmer/in",
    handed_in: "Zur Bewertung abgegeben - ",
    nothing: "Keine Abgabe - ",
    yes: "Ja",
    maximum: "20,00",
    date: "Freitag, 20. November 2026, 23:58",
};

fn quoted(cell: &str) -> String {
    if cell.contains([' ', ',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

fn row<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    cells.into_iter().map(quoted).collect::<Vec<_>>().join(",")
}

/// Moodle's grading worksheet, with a byte order mark and the ends of lines of PHP.
pub(crate) fn moodle(people: &[(&Person, bool)], language: Language, is_named: bool) -> Vec<u8> {
    let words = match language {
        Language::English => ENGLISH,
        Language::French => FRENCH,
        Language::German => GERMAN,
    };
    let mut text = format!("\u{feff}{}\n", row(words.headings));
    for (person, has_submitted) in people {
        let identifier = format!("{}{}", words.participant, person.id());
        let (status, date) = match has_submitted {
            true => (words.handed_in, words.date),
            false => (words.nothing, "-"),
        };
        let name = if is_named { person.full() } else { String::new() };
        let email = if is_named { person.email() } else { String::new() };
        let number = format!("2026{:04}", person.number);
        let cells = [
            &*identifier,
            &*name,
            if is_named { &*number } else { "" },
            &*email,
            status,
            "",
            words.maximum,
            words.yes,
            date,
            "-",
            "",
        ];
        text.push_str(&row(cells));
        text.push('\n');
    }
    text.into_bytes()
}

/// Canvas's gradebook, with its second row of points and the test student.
pub(crate) fn canvas(people: &[&Person]) -> Vec<u8> {
    let mut text = "Student,ID,SIS User ID,SIS Login ID,Section,Awale (551203),Report (551204),\
                    Current Score,Final Score\n    Points Possible,,,,,20.00,10.00,(read only),\
                    (read only)\n"
        .to_owned();
    for person in people {
        let name = format!("{}, {}", person.last, person.first);
        let number = format!("2026{:04}", person.number);
        let (id, login) = (person.id(), person.login());
        let cells = [&*name, &*id, &*number, &*login, "INF421 A", "", "7.5", "75.0", "25.0"];
        text.push_str(&row(cells));
        text.push('\n');
    }
    text.push_str("\"Student, Test\",900001,,a1b2c3,INF421 A,,,,\n");
    text.into_bytes()
}

/// GitHub Classroom's roster.
pub(crate) fn classroom(people: &[&Person]) -> Vec<u8> {
    let mut text = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n".to_owned();
    for person in people {
        let (email, login, id, name) = (person.email(), person.login(), person.id(), person.full());
        let _ = writeln!(text, "\"{email}\",\"{login}\",\"{id}\",\"{name}\"");
    }
    text.into_bytes()
}

/// A list of ids, names and addresses.
pub(crate) fn plain(people: &[(String, &Person)]) -> Vec<u8> {
    let mut text = "id,name,email\n".to_owned();
    for (id, person) in people {
        text.push_str(&row([&**id, &*person.full(), &*person.email()]));
        text.push('\n');
    }
    text.into_bytes()
}
