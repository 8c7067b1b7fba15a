//! Formats that pair by results, with real bots and the real binary.

use rusqlite::Connection;

use crate::contest::patient;
use crate::scratch::Scratch;

const SWISS: &str = "kind = 'swiss'\nrounds = 4\npairs = 1\n";

pub(crate) const ALL: [(&str, &str); 5] = [
    ("swiss", SWISS),
    ("knockout", "kind = 'knockout'\npairs = 1\nextra = 1\n"),
    ("ladder", "kind = 'ladder'\ngames = 60\n"),
    ("gauntlet", "kind = 'gauntlet'\nagainst = ['first', 'dice-1']\npairs = 2\n"),
    (
        "stages",
        "[[stage]]\nkind = 'sanity'\nagainst = ['first']\npairs = 1\npass = 0.2\n\
         [[stage]]\nkind = 'round-robin'\ngroups = 2\npairs = 1\nadvance = 2\n\
         [[stage]]\nkind = 'knockout'\npairs = 2\n",
    ),
];

/// Eight bots: six random ones, one deterministic one, and one that gets suspended.
pub(crate) fn field() -> Scratch {
    let scratch = Scratch::new();
    for number in 1..=6 {
        scratch.fast(&format!("dice-{number}"), "random");
    }
    scratch.fast("first", "first").fast("cheat", "illegal");
    scratch
}

/// A tournament of a format.
pub(crate) fn cup(format: &str) -> String {
    let (head, bots) = patient(1).split_once("[format]\npairs = 1\n").map(owned).expect("a format");
    let format =
        if format.starts_with("[[stage]]") { format.into() } else { format!("[format]\n{format}") };
    format!("{head}{format}{bots}")
}

fn owned((head, tail): (&str, &str)) -> (String, String) {
    (head.to_owned(), tail.to_owned())
}

fn database(scratch: &Scratch, results: &str) -> Connection {
    Connection::open(scratch.path(&format!("{results}/tournament.db"))).expect("a database")
}

/// Every format gives the same results on any number of lanes.
#[test]
fn pairing_by_results_does_not_depend_on_the_lanes() {
    let scratch = field();
    for (name, format) in ALL {
        scratch.write("cup.toml", cup(format));
        scratch.run(&format!("run cup.toml --lanes 1 --out one-{name} -q")).done();
        scratch.run(&format!("run cup.toml --lanes 3 --out three-{name} -q")).done();
        scratch.assert_same(&format!("one-{name}/cup"), &format!("three-{name}/cup"));
        let games = scratch.column(&format!("one-{name}/cup/games.csv"), "id").len();
        assert!(games >= 14, "{name}: {games} games");
    }
}

/// A complete tournament plays no further games.
#[test]
fn run_again_it_plays_nothing() {
    let scratch = field();
    for (name, format) in ALL {
        scratch.write("cup.toml", cup(format));
        scratch.run(&format!("run cup.toml --out {name} -q")).done();
        let before = scratch.attempts(&format!("{name}/cup"), "valid");
        let again = scratch.run(&format!("run cup.toml --out {name} --json")).done();
        assert!(!again.stdout.contains("\"event\":\"game\""), "{name}: {}", again.stdout);
        assert_eq!(scratch.attempts(&format!("{name}/cup"), "valid"), before);
    }
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    let scratch = field();
    for (name, format) in [ALL[0], ALL[2], ALL[4]] {
        scratch.write("cup.toml", cup(format));
        scratch.run(&format!("run cup.toml --out whole-{name} -q")).done();
        for games in [3, 9] {
            let mut run = scratch.start(&format!("run cup.toml --lanes 2 --out killed-{name}"));
            run.started();
            run.games(games);
            run.kill();
        }
        scratch.run(&format!("run cup.toml --lanes 2 --out killed-{name} -q")).done();
        scratch.assert_same(&format!("whole-{name}/cup"), &format!("killed-{name}/cup"));
    }
}

/// A void game of a closed round is replayed without new pairings, even if its result changes.
#[test]
fn a_void_game_of_a_closed_round_is_played_again_and_nothing_else() {
    let scratch = field();
    scratch.write("cup.toml", cup(SWISS));
    scratch.run("run cup.toml -q").done();
    let ids = || scratch.column("results/cup/games.csv", "id");
    let before = ids();
    // As if it had been another result: what follows from it must not be looked at again.
    database(&scratch, "results/cup")
        .execute(
            "UPDATE attempts SET state = 'void', reason = 'a bad machine' WHERE game_id = ?1",
            (&before[0],),
        )
        .expect("updates");
    scratch.sum_up_anew("results/cup");
    let again = scratch.run("run cup.toml --json").done();
    assert_eq!(again.stdout.matches("\"event\":\"game\"").count(), 1, "{}", again.stdout);
    assert_eq!(ids(), before);
    assert_eq!(scratch.attempts("results/cup", "void"), 1);
}

/// If a game of a closed round is missing, later rounds are still shown.
#[test]
fn a_missing_game_hides_no_later_round() {
    let scratch = field();
    scratch.write("cup.toml", cup(SWISS));
    scratch.run("run cup.toml -q").done();
    let games = scratch.column("results/cup/games.csv", "id");
    database(&scratch, "results/cup")
        .execute(
            "UPDATE attempts SET state = 'void', reason = 'x' WHERE game_id = ?1",
            (&games[0],),
        )
        .expect("updates");
    scratch.sum_up_anew("results/cup");
    scratch.run("standings results/cup --files").done();
    assert_eq!(scratch.column("results/cup/games.csv", "id"), games[1..]);
}

/// A resubmitted bot takes over its seat in paired rounds, and only its own games are replayed.
#[test]
fn a_replaced_bot_keeps_its_seat() {
    let scratch = field();
    scratch.write("cup.toml", cup(SWISS));
    scratch.run("run cup.toml -q").done();
    let (ones, twos) = (
        scratch.column("results/cup/games.csv", "bot1"),
        scratch.column("results/cup/games.csv", "bot2"),
    );
    scratch.fast("dice-3", "last");
    let again = scratch.run("run cup.toml --json").done();
    assert_eq!(scratch.column("results/cup/games.csv", "bot1"), ones);
    assert_eq!(scratch.column("results/cup/games.csv", "bot2"), twos);
    let own = ones.iter().chain(&twos).filter(|name| *name == "dice-3").count();
    assert_eq!(again.stdout.matches("\"event\":\"game\"").count(), own);
}

#[test]
fn a_format_that_has_decided_is_not_changed() {
    let scratch = field();
    scratch.write("cup.toml", cup(SWISS));
    scratch.run("run cup.toml -q").done();
    scratch.write("cup.toml", cup(ALL[1].1));
    let refused = scratch.run("run cup.toml -q");
    assert_eq!(refused.code, Some(2));
    insta::assert_snapshot!(refused.stderr, @"error: results/cup was played under other rules: format (games that were played decided who met whom by it); change them back, or start beside it with --fresh");
    // More rounds are no change of what was played.
    scratch.write("cup.toml", cup(&SWISS.replace("rounds = 4", "rounds = 5")));
    scratch.run("run cup.toml -q").done();
    let rounds = scratch.column("results/cup/games.csv", "round");
    assert_eq!(rounds.iter().filter(|round| *round == "5").count(), 8);
}

#[test]
fn what_does_not_fit_to_the_bots_is_told() {
    let scratch = field();
    let told = |format: &str| {
        scratch.write("cup.toml", cup(format));
        let refused = scratch.run("run cup.toml");
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        refused
            .stderr
            .lines()
            .filter(|line| line.starts_with("error"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let all = [
        told("kind = 'gauntlet'\nagainst = ['dice-9']\n"),
        told("kind = 'round-robin'\ngroups = 5\n"),
        told("kind = 'sprt'\nagainst = ['first']\n"),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    error: cup.toml:13:12: no bot is called dice-9; did you mean dice-1? there is cheat, dice-1, dice-2, dice-3, dice-4, dice-5, dice-6, first
    error: cup.toml:11:1: 5 groups of 8 bots are too many: each needs two bots
    error: cup.toml:11:1: sprt is a test of two bots, and here are 8; name two
    ");
}

/// A house bot has the same name in all places.
#[test]
fn a_house_bot_goes_by_the_name_that_it_has_everywhere() {
    let scratch = Scratch::new();
    scratch.fast("dice", "random");
    let gauntlet = |name: &str| {
        let format = format!("kind = 'gauntlet'\nagainst = ['{name}']\n");
        cup(&format).replace("'own/*'", "'own/*', 'house:greedy', 'house:random'")
    };
    for name in ["greedy", "house:greedy", "house-greedy"] {
        scratch.write("cup.toml", gauntlet(name));
        scratch.run("run cup.toml -q --fresh --out heads").done();
    }
    scratch.assert_same("heads/cup", "heads/cup-2");
    scratch.assert_same("heads/cup", "heads/cup-3");
    scratch.write("cup.toml", gauntlet("house:greddy"));
    let refused = scratch.run("run cup.toml -q --fresh");
    assert!(
        refused.stderr.contains("house-greddy; did you mean house-greedy?"),
        "{}",
        refused.all()
    );
    scratch.write("cup.toml", gauntlet("nobody-at-all"));
    let refused = scratch.run("run cup.toml -q --fresh");
    let told = "no bot is called nobody-at-all; there is dice, house-greedy, house-random";
    assert!(refused.stderr.contains(told), "{}", refused.all());
    let anchored = |name: &str| {
        scratch.run(&format!("standings heads/cup --anchor {name}=1500")).done().stdout
    };
    assert!(anchored("greedy").contains("1500"));
    assert_eq!(anchored("house:greedy"), anchored("greedy"));
    assert_eq!(anchored("house-greedy"), anchored("greedy"));
}

#[test]
fn a_test_stops_by_itself_and_stays_stopped() {
    let scratch = Scratch::new();
    let command = "match house:greedy house:random --sprt 0,50 --name test --in-process";
    let ran = scratch.run(command).done();
    insta::assert_snapshot!(after(&ran.stdout, "Test of"), @"
    Test of house-greedy against house-random (logistic Elo 0 to 50, alpha 0.05, beta 0.05): house-greedy is stronger than house-random: the difference is not 0 Elo or less.
    Log-likelihood ratio 2.94, from -2.94 to 2.88, after 22 pairs.
    Unbiased estimate of the difference in Elo: +763.4 at least +218.1, without an upper bound.
    house-greedy against house-random: Elo at least +303.2, without an upper bound; normalised at least +242.6, without an upper bound.
    Likelihood that it is stronger: > 99.9 %.
    Distinct pairs by its score, 0 to 2: 0: 0, ½: 0, 1: 0, 1½: 0, 2: 22; 0.0 % were even.
    Isolation: portable.
    ");
    let (counted, surplus) =
        (scratch.attempts("results/test", "valid"), scratch.attempts("results/test", "surplus"));
    assert!(surplus > 0, "its look-ahead was played and does not count");
    let again = scratch.run(command).done();
    assert_eq!(after(&again.stdout, "Test of"), after(&ran.stdout, "Test of"));
    assert_eq!(scratch.attempts("results/test", "valid"), counted);
}

#[test]
fn a_test_is_the_same_on_any_number_of_lanes() {
    let scratch = Scratch::new();
    scratch.fast("new", "random").fast("old", "first");
    for lanes in [1, 4] {
        let command = format!(
            "match own/new own/old --sprt 0,300 --games 400 --lanes {lanes} --out l{lanes} --name t"
        );
        scratch.run(&command).done();
    }
    scratch.assert_same("l1/t", "l4/t");
}

#[test]
fn a_test_of_bots_that_repeat_themselves_stops_and_says_so() {
    let scratch = Scratch::new();
    scratch.fast("first", "first").fast("last", "last");
    let ran = scratch.run("match own/first own/last --sprt 0,1").done();
    insta::assert_snapshot!(after(&ran.stdout, "Test of"), @"
    Test of first against last (logistic Elo 0 to 1, alpha 0.05, beta 0.05): stopped undecided: 18 of 20 pairs repeat earlier ones move for move, so more pairs add no information; play with openings.
    Log-likelihood ratio -0.01, from -2.94 to 2.94, after 20 pairs.
    last against first: Elo at least -233.8, without an upper bound; normalised at least -178.1, without an upper bound.
    Likelihood that it is stronger: 84.1 %.
    Distinct pairs by its score, 0 to 2: 0: 0, ½: 0, 1: 0, 1½: 0, 2: 1; 0.0 % were even.
    Repeated pairs, not counted again: 19.
    Isolation: portable.
    ");
}

/// Lines from the first one with this beginning up to the next blank one.
fn after(text: &str, beginning: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.starts_with(beginning));
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

#[test]
fn shares_are_refused_where_pairing_depends_on_results() {
    let scratch = field();
    scratch.write("cup.toml", cup(SWISS));
    let refused = scratch.run("run cup.toml --part 1/2");
    assert_eq!(refused.code, Some(2));
    insta::assert_snapshot!(refused.stderr, @"error: cup.toml cannot be played in shares: who meets whom depends on results that the other shares would have; round-robin and gauntlet in one stage can");
    let wrong = scratch.run("run cup.toml --part 3/2");
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("a share is written 2/5"), "{}", wrong.stderr);
}

#[test]
fn shares_play_the_plan_together() {
    let scratch = field();
    scratch.write("cup.toml", patient(2));
    scratch.run("run cup.toml --out whole -q").done();
    let mut ids = Vec::new();
    for part in 1..=3 {
        scratch.run(&format!("run cup.toml --part {part}/3 -q")).done();
        ids.extend(scratch.column(&format!("results/cup-{part}-of-3/games.csv"), "id"));
    }
    let mut whole = scratch.column("whole/cup/games.csv", "id");
    ids.sort_unstable();
    whole.sort_unstable();
    assert_eq!(ids, whole);
}

#[test]
fn a_plan_says_games_time_and_what_the_format_tells() {
    let scratch = field();
    scratch.write("cup.toml", cup(ALL[4].1));
    let plan = scratch.run("plan cup.toml --lanes 2").done();
    insta::assert_snapshot!(plan.stdout, @"
    game    coloured-awale
    format  sanity, 1 pair, more than 20 % go on → 2 groups, 1 pair each, 2 go on → knockout, matches of 2 pairs, at most 5 more where they are tied
    bots    8
    games   at least 48, more if matches are tied
    time    about [time] on 2 lanes, assuming [time] per move and 95 plies per game
    Elo     about ±442 per bot on average (95 %), assuming a strength spread of 200 Elo and 10 % draws between equal bots
    ");
    let one = scratch.run("plan cup.toml --bots 12 --simulate 50 --lanes 2").done();
    insta::assert_snapshot!(one.stdout, @"
    game    coloured-awale
    format  sanity, 1 pair, more than 20 % go on → 2 groups, 1 pair each, 2 go on → knockout, matches of 2 pairs, at most 5 more where they are tied
    bots    12
    games   at least 88, more if matches are tied
    time    about [time] on 2 lanes, assuming [time] per move and 95 plies per game
    Elo     about ±629 per bot on average (95 %), assuming a strength spread of 200 Elo and 10 % draws between equal bots

    simulated 50 times: strength spread 200 Elo, 10 % draws between equal bots, first-move advantage 0 Elo

    the best bot wins                 52.0 %  ±13.8
    strength rank of the winner         2.18  on average
    correlation of rank and strength   0.605  1 is the true order
    games                                 64  from 26 to 102
    95 % Elo interval                   ±380  per bot on average
    ");
    let two = scratch.run("plan cup.toml --bots 12 --simulate 50 --lanes 2").done();
    assert_eq!(one.stdout, two.stdout);
}

#[test]
fn a_plan_of_two_thousand_bots_is_there_at_once() {
    let scratch = Scratch::new();
    scratch.write("own/a/bot.toml", "").write("cup.toml", patient(1));
    let plan = scratch.run("plan cup.toml --bots 2000 --lanes 1").done();
    assert!(plan.stdout.contains("3998000"), "{}", plan.stdout);
}
