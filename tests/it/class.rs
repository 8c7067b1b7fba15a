//! Classes of all platforms, as `examples/class` makes them, through `pitmaster intake`.

use std::collections::BTreeMap;
use std::fs;

use crate::contest::{PATIENT, tournament};
use crate::generator::{ClassOptions, Expected, Form, Generated, Language, archive_of, generate};
use crate::scratch::{Ran, Scratch};

/// A class in a scratch folder: `export.zip` and `people.csv`.
fn exported(people: usize, form: Form) -> (Scratch, Generated) {
    let class = generate(&ClassOptions { people, form, seed: 1, language: Language::French });
    let scratch = Scratch::new();
    scratch.write("export.zip", archive_of(&class.files)).write("people.csv", &class.people_csv);
    (scratch, class)
}

/// Takes in the export, with the list of people if there is one.
fn intake(scratch: &Scratch, class: &Generated, export: &str) -> Ran {
    let list = if class.people_csv.is_empty() { "" } else { "--worksheet people.csv" };
    scratch.run(&format!("intake {export} --into class {list}")).done()
}

/// Rows of the class list by id, each keyed by column.
fn rows(scratch: &Scratch) -> BTreeMap<String, BTreeMap<String, String>> {
    let list = fs::read(scratch.path("class/class.csv")).expect("a list");
    let mut list = csv::Reader::from_reader(&*list);
    let rows = list.deserialize().map(|row| row.expect("a row"));
    rows.map(|row: BTreeMap<String, String>| (row["id"].clone(), row)).collect()
}

/// Differences from the expected result of intake.
fn differences(scratch: &Scratch, expected: &[Expected]) -> Vec<String> {
    let rows = rows(scratch);
    let mut wrong = Vec::new();
    for Expected { id, name, shape, state, why } in expected {
        let Some(row) = rows.get(id) else {
            wrong.push(format!("{id} {name} ({shape}) is not in the list"));
            continue;
        };
        let is_right = row["name"] == *name && row["state"] == *state && row["why"].contains(why);
        if !is_right {
            let found = format!("{} {}: {}", row["name"], row["state"], row["why"]);
            wrong.push(format!("{id} ({shape}): {found}; expected {name} {state}: …{why}…"));
        }
    }
    let known = |id: &String| expected.iter().any(|one| one.id == *id);
    wrong.extend(rows.keys().filter(|id| !known(id)).map(|id| format!("{id} is nobody")));
    wrong
}

/// Everybody is recognized, with the right name, the last attempt and the true cause.
fn is_recognized(form: Form, platform: &str) -> Scratch {
    let (scratch, class) = exported(48, form);
    let ran = intake(&scratch, &class, "export.zip");
    let read = format!("export.zip: read as {platform}\n");
    assert!(ran.stdout.starts_with(&read), "{}", ran.all());
    let wrong = differences(&scratch, &class.expected);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    scratch
}

#[test]
fn moodle_is_recognized_in_all_its_forms() {
    for form in [Form::Moodle, Form::MoodleBefore41, Form::MoodleFlat, Form::MoodleAnonymous] {
        is_recognized(form, "moodle");
    }
}

#[test]
fn moodle_groups_are_one_bot_each() {
    let scratch = is_recognized(Form::MoodleGroups, "moodle");
    assert!(rows(&scratch).contains_key("Default group"));
}

#[test]
fn canvas_is_recognized_with_who_is_late() {
    let scratch = is_recognized(Form::Canvas, "canvas");
    let late = |id: &str| rows(&scratch)[id]["late"].clone();
    assert_eq!([late("4200103"), late("4200104")], ["", "late"]);
    is_recognized(Form::CanvasAnonymous, "canvas");
}

/// Of several attempts only the last one counts.
fn no_drafts(scratch: &Scratch) {
    for (id, row) in rows(scratch) {
        assert!(!row["file"].contains("brouillon"), "{id}: {}", row["file"]);
    }
}

#[test]
fn the_last_attempt_of_blackboard_and_brightspace_counts() {
    no_drafts(&is_recognized(Form::Blackboard, "blackboard"));
    no_drafts(&is_recognized(Form::Brightspace, "brightspace"));
}

#[test]
fn ilias_is_recognized_in_both_trees() {
    is_recognized(Form::Ilias, "ilias");
    is_recognized(Form::IliasDownload, "ilias");
}

#[test]
fn a_pair_of_gradescope_is_one_bot() {
    let scratch = is_recognized(Form::Gradescope, "gradescope");
    let rows = rows(&scratch);
    let pair = &rows["4200101+4200102"];
    assert_eq!(pair["name"], "Élodie Lefèvre, Jean-François D'Hôpital");
    assert_eq!(pair["email"], "etu001@univ.example, etu002@univ.example");
}

#[test]
fn classroom_is_recognized_as_an_archive_and_as_a_folder() {
    is_recognized(Form::Classroom, "classroom");
    let (scratch, class) = exported(24, Form::Classroom);
    for (path, content) in &class.files {
        scratch.write(&format!("cloned/{path}"), content);
    }
    intake(&scratch, &class, "cloned");
    let wrong = differences(&scratch, &class.expected);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn folders_and_a_list_of_people_are_enough() {
    is_recognized(Form::Folders, "folders");
}

#[test]
fn every_form_has_a_name() {
    for (name, form) in Form::ALL {
        assert_eq!(Form::named(name), Ok(form));
    }
    for (name, language) in Language::ALL {
        assert_eq!(Language::named(name), Ok(language));
    }
    assert!(Form::named("paper").is_err() && Language::named("latin").is_err());
}

#[test]
fn the_same_seed_gives_the_same_class() {
    let class = || exported(30, Form::Moodle).1.files;
    assert!(class() == class());
}

/// Of twelve students, eight play without help, and four have a fault whose cause is reported.
#[test]
#[ignore = "slow: minutes, and it needs Java, Node.js, Rust and C"]
fn eight_of_twelve_play_and_four_know_why_not() {
    for form in [Form::Moodle, Form::MoodleBefore41, Form::MoodleFlat] {
        let (scratch, class) = exported(12, form);
        intake(&scratch, &class, "export.zip");
        let rows = rows(&scratch);
        assert_eq!(rows.len(), 12);
        assert_eq!(rows["4200112"]["state"], "only-an-address");
        let bots = "include = ['class/bots/*', 'house:random']";
        let ran = scratch.write("cup.toml", tournament(PATIENT, 1, bots)).run("run cup.toml -q");
        let [bots, games, forfeits] = ["bot", "games", "forfeits"]
            .map(|column| scratch.column("results/cup/leaderboard.csv", column));
        let all = bots.iter().zip(games.iter().zip(&forfeits));
        let playing = all.filter(|(bot, (games, forfeits))| {
            bot.starts_with("42") && *games != "0" && *forfeits == "0"
        });
        let mut playing: Vec<_> = playing.map(|(bot, _)| bot.clone()).collect();
        playing.sort();
        let wanted = [101, 102, 103, 104, 105, 109, 110, 111].map(|n| format!("4200{n}"));
        assert_eq!(playing, wanted, "{}", ran.all());
        for (key, why) in
            [("4200106", "error: expected expression"), ("4200108", "needs the network")]
        {
            let about = ran.stderr.split(&format!("{key} cannot play")).nth(1).unwrap_or_default();
            let about = about.split("cannot play").next().unwrap_or_default();
            assert!(about.contains(why), "{key}: {}", ran.all());
        }
        let ran = scratch.run("check class/bots/4200107");
        assert!(ran.stdout.contains("dialect = \"arena\""), "{}", ran.all());
    }
}
