//! `pitmaster standings` from outside.

use crate::contest::patient;
use crate::scratch::Scratch;

/// Plays two pairs between three bots, one of which forfeits and has an accent in its name.
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
    insta::assert_snapshot!(stdout(&scratch, "results/cup"), @"
    Coupe d’été
    #  bot    games  distinct  W-D-L  points  win rate    95 %    Elo          ±  forfeits
    1  first      8         6  8-0-0    8.00   100.0 %  61–100  >1961  -319 +869
    2  dice       8         7  4-0-4    4.00    50.0 %   20–80   1482       ±349
    3  cheat      8         5  0-0-8    0.00     0.0 %    0–43  <1056  -880 +328         8
    > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
    Elo cannot tell the ranks of a group apart (95 %): 1–2, 2–3.
    9 of 12 games were distinct; repeated games do not narrow intervals.
    Isolation: portable.
    ");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --format markdown"), @r#"
    **Coupe d’été**

    | # | bot | games | distinct | W-D-L | points | win rate | 95 % | Elo | ± | forfeits |
    | --: | :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
    | 1 | first | 8 | 6 | 8-0-0 | 8.00 | 100.0 % | 61–100 | \>1961 | -319 +869 |  |
    | 2 | dice | 8 | 7 | 4-0-4 | 4.00 | 50.0 % | 20–80 | 1482 | ±349 |  |
    | 3 | cheat | 8 | 5 | 0-0-8 | 0.00 | 0.0 % | 0–43 | \<1056 | -880 +328 | 8 |

    \> or \<: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.

    Elo cannot tell the ranks of a group apart (95 %): 1–2, 2–3.

    9 of 12 games were distinct; repeated games do not narrow intervals.

    Isolation: portable.
    "#);
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
    insta::assert_snapshot!(scratch.read("table.csv").replace('\u{feff}', "[BOM]"), @"
    [BOM]bot;display;points;win_rate
    first;first;8,00;1,0000
    dice;Élise | 2,0;4,00;0,5000
    cheat;cheat;0,00;0,0000
    ");
    let both = stdout(&scratch, "results/cup --format csv --csv excel-fr --columns bot");
    assert_eq!(both.lines().next(), Some("\u{feff}bot"));
}

#[test]
fn our_own_games_give_our_own_table() {
    let scratch = played();
    let leaderboard = scratch.read("results/cup/leaderboard.csv");
    let header = leaderboard.lines().next().expect("a header");
    // What a bot calls itself, and who has no games, does not stand in the file of games.
    let columns = header.strip_suffix(",display,left_out").expect("the last columns");
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
    insta::assert_snapshot!(stdout(&scratch, "chess.csv"), @"
    #  bot         games  W-D-L  points  win rate    95 %    Elo           ±  forfeits
    1  José; fils      2  2-0-0    2.00   100.0 %  34–100  >1853  -482 +1185
    2  Zoë             4  1-1-2    1.50    25.0 %    5–70   1500        ±206
    2  Élise           4  1-1-2    1.50    25.0 %    5–70   1500        ±206
    > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
    Elo cannot tell the ranks of a group apart (95 %): 1–2.
    Player 1 has an advantage of 0 ±367 Elo; 22.8 % of the games between equals are draws.
    The file has no moves: all games count as distinct.
    ");
}

#[test]
fn every_wrong_line_is_told_with_its_number() {
    let scratch = Scratch::new();
    scratch.write("games.csv", "bot1,bot2,result\na,b,1-0\na,b,2-0\na,a,1-0\na,b\n");
    scratch.write("odd.csv", "name,points\na,3\n");
    let said = ["games.csv", "odd.csv", "none.csv"];
    let said = said.map(|file| scratch.run(&format!("standings {file}")).all());
    insta::assert_snapshot!(said.join("\n"), @r#"
    exit 2
    --- stderr
    error: games.csv:3: result is "2-0"; write player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too)
    error: games.csv:4: "a" meets itself, which says nothing; leave the line out
    error: games.csv:5: the line has 2 cells, and the header 3; correct it

    exit 2
    --- stderr
    error: odd.csv:1: no column is called bot1 (nor player1 or white); rename the one with the names of player 1
    error: odd.csv:1: no column is called bot2 (nor player2 or black); rename the one with the names of player 2
    error: odd.csv:1: there is no column of results; call one result, with player-1, player-2, draw or both-lost (1-0, 0-1, 1/2-1/2 and 0-0 will do too), or winner, with a name or nothing for a draw

    exit 2
    --- stderr
    error: cannot read none.csv: No such file or directory (os error 2); check the path
    "#);
}

#[test]
fn results_are_broken_down() {
    let scratch = played();
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by side"), @"
    Coupe d’été
    bot    side  games  distinct  W-D-L    score  win rate    95 %  plies  forfeits
    (all)     1     12         9  6-0-6   50.0 %    50.0 %   23–77   40.3         4
    (all)     2     12         9  6-0-6   50.0 %    50.0 %   23–77   40.3         4
    first     1      4         3  4-0-0  100.0 %   100.0 %  44–100   60.5
    first     2      4         3  4-0-0  100.0 %   100.0 %  44–100   60.0
    dice      1      4         4  2-0-2   50.0 %    50.0 %   15–85   60.5
    dice      2      4         3  2-0-2   50.0 %    50.0 %   13–87   60.0
    cheat     1      4         2  0-0-4    0.0 %     0.0 %    0–66    0.0         4
    cheat     2      4         3  0-0-4    0.0 %     0.0 %    0–56    1.0         4
    Repeated games do not narrow intervals.
    Isolation: portable.
    ");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by opponent --bot cheat"), @"
    Coupe d’été
    bot    opponent  games  distinct  W-D-L  score  win rate  95 %  plies  forfeits
    cheat  first         4         2  0-0-4  0.0 %     0.0 %  0–66    0.5         4
    cheat  dice          4         3  0-0-4  0.0 %     0.0 %  0–56    0.5         4
    Repeated games do not narrow intervals.
    Isolation: portable.
    ");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by ending --format csv"), @"
    bot,ending,games,distinct,wins,draws,losses,score,win_rate,win_rate_low,win_rate_high,mean_plies,forfeits
    ,illegal-move,8,5,4,0,4,0.5000,0.5000,0.1704,0.8296,0.5,4
    ,ply-limit,4,4,2,0,2,0.5000,0.5000,0.1500,0.8500,120.0,0
    first,ply-limit,4,4,4,0,0,1.0000,1.0000,0.5101,1.0000,120.0,0
    first,illegal-move,4,2,4,0,0,1.0000,1.0000,0.3424,1.0000,0.5,0
    dice,ply-limit,4,4,0,0,4,0.0000,0.0000,0.0000,0.4899,120.0,0
    dice,illegal-move,4,3,4,0,0,1.0000,1.0000,0.4385,1.0000,0.5,0
    cheat,illegal-move,8,5,0,0,8,0.0000,0.0000,0.0000,0.4345,0.5,8
    ");
    insta::assert_snapshot!(stdout(&scratch, "results/cup --by opening --format markdown"), @"
    **Coupe d’été**

    | opening | games | distinct | W-D-L | score | win rate | 95 % | plies | forfeits |
    | :-- | --: | --: | --: | --: | --: | --: | --: | --: |
    | - | 12 | 9 | 6-0-6 | 50.0 % | 50.0 % | 23–77 | 40.3 | 4 |

    Results are from player 1's point of view.

    Repeated games do not narrow intervals.

    Isolation: portable.
    ");
    let times = stdout(&scratch, "results/cup --by time --format csv --columns bot,moves");
    assert_eq!(times.lines().next(), Some("bot,moves"));
    assert!(times.contains("\ncheat,0\n"), "{times}");
}

/// Sixty games of three bots that have all scored against each other, with a few forfeits.
fn mixed_games() -> String {
    let results = ["1-0", "0-1", "1/2-1/2", "1-0", "1-0"].iter().cycle();
    let bots = ["alpha,beta", "beta,gamma", "gamma,alpha"].iter().cycle();
    let games = results.zip(bots).zip(1..=60).map(|((result, bots), number)| {
        let ending = if number % 20 == 1 { "move-late" } else { "rules:49+" };
        format!("{bots},{result},{ending}\n")
    });
    "bot1,bot2,result,ending\n".to_owned() + &games.collect::<String>()
}

#[test]
fn options_of_the_fit_reach_it() {
    let scratch = Scratch::new();
    scratch.write("games.csv", mixed_games());
    let elo = |args: &str| -> Vec<String> {
        let args = format!("games.csv --format csv --columns bot,elo,elo_low {args}");
        let text = stdout(&scratch, &args);
        text.lines().skip(1).map(str::to_owned).collect()
    };
    let plain = elo("");
    assert!(elo("--anchor beta=1000").iter().any(|row| row.starts_with("beta,1000.0,")));
    assert_eq!(elo("--first-move estimated --draws estimated --fit random"), plain);
    let likely = elo("--fit ml");
    assert_eq!(elo("--fit ml --intervals information --prior 0"), likely);
    for other in [
        "--first-move 300",
        "--draws 0.5",
        "--no-forfeits",
        "--fit ml",
        "--fit bayeselo",
        "--fit bayeselo --prior 4",
        "--fit ml --prior 4",
        "--fit ml --intervals bootstrap --samples 20 --seed 3",
        "--fit ml --intervals profile",
    ] {
        assert_ne!(elo(other), plain, "{other}");
        assert!(other == "--fit ml" || elo(other) != likely, "{other}");
    }
    for refused in ["--intervals profile", "--prior 2", "--fit bayeselo --prior 0"] {
        let ran = scratch.run(&format!("standings games.csv {refused}"));
        assert_eq!(ran.code, Some(2), "{refused}");
        assert!(ran.stderr.contains("requires --"), "{refused}: {}", ran.stderr);
    }
    let matrix = stdout(&scratch, "games.csv --superiority --format csv");
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
    insta::assert_snapshot!(said.concat(), @r#"
    exit 2
    --- stderr
    error: there is no column "pionts"; did you mean points?
    error: there is no column "colour"
    error: this table has rank, bot, games, distinct, wins, draws, losses, w-d-l, points, win_rate, win_rate_low, win_rate_high, win_rate_95, elo_bound, elo, elo_low, elo_high, elo_error, elo_group, forfeits, move-late, bank-empty, cpu-time, stole-time, start-late, illegal-move, malformed-line, line-too-long, not-utf8, too-much-output, spoke-out-of-turn, closed-output, exited, would-not-start, did-not-build, suspended, starved, hash, display, left_out, p_next
    exit 2
    --- stderr
    error: unknown bot "dicee"; did you mean dice?
    error: bots: cheat, dice, first
    exit 2
    --- stderr
    error: --csv cannot be combined with another --format; leave one of them out
    exit 2
    --- stderr
    error: --forfeits supports only text; leave --format out, or use --by ending
    exit 2
    --- stderr
    error: --samples and --seed require --fit ml --intervals bootstrap; add them, or leave these out
    exit 2
    --- stderr
    error: unknown bot "dices"; did you mean dice?
    error: bots: cheat, dice, first
    exit 2
    --- stderr
    error: a file of games has no times; name the results folder of the games instead
    exit 2
    --- stderr
    error: --files requires a results folder, but results/cup/games.csv is a file; leave it out
    exit 2
    --- stderr
    error: cannot write no/such/folder (No such file or directory (os error 2)); check the path
    exit 2
    --- stderr
    error: there are no results in results; check the path, or play the tournament first
    "#);
}
