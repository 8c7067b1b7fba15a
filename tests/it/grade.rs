//! `pitmaster grade` from outside: a class of three against a house bot.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::contest::tournament;
use crate::scratch::Scratch;

const SCHEME: &str = "maximum = 20\nround = 0.5\n[[milestone]]\nname = 'beats random'\n\
    against = 'random'\nline = 0.3\npoints = 12\n[elo]\nover = 'random'\n\
    band = [{ elo = -300, points = 2 }]\n[rank]\npoints = 2\n[[part]]\nname = 'report'\npoints = 4\n";

const CLASS: &str = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
    4200101,Participant 4200101,Élodie Lefèvre,e@univ.example,,,,,,ready,\n\
    4200102,Participant 4200102,Paul Dupont,p@univ.example,,,,,,ready,\n\
    4200103,Participant 4200103,Ömer Şahin,o@univ.example,,,,,,ready,\n\
    4200104,Participant 4200104,Sans Remise,s@univ.example,,,,,,missing,\n";

const WORKSHEET: &str = "\u{feff}Identifiant,\"Nom complet\",Statut,Note,\"Note maximale\",\
    \"La note peut être modifiée\",\"Dernière modification (note)\",\"Feedback par commentaires\"\n\
    Participant4200101,\"Élodie Lefèvre\",remis,,\"20,00\",Oui,-,\n\
    Participant4200102,\"Paul Dupont\",remis,,\"20,00\",Non,-,\n\
    Participant4200103,\"Ömer Şahin\",remis,,\"20,00\",Oui,-,\n\
    Participant4200104,\"Sans Remise\",-,,\"20,00\",Oui,-,\n";

fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("4200101", "random").fast("4200102", "first");
    let manifest = "build = ['sh', '-c', 'echo main.c:3: expected a brace >&2; exit 1']\n\
                    run = ['./bot']\n";
    scratch.write("own/4200103/bot.toml", manifest).write("own/4200103/main.c", "int main() {");
    let bots = "include = ['own/*']\n[[bot]]\npath = 'house:random'";
    let bots = tournament("per_move = '5s'\n", 20, bots);
    scratch.write("cup.toml", bots).run("run cup.toml -q");
    scratch.write("scheme.toml", SCHEME).write("class/class.csv", CLASS);
    scratch
        .write("Notes.csv", WORKSHEET)
        .write("reports.csv", "id;report\nParticipant 4200101;3,5\n");
    scratch
}

#[test]
fn a_class_gets_its_grades() {
    let scratch = played();
    let grade = "grade results/cup --class class --scheme scheme.toml --parts reports.csv \
                 --worksheet Notes.csv --into grades";
    let ran = scratch.run(grade).done();
    assert!(ran.stdout.contains("4 people, 3 with open parts"), "{}", ran.all());
    assert!(ran.stdout.contains("Notes.csv: 3 rows filled in"), "{}", ran.all());
    assert!(ran.stdout.contains("Participant4200102: locked"), "{}", ran.all());
    let csv = scratch.read("grades/grades.csv");
    assert!(csv.contains("Élodie Lefèvre") && csv.contains("report: 3.5; of 4"), "{csv}");
    assert!(csv.contains("no points for play: nothing was handed in"), "{csv}");
    let page = scratch.read("grades/feedback/4200103.html");
    assert!(page.contains("expected a brace") && page.contains("Ömer Şahin"), "{page}");
    assert!(!page.contains("Dupont") && page.len() < 60_000);
    let sheet = scratch.read("grades/Notes.csv");
    assert!(sheet.contains("Participant4200102,\"Paul Dupont\",remis,,\"20,00\",Non,-,\n"));
    assert!(sheet.contains("Participant4200104,\"Sans Remise\",-,0,\"20,00\",Oui,-,"), "{sheet}");
    for (path, mode) in
        [("grades", 0o700), ("grades/feedback", 0o700), ("grades/grades.csv", 0o600)]
    {
        let metadata = fs::metadata(scratch.path(path)).expect("it is there");
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{path}");
    }
    // The same input gives the same bytes.
    let files = ["grades.csv", "Notes.csv", "feedback.zip", "feedback/4200101.html"];
    let read = || files.map(|file| fs::read(scratch.path(&format!("grades/{file}"))).expect(file));
    let first = read();
    scratch.run(grade).done();
    assert!(first == read());
    // No file is replaced that the teacher has downloaded, and none of ours by a name that it has.
    let here = scratch.run(&grade.replace("--into grades", "--into ."));
    insta::assert_snapshot!(here.all(), @"
    exit 2
    --- stderr
    error: Notes.csv is in ., and the filled worksheet would replace it; choose another folder with --into
    ");
    assert_eq!(scratch.read("Notes.csv"), WORKSHEET);
    scratch.write("grades.csv", WORKSHEET);
    scratch.run(&grade.replace("Notes.csv", "grades.csv")).done();
    assert_eq!(scratch.read("grades/worksheet-grades.csv"), sheet);
    assert_eq!(scratch.read("grades/grades.csv"), csv);
    let other = SCHEME.replace("points = 12", "points = 10");
    scratch.write("other.toml", other);
    let what_if = "grade results/cup --class class --scheme scheme.toml --what-if other.toml";
    let ran = scratch.run(what_if).done();
    assert!(ran.stdout.contains("grades would change"), "{}", ran.all());
}

#[test]
fn errors_of_a_scheme_are_reported_at_once() {
    let scratch = played();
    scratch.write("scheme.toml", "maximun = 20\n[gate]\nforfeits = -1\n");
    let ran = scratch.run("grade results/cup --class class --scheme scheme.toml");
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.stderr, @r#"
    error: scheme.toml:1:1: maximun: there is no such key; did you mean maximum?
    error: scheme.toml:1:1: maximum: is missing; write `maximum = 20`
    error: scheme.toml:3:12: gate.forfeits: -1 cannot stand here; write a whole number from 0 to 1000000 or "off"
    "#);
}
