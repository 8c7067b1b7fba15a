use super::*;

fn read(paths: &[&str], texts: &[(usize, &str)]) -> (Platform, Vec<Submission>) {
    let paths: Vec<_> = paths.iter().map(|&path| path.to_owned()).collect();
    let texts = texts.iter().map(|&(at, text)| (at, text.to_owned())).collect();
    let platform = Platform::recognize(&paths);
    for &at in BTreeMap::keys(&texts) {
        assert!(platform.is_metadata(&paths[at]), "{}", paths[at]);
    }
    (platform, platform.submissions(Export { paths: &paths, texts: &texts }))
}

/// Each as `id name: files (handed in)`.
fn shown(submissions: &[Submission]) -> Vec<String> {
    let one = |one: &Submission| {
        let files: Vec<_> = one.files.iter().map(|file| file.path.as_str()).collect();
        let late = if one.is_late { " late" } else { "" };
        format!("{} {}: {} ({}){late}", one.id, one.name, files.join(" "), one.handed_in)
    };
    submissions.iter().map(one).collect()
}

#[test]
fn moodle_in_all_its_forms() {
    let modern = [
        "Élodie Lefèvre_4200101_assignsubmission_file/ia.py",
        "Jean_X_4200102_assignsubmission_file/sub_1/bot.zip",
        "Lucie Martin_4200112_assignsubmission_onlinetext/onlinetext.html",
    ];
    let wanted = [
        "4200101 Élodie Lefèvre: ia.py ()",
        "4200102 Jean_X: sub_1/bot.zip ()",
        "4200112 Lucie Martin: onlinetext.html ()",
    ];
    let old: Vec<_> = modern.iter().map(|path| path.replacen('/', "_/", 1)).collect();
    for paths in [modern.to_vec(), old.iter().map(String::as_str).collect()] {
        let (platform, found) = read(&paths, &[]);
        assert_eq!(platform, Platform::Moodle);
        assert_eq!(shown(&found), wanted);
    }
    let (_, flat) = read(&["A B_7_assignsubmission_file_my_bot.py"], &[]);
    assert_eq!(shown(&flat), ["7 A B: my_bot.py ()"]);
    let (_, groups) = read(
        &["Default group__assignsubmission_file/a.py", "Gruppe 1_31_assignsubmission_file/b.py"],
        &[],
    );
    assert_eq!(shown(&groups), ["31 Gruppe 1: b.py ()", "Default group Default group: a.py ()"]);
}

#[test]
fn two_people_of_one_name_are_two_numbers() {
    let (_, found) = read(
        &[
            "Paul Dupont_1_assignsubmission_file/bot.c",
            "Paul Dupont_2_assignsubmission_file/paul.zip",
        ],
        &[],
    );
    assert_eq!(shown(&found), ["1 Paul Dupont: bot.c ()", "2 Paul Dupont: paul.zip ()"]);
}

#[test]
fn canvas_marks_who_is_late() {
    let (platform, found) = read(
        &[
            "lovelaceada_LATE_101_9001_bot.zip",
            "turingalan_102_9002_my_bot.py",
            "turingalan_102_9003_report.pdf",
            "doejane_103_text.html",
            "anon_x7Qa_9004_bot.py",
            "LATE_anon_Zz9_9005_bot.py",
            "de_la_cruzjose\u{301}_LATE_104_9006_1_2.py",
        ],
        &[],
    );
    assert_eq!(platform, Platform::Canvas);
    assert_eq!(
        shown(&found),
        [
            "101 lovelaceada: bot.zip () late",
            "102 turingalan: my_bot.py report.pdf ()",
            "103 doejane: text.html ()",
            "104 de_la_cruzjose\u{301}: 1_2.py () late",
            "Zz9 anon: bot.py () late",
            "x7Qa anon: bot.py ()",
        ]
    );
}

#[test]
fn blackboard_has_all_attempts_and_the_last_counts() {
    let (platform, found) = read(
        &[
            "Project_1_ada01_attempt_2026-11-19-10-00-00.txt",
            "Project_1_ada01_attempt_2026-11-19-10-00-00_old.py",
            "Project_1_ada01_attempt_2026-11-20-23-58-00.txt",
            "Project_1_ada01_attempt_2026-11-20-23-58-00_bot.py",
            "Project_1_bob_attempt_2026-11-20-09-00-00_bot.zip",
        ],
        &[(0, ""), (2, "Name: Ada Lovelace (ada01)\nAssignment: Project 1\n")],
    );
    assert_eq!(platform, Platform::Blackboard);
    assert_eq!(
        shown(&found),
        [
            "ada01 Ada Lovelace: bot.py (2026-11-20-23-58-00)",
            "bob bob: bot.zip (2026-11-20-09-00-00)"
        ]
    );
}

#[test]
fn brightspace_has_a_folder_per_attempt() {
    let (platform, found) = read(
        &[
            "index.html",
            "77-501 - Ada Lovelace - Nov 20, 2026 1158 PM/bot.py",
            "77-501 - Ada Lovelace - Nov 20, 2026 1005 AM/old.py",
            "78-501 - Alan Turing - Nov 9, 2026 1201 AM/src/bot.c",
        ],
        &[],
    );
    assert_eq!(platform, Platform::Brightspace);
    assert_eq!(
        shown(&found),
        [
            "77 Ada Lovelace: bot.py (Nov 20, 2026 1158 PM)",
            "78 Alan Turing: src/bot.c (Nov 9, 2026 1201 AM)"
        ]
    );
}

#[test]
fn ilias_by_feedback_or_download() {
    let (platform, found) = read(
        &[
            "multi_feedback_Awale_42/Lovelace_Ada_adal_3001/bot.py",
            "multi_feedback_Awale_42/Turing_Alan_M_aturing_3002/src/bot.c",
        ],
        &[],
    );
    assert_eq!(platform, Platform::Ilias);
    let wanted = ["3001 Lovelace_Ada: bot.py ()", "3002 Turing_Alan_M: src/bot.c ()"];
    assert_eq!(shown(&found), wanted);
    let (platform, found) = read(&["Awale/Abgaben/Team 3/Lovelace_Ada_adal_3001/bot.py"], &[]);
    assert_eq!(platform, Platform::Ilias);
    assert_eq!(shown(&found), ["3001 Lovelace_Ada: bot.py ()"]);
}

#[test]
fn gradescope_names_the_submitters_of_a_folder() {
    let text = "submission_11:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '100'\n    :email: ada@x.example\n  - :name: Alan Turing\n    :sid: '101'\n    :email: alan@x.example\n  :created_at: 2026-11-20 22:58:00.0 Z\n  :score: 0\n  :results:\n    :name: not a person\nsubmission_12:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '102'\n    :email: jane@x.example\n  :created_at: 2026-11-20 22:59:00.0 Z\n";
    let (platform, found) = read(
        &[
            "assignment_5_export/submission_metadata.yml",
            "assignment_5_export/submission_11/bot.py",
            "assignment_5_export/submission_12/src/main.c",
        ],
        &[(0, text)],
    );
    assert_eq!(platform, Platform::Gradescope);
    assert_eq!(
        shown(&found),
        [
            "100+101 Ada Lovelace, Alan Turing: bot.py (2026-11-20 22:58:00.0 Z)",
            "102 Jane Doe: src/main.c (2026-11-20 22:59:00.0 Z)"
        ]
    );
    assert_eq!(found[0].group, "submission_11");
    assert_eq!(found[0].email, "ada@x.example, alan@x.example");
}

#[test]
fn classroom_maps_usernames_to_identifiers() {
    let roster = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"ada@x.example\",\"adal\",\"5\",\"Ada Lovelace\"\n";
    let (platform, found) = read(
        &[
            "awale-submissions/awale-adal/bot.py",
            "awale-submissions/awale-al-t/src/bot.c",
            "classroom_roster.csv",
        ],
        &[(2, roster)],
    );
    assert_eq!(platform, Platform::Classroom);
    assert_eq!(shown(&found), ["ada@x.example Ada Lovelace: bot.py ()", "al-t al-t: src/bot.c ()"]);
}

#[test]
fn anything_else_is_a_folder_or_a_file_per_person() {
    let (platform, found) = read(&["ada/bot.py", "ada/awale.py", "alan.tar.gz"], &[]);
    assert_eq!(platform, Platform::Folders);
    assert_eq!(shown(&found), ["ada ada: bot.py awale.py ()", "alan alan: alan.tar.gz ()"]);
}
