//! `pitmaster simulate` from outside.

use crate::scratch::Scratch;

fn csv(args: &str) -> String {
    Scratch::new().run(&format!("simulate {args} --csv -")).done().stdout
}

#[test]
fn the_same_seed_gives_the_same_on_any_number_of_threads() {
    let games = "--game kalah --game isholo-2a --game weg::* --pairs 5 --random-plies 1";
    let players = "expert,nodes=300 montecarlo_ts,level=0,nodes=20";
    let one = csv(&format!("{players} {games} --threads 1"));
    assert_eq!(one, csv(&format!("{players} {games} --threads 3")));
    assert_ne!(one, csv(&format!("{players} {games} --seed 2")));
    let names: Vec<_> = one.lines().map(|line| line.split(',').next().unwrap_or("")).collect();
    let weg = ["weg", "weg::weg_10_4", "weg::weg_4_2", "weg::weg_6_3"];
    assert_eq!(names, [&["game", "kalah", "isholo-2a"], &weg[..]].concat());
}

#[test]
fn a_row_a_game() {
    let games = "--game kalah,seeds=3 --game coloured-awale";
    insta::assert_snapshot!(csv(&format!("greedy random {games} --pairs 20")), @r#"
    game,parameters,pairs,distinct_pairs,first_score,first_low,first_high,first_low_all,first_high_all,a_score,a_low,a_high,draws,cut,plies,branching
    "kalah,nbr_start=3","holes=6,nbr_start=3,end_cond=CLEARED_OWN,stores=true,sow_stores=OWN,capt_side=OPP_SIDE,crosscapt=ONE_ZEROS,xcpickown=PICK_ON_CAPT",20,20,0.5125,0.4212,0.6030,0.4087,0.6152,0.9125,0.7900,0.9666,0.0250,0.0000,21.4,4.02
    coloured-awale,,20,20,0.5000,0.4663,0.5337,0.4615,0.5385,1.0000,0.8750,1.0000,0.0000,0.0000,35.0,20.62
    "#);
    let scratch = Scratch::new();
    scratch.write("games.txt", "# two games\nkalah\n\nmine.toml\nkalah\n");
    scratch.write(
        "mine.toml",
        "name = 'Mine'\nholes = 3\nnbr_start = 2\nstores = true\ncapt_on = [2]\n",
    );
    let ran = scratch
        .run("simulate house:random greedy --game-list games.txt --pairs 10 --csv out.csv")
        .done();
    insta::assert_snapshot!(ran.stdout, @r#"
    game          pairs  distinct   first  0 %           50 %        100 %       A   draws    cut  plies
    kalah            10        10  52.5 %  ············├───●───┤··········   7.5 %   5.0 %  0.0 %   26.4
    two-row,cap…     10        10  42.5 %  ········├────●────┤············  32.5 %  35.0 %  0.0 %   17.9
    "#);
    assert_eq!(scratch.read("out.csv").lines().count(), 3);
}

/// Two players without randomness repeat one pair.
#[test]
fn what_repeats_is_counted_once_and_told() {
    let players = "minimaxer,depth=1 minimaxer,depth=1";
    let ran = Scratch::new().run(&format!("simulate {players} --plies 1 --pairs 200")).done();
    insta::assert_snapshot!(ran.stderr, @"some pairs repeat others; try --random-plies 2 for more variety");
}

/// If a later game cannot be played, no game is played and no file changes.
#[test]
fn players_are_asked_for_in_all_games_before_any_is_played() {
    let scratch = Scratch::new();
    scratch.write("x.csv", "of yesterday\n");
    let games = "--game oware --game kalah --game isholo-* --pairs 2 --csv x.csv";
    let ran = scratch.run(&format!("simulate negamaxer minimaxer,mx_stores_m=3 {games}"));
    insta::assert_snapshot!(ran.all(), @"
    exit 2
    --- stderr
    error: kalah: negamaxer wants turns that strictly alternate, and a move can give another turn; use minimaxer
    error: isholo-1: mx_stores_m says nothing here: there are no stores in this game; leave it out
    error: isholo-2a: mx_stores_m says nothing here: there are no stores in this game; leave it out
    error: isholo-2b: mx_stores_m says nothing here: there are no stores in this game; leave it out
    error: isholo-3: mx_stores_m says nothing here: there are no stores in this game; leave it out
    ");
    assert_eq!(scratch.read("x.csv"), "of yesterday\n");
}

#[test]
fn what_is_wrong_is_told() {
    let scratch = Scratch::new();
    scratch.write("none.txt", "# nothing\n");
    let wrong = |args: &str| {
        let ran = scratch.run(&format!("simulate {args}"));
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        ran.stderr.lines().next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(wrong("bots/random-c random"), @r#"error: invalid value 'bots/random-c' for '<PLAYER A>': there is no house bot "bots/random-c"; there is random, greedy, preset, montecarlo_ts, minimaxer, negamaxer, expert; only house bots play in process"#);
    insta::assert_snapshot!(wrong("expert random"), @"error: invalid value 'expert' for '<PLAYER A>': without a clock it might search forever; try expert,nodes=10000");
    insta::assert_snapshot!(wrong("random random --game chess*"), @r#"error: no game matches "chess*"; `pitmaster games` lists all"#);
    insta::assert_snapshot!(wrong("random random --game kalh"), @r#"error: there is no game "kalh"; did you mean kalah?"#);
    insta::assert_snapshot!(wrong("random random --game-list none.txt"), @"error: none.txt lists no games");
    insta::assert_snapshot!(wrong("random random --game-list gone.txt"), @"error: gone.txt: it cannot be read (No such file or directory (os error 2)); check the path");
    insta::assert_snapshot!(wrong("negamaxer random --game kalah"), @"error: kalah: negamaxer wants turns that strictly alternate, and a move can give another turn; use minimaxer");
    insta::assert_snapshot!(wrong("minimaxer,depth=40 random"), @"error: invalid value 'minimaxer,depth=40' for '<PLAYER A>': without a clock it might search forever; try minimaxer,depth=8");
    insta::assert_snapshot!(wrong("random random --pairs 0"), @"error: invalid value '0' for '--pairs <N>': 0 is not in 1..=10000000");
    insta::assert_snapshot!(wrong("random random --csv gone/out.csv"), @"error: cannot write gone/out.csv (No such file or directory (os error 2)); check the path");
}
