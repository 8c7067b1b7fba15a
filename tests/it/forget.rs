//! Privacy from outside: access to results and classes, and leftovers of a forgotten person.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::contest::{PATIENT, tournament};
use crate::scratch::Scratch;

const CLASS: &str = "key,id,name,email,group,file,hash,handed_in,late,state,why\n\
    4200101,Participant 4200101,Élodie Lefèvre,elodie@univ.example,,,,,,ready,\n\
    4200102,Participant 4200102,Paul Dupont,paul@univ.example,,,,,,ready,\n\
    4200103,Participant 4200103,Ömer Şahin,omer@univ.example,,,,,,ready,\n\
    4200104,Participant 4200104,Paul Dupont,dupont@univ.example,,,,,,missing,\n";

/// Everything that identifies the forgotten person.
const NAMES: [&str; 4] = ["4200101", "Élodie", "Lefèvre", "elodie@univ.example"];

const MANIFEST: &str = "run = ['./bot', 'STYLE']\ndialect = 'pitmaster'\n";

/// A class of three that has played, with grades in its folder.
fn played(format: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("class/class.csv", CLASS);
    for (key, style) in [("4200101", "random"), ("4200102", "first"), ("4200103", "last")] {
        scratch.fast(key, style);
        let bot = scratch.path(&format!("own/{key}/bot"));
        scratch.write(&format!("class/bots/{key}/bot.toml"), MANIFEST.replace("STYLE", style));
        fs::copy(bot, scratch.path(&format!("class/bots/{key}/bot"))).expect("copies");
        // Their names are in what they hand in.
        scratch.write(&format!("class/bots/{key}/notes.txt"), format!("by {key}"));
    }
    fs::remove_dir_all(scratch.path("own")).expect("removes");
    scratch.write("class/bots/4200101/authors.txt", "Élodie Lefèvre <elodie@univ.example>");
    scratch.write("class/earlier/4200101/1/bot.py", "# Élodie Lefèvre");
    scratch.write("class/fix/4200101.toml", MANIFEST.replace("STYLE", "random"));
    let file = tournament(PATIENT, 4, "include = ['class/bots/*', 'house:random']\n");
    let file = file.replace("[format]\n", &format!("[format]\n{format}\n"));
    scratch.write("cup.toml", file).run("run cup.toml -q").done();
    let scheme = "maximum = 20\n[[milestone]]\nname = 'beats random'\nagainst = 'random'\n\
                  line = 0.3\npoints = 20\n";
    scratch.write("scheme.toml", scheme);
    let grade = "grade results/cup --class class --scheme scheme.toml --into class/grades";
    scratch.run(grade).done();
    let games = scratch.read("results/cup/games.csv");
    let theirs = games.lines().find(|line| line.contains("4200101")).expect("a game");
    let id = theirs.split(',').next().expect("an id").to_owned();
    let reason = "Élodie Lefèvre has appealed";
    scratch.run_with(&["void", "results/cup", "--game", &id, "--reason", reason]).done();
    scratch.run("run cup.toml -q").done();
    scratch
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.push(path.clone());
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all
}

/// Files that name the person in their content or path.
fn mentions(scratch: &Scratch, folder: &str) -> Vec<String> {
    let root = scratch.path(folder);
    let is_in = |bytes: &[u8]| {
        NAMES.iter().any(|name| bytes.windows(name.len()).any(|part| part == name.as_bytes()))
    };
    let names = |path: &PathBuf| {
        is_in(path.strip_prefix(&root).expect("inside").as_os_str().as_encoded_bytes())
            || (path.is_file() && is_in(&fs::read(path).expect("reads")))
    };
    let found = files(&root).into_iter().filter(names);
    found.map(|path| path.strip_prefix(&root).expect("inside").display().to_string()).collect()
}

fn is_forgotten(scratch: &Scratch, format: &str) {
    assert!(mentions(scratch, "results/cup").len() > 5, "{format}");
    let before = scratch.read("results/cup/leaderboard.csv");
    let ran = scratch.run_with(&["forget", "class", "Élodie Lefèvre", "results/cup"]).done();
    let (_, pseudonym) = ran.stdout.split_once("forgotten-").expect("a pseudonym");
    let pseudonym = format!("forgotten-{}", &pseudonym[..8]);
    assert_eq!(mentions(scratch, "results/cup"), [""; 0], "{format}");
    assert_eq!(mentions(scratch, "class"), [""; 0], "{format}");
    // Their own name was shown; everything else is as it was.
    let others = |text: &str| -> Vec<String> {
        let rows = text.lines().map(str::to_owned);
        rows.filter(|row| !row.contains("4200101") && !row.contains(&pseudonym)).collect()
    };
    let after = scratch.read("results/cup/leaderboard.csv");
    assert_eq!(others(&before), others(&after), "{format}");
    let theirs = |text: &str, name: &str| {
        let row = text.lines().find(|row| row.contains(name)).expect("a row");
        let cells = row.split(',').filter(|cell| *cell != name);
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let (was, is) = (theirs(&before, "4200101"), theirs(&after, &pseudonym));
    let differing = was.iter().zip(&is).filter(|(was, is)| was != is).count();
    assert!(differing <= 1, "{was:?} {is:?}");
    scratch.run("verify results/cup").done();
    scratch.run("log results/cup").done();
    let log = scratch.run("log class").done().stdout;
    assert!(log.contains(&format!("  forget  {pseudonym}")), "{log}");
    assert!(scratch.read("class/class.csv").contains("Paul Dupont"));
}

#[test]
fn nothing_is_left_of_a_forgotten_person_and_others_keep_their_standings() {
    for format in ["kind = 'round-robin'", "kind = 'swiss'\nrounds = 3"] {
        is_forgotten(&played(format), format);
    }
}

#[test]
fn a_dry_run_changes_nothing_and_a_shared_name_needs_a_key() {
    let scratch = played("kind = 'round-robin'");
    let before = mentions(&scratch, "class");
    let told = scratch.run("forget class elodie@univ.example results/cup --dry-run").done();
    assert!(told.stdout.contains("would remove class/bots/4200101"), "{}", told.all());
    assert!(told.stdout.contains("games in results/cup under a pseudonym"), "{}", told.all());
    assert_eq!(mentions(&scratch, "class"), before);
    let ran = scratch.run_with(&["forget", "class", "Paul Dupont", "results/cup"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("4200102, 4200104"), "{}", ran.all());
    assert_eq!(scratch.run("forget class nobody").code, Some(2));
    // The other one keeps the name, the address of the first is gone.
    scratch.run("forget class 4200102 results/cup").done();
    let list = scratch.read("class/class.csv");
    assert!(list.contains("4200104") && list.contains("Paul Dupont"), "{list}");
    assert!(!list.contains("4200102") && !list.contains("paul@univ.example"), "{list}");
}

#[test]
fn the_reminder_comes_after_the_day() {
    let scratch = played("kind = 'round-robin'");
    scratch.write("class/class.toml", "remove_after = \"2020-01-31\"\n");
    let grade = "grade results/cup --class class --scheme scheme.toml";
    let told = scratch.run(grade).done().stderr;
    assert!(told.contains("was to be removed after 2020-01-31"), "{told}");
    scratch.write("class/class.toml", "remove_after = \"2999-01-31\"\n");
    assert_eq!(scratch.run(grade).done().stderr, "");
    scratch.write("class/class.toml", "remove_after = 2020\n");
    assert_eq!(scratch.run(grade).code, Some(2));
}

#[test]
fn only_the_owner_can_read_results_and_grades() {
    let scratch = played("kind = 'round-robin'");
    scratch.run("report results/cup --public").done();
    scratch.run("twins class").raw.status.code().expect("an exit code");
    let outer = ["results/cup", "class/grades", "results/twins"];
    for folder in outer {
        let root = scratch.path(folder);
        let own = [root.clone(), root.join("bots")];
        let is_file = |path: &PathBuf| path.is_file() && !path.starts_with(root.join("bots"));
        let others = files(&root).into_iter().filter(is_file);
        for path in own.into_iter().filter(|path| path.exists()).chain(others) {
            let mode = path.metadata().expect("exists").permissions().mode() & 0o777;
            let expected = if path.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{}: {mode:o}", path.display());
        }
    }
    // What is for others follows the umask.
    scratch.run("report results/cup --public --out public.html").done();
    let mode = scratch.path("public.html").metadata().expect("exists").permissions().mode();
    assert_ne!(mode & 0o077, 0, "{mode:o}");
}
