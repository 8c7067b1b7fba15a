//! Tests of files of all forms and versions, valid and invalid.

mod ages;
mod properties;

use std::fmt::Write as _;

use insta::assert_snapshot;
use pitmaster_core::diagnostics::Diagnostic;

use super::*;
use crate::two_row::params::options;

fn faults(text: &str) -> String {
    let faults = read(text, None).expect_err("a file with faults");
    faults.iter().fold(String::new(), |mut lines, fault: &Diagnostic| {
        let _ = writeln!(lines, "{fault}");
        lines
    })
}

fn good(text: &str, age: Option<FileVersion>) -> GameFile {
    read(text, age).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// Game file in JSON with these parameters.
fn json(info: &str) -> String {
    format!(
        "{{\"game_constants\": {{\"holes\": 6, \"nbr_start\": 4}}, \
         \"game_info\": {{\"name\": \"Test\", {info}}}, \"player\": {{}}}}"
    )
}

fn said(params: &Params) -> String {
    let options = options(params);
    let options: Vec<_> = options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    options.join(",")
}

#[test]
fn json_and_toml_say_the_same() {
    let json = r#"{
        "game_class": "Mancala",
        "game_constants": {"holes": 6, "nbr_start": 4},
        "game_info": {"name": "Kâra", "crosscapt": true, "stores": 1, "sow_direct": -1,
                      "capt_on": [2, 3], "help_file": "x.html"},
        "player": {"algorithm": "negamaxer", "ai_params": {"mm_depth": [1, 2, 3, 4]},
                   "scorer": {"mx_stores_m": 4}},
        "variants": {"Kâra": {}, "Small": {"holes": 4, "crosscapt": 0}},
        "vari_params": {"holes": "include", "crosscapt": [0, 1]},
        "region": "Northern Africa"
    }"#;
    let toml = r#"
        name = "Kâra"
        region = "Northern Africa"
        help_file = "x.html"
        holes = 6
        nbr_start = 4
        crosscapt = "ONE_ZEROS"
        sow_direct = "CW"
        stores = true
        capt_on = [2, 3]
        [player]
        algorithm = "negamaxer"
        ai_params.mm_depth = [1, 2, 3, 4]
        scorer.mx_stores_m = 4
        [variants.Small]
        holes = 4
        crosscapt = "none"
        [vari_params]
        holes = "any"
        crosscapt = ["NONE", 1]
    "#;
    let (json, toml) = (good(json, None), good(toml, None));
    assert_eq!(json, toml);
    assert_eq!(
        said(&json.params),
        "holes=6,nbr_start=4,stores=true,sow_direct=CW,capt_on=2+3,crosscapt=ONE_ZEROS"
    );
    assert_eq!(
        said(json.variant("small").expect("a variant")),
        "holes=4,nbr_start=4,stores=true,sow_direct=CW,capt_on=2+3"
    );
    assert_eq!(json.variant("KARA"), Some(&json.params));
    assert_eq!(json.variant("large"), None);
}

/// The example in the documentation must stay valid.
#[test]
fn the_example_of_the_documentation_reads() {
    let lines = include_str!("../mod.rs").lines();
    let example = lines.skip_while(|line| *line != "//! ```toml").skip(1);
    let example: Vec<_> = example
        .take_while(|line| *line != "//! ```")
        .map(|line| line.trim_start_matches("//!"))
        .collect();
    let file = good(&example.join("\n"), None);
    assert_eq!(file.variant("large").map(|params| params.holes), Some(8));
    assert_eq!(said(&file.params), "holes=4,nbr_start=3,stores=true,sow_stores=OWN,capt_on=2+3");
}

#[test]
fn the_text_section_gives_the_texts() {
    let text = "{\"game_constants\": {\"holes\": 2, \"nbr_start\": 1}, \"game_info\": {\"name\": \
                \"T\", \"about\": \"<text_section>\"}, \"deviation 1\": \"<text_section>\", \
                \"player\": {}}\n<text_section>\n<about>\nFirst\n<ul>\nline\n</ul>\n</about>\n\n\
                <deviation 1>\nnone\n</deviation 1>\n</text_section>\nafterwards";
    let file = good(text, None);
    assert_eq!(file.about, "First\n<ul>\nline\n</ul>");
    assert_eq!(file.texts, [("deviation 1".to_owned(), "none".to_owned())]);
    assert_snapshot!(faults(&text.replace("</deviation 1>", "")), @"
    1:120: deviation 1: the text section has no <deviation 1>
    10:1: deviation 1: is never closed; write </deviation 1> on a line of its own
    ");
    assert_snapshot!(faults(&text.replace("<about>\n", "loose\n<aboot>\n")), @"
    1:86: about: the text section has no <about>
    1:120: deviation 1: the text section has no <deviation 1>
    3:1: stands outside of every tag; put it into one
    4:1: aboot: is never closed; write </aboot> on a line of its own
    ");
}

#[test]
fn all_faults_of_a_file_are_found_at_once() {
    let text = r#"name = "Kalah::Two"
age = "2023"
holes = "six"
seeds = 4
crosscapt = "ONE_ZERO"
capt_on = [2, "three"]
stores = 0.5
region = 7

[game_info]
holes = 6
capt_typ = 3
sow_rule = 99

[variants.Small]
hols = 4
mlaps = "SOMETIMES"

[vari_params]
goal_param = [1, 2]
udir_holes = "any"
holes = "any"
sowing = "any"

[player]
algorithm = "minmax"
difficulty = 4
ai_params.mm_depth = [1, 2, 3]
scorer.stores = 1
"#;
    assert_snapshot!(faults(text), @r#"
    1:1: nbr_start: is missing; write how many seeds each hole starts with
    1:8: name: "Kalah::Two" cannot stand here; it is the name of the game, without :: and on one line
    2:7: age: "2023" cannot stand here; it is "2024-11" or "2025-09" or "present"
    3:9: holes: "six" cannot stand here; it is a whole number
    4:1: seeds: there is no such key
    5:13: crosscapt: "ONE_ZERO" cannot stand here (did you mean ONE_ZEROS?); it is NONE 0, ONE_ZEROS 1, ANY 2, ONE_ANY 3
    6:11: capt_on: this list cannot stand here; it is a list of whole numbers
    7:10: stores: 0.5 cannot stand here; it is true or false
    8:10: region: 7 cannot stand here; it is a text in quotes
    11:9: game_info.holes: is given already, at 3:9; write it once
    12:1: game_info.capt_typ: there is no such parameter; did you mean capt_type?
    13:12: game_info.sow_rule: 99 cannot stand here; it is NONE 0, SOW_BLKD_DIV 1, SOW_BLKD_DIV_NR 2, ENPAS_ALL_OWNER_SOW 3, ENPAS_ALL_OWNER_OWN 4, NO_SOW_OPP_NS 5, CHANGE_DIR_LAP 6, MAX_SOW 7, LAP_CAPT 8, NO_OPP_CHILD 9, LAP_CAPT_OPP_GETS 10, OPP_CHILD_ONLY1 11, LAP_CAPT_SEEDS 12, NO_CHILDREN 13, ENPAS_ALL_SOWER 14, ENPAS_SOW_SOWER 15, ENPAS_OPP_SOWER 16
    16:1: variants.Small.hols: there is no such parameter; did you mean holes?
    17:9: variants.Small.mlaps: "SOMETIMES" cannot stand here; it is OFF 0, LAPPER 1, LAPPER_NEXT 2
    20:14: vari_params.goal_param: lacks 0, which the game itself has; add it
    22:1: vari_params.holes: cannot be changed beside udir_holes; leave one out
    23:1: vari_params.sowing: there is no such parameter
    26:13: player.algorithm: "minmax" cannot stand here; it is minimaxer, negamaxer or montecarlo_ts
    27:14: player.difficulty: 4 cannot stand here; it is a whole number from 0 to 3
    28:22: player.ai_params.mm_depth: this list cannot stand here; it is four whole numbers, one for each difficulty
    29:8: player.scorer.stores: there is no such key; player.scorer has mx_stores_m, mx_access_m, mx_seeds_m, mx_empties_m, mx_child_cnt_m, mx_evens_m, mx_easy_rand_a, mx_rturn_a
    "#);
}

#[test]
fn faults_of_json_have_places_too() {
    let text = r#"{
  "game_constants": {"holes": 6, "nbr_strt": 4},
  "game_info": {
    "name": "",
    "crosscapt": 7, "crosscapt": 1,
    "mlength": 1,
    "goal": null,
    "capt_min": 2.5
  },
  "filename": "x",
  "vari_params": {"sow_direct": [0, 4], "goal": [1]},
  "variants": []
}"#;
    assert_snapshot!(faults(text), @r#"
    1:1: nbr_start: is missing; write how many seeds each hole starts with
    2:34: game_constants.nbr_strt: there is no such constant; there is holes and nbr_start
    4:13: game_info.name: "" cannot stand here; it is the name of the game, without :: and on one line
    5:18: game_info.crosscapt: 7 cannot stand here; it is NONE 0, ONE_ZEROS 1, ANY 2, ONE_ANY 3
    5:21: crosscapt: stands twice in the same table; write it once
    6:5: game_info.mlength: follows from the others; leave it out
    7:13: game_info.goal: null cannot stand here; it is MAX_SEEDS 0, DEPRIVE 1, TERRITORY 2, CLEAR 3, RND_WIN_COUNT_MAX 4, RND_SEED_COUNT 5, RND_EXTRA_SEEDS 6, RND_POINTS 7, RND_WIN_COUNT_CLR 8, RND_WIN_COUNT_DEP 9, IMMOBILIZE 10, RND_WIN_COUNT_IMB 11
    8:17: game_info.capt_min: 2.5 cannot stand here; it is a whole number
    10:3: filename: is reserved; leave it out
    11:33: vari_params.sow_direct: lacks CCW, which the game itself has; add it
    12:15: variants: this list cannot stand here; it is a table
    "#);
}

#[test]
fn what_cannot_be_read_is_one_fault() {
    assert_snapshot!(faults("{\n  \"game_info\": {\"name\": \"x\",}\n}"), @"2:29: not JSON: '}' stands where a name in quotes should");
    assert_snapshot!(faults("name = \"x\"\nholes = = 6\nnbr_start = 4\n"), @"2:9: not TOML: extra `=`, expected nothing");
    assert_snapshot!(faults(""), @"
    1:1: name: is missing; every game has a name
    1:1: holes: is missing; write how many holes each side has
    1:1: nbr_start: is missing; write how many seeds each hole starts with
    ");
    let full = json("\"stores\": true") + &"\n".repeat(200);
    assert!(read(&full, None).is_ok());
    let long = full + "\n";
    assert_snapshot!(faults(&long), @"201:1: the file is too long; it has at most 200 lines");
    let wide = json(&format!("\"about\": {:?}", "x".repeat(4000)));
    assert_snapshot!(faults(&wide), @"1:4001: too much JSON; it has at most 4000 characters");
    assert_snapshot!(faults(&"#".repeat(70_000)), @"1:65537: the file is too long; it has at most 65536 bytes");
}

#[test]
fn a_number_in_quotes_is_a_text() {
    let text = r#"{
  "game_constants": {"holes": "6", "nbr_start": 4},
  "game_info": {
    "name": "x",
    "crosscapt": "1",
    "capt_on": "2+3",
    "udir_holes": ["1"],
    "goal_param": " 7 "
  },
  "vari_params": {"sow_direct": [1, "-1"]},
  "variants": {"x": {}, "y": {"nbr_start": "5"}},
  "player": {}
}"#;
    assert_snapshot!(faults(text), @r#"
    2:31: game_constants.holes: "6" cannot stand here; it is a whole number: write 6 without quotes
    5:18: game_info.crosscapt: "1" cannot stand here; it is NONE 0, ONE_ZEROS 1, ANY 2, ONE_ANY 3: write 1 without quotes
    6:16: game_info.capt_on: "2+3" cannot stand here; it is a list of whole numbers: write [2, 3]
    7:19: game_info.udir_holes: this list cannot stand here; it is a list of whole numbers
    8:19: game_info.goal_param: " 7 " cannot stand here; it is a whole number: write 7 without quotes
    10:37: vari_params.sow_direct: "-1" cannot stand here; it is CW -1, SPLIT 0, CCW 1, PLAYALTDIR 2, EVEN_ODD_DIR 3, TOCENTER 4: write -1 without quotes
    11:44: variants.y.nbr_start: "5" cannot stand here; it is a whole number: write 5 without quotes
    "#);
    let quoted = "name = \"x\"\nholes = 2\nnbr_start = 1\nevens = \"1\"";
    assert_snapshot!(faults(quoted), @r#"4:9: evens: "1" cannot stand here; it is true or false: write 1 without quotes"#);
    let named = good(&json(r#""crosscapt": "ONE_ZEROS", "capt_on": [2, 3]"#), None);
    assert_eq!(said(&named.params), "holes=6,nbr_start=4,capt_on=2+3,crosscapt=ONE_ZEROS");
}

#[test]
fn anything_is_a_bool_in_json() {
    let file = good(&json(r#""stores": [0], "mustpass": "", "blocks": {}, "evens": "no""#), None);
    assert_eq!(said(&file.params), "holes=6,nbr_start=4,stores=true,evens=true");
    assert_eq!(file.notes, ["game_info.evens: a text that is not empty is true in JSON"]);
    assert_snapshot!(faults("name = \"x\"\nholes = 2\nnbr_start = 1\nevens = \"maybe\""), @r#"4:9: evens: "maybe" cannot stand here; it is true or false"#);
}

#[test]
fn random_moves_are_for_files_that_say_so_or_nothing() {
    let read = |player: &str| {
        let file = format!("name = 'x'\nholes = 4\nnbr_start = 3\n[player]\n{player}");
        good(&file, None).player.ai_params.random_moves
    };
    assert_eq!(read(""), [40, 20, 6, 0]);
    assert_eq!(read("ai_params.mcts_bias = [1, 2, 3, 4]"), [40, 20, 6, 0]);
    assert_eq!(read("ai_params.mm_depth = [1, 3, 5, 7]"), [0; 4]);
    assert_eq!(read("ai_params.mcts_nodes = [10, 20, 40, 80]"), [0; 4]);
    let both = "ai_params.random_moves = [9, 8, 7, 6]\nai_params.mm_depth = [1, 3, 5, 7]";
    assert_eq!(read(both), [9, 8, 7, 6]);
}
