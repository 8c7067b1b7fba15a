//! `pitmaster export` from outside.

use crate::contest::patient;
use crate::scratch::Scratch;

/// Plays two pairs between two bots, with a title.
fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("first", "first").fast("cheat", "illegal");
    let file = patient(2).replace("seed = 7", "title = 'The \"cup\"'\nseed = 7");
    scratch.write("cup.toml", file).run("run cup.toml -q").done();
    scratch
}

fn ids(scratch: &Scratch) -> Vec<String> {
    scratch.column("results/cup/games.csv", "id")
}

#[test]
fn one_game_is_a_file_that_needs_nothing_else() {
    let scratch = played();
    let id = &ids(&scratch)[1];
    scratch.run(&format!("export results/cup --game {} -o game.json", &id[..6])).done();
    let game: serde_json::Value = serde_json::from_str(&scratch.read("game.json")).expect("JSON");
    assert_eq!(game["format"], "pitmaster-game");
    assert_eq!(game["version"], 1);
    assert_eq!(game["id"], **id);
    assert_eq!(game["dialects"], serde_json::json!(["pitmaster", "pitmaster"]));
    let replayed = scratch.run(&format!("replay results/cup {id} --json")).done().raw.stdout;
    let record: serde_json::Value = serde_json::from_slice(&replayed).expect("JSON");
    assert_eq!(game["record"], record);
    // The file shows the same as the results.
    let shown = scratch.run(&format!("replay results/cup {id}")).done().stdout;
    assert_eq!(scratch.run("replay game.json").done().stdout, shown);
    let told = ["game.json 4a", "results/cup", "results", "results/cup/games.csv"];
    let told = told.map(|args| scratch.run(&format!("replay {args}")).all());
    insta::assert_snapshot!(told.join("\n"), @"
    exit 2
    --- stderr
    error: a file holds a single game; leave the id out

    exit 2
    --- stderr
    error: no game id given; add an id or a prefix of one from games.csv

    exit 2
    --- stderr
    error: there are no results in results; check the path, or play the tournament first

    exit 2
    --- stderr
    error: results/cup/games.csv: it is no game that `pitmaster export` wrote (expected value at line 1 column 1)
    ");
}

#[test]
fn every_game_is_a_line_in_the_order_of_the_plan() {
    let scratch = played();
    let lines = scratch.run("export results/cup --format jsonl").done();
    let lines = String::from_utf8(lines.raw.stdout).expect("UTF-8");
    let id = |line: &str| {
        let game: serde_json::Value = serde_json::from_str(line).expect("JSON");
        game["id"].as_str().expect("a text").to_owned()
    };
    assert_eq!(lines.lines().map(id).collect::<Vec<_>>(), ids(&scratch));
}

#[test]
fn other_rating_programs_are_given_pgn() {
    let scratch = played();
    scratch.run("export results/cup --format pgn -o cup.pgn").done();
    let pgn = scratch.read("cup.pgn");
    assert_eq!(pgn.matches("[Event \"The \\\"cup\\\"\"]\n").count(), 4);
    assert_eq!(
        pgn.matches("\n[White \"first\"]\n[Black \"cheat\"]\n[Result \"1-0\"]\n").count(),
        2
    );
    assert_eq!(
        pgn.matches("\n[White \"cheat\"]\n[Black \"first\"]\n[Result \"0-1\"]\n").count(),
        2
    );
    let id = &ids(&scratch)[2];
    let one = scratch.run(&format!("export results/cup --format pgn --game {id}")).done();
    let one = String::from_utf8(one.raw.stdout).expect("UTF-8");
    assert!(pgn.contains(&one) && one.contains(&format!("[GameId \"{id}\"]")), "{one}");
}

#[test]
fn what_cannot_be_exported_is_told() {
    let scratch = played();
    let said = [
        "export results/cup",
        "export results/cup --game zz",
        "export results/none --format pgn",
        "export results/cup --format jsonl -o no/such/folder",
    ]
    .map(|args| scratch.run(args).all());
    insta::assert_snapshot!(said.concat(), @r#"
    exit 2
    --- stderr
    error: name a game with --game ID (games.csv lists the ids), or export all of them with --format jsonl or --format pgn
    exit 2
    --- stderr
    error: no game "zz" in results/cup; games.csv there lists the ids
    exit 2
    --- stderr
    error: there are no results in results/none; check the path, or play the tournament first
    exit 2
    --- stderr
    error: cannot write no/such/folder (No such file or directory (os error 2)); check the path
    "#);
}

/// Control characters that JSON does not escape, and characters that reverse or hide text.
#[test]
fn what_a_bot_said_acts_on_no_terminal() {
    let scratch = Scratch::new();
    let said = "import sys\nfor line in sys.stdin:\n    sys.stdout.buffer.write('\\u009b2J\\u202e\
                \\u2028\\u200b\\x7f\\n'.encode())\n    sys.stdout.flush()\n";
    scratch.bot("evil", "arena", said);
    let run = "match own/evil house:random --pairs 1 --name cup --json";
    let events = scratch.run(run).done();
    let id = &ids(&scratch)[0];
    let shown = [
        format!("export results/cup --game {id}"),
        "export results/cup --format jsonl".into(),
        "export results/cup --format pgn".into(),
        format!("replay results/cup {id} --json"),
        format!("replay results/cup {id} --all"),
        "standings results/cup --format json".into(),
        "standings results/cup --format csv".into(),
    ]
    .map(|args| scratch.run(&args).done().raw.stdout);
    let mut found = 0;
    for bytes in shown.into_iter().chain([events.raw.stdout]) {
        let text = String::from_utf8(bytes).expect("UTF-8");
        let acts = |c: char| pitmaster::core::is_hidden(c) && c != '\n' && c != '\r';
        assert!(!text.contains(acts), "{}", text.escape_debug());
        found += usize::from(text.contains("\\u009b2J\\u202e\\u2028\\u200b\\u007f"));
    }
    assert!(found >= 3, "{found}");
    // It is the same text, escaped.
    scratch.run(&format!("export results/cup --game {id} -o game.json")).done();
    let game: serde_json::Value = serde_json::from_str(&scratch.read("game.json")).expect("JSON");
    let evidence = game["record"]["evidence"].to_string();
    assert!(evidence.contains("\u{9b}2J\u{202e}"), "{evidence}");
    // A file out of other hands may hold anything as a move.
    let text = scratch.read("game.json").replace(
        "\"plies\": []",
        "\"plies\": [{\"by\": 1, \"text\": \
        \"1R\\u001b[2J\", \"wall_ns\": 1, \"cpu_ns\": 1, \"waiting_ns\": 1}]",
    );
    scratch.write("foreign.json", text);
    let moves = scratch.run("replay foreign.json --moves").raw.stdout;
    assert!(!moves.contains(&0x1b), "{}", String::from_utf8_lossy(&moves));
}
