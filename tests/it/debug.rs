//! `pitmaster debug` from outside: bots asked again in positions of their games.

use crate::scratch::{Ran, Scratch};

/// Plays the legal move at the index `WHICH`, and comments on each move in all possible places.
const TALKATIVE: &str = "\
import sys
for line in sys.stdin:
    word, *rest = line.split()
    if word in ('pitmaster', 'newgame'):
        print('ready talkative', flush=True)
    elif word == 'moves':
        moves = rest
    elif word == 'go':
        print(len(moves), 'moves', file=sys.stderr, flush=True)
        print('info the best of', len(moves), flush=True)
        print('move', moves[WHICH], '# sure', flush=True)
";

/// One game of these bots in `game.json`; the first is player 1.
fn game(scratch: &Scratch, bots: [&str; 2], plies: &str) {
    let bots = bots.join(" ");
    let limits = "--per-move 1m --per-game 10m";
    scratch.run(&format!("match {bots} --pairs 1 --name m -q {limits} {plies}")).done();
    let id = scratch.column("results/m/games.csv", "id").swap_remove(0);
    let sides = scratch.column("results/m/games.csv", "bot1");
    assert_eq!(sides[0], bots.split(['/', ' ']).nth(1).expect("a name"), "{sides:?}");
    scratch.run(&format!("export results/m --game {id} -o game.json")).done();
}

/// Lines that describe moves.
fn moves(ran: &Ran) -> Vec<Vec<&str>> {
    let words = ran.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let is_move = |words: &Vec<&str>| {
        let ply = words.first().and_then(|word| word.parse::<u32>().ok());
        ply.is_some() && words.get(1) != Some(&"of")
    };
    words.filter(is_move).collect()
}

#[test]
fn a_bot_that_plays_as_it_did_is_found_to() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    game(&scratch, ["own/dice", "own/first"], "");
    for bot in ["own/dice", "own/first"] {
        let ran = scratch.run(&format!("debug {bot} game.json")).done();
        let (_, sentence) = ran.stdout.trim_end().rsplit_once('\n').expect("lines");
        let count = moves(&ran).len();
        assert!(count > 5, "{}", ran.stdout);
        assert_eq!(sentence, format!("it chooses the same move at all {count} plies"));
    }
}

#[test]
fn the_first_difference_is_pointed_out_and_the_rest_is_asked_all_the_same() {
    let scratch = Scratch::new();
    scratch.bot("bot", "pitmaster", &TALKATIVE.replace("WHICH", "0"));
    scratch.fast("last", "last");
    game(&scratch, ["own/bot", "own/last"], "");
    let same = scratch.run("debug own/bot game.json").done();
    assert!(!same.stdout.contains("differs from the one"), "{}", same.stdout);
    scratch.bot("bot", "pitmaster", &TALKATIVE.replace("WHICH", "-1"));
    let ran = scratch.run("debug own/bot game.json");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    let asked = moves(&ran).len();
    let last = ran.stdout.lines().last().expect("a sentence");
    assert!(
        asked > 20
            && last.contains(&format!(" of {asked} moves differ, the first at ply 1: 1R then, "))
    );
    let beginning: Vec<_> = ran.stdout.lines().take(8).collect();
    insta::assert_snapshot!(beginning.join("\n"), @"
    bot (player 1) against last (player 2): coloured-awale, game [id]
    this program ([hash]) differs from the one that played ([hash])

      ply  then                now
           | 32 moves
           info the best of 32
           info sure
        1  1R [time]    15TB [time]  differs
    ");
    let one = scratch.run("debug own/bot game.json --at 3");
    let (board, asked) = one.stdout.split_once("\n  ply").expect("the head of the table");
    assert!(board.ends_with("\nplayer 1 to move\n"), "{board}");
    assert_eq!(one.code, Some(1), "{}", one.all());
    insta::assert_snapshot!(asked, @"
      then                now
           | 31 moves
           info the best of 31
           info sure
        3  1B [time]    15TB [time]  differs

    it chooses another move at ply 3: 1B then, 15TB now
    ");
}

#[test]
fn a_forfeit_is_asked_about_too() {
    let scratch = Scratch::new();
    scratch.fast("cheat", "illegal").fast("first", "first");
    game(&scratch, ["own/cheat", "own/first"], "");
    let ran = scratch.run("debug own/cheat game.json");
    insta::assert_snapshot!(ran.all(), @r#"
    exit 0
    --- stdout
    cheat (player 1) against first (player 2): coloured-awale, game [id]

      ply  then                now
        1  illegal-move "move 2R"  2R [time]  illegal

    it chooses the same move
    "#);
    let ran = scratch.run("debug house:greedy game.json --side 1");
    assert_eq!(moves(&ran).len(), 1, "{}", ran.all());
}

#[test]
fn a_bot_of_a_contest_cannot_go_on_after_a_difference() {
    let scratch = Scratch::new();
    let source = "import sys\nfor line in sys.stdin:\n    print('1R', flush=True)\n";
    let bot = scratch.bot("bot", "arena", source);
    scratch.fast("last", "last");
    game(&scratch, [&bot, "own/last"], "");
    scratch.bot("bot", "arena", &source.replace("1R", "3B"));
    let ran = scratch.run("debug own/bot game.json");
    assert_eq!(ran.code, Some(1), "{}", ran.all());
    insta::assert_snapshot!(ran.stdout.lines().skip(2).collect::<Vec<_>>().join("\n"), @"

      ply  then                now
        1  1R [time]    3B [time]  differs

    it chooses another move at ply 1: 1R then, 3B now
    later plies are skipped: in the dialect arena a bot cannot be told its own earlier moves
    ");
}

#[test]
fn house_bots_and_openings_can_be_asked_about() {
    let scratch = Scratch::new();
    let bots = ["house:greedy", "house:random"];
    let limits = "--per-move 1m --per-game 10m --pairs 1 --openings 4 --seed 2";
    scratch.run(&format!("match {} --name m -q {limits}", bots.join(" "))).done();
    let id = scratch.column("results/m/games.csv", "id").swap_remove(0);
    scratch.run(&format!("export results/m --game {id} -o game.json")).done();
    for bot in bots {
        let ran = scratch.run(&format!("debug {bot} game.json")).done();
        let first: u32 = moves(&ran)[0][0].parse().expect("a number");
        assert!(first == 5 || first == 6, "{}", ran.stdout);
        let one = scratch.run(&format!("debug {bot} game.json --at {first}")).done();
        assert_eq!(moves(&one).len(), 1, "{}", one.stdout);
    }
}

#[test]
fn what_cannot_be_asked_is_told() {
    let scratch = Scratch::new();
    scratch.fast("first", "first").fast("last", "last");
    game(&scratch, ["own/first", "own/last"], "");
    scratch.write("other.json", "{\"format\": \"svg\", \"version\": 1}");
    let said = [
        "debug own/first nowhere.json",
        "debug own/first other.json",
        "debug house:random game.json",
        "debug own/first game.json --at 2",
    ]
    .map(|args| {
        let said = scratch.run(args).all();
        // How many plies there are follows from the bots.
        said.split(", whose plies").next().unwrap_or_default().to_owned()
    });
    insta::assert_snapshot!(said.join("\n"), @r#"
    exit 2
    --- stderr
    error: cannot read nowhere.json: No such file or directory (os error 2); check the path

    exit 2
    --- stderr
    error: other.json: it is no game that `pitmaster export` wrote (its format is "svg")

    exit 2
    --- stderr
    error: player 1 was first, player 2 was last, and this bot is house-random; choose its side with --side

    exit 2
    --- stderr
    error: ply 2 is not a ply of first (player 1)
    "#);
}
