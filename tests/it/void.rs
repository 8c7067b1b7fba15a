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
    /// Changes who played.
    fn host(&self, host: &str) -> &Self {
        let path = self.path("results/cup/tournament.db");
        let database = rusqlite::Connection::open(path).expect("opens");
        database.execute_batch(&format!("UPDATE attempts SET host = {host}")).expect("changes");
        self
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
    insta::assert_snapshot!(ran.stdout, @"");
    assert_eq!(
        [scratch.attempts("results/cup", "valid"), scratch.attempts("results/cup", "void")],
        [8, 4]
    );
    assert_eq!(scratch.reasons(), ["worker pc-7: it swapped: «slow»"]);
    // The files are those of the games that are left.
    assert_eq!(scratch.column("results/cup/games.csv", "id").len(), 8);
    let bots: Vec<_> = scratch.column("results/cup/games.csv", "bot1");
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
    insta::assert_snapshot!(said.concat(), @"");
    assert!(!scratch.path("empty/tournament.lock").exists());
    assert_eq!((database(), scratch.timeless("results/cup")), before);
    scratch.run("void results/cup --worker pc-7 --reason slow").done();
    let again = scratch.run("void results/cup --worker pc-7 --reason slow").all();
    insta::assert_snapshot!(again, @"");
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
    assert!(dry.stdout.starts_with("2 of 2 games were played by "), "{}", dry.stdout);
    run.kill();
    assert_eq!(scratch.attempts("results/cup", "valid"), 2);
}

/// Thirty pairs of two bots, of which one forfeits at its first move in some games: on pc-7 in all
/// that it forfeits anywhere.
#[test]
fn a_machine_on_which_bots_fail_is_told_of_but_not_to_everybody() {
    let scratch = played();
    let quiet = scratch.run("standings results/cup --workers").done();
    insta::assert_snapshot!(quiet.stdout, @"");
    let page = scratch.read("results/cup/report.html");
    assert!(!page.contains("t1-workers"), "when it was made one machine had played");
    scratch.write("cup.toml", patient(40));
    fs::remove_dir_all(scratch.path("own/last")).expect("removes");
    scratch.fast("first", "illegal").run("run cup.toml --lanes 1 -q").done();
    // What is illegal on both machines is nobody's fault but the bot's; so some games on pc-1 are
    // made drawn ones.
    scratch.host("CASE WHEN pair % 2 THEN 'pc-1' ELSE 'pc-7' END");
    assert!(!scratch.run("standings results/cup").done().stdout.contains("pc-7"));
    let drawn = r#"{"kind":"ply-limit","winner":null,"score":{"one":0,"two":0}}"#;
    scratch.host(&format!(
        "host, ending = 'ply-limit', winner = NULL, score1 = 0, score2 = 0, \
        evidence = NULL, ending_facts = '{drawn}' WHERE host = 'pc-1' AND pair > 10"
    ));
    let told = scratch.run("standings results/cup").done().stdout;
    assert!(told.contains("Bots forfeit more often on pc-7 (residual "), "{told}");
    let table = scratch.run("standings results/cup --workers --format csv").done().stdout;
    insta::assert_snapshot!(table, @"");
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
    assert!(french.contains("dépassements") && french.contains("Rien") == false, "{french}");
}
