//! `pitmaster intake` from outside, for a class with typical submissions of students.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use zip::write::SimpleFileOptions;

use crate::scratch::Scratch;

/// A zip archive of these files.
fn zipped<'f>(files: impl IntoIterator<Item = (&'f str, Vec<u8>)>) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name, SimpleFileOptions::default()).expect("starts");
        archive.write_all(&content).expect("writes");
    }
    archive.finish().expect("finishes").into_inner()
}

fn of_sample(path: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("bots").join(path)).expect("a sample")
}

fn python() -> [(&'static str, Vec<u8>); 2] {
    [
        ("bot.py", of_sample("random-python/bot.py")),
        ("awale.py", of_sample("random-python/awale.py")),
    ]
}

/// Everybody's files as an export of Moodle.
fn export() -> Vec<u8> {
    let mut files = Vec::new();
    let mut add = |person: &'static str, path: &str, content: Vec<u8>| {
        files.push((format!("{person}_assignsubmission_file/{path}"), content));
    };
    for (name, content) in python() {
        add("Élodie Lefèvre_101", name, content);
    }
    let [bot, awale] = python();
    let named = "name = \"my-bot\"\nrun = [\"python3\", \"bot.py\"]\n";
    for person in ["Paul Dupont_102", "Paul Dupont_103"] {
        let manifest = ("bot.toml", named.as_bytes().to_vec());
        add(person, "projet.zip", zipped([bot.clone(), awale.clone(), manifest]));
    }
    add("Zoë Müller_104", "rapport.pdf", b"%PDF-1.4".to_vec());
    add("Ömer Şahin_105", "bot.zip", b"Rar!\x1a\x07\x01\0rest".to_vec());
    add("李 小龙_106", "joueur.exe", b"MZ\x90\0".to_vec());
    let two = [("one.py", bot.1.clone()), ("two.py", bot.1.clone())];
    add("Two Bots_107", "bots.zip", zipped(two));
    let html = b"<p><a href=\"https://git.example/lucie/awale\">x</a></p>".to_vec();
    files.push(("Lucie Martin_108_assignsubmission_onlinetext/onlinetext.html".into(), html));
    let escape = zipped([("../../../../evil", b"x".to_vec())]);
    files.push(("Mal Ory_109_assignsubmission_file/bot.zip".into(), escape));
    zipped(files.iter().map(|(name, content)| (name.as_str(), content.clone())))
}

/// Message of a refused command.
fn refused(scratch: &Scratch, args: &str) -> String {
    let ran = scratch.run(args);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    ran.stderr
}

const WORKSHEET: &str = "\u{feff}Identifiant,Nom complet,Adresse de courriel,Note\n\
    Participant101,Élodie Lefèvre,elodie@x.example,\n\
    Participant110,Sans Remise,sans@x.example,\n";

fn class() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("class.zip", export()).write("grades.csv", WORKSHEET);
    scratch
}

#[test]
fn everybody_is_in_the_class_list_with_the_true_cause() {
    let scratch = class();
    let told = scratch.run("intake class.zip --into class --worksheet grades.csv").done().stdout;
    insta::assert_snapshot!(told, @r#"
    class.zip: read as moodle
    10 people: 3 ready, 1 missing, 2 refused, 1 only-papers, 1 only-an-address, 1 only-for-another-system, 1 unclear
    9 new or changed

    104  Zoë Müller: only-papers: only documents, and no program; ask for the sources
    105  Ömer Şahin: refused: bot.zip: it is a RAR archive, which cannot be read here; ask for a zip or tar.gz
    106  李 小龙: only-for-another-system: nothing here is a program or a source that could be built (joueur.exe runs on Windows only: hand in its sources)
    107  Two Bots: unclear: more than one file could be the bot: bots/one.py, bots/two.py; write fix/107.toml
    108  Lucie Martin: only-an-address: only an address: https://git.example/lucie/awale; ask for the files
    109  Mal Ory: refused: bot.zip: the path "../../../../evil" leads outside of the archive
    110  Sans Remise: missing: nothing was submitted

    Written to class/class.csv and intake.html. Next: pitmaster check class
    "#);
    assert!(!scratch.path("evil").exists());
    let list = fs::read_to_string(scratch.path("class/class.csv")).expect("a list");
    assert!(list.contains("101,101,Élodie Lefèvre,elodie@x.example,"), "{list}");
    assert_eq!(list.matches(",Paul Dupont,").count(), 2, "{list}");
}

#[test]
fn a_deadline_is_stored_and_says_how_late_a_submission_is() {
    let scratch = class();
    let worksheet = "Identifier,Full name,Last modified (submission),Grade\n\
        Participant101,Élodie Lefèvre,\"Friday, 20 November 2026, 11:58 PM\",\n\
        Participant102,Paul Dupont,\"Sunday, 22 November 2026, 2:00 AM\",\n\
        Participant110,Sans Remise,-,\n";
    scratch.write("times.csv", worksheet);
    let flags = "--worksheet times.csv --deadline 2026-11-20T23:59 --lang fr";
    scratch.run(&format!("intake class.zip --into class {flags}")).done();
    let settings = scratch.read("class/class.toml");
    assert_eq!(settings, "language = \"fr\"\ndeadline = \"2026-11-20 23:59:00\"\n");
    let late = || -> Vec<String> {
        let list = scratch.read("class/class.csv");
        let mut rows = csv::Reader::from_reader(list.as_bytes());
        let headings = rows.headers().expect("headings").clone();
        let late = headings.iter().position(|name| name == "late").expect("a column");
        let rows = rows.records().map(|row| row.expect("a row"));
        let are_late = rows.filter(|row| !row[late].is_empty());
        are_late.map(|row| format!("{} {}", &row[0], &row[late])).collect()
    };
    assert_eq!(late(), ["102 1 d 2 h"]);
    // An export without times forgets none, and the file is the teacher's.
    scratch.run("intake class.zip --into class").done();
    assert_eq!(late(), ["102 1 d 2 h"]);
    scratch.write("class/class.toml", "deadline = \"2026-11-20 23:00\"\n");
    scratch.run("intake --into class").done();
    assert_eq!(late(), ["101 58 min", "102 1 d 3 h"]);
    insta::assert_snapshot!(
        refused(&scratch, "intake --into class --deadline 2026-11-21"),
        @"error: class/class.toml has another deadline; change it there"
    );
    insta::assert_snapshot!(refused(&scratch, "intake --into class --lang fr"), @r#"
    error: class/class.toml has no such setting; write these lines into it:
    error: language = "fr"
    error: deadline = "2026-11-20 23:00:00"
    "#);
    scratch.write("class/class.toml", "dedline = 3\n");
    insta::assert_snapshot!(
        refused(&scratch, "intake --into class"),
        @"error: class/class.toml:1:1: dedline: there is no such key; did you mean deadline?"
    );
    let page = scratch.read("class/intake.html");
    assert!(page.contains("<td>1 d 3 h<td>ready") && page.contains("Ömer Şahin"), "{page}");
}

/// Kills an intake at several moments; the next one must succeed as if the first had not run.
#[test]
fn a_killed_intake_loses_nothing() {
    let scratch = Scratch::new();
    let mut files = Vec::new();
    for person in 0..150 {
        for (name, content) in python() {
            let folder = format!("Person {person}_{}_assignsubmission_file", 1000 + person);
            files.push((format!("{folder}/{name}"), content));
        }
    }
    scratch.write("all.zip", zipped(files.iter().map(|(name, file)| (&**name, file.clone()))));
    scratch.run("intake all.zip --into whole").done();
    let bots = |class: &str| {
        let folder = fs::read_dir(scratch.path(&format!("{class}/bots")));
        folder.map_or(0, Iterator::count)
    };
    let staged = || fs::read_dir(scratch.path("class/.staging")).map_or(0, Iterator::count);
    let moments: [&dyn Fn() -> bool; 3] =
        [&|| staged() > 20, &|| bots("class") > 20, &|| bots("class") > 100];
    for moment in moments {
        let mut process = scratch.command("intake all.zip --into class").spawn().expect("starts");
        while process.try_wait().expect("a process").is_none() && !moment() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        process.kill().expect("it runs, or has ended");
        process.wait().expect("it ends");
    }
    scratch.run("intake all.zip --into class").done();
    assert_eq!(scratch.read("class/class.csv"), scratch.read("whole/class.csv"));
    assert_eq!((bots("class"), bots("whole"), staged()), (150, 150, 0));
    let earlier = scratch.path("class/earlier").read_dir().expect("a folder").count();
    assert_eq!(earlier, 0, "nobody has handed in twice");
    let bot = |class: &str| scratch.read(&format!("{class}/bots/1149/awale.py"));
    assert_eq!(bot("class"), bot("whole"));
}

#[test]
fn a_large_class_needs_few_open_files() {
    let scratch = Scratch::new();
    let [bot, _] = python();
    let path = |person: usize| format!("Person {person}_{person}_assignsubmission_file/bot.py");
    let files: Vec<_> = (1..=450).map(|person| (path(person), bot.1.clone())).collect();
    scratch.write("all.zip", zipped(files.iter().map(|(name, file)| (&**name, file.clone()))));
    let mut shell = std::process::Command::new("sh");
    let limited = "ulimit -n 256 && exec \"$0\" intake all.zip --into class";
    shell.args(["-c", limited, env!("CARGO_BIN_EXE_pitmaster")]).current_dir(scratch.path(""));
    let ran = scratch.ran(shell.output().expect("a shell"));
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let places = fs::read_dir(scratch.path("class/bots")).expect("a folder").count();
    assert_eq!(places, 450, "{}", ran.all());
}

#[test]
fn equal_names_in_manifests_stop_nobody() {
    let scratch = class();
    scratch.run("intake class.zip --into class").done();
    scratch.run("match class/bots/102 class/bots/103 --pairs 1 --name cup").done();
    let table = fs::read_to_string(scratch.path("results/cup/leaderboard.csv")).expect("a table");
    for key in ["102", "103"] {
        assert!(table.lines().any(|line| line.contains(&format!(",{key},"))), "{table}");
    }
    assert!(!table.contains("my-bot"), "{table}");
}

#[test]
fn a_newer_export_replaces_only_what_has_changed() {
    let scratch = class();
    scratch.run("intake class.zip --into class").done();
    let again = scratch.run("intake class.zip --into class").done().stdout;
    assert!(again.contains("\n0 new or changed\n"), "{again}");
    assert!(scratch.path("class/earlier").read_dir().expect("a folder").next().is_none());
    let newer = "Élodie Lefèvre_101_assignsubmission_file/bot.c";
    let newer = zipped([(newer, of_sample("random-c/bot.c"))]);
    let told = scratch.write("newer.zip", newer).run("intake newer.zip --into class").done().stdout;
    assert!(told.contains("\n1 new or changed\n"), "{told}");
    assert!(scratch.path("class/earlier/101/1/bot.py").exists());
    assert!(scratch.path("class/bots/101/bot.c").exists());
    assert!(scratch.path("class/bots/102").exists());
}

#[test]
fn the_teachers_fix_survives_and_can_be_taken_back() {
    let scratch = class();
    scratch.run("intake class.zip --into class").done();
    let state = |key: &str| {
        let list = fs::read_to_string(scratch.path("class/class.csv")).expect("a list");
        let line = list.lines().find(|line| line.starts_with(key)).expect("a row").to_owned();
        line.contains(",ready,")
    };
    assert!(!state("107"));
    scratch.write("class/fix/107.toml", "folder = \"bots\"\nrun = [\"python3\", \"one.py\"]\n");
    scratch.write(
        "class/fix/102.toml",
        "folder = \"projet\"\nrun = [\"python3\", \"bot.py\", \"1\"]\n",
    );
    scratch.run("intake class.zip --into class").done();
    assert!(state("107") && state("102"));
    fs::remove_file(scratch.path("class/fix/107.toml")).expect("removes");
    scratch.run("intake --into class").done();
    assert!(!state("107"));
    assert!(!scratch.path("class/bots/107/bot.toml").exists());
}

#[test]
fn a_class_is_private_and_a_damaged_export_is_refused_as_a_whole() {
    use std::os::unix::fs::PermissionsExt as _;
    let scratch = class();
    let half = export();
    scratch.write("half.zip", &half[..half.len() / 2]);
    let told = refused(&scratch, "intake half.zip --into class");
    assert!(told.contains("the archive is damaged"), "{told}");
    let told = refused(&scratch, "intake grades.csv --into class");
    assert!(told.contains("neither a folder nor an archive"), "{told}");
    scratch.run("intake class.zip --into class").done();
    let mode =
        |path: &str| fs::metadata(scratch.path(path)).expect("exists").permissions().mode() & 0o777;
    assert_eq!([mode("class"), mode("class/bots"), mode("class/class.csv")], [0o700, 0o700, 0o600]);
}

#[test]
fn an_intake_that_was_killed_leaves_the_class_usable() {
    let scratch = class();
    scratch.run("intake class.zip --into class").done();
    fs::create_dir_all(scratch.path("class/.staging/3")).expect("creates");
    scratch.write("class/.staging/3/half", "x").write("class/.class.csv.part", "half");
    scratch.run("intake class.zip --into class").done();
    assert!(!scratch.path("class/.staging").exists());
}
