//! Exports of learning platforms. Sources of the forms are in `crates/season/src/platform`.

use std::fmt::Write as _;
use std::path::Path;

use super::people::Person;
use super::shapes::{Shape, all};
use super::{ClassOptions, Expected, Form, Generated, worksheets};

/// Files of an export.
type Files = Vec<(String, Vec<u8>)>;

/// A person with what they hand in.
struct Student<'p> {
    person: &'p Person,
    shape: Shape,
}

/// Exports a class.
pub(crate) fn export(options: &ClassOptions, people: &[Person]) -> Generated {
    let shapes = all();
    let shape_of = |person: &Person| shapes[person.number % shapes.len()].clone();
    let students: Vec<_> =
        people.iter().map(|person| Student { person, shape: shape_of(person) }).collect();
    let mut generated = match options.form {
        Form::Canvas | Form::CanvasAnonymous => canvas(&students, options.form),
        Form::Blackboard => blackboard(&students),
        Form::Brightspace => brightspace(&students),
        Form::Ilias | Form::IliasDownload => ilias(&students, options.form),
        Form::Gradescope => gradescope(&students),
        Form::Classroom => classroom(&students),
        Form::Folders => folders(&students),
        form => moodle(&students, form, options),
    };
    generated.expected.sort_by(|a, b| a.id.cmp(&b.id));
    generated
}

impl Student<'_> {
    fn expected(&self, id: String, name: String) -> Expected {
        let Shape { name: shape, state, why, .. } = self.shape;
        Expected { id, name, shape, state, why }
    }

    fn has_submitted(&self) -> bool {
        !self.shape.files.is_empty()
    }

    /// Files beneath a folder.
    fn files_in<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = (String, Vec<u8>)> + 's {
        self.shape
            .files
            .iter()
            .map(move |(path, bytes)| (format!("{folder}/{path}"), bytes.clone()))
    }
}

fn moodle(students: &[Student<'_>], form: Form, options: &ClassOptions) -> Generated {
    let (mut files, mut expected) = (Files::new(), Vec::new());
    for (position, student) in students.iter().enumerate() {
        // The last of a class in groups is in none.
        let is_alone = form == Form::MoodleGroups && position + 1 == students.len();
        let id = if is_alone { String::new() } else { student.person.id() };
        let name = match form {
            Form::MoodleGroups if is_alone => "Default group".to_owned(),
            Form::MoodleGroups => format!("Groupe {}", position + 1),
            // Nobody has a name, and who has submitted nothing is in the worksheet only.
            Form::MoodleAnonymous if !student.has_submitted() => String::new(),
            Form::MoodleAnonymous => "Participant".to_owned(),
            _ => student.person.full(),
        };
        let shown: String =
            name.replace('_', " ").chars().filter(|c| !"&<>\"`|':\\/".contains(*c)).collect();
        let plugin = if student.shape.is_text { "onlinetext" } else { "file" };
        let folder = format!("{shown}_{id}_assignsubmission_{plugin}");
        for (path, bytes) in &student.shape.files {
            let path = match form {
                Form::MoodleFlat => format!("{folder}_{path}"),
                Form::MoodleBefore41 => format!("{folder}_/{path}"),
                _ => format!("{folder}/{path}"),
            };
            files.push((path, bytes.clone()));
        }
        let id = if is_alone { name.clone() } else { id };
        if student.has_submitted() || !is_alone {
            expected.push(student.expected(id, name));
        }
    }
    let rows: Vec<_> =
        students.iter().map(|student| (student.person, student.has_submitted())).collect();
    let people_csv = match form {
        Form::MoodleGroups => {
            let mut list = "id,name,email\n".to_owned();
            for group in &expected {
                let _ = writeln!(list, "{},{},", group.id, group.name);
            }
            list.into_bytes()
        }
        _ => worksheets::moodle(&rows, options.language, form != Form::MoodleAnonymous),
    };
    Generated { files, people_csv, expected }
}

/// Every fifth person is late.
fn is_late(person: &Person) -> bool {
    person.number % 5 == 3
}

fn canvas(students: &[Student<'_>], form: Form) -> Generated {
    let is_anonymous = form == Form::CanvasAnonymous;
    let (mut files, mut expected) = (Files::new(), Vec::new());
    let mut file_id = 9_000_000;
    for student in students {
        let person = student.person;
        let id =
            if is_anonymous { format!("x{:04x}Q", person.number * 7 + 9) } else { person.id() };
        let sortable = format!("{}{}", person.last, person.first).to_lowercase();
        let name: String = sortable.chars().filter(|c| c.is_alphanumeric()).collect();
        let late = is_late(person);
        let called = match (is_anonymous, late) {
            (true, true) => format!("LATE_anon_{id}"),
            (true, false) => format!("anon_{id}"),
            (false, true) => format!("{name}_LATE_{id}"),
            (false, false) => format!("{name}_{id}"),
        };
        for (path, bytes) in &student.shape.files {
            file_id += 1;
            let path = if student.shape.is_text {
                format!("{called}_link.html")
            } else {
                format!("{called}_{file_id}_{path}")
            };
            files.push((path, bytes.clone()));
        }
        if is_anonymous && student.has_submitted() {
            expected.push(student.expected(id, "anon".into()));
        } else if !is_anonymous {
            let name = format!("{}, {}", person.last, person.first);
            expected.push(student.expected(id, name));
        }
    }
    let people: Vec<_> = students.iter().map(|student| student.person).collect();
    let people_csv = if is_anonymous { Vec::new() } else { worksheets::canvas(&people) };
    Generated { files, people_csv, expected }
}

/// Every third person has an earlier attempt, which is empty but for a file that is no bot.
fn has_earlier(person: &Person) -> bool {
    person.number.is_multiple_of(3)
}

const EARLIER: (&str, &[u8]) = ("brouillon.txt", b"to be done");

fn blackboard(students: &[Student<'_>]) -> Generated {
    let mut files = Files::new();
    for student in students.iter().filter(|student| student.has_submitted()) {
        let person = student.person;
        let attempt = |date: &str, list: &[(&str, Vec<u8>)], files: &mut Files| {
            let stem = format!("Projet Awalé_{}_attempt_{date}", person.login());
            let mut about = format!(
                "Name: {} ({})\nAssignment: Projet Awalé\nDate Submitted: {date}\n\nComments:\n\
                 There are no student comments for this assignment.\n\nFiles:\n",
                person.full(),
                person.login()
            );
            for (path, bytes) in list {
                let _ = writeln!(about, "\tOriginal filename: {path}\n\tFilename: {stem}_{path}");
                files.push((format!("{stem}_{path}"), bytes.clone()));
            }
            files.push((format!("{stem}.txt"), about.into_bytes()));
        };
        if has_earlier(person) {
            let list = [(EARLIER.0, EARLIER.1.to_vec())];
            attempt("2026-11-19-10-00-00", &list, &mut files);
        }
        attempt("2026-11-20-23-58-00", &student.shape.files, &mut files);
    }
    by_login(students, files)
}

/// A class whose ids are user names.
fn by_login(students: &[Student<'_>], files: Files) -> Generated {
    let expected =
        |student: &Student<'_>| student.expected(student.person.login(), student.person.full());
    let ids: Vec<_> =
        students.iter().map(|student| (student.person.login(), student.person)).collect();
    Generated {
        files,
        people_csv: worksheets::plain(&ids),
        expected: students.iter().map(expected).collect(),
    }
}

/// A class whose ids are the platform's numbers.
fn by_number(students: &[Student<'_>], files: Files) -> Generated {
    let expected =
        |student: &Student<'_>| student.expected(student.person.id(), student.person.full());
    let ids: Vec<_> =
        students.iter().map(|student| (student.person.id(), student.person)).collect();
    Generated {
        files,
        people_csv: worksheets::plain(&ids),
        expected: students.iter().map(expected).collect(),
    }
}

fn brightspace(students: &[Student<'_>]) -> Generated {
    let mut files = vec![("index.html".to_owned(), b"<html></html>".to_vec())];
    for student in students.iter().filter(|student| student.has_submitted()) {
        let person = student.person;
        let folder = |date: &str| format!("{}-501 - {} - {date}", person.id(), person.full());
        if has_earlier(person) {
            let folder = folder("Nov 20, 2026 1005 AM");
            files.push((format!("{folder}/{}", EARLIER.0), EARLIER.1.to_vec()));
        }
        files.extend(student.files_in(&folder("Nov 20, 2026 1158 PM")));
    }
    by_number(students, files)
}

/// The letters of ASCII that ILIAS writes.
fn ascii(name: &str) -> String {
    let one = |c: char| match c {
        'ä' | 'Ä' => "ae",
        'ö' | 'Ö' | 'ø' | 'Ø' => "oe",
        'ü' | 'Ü' => "ue",
        'ß' => "ss",
        'é' | 'è' | 'É' => "e",
        'ç' | 'Ç' => "c",
        'á' | 'å' | 'Å' | 'ă' => "a",
        'ñ' | 'Ñ' => "n",
        'ô' | 'ō' => "o",
        _ => "",
    };
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            _ if c.is_ascii_alphanumeric() || c == '-' => plain.push(c),
            ' ' => plain.push('_'),
            _ => plain.push_str(one(c)),
        }
    }
    plain
}

fn ilias(students: &[Student<'_>], form: Form) -> Generated {
    let mut files = Files::new();
    for student in students.iter().filter(|student| student.has_submitted()) {
        let person = student.person;
        let (last, first) = (ascii(&person.last), ascii(&person.first));
        let folder = format!("{last}_{first}_{}_{}", person.login(), person.id());
        let root = match form {
            Form::Ilias => "multi_feedback_Awale_551203".to_owned(),
            _ if person.number % 2 == 0 => format!("Awale/Abgaben/Team {}", person.number + 1),
            _ => "Awale/Abgaben".to_owned(),
        };
        files.extend(student.files_in(&format!("{root}/{folder}")));
    }
    by_number(students, files)
}

/// The first two people are a pair.
fn gradescope(students: &[Student<'_>]) -> Generated {
    let (mut files, mut expected) = (Files::new(), Vec::new());
    let root = "assignment_551203_export";
    let mut metadata = "---\n".to_owned();
    for (position, student) in students.iter().enumerate() {
        let mut submitters = vec![student.person];
        match (position, students.get(1)) {
            (0, Some(second)) => submitters.push(second.person),
            (1, _) => continue,
            _ => {}
        }
        let ids: Vec<_> = submitters.iter().map(|person| person.id()).collect();
        let names: Vec<_> = submitters.iter().map(|person| person.full()).collect();
        expected.push(student.expected(ids.join("+"), names.join(", ")));
        if !student.has_submitted() {
            continue;
        }
        let folder = format!("submission_{}", 7000 + position);
        let _ = write!(metadata, "{folder}:\n  :submitters:\n");
        for person in submitters {
            let _ = write!(
                metadata,
                "  - :name: {}\n    :sid: '{}'\n    :email: {}\n",
                person.full(),
                person.id(),
                person.email()
            );
        }
        metadata.push_str(
            "  :created_at: 2026-11-20 22:58:00.000000000 Z\n  :score: 0.0\n  :status: processed\n  \
             :results:\n    tests:\n    - :name: compiles\n      :score: 0.0\n  :history:\n  \
             - :created_at: 2026-11-19 09:00:00.000000000 Z\n",
        );
        files.extend(student.files_in(&format!("{root}/{folder}")));
    }
    files.push((format!("{root}/submission_metadata.yml"), metadata.into_bytes()));
    let ids: Vec<_> =
        students.iter().map(|student| (student.person.id(), student.person)).collect();
    Generated { files, people_csv: worksheets::plain(&ids), expected }
}

fn classroom(students: &[Student<'_>]) -> Generated {
    let (mut files, mut expected) = (Files::new(), Vec::new());
    for student in students {
        let person = student.person;
        let folder = format!("awale-submissions/awale-{}", person.login());
        if student.has_submitted() {
            files.extend(student.files_in(&folder));
            files.push((format!("{folder}/.git/HEAD"), b"ref: refs/heads/main\n".to_vec()));
        }
        expected.push(student.expected(person.email(), person.full()));
    }
    let people: Vec<_> = students.iter().map(|student| student.person).collect();
    files.push(("classroom_roster.csv".to_owned(), worksheets::classroom(&people)));
    let ids: Vec<_> = people.iter().map(|person| (person.email(), *person)).collect();
    Generated { files, people_csv: worksheets::plain(&ids), expected }
}

/// A folder per person, or the archive that the person handed in.
fn folders(students: &[Student<'_>]) -> Generated {
    let mut files = Files::new();
    for student in students {
        let login = student.person.login();
        match &student.shape.files[..] {
            [(path, bytes)] if Path::new(path).extension().is_some_and(|it| it == "zip") => {
                files.push((format!("{login}.zip"), bytes.clone()));
            }
            _ => files.extend(student.files_in(&login)),
        }
    }
    by_login(students, files)
}
