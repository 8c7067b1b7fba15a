//! `pitmaster standings` from outside.

use crate::contest::patient;
use crate::scratch::Scratch;

/// Three bots, one of which forfeits and has an accent in its name: two pairs.
fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("cheat", "illegal");
    let file = patient(2).replace("seed = 7", "title = 'Coupe d’été'\nseed = 7");
    let entry = "[[bot]]\npath = 'own/dice'\ndisplay = 'Élise | 2,0'\n";
    scratch.write("cup.toml", file + entry).run("run cup.toml -q").done();
    scratch
}

fn stdout(scratch: &Scratch, args: &str) -> String {
    let ran = scratch.run(&format!("standings {args}")).done();
    String::from_utf8(ran.raw.stdout).expect("UTF-8")
}

#[test]
fn one_table_has_four_forms() {
    let scratch = played();
    insta::assert_snapshot!(stdout(&scratch, "results/cup"), @"");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --format markdown"), @"");
    let leaderboard = scratch.read("results/cup/leaderboard.csv");
    assert_eq!(stdout(&scratch, "results/cup --format csv"), leaderboard);
    let json = stdout(&scratch, "results/cup --format json");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["version"], &json["table"]), (&1.into(), &"leaderboard".into()));
    assert_eq!(json["rows"].as_array().map(Vec::len), Some(3));
    let dice = json["rows"].as_array().and_then(|rows| rows.iter().find(|r| r["bot"] == "dice"));
    assert_eq!(dice.expect("a row")["display"], "Élise | 2,0");
}

#[test]
fn a_french_excel_reads_it_by_a_double_click() {
    let scratch = played();
    let args = "--csv excel-fr --columns bot,display,points,win_rate -o table.csv";
    assert_eq!(stdout(&scratch, &format!("results/cup {args}")), "");
    insta::assert_snapshot!(scratch.read("table.csv").replace('\u{feff}', "[BOM]"), @"");
    let both = stdout(&scratch, "results/cup --format csv --csv excel-fr --columns bot");
    assert_eq!(both.lines().next(), Some("\u{feff}bot"));
}

#[test]
fn our_own_games_give_our_own_table() {
    let scratch = played();
    let leaderboard = scratch.read("results/cup/leaderboard.csv");
    let header = leaderboard.lines().next().expect("a header");
    // What a bot calls itself does not stand in the file of games.
    let columns = header.strip_suffix(",display").expect("the last column");
    let table = |source: &str| {
        stdout(&scratch, &format!("results/cup{source} --format csv --columns {columns}"))
    };
    assert_eq!(table("/games.csv"), table(""));
    let by_side = "--by side --format csv";
    assert_eq!(
        stdout(&scratch, &format!("results/cup/games.csv {by_side}")),
        stdout(&scratch, &format!("results/cup {by_side}"))
    );
}

#[test]
fn results_from_anywhere_are_rated() {
    let scratch = Scratch::new();
    let games = "White;Black;Result\nÉlise;Zoë;1-0\nZoë;Élise;1/2-1/2\nÉlise;Zoë;0-1\n\
                 \"José; fils\";Zoë;1-0\nÉlise;\"José; fils\";0-1\n";
    scratch.write("chess.csv", "\u{feff}".to_owned() + games);
    insta::assert_snapshot!(stdout(&scratch, "chess.csv"), @"");
}

#[test]
fn every_wrong_line_is_told_with_its_number() {
    let scratch = Scratch::new();
    scratch.write("games.csv", "bot1,bot2,result\na,b,1-0\na,b,2-0\na,a,1-0\na,b\n");
    scratch.write("odd.csv", "name,points\na,3\n");
    let said = ["games.csv", "odd.csv", "none.csv"];
    let said = said.map(|file| scratch.run(&format!("standings {file}")).all());
    insta::assert_snapshot!(said.join("\n"), @"");
}

#[test]
fn results_are_broken_down() {
    let scratch = played();
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by side"), @"");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by opponent --bot cheat"), @"");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by ending --format csv"), @"");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by opening --format markdown"), @"");
    let times = stdout(&scratch, "results/cup --by time --format csv --columns bot,moves");
    assert_eq!(times.lines().next(), Some("bot,moves"));
    assert!(times.contains("\ncheat,0\n"), "{times}");
}

#[test]
fn options_of_the_fit_reach_it() {
    let scratch = played();
    let elo = |args: &str| -> Vec<String> {
        let args = format!("results/cup --format csv --columns bot,elo,elo_low {args}");
        let text = stdout(&scratch, &args);
        let mut rows: Vec<_> = text.lines().skip(1).map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let plain = elo("");
    assert!(elo("--anchor dice=1000").iter().any(|row| row.starts_with("dice,1000.0,")));
    assert_eq!(elo("--first-move estimated --draws estimated --intervals information"), plain);
    for other in [
        "--first-move 300",
        "--prior 4",
        "--no-forfeits",
        "--intervals bootstrap --samples 20 --seed 3",
        "--intervals profile",
    ] {
        assert_ne!(elo(other), plain, "{other}");
    }
    let matrix = stdout(&scratch, "results/cup --superiority --format csv");
    assert!(matrix.starts_with("place,bot,over "), "{matrix}");
}

#[test]
fn what_cannot_be_shown_is_told() {
    let scratch = played();
    let said = [
        "results/cup --columns rank,pionts,colour",
        "results/cup --by side --bot dicee",
        "results/cup --format json --csv excel-fr",
        "results/cup --format csv --forfeits",
        "results/cup --samples 20",
        "results/cup --anchor dices=1000",
        "results/cup/games.csv --by time",
        "results/cup/games.csv --files",
        "results/cup -o no/such/folder",
        "results",
    ]
    .map(|args| scratch.run(&format!("standings {args}")).all());
    insta::assert_snapshot!(said.concat(), @"");
}
