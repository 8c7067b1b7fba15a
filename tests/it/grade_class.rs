//! Return of grades to a class: Moodle's worksheet and feedback, Canvas's gradebook and files,
//! ILIAS's tree, and mails.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};

use crate::contest::tournament;
use crate::generator::{ClassOptions, Form, Generated, Language, archive_of, generate};
use crate::scratch::Scratch;

/// Most tests need all kinds of submissions twice; feedback is tested with 300 people.
const PEOPLE: usize = 48;

const SCHEME: &str = "maximum = 20\nround = 0.25\n[[milestone]]\nname = 'beats random'\n\
    against = 'random'\nline = 0.3\npoints = 12.5\n[[part]]\nname = 'report'\npoints = 7.5\n";

/// A class after intake, and a small tournament of some of its bots.
fn played(people: usize, form: Form, language: Language, keys: [&str; 3]) -> (Scratch, Generated) {
    let class = generate(&ClassOptions { people, form, seed: 1, language });
    let scratch = Scratch::new();
    scratch.write("export.zip", archive_of(&class.files)).write("people.csv", &class.people_csv);
    scratch.run("intake export.zip --into class --worksheet people.csv").done();
    scratch.fast(keys[0], "random").fast(keys[1], "first");
    let bots = format!("include = ['own/*', 'class/bots/{}', 'house:random']", keys[2]);
    scratch.write("cup.toml", tournament("per_move = '5s'\n", 10, &bots));
    scratch.run("run cup.toml -q");
    scratch.write("scheme.toml", SCHEME);
    (scratch, class)
}

/// Three people: the bots of the first two play, that of the third does not build.
const MOODLE: [&str; 3] = ["4200101", "4200102", "4200106"];

fn grade(scratch: &Scratch, rest: &str) -> String {
    let args = "grade results/cup --class class --scheme scheme.toml --into grades";
    scratch.run(&format!("{args} {rest}")).done().stdout
}

/// Files of an archive by name.
fn unzipped(scratch: &Scratch, name: &str) -> BTreeMap<String, String> {
    let bytes = std::fs::read(scratch.path(name)).expect("an archive");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("a zip archive");
    let mut files = BTreeMap::new();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).expect("an entry");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("UTF-8");
        assert!(files.insert(file.name().expect("a name").into_owned(), text).is_none());
    }
    files
}

/// Moodle's words: for a participant, then the column headings that Moodle reads.
fn words(language: Language) -> [&'static str; 6] {
    match language {
        Language::English => [
            "Participant",
            "Identifier",
            "Grade",
            "Maximum Grade",
            "Last modified (grade)",
            "Feedback comments",
        ],
        Language::French => [
            "Participant",
            "Identifiant",
            "Note",
            "Note maximale",
            "Dernière modification (note)",
            "Feedback par commentaires",
        ],
        Language::German => [
            "Teilnehmer/in",
            "ID",
            "Bewertung",
            "Bestwertung",
            "Zuletzt geändert (Bewertung)",
            "Feedback als Kommentar",
        ],
    }
}

/// Reimplementation of Moodle's reader (`mod/assign/feedback/offline/importgradeslib.php`). Returns
/// the number and the grade of every row that it accepts.
fn moodle_takes(sheet: &str, language: Language, comma: bool) -> BTreeMap<u64, f64> {
    let [participant, identifier, grade, maximum, modified, _] = words(language);
    let sheet = sheet.strip_prefix('\u{feff}').expect("a byte order mark");
    let mut rows = csv::Reader::from_reader(sheet.as_bytes());
    let header = rows.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).expect("a heading");
    column(modified);
    let number = |text: &str| {
        let text = if comma { text.replace(',', ".") } else { text.to_owned() };
        text.parse::<f64>().ok()
    };
    let mut taken = BTreeMap::new();
    for row in rows.records().map(|row| row.expect("a row")) {
        let who = row[column(identifier)][participant.len()..].trim().parse().expect("a number");
        let given = number(&row[column(grade)]).filter(|given| *given >= 0.0);
        let most = number(&row[column(maximum)]).expect("a maximum");
        if let Some(given) = given.filter(|given| *given <= most) {
            taken.insert(who, given);
        }
    }
    taken
}

fn quoted(cell: &str) -> String {
    let special = [',', '"', '\n', '\r'];
    if cell.contains(special) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.into() }
}

/// Checks that every line equals that of the download except for the grade and the comment.
fn only_two_cells_differ(before: &str, after: &str, language: Language, maximum: &str) {
    let [_, _, grade, _, _, comment] = words(language);
    let mut rows = csv::Reader::from_reader(after.trim_start_matches('\u{feff}').as_bytes());
    let header = rows.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|heading| heading == name).expect("a heading");
    let mut wanted = before.lines().next().expect("a header").to_owned() + "\n";
    for (line, row) in before.lines().skip(1).zip(rows.records()) {
        let row = row.expect("a row");
        let at = line.rfind(&format!(",{maximum},")).expect("an empty grade");
        let [grade, comment] = [grade, comment].map(|name| quoted(&row[column(name)]));
        let (before, after) = line.split_at(at);
        let _ = writeln!(wanted, "{before}{grade}{after}{comment}");
    }
    assert!(wanted == after, "{}", first_difference(&wanted, after));
}

fn first_difference(a: &str, b: &str) -> String {
    let lines = a.lines().zip(b.lines()).find(|(a, b)| a != b);
    lines.map_or_else(|| "the number of lines".into(), |(a, b)| format!("{a}\n{b}"))
}

#[test]
fn moodle_takes_all_rows_in_every_language_and_style() {
    for (_, language) in Language::ALL {
        let (scratch, class) = played(PEOPLE, Form::Moodle, language, MOODLE);
        let sheet = String::from_utf8(class.people_csv).expect("UTF-8");
        let own = if sheet.contains("20,00") { "\"20,00\"" } else { "20.00" };
        for (maximum, comma) in [("\"20,00\"", true), ("20.00", false)] {
            let sheet = sheet.replace(own, maximum);
            scratch.write("Notes.csv", &sheet);
            grade(&scratch, "--worksheet Notes.csv");
            let filled = scratch.read("grades/Notes.csv");
            let taken = moodle_takes(&filled, language, comma);
            assert_eq!(taken.len(), PEOPLE);
            assert!(taken.values().any(|grade| (grade - 12.5).abs() < 1e-9), "{taken:?}");
            only_two_cells_differ(&sheet, &filled, language, maximum);
        }
        scratch.write("Notes.csv", sheet.replace(own, "10.00"));
        let args = "grade results/cup --class class --scheme scheme.toml --into grades";
        let ran = scratch.run(&format!("{args} --worksheet Notes.csv"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        assert!(
            ran.stderr.contains("12.5 is above the worksheet's maximum of 10"),
            "{}",
            ran.all()
        );
    }
}

/// The participant to whom Moodle assigns a file of a feedback archive (`importziplib.php`), if it
/// accepts it.
fn moodle_owner(path: &str) -> Option<String> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    if file.starts_with(['.', '~']) {
        return None;
    }
    let parts: Vec<_> = folder.splitn(5, '_').collect();
    let [_, number, subtype, plugin, ..] = parts[..] else { return None };
    let is_known = number.bytes().all(|byte| byte.is_ascii_digit());
    (is_known && [subtype, plugin] == ["assignfeedback", "file"]).then(|| number.to_owned())
}

#[test]
fn moodle_takes_300_pages_and_none_names_another_person() {
    let (scratch, class) = played(300, Form::Moodle, Language::French, MOODLE);
    let told = grade(&scratch, "--mail --lang fr");
    assert!(told.contains("feedback.zip: pages for the platform"), "{told}");
    assert!(told.contains("300 mails; nothing was sent"), "{told}");
    let pages = unzipped(&scratch, "grades/feedback.zip");
    let owners: BTreeSet<_> = pages.keys().map(|path| moodle_owner(path).expect(path)).collect();
    assert_eq!((pages.len(), owners.len()), (300, 300));
    let names: BTreeSet<_> = class.expected.iter().map(|person| person.name.as_str()).collect();
    for (path, page) in &pages {
        assert!(page.len() <= 60_000, "{path}: {}", page.len());
        let id = moodle_owner(path).expect(path);
        let own = class.expected.iter().find(|person| person.id == id).expect("a person");
        let others = names.iter().filter(|name| !own.name.contains(**name));
        let told: Vec<_> = others.filter(|name| page.contains(**name)).collect();
        assert!(told.is_empty(), "{path} names {told:?}");
    }
    let broken = &scratch.read("grades/feedback/4200106.html");
    assert!(broken.contains("bot.c:") && broken.contains("error: expected expression"), "{broken}");
    // The archive in parts that fit an upload limit.
    let told = grade(&scratch, "--split 100KB");
    assert!(told.contains("feedback-1.zip to feedback-"), "{told}");
    assert!(!scratch.path("grades/feedback.zip").exists());
    let mut parts = BTreeMap::new();
    for number in 1.. {
        let name = format!("grades/feedback-{number}.zip");
        let Ok(file) = std::fs::metadata(scratch.path(&name)) else { break };
        assert!(file.len() <= 100_000, "{name}: {}", file.len());
        parts.extend(unzipped(&scratch, &name));
    }
    assert_eq!(parts.len(), 300);
    grade(&scratch, "--split 20MB");
    assert!(!scratch.path("grades/feedback-2.zip").exists());
    assert_eq!(unzipped(&scratch, "grades/feedback-1.zip").len(), 300);
}

#[test]
fn canvas_takes_the_gradebook_and_pages_under_the_names_of_its_files() {
    let (scratch, class) = played(PEOPLE, Form::Canvas, Language::English, MOODLE);
    scratch.write("gradebook.csv", &class.people_csv);
    let told = grade(&scratch, "--worksheet gradebook.csv --column Awale");
    assert!(told.contains("gradebook.csv: 48 rows filled in"), "{told}");
    let before = String::from_utf8(class.people_csv).expect("UTF-8");
    let after = scratch.read("grades/gradebook.csv");
    for (old, new) in before.lines().zip(after.lines()) {
        let old: Vec<_> = old.split("INF421 A\",").collect();
        let new: Vec<_> = new.split("INF421 A\",").collect();
        let [old, new] = [old, new].map(|parts| {
            let rest = parts.get(1).map_or("", |rest| rest.split_once(',').expect("a cell").1);
            (parts[0].to_owned(), rest.to_owned())
        });
        assert_eq!(old, new);
    }
    assert_eq!(before.lines().count(), after.lines().count());
    assert!(after.contains("INF421 A\",12.5,7.5,"), "{after}");
    // Canvas finds `_USERID_FILEID_` in a name, and ignores files without it.
    let files: BTreeSet<_> = class.files.iter().map(|(path, _)| format!("{path}.html")).collect();
    let pages = unzipped(&scratch, "grades/feedback.zip");
    assert!(pages.len() > 40, "{}", pages.len());
    for name in pages.keys() {
        let ids: Vec<_> = name.split('_').filter(|part| part.parse::<u64>().is_ok()).collect();
        assert!(ids.len() >= 2 && files.contains(name), "{name}");
    }
    assert!(told.contains("The platform takes no page for"), "{told}");
}

#[test]
fn ilias_takes_its_own_tree_back() {
    let (scratch, class) = played(PEOPLE, Form::Ilias, Language::German, MOODLE);
    grade(&scratch, "");
    let pages = unzipped(&scratch, "grades/feedback.zip");
    let folder = |path: &str| path.split('/').take(2).collect::<Vec<_>>().join("/");
    let submitted: BTreeSet<_> = class.files.iter().map(|(path, _)| folder(path)).collect();
    let back: BTreeSet<_> = pages.keys().map(|path| folder(path)).collect();
    assert_eq!(submitted, back);
    assert!(pages.keys().all(|path| path.ends_with("/feedback.html") && path.is_ascii()));
}

#[test]
fn other_platforms_get_mails_in_the_language_of_the_class() {
    let keys = ["etu001", "etu002", "etu006"];
    let (scratch, _) = played(PEOPLE, Form::Blackboard, Language::English, keys);
    scratch.write("class/class.toml", "language = \"fr\"\n");
    let told = grade(&scratch, "--mail");
    assert!(told.contains("No feedback archive"), "{told}");
    assert!(told.contains("48 mails; nothing was sent"), "{told}");
    assert!(!scratch.path("grades/feedback.zip").exists());
    let list = scratch.read("grades/mail.csv");
    let mut rows = csv::Reader::from_reader(list.as_bytes());
    let rows: Vec<BTreeMap<String, String>> =
        rows.deserialize().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), PEOPLE);
    let of = |key: &str| rows.iter().find(|row| row["key"] == key).expect("a row");
    assert!(of("etu001")["body"].contains("12,5 sur 20"), "{}", of("etu001")["body"]);
    assert!(of("etu006")["body"].contains("error: expected expression"));
    let eml = scratch.read("grades/mail/etu001.eml");
    assert!(eml.starts_with("To: etu001@univ.example\r\nSubject: "), "{eml}");
    assert!(eml.is_ascii() && eml.lines().all(|line| line.len() <= 78), "{eml}");
    let table = scratch.read("grades/grades.csv");
    assert!(table.contains("12,5 sur 20"), "{table}");
}
