//! `pitmaster analyze` and `pitmaster report --analyze` from outside.

use base64::Engine as _;
use serde_json::Value;

use crate::contest::{PATIENT, tournament};
use crate::scratch::Scratch;

/// Effort of a quick analysis, independent of the machine.
const NODES: &str = "--nodes 2000";

fn json(scratch: &Scratch, args: &str) -> Value {
    let ran = scratch.run(&format!("analyze {args} {NODES} --format json")).done();
    serde_json::from_slice(&ran.raw.stdout).expect("JSON")
}

/// Plays a match of one pair of Oware to `results/m`. Returns the ids of its games.
fn matched() -> (Scratch, Vec<String>) {
    let scratch = Scratch::new();
    let bots = "house:greedy house:random";
    scratch.run(&format!("match {bots} --game oware --pairs 1 --name m --in-process -q")).done();
    let ids = scratch.column("results/m/games.csv", "id");
    (scratch, ids)
}

#[test]
fn a_list_of_moves_is_analyzed() {
    let scratch = Scratch::new();
    scratch.write("moves.txt", "3 1 # another turn\n7 2\n");
    let ran = scratch.run(&format!("analyze moves.txt --game kalah {NODES}")).done();
    insta::assert_snapshot!(ran.stdout, @"
    kalah: player 1 (player 1) against player 2 (player 2)
    analyzed by house:expert, 2000 nodes per ply; values are seeds for player 1

    ply  player  move   value  lost  better
      0          start   +9.4
      1  1       3       +9.8
      2  1       1       -5.2  14.5  6
      3  2       7       +9.1  15.1  9
      4  1       2       +8.0

    moves that lost most
      ply 3: 7 by player 2 (player 2) lost 15.1 seeds (-9.1 instead of +6.0); 9 was better
      ply 2: 1 by player 1 (player 1) lost 14.5 seeds (-5.2 instead of +9.2); 6 was better
    ");
}

#[test]
fn every_file_of_a_game_gives_the_same_analysis() {
    let (scratch, ids) = matched();
    let id = &ids[0];
    scratch.run(&format!("export results/m --game {id} -o lost.json")).done();
    scratch.run("export results/m --format jsonl -o games.jsonl").done();
    let of_folder = json(&scratch, &format!("results/m {id}"));
    assert_eq!(of_folder["id"], id.as_str());
    assert_eq!(json(&scratch, "lost.json"), of_folder);
    let prefix = &id[..6].to_uppercase();
    assert_eq!(json(&scratch, &format!("results/m/moves.jsonl {prefix}")), of_folder);
    assert_eq!(json(&scratch, &format!("games.jsonl {prefix}")), of_folder);
    let moves = scratch.run(&format!("replay results/m {id} --moves")).done().stdout;
    scratch.write("moves.txt", moves);
    let of_moves = json(&scratch, "moves.txt --game oware");
    assert_eq!((&of_moves["plies"], &of_moves["id"]), (&of_folder["plies"], &Value::Null));
}

#[test]
fn the_end_of_a_game_is_certain() {
    let (scratch, ids) = matched();
    let analysis = json(&scratch, &format!("results/m {}", ids[0]));
    let last = analysis["plies"].as_array().and_then(|plies| plies.last()).expect("plies");
    let score = |name| scratch.column("results/m/games.csv", name)[0].parse::<i64>().expect(name);
    let lead = score("score1") - score("score2");
    let winner = if lead > 0 { 1 } else { 2 };
    assert_ne!(lead, 0, "greedy beats random");
    let proven = &last["after"]["proven"];
    assert_eq!(proven, &serde_json::json!({"winner": winner, "margin": lead.abs()}));
    assert_eq!(last["after"]["value"].as_f64(), Some(lead as f64));
}

#[test]
fn a_search_that_ends_before_its_first_pass_says_nothing() {
    let (scratch, ids) = matched();
    let args = format!("analyze results/m {} --nodes 2 --format json", ids[0]);
    let ran = scratch.run(&args).done();
    let analysis: Value = serde_json::from_slice(&ran.raw.stdout).expect("JSON");
    let start = &analysis["start"];
    assert_eq!((&start["value"], &start["proven"]), (&Value::Null, &Value::Null));
    assert!(start["best"].is_string());
    let plies = analysis["plies"].as_array().expect("plies");
    let missing = plies.iter().filter(|ply| ply["after"]["value"].is_null()).count();
    assert!(missing > plies.len() / 2, "{missing} of {}", plies.len());
    assert!(plies.last().expect("plies")["after"]["proven"].is_object());
}

#[test]
fn the_ply_limit_of_the_game_counts() {
    let scratch = Scratch::new();
    let clock = PATIENT.replace("plies = 120", "plies = 12");
    let bots = "include = ['house:greedy', 'house:random']";
    scratch.write("cup.toml", tournament(&clock, 1, bots)).run("run cup.toml -q").done();
    let column = |name| scratch.column("results/cup/games.csv", name).swap_remove(0);
    let id = column("id");
    assert_eq!(column("ending"), "ply-limit");
    let score = |name| column(name).parse::<i64>().expect(name);
    let lead = (score("score1") - score("score2")) as f64;
    // Two plies before the limit, the search sees every line to the end.
    let nodes = "--nodes 20000 --format json";
    for file in ["results/cup", "results/cup/moves.jsonl"] {
        let ran = scratch.run(&format!("analyze {file} {id} {nodes}")).done();
        let analysis: Value = serde_json::from_slice(&ran.raw.stdout).expect("JSON");
        let plies = analysis["plies"].as_array().expect("plies");
        let after = |ply: usize| &plies[ply - 1]["after"];
        assert_eq!(after(12)["value"].as_f64(), Some(lead), "{file}");
        assert!(after(12)["best"].is_null(), "{file}");
        for ply in [10, 11, 12] {
            assert!(after(ply)["proven"].is_object(), "{file}, ply {ply}: {}", plies[ply - 1]);
        }
    }
}

#[test]
fn a_line_chooses_no_files_and_shows_no_escapes() {
    let scratch = Scratch::new();
    let line = |game: &str, id: &str| {
        let moves = serde_json::json!(["1"]);
        serde_json::json!({"id": id, "game": game, "bots": ["a\u{1b}[2J", "b"], "moves": moves})
            .to_string()
    };
    scratch.write("good.jsonl", line("kalah", "4a\u{202e}"));
    let shown = scratch.run(&format!("analyze good.jsonl {NODES}")).done().stdout;
    let first = "kalah, game 4a\\u{202e}: a\\u{1b}[2J (player 1) against b (player 2)\n";
    assert!(shown.starts_with(first), "{shown}");
    // A file that exists, so that only the refusal keeps it from being read.
    scratch.write("own.toml", "holes = 4\n");
    scratch.write("file.jsonl", line("./own.toml", "4b"));
    let ran = scratch.run(&format!("analyze file.jsonl {NODES}"));
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    insta::assert_snapshot!(ran.stderr, @r#"error: file.jsonl: "./own.toml" is a file; one can be named on the command line and in tournament files only"#);
    scratch.write("long.jsonl", [line("kalah", "4c"), "\n".into(), "x".repeat(65 << 20)].concat());
    let ran = scratch.run(&format!("analyze long.jsonl {NODES}"));
    assert_eq!(ran.stderr, "error: long.jsonl: a line is longer than 67108864 bytes\n");
}

#[test]
fn what_is_no_game_is_told() {
    let (scratch, ids) = matched();
    scratch.write("illegal.txt", "1 7 1\n").write("empty.txt", "# nothing\n");
    scratch.write("other.json", "{\"format\": \"svg\",\n \"version\": 1}\n");
    scratch.write("long.txt", "x".repeat(500)).write("moves.txt", "3\n");
    scratch.run(&format!("export results/m --game {} -o lost.json", ids[0])).done();
    let fault = |args: &str| {
        let ran = scratch.run(&format!("analyze {args} {NODES}"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr
    };
    let faults = [
        fault("illegal.txt --game oware"),
        fault("empty.txt"),
        fault("other.json"),
        fault("missing.txt"),
        fault("results/m"),
        fault("results/m/moves.jsonl"),
        fault("results/m/moves.jsonl zz"),
        fault("empty.txt --player house:greedy"),
        fault("long.txt --game oware"),
        fault("lost.json zz"),
        fault("moves.txt zz --game oware"),
    ];
    insta::assert_snapshot!(faults.concat(), @r#"
    error: illegal.txt: ply 3, "1": not a legal move here; correct it
    error: empty.txt: it holds no moves; write them separated by blanks
    error: other.json: it is no game that `pitmaster export` wrote (its format is "svg")
    error: missing.txt: it cannot be read (No such file or directory (os error 2)); check the path
    error: no game id given; add an id or a prefix of one from games.csv
    error: results/m/moves.jsonl: 2 of its games match; name one by its id or a prefix of it, such as [id]
    error: results/m/moves.jsonl: it holds no game "zz"
    error: greedy gives no values to compare; analyze with expert
    error: long.txt: ply 1, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…": a move is a hole from 1 to 12, or one of the words that are listed (pass, swap, fill=1:4,2:4, own=3,5, s2); correct it
    error: lost.json: it holds the game [id], not zz; leave the id out
    error: moves.txt: it is a list of moves without an id; leave zz out
    "#);
}

#[test]
fn the_page_shows_analyses_on_request() {
    let (scratch, _) = matched();
    let games = || -> Value {
        let page = scratch.read("results/m/report.html");
        let (_, script) = page.split_once(" id=\"t1-games-0\">").expect("games");
        let (packed, _) = script.split_once("</script>").expect("an end");
        let deflated = base64::engine::general_purpose::STANDARD.decode(packed).expect("64");
        serde_json::from_reader(flate2::read::DeflateDecoder::new(&*deflated)).expect("JSON")
    };
    assert!(games()[0].get("analysis").is_none());
    scratch.run("report results/m --analyze nodes=300").done();
    let analyzed = games();
    for game in analyzed.as_array().expect("games") {
        let plies = game["plies"].as_array().expect("plies").len();
        let values = game["analysis"]["values"].as_array().expect("values");
        assert_eq!(values.len(), plies + 1);
        assert!(values.iter().all(Value::is_number));
        assert!(game["analysis"]["proven"][plies.to_string()].is_array(), "the end is proven");
    }
    scratch.run("report results/m --analyze nodes=300").done();
    assert_eq!(games(), analyzed, "nodes make it the same each time");
    let wrong = scratch.run("report results/m --analyze soon");
    assert!(
        wrong.stderr.contains("expected a time like [time], at least [time], or nodes=10000"),
        "{}",
        wrong.all()
    );
    let short = scratch.run("report results/m --analyze 1ns");
    assert!(short.stderr.contains("at least [time]"), "{}", short.all());
    // With the effort that was asked for, it would take days.
    let nowhere = scratch.run("report results/m --analyze 1h --out nowhere/x.html");
    assert_eq!(nowhere.code, Some(2), "{}", nowhere.all());
    assert!(nowhere.stderr.contains("the folder nowhere does not exist"), "{}", nowhere.all());
    let folder = scratch.run("report results/m --analyze 1h --out results");
    assert_eq!(folder.code, Some(2), "{}", folder.all());
    assert!(folder.stderr.contains("results is a folder"), "{}", folder.all());
}
