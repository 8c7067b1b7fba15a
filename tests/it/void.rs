//! `pitmaster void` and `standings --workers` from outside: a bad machine's games.

use std::fs;

use crate::contest::patient;
use crate::scratch::Scratch;

/// Twelve games of three bots in `results/cup`: eight by pc-1, the pairs of the last meeting by
/// pc-7.
fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.fast("dice", "random").fast("first", "first").fast("last", "last");
    scratch.write("cup.toml", patient(2)).run("run cup.toml --lanes 1 -q").done();
    scratch.host("'pc-1'");
    scratch.host("'pc-7' WHERE bot1 <> 'dice' AND bot2 <> 'dice'");
    scratch
}

impl Scratch {
    /// Changes the host of games.
    fn host(&self, host: &str) -> &Self {
        let path = self.path("results/cup/tournament.db");
        let database = rusqlite::Connection::open(path).expect("opens");
        database.execute_batch(&format!("UPDATE attempts SET host = {host}")).expect("changes");
        drop(database);
        self.sum_up_anew("results/cup")
    }

    fn reasons(&self) -> Vec<String> {
        let path = self.path("results/cup/tournament.db");
        let database = rusqlite::Connection::open(path).expect("opens");
        let mut select =
            database.prepare("SELECT DISTINCT reason FROM v_not_counted").expect("SQL");
        let rows = select.query_map((), |row| row.get(0)).expect("runs");
        rows.map(|row| row.expect("reads")).collect()
    }
}

#[test]
fn a_bad_machines_games_are_taken_out_and_played_again() {
    let scratch = played();
    let whole = scratch.timeless("results/cup");
    let void = ["void", "results/cup", "--worker", "pc-7", "--reason", " it swapped: «slow» "];
    let ran = scratch.run_with(&void).done();
    insta::assert_snapshot!(ran.stdout, @"
    voided 4 of 12 games, played by pc-7; their records are kept
    To replay them, repeat the command that played them

    #  bot    games  W-D-L  points  win rate    95 %    Elo          ±  forfeits
    1  first      4  4-0-0    4.00   100.0 %  51–100  >1699  -346 +905
    1  last       4  4-0-0    4.00   100.0 %  51–100  >1699  -346 +905
    3  dice       8  0-0-8    0.00     0.0 %    0–32  <1101  -940 +261
    > or <: it won, or lost, every game that would limit its Elo; the spread of all bots sets the limit.
    Elo cannot tell the ranks of a group apart (95 %): 1–3.
    Player 1 has an advantage of 0 ±505 Elo; 0.0 % of the games between equals are draws.
    Isolation: portable.
    ");
    assert_eq!(
        [scratch.attempts("results/cup", "valid"), scratch.attempts("results/cup", "void")],
        [8, 4]
    );
    assert_eq!(scratch.reasons(), ["worker pc-7: it swapped: «slow»"]);
    // The files are those of the games that are left.
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 8);
    let bots = scratch.column("results/cup/games.csv", "bot1");
    let others = scratch.column("results/cup/games.csv", "bot2");
    assert!(bots.iter().zip(&others).all(|(one, two)| one == "dice" || two == "dice"));
    let page = scratch.read("results/cup/report.html");
    scratch.run("report results/cup").done();
    assert_eq!(scratch.read("results/cup/report.html"), page);
    // Exactly these are played again, and all is as it was.
    let mut run = scratch.start("run cup.toml --lanes 1");
    assert_eq!((run.started(), run.games(usize::MAX)), (8, 4));
    assert_eq!(run.end(&scratch).code, Some(0));
    assert_eq!(scratch.timeless("results/cup"), whole);
    assert_eq!(scratch.attempts("results/cup", "void"), 4);
}

#[test]
fn a_dry_run_and_refusals_change_nothing() {
    let scratch = played();
    let database = || fs::read(scratch.path("results/cup/tournament.db")).expect("reads");
    let before = (database(), scratch.timeless("results/cup"));
    fs::create_dir(scratch.path("empty")).expect("a folder");
    let ran = |args: &[&str]| scratch.run_with(&[&["void"], args].concat()).all();
    let said = [
        ran(&["results/cup", "--worker", "pc-7", "--dry-run"]),
        ran(&["results/cup", "--worker", "pc-8", "--reason", "slow"]),
        ran(&["results/cup", "--worker", "pc-7"]),
        ran(&["results/cup", "--worker", "pc-7", "--reason", "  "]),
        ran(&["empty", "--worker", "pc-7", "--reason", "slow"]),
        ran(&["results", "--worker", "pc-7", "--reason", "slow"]),
    ];
    insta::assert_snapshot!(said.concat(), @"
    exit 0
    --- stdout
    would void 4 of 12 games, played by pc-7
    exit 2
    --- stderr
    error: pc-8 has played no valid game in results/cup; its machines are pc-1 (8 games), pc-7 (4 games)
    exit 2
    --- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: pitmaster void --worker <NAME> --reason <TEXT> <RESULTS>

    For more information, try '--help'.
    exit 2
    --- stderr
    error: invalid value '  ' for '--reason <TEXT>': the reason must not be empty

    For more information, try '--help'.
    exit 2
    --- stderr
    error: there are no results in empty; check the path, or play the tournament first
    exit 2
    --- stderr
    error: there are no results in results; check the path, or play the tournament first
    ");
    assert!(!scratch.path("empty/tournament.lock").exists());
    assert_eq!((database(), scratch.timeless("results/cup")), before);
    scratch.run("void results/cup --worker pc-7 --reason slow").done();
    let again = scratch.run("void results/cup --worker pc-7 --reason slow").all();
    insta::assert_snapshot!(again, @"
    exit 2
    --- stderr
    error: pc-7 has played no valid game in results/cup; its machines are pc-1 (8 games)
    ");
}

#[test]
fn games_are_voided_one_by_one_by_pair_and_by_bot() {
    let scratch = played();
    let whole = scratch.timeless("results/cup");
    let ids = scratch.column("results/cup/games.csv", "id");
    let id = &ids[0];
    let void = |args: &[&str]| {
        let args = [&["void", "results/cup", "--reason", "power cut"], args].concat();
        scratch.run_with(&args)
    };
    let first = |ran: &crate::scratch::Ran| {
        let out = String::from_utf8_lossy(&ran.raw.stdout).into_owned();
        out.lines().next().unwrap_or_default().to_owned()
    };
    let dry = void(&["--pair", id, "--dry-run"]).done();
    assert_eq!(first(&dry), format!("would void 2 of 12 games: the pair of {id}"));
    let game = void(&["--game", id]).done();
    assert_eq!(first(&game), format!("voided 1 of 12 games: game {id}; their records are kept"));
    // The other game of the pair is found, though this one no longer counts.
    let pair = void(&["--pair", id]).done();
    assert_eq!(
        first(&pair),
        format!("voided 1 of 11 games: the pair of {id}; their records are kept")
    );
    let bot = void(&["--bot", "dice"]).done();
    assert!(first(&bot).ends_with(" games: all games of dice; their records are kept"));
    let left = scratch.column("results/cup/games.csv", "bot1");
    assert!(!left.is_empty() && left.iter().all(|bot| bot != "dice"));
    let mut reasons = scratch.reasons();
    reasons.sort();
    let expected =
        ["bot dice: power cut".to_owned(), format!("pair of {id}: power cut"), "power cut".into()];
    assert_eq!(reasons, expected);
    for (args, why) in [
        (["--game", id], "has no valid game"),
        (["--pair", id], "has no valid game of the pair"),
        (["--bot", "dice"], "dice has played no valid game"),
        (["--bot", "nobody"], "nobody has played no valid game"),
        (["--game", "x"], "16 hexadecimal digits"),
    ] {
        let refused = void(&args);
        assert_eq!(refused.code, Some(2), "{}", refused.all());
        let said = String::from_utf8_lossy(&refused.raw.stderr).into_owned();
        assert!(said.contains(why), "{said}");
    }
    let both = void(&["--game", id, "--bot", "dice"]);
    assert!(both.stderr.contains("cannot be used with"), "{}", both.all());
    scratch.run("run cup.toml --lanes 1 -q").done();
    assert_eq!(scratch.timeless("results/cup"), whole);
}

#[test]
fn what_is_being_written_is_left_alone() {
    let scratch = Scratch::new();
    scratch.gated(1);
    let run = scratch.start_to_the_gate();
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let refused = scratch.run_with(&["void", "results/cup", "--worker", &host, "--reason", "slow"]);
    assert_eq!(refused.code, Some(4), "{}", refused.all());
    assert!(refused.stderr.contains("results/cup is being written by "), "{}", refused.all());
    let dry = scratch.run_with(&["void", "results/cup", "--worker", &host, "--dry-run"]).done();
    assert!(dry.stdout.starts_with("would void 2 of 2 games, played by "), "{}", dry.stdout);
    run.kill();
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
}

/// Forty pairs of two bots, every other one on pc-7, where one of the bots is late in some.
#[test]
fn a_machine_on_which_bots_fail_is_told_of_but_not_to_everybody() {
    let scratch = played();
    let quiet = scratch.run("standings results/cup --workers").done();
    insta::assert_snapshot!(quiet.stdout, @"
    worker  games  forfeits  expected  residual  overruns  expected  residual
    pc-1        8         0       0.0                   0       0.0
    pc-7        4         0       0.0                   0       0.0
    Overruns are forfeits on time: late move, late start, game clock, CPU time. Games forfeited without play are not counted.
    Expected: what the same bots do on all machines. Residual: by how many standard deviations there are more; beyond 3 a machine is suspect. Empty if there are too few games to tell.
    Too few forfeits to compare machines.
    Too few overruns to compare machines.
    Isolation: portable.
    ");
    let page = scratch.read("results/cup/report.html");
    assert!(!page.contains("t1-workers"), "when it was made one machine had played");
    fs::remove_dir_all(scratch.path("own/last")).expect("removes");
    scratch.write("cup.toml", patient(40)).run("run cup.toml --lanes 1 -q").done();
    scratch.host("CASE pair % 2 WHEN 0 THEN 'pc-7' ELSE 'pc-1' END");
    assert!(!scratch.run("standings results/cup").done().stdout.contains("pc-7"));
    scratch.host(&format!("host, {LATE} WHERE host = 'pc-7' AND pair <= 24"));
    let told = scratch.run("standings results/cup").done().stdout;
    assert!(told.contains("Bots forfeit more often on pc-7 (residual 4.1) than"), "{told}");
    let table = scratch.run("standings results/cup --workers --format csv").done().stdout;
    insta::assert_snapshot!(table, @"
    worker,games,forfeits,forfeits_expected,forfeits_residual,overruns,overruns_expected,overruns_residual
    pc-1,40,0,12.00,-4.09,0,12.00,-4.09
    pc-7,40,24,12.00,4.09,24,12.00,4.09
    ");
    scratch.run("report results/cup --out all.html").done();
    scratch.run("report results/cup --public --out public.html").done();
    scratch.run("report results/cup --per-bot pages").done();
    let all = scratch.read("all.html");
    assert!(all.contains("id=\"t1-workers\"") && all.contains("pc-7"));
    for page in ["public.html", "pages/dice.html"] {
        let page = scratch.read(page);
        assert!(!page.contains("t1-workers") && !page.contains("pc-7"));
    }
    let french = scratch.run("standings results/cup --workers --lang fr").done().stdout;
    assert!(french.contains("dépassements") && french.contains("khi-deux"), "{french}");
}

/// The bot called dice was late.
const LATE: &str = r#"
    ending = 'move-late', winner = CASE bot1 WHEN 'dice' THEN 2 ELSE 1 END, score1 = 0, score2 = 0,
    ending_facts = json_object(
        'kind', 'forfeit', 'by', CASE bot1 WHEN 'dice' THEN 1 ELSE 2 END,
        'fault', json('{"fault":"move-late","limit_ns":1000,"took_ns":2000}'),
        'score', json('[0,0]')),
    evidence = CASE bot1
        WHEN 'dice' THEN '[{"line":null,"at_ns":0,"stderr":"","exit":null},null]'
        ELSE '[null,{"line":null,"at_ns":0,"stderr":"","exit":null}]' END
"#;
