//! Tests of files of older versions.

use insta::assert_snapshot;

use super::*;

/// Translation of old parameters: the options, then the notes.
fn translated(info: &str, age: Option<FileVersion>) -> String {
    match read(&json(info), age) {
        Ok(file) => {
            let options = said(&file.params);
            let notes = file.notes.iter().map(|note| format!("\n{note}"));
            format!("{}{}", options.replace("holes=6,nbr_start=4,", ""), notes.collect::<String>())
        }
        Err(faults) => faults.iter().map(|fault| format!("{fault}\n")).collect(),
    }
}

#[test]
fn names_of_2024_11_are_translated() {
    let of = |info: &str| translated(info, None);
    assert_snapshot!(of(r#""capttwoout": true, "capsamedir": true"#), @"
    capt_type=TWO_OUT,capt_dir=SOW
    game_info.capttwoout read as capt_type TWO_OUT
    game_info.capsamedir read as capt_dir SOW
    ");
    assert_snapshot!(of(r#""capt_next": true, "capsamedir": false, "sow_own_store": true"#), @"
    sow_stores=OWN,capt_type=NEXT
    game_info.capt_next read as capt_type NEXT
    game_info.sow_own_store read as sow_stores OWN
    ");
    assert_snapshot!(of(r#""visit_opp": true, "oppsidecapt": true, "capt_rturn": true"#), @"
    mlap_cont=VISIT_OPP,capt_side=OPP_SIDE,capt_rturn=ALWAYS
    game_info.visit_opp read as mlap_cont VISIT_OPP
    game_info.oppsidecapt read as capt_side OPP_SIDE
    ");
    assert_snapshot!(of(r#""capttwoout": true, "capt_next": true"#), @"1:113: game_info.capt_next: stands for capt_type NEXT, which is given otherwise");
    assert_snapshot!(of(r#""pickextra": "PICKTWOS", "goal": "RND_WIN_COUNT""#), @"
    goal=RND_WIN_COUNT_MAX,capt_on=2,pickextra=PICKOPPBASIC
    game_info.goal RND_WIN_COUNT read as RND_WIN_COUNT_MAX
    game_info.pickextra PICKTWOS read as PICKOPPBASIC with capt_on [2]
    ");
    assert_snapshot!(of(r#""pickextra": "PICKTWOS", "evens": true"#), @"1:93: game_info.pickextra: PICKTWOS cannot be said beside other numbers to capture on; PICKOPPBASIC takes what these numbers allow");
    assert_snapshot!(of(r#""child_rule": "OPP_ONLY", "sow_rule": "NO_SOW_OPP_2S""#), @"
    sow_rule=NO_SOW_OPP_NS,sow_param=2,child_rule=OPP_SIDE_ONLY
    game_info.child_rule OPP_ONLY read as OPP_SIDE_ONLY
    game_info.sow_rule NO_SOW_OPP_2S read as NO_SOW_OPP_NS with sow_param 2
    ");
}

#[test]
fn numbers_are_translated_where_the_age_is_known() {
    let oldest = |info: &str| translated(info, Some(FileVersion::Nov2024));
    assert_snapshot!(oldest(r#""sow_rule": 1, "goal_param": 3, "child_rule": 2"#), @"
    sow_rule=SOW_BLKD_DIV,sow_param=3,child_rule=NOT_1ST_OPP
    game_info.child_rule 2 (NOT_1ST_OPP of 2024-11) read as NOT_1ST_OPP
    game_info.goal_param of 2024-11 read as sow_param
    ");
    assert_snapshot!(oldest(r#""child_type": 3, "child_cvt": 3, "pickextra": 2"#), @"
    child_type=ONE_CHILD,child_cvt=3,child_locs=NOT_SYM_OPP,capt_on=2,pickextra=PICKOPPBASIC
    child_type ONE_CHILD of 2024-11 read with child_locs NOT_SYM_OPP
    game_info.pickextra 2 (PICKTWOS of 2024-11) read as PICKOPPBASIC with capt_on [2]
    ");
    assert_snapshot!(oldest(r#""child_type": 3, "child_locs": 1, "sow_rule": 5"#), @"
    sow_rule=NO_SOW_OPP_NS,sow_param=2,child_type=ONE_CHILD,child_locs=ENDS_ONLY
    game_info.sow_rule 5 (NO_SOW_OPP_2S of 2024-11) read as NO_SOW_OPP_NS with sow_param 2
    ");
    let older = |info: &str| translated(info, Some(FileVersion::Sep2025));
    assert_snapshot!(older(r#""sow_rule": 3, "mlaps": 1"#), @"
    mlaps=LAPPER,sow_rule=ENPAS_ALL_OWNER_SOW
    game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_SOW
    ");
    assert_snapshot!(older(r#""sow_rule": 3, "mlaps": 2"#), @"
    mlaps=LAPPER_NEXT,sow_rule=ENPAS_ALL_OWNER_OWN
    game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_OWN
    ");
    assert_snapshot!(older(r#""sow_rule": 4, "capt_side": 1"#), @"
    sow_rule=ENPAS_OPP_SOWER,capt_side=OPP_SIDE
    game_info.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_OPP_SOWER
    ");
    assert_snapshot!(older(r#""sow_rule": 4, "capt_side": 2"#), @"
    sow_rule=ENPAS_SOW_SOWER,capt_side=OWN_SIDE
    game_info.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_SOW_SOWER
    ");
    assert_snapshot!(older(r#""sow_rule": 4, "capt_side": 3"#), @"1:92: game_info.sow_rule: SOW_CAPT_ALL has no meaning of today with this capt_side; write ENPAS_ALL_SOWER, ENPAS_OPP_SOWER or ENPAS_SOW_SOWER");
    assert_snapshot!(older(r#""sow_rule": 5, "sow_param": 3, "child_rule": 2"#), @"sow_rule=NO_SOW_OPP_NS,sow_param=3,child_rule=OWN_SIDE_ONLY");
}

#[test]
fn numbers_of_no_age_are_of_today_with_a_note() {
    assert_snapshot!(translated(r#""sow_rule": 4"#, None), @r#"
    sow_rule=ENPAS_ALL_OWNER_OWN
    game_info.sow_rule 4 is read as of today; in files of 2025-09 it is SOW_CAPT_ALL, and age = "2025-09" reads it so
    "#);
    assert_snapshot!(translated(r#""sow_rule": 4, "sow_stores": 4"#, None), @"sow_stores=BOTH_NR,sow_rule=ENPAS_ALL_OWNER_OWN");
    assert_snapshot!(translated(r#""sow_rule": "SOW_CAPT_ALL""#, None), @"
    sow_rule=ENPAS_ALL_SOWER
    game_info.sow_rule SOW_CAPT_ALL read as ENPAS_ALL_SOWER
    ");
    let class = "{\"class\": \"SameSide\", \"holes\": 5, \"nbr_start\": 2, \"goal\": 3}";
    let file = read_nameless(class, None).expect("parameters");
    assert_snapshot!(said(&file.params), @"game_class=NSGratuitous,holes=5,nbr_start=2,goal=CLEAR,capt_side=OWN_SIDE");
    assert_snapshot!(file.notes.join("\n"), @"class SameSide read as NSGratuitous with capt_side OWN_SIDE");
}

#[test]
fn a_file_can_say_its_age() {
    let text = "name = \"x\"\nage = \"2025-09\"\nholes = 6\nnbr_start = 4\nsow_rule = 4\n\
                [variants.Opposite]\ncapt_side = 1\n[vari_params]\nsow_rule = [0, 3, 4]";
    let file = good(text, None);
    assert_snapshot!(said(&file.params), @"holes=6,nbr_start=4,sow_rule=ENPAS_ALL_SOWER");
    assert_snapshot!(said(&file.variants[0].params), @"holes=6,nbr_start=4,sow_rule=ENPAS_OPP_SOWER,capt_side=OPP_SIDE");
    assert_snapshot!(format!("{:?}", file.vari_params[0].choices), @r#"These([Text("NONE"), Text("ENPAS_ALL_OWNER_OWN"), Text("ENPAS_ALL_SOWER")])"#);
    assert_snapshot!(file.notes.join("\n"), @"
    sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_SOWER
    sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_OPP_SOWER
    vari_params.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_OWN
    vari_params.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_SOWER
    ");
}

/// Original files, one per line.
fn authored(text: &str, age: FileVersion) -> Vec<(GameFile, GameFile)> {
    text.lines().map(|line| (good(line, Some(age)), good(line, None))).collect()
}

/// Notes of all files, each with its number of occurrences.
fn all_notes(files: &[(GameFile, GameFile)]) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for note in files.iter().flat_map(|(told, _)| &told.notes) {
        *counts.entry(note).or_insert(0) += 1;
    }
    counts.iter().map(|(note, count)| format!("{count} × {note}\n")).collect()
}

/// Games for which the file version matters.
fn misread(files: &[(GameFile, GameFile)]) -> String {
    let misread = files.iter().filter(|(told, untold)| told.params != untold.params);
    misread.map(|(told, _)| told.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[test]
fn real_files_of_2024_11_load() {
    let text = include_str!("../../../../../../tests/golden/two_row/older-2024-11.jsonl");
    let files = authored(text, FileVersion::Nov2024);
    assert_eq!(files.len(), 75);
    assert_snapshot!(all_notes(&files), @"
    11 × game_info.capsamedir read as capt_dir SOW
    1 × game_info.capt_next read as capt_type NEXT
    6 × game_info.capttwoout read as capt_type TWO_OUT
    1 × game_info.child_rule 2 (NOT_1ST_OPP of 2024-11) read as NOT_1ST_OPP
    2 × game_info.goal_param of 2024-11 read as sow_param
    2 × game_info.pickextra 2 (PICKTWOS of 2024-11) read as PICKOPPBASIC with capt_on [2]
    7 × game_info.sow_own_store read as sow_stores OWN
    5 × game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2024-11) read as ENPAS_ALL_OWNER_OWN
    5 × game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2024-11) read as ENPAS_ALL_OWNER_SOW
    1 × game_info.sow_rule 4 (SOW_CAPT_ALL of 2024-11) read as ENPAS_ALL_SOWER
    3 × game_info.sow_rule 5 (NO_SOW_OPP_2S of 2024-11) read as NO_SOW_OPP_NS with sow_param 2
    1 × game_info.visit_opp read as mlap_cont VISIT_OPP
    ");
    assert_snapshot!(misread(&files), @"");
}

#[test]
fn real_files_of_2025_09_load() {
    let text = include_str!("../../../../../../tests/golden/two_row/older-2025-09.jsonl");
    let files = authored(text, FileVersion::Sep2025);
    assert_eq!(files.len(), 134);
    assert_snapshot!(all_notes(&files), @"
    1 × game_class Ohojichi read as EWGratuitous with capt_side OWN_SIDE
    1 × game_class SameSide read as NSGratuitous with capt_side OWN_SIDE
    6 × game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_OWN
    9 × game_info.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_SOW
    1 × game_info.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_SOWER
    3 × vari_params.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_OWN
    4 × vari_params.sow_rule 3 (OWN_SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_OWNER_SOW
    7 × vari_params.sow_rule 4 (SOW_CAPT_ALL of 2025-09) read as ENPAS_ALL_SOWER
    ");
    assert_snapshot!(misread(&files), @"Bule Perga, Enlightenment, Hoyito I, Olinda, Pallam Kuzhi, Pandi, Raja Pasu");
    let none = files.iter().filter(|(told, untold)| {
        told.params != untold.params && !untold.notes.iter().any(|note| note.contains("of today"))
    });
    assert_eq!(none.count(), 0, "a file is misread without a note");
}
