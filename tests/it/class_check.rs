//! `pitmaster check CLASS` from outside: several lanes, a table, texts to send, and continuation
//! after a kill.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::scratch::Scratch;

/// A class of two bots, one of which does not build, and a student who submitted a report.
fn class() -> Scratch {
    let scratch = Scratch::new();
    for file in ["bot.py", "awale.py"] {
        let source = fs::read(scratch.path("bots/random-python").join(file)).expect("a sample");
        scratch.write(&format!("in/Élodie Lefèvre_101_assignsubmission_file/{file}"), &source);
        scratch.write(&format!("in/Paul Dupont_102_assignsubmission_file/{file}"), &source);
    }
    scratch
        .write("in/Zoë Müller_104_assignsubmission_file/rapport.pdf", "%PDF-1.4")
        .write("in/Ana Gil_105_assignsubmission_file/bot.c", "int main() { return x; }\n")
        .write("people.csv", "id,name,email\n101,Élodie Lefèvre,elodie@x.example\n");
    let args = "intake in --into class --as moodle --worksheet people.csv --lang fr";
    scratch.run(args).done();
    scratch
}

const CHECK: &str = "check class --quick --isolation bare";

#[test]
fn a_class_gets_a_table_and_texts_in_its_language() {
    let scratch = class();
    let ran = scratch.run(&format!("{CHECK} --lanes 2"));
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    let table = scratch.read("class/check/check.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let headings = rows.headers().expect("headings").clone();
    let at = |name: &str| headings.iter().position(|it| it == name).expect("a column");
    let wanted = ["bot", "verdict", "findings", "person", "email"].map(at);
    let rows = rows.records().map(|row| {
        let row = row.expect("a row");
        wanted.map(|at| row[at].to_owned()).join(" | ").trim_end().to_owned()
    });
    insta::assert_snapshot!(rows.collect::<Vec<_>>().join("\n"), @"
    101 | clean |  | Élodie Lefèvre | elodie@x.example
    102 | clean |  | Paul Dupont |
    105 | broken | does-not-build | Ana Gil |
    104 | broken | handed-in | Zoë Müller |
    ");
    let text = |key: &str| scratch.read(&format!("class/check/texts/{key}.txt"));
    let shown = |key: &str| scratch.redact(&text(key)).replace('\u{a0}', " ");
    insta::assert_snapshot!(shown("101"), @"
    Élodie Lefèvre,

    Votre bot a été vérifié : coloured-awale, [time] par coup.
    Aucun problème n'a été trouvé.
    ");
    insta::assert_snapshot!(shown("104"), @"
    Zoë Müller,

    Votre bot a été vérifié : coloured-awale, [time] par coup.
    Problèmes qui font perdre des parties : 1.

    FAUTE handed-in : son dossier ou son bot.toml n'est pas correct (scène start)
      attendu   un dossier avec un bot.toml, ou un seul fichier qui montre
                comment le lancer
      reçu      seulement des documents, et aucun programme
      à faire   remettez les sources du bot, et dites comment le compiler et le
                lancer
    ");
    scratch.write("class/class.toml", "language = \"fr\"\nremove_after = \"2026-01-02\"\n");
    let again = scratch.run(CHECK).stderr;
    assert!(again.contains("2026-01-02"), "{again}");
    let broken = text("105");
    assert!(broken.starts_with("Ana Gil,\n") && broken.contains("bot.c:1"), "{broken}");
}

#[test]
fn a_killed_check_of_a_class_continues_where_it_was() {
    let scratch = class();
    let mut command = scratch.command(&format!("{CHECK} --lanes 1"));
    let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts");
    let stderr = BufReader::new(process.stderr.take().expect("piped")).lines();
    let mut told = stderr.map_while(Result::ok);
    assert!(told.any(|line| line.contains(" of 3: 101: ")), "a bot is done");
    process.kill().expect("it runs");
    process.wait().expect("it ends");
    let stored = || fs::read_dir(scratch.path("class/check/reports")).expect("a folder").count();
    assert!(stored() >= 1, "its report is stored");
    let again = scratch.run(CHECK);
    let line = "unchanged since an earlier check; --fresh checks them again";
    assert!(again.stderr.contains(line), "{}", again.all());
    assert_eq!(stored(), 2, "the broken one is built again each time");
    let changed = scratch.read("class/bots/102/bot.py") + "\n";
    scratch.write("class/bots/102/bot.py", changed);
    let once_more = scratch.run(CHECK);
    let told = &once_more.stderr;
    assert!(told.contains("1 unchanged since") && told.contains(": 102: "), "{told}");
    let texts = fs::read_dir(scratch.path("class/check/texts")).expect("a folder").count();
    assert_eq!(texts, 4, "{}", once_more.all());
    let fresh = scratch.run(&format!("{CHECK} --fresh")).stderr;
    assert!(!fresh.contains("unchanged"), "{fresh}");
}

#[test]
fn the_folder_of_a_class_cannot_be_written() {
    let scratch = class();
    scratch.write("class/check", "a file in the way");
    let ran = scratch.run(CHECK);
    insta::assert_snapshot!(ran.all(), @"
    exit 4
    --- stderr
    warning: bots are not contained (bare): they run with your rights; play only programs you trust
    takes up to [time] if the bots take [time] for every move
    error: cannot create class/check: File exists (os error 17); choose another with --out
    ");
}
