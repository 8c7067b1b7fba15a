//! Required guarantees of a game, and messages if they are unavailable.

use crate::contest::{PATIENT, patient, tournament};
use crate::scratch::{Ran, Scratch};

/// Two bots and a file in which they meet.
fn field() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first");
    scratch.write("cup.toml", patient(1));
    scratch
}

/// The promises that are reported as missing.
fn missing(ran: &Ran) -> Vec<&str> {
    let lines = ran.stderr.lines().filter_map(|line| line.strip_prefix("error:   "));
    lines.filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn a_tournament_is_official_and_ends_before_its_first_game_where_that_is_missing() {
    let scratch = field();
    let ran = scratch.run("run cup.toml --isolation bare");
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    let missing = missing(&ran);
    assert!(["net", "read", "write", "signal"].iter().all(|word| missing.contains(word)));
    assert_eq!(scratch.attempts("results/cup", "valid"), 0);
    // What is told to accept it does.
    let (_, words) = ran.stderr.split_once("--require ").expect("an option");
    let words = words.split(';').next().expect("its words");
    let accepted = scratch.run(&format!("run cup.toml --isolation bare --require {words}")).done();
    assert!(accepted.stderr.starts_with("warning: bots are not contained (bare)"));
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
}

#[test]
fn a_game_among_friends_can_be_played_anywhere() {
    let scratch = field();
    let ran = scratch.run("match own/dice own/first --pairs 1 --isolation bare").done();
    assert!(ran.stderr.starts_with("warning: bots are not contained (bare)"), "{}", ran.stderr);
    scratch.run("play own/dice own/first --show nothing --isolation bare").done();
    let ran = scratch.run("play own/dice own/first --isolation bare --require net");
    assert_eq!((ran.code, missing(&ran)), (Some(3), vec!["net"]), "{}", ran.all());
    let ran = scratch.run("check own/dice --isolation bare --require net");
    assert_eq!((ran.code, missing(&ran)), (Some(3), vec!["net"]), "{}", ran.all());
}

#[test]
fn the_file_says_what_is_required_unless_the_command_line_does() {
    let scratch = field();
    let bots = "include = ['own/*']\n[sandbox]\nisolation = 'bare'\nrequire = ['friendly', 'read']";
    scratch.write("cup.toml", tournament(PATIENT, 1, bots));
    let ran = scratch.run("run cup.toml");
    assert_eq!((ran.code, missing(&ran)), (Some(3), vec!["read"]), "{}", ran.all());
    scratch.run("run cup.toml --require friendly").done();
}

#[test]
fn bots_of_the_house_need_no_promise() {
    let scratch = Scratch::new();
    let ran = scratch.run("match house:random house:greedy --pairs 1 --isolation bare").done();
    assert!(!ran.stderr.contains("contained"), "{}", ran.stderr);
    scratch.run("play house:random house:greedy --isolation bare --require net").done();
}

#[test]
fn a_file_that_a_match_writes_says_how_it_was_contained() {
    let scratch = field();
    let args = "match own/dice own/first --pairs 1 --name duel -q --isolation bare";
    scratch.run(&format!("{args} --require wall,mem~")).done();
    let file = scratch.read("results/duel/tournament.toml");
    assert!(file.contains("isolation = \"bare\"\nrequire = [\"wall\", \"mem~\"]\n"), "{file}");
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let ran = field().run("run cup.toml --require net,wifi");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("\"wifi\" is no promise; there are wall, cpu,"), "{}", ran.stderr);
}

#[test]
fn games_under_other_promises_are_not_added_unasked() {
    let scratch = field();
    let bare = "--isolation bare --require friendly";
    let first = scratch.run(&format!("run cup.toml -q {bare}")).done();
    assert!(first.stdout.ends_with("\nIsolation: bare; the bots were not contained.\n"));
    assert_eq!(scratch.column("results/cup/games.csv", "isolation"), ["bare"; 2]);
    // Nothing is to be added: it is as it was.
    let strict = "--isolation portable --require friendly";
    scratch.run(&format!("run cup.toml -q {strict}")).done();
    scratch.write("cup.toml", patient(2));
    let refused = scratch.run(&format!("run cup.toml {strict}"));
    assert_eq!(refused.code, Some(2), "{}", refused.all());
    for part in
        ["played under bare, and this run is portable", "net", "--isolation bare", "--fresh"]
    {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
    let mixed = scratch.run(&format!("run cup.toml -q {strict} --mix-isolation")).done();
    let note = "\nIsolation is mixed: 2 games bare, 2 games portable. They differ in ";
    assert!(mixed.stdout.contains(note), "{}", mixed.stdout);
    let standings = scratch.run("standings results/cup").done();
    assert_eq!(standings.stdout, mixed.stdout);
    let mut tiers = scratch.column("results/cup/games.csv", "isolation");
    tiers.sort();
    assert_eq!(tiers, ["bare", "bare", "portable", "portable"]);
    // Mixed, it is not like any of the two any more.
    scratch.write("cup.toml", patient(3));
    assert_eq!(scratch.run(&format!("run cup.toml {bare}")).code, Some(2));
    scratch.run(&format!("run cup.toml -q --fresh {strict}")).done();
}

/// Processes of a bot are counted, stopped and killed with it, by a control group.
#[test]
fn processes_may_be_allowed_where_they_can_be_contained() {
    let scratch = Scratch::new();
    scratch.fast("good", "random");
    let bots = "include = ['own/good', 'bots/hostile/daemon']\n[sandbox]\n\
                isolation = 'portable'\nprocesses = 'allowed'";
    scratch.write("cup.toml", tournament(PATIENT, 1, bots));
    let ran = scratch.start("run cup.toml --lanes 1 --require friendly").end(&scratch);
    if ran.code == Some(3) {
        assert!(ran.stderr.contains("needs control groups"), "{}", ran.all());
        return eprintln!("skipped: {}", ran.stderr);
    }
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let losers = scratch.column("results/cup/games.csv", "forfeited_by");
    assert_eq!(losers, ["", ""], "{}", ran.all());
}
