//! `pitmaster analyze` and `pitmaster report --analyze` from outside.

use base64::Engine as _;
use serde_json::Value;

use crate::scratch::Scratch;

/// Effort of a quick analysis that is the same on every machine.
const NODES: &str = "--nodes 2000";

fn json(scratch: &Scratch, args: &str) -> Value {
    let ran = scratch.run(&format!("analyze {args} {NODES} --format json")).done();
    serde_json::from_slice(&ran.raw.stdout).expect("JSON")
}

/// A match of one pair of Oware, in `results/m`; the ids of its games.
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
      0          start   +2.1
      1  1       3       +1.0   1.8  6
      2  1       1       -2.1   4.9  6
      3  2       7       +1.2   3.3  12
      4  1       2       +1.2

    moves that lost most
      ply 2: 1 by player 1 (player 1) lost 4.9 seeds (-2.1 instead of +2.8); 6 was better
      ply 3: 7 by player 2 (player 2) lost 3.3 seeds (-1.2 instead of +2.1); 12 was better
      ply 1: 3 by player 1 (player 1) lost 1.8 seeds (+1.0 instead of +2.8); 6 was better
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
fn what_is_no_game_is_told() {
    let (scratch, _) = matched();
    scratch.write("illegal.txt", "1 7 1\n").write("empty.txt", "# nothing\n");
    scratch.write("other.json", "{\"format\": \"svg\",\n \"version\": 1}\n");
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
    ];
    insta::assert_snapshot!(faults.concat(), @r#"
    error: ply 3, "1": not a legal move here; correct it
    error: empty.txt: it holds no moves; write them separated by blanks
    error: other.json: it is no game that `pitmaster export` wrote (its format is "svg")
    error: missing.txt: it cannot be read (No such file or directory (os error 2)); check the path
    error: no game id given; add an id or a prefix of one from games.csv
    error: results/m/moves.jsonl: 2 of its games match; name one by its id or a prefix of it, such as [id]
    error: results/m/moves.jsonl: it holds no game "zz"
    error: greedy gives no values to compare; analyze with expert
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
        wrong.stderr.contains("expected a time like [time], or nodes=10000"),
        "{}",
        wrong.all()
    );
}
